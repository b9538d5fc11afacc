"""What a node looks for by itself: due deadlines, rooms that have ended, lists to mend. No timer of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import Struct

from server.store import keys
from server.store.placed import Placed
from server.store.scripts import SWEEP, command

HIDDEN_MS = 2000
ANSWER_S = 1.0


class Due(Struct, frozen=True):
    """A room whose deadline (service time, ms) has come. ``taken``: how often it was taken since it was set."""

    room: str
    deadline: int
    taken: int


class Ended(Struct, frozen=True):
    """A room that has ended and is not yet settled. ``token``: what settles it."""

    room: str
    token: tuple[int, str]


class Sweeps(Placed):
    """What a node looks for on its own account."""

    async def due(self, limit: int = 16) -> list[Due]:
        """Take what is due, at most ``limit`` rooms of each partition, and hide it for 2 s from every node.

        Also writes the beat of every partition with deadlines, and sets this node's clock in all partitions.
        Partitions that do not answer within a second are left out.
        """
        return [due for number, reply in await self._sweep(limit) for due in self._taken(number, reply)]

    async def put_back(self, room: str) -> None:
        """Let it not count that a room was taken: this node cannot do what is due there."""
        number = keys.partition(room)
        await self._ask(number, command("HDEL", keys.shared(number).took, room))

    async def ended(self, limit: int = 64) -> list[Ended]:
        """Give rooms that have ended, at most ``limit`` of each partition; several nodes may get the same ones."""
        found = await self._wherever(lambda shared: command("XRANGE", shared.done, "-", "+", "COUNT", limit), ANSWER_S)
        return [
            Ended(fields[1].decode(), (number, token.decode()))
            for number, entries in found
            for token, fields in entries
        ]

    async def settle(self, ended: list[Ended]) -> None:
        """Forget ended rooms once their copies are made."""
        asks = [
            self._ask(number, command("XDEL", keys.shared(number).done, token))
            for number, token in (room.token for room in ended)
        ]
        await asyncio.gather(*asks)

    async def mend(self) -> int:
        """Take rooms that are gone out of deadlines and lists; give how many places that were."""
        return sum([await self._mend(name) for name in ("due", "open", "live")])

    async def _sweep(self, limit: int) -> list[tuple[int, list[Any]]]:
        return await self._wherever(
            lambda shared: SWEEP.call([shared.due, shared.took, shared.time], limit, HIDDEN_MS), ANSWER_S
        )

    async def _mend(self, name: str) -> int:
        # A room is there before its place in a list is, so a place without a room is a leftover.
        found = await self._everywhere(lambda shared: ("ZRANGE", getattr(shared, name), 0, -1))
        listed = [(number, room.decode()) for number, rooms in enumerate(found) for room in rooms]
        exist = await asyncio.gather(*(self._read(room, "EXISTS", keys.key("room", room)) for _, room in listed))
        lost = [place for place, exists in zip(listed, exist, strict=True) if not exists]
        await asyncio.gather(*(self._read(room, "ZREM", getattr(keys.shared(n), name), room) for n, room in lost))
        return len(lost)

    def _taken(self, number: int, reply: list[Any]) -> list[Due]:
        now, still, *rest = reply
        self.clock.hear(number, now, still)
        return [Due(rest[n].decode(), int(rest[n + 1]), int(rest[n + 2])) for n in range(0, len(rest), 3)]
