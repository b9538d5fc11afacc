"""The spectators of a room with a delay, on one node: told everything so much later, in service time, never sooner.

Owns when they are told. What they are told is read from what is kept for the delayed, so that no failure of a message
on its way, and nothing that happens now, can reach them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from protocol.messages import Since, Tip, Why
from server.channel import Follower, packets_of
from server.frames import decode_entry
from server.lateview import LateView, Torn
from server.latewords import LateWords, nap_s
from server.metrics import Metrics
from server.packet import Packet
from server.quiet import Quiet
from server.session import packet
from server.state import RoomState
from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.rooms import KeptLate

log = structlog.get_logger()

POLL_S = 5.0
RETRY_S = 1.0
STALE_S = 1.0
"""What was read so long ago is read again before it is told: it may be of a history that was lost meanwhile."""

MISSED = 64


class LateChannel:
    """Who follows, and how far they have been told. ``state`` reads the room as it is; ``words`` have no version."""

    def __init__(
        self, store: Store, room: str, delay_ms: int, metrics: Metrics, state: Callable[[], Awaitable[RoomState]]
    ) -> None:
        self.followers: dict[Follower, None] = {}
        self._store, self._room, self._delay_ms, self._metrics, self._state = store, room, delay_ms, metrics, state
        self._view = LateView(store, room, delay_ms)
        self._wholes: dict[Why, Packet] = {}
        self.words = LateWords(store, room, delay_ms)
        self._news = asyncio.Event()
        self._opening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._quiet = Quiet()
        self._closed = False

    @property
    def v(self) -> int:
        """The version that spectators see, 0 as long as there is none."""
        return self._view.v

    @property
    def tip(self) -> str:
        return self._view.tip

    # ---- followers

    async def follow(self, follower: Follower, since: Since | None) -> bool:
        """Begin to tell a follower. Gives False if this channel was closed meanwhile. Raises Unavailable."""
        await self._open()
        while True:
            stood = self.v, self.tip
            packets = await self._first_packets(since)
            if self._closed:
                return False
            if stood == (self.v, self.tip):
                break
        for each in packets:
            follower.send(each)
        self.followers[follower] = None
        return True

    def resync(self, follower: Follower, why: Why) -> None:
        """Send a follower the whole view, because it missed something."""
        for each in self._whole(why):
            follower.send(each)

    def tell_tip(self, now_s: float) -> None:
        """Tell where spectators stand, if they have been told no version for long. What happens now is not heeded."""
        if self._quiet.long(now_s) and self.v:
            self._send_all([packet(Tip(self._room, self.v, self.tip, self._store.now(self._room)))])

    def close(self) -> None:
        """Tell nobody any more."""
        self._closed = True
        for task in self._tasks:
            task.cancel()

    async def _open(self) -> None:
        async with self._opening:
            if self._tasks or self._closed:
                return
            await self._find_view()
            await self.words.recall((await self._state()).next)
            if not self._closed:
                self._tasks = [asyncio.create_task(work()) for work in (self._tell_versions, self._tell_words)]
                for task in self._tasks:
                    task.add_done_callback(_finished)

    async def _first_packets(self, since: Since | None) -> list[Packet]:
        """Give what a follower missed, or a snapshot. A version that is not due yet is not known here."""
        if since is None or self.v == 0:
            return self._whole("joined")
        if (since.v, since.tip) == (self.v, self.tip):
            return self._tail()
        if since.v >= self.v:
            return self._whole("lost")
        if self.v - since.v > MISSED:
            return self._whole("trimmed")
        kept = await self._store.late(self._room, since.v, self.v - since.v + 1)
        entries = [decode_entry(each.entry) for each in kept]
        if not entries or (entries[0].v, entries[0].tip) != (since.v, since.tip):
            return self._whole("lost" if entries and entries[0].v == since.v else "trimmed")
        return [each for entry in entries[1:] for each in packets_of(entry, None)] + self._rematches()

    def _whole(self, why: Why) -> list[Packet]:
        if self.v == 0:
            return []
        if why not in self._wholes:
            self._wholes[why] = Packet(self._view.snapshot(why), self._room)
        return [self._wholes[why], *self._tail()]

    def _tail(self) -> list[Packet]:
        return [Packet(message, self._room) for message in self._view.ended] + self._rematches()

    def _rematches(self) -> list[Packet]:
        return [self.words.rematched] if self.words.rematched is not None and self._view.ended else []

    # ---- versions

    def news(self) -> None:
        """The room has moved, so there is something to wait for."""
        self._news.set()

    async def _tell_versions(self) -> None:
        torn: Why | None = None
        while True:
            try:
                if torn is not None:
                    await self._find_view()
                    self._send_all(self._whole(torn))
                    torn = None
                await self._tell_some()
            except Torn as error:
                torn = error.why
            except Unavailable:
                await asyncio.sleep(RETRY_S)

    async def _tell_some(self) -> None:
        self._news.clear()
        page = await self._view.ahead()
        clock = asyncio.get_running_loop().time
        read_s = clock()
        if not page:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), POLL_S)
        for kept in page:
            await self._wait_until(kept.at + self._delay_ms)
            if clock() - read_s > STALE_S:
                return
            self._tell(kept)

    def _tell(self, kept: KeptLate) -> None:
        self._quiet.end()
        begins = self.v == 0
        self._view.take(kept)
        self._wholes.clear()
        frames = packets_of(decode_entry(kept.entry), None)
        self._send_all(self._whole("joined") if begins else [*frames, *self._rematches()])
        self._metrics.deliveries.inc(len(self.followers))

    def _send_all(self, packets: list[Packet]) -> None:
        for follower in tuple(self.followers):
            for each in packets:
                follower.send(each)

    async def _find_view(self) -> None:
        """See anew where the public stands by now."""
        while True:
            view = LateView(self._store, self._room, self._delay_ms)
            with suppress(Torn):
                await view.catch_up()
                self._view = view
                self._wholes.clear()
                return

    async def _wait_until(self, due: int) -> None:
        """Wait for a service time."""
        while True:
            rest_ms = due - self._store.sure(self._room)
            if rest_ms <= 0:
                return
            await asyncio.sleep(nap_s(rest_ms))

    async def _tell_words(self) -> None:
        while True:
            told = await self.words.following()
            if told is not self.words.rematched:
                self._send_all([told])
            elif self._view.ended:
                self._send_all(self._rematches())


def _finished(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("late_failed", exc_info=error)
