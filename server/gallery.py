"""How many may watch a room: counted over all nodes by what they say of themselves, and exactly on this one.

Nodes say seldom how many watch by way of them, so several together may pass the bound by what came in those seconds,
but never by more than the bound each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from protocol.errors import Refused
from server.state import RoomState


class Gallery:
    """The places for spectators. ``most``: in any room. ``watching`` counts those who watch one, over all nodes."""

    def __init__(self, most: int, watching: Callable[[str], Awaitable[int]]) -> None:
        self._most = most
        self._watching = watching
        self._entering: Counter[str] = Counter()

    @asynccontextmanager
    async def place(self, state: RoomState) -> AsyncIterator[None]:
        """Hold a place for one more spectator while it begins to follow. Raises Refused (too_many), Unavailable."""
        wanted = state.plan.spectators
        most = self._most if wanted is None else min(wanted, self._most)
        self._entering[state.id] += 1
        try:
            if await self._watching(state.id) + self._entering[state.id] > most:
                raise Refused("too_many", "no place for another spectator", limit="room_spectators", most=most)
            yield
        finally:
            self._entering[state.id] -= 1
            if not self._entering[state.id]:
                del self._entering[state.id]
