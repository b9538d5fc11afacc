"""Which nodes live: this one shows that it does, and notices which others do no more.

Owns the node's name. Knows no room and no socket.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress

import structlog

from server.releases import own_release
from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.tellings import BEAT_LIVES_MS

log = structlog.get_logger()

BEAT_S = 3.0
POLL_S = 0.5


class Beats:
    """The beat of this node and what it hears of others'.

    ``on_deaths(nodes)``: these nodes live no more. ``on_lapse()``: the others may have taken this one for dead.
    """

    def __init__(self, store: Store) -> None:
        self.node = secrets.token_hex(8)
        self.on_deaths: Callable[[frozenset[str]], None] = lambda _nodes: None
        self.on_lapse: Callable[[], None] = lambda: None
        self._store = store
        self._alive: frozenset[str] = frozenset()
        self._beat_at = float("-inf")
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Beat, and go on beating. Raises Unavailable."""
        await self._beat()
        self._task = asyncio.create_task(self._beat_for_ever())

    async def stop(self) -> None:
        """Say that this node lives no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        with suppress(Unavailable):
            await self._store.leave(self.node)

    def heard(self, node: str) -> None:
        """A node has spoken, so it lives; its beat may not have been looked for since it began."""
        self._alive |= {node}

    async def _beat_for_ever(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            try:
                await self._beat()
            except Unavailable as error:
                log.warning("beat_failed", error=str(error))

    async def _beat(self) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s - self._beat_at >= BEAT_S:
            lapsed = now_s - self._beat_at >= BEAT_LIVES_MS / 1000
            await self._store.beat(self.node, own_release())
            self._beat_at = now_s
            if lapsed:
                self.on_lapse()
        known = self._alive
        alive = frozenset(await self._store.beats())
        dead = known - alive - {self.node}
        self._alive = alive | (self._alive - known)
        if self.node not in alive:
            self._beat_at = float("-inf")  # the store has lost it: beat again at once
        if dead:
            log.info("nodes_died", count=len(dead))
            self.on_deaths(dead)
