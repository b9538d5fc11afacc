"""The garbage collector, kept from stopping the node: what it looks through is what is new, not all that is there.

What rooms and sockets leave behind holds itself in no circle, so it is gone when it is dropped, without a collection.
Python would all the same look through every object of every room from time to time: with thousands of rooms in play
that is most of a second, for nothing. So what has lasted a moment is set aside each second. Circles that are closed
later are found when the node has little to look through, or after some hours.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

FEW_ROOMS = 100
LITTLE_S, LONG_S = 600.0, 6 * 3600.0
NEW_OBJECTS = 50_000


class Garbage:
    """When to look through what. ``now_s``: monotonic."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        gc.set_threshold(NEW_OBJECTS, 20, 50)
        self._look_through_all()

    def rest(self, rooms: int) -> None:
        """Set aside what is there. Called each second. ``rooms``: how many are in memory."""
        waited_s = self._now_s() - self._looked_s
        if waited_s >= (LITTLE_S if rooms <= FEW_ROOMS else LONG_S):
            self._look_through_all()
        else:
            gc.collect(0)
            gc.freeze()

    def _look_through_all(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._looked_s = self._now_s()
