"""``sanctum rules``: which rules of a game no code decides by, and which no test shows."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import typer

from engines.rules import Rules
from server.citations import Citations, citations
from server.commands.ends import FAILED, UNCHECKED, stdout, stop, write_json
from server.commands.sources import rules_of


def list_rules(
    game: Annotated[str, typer.Argument(help="The game.")],
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")] = False,
) -> None:
    """Compare a game's RULES.md with its code and, in a source checkout, with its tests."""
    rules = rules_of(game)
    folder = folder_of(rules)
    if not (folder / "RULES.md").is_file():
        stop(UNCHECKED, f"{game} has no RULES.md beside its code")
    tests = tests_of(folder)
    found = citations(folder, tests or folder / "tests", folder / "RULES.md")
    unshown = found.unshown if tests is not None else None
    if as_json:
        write_json({"game": game, "rules": found.rules, "uncited": found.uncited, "unshown": unshown,
                    "unknown": found.unknown})  # fmt: skip
    else:
        _tell(rules, found, unshown)
    if found.uncited or unshown or found.unknown:
        raise typer.Exit(FAILED)


def folder_of(rules: Rules[Any]) -> Path:
    """Find the folder of a game's package."""
    module = importlib.import_module(type(rules).__module__)
    assert module.__file__ is not None  # rules are read from files
    return Path(module.__file__).parent


def tests_of(folder: Path) -> Path | None:
    """Find the tests of a game in a source checkout; None where there are none."""
    tests = folder.parents[1] / "tests" / folder.parent.name / folder.name
    return tests if tests.is_dir() else None


def _tell(rules: Rules[Any], found: Citations, unshown: tuple[str, ...] | None) -> None:
    out = stdout()
    out.print(f"{rules.title}: {len(found.rules)} rules")
    out.print(f"decided by no code: {' '.join(found.uncited) or 'none'}")
    out.print(
        f"shown by no test: {'unknown, the tests are not here' if unshown is None else ' '.join(unshown) or 'none'}"
    )
    if found.unknown:
        out.print(f"cited, but no rules: {' '.join(found.unknown)}")
