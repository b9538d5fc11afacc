"""What a command is given by name: a game, its packs, a file. Anything missing ends the command with one line.

Knows no game.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from engines.registry import UnknownGame, game
from engines.rules import Pack, PackError, Rules
from server.commands.ends import UNCHECKED, USAGE, stop

MAX_FILE_BYTES = 64 << 20


def rules_of(name: str) -> Rules[Any]:
    """Give an installed game."""
    try:
        return game(name)
    except UnknownGame as unknown:
        stop(UNCHECKED, f"{unknown}. Install the distribution that has it.")


def pack_of(rules: Rules[Any], chosen: str | None) -> Pack:
    """Give a pack: by id (None: the default), or read from a file if ``chosen`` names one."""
    packs = rules.packs()
    if chosen is None:
        return next(iter(packs.values()))
    if chosen in packs:
        return packs[chosen]
    if not Path(chosen).is_file():
        stop(UNCHECKED, f"no pack {chosen!r} of {rules.name}, nor a file of that name; there are: {', '.join(packs)}")
    try:
        return rules.read_pack(read_bytes(Path(chosen)))
    except PackError as error:
        stop(UNCHECKED, f"{chosen} has {len(error.faults)} faults; see: sanctum pack check {chosen}")


def read_bytes(path: Path) -> bytes:
    """Read a file of bearable size."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            stop(USAGE, f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB")
        return path.read_bytes()
    except OSError as error:
        stop(USAGE, f"cannot read {path}: {error.strerror}")


def read_tree(path: Path) -> Any:
    """Read a file of JSON, or of TOML if its name ends so."""
    raw = read_bytes(path)
    try:
        return tomllib.loads(raw.decode()) if path.suffix == ".toml" else json.loads(raw)
    except (ValueError, RecursionError) as error:
        stop(USAGE, f"{path} is no {'TOML' if path.suffix == '.toml' else 'JSON'}: {error}")
