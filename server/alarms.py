"""One timer a room, in service time: what is put off again and again costs no new timer. Knows no rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct


class _Alarm(Struct):
    """When a room is due and when its timer rings, which may be before that."""

    due: int
    rings: int
    timer: asyncio.TimerHandle


class Alarms:
    """Timers by room. ``now(room)``: service time in ms; ``ring(room)`` is called once a room is due."""

    def __init__(self, now: Callable[[str], int], ring: Callable[[str], None]) -> None:
        self._now, self._ring = now, ring
        self._alarms: dict[str, _Alarm] = {}

    def __contains__(self, room: str) -> bool:
        return room in self._alarms

    def set(self, room: str, at: int | None) -> None:
        """Ring for a room at this time and not before; None: not at all.

        A timer that rings earlier is kept, because most deadlines are put off by a choice long before they come.
        """
        alarm = self._alarms.get(room)
        if alarm is not None and at is not None and alarm.rings <= at:
            alarm.due = at
            return
        if alarm is not None:
            del self._alarms[room]
            alarm.timer.cancel()
        if at is not None:
            self._begin(room, at)

    def stop(self) -> None:
        """Ring no more."""
        for alarm in self._alarms.values():
            alarm.timer.cancel()
        self._alarms.clear()

    def _begin(self, room: str, at: int) -> None:
        wait_s = max(0, at - self._now(room)) / 1000
        self._alarms[room] = _Alarm(at, at, asyncio.get_running_loop().call_later(wait_s, self._timer_rings, room))

    def _timer_rings(self, room: str) -> None:
        alarm = self._alarms.pop(room)
        if alarm.due > alarm.rings:
            self._begin(room, alarm.due)
        else:
            self._ring(room)
