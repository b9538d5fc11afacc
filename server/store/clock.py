"""A node's estimate of service time in each partition, put right by every script's reply. No I/O."""

from __future__ import annotations

import time
from collections.abc import Callable

from server.store.keys import PARTITIONS

SURE_MS = 1_000


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Clock:
    """Service time as last heard, plus the time that has passed here since, less the time that it stood still."""

    def __init__(self, ticks: Callable[[], int] = _monotonic_ms) -> None:
        self._ticks = ticks
        self._heard = [(0, 0)] * PARTITIONS

    def hear(self, partition: int, now: int, still: int) -> None:
        """Take over what a script said: service time, and for how many ms more it stands still."""
        self._heard[partition] = (now, self._ticks() + still)

    def now(self, partition: int) -> int:
        """Estimate service time in ms; late by at most the way of a reply."""
        said, since = self._heard[partition]
        return said + max(self._ticks() - since, 0)

    def sure(self, partition: int) -> int:
        """Give a service time in ms that has come, whatever happens: an outage takes back all but the first second."""
        said, since = self._heard[partition]
        return said + min(max(self._ticks() - since, 0), SURE_MS)
