"""What an input does to a room: lobby, start, play, ends. Pure: the same state, input and time give the same bytes.

Knows rules through their contract only, and no Redis, socket or clock; whoever calls it says what time it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, assert_never

import msgspec
from msgspec import Struct

from engines import flow
from engines.bots import bots_of
from engines.chance import match_key
from engines.flow import Position
from engines.record import Choice, encode, match_of
from engines.rules import Event, Match, Pack, Rules
from protocol.errors import Refused
from protocol.messages import Status
from server import timing
from server.state import (
    OVER,
    Away,
    Back,
    Close,
    Due,
    Input,
    Open,
    Play,
    Prepare,
    Result,
    Rewind,
    RoomState,
    Seat,
    Sit,
    Stand,
    Takeover,
)

LOBBY_MS = 15 * 60_000


class Ruleset(Struct, frozen=True):
    """The rules and the very pack that a room is pinned to."""

    rules: Rules[Any]
    pack: Pack


class Change(Struct):
    """A room after an input: its state, what to tell, and the match's position (None before the start)."""

    state: RoomState
    events: list[Event]
    position: Position | None


def change(ruleset: Ruleset, before: RoomState | None, given: Input, at: int, warm: Position | None = None) -> Change:
    """Apply an input. ``before`` is consumed: pass a private copy. Raises Refused where the lobby says no.

    ``warm``: the position before, which may be used up (see flow.submit).
    Raises flow.Illegal for a choice that fits no prompt, and whatever broken rules raise.
    """
    if isinstance(given, Open):
        return _open(ruleset, given, at)
    if before is None:
        raise Refused("not_found")
    if before.status in OVER:
        raise Refused("wrong_status", status=before.status)
    before.at = at
    match given:
        case Sit():
            return _sit(before, given)
        case Stand():
            return _stand(before, given)
        case Prepare():
            return _prepare(ruleset, before, given)
        case Play():
            return _play(ruleset, before, given, warm)
        case Rewind() | Takeover():
            return _take_over(ruleset, before, given)
        case Away() | Back():
            return _attend(ruleset, before, given)
        case Close():
            result = Result(given.status, given.reason, details={"text": given.text} if given.text else {})
            return _end(before, result, [], position_or_none(ruleset, before))
        case _:
            assert_never(given)


def position_of(ruleset: Ruleset, state: RoomState) -> Position | None:
    """Bring a room's match back to life, or give None before the start. Raises flow.Diverged."""
    if state.record is None:
        return None
    return flow.load(ruleset.rules, match_of(ruleset.rules, state.record, ruleset.pack), state.record)


def position_or_none(ruleset: Ruleset, state: RoomState) -> Position | None:
    """Bring a room's match back to life if its rules still can: a room whose rules raise has to end all the same."""
    try:
        return position_of(ruleset, state)
    except Exception:
        return None


def deadline_of(state: RoomState) -> int | None:
    """Say when something happens by itself: the lobby gives up, silence answers, an absence loses a seat."""
    if state.status == "lobby":
        return state.idle
    return timing.next_moment(state) if state.status == "playing" else None


def typed_options(rules: Rules[Any], options: dict[str, Any]) -> Any:
    """Make the game's options of plain data. Raises msgspec.ValidationError."""
    return msgspec.convert(options, rules.Options)


# ---- lobby -----------------------------------------------------------------------------------------------------


def _open(ruleset: Ruleset, given: Open, at: int) -> Change:
    names = given.names or ("",) * len(given.bots)
    seats = [
        Seat(bool(bot or name), bot=bot, name=bot or name, ready=bot is not None, deck=deck)
        for bot, deck, name in zip(given.bots, given.decks, names, strict=True)
    ]
    for kept in given.kept:
        seats[kept].kept_for = ""
    state = RoomState(
        given.id, given.game, given.rules, given.pack_id, given.pack, given.options, given.plan, at, seats,
        given.seed, at=at, idle=at + LOBBY_MS,
    )  # fmt: skip
    opened = [Event("room_opened", {})]
    if all(seat.ready for seat in seats):  # bots alone wait for nobody
        return _start(ruleset, state, opened)
    return Change(state, opened, None)


