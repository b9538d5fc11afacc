"""What a node does for all rooms of the service from time to time: settle those that have ended, mend lists.

Owns when. What is done then is in copies.py and store/sweeps.py.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import structlog

from server.copies import Copies
from server.metrics import Metrics
from server.store.errors import Unavailable
from server.store.redis import Store

log = structlog.get_logger()

SETTLE_S = 2.0
PAUSE_S = 0.05
"""So long an end waits for others, so that they are settled together."""
MEND_S = 60.0


class Upkeep:
    """The background work of a node. Every node does it all, so that none is needed."""

    def __init__(self, store: Store, copies: Copies, metrics: Metrics) -> None:
        self._store = store
        self._copies = copies
        self._metrics = metrics
        self._ended: set[str] = set()
        self._awake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._settle_for_ever()), asyncio.create_task(self._mend_for_ever())]

    async def stop(self) -> None:
        """Stop at once: what was begun is finished by another node."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def room_ended(self, room: str) -> None:
        """Settle soon, because this node has ended a room."""
        self._ended.add(room)
        self._awake.set()

    async def _settle_for_ever(self) -> None:
        clock = asyncio.get_running_loop().time
        all_at = clock() + SETTLE_S * random.random()
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._awake.wait(), max(0.0, all_at - clock()))
            await asyncio.sleep(PAUSE_S)
            near, self._ended = self._ended, set()
            self._awake.clear()
            if clock() >= all_at:
                await _in_peace(self._copies.settle)
                all_at = clock() + SETTLE_S
            else:
                await _in_peace(partial(self._copies.settle, near))

    async def _mend_for_ever(self) -> None:
        await asyncio.sleep(MEND_S * random.random())  # nodes that start together do not mend together
        while True:
            await _in_peace(self._mend)
            await asyncio.sleep(MEND_S)

    async def _mend(self) -> None:
        if mended := await self._store.mend():
            self._metrics.mended.inc(mended)
            log.warning("lists_mended", places=mended)


async def _in_peace(work: Callable[[], Awaitable[None]]) -> None:
    """Do something that will be tried again anyway."""
    try:
        await work()
    except Unavailable as error:
        log.warning("upkeep_waits", error=str(error))
    except Exception as error:
        log.error("upkeep_failed", exc_info=error)
