"""Deadlines: fired once, by whichever node sees them first; also bots move by them.

Owns when a room is looked at by itself. What silence then means is decided by decisions.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from protocol.errors import Refused
from server import decisions, timing
from server.alarms import Alarms
from server.metrics import Metrics
from server.room import deadline_of
from server.rooms import Rooms
from server.rulesets import RulesMissing
from server.state import RoomState
from server.store.errors import Unavailable
from server.store.redis import Store

log = structlog.get_logger()

SWEEP_S = 1.0
TOGETHER = 64
VAIN_TAKES = 10


class Clocks:
    """The timers of this node: one for each room that it last wrote, and a sweep over all rooms each second.

    ``before_loss(room)`` is awaited before an absence loses a seat: somebody may be there by now. ``on_silence(room)``:
    a seat has let its time run out, so perhaps nobody is there.
    """

    def __init__(self, store: Store, rooms: Rooms, metrics: Metrics) -> None:
        self._store = store
        self._rooms = rooms
        self._metrics = metrics
        self._alarms = Alarms(store.now, lambda room: self._fire(room, 1))
        self._firing: dict[str, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(TOGETHER)
        self._sweeper: asyncio.Task[None] | None = None
        self.before_loss: Callable[[str], Awaitable[None]] = _nothing_to_ask
        self.on_silence: Callable[[str], None] = lambda _room: None
        rooms.on_deadline = self.arm

    def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep_for_ever())

    async def stop(self) -> None:
        self._alarms.stop()
        tasks = [task for task in (self._sweeper, *self._firing.values()) if task is not None]
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def arm(self, room: str, at: int | None) -> None:
        """Look at a room when its next deadline comes, in service time. None: it has none."""
        self._alarms.set(room, at)

    def _fire(self, room: str, times: int) -> None:
        if room not in self._firing:
            task = self._firing[room] = asyncio.create_task(self._take(room, times))
            task.add_done_callback(lambda _: self._firing.pop(room, None))

    async def _take(self, room: str, times: int) -> None:
        """Do what the room's silence means by now, and see to it that a room which cannot go on ends."""
        async with self._gate:
            try:
                if times > VAIN_TAKES:
                    log.error("room_given_up", room=room, times=times)
                    await self._rooms.act(room, decisions.give_up, None)
                    return
                before = (await self._rooms.fresh(room)).state  # what another node has written decides what is due
                if timing.lost(before, self._store.now(room)):
                    await self.before_loss(room)
                await self._rooms.act(room, decisions.fall_due, None)
                self._metrics.deadlines.inc()
                live = await self._rooms.live(room)
                if _strikes(live.state) > _strikes(before):
                    self.on_silence(room)
                if (at := deadline_of(live.state)) is not None and room not in self._alarms:
                    self.arm(room, max(at, self._store.now(room) + 20))
            except Refused as refused:
                log.info("deadline_refused", room=room, code=refused.code)
            except Unavailable as error:
                log.warning("deadline_waits", room=room, error=str(error))
            except RulesMissing as missing:
                log.info("deadline_is_not_ours", room=room, error=str(missing))
                await self._leave(room)
            except Exception as error:
                await self._fault(room, error)

    async def _leave(self, room: str) -> None:
        """Leave a room to nodes that have its rules; what nobody has them for is ended after a while."""
        try:
            await self._store.put_back(room)
            await self._rooms.end_unread(room)
        except Unavailable as error:
            log.warning("deadline_waits", room=room, error=str(error))

    async def _fault(self, room: str, error: Exception) -> None:
        log.error("deadline_failed", room=room, exc_info=error)
        try:
            live = await self._rooms.live(room)
            self._metrics.rule_faults.labels(live.state.game).inc()
            await self._rooms.act(room, decisions.count_fault, None)
            if deadline_of((await self._rooms.live(room)).state) is not None:
                self.arm(room, self._store.now(room) + round(SWEEP_S * 1000))
        except (Refused, Unavailable, RulesMissing) as second:
            log.warning("fault_not_counted", room=room, error=str(second))

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                taken = await self._store.due()
            except Unavailable as error:
                log.warning("sweep_failed", error=str(error))
                continue
            self._metrics.sweeps.inc()
            for due in taken:
                self._fire(due.room, due.taken)


def _strikes(state: RoomState) -> int:
    return sum(seat.strikes for seat in state.seats)


async def _nothing_to_ask(room: str) -> None:
    del room
