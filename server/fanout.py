"""From a committed version to every socket of this node that follows the room: bytes only, no gap, no double.

Owns what this node has told of each room. Decodes no frame and asks no rules.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Any, Protocol

import structlog

from engines.sight import Audience
from protocol.messages import Since, Why
from server.frames import Entry, decode_entry
from server.metrics import Metrics
from server.packet import Packet
from server.rooms import Live, Rooms
from server.store.errors import Unavailable
from server.store.redis import Store

log = structlog.get_logger()

FILL_AFTER_S = 0.1
RECENT = 8
ALL, WATCHERS = b"a", b"w"
"""The first byte of what is told without a version: to everybody who follows, or to spectators only."""


class Follower(Protocol):
    """A socket that follows a room, as the fan-out sees it."""

    def send(self, packet: Packet) -> None:
        """Queue a message; never waits, never raises."""


class Channel:
    """One room on this node: who follows it, and up to which version they have all been told."""

    __slots__ = ("early", "filling", "followers", "recent", "room", "tip", "v")

    def __init__(self, room: str) -> None:
        self.room = room
        self.v = -1
        self.tip = ""
        self.followers: dict[Audience, dict[Follower, None]] = {}
        self.recent: deque[Entry] = deque(maxlen=RECENT)
        self.early: dict[int, Entry] = {}
        self.filling: asyncio.Task[None] | None = None

    def tell(self, entry: Entry) -> int:
        """Send a version's frames, one packet an audience, and what follows the last one. Gives how many got it."""
        told = 0
        for audience, crowd in self.followers.items():
            if not crowd:
                continue
            packets = packets_of(entry, audience)
            told += len(crowd)
            for follower in tuple(crowd):
                for packet in packets:
                    follower.send(packet)
        return told

    def add(self, follower: Follower, audience: Audience) -> None:
        self.followers.setdefault(audience, {})[follower] = None

    def remove(self, follower: Follower) -> None:
        for crowd in self.followers.values():
            crowd.pop(follower, None)

    def count(self) -> int:
        return sum(map(len, self.followers.values()))


