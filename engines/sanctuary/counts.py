"""What the counts of the vocabulary come to, and whether conditions hold (SA-6.1 to SA-6.8, SA-6.9a and on, SA-6.41).

Looks and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from engines.sanctuary.grid import AROUND, RIVER, SPACES
from engines.sanctuary.tiles import Tile
from engines.sanctuary.words import Condition, Count, Number, Score, Simple
from engines.sanctuary.zoo import Zoo, count_icons, variety

Word = Count | Condition | Simple | Score


class Site(Struct, frozen=True):
    """From where something is counted: a space, and the tile that lies there or would.

    ``hand``: tiles in hand other than this one. ``objectives``: supported by the seat.
    """

    zoo: Zoo
    space: str = ""
    tile: Tile | None = None
    hand: int = 0
    objectives: int = 0

    @property
    def lies(self) -> bool:
        """Say whether the tile is in the zoo already."""
        return self.tile is not None and self.zoo.tops.get(self.space) is self.tile


def value(word: Word, site: Site) -> int:
    """Count what a word names, at a site."""
    assert word.count is not None  # the pack's checks see to it
    return COUNTS[word.count](word, site)


def number(n: Number, site: Site) -> int:
    """Give a number, or what a count comes to, at most its cap."""
    if isinstance(n, int):
        return n
    found = value(n, site)
    return found if n.cap is None else min(found, n.cap)


def holds(condition: Condition | Simple, site: Site) -> bool:
    """Say whether a condition of a building holds at its space (SA-6.41)."""
    if isinstance(condition, Condition) and condition.any_of is not None:
        return any(holds(one, site) for one in condition.any_of)
    if condition.on_river:
        return site.space in RIVER
    return value(condition, site) >= (condition.min or 0)


def all_hold(tile: Tile, site: Site) -> bool:
    """Say whether all conditions of a tile hold (SA-4.26)."""
    return all(holds(condition, site) for condition in tile.conditions)


def points(score: Score, site: Site) -> int:
    """Give what one score is worth (SA-6.42)."""
    if score.points is not None:
        return score.points
    found = (score.each or 0) * value(score, site)
    return found if score.cap is None else min(found, score.cap)


def _zoo_icon(word: Word, site: Site) -> int:  # SA-6.1
    return site.zoo.icons(word.icon or "")


def _adjacent_icon(word: Word, site: Site) -> int:  # SA-6.2
    return count_icons(site.zoo.neighbours(site.space), word.icon or "")


def _adjacent_tile(word: Word, site: Site) -> int:  # SA-6.3
    return sum(tile.shows(word.icon or "") for tile in site.zoo.neighbours(site.space))


def _network(word: Word, site: Site) -> int:
    """Count icons on all tiles reached from here, never through here, and the own ones once it lies (SA-6.4)."""
    icon = word.icon or ""
    reached = site.zoo.group(icon, AROUND[site.space], site.space)
    tiles = [tile for space in reached if (tile := site.zoo.tops[space]) is not None]
    if site.lies and site.tile is not None:
        tiles.append(site.tile)
    return count_icons(tiles, icon)


def _group(word: Word, site: Site) -> int:
    """Count tiles of the largest group that touches here, formed without this tile (SA-6.5)."""
    icon = word.icon or ""
    touching = (site.zoo.group(icon, [space], site.space) for space in AROUND[site.space])
    return max(map(len, touching), default=0)


def _adjacent_open(word: Word, site: Site) -> int:  # SA-6.6
    return sum(map(site.zoo.is_open_area, AROUND[site.space]))


def _zoo_open(word: Word, site: Site) -> int:  # SA-6.7
    return open_areas(site.zoo)


def _adjacent_variety(word: Word, site: Site) -> int:  # SA-6.8
    return variety(site.zoo.neighbours(site.space), word.of or "")


def _zoo_variety(word: Word, site: Site) -> int:  # SA-6.9a
    return variety(site.zoo.tiles(), word.of or "")


def _pairs(word: Word, site: Site) -> int:  # SA-6.9b
    return site.zoo.pairs()


def _objectives(word: Word, site: Site) -> int:  # SA-6.9c
    return site.objectives


def _river(word: Word, site: Site) -> int:  # SA-6.9d
    return sum(not site.zoo.is_empty(space) for space in RIVER)


def _hand(word: Word, site: Site) -> int:  # SA-6.9e
    return site.hand


def open_areas(zoo: Zoo) -> int:
    """Count open areas of a map, printed and placed (SA-4.24)."""
    return sum(map(zoo.is_open_area, SPACES))


COUNTS: dict[str, Callable[[Word, Site], int]] = {
    "zoo_icon": _zoo_icon,
    "adjacent_icon": _adjacent_icon,
    "adjacent_tile": _adjacent_tile,
    "network": _network,
    "group": _group,
    "adjacent_open": _adjacent_open,
    "zoo_open": _zoo_open,
    "adjacent_variety": _adjacent_variety,
    "zoo_variety": _zoo_variety,
    "pairs": _pairs,
    "objectives": _objectives,
    "river": _river,
    "hand": _hand,
}
