"""One version of a room, whole: the input applied, every audience's frame rendered, the log entry made.

Pure: rooms commit what it makes, and a replay is checked by making it again.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from engines.flow import Position
from engines.sight import Audience
from protocol.messages import Why
from server.frames import Entry, Shown, Sight, digest, encode_entry, ended_messages, frames_of, sights_of, snapshot
from server.room import Change, Ruleset, change, position_or_none
from server.state import OVER, Close, Input, Logged, Rewind, RoomState, Takeover
from server.store.rooms import Late

KEYFRAMES = 16
"""Every so many versions of a room with a delay keep the whole view for the public."""


class Version(Struct):
    """A version ready to be committed."""

    state: RoomState
    position: Position | None
    sights: dict[Audience, Sight]
    entry: Entry
    logged: Logged


def next_version(
    ruleset: Ruleset,
    before: RoomState | None,
    old: Mapping[Audience, Sight],
    given: Input,
    at: int,
    tip: str,
    owner: tuple[int, str | None] | None = None,
    warm: Position | None = None,
) -> Version:
    """Apply an input and render it. ``before`` is consumed; ``old``: the sights of the version before.

    ``owner``: a seat and the account that has it from now on (it is in no frame and in no log).
    ``warm``: the position of the version before, which may be used up.
    """
    prev, v = (before.tip, before.v) if before is not None else ("", 0)
    changed = change(ruleset, before, given, at, warm)
    state = changed.state
    state.v, state.tip = v + 1, tip
    if owner is not None:
        state.seats[owner[0]].account = owner[1]
    shown = _shown(ruleset, changed, given)
    if isinstance(given, (Takeover, Rewind)):
        old = {}  # what older rules showed is not known to whoever lacks them: all zones are told
    why: Why | None = "rewound" if isinstance(given, Rewind) else None
    frames = frames_of(state, shown, old, why)
    entry = Entry(state.id, state.v, tip, prev, at, frames, ended_messages(state))
    logged = Logged(state.v, at, tip, given, tuple(map(digest, frames)))
    return Version(state, changed.position, {who: sight for who, (sight, _) in shown.items()}, entry, logged)


def _shown(ruleset: Ruleset, changed: Change, given: Input) -> Shown:
    """Render a version. Where the service ends a room, rules that raise even here are left out of it."""
    try:
        return sights_of(ruleset, changed)
    except Exception:
        if not isinstance(given, Close):
            raise
        changed.position = None
        return sights_of(ruleset, changed)


def sights_at(ruleset: Ruleset, state: RoomState) -> tuple[Position | None, dict[Audience, Sight]]:
    """Bring a stored room back: its position, and what every audience sees of it as it stands.

    A room whose rules raise gives no position, and shows its zone ``room`` only, so that it can still be ended.
    """
    position = position_or_none(ruleset, state)
    try:
        shown = sights_of(ruleset, Change(state, [], position))
    except Exception:
        position = None
        shown = sights_of(ruleset, Change(state, [], None))
    return position, {who: sight for who, (sight, _) in shown.items()}


def late_of(version: Version) -> Late:
    """Give what a version tells the public of a room with a delay, every so often with the whole view."""
    state, entry = version.state, version.entry
    begins = state.v % KEYFRAMES == 1 or state.status in OVER
    view = snapshot(state, version.sights[None], "joined") if begins else None
    public = msgspec.structs.replace(entry, frames=entry.frames[:1], ended=entry.ended[:1])
    return Late(encode_entry(public), view, state.plan.delay_s * 1_000)
