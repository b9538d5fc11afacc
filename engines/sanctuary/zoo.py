"""A zoo as everybody sees it: what lies on top of each space of one map (SA-1.1).

Made from a state or from a view, so that rules, refusals and bots judge by the same code. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.sanctuary.grid import AROUND, ENTRANCE, SPACES
from engines.sanctuary.maps import Ground
from engines.sanctuary.terms import HABITATS, VARIETIES
from engines.sanctuary.tiles import Tile
from engines.sanctuary.words import Discount


class Zoo:
    """``tops``: covered spaces and what is on top; None is a tile face down. Printed areas are the ground's."""

    __slots__ = ("ground", "tops")

    def __init__(self, ground: Ground, tops: Mapping[str, Tile | None]) -> None:
        self.ground = ground
        self.tops = tops

    def with_top(self, space: str, tile: Tile | None) -> Zoo:
        """Give the zoo as it would be with a tile put on a space."""
        return Zoo(self.ground, {**self.tops, space: tile})

    def without(self, space: str) -> Zoo:
        """Give the zoo with the stack of one space taken off."""
        return Zoo(self.ground, {other: top for other, top in self.tops.items() if other != space})

    def placed(self) -> Iterator[tuple[str, Tile]]:
        """Give the tiles that are in the zoo, in the order of spaces (SA-1.1)."""
        for space in SPACES:
            tile = self.tops.get(space)
            if tile is not None:
                yield space, tile

    def tiles(self) -> Iterator[Tile]:
        """Give the tiles that are in the zoo."""
        return (tile for tile in self.tops.values() if tile is not None)

    def neighbours(self, space: str) -> Iterator[Tile]:
        """Give the in-zoo tiles around a space."""
        for other in AROUND[space]:
            tile = self.tops.get(other)
            if tile is not None:
                yield tile

    def is_open_area(self, space: str) -> bool:
        """Printed, or a tile face down (SA-4.24)."""
        return space in self.ground.printed or (space in self.tops and self.tops[space] is None)

    def is_empty(self, space: str) -> bool:
        """Say whether a space holds nothing (SA-4.20)."""
        return space not in self.tops and space not in self.ground.printed

    def is_anchored(self, space: str) -> bool:
        """Say whether a tile or the entrance is next to a space; printed areas do not count (SA-4.21)."""
        tops = self.tops
        return any(other == ENTRANCE or other in tops for other in AROUND[space])

    def building_sites(self) -> list[str]:
        """Give the anchored empty spaces (SA-4.21)."""
        return [space for space in SPACES if self.is_empty(space) and self.is_anchored(space)]

    def is_full(self) -> bool:
        """Say whether every space is covered (SA-8.1)."""
        return not any(map(self.is_empty, SPACES))

    def icons(self, icon: str) -> int:
        """Count an icon, with multiplicity (SA-1.3)."""
        return count_icons(self.tiles(), icon)

    def group(self, icon: str, start: Iterable[str], without: str = "") -> set[str]:
        """Give all spaces linked with ``start`` through in-zoo tiles that show an icon (SA-1.4)."""
        waiting = [space for space in start if space != without and self.shows(space, icon)]
        found: set[str] = set(waiting)
        while waiting:
            for other in AROUND[waiting.pop()]:
                if other not in found and other != without and self.shows(other, icon):
                    found.add(other)
                    waiting.append(other)
        return found

    def groups(self, icon: str) -> list[set[str]]:
        """Give the groups of an icon (SA-1.4)."""
        found: list[set[str]] = []
        for space in SPACES:
            if self.shows(space, icon) and not any(space in group for group in found):
                found.append(self.group(icon, [space]))
        return found

    def shows(self, space: str, icon: str) -> bool:
        tile = self.tops.get(space)
        return tile is not None and tile.shows(icon)

    def pairs(self) -> int:
        """Count species whose two sexes lie next to each other (SA-6.9b)."""
        return len({tile.species for space, tile in self.placed() if self.mates(space, tile)})

    def mates(self, space: str, tile: Tile) -> bool:
        """Say whether the other sex of a tile's species lies next to a space (SA-4.28)."""
        return any(tile.is_mate(other) for other in self.neighbours(space))

    def discount(self, tile: Tile) -> int:
        """Add up what tiles already in the zoo take off a tile's level, each ability once (SA-4.9, SA-6.35)."""
        abilities = (one for other in self.tiles() for one in other.abilities if isinstance(one, Discount))
        return sum(one.amount for one in abilities if tile.shows(one.icon))

    def level(self, tile: Tile) -> int:
        """Give the effective level of an animal or project that is not in the zoo yet (SA-4.9)."""
        return max(0, (tile.level or 0) - self.discount(tile))

    def unmet(self, supported: int) -> list[str]:
        """Name the conditions of an upgrade that do not hold, in their order (SA-4.39)."""
        held = {
            "objective": supported >= 1,
            "projects": self.icons("project") >= 2,
            "habitat": any(len(group) >= 3 for habitat in HABITATS for group in self.groups(habitat)),
            "classes": variety(self.tiles(), "class") >= 4,
        }
        return [name for name, holds in held.items() if not holds]


def count_icons(tiles: Iterable[Tile], icon: str) -> int:
    """Count an icon on tiles, with multiplicity (SA-1.2, SA-1.3)."""
    return sum(tile.icons.count(icon) + (icon in (tile.kind, tile.size)) for tile in tiles)


def variety(tiles: Iterable[Tile], of: str) -> int:
    """Count the different icons of a kind of variety."""
    return len({icon for tile in tiles for icon in tile.icons} & VARIETIES[of])