def _sit(state: RoomState, given: Sit) -> Change:
    _require_lobby(state)
    seat = state.seats[given.seat]
    seat.taken, seat.name, seat.deck, seat.ready = True, given.name, given.deck, False
    return _lobby_change(state, Event("seat_taken", {"seat": given.seat, "name": given.name}))


def _stand(state: RoomState, given: Stand) -> Change:
    _require_lobby(state)
    state.seats[given.seat] = Seat(kept_for=state.seats[given.seat].kept_for)
    return _lobby_change(state, Event("seat_left", {"seat": given.seat}))


def _prepare(ruleset: Ruleset, state: RoomState, given: Prepare) -> Change:
    _require_lobby(state)
    seat = state.seats[given.seat]
    seat.ready = given.ready
    seat.entropy = given.entropy or seat.entropy
    seat.deck = given.deck if given.deck is not None else seat.deck
    told = {"seat": given.seat, "ready": given.ready} | ({"entropy": given.entropy.hex()} if given.entropy else {})
    changed = _lobby_change(state, Event("seat_ready", told))
    if given.ready and all(seat.taken and seat.ready for seat in state.seats):
        return _start(ruleset, state, changed.events)
    return changed


def _require_lobby(state: RoomState) -> None:
    if state.status != "lobby":
        raise Refused("wrong_status", status=state.status)


def _lobby_change(state: RoomState, event: Event) -> Change:
    state.idle = state.at + LOBBY_MS
    return Change(state, [event], None)


# ---- play ------------------------------------------------------------------------------------------------------


def _start(ruleset: Ruleset, state: RoomState, events: list[Event]) -> Change:
    rules = ruleset.rules
    options = typed_options(rules, state.options)
    decks = tuple(seat.deck for seat in state.seats) if rules.brings_decks else ()
    holds = state.plan.holds and any(seat.bot is None for seat in state.seats)
    key = match_key(
        state.seed,
        state.id,
        state.game,
        state.rules,
        state.pack,
        encode(options),
        [seat.entropy for seat in state.seats],
    )
    match = Match(len(state.seats), options, ruleset.pack.cards, decks, holds)
    step = flow.begin(rules, match, pack=state.pack, key=key)
    for seat in state.seats:
        seat.deck = None  # the input log has it, for the end
    state.status = "playing"
    return _after(rules, state, step, [*events, Event("match_started", {}), *step.events], answered=())


def _play(ruleset: Ruleset, state: RoomState, given: Play, warm: Position | None) -> Change:
    if state.record is None:
        raise Refused("wrong_status", status=state.status)
    rules = ruleset.rules
    lost = [Event("seat_lost", {"seat": c.seat, "reason": c.gone}) for c in given.choices if c.gone]
    timing.come_back(state, [c.seat for c, by in zip(given.choices, given.by, strict=True) if by == "player"])
    _count_strikes(state, given)
    step = flow.submit(rules, match_of(rules, state.record, ruleset.pack), state.record, given.choices, warm)
    return _after(rules, state, step, [*lost, *step.events], answered=[choice.seat for choice in given.choices])


def _count_strikes(state: RoomState, given: Play) -> None:
    for choice, by in zip(given.choices, given.by, strict=True):
        if by == "clock" and timing.run_out(state.seats[choice.seat]):
            state.seats[choice.seat].strikes += 1
        elif by == "player":
            state.seats[choice.seat].strikes = 0


def takeover_of(state: RoomState, version: int) -> Takeover | Rewind:
    """Make the input by which newer rules take a room over: silent at rest, else back to the checkpoint."""
    resting = state.record is None or flow.at_rest(state.record)
    return Takeover(version) if resting else Rewind(version)


