"""The operator's packs: every file of a folder, read by the rules that it names, or all that is wrong with them.

Owns which files count, and how a file says whose it is. What a pack has to be is each game's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from engines.packs import MAX_PACK_BYTES, game_named_in, parse
from engines.registry import UnknownGame, game
from engines.rules import Fault, Pack, PackError

Packs = Mapping[str, Mapping[str, Pack]]
"""Packs by game and id."""


class BadPacks(ValueError):
    """Packs that cannot be offered. ``faults``: one line each, naming the file, the card and the field."""

    def __init__(self, folder: Path, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"the packs in {folder} cannot be used: {'; '.join(faults)}")


def read_packs(folder: Path | None) -> Packs:
    """Read all packs of a folder, if there is one. Raises BadPacks with every fault of every file."""
    found: dict[str, dict[str, Pack]] = {}
    faults: list[str] = []
    for path in _files(folder) if folder is not None else ():
        try:
            pack = _read(path, path.parent.name if path.parent != folder else None)
            _require_new(pack, found.get(pack.game, {}))
            found.setdefault(pack.game, {})[pack.id] = pack
        except PackError as error:
            faults += [f"{path}: {fault.where}: {fault.text} ({fault.code})" for fault in error.faults]
    if faults:
        assert folder is not None  # without one there are no files
        raise BadPacks(folder, faults)
    return found


def _files(folder: Path) -> Iterator[Path]:
    """Give the packs that lie in a folder, or in a folder of it that is named for a game, in order of their names."""
    if not folder.is_dir():
        raise BadPacks(folder, [f"{folder}: there is no such folder"])
    found = [*folder.glob("*.toml"), *folder.glob("*/*.toml")]
    yield from sorted(path for path in found if not path.name.startswith(".") and path.is_file())


def _read(path: Path, place: str | None) -> Pack:
    """Read one file. ``place``: the folder of a game that it lies in. Raises PackError."""
    try:
        with path.open("rb") as file:
            source = file.read(MAX_PACK_BYTES + 1)  # one more than there may be: enough to see that it is too large
    except OSError as error:
        raise _fault("not_readable", "file", error.strerror or "it cannot be read") from error
    named = game_named_in(parse(source, "not_toml"))
    if named is None and place is None:
        text = (
            'it does not say which game it is for: add ruleset = "..." under [pack], or a folder with the game\'s name'
        )
        raise _fault("no_game", "pack", text)
    if named is not None and place is not None and named != place:
        raise _fault("wrong_game", "pack", f"it is for {named}, but lies in the folder of {place}")
    try:
        return game(named or place or "").read_pack(source)
    except UnknownGame as unknown:
        raise _fault("unknown_game", "pack", str(unknown)) from unknown


def _require_new(pack: Pack, others: Mapping[str, Pack]) -> None:
    """Let no id stand for two packs of a game."""
    if pack.id in game(pack.game).packs():
        raise _fault("id_taken", "pack.id", f"{pack.id} is a pack that ships with {pack.game}; choose another id")
    if pack.id in others:
        raise _fault("id_taken", "pack.id", f"{pack.id} is another file's pack for {pack.game}; choose another id")


def _fault(code: str, where: str, text: str) -> PackError:
    return PackError([Fault(code, where, text)])
