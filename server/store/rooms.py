"""A room as it lies in Redis and the one guarded way to change it. Never looks into a record, an entry or an input."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import Struct

from server.store import keys
from server.store.placed import Placed
from server.store.scripts import COMMIT, ENTRY, TOLD, command

MOST_BYTES = 1 << 20
_KEYS = ("room", "cmd", "ring", "in", "out", "say", "aside", "here", "late", "ch")
_FIELDS = ("v", "rev", "tip", "record", "status")


class Stored(Struct, frozen=True):
    """A room as read. ``rev``: random token of the last write, never sent. ``tip``: the rev of version ``v``, sent."""

    room: str
    v: int
    rev: bytes
    tip: str
    record: bytes
    status: str


class Command(Struct, frozen=True):
    """What makes a command exactly-once: whose it is, its id, 16 bytes of digest of its body, its outcome."""

    account: str
    id: str
    digest: bytes
    outcome: bytes


class Late(Struct, frozen=True):
    """What a version of a room with a delay tells the public: ``entry``. ``keyframe``: the whole view, now and then."""

    entry: bytes
    keyframe: bytes | None
    delay_ms: int


class KeptLate(Struct, frozen=True):
    """A version as kept for the delayed, made at the service time ``at`` (ms)."""

    v: int
    at: int
    entry: bytes
    keyframe: bytes | None


class Commit(Struct, frozen=True, kw_only=True):
    """One write. ``expect``: the rev that must stand, None to create. ``v`` starts with 1.

    ``entry``: all frames of version ``v``; None for a silent write, which leaves ``v`` and ``tip`` as they are.
    ``at``: the service time (ms) that the frames show. ``deadline``, ``not_before``, ``not_after``: service time, ms.
    ``listing``: what lists show of a room in the lobby or in play; None if it is not listed.
    ``expire_s``: set by the commit that ends the room, and by no other. ``told``: published beside the version.
    """

    room: str
    expect: bytes | None
    rev: bytes
    v: int
    tip: str
    record: bytes
    status: str
    at: int
    entry: bytes | None = None
    input: bytes | None = None
    command: Command | None = None
    deadline: int | None = None
    not_before: int | None = None
    not_after: int | None = None
    listing: bytes | None = None
    expire_s: int | None = None
    late: Late | None = None
    told: bytes | None = None


class Done(Struct, frozen=True):
    """The commit stands, made now or by an earlier try whose reply was lost."""

    v: int
    rev: bytes
    at: int


class Known(Struct, frozen=True):
    """The command had its effect before."""

    digest: bytes
    outcome: bytes


class Conflict(Struct, frozen=True):
    """Somebody else wrote first: the room as it is, None if there is none."""

    stored: Stored | None


class ClockOff(Struct, frozen=True):
    """Service time is outside the bounds, or too far from ``at``: what it is."""

    now: int


Result = Done | Known | Conflict | ClockOff


class Rooms(Placed):
    """Reading and writing rooms."""

    async def commit(self, commit: Commit) -> Result:
        """Write if nobody wrote in between. Raises Unavailable after 2 s, ValueError if a part is over 1 MiB."""
        packed = _packed(commit)
        return self._result(commit, await self._ask(keys.partition(commit.room), packed, write=True))

    async def read(self, room: str) -> Stored | None:
        """Read a room as it is now. Raises Unavailable, as every reader does."""
        return _stored(room, await self._read(room, "HMGET", keys.key("room", room), *_FIELDS))

    async def known(self, room: str, account: str, id: str) -> tuple[bytes, bytes] | None:  # noqa: A002
        """Give digest and outcome of a command among the last 64 of its account in this room.

        What is given survives what an ok has to survive; see ``secure``.
        """
        field = keys.command_field(account, id)
        found = await self._read(room, "HGET", keys.key("cmd", room), field)
        if found:
            await self.secure(room)
        return (found[:16], found[16:]) if found else None

    async def secure(self, room: str) -> None:
        """Return when what was read of a room until now survives what an ok has to survive.

        Only a write gives WAIT something to wait for: what was written before it is then with the replica as well.
        """
        if self.fleet.waits:
            number = keys.partition(room)
            await self._ask(number, command("SET", keys.mark_key(number), "", "PX", 1), write=True)

    async def heads(self, rooms: list[str]) -> dict[str, tuple[int, str]]:
        """Read v and tip of many rooms in one batch; those that are gone are left out."""
        asks = [self._read(room, "HMGET", keys.key("room", room), "v", "tip") for room in rooms]
        found = await asyncio.gather(*asks)
        return {room: (int(v), tip.decode()) for room, (v, tip) in zip(rooms, found, strict=True) if v is not None}

    async def entries(self, room: str, after_v: int) -> list[bytes]:
        """Give the entries above a version that are still kept, ascending. The first may be above ``after_v`` + 1."""
        found = await self._read(room, "XRANGE", keys.key("out", room), f"({max(after_v, 0)}-0", "+")
        return [fields[1][1:] for _, fields in found]

    async def entry_at(self, room: str, v: int) -> bytes | None:
        """Give the entry of one version, None if it is not kept."""
        found = await self._read(room, "XRANGE", keys.key("out", room), f"{v}-0", f"{v}-0")
        return found[0][1][1][1:] if found else None

    async def inputs(self, room: str) -> list[bytes]:
        """Give all inputs of a room, in order."""
        return [fields[1] for _, fields in await self._read(room, "XRANGE", keys.key("in", room), "-", "+")]

    async def late(self, room: str, first: int, most: int) -> list[KeptLate]:
        """Give what is kept for the delayed, from version ``first`` on, ascending. It begins with a keyframe."""
        found = await self._read(room, "XRANGE", keys.key("late", room), f"{first}-0", "+", "COUNT", most)
        return [KeptLate(int(v.partition(b"-")[0]), int(f[1]), f[3], f[5] or None) for v, f in found]

    def _result(self, commit: Commit, reply: list[Any]) -> Result:
        kind, now, still = reply[:3]
        self.clock.hear(keys.partition(commit.room), now, still)
        if kind == b"done":
            return Done(commit.v, commit.rev, commit.at)
        if kind == b"known":
            return Known(reply[3][:16], reply[3][16:])
        return Conflict(_stored(commit.room, reply[3])) if kind == b"conflict" else ClockOff(now)


def _stored(room: str, found: list[Any]) -> Stored | None:
    v, rev, tip, record, status = found
    return None if v is None else Stored(room, int(v), rev, tip.decode(), record, status.decode())


def _given(value: int | None) -> str | int:
    return "" if value is None else value


def _packed(commit: Commit) -> bytes:
    """Encode the call of commit.lua; the order is that of its first lines."""
    asked, late = commit.command, commit.late
    parts = [commit.record, commit.entry or b"", commit.input or b"", commit.listing or b""]
    parts += [late.entry, late.keyframe or b""] if late else []
    if max(map(len, parts)) > MOST_BYTES:
        raise ValueError(f"a part of a commit is over {MOST_BYTES} bytes")
    shared = keys.shared(keys.partition(commit.room))
    return COMMIT.call(
        [*keys.keys(commit.room, *_KEYS), shared.due, shared.took, shared.open, shared.live, shared.time, shared.done],
        *(commit.room, commit.expect or "", commit.rev, commit.v, commit.tip, commit.record, commit.status, commit.at),
        *(ENTRY + commit.entry if commit.entry else "", commit.input or ""),
        *((asked.account, keys.command_field(asked.account, asked.id)) if asked else ("", "")),
        asked.digest + asked.outcome if asked else "",
        *map(_given, (commit.deadline, commit.not_before, commit.not_after)),
        commit.listing or "",
        _given(commit.expire_s),
        *((late.entry, late.keyframe or "", late.delay_ms) if late else ("", "", "")),
        TOLD + commit.told if commit.told else "",
    )
