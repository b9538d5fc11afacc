"""One thing after the other in each room, as far as this node goes: between nodes, Redis decides. Knows no room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class _Queue:
    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class Queues:
    """A queue for each room in which something is being done."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def of(self, room: str) -> AsyncIterator[None]:
        """Wait for one's turn in a room, and have it."""
        queue = self._queues.setdefault(room, _Queue())
        queue.users += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.users -= 1
            if queue.users == 0:
                self._queues.pop(room, None)
