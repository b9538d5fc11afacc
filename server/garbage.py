"""The garbage collector, kept from stopping the node: it does not look through what has lasted a moment.

What rooms and connections leave behind holds itself in no circle, so it is gone when it is dropped, without a
collection. Python would all the same look through every object of every room from time to time: with thousands of
rooms in play that is most of a second, for nothing. So all that is there is set aside each second. Circles that are
closed after all are found when there is little to look through, when memory has doubled, or after some hours.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

FEW_ROOMS = 100
AGAIN_S, LONG_S = 600.0, 6 * 3600.0
NEW_OBJECTS = 50_000


class Garbage:
    """When to look through what. ``now_s``: monotonic. ``blocks``: how much memory Python has given out, in pieces."""

    def __init__(
        self, now_s: Callable[[], float] = time.monotonic, blocks: Callable[[], int] = sys.getallocatedblocks
    ) -> None:
        self._now_s, self._blocks = now_s, blocks
        gc.set_threshold(NEW_OBJECTS, 20, 50)
        self._look_through()

    def rest(self, rooms: int) -> None:
        """Set aside what is there. Called each second. ``rooms``: how many are in memory."""
        waited_s = self._now_s() - self._looked_s
        if waited_s >= LONG_S or (waited_s >= AGAIN_S and (rooms <= FEW_ROOMS or self._blocks() > 2 * self._least)):
            self._look_through()
        else:
            gc.freeze()

    def _look_through(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._looked_s, self._least = self._now_s(), self._blocks()
