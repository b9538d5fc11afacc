"""Replays: a finished match as one file, and the proof that it came about as told.

Owns the file and its check: commitment, pack, chance, every frame of every audience, and what a client recorded.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from engines.chance import commitment
from engines.registry import edition, editions
from engines.rules import PackError, Rules
from engines.sight import Audience, audiences
from protocol.codec import encode_json
from protocol.errors import Refused
from protocol.http import Replay, ReplayInput, ReplaySeat
from protocol.messages import Status
from server.frames import Sight, snapshot
from server.room import Ruleset
from server.rooms import Rooms
from server.state import OVER, Input, Logged, Open, Rewind, RoomState, Takeover, decks_of, decode_logged
from server.version import Version, next_version

FORMAT = 1
WHYS = ("joined", "trimmed", "lost", "slow", "rewound")
TAKEOVERS = ("takeover", "rewind")


class CannotCheck(RuntimeError):
    """This installation lacks the rules, or reads another format."""


class Difference(Struct, frozen=True):
    """The first thing in a replay that is not as it was told. ``where``: a version and audience, or a part."""

    where: str
    text: str


class Verdict(Struct, frozen=True):
    """What a check came to. ``versions`` and ``seen``: how many were found equal.

    ``takeovers``: so often newer rules went on from rest; ``rewinds``: from a checkpoint, with fresh chance.
    """

    versions: int
    seen: int
    difference: Difference | None
    takeovers: int = 0
    rewinds: int = 0


async def export(rooms: Rooms, state: RoomState) -> Replay:
    """Write a finished room down, by any node: it takes no rules.

    Raises Refused (wrong_status), Unavailable; RulesMissing if its pack is lost.
    """
    if state.status not in OVER:
        raise too_early(state.status)
    logged = [decode_logged(raw) for raw in await rooms.store.inputs(state.id)]
    return replay_of(state, await rooms.rulesets.source(state.pack), logged)


def too_early(status: Status) -> Refused:
    """Make the refusal of a replay while the match goes on, or seems to."""
    return Refused("wrong_status", "a replay is there when the match has ended", status=status)


def replay_of(state: RoomState, source: bytes, logged: list[Logged]) -> Replay:
    """Make the file of a room from its last state, its pack's bytes and its input log."""
    return Replay(
        FORMAT, state.id, state.game, logged[0].input.rules if isinstance(logged[0].input, Open) else state.rules,
        state.pack_id, state.pack, source, state.options, _seats(state, logged), state.seed.hex(),
        commitment(state.id, state.seed).hex(), state.status, tuple(map(_input_out, logged)), state.plan,
    )  # fmt: skip


def _seats(state: RoomState, logged: list[Logged]) -> tuple[ReplaySeat, ...]:
    """Say what every seat brought; decks are in the log only."""
    decks = decks_of(logged)
    return tuple(
        ReplaySeat(at, seat.name, seat.bot, seat.entropy.hex(), decks.get(at)) for at, seat in enumerate(state.seats)
    )


def _input_out(logged: Logged) -> ReplayInput:
    fields = msgspec.to_builtins(logged.input)
    kind = fields.pop("type")
    return ReplayInput(logged.v, logged.tip, logged.at, kind, tuple(each.hex() for each in logged.digests), fields)


def input_of(given: ReplayInput) -> Input:
    """Give an input as it was logged. Raises msgspec.ValidationError."""
    made: Input = msgspec.convert({"type": given.kind, **given.fields}, Input)
    return made


def read(raw: bytes) -> Replay:
    """Read a replay file. Raises msgspec.DecodeError, which says where it is not one."""
    return msgspec.json.decode(raw, type=Replay)


def versions(replay: Replay) -> Iterator[tuple[ReplayInput, Version]]:
    """Execute a match again, version by version. Raises CannotCheck, or whatever an input that does not fit raises."""
    state: RoomState | None = None
    sights: dict[Audience, Sight] = {}
    rulesets = rulesets_of(replay)
    ruleset = rulesets[replay.rules]
    for given in replay.inputs:
        made = input_of(given)
        if isinstance(made, (Takeover, Rewind)):
            ruleset = rulesets[made.rules]
        version = next_version(ruleset, state, sights, made, given.at, given.tip)
        state, sights = version.state, version.sights
        yield given, version


def verify(replay: Replay, seen: Iterable[str] = ()) -> Verdict:
    """Execute a match again and compare everything. ``seen``: a client's recording, line by line.

    Raises CannotCheck if the rules or the format are not here, msgspec.ValidationError for a malformed file.
    """
    rulesets_of(replay)
    if (difference := _fairness(replay)) is not None:
        return Verdict(0, 0, difference)
    wanted, made = _Seen(replay.room, seen), 0
    state: RoomState | None = None
    again = versions(replay)
    while True:
        try:
            given, version = next(again)
        except StopIteration:
            break
        except Exception as error:
            return Verdict(made, wanted.found, Difference(f"version {made + 1}", f"cannot be executed: {error}"))
        if (difference := _compare(version, given) or wanted.compare(version)) is not None:
            return Verdict(made, wanted.found, difference)
        state, made = version.state, made + 1
    kinds = Counter(given.kind for given in replay.inputs)
    return Verdict(made, wanted.found, _end(replay, state) or wanted.rest(), kinds["takeover"], kinds["rewind"])


