"""When to come back after a close, and when not to. Knows close codes, no sockets."""

from __future__ import annotations

from random import Random

from protocol.errors import CLOSES

FIRST_S = 0.25
LONGEST_S = 30.0
STEADY_S = 10.0


def comes_back(code: int) -> bool:
    """Say whether a client returns by itself. What has no entry: 45xx and lost connections do, the rest does not."""
    if (kind := CLOSES.get(code)) is not None:
        return kind.again
    return code < 3000 or 4500 <= code < 4600


class Backoff:
    """Waits that double, with jitter, until a connection has lasted for ``STEADY_S``."""

    __slots__ = ("_failures", "_random")

    def __init__(self, random: Random) -> None:
        self._random = random
        self._failures = 0

    def after(self, lasted_s: float) -> float:
        """Give the wait in seconds after a connection that was up for ``lasted_s``."""
        self._failures = 0 if lasted_s >= STEADY_S else self._failures + 1
        return self.jitter(min(LONGEST_S, FIRST_S * 2.0 ** min(self._failures, 16)))

    def jitter(self, wait_s: float) -> float:
        """Spread a wait over its later half, so that clients do not return all at once."""
        return self._random.uniform(wait_s / 2, wait_s)
