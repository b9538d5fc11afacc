"""Absences that move a clock: noticed after three seconds by whichever node is left, committed, and taken back.

Owns when attendance is settled. What it then comes to is decided by decisions.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

import structlog

from protocol.errors import Refused
from protocol.messages import MAX_SEATS
from server import decisions
from server.rooms import Rooms
from server.rulesets import RulesMissing
from server.store.errors import Unavailable
from server.store.redis import Store
from server.timing import ABSENT_MS

log = structlog.get_logger()

RETRY_S = 1.0
TOGETHER = 64
TRIES = 5
EVERY_SEAT = range(MAX_SEATS)

Seated = Callable[[str], Awaitable[Collection[int]]]
"""Which seats of a room have a socket anywhere."""


class Absences:
    """Looks for seats that nobody is there for. ``seated`` says who is; it may raise Unavailable."""

    def __init__(self, store: Store, rooms: Rooms, seated: Seated) -> None:
        self._store = store
        self._rooms = rooms
        self._seated = seated
        self._gate = asyncio.Semaphore(TOGETHER)
        self._tasks: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """End what is still being looked for: other nodes will find it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def bring_back(self, room: str) -> None:
        """Note who is back before an absence costs anything. Raises Unavailable, Refused, RulesMissing."""
        await self._settle(room, ())

    def look_later(self, room: str, missed: Collection[int], then: Callable[[], Awaitable[None]] | None = None) -> None:
        """See in three seconds whether ``missed`` are still away. ``then`` is done after that."""
        self._spawn(self._look_later(room, missed, then))

    def patrol(self) -> None:
        """Look at every room in which a node that is dead still counts as somebody."""
        self._spawn(self._patrol())

    async def _look_later(self, room: str, missed: Collection[int], then: Callable[[], Awaitable[None]] | None) -> None:
        await asyncio.sleep(ABSENT_MS / 1000)
        await self._look(room, missed)
        if then is not None:
            await _persist(then)

    async def _look(self, room: str, missed: Collection[int]) -> None:
        if missed:
            async with self._gate:
                await _persist(lambda: self._settle(room, missed))

    async def _settle(self, room: str, missed: Collection[int]) -> None:
        """Note who is back, and who of ``missed`` is still away; again after each commit, as somebody may have come."""
        for _ in range(TRIES):
            live = await self._rooms.fresh(room)
            if live.state.status != "playing":
                return
            decide = decisions.attend(await self._seated(room), missed)
            if decide(live, live.state.at).input is None:
                return
            await self._rooms.act(room, decide, None)

    async def _patrol(self) -> None:
        await asyncio.sleep(ABSENT_MS / 1000)
        left: dict[str, list[str]] = {}

        async def find() -> None:
            left.update(await self._store.left_behind())

        await _persist(find)
        await asyncio.gather(*(self._take_over(room, nodes) for room, nodes in left.items()))

    async def _take_over(self, room: str, nodes: list[str]) -> None:
        await self._look(room, EVERY_SEAT)
        for node in nodes:  # only now: as long as it is kept, another node would find the room too
            await _persist(lambda node=node: self._store.here(room, node, None))  # type: ignore[misc]

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("absences_failed", exc_info=error)


async def _persist(work: Callable[[], Awaitable[None]]) -> None:
    """Do something however long the store cannot be reached."""
    while True:
        try:
            await work()
            return
        except Unavailable:
            await asyncio.sleep(RETRY_S)
        except (Refused, RulesMissing) as refused:
            log.info("absence_not_settled", reason=str(refused))
            return
