"""From a committed version to every socket of this node that follows the room: bytes only, no gap, no double.

Owns what this node has told of each room. Decodes no frame and asks no rules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import structlog

from engines.sight import Audience
from protocol.errors import Refused
from protocol.messages import Since, Why
from server.channel import CROWD, NEWS, WATCHERS, Channel, Follower, frame_of, packets_of, tail_of
from server.frames import Entry, decode_entry
from server.late import LateChannel
from server.live import Live
from server.metrics import Metrics
from server.packet import Packet
from server.rooms import Rooms
from server.rulesets import RulesMissing
from server.state import RoomState
from server.store.errors import Unavailable
from server.store.redis import Store

log = structlog.get_logger()

FILL_AFTER_S = 0.1


class Fanout:
    """All channels of this node. A version arrives from this node's own commit or through pub/sub, in any order.

    ``on_crowd(room)``: somebody has begun or ceased to follow. ``on_word(room, raw)``: what another node says of who
    is there. ``on_hole(room)``: such words may have been lost.
    """

    def __init__(self, store: Store, rooms: Rooms, metrics: Metrics) -> None:
        self._store = store
        self._rooms = rooms
        self._metrics = metrics
        self._channels: dict[str, Channel] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_crowd: Callable[[str], None] = lambda _room: None
        self.on_word: Callable[[str, bytes], None] = lambda _room, _raw: None
        self.on_hole: Callable[[str], None] = lambda _room: None
        rooms.on_version = self.own_version
        rooms.on_setback = self.set_back
        store.attach(self.foreign_version, self.told, self.compare)

    def channel(self, room: str) -> Channel | None:
        return self._channels.get(room)

    def channels(self) -> list[Channel]:
        return list(self._channels.values())

    async def stop(self) -> None:
        """End what is still being healed."""
        tasks = [*self._tasks, *self._busy.values()]
        for channel in self.channels():
            channel.end_late()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---- versions in

    def own_version(self, entry: Entry) -> None:
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

    def set_back(self, room: str) -> None:
        """Look whether what was told of a room has been lost."""
        if (channel := self._channels.get(room)) is not None:
            self._spawn(self._check(channel))

    def _offer(self, channel: Channel, entry: Entry) -> None:
        """Tell a version if it is the next one, keep it if it is early, drop it if it is a double."""
        if entry.v <= channel.v:
            if not channel.was_at(entry.v, entry.tip):
                self._spawn(self._check(channel))
            return
        channel.early[entry.v] = entry
        if not self._tell_ready(channel):
            self._spawn(self._heal(channel))
        elif channel.early and channel.filling is None:
            channel.filling = self._spawn(self._fill(channel))

    def _tell_ready(self, channel: Channel) -> bool:
        """Tell what follows. Gives False where a version follows another history: what was told has been lost."""
        while (entry := channel.early.pop(channel.v + 1, None)) is not None:
            if entry.prev != channel.tip:
                return False
            channel.v, channel.tip = entry.v, entry.tip
            channel.recent.append(entry)
            told = channel.tell(entry)
            if told:
                self._metrics.deliveries.inc(told)
                late_ms = self._store.now(channel.room) - entry.at
                self._metrics.delivery_seconds.observe(max(0, late_ms) / 1_000)
        return True

    def told(self, room: str, raw: bytes) -> None:
        """Pass on what was told without a version. Its first byte says to whom."""
        channel = self._channels.get(room)
        if channel is None:
            return
        if raw[:1] == CROWD:
            self.on_word(room, raw[1:])
            return
        packet = Packet(raw[1:], spare=None if raw[:1] == NEWS else "")
        for audience, crowd in channel.followers.items():
            if audience is None or raw[:1] != WATCHERS:
                for follower in tuple(crowd):
                    follower.send(packet)
        if channel.late is not None:
            channel.late.words.hear(raw)

    def tell_tips(self, now_s: float) -> None:
        """Tell who hears nothing for long where the room stands. ``now_s``: monotonic; called each second."""
        for channel in self.channels():
            if channel.quiet.long(now_s):
                channel.tell_tip(self._store.now(channel.room))
            if channel.late is not None:
                channel.late.tell_tip(now_s)

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
        if not self._tell_ready(channel):
            await self._heal(channel)
        elif channel.v < v:
            await self._heal(channel, "trimmed")

    async def _catch_up(self, channel: Channel, live: Live, stood: int) -> None:
        """Bring a channel to where a room was read to stand. ``stood``: where the channel did before that."""
        if channel.v < live.state.v:
            await self.reach(channel, live.state.v)
        elif live.state.v < stood or not channel.was_at(live.state.v, live.state.tip):
            await self._check(channel)

    async def _check(self, channel: Channel) -> None:
        """Look where a room stands, and bring its channel there: on, or back if what was told has been lost."""
        live = await self._settled(channel)
        if live.state.v > channel.v:
            await self.reach(channel, live.state.v)
        else:
            self._jump(channel, live, "lost")

    async def _heal(self, channel: Channel, why: Why = "lost") -> None:
        """Send everybody a snapshot that says why, and go on from there."""
        self._jump(channel, await self._settled(channel), why)

    async def _settled(self, channel: Channel) -> Live:
        """Read a room while its channel stands still: what is read then is not merely older than what was told."""
        while True:
            stood = channel.v, channel.tip
            live = await self._rooms.fresh(channel.room)
            if (channel.v, channel.tip) == stood:
                return live

    def _jump(self, channel: Channel, live: Live, why: Why) -> None:
        if (channel.v, channel.tip) == (live.state.v, live.state.tip):
            return
        channel.v, channel.tip = live.state.v, live.state.tip
        channel.early.clear()
        channel.recent.clear()
        if channel.late is not None:
            channel.late.news()
        log.info("room_resynced", room=channel.room, v=channel.v, why=why)
        for audience, crowd in channel.followers.items():
            self._metrics.resyncs.labels(why).inc(len(crowd))
            packet = live.snapshot(audience, why)
            for follower in tuple(crowd):
                follower.send(packet)

    async def compare(self, rooms: list[str]) -> None:
        """After the subscriber was away: look where every room stands, and heal what moved meanwhile."""
        self._metrics.reconnects.inc()
        for room in rooms:
            self.on_hole(room)
        heads = await self._store.heads(rooms)
        for room, (v, tip) in heads.items():
            channel = self._channels.get(room)
            if channel is None or (channel.v, channel.tip) == (v, tip):
                continue
            self._rooms.forget(room)
            try:
                await self._check(channel)
            except (Refused, RulesMissing) as error:  # one room must not keep the others from being looked at
                log.warning("room_not_compared", room=room, error=str(error))

    # ---- followers

    async def follow(self, room: str, follower: Follower, audience: Audience, since: Since | None) -> int:
        """Begin to tell a follower: what it missed since ``since``, or a snapshot; then every version. Gives v.

        Where spectators see everything late that is the version that they see, 0 as long as there is none.
        Raises Refused, RulesMissing, Unavailable.
        """
        if audience is None and (delay_s := (await self._rooms.live(room)).state.plan.delay_s):
            return await self._follow_late(room, follower, since, delay_s * 1_000)
        while True:
            channel = await self._open(room)
            stood = channel.v
            live = await self._rooms.fresh(room)
            await self._catch_up(channel, live, stood)
            packets = await self._first_packets(channel, live, audience, since)
            if self._send_up_to_date(channel, live, follower, audience, packets):
                channel.add(follower, audience)
                self.on_crowd(room)
                self._metrics.resumes.inc(since is not None)
                return channel.v

    async def _follow_late(self, room: str, follower: Follower, since: Since | None, delay_ms: int) -> int:
        while True:
            channel = await self._open(room)
            late = channel.late
            if late is None:
                late = channel.late = LateChannel(
                    self._store, room, delay_ms, self._metrics, partial(self._state, room)
                )
            try:
                followed = await late.follow(follower, since)
            finally:
                if channel.late is late and not late.followers:
                    channel.end_late()
            if followed:
                self.on_crowd(room)
                return late.v

    async def _state(self, room: str) -> RoomState:
        return (await self._rooms.fresh(room)).state

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
        tail = tail_of(live, audience)
        if since is None:
            return [live.snapshot(audience, "joined"), *tail]
        if since.v == live.state.v and since.tip == live.state.tip:
            return tail
        if since.v >= live.state.v:
            return [self._instead(live, audience, "lost"), *tail]
        entries = [decode_entry(raw) for raw in await self._store.entries(channel.room, since.v - 1)]
        missed = [entry for entry in entries if since.v < entry.v <= live.state.v]
        if not entries or entries[0].v != since.v or len(missed) != live.state.v - since.v:
            return [self._instead(live, audience, "trimmed"), *tail]
        if entries[0].tip != since.tip:
            return [self._instead(live, audience, "lost"), *tail]
        return [Packet(frame_of(entry, audience), entry.room) for entry in missed] + tail

    def _instead(self, live: Live, audience: Audience, why: Why) -> Packet:
        """Give a snapshot in place of frames that cannot be had, and count it."""
        self._metrics.resyncs.labels(why).inc()
        return live.snapshot(audience, why)

    async def resync(self, room: str, follower: Follower, audience: Audience, why: Why) -> None:
        """Send a follower the whole view as it stands, because it missed something."""
        while (channel := self._channels.get(room)) is not None:
            if audience is None and channel.late is not None:
                channel.late.resync(follower, why)
                return
            stood = channel.v
            live = await self._rooms.fresh(room)
            await self._catch_up(channel, live, stood)
            packets = [live.snapshot(audience, why), *tail_of(live, audience)]
            if self._send_up_to_date(channel, live, follower, audience, packets):
                return

    async def unfollow(self, room: str, follower: Follower) -> None:
        """Tell a follower no more; the last one to go ends the subscription."""
        channel = self._channels.get(room)
        if channel is None:
            return
        channel.remove(follower)
        self.on_crowd(room)
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
        if channel.count() > 0:
            return  # somebody has come while this was waiting for its turn
        del self._channels[channel.room]
        channel.end_late()
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
