"""The rooms of each account: copies beside the account, so that they are found without asking every room.

A copy is a hint and no more: it says where to look, and the room says what is so. Hints are written before the seat is
taken, so no crash can leave a seat without one; what is left of a seat that was not taken is passed over on reading.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from server.store import keys
from server.store.lists import places_in
from server.store.pages import TIES, Place, merged, page_of
from server.store.placed import Placed
from server.store.scripts import command

T = TypeVar("T")
MOST = 1_000
SITS_S, PAST_S = 400 * 24 * 3600, 30 * 24 * 3600
_LISTS = ("sits", "past")


class History(Placed):
    """Where an account sits, and where it sat: each list sorted by when the rooms were made, the newest 1,000 kept."""

    async def note(self, account: str, room: str, made: int) -> None:
        """Remember that an account is about to have a seat in a room. ``made``: when the room was, service time, ms."""
        await self._put("sits", account, room, made, SITS_S)

    async def archive(self, account: str, room: str, made: int, seated: bool) -> None:
        """Move a room that has ended to an account's past, or only drop it where the account has no seat in it.

        May be done any number of times, and stops halfway without harm: a room in both lists is read once.
        """
        if seated:
            await self._put("past", account, room, made, PAST_S)
        number = keys.partition(account)
        await self._ask(number, command("ZREM", keys.key("sits", account), room), write=True)

    async def rooms_of(
        self, account: str, show: Callable[[list[str]], Awaitable[Sequence[T | None]]], limit: int, cursor: str
    ) -> tuple[list[T], str]:
        """Give a page of an account's rooms, as ``show`` tells them; see pages.page_of."""

        async def places(before: Place | None, count: int) -> list[Place]:
            asks = [self._newest(keys.key(name, account), account, before, count) for name in _LISTS]
            return merged(list(await asyncio.gather(*asks)), before, count)

        return await page_of(places, show, limit, cursor)

    async def sits(self, account: str) -> list[str]:
        """Give all rooms in which an account may have a seat now."""
        return [room.decode() for room in await self._read(account, "ZRANGE", keys.key("sits", account), 0, -1)]

    async def _put(self, name: str, account: str, room: str, made: int, keep_s: int) -> None:
        number, key = keys.partition(account), keys.key(name, account)
        asks = (("ZADD", key, made, room), ("ZREMRANGEBYRANK", key, 0, -MOST - 1), ("EXPIRE", key, keep_s))
        await asyncio.gather(*(self._ask(number, command(*ask), write=True) for ask in asks))

    async def _newest(self, key: str, owner: str, before: Place | None, count: int) -> list[Place]:
        bound = before[0] if before else "+inf"
        limit = ("BYSCORE", "REV", "LIMIT", 0, count + TIES, "WITHSCORES")
        return places_in(await self._read(owner, "ZRANGE", key, bound, "-inf", *limit))
