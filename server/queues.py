"""One thing after the other in each room, as far as this node goes: between nodes, Redis decides. Knows no room."""

from __future__ import annotations

import asyncio


class _Queue:
    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class _Turn:
    """A turn in a room, had for as long as the context lasts."""

    __slots__ = ("_queue", "_queues", "_room")

    def __init__(self, queues: dict[str, _Queue], room: str) -> None:
        self._queues, self._room = queues, room
        self._queue = queues.setdefault(room, _Queue())

    async def __aenter__(self) -> None:
        self._queue.users += 1
        try:
            await self._queue.lock.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._queue.lock.release()
        self._leave()

    def _leave(self) -> None:
        self._queue.users -= 1
        if self._queue.users == 0:
            self._queues.pop(self._room, None)


class Queues:
    """A queue for each room in which something is being done."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    def of(self, room: str) -> _Turn:
        """Wait for one's turn in a room, and have it. To be entered at once."""
        return _Turn(self._queues, room)
