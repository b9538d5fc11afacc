"""The frames of a version: one for each audience, rendered once, before the commit.

Owns what the wire shows of a room; decides nothing about it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from engines.chance import commitment
from engines.record import encode
from engines.sight import Audience, audiences, see_all, told_to
from protocol.messages import Clock, Ended, Frame, PromptOut, Rematched, WaitingFor, Why
from server.room import Change, Ruleset
from server.state import OVER, Next, RoomState

Zones = dict[str, bytes]
"""All zones of an audience, each encoded. Audiences that see the same may share one."""
_NONE: Zones = {}


class Sight(Struct, frozen=True):
    """What one audience sees of a version besides its events: encoded zones, its prompt, who is waited for."""

    zones: Zones
    prompt: PromptOut | None
    waiting_for: tuple[WaitingFor, ...]
    clocks: tuple[Clock, ...]


class Entry(Struct, frozen=True, array_like=True):
    """One version as kept and published: all audiences' frames (the public's first), packed.

    ``prev`` is the tip of the version before. ``ended``: what follows the last frame, to the public and to seats.
    """

    room: str
    v: int
    tip: str
    prev: str
    at: int
    frames: tuple[bytes, ...]
    ended: tuple[bytes, ...] = ()


_entry_decoder = msgspec.msgpack.Decoder(Entry)


def decode_entry(raw: bytes) -> Entry:
    """Decode a published version."""
    return _entry_decoder.decode(raw)


def encode_entry(entry: Entry) -> bytes:
    """Pack a version for the store."""
    return encode(entry)


Shown = dict[Audience, tuple[Sight, tuple[dict[str, Any], ...]]]
"""What every audience sees of a version, and the events that it is told."""


def sights_of(ruleset: Ruleset, changed: Change) -> Shown:
    """Render a version of a room for every audience."""
    state, position = changed.state, changed.position
    room_zone, clocks = encode(room_zone_of(state)), _clocks(state)
    if position is None:
        lobby = Sight({"room": room_zone}, None, (), clocks)
        return {who: (lobby, told_to(changed.events, who)) for who in audiences(len(state.seats))}
    seen = see_all(ruleset.rules, position, changed.events)
    over, encoded = state.status in OVER, _Encoded(room_zone)
    waits = () if over else tuple(WaitingFor(w.seat, w.kind, w.about) for w in seen[None].waiting)
    shown: Shown = {}
    for who, one in seen.items():
        asked = None if over else one.prompt
        prompt = None if asked is None else _prompt_out(asked.id, asked.prompt, state)
        shown[who] = Sight(encoded.zones(one.zones), prompt, waits, clocks), one.events
    return shown


class _Encoded:
    """What one version shows, encoded once: by identity, as all that is shown lives as long as this lasts."""

    def __init__(self, room_zone: bytes) -> None:
        self._room_zone = room_zone
        self._zones: dict[int, bytes] = {}
        self._all: dict[int, Zones] = {}

    def zones(self, seen: dict[str, Any]) -> Zones:
        """Encode what an audience sees; audiences that are shown one object are given one object."""
        zones = self._all.get(id(seen))
        if zones is None:
            zones = self._all[id(seen)] = {"room": self._room_zone}
            known = self._zones
            for name, zone in seen.items():
                raw = known.get(id(zone))
                zones[name] = known[id(zone)] = encode(zone) if raw is None else raw
        return zones


def _clocks(state: RoomState) -> tuple[Clock, ...]:
    """Give what everybody needs to draw the clocks: those that run, those that stand still, absences."""
    running = {due.seat: due.at for due in state.due}
    still = [at for at, seat in enumerate(state.seats) if at not in running and (seat.clock or seat.lost_at)]
    return tuple(_clock(state, at, running.get(at)) for at in (*running, *still))


def _clock(state: RoomState, at: int, deadline: int | None) -> Clock:
    seat, clock = state.seats[at], state.seats[at].clock
    if clock is None:
        return Clock(at, deadline, lost_at=seat.lost_at)
    free = deadline is not None and clock.since is None
    apart = clock.apart if state.plan.disconnect_s else None
    return Clock(at, deadline, clock.bank, apart, seat.lost_at, free)


def _prompt_out(number: int, prompt: Any, state: RoomState) -> PromptOut:
    times = {due.seat: due.at for due in state.due}
    deadline = times.get(prompt.seat) or min(times.values())
    return PromptOut(
        number, prompt.kind, deadline, prompt.options, prompt.shape, prompt.least, prompt.most, prompt.default,
        prompt.rule, prompt.hold_ms, prompt.optional, prompt.about,
    )  # fmt: skip


def room_zone_of(state: RoomState) -> dict[str, Any]:
    """Give the zone that the server owns: seats, options, fairness, and how it ended."""
    zone: dict[str, Any] = {
        "id": state.id,
        "game": state.game,
        "rules": state.rules,
        "pack": state.pack_id,
        "pack_hash": state.pack,
        "status": state.status,
        "options": state.options,
        "plan": state.plan,
        "seats": [
            {"seat": at, "name": seat.name, "bot": seat.bot, "taken": seat.taken, "ready": seat.ready}
            | ({"away": True} if seat.away is not None else {})
            | ({"reserved": True} if seat.kept_for is not None and not seat.taken else {})
            for at, seat in enumerate(state.seats)
        ],
        "commitment": commitment(state.id, state.seed).hex(),
        "entropy": {str(at): seat.entropy.hex() for at, seat in enumerate(state.seats) if seat.entropy},
    }
    if state.result is not None:
        zone["result"] = msgspec.to_builtins(state.result)
    return zone


def frames_of(state: RoomState, shown: Shown, old: Mapping[Audience, Sight], why: Why | None) -> tuple[bytes, ...]:
    """Encode every audience's frame, with the zones that differ from its ``old`` ones.

    Audiences that are shown one object, and were, have the same news: it is looked for once.
    """
    news: dict[tuple[int, int], dict[str, Raw]] = {}
    frames = []
    for who, (sight, events) in shown.items():
        before = old[who].zones if who in old else _NONE
        both = id(sight.zones), id(before)
        if both not in news:
            news[both] = {name: Raw(zone) for name, zone in sight.zones.items() if before.get(name) != zone}
        frames.append(_frame_bytes(state, sight, news[both], events, why))
    return tuple(frames)


def snapshot(state: RoomState, sight: Sight, why: Why) -> bytes:
    """Encode the frame that holds all zones and says why it was sent. The same state gives the same bytes."""
    return _frame_bytes(state, sight, {name: Raw(zone) for name, zone in sight.zones.items()}, (), why)


def _frame_bytes(
    state: RoomState, sight: Sight, zones: dict[str, Raw], events: tuple[dict[str, Any], ...], why: Why | None
) -> bytes:
    frame = Frame(
        state.id, state.v, state.tip, state.at, zones, events, sight.prompt, sight.waiting_for, sight.clocks, why
    )
    return encode(frame)


def ended_messages(state: RoomState) -> tuple[bytes, ...]:
    """Encode what follows the last frame, for the public and for seats; nothing while the room is not over."""
    result = state.result
    if result is None:
        return ()
    full = Ended(
        state.id, state.v, result.status, result.reason, result.winners, result.ranks, result.details,
        state.seed, f"/v1/replays/{state.id}",
    )  # fmt: skip
    closed = msgspec.structs.replace(full, seed=b"", replay=None)
    return encode(full if state.plan.replays == "all" else closed), encode(full)


def rematched_message(room: str, following: Next) -> bytes:
    """Encode where a room is played again."""
    return encode(Rematched(room, following.room, following.at))


def digest(frame: bytes) -> bytes:
    """Give the eight bytes by which the input log knows a frame."""
    return hashlib.blake2b(frame, digest_size=8).digest()
