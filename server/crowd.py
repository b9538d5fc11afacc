"""Who is in one room, as its nodes tell it, and what everybody may be told of that. No I/O, no clock of its own.

Knows seats and numbers, no sockets and no accounts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from engines.record import encode
from engines.sight import Audience
from protocol.messages import Presence
from server.state import RoomState

SPECTATORS_S = 5.0
"""So seldom at most is a number of spectators told that changed alone."""


class Members(Struct, frozen=True, array_like=True):
    """Who is in a room by way of one node. ``n`` counts up, so that an older word cannot undo a newer one."""

    n: int
    seats: tuple[int, ...] = ()
    watching: int = 0


class Word(Struct, frozen=True, array_like=True):
    """What a node tells the others of a room."""

    node: str
    members: Members


_members_decoder = msgspec.msgpack.Decoder(Members)
_word_decoder = msgspec.msgpack.Decoder(Word)


def encode_members(members: Members) -> bytes:
    return encode(members)


def decode_members(raw: bytes) -> Members:
    return _members_decoder.decode(raw)


def encode_word(word: Word) -> bytes:
    return encode(word)


def decode_word(raw: bytes) -> Word:
    return _word_decoder.decode(raw)


class Crowd:
    """Who is in a room by way of all other nodes, and what this node last told its own sockets of it."""

    __slots__ = ("_by_node", "_told", "_told_at")

    def __init__(self) -> None:
        self._by_node: dict[str, Members] = {}
        self._told: Presence | None = None
        self._told_at = -SPECTATORS_S

    def hear(self, node: str, members: Members) -> bool:
        """Take a node's word. Gives False if it is no news."""
        known = self._by_node.get(node)
        if known is not None and known.n >= members.n:
            return False
        self._by_node[node] = members
        return True

    def drop(self, nodes: Collection[str]) -> bool:
        """Forget nodes that are dead. Gives False if none had anybody here."""
        dead = [node for node in nodes if node in self._by_node]
        for node in dead:
            del self._by_node[node]
        return bool(dead)

    def watching(self) -> int:
        """Count the spectators of all other nodes."""
        return sum(each.watching for each in self._by_node.values())

    def presence(self, state: RoomState, own: Members) -> Presence:
        """Say who is here in all. Bots always are; a free seat is neither here nor away."""
        members = (own, *self._by_node.values())
        seats = seats_of(members)
        taken = [at for at, seat in enumerate(state.seats) if seat.taken]
        here = tuple(at for at in taken if at in seats or state.seats[at].bot is not None)
        watching = sum(each.watching for each in members)
        return Presence(state.id, here, tuple(at for at in taken if at not in here), watching)

    def wait_s(self, presence: Presence, now_s: float) -> float | None:
        """Say after how long this may be told: 0 at once, None if it is what was told last."""
        told = self._told
        if presence == told:
            return None
        if told is None or (told.here, told.away) != (presence.here, presence.away):
            return 0
        return max(0.0, self._told_at + SPECTATORS_S - now_s)

    def tells(self, presence: Presence, now_s: float) -> None:
        """Note that this is told now."""
        self._told, self._told_at = presence, now_s


def seats_of(members: Iterable[Members]) -> frozenset[int]:
    """Give the seats that have a socket anywhere."""
    return frozenset(seat for each in members for seat in each.seats)


def members_of(followers: Mapping[Audience, Collection[Any]], delayed: int = 0) -> Members:
    """Count a node's own followers of a room. ``delayed``: those who see everything late."""
    seats = tuple(sorted(who for who, crowd in followers.items() if who is not None and crowd))
    return Members(0, seats, len(followers.get(None, ())) + delayed)
