"""Every message of wire version 1, as typed structs. The field ``t`` names the type.

Knows no encoding (codec.py) and no meaning of error codes (errors.py). Unknown fields are ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol.prompt import Act, Option, Pick, Shape

VERSION = 1
SUBPROTOCOLS = ("sanctum.v1.msgpack", "sanctum.v1.json")
FRAME_BYTES = 64 * 1024
MAX_SEATS = 8

Id = Annotated[str, Meta(min_length=1, max_length=36, description="made by the client, unique among its commands")]
RoomId = Annotated[str, Meta(min_length=1, max_length=32)]
Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Entropy = Annotated[bytes, Meta(min_length=16, max_length=64)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Token = Annotated[str, Meta(max_length=4096)]
Millis = Annotated[int, Meta(description="service time, milliseconds since 1970")]
Deck = str | dict[str, Any] | list[Any]
"""A ready-made deck's name, or a deck list in the game's own form."""
Role = Literal["player", "spectator"]
Why = Literal["joined", "trimmed", "lost", "slow", "rewound"]
Status = Literal["lobby", "playing", "finished", "resigned", "aborted", "void"]


# ---- from the client -------------------------------------------------------------------------------------------


class Hello(Struct, tag_field="t", tag="hello", frozen=True):
    """Say who you are, first of all. Without a token: watch public rooms only. Again with the same ``sub``: renew."""

    id: Id
    token: Token | None = None
    client: Annotated[str, Meta(max_length=64)] = ""
    protocol: Annotated[tuple[int, ...], Meta(min_length=1, max_length=16)] = (VERSION,)


class SeatPlan(Struct, frozen=True, omit_defaults=True):
    """What a new room's seat is for: open to anyone, or a bot with a deck of its own."""

    bot: Word | None = None
    deck: Deck | None = None


class RoomPlan(Struct, frozen=True, omit_defaults=True):
    """What the service, not the game, is asked for. ``decision_s``: seconds a prompt (None: the game's own).

    ``holds``: whether reaction windows stay open for their full time. ``bot_ms``: how long a bot waits.
    Clocks: with any of ``turn_s``, ``bank_s``, ``increment_s``, ``disconnect_s`` a seat is charged for its turn, not
    for each prompt. ``turn_s``: renewed each turn (None: ``decision_s``, or 0 beside a bank). ``bank_s``: for the whole
    match, used when the turn's time is over. ``increment_s``: put into the bank after each turn. ``disconnect_s``: so
    long in all a seat may be away on its turn before that is charged. ``on_expiry``: a seat whose time is over gets
    the prompt's default, or loses.
    ``delay_s``: so much later spectators get all that they get. ``spectators``: the most that may watch (None: as many
    as the service allows).
    """

    private: bool = False
    decision_s: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    holds: bool = True
    bot_ms: Annotated[int, Meta(ge=0, le=10_000)] = 400
    replays: Literal["all", "seats"] = "all"
    turn_s: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    bank_s: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    increment_s: Annotated[int, Meta(ge=0, le=3_600)] | None = None
    disconnect_s: Annotated[int, Meta(ge=0, le=3_600)] | None = None
    on_expiry: Literal["default", "forfeit"] = "default"
    delay_s: Annotated[int, Meta(ge=0, le=3_600)] = 0
    spectators: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


class Create(Struct, tag_field="t", tag="create", frozen=True):
    """Open a room. It takes nobody in: join it next.

    ``seats``: one plan a seat (empty: the fewest that the game allows, all open).
    """

    id: Id
    game: Word
    options: dict[str, Any] = {}
    seats: Annotated[tuple[SeatPlan, ...], Meta(max_length=MAX_SEATS)] = ()
    pack: Word | None = None
    room: RoomPlan = RoomPlan()


class Since(Struct, frozen=True):
    """Where a returning client stood: the last version it has, and that version's tip."""

    v: Annotated[int, Meta(ge=0)]
    tip: Annotated[str, Meta(max_length=32)]


class Join(Struct, tag_field="t", tag="join", frozen=True):
    """Follow a room: take a seat (or come back to one's own), or watch."""

    id: Id
    room: RoomId
    role: Role = "player"
    seat: Seat | None = None
    deck: Deck | None = None
    code: Annotated[str, Meta(max_length=16)] | None = None
    since: Since | None = None


class Ready(Struct, tag_field="t", tag="ready", frozen=True):
    """Be ready to start, or no longer. ``entropy`` is mixed into all chance of the match; it is told to all."""

    id: Id
    room: RoomId
    ready: bool = True
    entropy: Entropy | None = None
    deck: Deck | None = None


class Choose(Struct, tag_field="t", tag="choose", frozen=True):
    """Answer an open prompt: by option ids (``picks``), or by meaning (``act``, one or a list)."""

    id: Id
    room: RoomId
    prompt: Annotated[int, Meta(ge=0)]
    picks: Annotated[tuple[Pick, ...], Meta(max_length=512)] | UnsetType = UNSET
    act: Act | Annotated[tuple[Act, ...], Meta(max_length=512)] | UnsetType = UNSET


class Resign(Struct, tag_field="t", tag="resign", frozen=True):
    """Give the match up."""

    id: Id
    room: RoomId


class Leave(Struct, tag_field="t", tag="leave", frozen=True):
    """Stop following a room; in the lobby this frees the seat."""

    id: Id
    room: RoomId


