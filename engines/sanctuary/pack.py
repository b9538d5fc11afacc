"""Read a pack of tiles and say everything that is wrong with it, by tile and field (SA-7).

Owns the loader's codes and the packs that ship with the game. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from engines import packs
from engines.rules import Fault, Pack, PackError
from engines.sanctuary.pack_sense import all_tile_faults, pack_faults
from engines.sanctuary.tiles import Atlas, GroupScore, Objective, Tile

GAME = "sanctuary"
NUMBERS = frozenset(("n", "max", "keep", "amount", "min", "each", "points", "cap", "small", "large", "table"))
KINDS: dict[str, Any] = {"tile": Tile, "objective": Objective, "group_score": GroupScore}


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[pack]``. ``ruleset``: may be left out."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
    version: Annotated[int, Meta(ge=1)]
    title: Annotated[str, Meta(max_length=80)] = ""
    ruleset: Literal["sanctuary"] = "sanctuary"


@cache
def shipped() -> dict[str, Pack]:
    """Give the packs that ship with the game, by id; the first is the default (SA-10.1)."""
    source = (files("engines.sanctuary") / "pack" / "wild_atlas.toml").read_bytes()
    pack = read_pack(source)
    return {pack.id: pack}


def printed(tile: str) -> Tile | None:
    """Give a tile of the shipped packs, for those who see zones only."""
    return next((pack.cards.tiles[tile] for pack in shipped().values() if tile in pack.cards.tiles), None)


def read_pack(source: bytes) -> Pack:
    """Read a pack. Raises PackError with every fault, sorted by code and place (SA-7.1 to SA-7.21)."""
    tree = packs.parse(source, "pack_unknown_field")
    faults = sorted(_faults(tree), key=lambda fault: (fault.code, fault.where))
    if faults:
        raise PackError(faults[: packs.MAX_MISFITS])
    head = msgspec.convert(tree["pack"], Head)
    atlas = Atlas(
        msgspec.convert(tree["tile"], list[Tile]),
        msgspec.convert(tree["objective"], list[Objective]),
        msgspec.convert(tree.get("group_score", []), list[GroupScore]),
    )
    return packs.made(source, id=head.id, title=head.title or head.id, game=GAME, cards=atlas)


def _faults(tree: dict[str, Any]) -> Iterator[Fault]:
    for name in tree:
        if name not in ("pack", *KINDS):
            yield Fault("pack_unknown_field", name[:60], "a pack has tables `pack`, `tile`, `objective`, `group_score`")
    yield from _misfits(Head, tree.get("pack", {}), "pack")
    readable: dict[str, list[Any]] = {name: [] for name in KINDS}
    for name, kind in KINDS.items():
        tables = tree.get(name, [])
        for at, table in enumerate(tables if isinstance(tables, list) else [tables]):
            found = list(_misfits(kind, table, _name(table, name, at)))
            yield from found
            if not found:
                readable[name].append(msgspec.convert(table, kind))
    yield from all_tile_faults(readable["tile"])
    yield from pack_faults(_ids(tree, "tile"), readable["tile"], _ids(tree, "objective"), readable["objective"])
    for at, group in enumerate(readable["group_score"]):
        yield from _table_faults(group, f"group_score[{at}]: table")


def _table_faults(group: GroupScore, where: str) -> Iterator[Fault]:
    table = group.table
    if not table or min(table) < 0 or any(left > right for left, right in pairwise(table)):
        yield Fault("pack_group_table", where, "the table has values of 0 or more that never fall")  # SA-7.21


def _ids(tree: dict[str, Any], name: str) -> list[str]:
    tables = tree.get(name, [])
    tables = tables if isinstance(tables, list) else []
    return [table["id"] for table in tables if isinstance(table, dict) and isinstance(table.get("id"), str)]


def _name(table: Any, name: str, at: int) -> str:
    """Name a tile as its author knows it: by id, or by place if it has none."""
    found = table.get("id") if isinstance(table, dict) else None
    return found[:60] if isinstance(found, str) and found else f"{name}[{at}]"


def _misfits(kind: Any, table: Any, name: str) -> Iterator[Fault]:
    for misfit in packs.misfits(kind, table):
        yield Fault(_code(misfit), f"{name}: {packs.spell(misfit.path)}", misfit.text)


def _code(misfit: packs.Misfit) -> str:
    """Give the code of a field that does not fit (SA-7.2 to SA-7.5, SA-7.16)."""
    last = next((step for step in reversed(misfit.path) if isinstance(step, str)), "")
    if misfit.problem == "missing":
        return "pack_missing_field"
    if misfit.problem == "unknown":
        return "pack_unknown_word" if last in ("do", "when") else "pack_unknown_field"
    if last == "level":
        return "pack_level_range"
    return "pack_number" if last in NUMBERS else "pack_unknown_word"
