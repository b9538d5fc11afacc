"""Bodies of the HTTP side, as typed structs. Which route has which: routes.py.

Knows no framework and no server.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from protocol.messages import MAX_SEATS, Deck, Millis, RoomPlan, SeatPlan, Status, Word

Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]
Cursor = Annotated[str, Meta(max_length=200, description="opaque; from the page before")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why not. ``code``: as in the ``error`` messages of the socket; ``type`` is its address, and stays the same."""

    type: str
    title: str
    status: int
    code: str
    detail: str = ""
    instance: str | None = None
    retryable: bool = False
    retry_after_ms: int | None = None
    details: dict[str, Any] = {}


class GuestOrder(Struct, frozen=True):
    """Ask for an account without a password."""

    name: Name | None = None


class Guest(Struct, frozen=True):
    """A guest's account and the token that proves it."""

    token: str
    account: str
    name: str
    expires_at: Millis


class PackInfo(Struct, frozen=True):
    """A pack of cards or tiles. ``hash``: SHA-256 of its source. ``decks``: names of ready-made decks."""

    id: str
    title: str
    hash: Hex
    decks: tuple[str, ...] = ()


class GameInfo(Struct, frozen=True):
    """A game as the catalogue tells it. ``seats``: fewest and most. ``options``: a JSON Schema.

    The first pack is the default. ``brings_decks``: every seat needs a deck before it is ready.
    """

    name: str
    title: str
    version: int
    seats: tuple[int, int]
    options: dict[str, Any]
    packs: tuple[PackInfo, ...]
    bots: tuple[str, ...] = ()
    brings_decks: bool = False
    decision_s: int = 60


class GameList(Struct, frozen=True):
    """All games that this service has."""

    games: tuple[GameInfo, ...]


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """A seat as everybody may see it. ``reserved``: free, but only for one account."""

    seat: int
    name: str | None = None
    bot: str | None = None
    ready: bool = False
    taken: bool = False
    reserved: bool = False


class RoomInfo(Struct, frozen=True, omit_defaults=True):
    """A room as lists show it. ``v``: its version."""

    room: str
    game: str
    rules: int
    pack: str
    status: Status
    seats: tuple[SeatInfo, ...]
    options: dict[str, Any] = {}
    plan: RoomPlan = RoomPlan()
    v: int = 0


class ResultSeat(Struct, frozen=True, omit_defaults=True):
    """Who had a seat, and what came of it. ``rank``: 1 is best, equal ones have drawn; None if nothing counts."""

    seat: int
    name: str | None = None
    bot: str | None = None
    rank: int | None = None


class MatchResult(Struct, frozen=True, omit_defaults=True):
    """How a match ended. ``tip``: of the version that ended it. ``details``: what the game tells (scores).

    ``replay``: where the whole match is, if everybody may have it.
    """

    room: str
    tip: str
    game: str
    rules: int
    pack: str
    status: Status
    reason: str
    ended_at: Millis
    seats: tuple[ResultSeat, ...]
    winners: tuple[int, ...] = ()
    details: dict[str, Any] = {}
    replay: str | None = None


class ResultList(Struct, frozen=True):
    """One page of a game's public results, the newest first."""

    results: tuple[MatchResult, ...]
    next: Cursor | None = None


class OwnRoom(Struct, frozen=True, omit_defaults=True):
    """A room in which the account has a seat. ``result``: how it ended, once it has.

    ``reserved``: the seat waits for the account, which has not taken it.
    """

    room: RoomInfo
    seat: int
    result: MatchResult | None = None
    reserved: bool = False


class OwnRooms(Struct, frozen=True):
    """One page of an account's rooms, those made last first."""

    rooms: tuple[OwnRoom, ...]
    next: Cursor | None = None


class Ranked(Struct, frozen=True):
    """A place of a leaderboard. ``rating``: 1000 before the first match; ``matches``: how many were counted."""

    rank: int
    name: str
    rating: int
    matches: int


class Leaderboard(Struct, frozen=True):
    """A part of a game's leaderboard, the best first. ``me``: the place of whoever asks, if they have one."""

    game: str
    entries: tuple[Ranked, ...]
    me: Ranked | None = None
    next: Cursor | None = None


class RoomList(Struct, frozen=True):
    """One page of public rooms. ``next`` is the cursor of the page after, None at the end."""

    rooms: tuple[RoomInfo, ...]
    next: Cursor | None = None


class CreateRoom(Struct, frozen=True):
    """Open a room: the ``create`` command without type and id (the ``Idempotency-Key`` is its id)."""

    game: Word
    options: dict[str, Any] = {}
    seats: Annotated[tuple[SeatPlan, ...], Meta(max_length=MAX_SEATS)] = ()
    pack: Word | None = None
    room: RoomPlan = RoomPlan()


