"""One primary and this node's connections to it: a writer, a reader, a subscriber. A list of them makes a store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from server.store import keys
from server.store.address import check_fit, connect, connector, read_info
from server.store.clock import Clock
from server.store.keys import PartitionKeys
from server.store.line import Line
from server.store.scripts import Part, command
from server.store.subscriber import Subscriber


class Primary:
    """The connections to one primary. Raises Unfit if the address is of a kind that is not supported."""

    def __init__(self, url: str, replicas: int = 0) -> None:
        connector(url)
        connecting = partial(connect, url)
        self.writer = Line(connecting, replicas)
        self.reader = Line(connecting)
        self.subscriber = Subscriber(connecting, self.reader.ask)

    async def start(self) -> None:
        """Check that the server is fit, then listen. Raises Unfit or Unavailable."""
        check_fit(read_info(await self.reader.ask(command("INFO"))))
        await self.subscriber.start()

    async def close(self) -> None:
        """Close all connections; what still waits is answered with Unavailable."""
        await self.subscriber.close()
        await self.writer.close()
        await self.reader.close()


class Placed:
    """What every part of the store shares: where a room lies, and the clock there."""

    def __init__(self, primaries: list[Primary]) -> None:
        self.primaries, self.clock = primaries, Clock()

    def now(self, room: str) -> int:
        """Estimate service time (ms) for a room."""
        return self.clock.now(keys.partition(room))

    def _holder(self, number: int) -> Primary:
        """Give the primary of a partition. Only the first exists as long as Clusters are refused."""
        return self.primaries[number % len(self.primaries)]

    def _primary(self, room: str) -> Primary:
        return self._holder(keys.partition(room))

    def _read(self, room: str, *parts: Part) -> asyncio.Future[Any]:
        return self._primary(room).reader.ask(command(*parts))

    def _shared(self, *parts: Part) -> asyncio.Future[Any]:
        """Ask for a key that belongs to no partition."""
        return self.primaries[0].reader.ask(command(*parts))

    async def _everywhere(self, ask: Callable[[PartitionKeys], tuple[Part, ...]]) -> list[Any]:
        """Ask the same of every partition in one batch; the replies in their order."""
        numbers = range(keys.PARTITIONS)
        return await asyncio.gather(*(self._holder(n).reader.ask(command(*ask(keys.shared(n)))) for n in numbers))
