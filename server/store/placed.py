"""What every part of the store shares: where a room lies, and the clock there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from server.store import keys
from server.store.clock import Clock
from server.store.errors import Unavailable
from server.store.fleet import Fleet
from server.store.keys import PartitionKeys
from server.store.scripts import Part, command


class Placed:
    """The base of all parts of the store."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet, self.clock = fleet, Clock()

    def now(self, room: str) -> int:
        """Estimate service time (ms) for a room."""
        return self.clock.now(keys.partition(room))

    def sure(self, room: str) -> int:
        """Give a service time (ms) that has come for a room and is never taken back: at most ``now``."""
        return self.clock.sure(keys.partition(room))

    def _ask(self, number: int, packed: bytes, *, write: bool = False) -> asyncio.Future[Any]:
        """Ask whoever has a partition."""
        return self.fleet.ask(keys.slot(number), packed, write=write)

    def _read(self, room: str, *parts: Part) -> asyncio.Future[Any]:
        return self._ask(keys.partition(room), command(*parts))

    def _shared(self, verb: str, name: str, *parts: Part) -> asyncio.Future[Any]:
        """Ask for a key that belongs to no partition; on a Cluster each may lie elsewhere."""
        return self.fleet.ask(keys.slot_of(name), command(verb, name, *parts))

    def _write_shared(self, verb: str, name: str, *parts: Part) -> asyncio.Future[Any]:
        """Write such a key, so that it survives what an ok has to survive."""
        return self.fleet.ask(keys.slot_of(name), command(verb, name, *parts), write=True)

    async def _everywhere(self, ask: Callable[[PartitionKeys], tuple[Part, ...]]) -> list[Any]:
        """Ask the same of every partition in one batch; the replies in their order."""
        return await asyncio.gather(
            *(self._ask(number, command(*ask(keys.shared(number)))) for number in range(keys.PARTITIONS))
        )

    async def _wherever(
        self, packed: Callable[[PartitionKeys], bytes], within_s: float, numbers: Sequence[int] = range(keys.PARTITIONS)
    ) -> list[tuple[int, Any]]:
        """Ask the same of every partition, or of some, and give the number and reply of those that answer in time.

        Raises Unavailable only if none does: a primary that is away must not keep the rooms of others waiting.
        """
        asks = [self.fleet.ask(keys.slot(n), packed(keys.shared(n)), within_s=within_s) for n in numbers]
        replies = await asyncio.gather(*asks, return_exceptions=True)
        answered = [
            (number, reply)
            for number, reply in zip(numbers, replies, strict=True)
            if not isinstance(reply, BaseException)
        ]
        if not answered:
            raise Unavailable(str(replies[0]))
        return answered
