"""``sanctum new-game``: a small whole game to start from, which keeps the contract at once.

Owns the names that are put into the templates of server/scaffold.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from engines.registry import games
from server.commands.ends import USAGE, stdout, stop

NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
PLACES = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "tests/test_game.py.txt": "tests/test_$name.py",
    **{
        f"{part}.txt": f"$name/{part}"
        for part in (
            "__init__.py", "RULES.md", "state.py", "play.py", "game.py", "bot.py", "draw.py", "table.js",
            "pack/basic.toml",
        )
    },
}  # fmt: skip
"""Template → place in the new project."""


def new_game(
    name: Annotated[str, typer.Argument(help="The game's name: small letters, digits and _.")],
    into: Annotated[Path, typer.Option(help="Folder in which the project's folder is made.")] = Path(),
) -> None:
    """Write a small whole game to start from: rules, pack, bot, drawing, tests."""
    if not NAME.fullmatch(name):
        stop(USAGE, f"{name!r} is no name for a game: 2 to 31 small letters, digits and _, a letter first")
    if name in games():
        stop(USAGE, f"there is a game {name} already; choose another name")
    project = into / name
    if project.exists():
        stop(USAGE, f"{project} is there already; choose another name or folder")
    write_project(name, project)
    stdout().print(f"{project}: a game of highest cards. Next:")
    stdout().print(f"  cd {project} && pip install -e . && python -m pytest tests && sanctum play {name}")


def write_project(name: str, project: Path) -> None:
    """Fill in the templates. Raises OSError if the folder cannot be written."""
    words = {
        "name": name,
        "Class": "".join(part.capitalize() for part in name.split("_")),
        "PREFIX": name.replace("_", "")[:2].upper(),
    }
    templates = files("server") / "scaffold"
    for template, place in PLACES.items():
        target = project / Template(place).substitute(words)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = templates.joinpath(*template.split("/")).read_text(encoding="utf-8")
        target.write_text(Template(text).substitute(words), encoding="utf-8")
