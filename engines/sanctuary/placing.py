"""Where a tile may be put, and why not elsewhere, in the order of tests of SA-5.3. Looks and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from engines.sanctuary.counts import Site, all_hold
from engines.sanctuary.grid import ENTRANCE, SPACES, TOWARDS
from engines.sanctuary.tiles import Tile
from engines.sanctuary.zoo import Zoo


def space_fault(zoo: Zoo, space: str) -> str | None:
    """Say why nothing can be put on a space: the SP-checks (SA-4.20, SA-4.21)."""
    if space not in SPACES:
        return "space_unknown"
    if not zoo.is_empty(space):
        return "space_occupied"
    return None if zoo.is_anchored(space) else "space_not_anchored"


def arrow_fault(zoo: Zoo, tile: Tile, space: str) -> str | None:
    """Say which arrow points where no open area can be, the first in data order (SA-4.22).

    It is asked when a tile is put down, and never again while it lies there (SA-4.23).
    """
    for direction in tile.arrows:
        target = TOWARDS[space][direction]
        if target is None:
            return "arrow_off_map"
        if target == ENTRANCE or zoo.tops.get(target) is not None:
            return "arrow_blocked"
    return None


def bare_arrows(zoo: Zoo, tile: Tile, space: str) -> list[str]:
    """Give the empty spaces to which arrows point; each needs an open area from the hand (SA-4.22)."""
    targets = (TOWARDS[space][direction] for direction in tile.arrows)
    return [target for target in targets if target is not None and target != ENTRANCE and zoo.is_empty(target)]


def place_fault(tile: Tile, site: Site) -> str | None:
    """Say why a tile of the hand cannot be put on ``site.space``; open areas come from ``site.hand`` other tiles."""
    zoo, space = site.zoo, site.space
    if tile.cover is not None:
        return cover_fault(zoo, tile, space)
    if (fault := space_fault(zoo, space)) is not None:
        return fault
    if not all_hold(tile, site):  # SA-4.26
        return "condition_unmet"
    if (fault := arrow_fault(zoo, tile, space)) is not None:
        return fault
    return "open_area_missing" if len(bare_arrows(zoo, tile, space)) > site.hand else None


def cover_fault(zoo: Zoo, tile: Tile, space: str) -> str | None:
    """Say why a release, a project with `cover` (SA-6.44), cannot cover what lies on a space (SA-4.14, SA-4.27)."""
    if space not in SPACES:
        return "space_unknown"
    top = zoo.tops.get(space)
    fits = top is not None and top.kind == "animal" and top.shows(tile.cover or "")
    return None if fits else "cover_mismatch"


def places_for(tile: Tile, zoo: Zoo, sites: list[str], hand: int, objectives: int) -> list[str]:
    """List the spaces on which a tile of the hand may be put. ``sites``: the anchored empty spaces."""
    spaces = list(zoo.tops) if tile.cover is not None else sites
    if tile.cover is None and not tile.arrows and not tile.conditions:
        return sites
    return sorted(space for space in spaces if place_fault(tile, Site(zoo, space, tile, hand, objectives)) is None)


def move_fault(zoo: Zoo, start: str, to: str, hand: int, objectives: int) -> str | None:
    """Say why a stack cannot be moved, in the order of SA-6.18 and SA-6.19."""
    if start not in zoo.tops:
        return "no_tile"
    tile, rest = zoo.tops[start], zoo.without(start)
    if to == start:
        return "space_occupied"
    if (fault := space_fault(rest, to)) is not None:
        return fault
    if tile is None or tile.kind == "project":
        return None
    if not all_hold(tile, Site(rest, to, tile, hand, objectives)):
        return "condition_unmet"
    if (fault := arrow_fault(rest, tile, to)) is not None:
        return fault
    return "open_area_missing" if bare_arrows(rest, tile, to) else None


def moves(zoo: Zoo, hand: int, objectives: int) -> Iterator[tuple[str, str]]:
    """Give all legal moves of a stack: from, to (SA-6.19)."""
    empty = [space for space in SPACES if zoo.is_empty(space)]
    for start in SPACES:
        if start in zoo.tops:
            yield from ((start, to) for to in empty if move_fault(zoo, start, to, hand, objectives) is None)
