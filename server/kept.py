"""Which rooms a node has at hand: those that were used lately, as long as there is space. Knows no Redis, no rules.

To forget a room costs nothing but time: it is read again when it is used again.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from server.live import Live

KEPT_BYTES = 384 << 20
IDLE_S = 30.0
OBJECTS = 8
"""What a state takes as objects, decoded and as the rules have it, beside its encoded bytes; roughly."""


class _Place(Struct):
    live: Live
    size: int
    used_s: float


class Kept:
    """Rooms by id, the one that was used longest ago first. ``most``: bytes in all, estimated."""

    def __init__(self, most: int = KEPT_BYTES, now_s: Callable[[], float] = time.monotonic) -> None:
        self._most, self._now_s = most, now_s
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return len(self._places)

    def use(self, room: str) -> Live | None:
        """Give a room, if it is at hand, and note that it is used."""
        place = self._places.get(room)
        if place is None:
            return None
        place.used_s = self._now_s()
        self._places.move_to_end(room)
        return place.live

    def look(self, room: str) -> Live | None:
        """Give a room, if it is at hand, without using it."""
        place = self._places.get(room)
        return None if place is None else place.live

    def put(self, room: str, live: Live) -> None:
        """Have a room at hand as it now is; those that were used longest ago make room for it."""
        self.drop(room)
        place = self._places[room] = _Place(live, size_of(live), self._now_s())
        self._size += place.size
        while self._size > self._most and len(self._places) > 1:
            self._drop_first()

    def drop(self, room: str) -> None:
        """Forget a room."""
        if (place := self._places.pop(room, None)) is not None:
            self._size -= place.size

    def rest(self) -> None:
        """Forget rooms that nobody has used for a while."""
        until = self._now_s() - IDLE_S
        while self._places and next(iter(self._places.values())).used_s <= until:
            self._drop_first()

    def _drop_first(self) -> None:
        _, place = self._places.popitem(last=False)
        self._size -= place.size


def size_of(live: Live) -> int:
    """Estimate what a room takes up: its state, encoded and as objects, and what every audience sees of it."""
    views = {id(sight.zones): sight.zones for sight in live.sights.values()}  # audiences may share one
    shown = sum(sum(map(len, zones.values())) for zones in views.values())
    return (1 + OBJECTS) * len(live.raw) + 2 * shown
