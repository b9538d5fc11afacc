"""What a node looks for by itself: due deadlines, rooms that have ended, lists to mend. No timer of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from msgspec import Struct

from server.store import keys
from server.store.placed import Placed
from server.store.scripts import MEND, SWEEP, command

HIDDEN_MS = 2000
ANSWER_S = 1.0
TOGETHER = 256
_RUNNING = {b"lobby": "open", b"playing": "live"}


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

    async def ended(self, limit: int = 64, near: Collection[str] | None = None) -> list[Ended]:
        """Give rooms that have ended, at most ``limit`` of each partition; several nodes may get the same ones.

        ``near``: look only where these rooms are.
        """
        numbers = range(keys.PARTITIONS) if near is None else sorted({keys.partition(room) for room in near})
        if not numbers:
            return []
        found = await self._wherever(
            lambda shared: command("XRANGE", shared.done, "-", "+", "COUNT", limit), ANSWER_S, numbers
        )
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
        """Put lists and deadlines right that say otherwise than their rooms do; give how many places that were.

        Every room that goes on has a deadline, so those that no list has are found by it.
        """
        where: dict[str, set[str]] = {}
        for name in ("due", "open", "live"):
            for room in await self._all_in(name):
                where.setdefault(room, set()).add(name)
        rooms, mended = list(where), 0
        for at in range(0, len(rooms), TOGETHER):
            mended += sum(await asyncio.gather(*(self._mend(r, where[r]) for r in rooms[at : at + TOGETHER])))
        return mended

    async def _sweep(self, limit: int) -> list[tuple[int, list[Any]]]:
        return await self._wherever(
            lambda shared: SWEEP.call([shared.due, shared.took, shared.time], limit, HIDDEN_MS), ANSWER_S
        )

    async def _all_in(self, name: str) -> list[str]:
        found = await self._everywhere(lambda shared: ("ZRANGE", getattr(shared, name), 0, -1))
        return [room.decode() for rooms in found for room in rooms]

    async def _mend(self, room: str, places: set[str]) -> int:
        """Look whether a room stands where it should; the script decides, for it may have moved meanwhile."""
        status, listing = await self._read(room, "HMGET", keys.key("room", room), "status", "listing")
        if places == _right_places(status, listing):
            return 0
        number = keys.partition(room)
        shared = keys.shared(number)
        names = [keys.key("room", room), shared.due, shared.open, shared.live, shared.time]
        now, still, mended = await self._ask(number, MEND.call(names, room), write=True)
        self.clock.hear(number, now, still)
        return int(mended)

    def _taken(self, number: int, reply: list[Any]) -> list[Due]:
        now, still, *rest = reply
        self.clock.hear(number, now, still)
        return [Due(rest[n].decode(), int(rest[n + 1]), int(rest[n + 2])) for n in range(0, len(rest), 3)]


def _right_places(status: bytes | None, listing: bytes | None) -> set[str]:
    listed = _RUNNING.get(status or b"")
    return set() if listed is None else {"due", listed} if listing else {"due"}