class Fanout:
    """All channels of this node. A version arrives from this node's own commit or through pub/sub, in any order."""

    def __init__(self, store: Store, rooms: Rooms, metrics: Metrics) -> None:
        self._store = store
        self._rooms = rooms
        self._metrics = metrics
        self._channels: dict[str, Channel] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.on_version = self.own_version
        store.attach(self.foreign_version, self.told, self.compare)

    def channel(self, room: str) -> Channel | None:
        return self._channels.get(room)

    def channels(self) -> list[Channel]:
        return list(self._channels.values())

    async def stop(self) -> None:
        """End what is still being healed."""
        tasks = [*self._tasks, *self._busy.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---- versions in

    def own_version(self, entry: Entry, _raw: bytes) -> None:
        if (channel := self._channels.get(entry.room)) is not None:
            self._offer(channel, entry)

    def foreign_version(self, room: str, raw: bytes) -> None:
        """Take what pub/sub brings: also this node's own versions, which are doubles by then."""
        channel = self._channels.get(room)
        if channel is None:
            return
        entry = decode_entry(raw)
        if entry.v == channel.v and entry.tip == channel.tip:
            return
        self._rooms.overtaken(entry)
        self._offer(channel, entry)

    def _offer(self, channel: Channel, entry: Entry) -> None:
        """Tell a version if it is the next one, keep it if it is early, drop it if it is a double."""
        if entry.v <= channel.v:
            if entry.v == channel.v and entry.tip != channel.tip:
                self._spawn(self._heal(channel))
            return
        channel.early[entry.v] = entry
        self._tell_ready(channel)
        if channel.early and channel.filling is None:
            channel.filling = self._spawn(self._fill(channel))

    def _tell_ready(self, channel: Channel) -> None:
        while (entry := channel.early.pop(channel.v + 1, None)) is not None:
            if entry.prev != channel.tip:
                self._spawn(self._heal(channel))
                return
            channel.v, channel.tip = entry.v, entry.tip
            channel.recent.append(entry)
            self._metrics.deliveries.inc(channel.tell(entry))

    def told(self, room: str, raw: bytes) -> None:
        """Pass on what was told without a version. Its first byte says to whom: ALL or WATCHERS."""
        channel = self._channels.get(room)
        if channel is None:
            return
        packet = Packet(raw[1:])
        for audience, crowd in channel.followers.items():
            if audience is None or raw[:1] == ALL:
                for follower in tuple(crowd):
                    follower.send(packet)

    async def _fill(self, channel: Channel) -> None:
        """Fetch what pub/sub has not brought in time."""
        try:
            await asyncio.sleep(FILL_AFTER_S)
            if channel.early:
                await self.reach(channel, max(channel.early))
        except Unavailable:
            log.warning("hole_not_filled", room=channel.room, v=channel.v)
        finally:
            channel.filling = None

    async def reach(self, channel: Channel, v: int) -> None:
        """Bring a channel up to a version, from the stream, or by a snapshot if the stream has a hole."""
        if channel.v >= v:
            return
        for raw in await self._store.entries(channel.room, channel.v):
            entry = decode_entry(raw)
            if entry.v > channel.v:
                channel.early.setdefault(entry.v, entry)
        self._tell_ready(channel)
        if channel.v < v:
            await self._heal(channel, "trimmed")

    async def _heal(self, channel: Channel, why: Why = "lost") -> None:
        """Send everybody a snapshot that says why, and go on from there."""
        live = await self._rooms.fresh(channel.room)
        if (channel.v, channel.tip) == (live.state.v, live.state.tip):
            return
        channel.v, channel.tip = live.state.v, live.state.tip
        channel.early.clear()
        channel.recent.clear()
        log.info("room_resynced", room=channel.room, v=channel.v, why=why)
        for audience, crowd in channel.followers.items():
            packet = live.snapshot(audience, why)
            for follower in tuple(crowd):
                follower.send(packet)

    async def compare(self, rooms: list[str]) -> None:
        """After the subscriber was away: look where every room stands, and heal what moved meanwhile."""
        self._metrics.reconnects.inc()
        heads = await self._store.heads(rooms)
        for room, (v, tip) in heads.items():
            channel = self._channels.get(room)
            if channel is None or (channel.v, channel.tip) == (v, tip):
                continue
            self._rooms.forget(room)
            if v > channel.v:
                await self.reach(channel, v)
            else:
                await self._heal(channel)

    # ---- followers

    async def follow(self, room: str, follower: Follower, audience: Audience, since: Since | None) -> int:
        """Begin to tell a follower: what it missed since ``since``, or a snapshot; then every version. Gives v.

        Raises Refused, RulesMissing, Unavailable.
        """
        while True:
            channel = await self._open(room)
            live = await self._rooms.fresh(room)
            await self.reach(channel, live.state.v)
            packets = await self._first_packets(channel, live, audience, since)
            if self._send_up_to_date(channel, live, follower, audience, packets):
                channel.add(follower, audience)
                return channel.v

    def _send_up_to_date(
        self, channel: Channel, live: Live, follower: Follower, audience: Audience, packets: list[Packet]
    ) -> bool:
        """Send ``packets``, which tell all up to ``live``, and the versions since. Gives False if some are not at hand.

        Never waits: whatever the channel is told next, the follower is told by it.
        """
        later = [entry for entry in channel.recent if entry.v > live.state.v]
        if self._channels.get(channel.room) is not channel or len(later) != channel.v - live.state.v:
            return False
        for packet in packets:
            follower.send(packet)
        for entry in later:
            for packet in packets_of(entry, audience):
                follower.send(packet)
        return True

    async def _first_packets(
        self, channel: Channel, live: Live, audience: Audience, since: Since | None
    ) -> list[Packet]:
        tail = _tail(live, audience)
        if since is None:
            return [live.snapshot(audience, "joined"), *tail]
        if since.v == live.state.v and since.tip == live.state.tip:
            return tail
        if since.v >= live.state.v:
            return [live.snapshot(audience, "lost"), *tail]
        entries = [decode_entry(raw) for raw in await self._store.entries(channel.room, since.v - 1)]
        missed = [entry for entry in entries if since.v < entry.v <= live.state.v]
        if not entries or entries[0].v != since.v or len(missed) != live.state.v - since.v:
            return [live.snapshot(audience, "trimmed"), *tail]
        if entries[0].tip != since.tip:
            return [live.snapshot(audience, "lost"), *tail]
        return [Packet(_frame(entry, audience), entry.room) for entry in missed] + tail

    async def resync(self, room: str, follower: Follower, audience: Audience, why: Why) -> None:
        """Send a follower the whole view as it stands, because it missed something."""
        while (channel := self._channels.get(room)) is not None:
            live = await self._rooms.fresh(room)
            await self.reach(channel, live.state.v)
            packets = [live.snapshot(audience, why), *_tail(live, audience)]
            if self._send_up_to_date(channel, live, follower, audience, packets):
                return

    async def unfollow(self, room: str, follower: Follower) -> None:
        """Tell a follower no more; the last one to go ends the subscription."""
        channel = self._channels.get(room)
        if channel is None:
            return
        channel.remove(follower)
        if channel.count() == 0 and room not in self._busy:
            await self._alone(room, self._unsubscribe(channel))

    async def _open(self, room: str) -> Channel:
        """Give a room's channel, subscribed and confirmed. One subscribes, the others wait for it."""
        while True:
            if (busy := self._busy.get(room)) is not None:
                await asyncio.wait([busy])
            elif (channel := self._channels.get(room)) is not None:
                return channel
            else:
                await self._alone(room, self._subscribe(room))

    async def _alone(self, room: str, work: Coroutine[Any, Any, None]) -> None:
        task = self._busy[room] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._busy.pop(room, None))
        await asyncio.shield(task)

    async def _subscribe(self, room: str) -> None:
        await self._store.subscribe(room)
        try:
            live = await self._rooms.fresh(room)
        except BaseException:
            await self._store.unsubscribe(room)
            raise
        channel = self._channels[room] = Channel(room)
        channel.v, channel.tip = live.state.v, live.state.tip

    async def _unsubscribe(self, channel: Channel) -> None:
        del self._channels[channel.room]
        await self._store.unsubscribe(channel.room)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("healing_failed", error=type(error).__name__)


def _frame(entry: Entry, audience: Audience) -> bytes:
    return entry.frames[0 if audience is None else audience + 1]


def packets_of(entry: Entry, audience: Audience) -> list[Packet]:
    """Give what a version tells an audience: its frame, and what follows the last one."""
    packets = [Packet(_frame(entry, audience), entry.room)]
    if entry.ended:
        packets.append(Packet(entry.ended[0 if audience is None else 1], entry.room))
    return packets


def _tail(live: Live, audience: Audience) -> list[Packet]:
    ended = live.ended
    return [Packet(ended[0 if audience is None else 1], live.state.id)] if ended else []