def rulesets_of(replay: Replay) -> dict[int, Ruleset]:
    """Give the rules, by version, and the pack that a replay was played by. Raises CannotCheck if some are not here."""
    if replay.format != FORMAT:
        raise CannotCheck(f"this reads format {FORMAT}, the replay is of format {replay.format}")
    if replay.game not in editions():
        raise CannotCheck(f"the game {replay.game} is not installed here")
    wanted = sorted({replay.rules, *_later_rules(replay)})
    missing = [version for version in wanted if edition(replay.game, version) is None]
    if missing:
        here = sorted(editions()[replay.game])
        raise CannotCheck(
            f"the match was played by {replay.game} rules {_listed(wanted)}; rules {_listed(missing)} are missing here,"
            f" where there are {_listed(here)}"
        )
    try:
        return {version: _ruleset(editions()[replay.game][version], replay.source) for version in wanted}
    except PackError as error:
        raise CannotCheck(f"the pack cannot be read here: {error}") from error


def _later_rules(replay: Replay) -> list[int]:
    """Give the versions of rules that took the match over, in order."""
    return [int(given.fields["rules"]) for given in replay.inputs if given.kind in TAKEOVERS]


def _ruleset(rules: Rules[Any], source: bytes) -> Ruleset:
    return Ruleset(rules, rules.read_pack(source))


def _listed(versions: Iterable[int]) -> str:
    return " and ".join(map(str, versions))


def _fairness(replay: Replay) -> Difference | None:
    """Check that the seed is the one committed to before play, and the pack the one named."""
    opened = input_of(replay.inputs[0]) if replay.inputs else None
    if not isinstance(opened, Open):
        return Difference("inputs", "the first input does not open the room")
    if commitment(replay.room, bytes.fromhex(replay.seed)).hex() != replay.commitment:
        return Difference("seed", "the seed is not the one that was committed to")
    if opened.seed.hex() != replay.seed or opened.id != replay.room:
        return Difference("seed", "the seed is not the one that the match began with")
    if hashlib.sha256(replay.source).hexdigest() != replay.pack_hash or opened.pack != replay.pack_hash:
        return Difference("pack", "the pack's bytes do not have the hash that the room named")
    return None


def _compare(version: Version, given: ReplayInput) -> Difference | None:
    names = audiences(len(version.state.seats))
    for audience, told, made in zip(names, given.digests, version.logged.digests, strict=False):
        if told != made.hex():
            return Difference(f"version {given.v}, {_name(audience)}", "the frame differs from the one that was sent")
    if len(given.digests) != len(names) or version.state.v != given.v:
        return Difference(f"version {given.v}", "the log does not count versions and audiences as the match does")
    return None


def _end(replay: Replay, state: RoomState | None) -> Difference | None:
    if state is None or state.status != replay.status:
        return Difference("end", f"the match does not end as told ({replay.status})")
    return None


def _name(audience: Audience) -> str:
    return "public" if audience is None else f"seat {audience}"


class _Seen:
    """A client's recording, held against each version as it is made again."""

    def __init__(self, room: str, lines: Iterable[str]) -> None:
        self.found = 0
        self._room = room
        self._wanted: dict[int, list[dict[str, Any]]] = {}
        for line in lines:
            if line.strip():
                record = json.loads(line)
                if record["room"] == room:
                    self._wanted.setdefault(record["v"], []).append(record)

    def compare(self, version: Version) -> Difference | None:
        for record in self._wanted.pop(version.state.v, []):
            audience: Audience = None if record["audience"] == "public" else record["audience"]
            raw = base64.b64decode(record["frame"])
            if not any(self._equal(record, raw, frame) for frame in _frames(version, audience)):
                return Difference(
                    f"version {version.state.v}, {_name(audience)}", "the recorded frame is none that this match makes"
                )
            self.found += 1
        return None

    @staticmethod
    def _equal(record: dict[str, Any], raw: bytes, frame: bytes) -> bool:
        return raw == (encode_json(frame).encode() if record.get("encoding") == "json" else frame)

    def rest(self) -> Difference | None:
        """Find what was recorded and belongs to no version."""
        for v in sorted(self._wanted):
            return Difference(f"version {v}", "a frame was recorded of a version that this match never had")
        return None


def _frames(version: Version, audience: Audience) -> Iterable[bytes]:
    """Give all bytes that one audience may have got for a version: its frame, or a snapshot that says why."""
    yield version.entry.frames[0 if audience is None else audience + 1]
    for why in WHYS:
        yield snapshot(version.state, version.sights[audience], why)  # type: ignore[arg-type]
