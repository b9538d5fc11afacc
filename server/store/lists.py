"""The lists of public rooms, newest first: indexes by partition, merged here. A room's own hash says what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from server.store import keys
from server.store.pages import TIES, Place, merged, page_of
from server.store.placed import Placed

Kind = Literal["open", "live"]


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

    async def lists(
        self, kind: Kind, limit: int, cursor: str = "", fits: Callable[[bytes], bool] = bool
    ) -> tuple[list[bytes], str]:
        """Give a page of the listings that fit, and the cursor of the next; see pages.page_of.

        Raises ValueError for a cursor that was not given out here.
        """

        async def places(before: Place | None, count: int) -> list[Place]:
            parts = ("BYSCORE", "REV", "LIMIT", 0, count + TIES, "WITHSCORES")
            bound = before[0] if before else "+inf"
            found = await self._everywhere(
                lambda shared: ("ZRANGE", getattr(shared, kind), bound, "-inf", *parts),
            )
            return merged(list(map(places_in, found)), before, count)

        async def show(rooms: list[str]) -> list[bytes | None]:
            listings = await asyncio.gather(*(self._read(r, "HGET", keys.key("room", r), "listing") for r in rooms))
            return [listing if listing and fits(listing) else None for listing in listings]

        return await page_of(places, show, limit, cursor)


def places_in(found: list[Any]) -> list[Place]:
    """Read what a sorted set answers with its scores."""
    return [(int(float(moment)), room.decode()) for room, moment in zip(found[::2], found[1::2], strict=True)]
