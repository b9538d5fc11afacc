"""The maps of a zoo: which open areas are printed, which spaces bear a bonus (SA-2.5), and what may be wrong with one.

Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from engines import packs
from engines.rules import Fault, PackError
from engines.sanctuary.grid import AROUND, ENTRANCE, SPACES
from engines.sanctuary.pack_words import effect_faults, word_faults
from engines.sanctuary.words import Effect


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """What covering a space gives once (SA-4.25)."""

    space: str
    effect: Effect


class Ground(Struct, frozen=True, forbid_unknown_fields=True):
    """One map: all seats of a match use the same."""

    id: str
    printed: tuple[str, ...] = ()
    bonuses: tuple[Bonus, ...] = ()

    def bonus(self, space: str) -> Effect | None:
        return next((bonus.effect for bonus in self.bonuses if bonus.space == space), None)


@cache
def shipped_maps() -> dict[str, Ground]:
    """Give the maps that ship with the game, by id; the first is the default."""
    source = (files("engines.sanctuary") / "pack" / "maps.toml").read_bytes()
    return {ground.id: ground for ground in read_maps(source)}


def read_maps(source: bytes) -> list[Ground]:
    """Read a file of maps. Raises PackError with every fault, by map and field, sorted by code and place."""
    tree = packs.parse(source, "map_space")
    tables = tree.get("map")
    found = [fault for at, table in enumerate(tables or ()) for fault in _named(at, table)]
    if found or not tables:
        raise PackError(sorted(found, key=lambda fault: (fault.code, fault.where)) or [_none()])
    return msgspec.convert(tables, list[Ground])


def _none() -> Fault:
    return Fault("map_space", "map", "there is no map")


def _named(at: int, table: Any) -> Iterator[Fault]:
    name = str(table.get("id", f"map[{at}]")) if isinstance(table, dict) else f"map[{at}]"
    for fault in map_faults(table):
        yield msgspec.structs.replace(fault, where=f"{name}: {fault.where}")


def map_faults(table: Any) -> list[Fault]:
    """List everything that is wrong with one map, as read from TOML (SA-7.31 to SA-7.34)."""
    misfits = packs.misfits(Ground, table)
    if misfits:
        return [Fault(_code(misfit.path), packs.spell(misfit.path), misfit.text) for misfit in misfits]
    return list(_sense_faults(msgspec.convert(table, Ground)))


def _code(path: packs.Path) -> str:
    return "map_effect" if "effect" in path else "map_space"  # SA-7.34


def _sense_faults(ground: Ground) -> Iterator[Fault]:
    places = [("printed", space) for space in ground.printed]
    places += [(f"bonuses[{at}].space", bonus.space) for at, bonus in enumerate(ground.bonuses)]
    for where, space in places:
        if space not in SPACES:  # SA-7.31
            yield Fault("map_space", where, f"there is no space {space[:20]!r}")
    for at, bonus in enumerate(ground.bonuses):
        if bonus.space in ground.printed:  # SA-7.32
            yield Fault("map_bonus_on_open", f"bonuses[{at}].space", f"{bonus.space} is a printed open area")
        for fault in [*effect_faults(bonus.effect, covers=False), *word_faults(bonus.effect)]:  # SA-7.34
            yield Fault("map_effect", f"bonuses[{at}].effect.{fault.where}".rstrip("."), fault.text)
    if set(AROUND[ENTRANCE]) <= set(ground.printed):  # SA-7.33
        yield Fault("map_entrance", "printed", "nothing could ever be put next to the entrance")
