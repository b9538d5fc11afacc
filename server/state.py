"""What a room is between two versions, and the inputs that change it. Pure data, encoded into the room's record.

Fields only ever grow, at the end and with defaults. Knows no rules, no Redis and no sockets.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from engines.record import Choice, Record
from protocol.messages import RoomPlan, Status

OVER: frozenset[Status] = frozenset(("finished", "resigned", "aborted", "void"))


class SeatClock(Struct, array_like=True):
    """What a seat has left, in ms: of this turn, of its bank, and of the time that it may be away on its turn.

    ``since``: from when on it is charged, in service ms; None while it stands still. ``on``: its turn is not over.
    ``shared``: somebody else was asked since its latest prompt was opened. ``spent``: time ran out in this turn.
    """

    turn: int
    bank: int
    apart: int
    since: int | None = None
    on: bool = False
    shared: bool = False
    spent: bool = False


class Seat(Struct, array_like=True):
    """A place at the table. ``account`` owns it, unless it is free or a bot's. ``strikes``: expiries in a row.

    ``away``: since when nobody is there for it, in service ms, where that matters to a clock; ``lost_at``: when that
    loses the seat. ``clock``: None where each prompt has a time of its own. ``kept_for``: the only account that may sit
    here; '' where a replay knows no more than that there is one.
    """

    taken: bool = False
    account: str | None = None
    name: str = ""
    bot: str | None = None
    ready: bool = False
    deck: Any = None
    entropy: bytes = b""
    strikes: int = 0
    away: int | None = None
    lost_at: int | None = None
    clock: SeatClock | None = None
    kept_for: str | None = None


class Due(Struct, frozen=True, array_like=True):
    """When the silence of a seat's prompt is taken for an answer, in service milliseconds."""

    seat: int
    prompt: int
    at: int


class Result(Struct, frozen=True):
    """How a room ended: the outcome of the match, or the service's own reason."""

    status: Status
    reason: str
    winners: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    details: dict[str, Any] = {}


class Next(Struct, frozen=True, array_like=True):
    """The room in which a room is played again, and since when that is known, in service ms."""

    room: str
    at: int


class RoomState(Struct, array_like=True):
    """All that is kept of a room. ``v``, ``tip`` and ``at`` are those of its last version.

    ``seed`` is secret until the end; ``code`` is a private room's. ``idle``: when the lobby gives up.
    ``faults``: how often rules raised at a deadline.
    """

    id: str
    game: str
    rules: int
    pack_id: str
    pack: str
    options: dict[str, Any]
    plan: RoomPlan
    created_at: int
    seats: list[Seat]
    seed: bytes
    code: str | None = None
    v: int = 0
    tip: str = ""
    at: int = 0
    status: Status = "lobby"
    record: Record | None = None
    due: list[Due] = []
    idle: int = 0
    faults: int = 0
    result: Result | None = None
    next: Next | None = None

    def seat_of(self, account: str) -> int | None:
        """Give the seat that an account owns, or None."""
        return next((at for at, seat in enumerate(self.seats) if seat.account == account), None)

    def seat_kept_for(self, account: str) -> int | None:
        """Give the free seat that waits for an account, or None."""
        return next((at for at, seat in enumerate(self.seats) if seat.kept_for == account and not seat.taken), None)


# ---- inputs: everything that makes a version, as logged for the replay -------------------------------------------


class Open(Struct, tag="open", frozen=True):
    """Make the room. ``bots``: one a seat, None where a person may sit; ``decks`` for the bots.

    ``kept``: seats that wait for one account each; for whom is in no log.
    ``names``: of the people who sit from the start, "" elsewhere; then ``decks`` has theirs as well.
    """

    id: str
    game: str
    rules: int
    pack_id: str
    pack: str
    options: dict[str, Any]
    plan: RoomPlan
    bots: tuple[str | None, ...]
    decks: tuple[Any, ...]
    seed: bytes
    kept: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


class Sit(Struct, tag="sit", frozen=True):
    """Take a seat, or bring another deck to it."""

    seat: int
    name: str
    deck: Any = None


class Stand(Struct, tag="stand", frozen=True):
    """Free a seat in the lobby."""

    seat: int


class Prepare(Struct, tag="ready", frozen=True):
    """Be ready or not. The last seat to be ready starts the match in the same version."""

    seat: int
    ready: bool
    entropy: bytes = b""
    deck: Any = None


class Play(Struct, tag="play", frozen=True):
    """Answer prompts: a player's choice, or all that fell due at once. ``by``: who chose, one word a choice."""

    choices: tuple[Choice, ...]
    by: tuple[str, ...]


class Rewind(Struct, tag="rewind", frozen=True):
    """Newer rules take the room over in mid-action: back to its checkpoint, with fresh chance."""

    rules: int


class Close(Struct, tag="close", frozen=True):
    """The service ends the room: ``aborted`` in the lobby, ``void`` in play or by an operator. ``text``: to all."""

    status: Status
    reason: str
    text: str = ""


class Away(Struct, tag="away", frozen=True):
    """Nobody is there for these seats any more, and that moves a clock."""

    seats: tuple[int, ...]


class Back(Struct, tag="back", frozen=True):
    """Somebody is there for these seats again."""

    seats: tuple[int, ...]


class Takeover(Struct, tag="takeover", frozen=True):
    """Newer rules take the room over at rest: in the lobby, or where nobody has chosen since the checkpoint."""

    rules: int


Input = Open | Sit | Stand | Prepare | Play | Rewind | Close | Away | Back | Takeover


class Logged(Struct, frozen=True, array_like=True):
    """An input with what its frames need to come out the same: ``digests``, one of each audience's frame."""

    v: int
    at: int
    tip: str
    input: Input
    digests: tuple[bytes, ...]


_state_decoder = msgspec.msgpack.Decoder(RoomState)
_logged_decoder = msgspec.msgpack.Decoder(Logged)


def decode_state(raw: bytes) -> RoomState:
    """Decode a room's record. A fresh value each time: transitions may change it."""
    return _state_decoder.decode(raw)


def decode_logged(raw: bytes) -> Logged:
    """Decode one entry of a room's input log."""
    return _logged_decoder.decode(raw)


def decks_of(logged: list[Logged]) -> dict[int, Any]:
    """Give the deck that each seat brought last, as the log has it; a seat without one is left out."""
    decks: dict[int, Any] = {}
    for entry in logged:
        given = entry.input
        if isinstance(given, Open):
            decks.update((at, deck) for at, deck in enumerate(given.decks) if deck is not None)
        elif isinstance(given, (Sit, Prepare)) and given.deck is not None:
            decks[given.seat] = given.deck
        elif isinstance(given, Stand):
            decks.pop(given.seat, None)
    return decks