class CreatedRoom(Struct, frozen=True, omit_defaults=True):
    """The new room. ``code``: what others need in order to enter a private one."""

    room: str
    code: str | None = None


AccountId = Annotated[str, Meta(min_length=1, max_length=128)]


class ReservedSeat(SeatPlan, frozen=True, omit_defaults=True):
    """What a seat of an operator's room is for: ``account`` alone may take it."""

    account: AccountId | None = None


class ReserveRoom(CreateRoom, frozen=True):
    """Open a room as an operator, who sits nowhere: as ``CreateRoom``, with seats that wait for their accounts."""

    seats: Annotated[tuple[ReservedSeat, ...], Meta(max_length=MAX_SEATS)] = ()


class EndRoom(Struct, frozen=True):
    """End a room as an operator. ``text``: why, for all to read."""

    text: Annotated[str, Meta(max_length=200)] = ""


class EndedRoom(Struct, frozen=True):
    """How a room ended by an operator's word: ``void``, for the reason ``operator``."""

    room: str
    status: Status
    reason: str
    text: str = ""


class BanOrder(Struct, frozen=True):
    """Ban an account. ``reason`` is for operators only. ``hours``: for how long (None: for good)."""

    reason: Annotated[str, Meta(max_length=500)] = ""
    hours: Annotated[int, Meta(ge=1, le=87_600)] | None = None


class Ban(Struct, frozen=True):
    """Whether an account is banned; since when, until when (None: for good), and why."""

    account: str
    banned: bool
    reason: str = ""
    since: Millis | None = None
    until: Millis | None = None


class DeckCheck(Struct, frozen=True):
    """A deck to look at, for a pack (None: the game's default)."""

    game: Word
    deck: Deck
    pack: Word | None = None


class DeckFault(Struct, frozen=True, omit_defaults=True):
    """One thing wrong with a deck. ``where`` names the card."""

    code: str
    where: str
    text: str
    details: dict[str, Any] = {}


class DeckVerdict(Struct, frozen=True):
    """All that is wrong with a deck: empty if it may be played."""

    faults: tuple[DeckFault, ...]


class ReplayInput(Struct, frozen=True, omit_defaults=True):
    """One input that made a version.

    ``kind``: ``open``, ``sit``, ``stand``, ``ready``, ``play``, ``away``, ``back``, ``takeover``, ``rewind``
    or ``close``; ``fields``: what it needs.
    ``digests``: of each audience's frame, eight bytes, the public first, then the seats.
    """

    v: int
    tip: str
    at: Millis
    kind: str
    digests: tuple[Hex, ...]
    fields: dict[str, Any] = {}


class ReplaySeat(Struct, frozen=True, omit_defaults=True):
    """What a seat brought to the match. ``deck``: its deck list, spelled out."""

    seat: int
    name: str = ""
    bot: str | None = None
    entropy: Hex = ""
    deck: Any = None


class Replay(Struct, frozen=True):
    """A whole match: what ``sanctum replay verify`` executes again. ``source``: the pack's bytes (base64).

    ``seed`` is what ``commitment`` committed to. ``format`` moves when an older reader could not read it.
    """

    format: int
    room: str
    game: str
    rules: int
    pack: str
    pack_hash: Hex
    source: bytes
    options: dict[str, Any]
    seats: tuple[ReplaySeat, ...]
    seed: Hex
    commitment: Hex
    status: Status
    inputs: tuple[ReplayInput, ...]
    plan: RoomPlan = RoomPlan()


class Spread(Struct, frozen=True):
    """How often something took how long, since the start. ``upto_us``: bounds in microseconds, ascending.

    ``counts``: how often it took at most that long, one for each bound, and last how often in all.
    """

    upto_us: tuple[int, ...]
    counts: tuple[int, ...]


class Figures(Struct, frozen=True):
    """What an operator watches, of all workers of one host. All but ``sockets`` and ``rooms`` only grow.

    ``rooms``: of the whole store, ``open`` and ``in_play`` as lists show them, and ``unlisted``. ``delivery``: from the
    moment of a version to its frames' being handed to sockets.
    """

    at: Millis
    sockets: int
    rooms: dict[str, int]
    choices: int
    commits: int
    conflicts: int
    deliveries: int
    resumes: int
    resyncs: int
    slow_closes: int
    commit: Spread
    delivery: Spread


class Version(Struct, frozen=True):
    """What runs here. ``protocols``: wire versions. ``rules``: version of each game's rules."""

    server: str
    protocols: tuple[int, ...]
    rules: dict[str, int]


class Health(Struct, frozen=True):
    """Whether this node is well. ``checks``: what was looked at, each ``ok`` or what is wrong."""

    status: Literal["ok", "failing", "draining"]
    checks: dict[str, str] = {}
