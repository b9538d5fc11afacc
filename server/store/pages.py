"""Pages of rooms, newest first, that are full whatever is left out of them. Knows no list and no Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Place = tuple[int, str]
"""A moment in ms and the room that has it: what lists are sorted by, and what a cursor names."""

LOOKED_AT = 5_000
"""So many rooms are looked at for one page. Then it may be short, and its cursor goes on from there."""
TIES = 64
"""So many rooms of one list may have one moment."""


async def page_of(
    places: Callable[[Place | None, int], Awaitable[list[Place]]],
    show: Callable[[list[str]], Awaitable[Sequence[T | None]]],
    limit: int,
    cursor: str,
) -> tuple[list[T], str]:
    """Give a page and the cursor of the next; an empty cursor begins, and ends, the list.

    ``places(before, count)``: at most ``count`` places below one, descending; fewer only where there are no more.
    ``show(rooms)``: what is shown of each, None to leave it out. Raises ValueError for a cursor of somebody else.
    """
    before = _read_cursor(cursor)
    shown: list[tuple[Place, T]] = []
    looked, count, more = 0, limit + 1, True
    while more and len(shown) <= limit and looked < LOOKED_AT:
        found = await places(before, count)
        told = await show([room for _, room in found])
        shown += [(place, one) for place, one in zip(found, told, strict=True) if one is not None]
        looked, more = looked + len(found), len(found) == count
        before = found[-1] if found else before
        count = min(2 * count, LOOKED_AT // 4)
    if len(shown) > limit:
        before, more = shown[limit - 1][0], True
    return [one for _, one in shown[:limit]], f"{before[0]}.{before[1]}" if more and before else ""


def merged(lists: list[list[Place]], before: Place | None, count: int) -> list[Place]:
    """Put lists together, each of at least ``count`` places if it has them: the first ``count``, without doubles."""
    below = {room: (moment, room) for places in lists for moment, room in places}
    return sorted((place for place in below.values() if before is None or place < before), reverse=True)[:count]


def _read_cursor(cursor: str) -> Place | None:
    if not cursor:
        return None
    moment, _, room = cursor.partition(".")
    return int(moment), room
