"""Every rule of every game is cited where code decides it and where a test shows it, and no other rule is cited."""

from __future__ import annotations

import inspect
from pathlib import Path

from engines.registry import game
from server.citations import Citations, citations

TESTS = Path(__file__).parent


def test_every_rule_is_cited_by_code_and_by_a_test(game_name: str) -> None:
    folder = Path(inspect.getfile(type(game(game_name)))).parent
    found = citations(folder, _tests_of(folder), folder / "RULES.md")
    assert len(found.rules) >= 3
    assert all(rule.startswith(f"{game(game_name).prefix}-") for rule in found.rules)
    assert found.uncited == ()
    assert found.unshown == ()
    assert found.unknown == ()


def _tests_of(folder: Path) -> Path:
    """Find a game's tests: below those of its own package, or beside those of the engines."""
    beside = TESTS.parent / folder.parent.name / folder.name
    return TESTS / folder.name if folder.parent.name == "games" else beside


def _example(tmp_path: Path, code: str, tests: str) -> Citations:
    for name, text in (("game/play.py", code), ("tests/test_play.py", tests)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    rules = tmp_path / "RULES.md"
    rules.write_text("# Rules\n\n- **XY-1.1** One. See **XY-9.9**.\n- **XY-1.2** Two.\n**XY-1.3** Three.\n")
    return citations(tmp_path / "game", tmp_path / "tests", rules)


def test_rules_are_those_that_begin_a_line(tmp_path: Path) -> None:
    assert _example(tmp_path, "", "").rules == ("XY-1.1", "XY-1.2", "XY-1.3")


def test_rules_that_nobody_cites_are_listed(tmp_path: Path) -> None:
    found = _example(tmp_path, "x = 1  # XY-1.2", '"""XY-1.1, XY-1.3."""')
    assert found.uncited == ("XY-1.1", "XY-1.3")
    assert found.unshown == ("XY-1.2",)


def test_rules_that_do_not_exist_are_listed(tmp_path: Path) -> None:
    assert _example(tmp_path, "# XY-1.1, XY-1.12, AB-1.5", "# XY-2.1").unknown == ("XY-1.12", "XY-2.1")


def test_a_range_cites_all_its_rules(tmp_path: Path) -> None:
    found = _example(tmp_path, "# XY-1.1 to XY-1.3", "# XY-1.2 to XY-1.3")
    assert found.uncited == ()
    assert found.unshown == ("XY-1.1",)


def test_a_point_of_a_rule_cites_the_rule(tmp_path: Path) -> None:
    found = _example(tmp_path, "x = 1  # XY-1.2.3, XY-2.1.1", "")
    assert "XY-1.2" not in found.uncited
    assert found.unknown == ("XY-2.1.1",)
