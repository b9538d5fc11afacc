"""One room on one node: who follows it, how far they have been told, and what a version is to them in bytes.

Owns nothing that waits: reading, healing and subscribing are fanout.py's.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

from engines.sight import Audience
from protocol.messages import Tip
from server.frames import Entry
from server.packet import Packet
from server.quiet import Quiet
from server.session import packet

if TYPE_CHECKING:
    from server.late import LateChannel
    from server.live import Live

RECENT = 8
ALL, WATCHERS, NEWS, CROWD = b"a", b"w", b"n", b"c"
"""The first byte of what is told without a version: talk to everybody who follows or to spectators only, what everybody
has to know, or what is for nodes."""


class Follower(Protocol):
    """A socket that follows a room, as the fan-out sees it."""

    def send(self, packet: Packet) -> None:
        """Queue a message; never waits, never raises."""


class Channel:
    """One room on this node: who follows it, and up to which version they have all been told.

    ``late``: the spectators, where they see everything late; None where they do not, or where there are none.
    """

    __slots__ = ("early", "filling", "followers", "late", "quiet", "recent", "room", "tip", "v")

    def __init__(self, room: str) -> None:
        self.room = room
        self.v = -1
        self.tip = ""
        self.followers: dict[Audience, dict[Follower, None]] = {}
        self.recent: deque[Entry] = deque(maxlen=RECENT)
        self.early: dict[int, Entry] = {}
        self.filling: asyncio.Task[None] | None = None
        self.late: LateChannel | None = None
        self.quiet = Quiet()

    def tell_tip(self, at: int) -> None:
        """Tell where a quiet room stands, so that a silent loss is noticed, and forget its last versions.

        ``at``: service time.
        """
        self.recent.clear()
        said = packet(Tip(self.room, self.v, self.tip, at))
        for crowd in self.followers.values():
            for follower in tuple(crowd):
                follower.send(said)

    def tell(self, entry: Entry) -> int:
        """Send a version's frames, one packet an audience, and what follows the last one. Gives how many got it."""
        self.quiet.end()
        told = 0
        for audience, crowd in self.followers.items():
            if not crowd:
                continue
            packets = packets_of(entry, audience)
            told += len(crowd)
            for follower in tuple(crowd):
                for each in packets:
                    follower.send(each)
        if self.late is not None:
            self.late.news()
        return told

    def add(self, follower: Follower, audience: Audience) -> None:
        self.followers.setdefault(audience, {})[follower] = None

    def remove(self, follower: Follower) -> None:
        for crowd in self.followers.values():
            crowd.pop(follower, None)
        if self.late is not None:
            self.late.followers.pop(follower, None)
            if not self.late.followers:
                self.end_late()

    def end_late(self) -> None:
        """Tell nobody of what waits for its time."""
        if self.late is not None:
            self.late.close()
            self.late = None

    def count(self) -> int:
        return sum(map(len, self.followers.values())) + self.delayed()

    def delayed(self) -> int:
        """Count those who see everything late."""
        return len(self.late.followers) if self.late is not None else 0

    def was_at(self, v: int, tip: str) -> bool:
        """Tell whether a version is of the history that was told here, as far back as that is remembered."""
        return (v, tip) == (self.v, self.tip) or any((v, tip) == (entry.v, entry.tip) for entry in self.recent)


def frame_of(entry: Entry, audience: Audience) -> bytes:
    """Give the frame of one audience."""
    return entry.frames[0 if audience is None else audience + 1]


def packets_of(entry: Entry, audience: Audience) -> list[Packet]:
    """Give what a version tells an audience: its frame, and what follows the last one."""
    packets = [Packet(frame_of(entry, audience), entry.room)]
    if entry.ended:
        packets.append(Packet(entry.ended[0 if audience is None else 1], entry.room))
    return packets


def tail_of(live: Live, audience: Audience) -> list[Packet]:
    """Give what follows the last frame, for who comes when a room is over."""
    return [Packet(message, live.state.id) for message in live.after(audience)]
