"""The scaffold of a new game keeps the contract, and its checks, at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.citations import citations
from server.cli import main
from server.commands.ends import DONE, USAGE

ROOT = Path(__file__).parents[3]


def test_a_new_game_keeps_the_contract_at_once(tmp_path: Path) -> None:
    assert main(["new-game", "top_card", "--into", str(tmp_path)]) == DONE
    project = tmp_path / "top_card"
    path = os.pathsep.join((str(project), str(ROOT), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=project, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    found = citations(project / "top_card", project / "tests", project / "top_card" / "RULES.md")
    assert (found.uncited, found.unshown, found.unknown) == ((), (), ())
    drawn = (project / "top_card" / "table.js").read_text()
    assert all(f"export const {name} = " in drawn for name in ("table", "line"))


def test_a_new_game_passes_the_lints_and_the_types(tmp_path: Path) -> None:
    main(["new-game", "top_card", "--into", str(tmp_path)])
    project = tmp_path / "top_card"
    environment = {**os.environ, "MYPYPATH": os.pathsep.join((str(project), str(ROOT)))}
    for command in (
        ["ruff", "check", "--isolated", "--line-length", "120", "--select", "B,E,F,N,UP", "."],
        ["ruff", "format", "--isolated", "--line-length", "120", "--check", "."],
        ["mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "top_card"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)


@pytest.mark.parametrize("name", ["X", "a", "Top", "top-card", "1st", "disciple", "../up", "a" * 40])
def test_names_that_cannot_be_are_refused_and_nothing_is_written(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", name, "--into", str(tmp_path)]) == USAGE
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "top_card").mkdir()
    assert main(["new-game", "top_card", "--into", str(tmp_path)]) == USAGE
    assert list((tmp_path / "top_card").iterdir()) == []
