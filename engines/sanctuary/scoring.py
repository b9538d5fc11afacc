"""What a zoo is worth: the score sheet, and who is ranked before whom (SA-8.10 to SA-8.14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.sanctuary.counts import Site, open_areas, points
from engines.sanctuary.state import Seat, Sheet
from engines.sanctuary.terms import ACHIEVEMENTS
from engines.sanctuary.tiles import GroupScore
from engines.sanctuary.zoo import Zoo

MARKER_POINTS = 2  # SA-0.2
SOLO_POINTS = 5


def tile_points(zoo: Zoo, group_scores: Iterable[GroupScore], hand: int, objectives: int) -> dict[str, int]:
    """Give the points of tiles by kind; group scores count under animals (SA-6.43, SA-8.11)."""
    found = {"animal": 0, "building": 0, "project": 0}
    for space, tile in zoo.tops.items():
        if tile is not None and tile.score:
            site = Site(zoo, space, tile, hand, objectives)
            found[tile.kind] += sum(points(score, site) for score in tile.score)
    for rule in group_scores:
        found["animal"] += sum(rule.points(len(group)) for group in zoo.groups(rule.icon))
    return found


def sheet_of(zoo: Zoo, group_scores: Iterable[GroupScore], seat: Seat, solo_left: int) -> Sheet:
    """Fill in the score sheet of a seat as the table lies (SA-2.13, SA-8.10)."""
    kinds = tile_points(zoo, group_scores, len(seat.hand), len(seat.supported))
    used = [needed for needed, objective in seat.achievements.items() if objective is not None]
    parts = {
        "animals": kinds["animal"],
        "buildings": kinds["building"],
        "projects": kinds["project"],
        "open_areas": open_areas(zoo),
        "achievements": sum(ACHIEVEMENTS[int(needed)] for needed in used),
        "pouch": MARKER_POINTS * seat.pouch,
        "conservation": MARKER_POINTS * seat.conservation,
        "end_marker": seat.end_marker,
        "solo": SOLO_POINTS * solo_left,
    }
    animals = sum(tile.kind == "animal" for tile in zoo.tiles())  # SA-8.13: what is covered is no animal
    return Sheet(**parts, total=sum(parts.values()), animal_tiles=animals)


def ranks(sheets: Sequence[Sheet], left: Sequence[int]) -> tuple[int, ...]:
    """Rank seats: by points, then animals, shared if equal; who left ranks below, the earlier the lower.

    ``left``: seats that are gone, in the order in which they went (SA-8.13, SA-8.14, SA-8.16).
    """
    merits = [
        (1, sheet.total, sheet.animal_tiles) if seat not in left else (0, left.index(seat), 0)
        for seat, sheet in enumerate(sheets)
    ]
    return tuple(1 + sum(other > own for other in merits) for own in merits)
