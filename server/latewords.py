"""What spectators of a room with a delay are told without a version: talk, presence, a rematch. Each waits its time.

Owns the order and the bounds of what waits on one node. Knows no sockets.
"""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec
from msgspec import Struct

from protocol.messages import Rematched
from server.channel import ALL, NEWS, WATCHERS
from server.packet import Packet
from server.session import packet
from server.state import Next
from server.store.redis import Store

NAP_MS = 20, 1_000
TALK = 50
WAITING = 500
"""So many messages of a kind wait at most; then the oldest is lost."""

PRESENT = b"p"
TALKERS = ALL, WATCHERS


class _Said(Struct):
    """What matters here of something said."""

    id: str = ""
    at: int = 0


class _Telling(Struct):
    """A message that is told at ``due``, in the order in which it came: ``n``.

    ``kind``: the first byte under which it came, or PRESENT. ``id``: of something said.
    """

    due: int
    n: int
    kind: bytes
    id: str
    packet: Packet


class LateWords:
    """What waits, and what was told so far: ``presence`` and ``rematched`` are the latest, None if there was none."""

    def __init__(self, store: Store, room: str, delay_ms: int) -> None:
        self.presence: Packet | None = None
        self.rematched: Packet | None = None
        self._store, self._room, self._delay_ms = store, room, delay_ms
        kinds = (*TALKERS, NEWS, PRESENT)  # each in a queue of its own, so that no kind pushes another out
        self._waiting: dict[bytes, deque[_Telling]] = {kind: deque(maxlen=WAITING) for kind in kinds}
        self._told: dict[bytes, deque[_Telling]] = {kind: deque(maxlen=TALK) for kind in TALKERS}
        self._last_due = self._count = 0
        self._came = asyncio.Event()

    def hear(self, raw: bytes) -> None:
        """Take what all are told now, for later. Its first byte says what it is."""
        kind = raw[:1]
        self._later(kind, Packet(raw[1:], spare=None if kind == NEWS else ""))

    def attend(self, presence: Packet) -> None:
        """Take who is here now, for later."""
        self._later(PRESENT, presence)

    def greeting(self) -> list[Packet]:
        """Give who was here and what was said, as far as it is time."""
        said = _in_order(self._told)
        present = [self.presence] if self.presence is not None else []
        return present + [telling.packet for telling in said]

    async def recall(self, following: Next | None) -> None:
        """Find what was said before anybody followed here. ``following``: where the room is played again."""
        said = await self._store.said(self._room, asides=True)
        heard = _in_order(self._waiting)
        for waiting in self._waiting.values():
            waiting.clear()
        self._last_due, known = 0, {telling.id for telling in heard}
        for raw in said:
            about = msgspec.msgpack.decode(raw[1:], type=_Said)
            if about.id not in known:
                self._put(about.at, raw[:1], about.id, Packet(raw[1:], spare=""))
        if following is not None:
            self._put(following.at, NEWS, "", packet(Rematched(self._room, following.room, following.at)))
        for telling in heard:
            self._put(telling.due - self._delay_ms, telling.kind, telling.id, telling.packet)
        while (first := self._first()) is not None and first[0].due <= self._store.sure(self._room):
            self._take(first.popleft())

    async def following(self) -> Packet:
        """Wait for the time of the next message, and give it."""
        while True:
            waiting = self._first()
            if waiting is None:
                self._came.clear()
                await self._came.wait()
            elif (rest_ms := waiting[0].due - self._store.sure(self._room)) > 0:
                await asyncio.sleep(nap_s(rest_ms))  # and look again: it may be lost by then
            else:
                return self._take(waiting.popleft())

    def _later(self, kind: bytes, told: Packet) -> None:
        said = msgspec.msgpack.decode(told.payload, type=_Said)
        self._put(max(said.at, self._store.now(self._room)), kind, said.id, told)
        self._came.set()

    def _put(self, at: int, kind: bytes, said_id: str, told: Packet) -> None:
        """Let a message wait behind those that came before it: the clocks of nodes differ by milliseconds."""
        self._last_due = max(self._last_due, at + self._delay_ms)
        self._count += 1
        self._waiting[kind].append(_Telling(self._last_due, self._count, kind, said_id, told))

    def _first(self) -> deque[_Telling] | None:
        """Give the queue from which the next message comes, None if nothing waits."""
        return min(filter(None, self._waiting.values()), key=lambda waiting: waiting[0].n, default=None)

    def _take(self, telling: _Telling) -> Packet:
        if telling.kind == NEWS:
            self.rematched = telling.packet
        elif telling.kind == PRESENT:
            self.presence = telling.packet
        else:
            self._told[telling.kind].append(telling)
        return telling.packet


def _in_order(queues: dict[bytes, deque[_Telling]]) -> list[_Telling]:
    return sorted((telling for queue in queues.values() for telling in queue), key=lambda telling: telling.n)


def nap_s(rest_ms: int) -> float:
    """Say after how long to look again whether a moment has come: service time may stand still or be put right."""
    least, most = NAP_MS
    return min(max(rest_ms, least), most) / 1_000