class Say(Struct, tag_field="t", tag="say", frozen=True):
    """Talk: players to all, spectators to spectators."""

    id: Id
    room: RoomId
    text: Text


class Ping(Struct, tag_field="t", tag="ping", frozen=True):
    """Ask for service time (of a room's partition, or of the node)."""

    id: Id
    room: RoomId | None = None


class Rematch(Struct, tag_field="t", tag="rematch", frozen=True):
    """Play again: opens one new room, whoever of the seats asks and how often. It takes nobody in: join it next."""

    id: Id
    room: RoomId


Command = Hello | Create | Join | Ready | Choose | Resign | Leave | Say | Ping | Rematch


# ---- from the server -------------------------------------------------------------------------------------------


class Ok(Struct, tag_field="t", tag="ok", frozen=True, omit_defaults=True):
    """The command of this id took effect. ``v``: the version in which; ``held``: kept for its time."""

    id: str
    room: str | None = None
    v: int | None = None
    seat: int | None = None
    code: str | None = None
    held: bool = False
    at: Millis | None = None


class Error(Struct, tag_field="t", tag="error", frozen=True, omit_defaults=True):
    """The command of this id had no effect. ``id`` is None where the frame had none that could be read."""

    id: str | None
    code: str
    message: str
    retryable: bool = False
    retry_after_ms: int | None = None
    details: dict[str, Any] = {}


class Welcome(Struct, tag_field="t", tag="welcome", frozen=True, omit_defaults=True):
    """Who the server takes you for (None: nobody), and the wire version that both will speak."""

    protocol: int
    server: str
    at: Millis
    account: str | None = None
    name: str | None = None


class PromptOut(Struct, frozen=True, omit_defaults=True):
    """A prompt as its seat gets it. ``deadline``: when ``default`` is taken for an answer."""

    id: int
    kind: str
    deadline: Millis
    options: tuple[Option, ...] = ()
    shape: Shape = "pick"
    least: int = 1
    most: int = 1
    default: tuple[Pick, ...] = ()
    rule: str = ""
    hold_ms: int = 0
    optional: bool = False
    about: Act = {}


class WaitingFor(Struct, frozen=True, omit_defaults=True):
    """A seat that has to answer, as everybody may know it."""

    seat: int
    kind: str
    about: Act = {}


class Clock(Struct, frozen=True, omit_defaults=True):
    """A seat's time. ``deadline``: when its silence is taken for an answer; without it the clock stands still.

    ``bank``: ms left of its bank, touched only when less than that is left until ``deadline``. ``apart``: ms for which
    it may still be away on its turn (while it is away, ``deadline`` has them in it). ``lost_at``: the seat is away, and
    lost if it is not back by then. ``free``: the time until ``deadline`` is a held window's and charged to nothing.
    """

    seat: int
    deadline: Millis | None = None
    bank: int | None = None
    apart: int | None = None
    lost_at: Millis | None = None
    free: bool = False


class Frame(Struct, tag_field="t", tag="frame", frozen=True, omit_defaults=True):
    """One version of a room for one audience. ``zones``: only those that changed, all of them if ``why`` is set.

    A client folds frames with ``view.update(zones)``; ``prompt`` and ``waiting_for`` replace the former ones.
    ``tip`` names the version beside its number: after a loss of history another ``v`` may exist.
    """

    room: str
    v: int
    tip: str
    at: Millis
    zones: dict[str, Any]
    events: tuple[dict[str, Any], ...] = ()
    prompt: PromptOut | None = None
    waiting_for: tuple[WaitingFor, ...] = ()
    clocks: tuple[Clock, ...] = ()
    why: Why | None = None


class Tip(Struct, tag_field="t", tag="tip", frozen=True):
    """Where a quiet room stands, so that a client can see that it missed nothing."""

    room: str
    v: int
    tip: str
    at: Millis


class Presence(Struct, tag_field="t", tag="presence", frozen=True):
    """Who of the seats has a socket, and how many watch."""

    room: str
    here: tuple[int, ...]
    away: tuple[int, ...]
    spectators: int


class Said(Struct, tag_field="t", tag="said", frozen=True, omit_defaults=True):
    """Something said in a room. ``seat`` is None where a spectator speaks."""

    room: str
    id: str
    name: str
    text: str
    at: Millis
    seat: int | None = None


class Ended(Struct, tag_field="t", tag="ended", frozen=True, omit_defaults=True):
    """The match is over, and its chance can be checked: the seed, and where the whole replay lies."""

    room: str
    v: int
    status: Status
    reason: str
    winners: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    details: dict[str, Any] = {}
    seed: bytes = b""
    replay: str | None = None


class Rematched(Struct, tag_field="t", tag="rematched", frozen=True):
    """The room is played again in room ``next``: everybody moves one seat down, the first to the end."""

    room: str
    next: str
    at: Millis


class Draining(Struct, tag_field="t", tag="draining", frozen=True):
    """This node is going away: come back after so long; another node, or this one restarted, goes on."""

    retry_after_ms: int


class Bye(Struct, tag_field="t", tag="bye", frozen=True):
    """The last message before the server closes, with the close code and its reason in words."""

    code: int
    reason: str


Push = Welcome | Frame | Tip | Presence | Said | Ended | Rematched | Draining | Bye
Message = Ok | Error | Push
