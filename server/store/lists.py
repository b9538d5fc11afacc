"""The lists of public rooms, newest first: indexes by partition, merged here. A room's own hash says what is shown."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from server.store import keys
from server.store.placed import Placed

Kind = Literal["open", "live"]
_TIES = 16  # rooms of one partition made in one millisecond


class Lists(Placed):
    """Rooms that wait for players, and rooms in play."""

    async def counts(self) -> dict[str, int]:
        """Count rooms: ``open`` and ``in_play`` as lists show them, and ``unlisted``. Raises Unavailable."""
        opened, live, due = await asyncio.gather(
            self._everywhere(lambda shared: ("ZCARD", shared.open)),
            self._everywhere(lambda shared: ("ZCARD", shared.live)),
            self._everywhere(lambda shared: ("ZCARD", shared.due)),  # every room that is not over has a deadline
        )
        listed = sum(opened) + sum(live)
        return {"open": sum(opened), "in_play": sum(live), "unlisted": max(0, sum(due) - listed)}

    async def lists(self, kind: Kind, limit: int, cursor: str = "") -> tuple[list[bytes], str]:
        """Give a page of listings and the cursor of the next; an empty cursor begins, and ends, the list.

        Raises ValueError for a cursor that was not given out here.
        """
        before = _read_cursor(cursor)
        bound = f"{before[0]}" if before else "+inf"
        found = await self._everywhere(
            lambda shared: (
                *("ZRANGE", getattr(shared, kind), bound, "-inf", "BYSCORE", "REV"),
                *("LIMIT", 0, limit + _TIES, "WITHSCORES"),
            )
        )
        rooms = [place for places in found for place in _places(places) if before is None or place < before]
        page = sorted(rooms, reverse=True)[:limit]
        shown = await asyncio.gather(*(self._read(room, "HGET", keys.key("room", room), "listing") for _, room in page))
        more = f"{page[-1][0]}.{page[-1][1]}" if len(page) < len(rooms) else ""
        return [listing for listing in shown if listing], more


def _places(found: list[Any]) -> list[tuple[int, str]]:
    return [(int(float(made)), room.decode()) for room, made in zip(found[::2], found[1::2], strict=True)]


def _read_cursor(cursor: str) -> tuple[int, str] | None:
    if not cursor:
        return None
    made, _, room = cursor.partition(".")
    return int(made), room
