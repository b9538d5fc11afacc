"""What waits for one socket whose reader is slow. Sans-I/O: bytes go in, bytes to write and rooms to resync come out.

A room's frames may be dropped, because a snapshot makes up for them; before them goes what can be done without
(presence, talk). Answers to commands stay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

PATIENCE_S = 30.0


class Outbox:
    """A bounded queue beside the transport's own buffer; it is used only while the transport asks to pause."""

    __slots__ = ("_bytes", "_items", "_limit", "_slow_since", "_spares", "missed", "paused")

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._items: deque[tuple[bytes, str | None, str | None]] = deque()
        self._spares: set[str] = set()
        self._bytes = 0
        self._slow_since: float | None = None
        self.missed: dict[str, None] = {}
        self.paused = False

    def put(self, raw: bytes, room: str | None, spare: str | None = None) -> bool:
        """Keep bytes for later. ``room`` and ``spare``: see Packet. Gives False if the bound is broken."""
        if room is not None and room in self.missed:
            return True  # a snapshot will make up for this one too
        if spare and spare in self._spares:
            self._keep(lambda item: item[2] != spare)
        self._items.append((raw, room, spare))
        self._bytes += len(raw)
        if spare is not None:
            self._spares.add(spare)
        if self._bytes > self._limit:
            self._spares.clear()
            self._keep(lambda item: item[2] is None)
        if self._bytes > self._limit:
            self._drop_frames()
        return self._bytes <= self._limit

    def _drop_frames(self) -> None:
        self.missed.update((room, None) for _, room, _ in self._items if room is not None)
        self._keep(lambda item: item[1] is None)

    def _keep(self, wanted: Callable[[tuple[bytes, str | None, str | None]], bool]) -> None:
        self._items = deque(item for item in self._items if wanted(item))
        self._bytes = sum(len(item[0]) for item in self._items)

    def too_slow(self, now: float) -> bool:
        """Say whether a socket has gone on missing frames for too long. Ask when it misses and when it drains."""
        if not self.missed:
            self._slow_since = None
            return False
        if self._slow_since is None:
            self._slow_since = now
        return now - self._slow_since > PATIENCE_S

    def drain(self) -> tuple[list[bytes], list[str]]:
        """Give all that waited, in order, and the rooms whose frames were dropped meanwhile."""
        items, missed = [raw for raw, _, _ in self._items], list(self.missed)
        self._items.clear()
        self._spares.clear()
        self.missed.clear()
        self._bytes = 0
        return items, missed

    def size(self) -> int:
        return self._bytes
