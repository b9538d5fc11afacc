"""Since when nothing was told: who hears nothing for long is told where the room stands. Knows no room."""

from __future__ import annotations

import random
from time import monotonic

QUIET_S = 25.0


class Quiet:
    """How long it has been quiet. What begins together, as after a restart, does not come to its end together."""

    __slots__ = ("_since_s",)

    def __init__(self) -> None:
        self._since_s = monotonic() - random.uniform(0, QUIET_S)

    def end(self) -> None:
        """Something was told."""
        self._since_s = monotonic()

    def long(self, now_s: float) -> bool:
        """Say whether it has been quiet for long; if so, it begins anew. ``now_s``: monotonic."""
        if now_s - self._since_s < QUIET_S:
            return False
        self._since_s = now_s
        return True
