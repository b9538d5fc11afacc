"""What is kept of a game's finished rooms beside them: results, ratings, and the leaderboard that follows from these.

All of a game lies in one partition, so that one script can say that a room was counted and count it. Never looks into
a result or a rating.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

from server.store import keys
from server.store.history import History
from server.store.pages import Place, merged, page_of
from server.store.scripts import RATE, RESULT

T = TypeVar("T")
MOST_RESULTS = 10_000
KEPT_MS = 8 * 24 * 3600 * 1000
"""Longer than an ended room is kept: who is told of a room again finds it gone, or that it was counted."""


class Rerated(Struct, frozen=True):
    """What a room does to one account's rating. ``before``: as it was read, None if there was none.

    ``points`` is what the leaderboard is sorted by.
    """

    account: str
    before: bytes | None
    after: bytes
    points: int


class Standing(Struct, frozen=True):
    """A place of the leaderboard, 1 for the best."""

    rank: int
    account: str
    rating: bytes


class Boards(History):
    """Results and leaderboards."""

    async def publish(self, game: str, room: str, moment: int, card: bytes) -> None:
        """Keep what is shown of a finished room; again, it replaces what was kept of that room."""
        number, names = keys.partition(game), keys.keys(game, "results", "cards")
        await self._ask(number, RESULT.call(names, room, moment, card, MOST_RESULTS, KEPT_MS), write=True)

    async def results(
        self,
        game: str,
        show: Callable[[list[tuple[bytes, str]]], Awaitable[Sequence[T | None]]],
        limit: int,
        cursor: str,
    ) -> tuple[list[T], str]:
        """Give a page of results, the newest first. ``show`` gets each card with the tip of its room, '' if gone."""

        async def places(before: Place | None, count: int) -> list[Place]:
            return merged([await self._newest(keys.key("results", game), game, before, count)], before, count)

        async def cards(rooms: list[str]) -> Sequence[T | None]:
            if not rooms:
                return []
            found, tips = await asyncio.gather(
                self._read(game, "HMGET", keys.key("cards", game), *rooms),
                asyncio.gather(*(self._read(room, "HGET", keys.key("room", room), "tip") for room in rooms)),
            )
            return await show([(card or b"", (tip or b"").decode()) for card, tip in zip(found, tips, strict=True)])

        return await page_of(places, cards, limit, cursor)

    async def ratings(self, game: str, accounts: Sequence[str]) -> list[bytes | None]:
        """Give the ratings of some accounts, None where there is none."""
        return list(await self._read(game, "HMGET", keys.key("ratings", game), *accounts)) if accounts else []

    async def rate(self, game: str, room: str, changes: Sequence[Rerated]) -> Literal["done", "known", "conflict"]:
        """Count a room, unless it was counted before or one of the ratings is no more what it was."""
        names = keys.keys(game, "rated", "ratings", "board")
        parts = [part for c in changes for part in (c.account, c.before or b"", c.after, c.points)]
        reply = await self._ask(keys.partition(game), RATE.call(names, room, KEPT_MS, *parts), write=True)
        kind: Literal["done", "known", "conflict"] = reply.decode()
        return kind

    async def standings(self, game: str, first: int, count: int) -> list[Standing]:
        """Give a part of the leaderboard; ``first``: the least rank, 1 or more."""
        found = await self._read(game, "ZRANGE", keys.key("board", game), first - 1, first + count - 2, "REV")
        accounts = [account.decode() for account in found]
        ratings = await self.ratings(game, accounts)
        return [
            Standing(first + at, account, rating)
            for at, (account, rating) in enumerate(zip(accounts, ratings, strict=True))
            if rating is not None
        ]

    async def rank_of(self, game: str, account: str) -> int | None:
        """Give the rank of an account, None if it has no rating."""
        place = await self._read(game, "ZREVRANK", keys.key("board", game), account)
        return None if place is None else int(place) + 1
