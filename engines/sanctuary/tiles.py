"""Tiles, objectives and the pack that holds them: what is printed, and what follows from print alone (SA-1.2, SA-10).

Knows no state: where a tile lies is not its business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engines.sanctuary.grid import Direction
from engines.sanctuary.terms import HABITATS, Icon, Kind, Sex, Size
from engines.sanctuary.words import Ability, Condition, Discount, Effects, Score

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
Name = Annotated[str, Meta(min_length=1, max_length=60)]


class Tile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One printed tile. ``species`` and ``sex`` are of animals, ``conditions`` of buildings, ``cover`` of projects."""

    id: Id
    kind: Kind
    name: Name
    icons: tuple[Icon, ...] = ()
    level: int | None = None
    species: Id | None = None
    sex: Sex | None = None
    arrows: tuple[Direction, ...] = ()
    score: tuple[Score, ...] = ()
    effects: Effects = ()
    abilities: tuple[Ability, ...] = ()
    conditions: tuple[Condition, ...] = ()
    cover: Icon | None = None

    @property
    def size(self) -> Size | None:
        """Animals are small or large by their printed level."""
        if self.kind != "animal":
            return None
        return "large" if (self.level or 0) >= 4 else "small"

    @property
    def all_icons(self) -> tuple[str, ...]:
        """Listed icons, the kind, and the size of an animal; one may be there twice (SA-1.2)."""
        size = self.size
        return (*self.icons, self.kind) if size is None else (*self.icons, self.kind, size)

    @property
    def habitat(self) -> str | None:
        """The habitat icon, if there is one (SA-1.5)."""
        return next((icon for icon in self.icons if icon in HABITATS), None)

    def shows(self, icon: str) -> bool:
        """Say whether the tile shows an icon at least once (SA-1.3)."""
        return icon in self.icons or icon == self.kind or icon == self.size

    def face(self) -> dict[str, Any]:
        """Give as plain data by what the tile is judged when it is played; names, scores and effects are not in it.

        It is equal to what a client gets over the wire, which knows lists, no tuples.
        """
        discounts = tuple(ability for ability in self.abilities if isinstance(ability, Discount))
        judged = msgspec.structs.replace(self, score=(), effects=(), abilities=discounts)
        told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(judged))
        return {field: value for field, value in told.items() if field not in ("id", "name")}

    def matches(self, wanted: str) -> bool:
        """Say whether a filter lets the tile through: ``any``, a kind, or ``icon:<id>``."""
        return wanted == "any" or self.shows(wanted.removeprefix("icon:"))

    def is_mate(self, other: Tile) -> bool:
        """Say whether two animals are the two sexes of one species (SA-4.28)."""
        return self.species is not None and self.species == other.species and {self.sex, other.sex} == {"m", "f"}


class GroupScore(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for every group of an icon, by its size (SA-6.43)."""

    icon: Icon
    table: tuple[int, ...]

    def points(self, size: int) -> int:
        return self.table[min(size, len(self.table)) - 1]


class Objective(Struct, frozen=True, forbid_unknown_fields=True):
    """A goal of the conservation board; its value is the number of its icons in a zoo (SA-6.45)."""

    id: Id
    name: Name
    icon: Icon


class Atlas:
    """The tiles, objectives and group scores of a pack, in file order. ``faces``: what a view tells of each tile."""

    def __init__(
        self, tiles: Iterable[Tile], objectives: Iterable[Objective], group_scores: Iterable[GroupScore]
    ) -> None:
        self.tiles = {tile.id: tile for tile in tiles}
        self.objectives = {objective.id: objective for objective in objectives}
        self.group_scores = tuple(group_scores)
        self.faces = {tile.id: tile.face() for tile in self}

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles.values())

    def __getitem__(self, tile: str) -> Tile:
        return self.tiles[tile]
