"""Who is here, over all nodes: each tells the others who has a socket with it, and everybody is told of all.

A node keeps its members of a room in Redis and passes every change on as a word; what followers are told is put
together from the words of all that beat. Nothing of it is a version. What it means for clocks is absences.py's.
"""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from engines.sight import Audience
from protocol.errors import Refused
from server.absences import EVERY_SEAT, RETRY_S, Absences
from server.beats import Beats
from server.channel import CROWD, Channel, Follower
from server.crowd import (
    SPECTATORS_S,
    Crowd,
    Members,
    Word,
    decode_members,
    decode_word,
    encode_members,
    encode_word,
    members_of,
    seats_of,
)
from server.fanout import Fanout
from server.packet import Packet
from server.rooms import Rooms
from server.rulesets import RulesMissing
from server.session import packet
from server.store.errors import Unavailable
from server.store.redis import Store

PAUSE_S = 0.1
"""So long a change waits for others: a socket that joins again is not told as gone."""


class Attendance:
    """What this node knows and tells of who is here."""

    def __init__(self, store: Store, rooms: Rooms, fanout: Fanout) -> None:
        self.absences = Absences(store, rooms, self._seated)
        self._store = store
        self._rooms = rooms
        self._fanout = fanout
        self.beats = beats = Beats(store)
        self._n = 0
        self._kept: dict[str, Members] = {}  # as Redis has them
        self._kept_at: dict[str, float] = {}
        self._again: set[str] = set()
        self._crowds: dict[str, tuple[Channel, Crowd]] = {}
        self._dirty: set[str] = set()
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._wakes: dict[str, asyncio.TimerHandle] = {}
        fanout.on_crowd, fanout.on_word, fanout.on_hole = self.changed, self._heard, self._deafened
        beats.on_deaths, beats.on_lapse = self._mourn, self._write_again

    async def start(self) -> None:
        """Beat before anybody is served, and look for those whom dead nodes have left. Raises Unavailable."""
        await self.beats.start()
        self.absences.patrol()

    async def stop(self) -> None:
        """Say that this node lives no more; what it has begun the others finish."""
        for wake in self._wakes.values():
            wake.cancel()
        workers = list(self._workers.values())
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        await self.absences.stop()
        await self.beats.stop()

    # ---- what changes

    def changed(self, room: str) -> None:
        """Look at a room soon, because somebody came or went, here or elsewhere."""
        self._dirty.add(room)
        if room not in self._workers:
            task = self._workers[room] = asyncio.create_task(self._work(room))
            task.add_done_callback(lambda _: self._workers.pop(room, None))

    def seat_freed(self, room: str) -> None:
        """Let every node look at a room, though nobody came or went: who counts has changed."""
        self._again.add(room)
        self.changed(room)

    def look(self, room: str) -> None:
        """See who is away: a match may have begun, or somebody who had to answer was silent."""
        self.absences.look_later(room, EVERY_SEAT)

    def _heard(self, room: str, raw: bytes) -> None:
        word = decode_word(raw)
        if word.node == self.beats.node or room not in self._crowds:
            return
        self.beats.heard(word.node)
        if self._crowds[room][1].hear(word.node, word.members):
            self.changed(room)

    def _deafened(self, room: str) -> None:
        """Ask anew who is in a room: words may have been lost."""
        self._crowds.pop(room, None)
        self.changed(room)

    def _mourn(self, dead: frozenset[str]) -> None:
        for room, (_, crowd) in self._crowds.items():
            if crowd.drop(dead):
                self.changed(room)
        self.absences.patrol()

    def _write_again(self) -> None:
        for room in self._kept:
            self._again.add(room)
            self.changed(room)

    async def _work(self, room: str) -> None:
        await asyncio.sleep(PAUSE_S)
        while room in self._dirty:
            self._dirty.discard(room)
            try:
                await self._update(room)
            except Unavailable:
                self._wake(room, RETRY_S)
            except (Refused, RulesMissing):
                self._crowds.pop(room, None)  # the room is gone, or not for this node

    def _wake(self, room: str, after_s: float) -> None:
        if room not in self._wakes:
            self._wakes[room] = asyncio.get_running_loop().call_later(after_s, self._awake, room)

    def _awake(self, room: str) -> None:
        del self._wakes[room]
        self.changed(room)

    # ---- one room

    async def _update(self, room: str) -> None:
        """Write down who is here by way of this node, heed who came and went, and tell whoever follows."""
        await self._keep(room)
        channel = self._fanout.channel(room)
        if channel is None:
            self._crowds.pop(room, None)
            return
        crowd = await self._crowd(channel)
        live = await self._rooms.live(room)
        presence, now_s = crowd.presence(live.state, self._own(room)), asyncio.get_running_loop().time()
        wait_s = crowd.wait_s(presence, now_s)
        if wait_s == 0:
            crowd.tells(presence, now_s)
            told = packet(presence)
            for followers in channel.followers.values():
                for follower in tuple(followers):
                    follower.send(told)
            if channel.late is not None:
                channel.late.words.attend(told)
        elif wait_s is not None:
            self._wake(room, wait_s)

    async def _keep(self, room: str) -> None:
        """Write this node's members down where they have changed: spectators alone only once in a while."""
        own, kept = self._own(room), self._kept.get(room, Members(0))
        now_s = asyncio.get_running_loop().time()
        if kept.seats == own.seats and room not in self._again:
            wait_s = self._kept_at.get(room, now_s - SPECTATORS_S) + SPECTATORS_S - now_s
            if kept.watching != own.watching and wait_s > 0:
                self._wake(room, wait_s)
            if kept.watching == own.watching or wait_s > 0:
                return
        await self._write_down(room, own, kept)

    async def _write_down(self, room: str, own: Members, kept: Members) -> None:
        again = room in self._again
        self._again.discard(room)
        self._n += 1
        own = replace(own, n=self._n)
        word = CROWD + encode_word(Word(self.beats.node, own))
        try:
            await self._store.here(room, self.beats.node, encode_members(own), word)
        except Unavailable:
            self._again.add(room)
            raise
        self._kept[room], self._kept_at[room] = own, asyncio.get_running_loop().time()
        left = set(kept.seats) - set(own.seats)
        if left or not (own.seats or own.watching):
            self.absences.look_later(room, left, lambda: self._forget(room))
        if again or set(own.seats) - set(kept.seats):
            await self.absences.bring_back(room)

    async def _forget(self, room: str) -> None:
        """Keep nothing of a room that nobody follows here.

        Not before absences are settled: had this node died until then, others would have found the room by it.
        """
        kept = self._kept.get(room)
        if kept is not None and not kept.seats and not kept.watching and self._fanout.channel(room) is None:
            await self._store.here(room, self.beats.node, None)
            if self._kept.get(room) is kept:
                del self._kept[room], self._kept_at[room]

    def _own(self, room: str) -> Members:
        channel = self._fanout.channel(room)
        return members_of(channel.followers, channel.delayed()) if channel is not None else Members(0)

    async def watching(self, room: str) -> int:
        """Count those who watch a room, over all nodes, as far as they have said so. Raises Unavailable."""
        channel = self._fanout.channel(room)
        if channel is not None:
            return (await self._crowd(channel)).watching() + self._own(room).watching
        return sum(decode_members(raw).watching for raw in (await self._store.who(room)).values())

    async def _seated(self, room: str) -> frozenset[int]:
        who = await self._store.who(room)
        elsewhere = [decode_members(raw) for node, raw in who.items() if node != self.beats.node]
        return seats_of([self._own(room), *elsewhere])

    async def _crowd(self, channel: Channel) -> Crowd:
        """Give what other nodes say of a room: asked for once, then heard, as long as this node listens."""
        room = channel.room
        known = self._crowds.get(room)
        if known is not None and known[0] is channel:
            return known[1]
        crowd = Crowd()
        self._crowds[room] = channel, crowd  # before asking: a word that comes meanwhile is newer
        for node, raw in (await self._store.who(room)).items():
            if node != self.beats.node:
                self.beats.heard(node)
                crowd.hear(node, decode_members(raw))
        return crowd

    async def greet(self, room: str, follower: Follower, audience: Audience) -> None:
        """Tell somebody who has begun to follow who is here, and what was said so far. Raises Unavailable, Refused."""
        channel = self._fanout.channel(room)
        if channel is None:
            return
        if audience is None and channel.late is not None:
            for each in channel.late.words.greeting():
                follower.send(each)
            return
        crowd = await self._crowd(channel)
        live = await self._rooms.live(room)
        follower.send(packet(crowd.presence(live.state, self._own(room))))
        for raw in await self._store.said(room, asides=audience is None):
            follower.send(Packet(raw[1:], spare=""))