def _take_over(ruleset: Ruleset, state: RoomState, given: Takeover | Rewind) -> Change:
    rules = ruleset.rules
    if rules.version != given.rules or state.rules not in rules.reads or takeover_of(state, given.rules) != given:
        raise ValueError(f"rules {rules.version} do not go on from rules {state.rules} by a {type(given).__name__}")
    if unknown := [seat.bot for seat in state.seats if seat.bot is not None and seat.bot not in bots_of(rules)]:
        raise ValueError(f"rules {rules.version} have no bot {unknown[0]}")
    state.rules = rules.version
    if state.record is None:
        return Change(state, _judge_seats(ruleset, state), None)
    rewound = isinstance(given, Rewind)
    state.record = (flow.rewind if rewound else flow.take_over)(rules, state.record)
    position = position_of(ruleset, state)
    assert position is not None  # there is a record
    timing.restart(state)  # the room may have stood still for a while: nobody's time suffers from it
    told = [Event("rewound", {"rules": state.rules}), *position.table.events] if rewound else []
    return _after(rules, state, flow.Step(state.record, [], position), told, answered=())


def _judge_seats(ruleset: Ruleset, state: RoomState) -> list[Event]:
    """Look at options and decks in the light of newer rules: whose deck is not legal any more is not ready."""
    rules = ruleset.rules
    if rules.option_faults(typed_options(rules, state.options), len(state.seats)):
        raise ValueError(f"rules {rules.version} do not allow the options of the room")
    events = []
    for at, seat in enumerate(state.seats):
        if seat.deck is None or not rules.deck_faults(ruleset.pack, seat.deck):
            continue
        if seat.bot is not None:
            seat.deck = next(iter(rules.ready_decks(ruleset.pack).values()), None)
            if seat.deck is None:
                raise ValueError(f"rules {rules.version} have no deck for the bot of seat {at}")
        else:
            seat.deck, seat.ready = None, False
            events.append(Event("seat_ready", {"seat": at, "ready": False}))
    return events


def _attend(ruleset: Ruleset, state: RoomState, given: Away | Back) -> Change:
    if state.status != "playing":
        raise Refused("wrong_status", status=state.status)
    if isinstance(given, Away):
        timing.go_away(timing.terms_of(ruleset.rules.pace, state.plan), state, given.seats)
    else:
        timing.come_back(state, given.seats)
    return Change(state, [_attended(given, seat) for seat in given.seats], position_of(ruleset, state))


def _attended(given: Away | Back, seat: int) -> Event:
    return Event("seat_away", {"seat": seat}) if isinstance(given, Away) else Event("seat_back", {"seat": seat})


def _after(
    rules: Rules[Any], state: RoomState, step: flow.Step, events: list[Event], answered: Collection[int]
) -> Change:
    state.record = step.record
    state.faults = 0
    outcome = step.position.outcome
    if outcome is None:
        state.due = _deadlines(rules, state, step.position, answered)
        return Change(state, events, step.position)
    gone = step.position.table.gone
    status: Status = "resigned" if gone and outcome.reason in (*gone.values(), "concede") else "finished"
    result = Result(status, outcome.reason, outcome.winners, outcome.ranks, outcome.details)
    return _end(state, result, events, step.position)


def _end(state: RoomState, result: Result, events: list[Event], position: Position | None) -> Change:
    timing.stop(state)
    state.status, state.result, state.due = result.status, result, []
    told = {"status": result.status, "reason": result.reason, "winners": list(result.winners)}
    return Change(state, [*events, Event("room_ended", told)], position)


def _deadlines(rules: Rules[Any], state: RoomState, position: Position, answered: Collection[int]) -> list[Due]:
    terms = timing.terms_of(rules.pace, state.plan)
    return timing.deadlines(terms, state, position.asked, answered=answered, gone=position.table.gone)


def gone_choice(seat: int, reason: str) -> Choice:
    """Make the input by which a seat plays no more: ``resigned``, ``timeout`` or ``abandoned``."""
    return Choice(seat, gone=reason)
