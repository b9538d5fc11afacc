"""Turns: a node's commands of one room go one after the other. Between nodes, Redis decides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Queues:
    """One queue for each room that somebody waits for, and none for any other."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def turn(self, room: str) -> AsyncIterator[None]:
        """Wait for one's turn, and hold it."""
        queue = self._queues.setdefault(room, _Queue())
        queue.users += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.users -= 1
            if queue.users == 0:
                self._queues.pop(room, None)


class _Queue:
    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
