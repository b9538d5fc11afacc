"""Clocks of seats: what a turn is, what it costs, when a seat's time is over. Pure; times are service milliseconds.

A seat's turn, as the service sees it, is the time during which the seat has a question to answer: an open prompt that
is neither held nor an offer. It goes on from one prompt to the next as long as nobody else is asked meanwhile, stands
still while the table waits for held windows only, and is over once somebody else is asked and the seat is not, or was.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from engines.flow import Asked
from engines.rules import Pace
from protocol.messages import RoomPlan
from protocol.prompt import Prompt
from server.state import Due, RoomState, Seat, SeatClock

LEAST_MS = 1_000
"""So long a prompt waits at least, whatever a clock says, where expiry does not lose the seat."""

ABSENT_MS = 3_000
"""An absence that is shorter moves no clock; absences that begin within so long begin together."""


class Terms(Struct, frozen=True):
    """What a room grants its seats, in ms. ``clocked``: turns are charged; else each prompt waits for ``turn``.

    ``absent``: an absence of this length loses the seat (0: never).
    """

    clocked: bool
    turn: int
    bank: int
    increment: int
    apart: int
    absent: int
    bot: int
    forfeit: bool

    @property
    def heeds_absence(self) -> bool:
        """Whether it matters to any clock that a seat is away."""
        return bool(self.absent or self.apart)


def terms_of(pace: Pace, plan: RoomPlan) -> Terms:
    """Give the terms of a room: what it was asked for, and the game's own pace where it was not."""
    banked = plan.bank_s is not None or plan.increment_s is not None
    clocked = banked or plan.turn_s is not None or plan.disconnect_s is not None
    decision_s = plan.decision_s or pace.decision_s
    turn_s = plan.turn_s or (0 if banked and plan.decision_s is None else decision_s)
    return Terms(
        clocked, 1000 * turn_s, 1000 * (plan.bank_s or 0), 1000 * (plan.increment_s or 0),
        1000 * (plan.disconnect_s or 0), 1000 * pace.absent_s, plan.bot_ms, plan.on_expiry == "forfeit",
    )  # fmt: skip


def deadlines(
    terms: Terms, state: RoomState, asked: Sequence[Asked], *, answered: Collection[int], gone: Collection[int] = ()
) -> list[Due]:
    """Bring all clocks up to a new version, and say until when each open prompt waits.

    ``answered``: the seats whose answers made this version. Others keep their time, whatever they are asked now.
    ``gone``: the seats that play no more.
    """
    for at in gone:
        state.seats[at].away = state.seats[at].lost_at = state.seats[at].clock = None
    waits = [each for each in asked if each.answer is None and not each.prompt.optional]
    if terms.clocked:
        playing = [at for at, seat in enumerate(state.seats) if seat.bot is None and at not in gone]
        charged = {each.prompt.seat for each in waits if not each.prompt.hold_ms}
        for at in playing:
            _turn_clock(terms, state, at, charged, at in answered)
    old = {due.seat: due.at for due in state.due if due.seat not in answered}
    return [
        Due(each.prompt.seat, each.id, old.get(each.prompt.seat) or _until(terms, state, each.prompt))
        for each in waits
    ]  # fmt: skip


def _until(terms: Terms, state: RoomState, prompt: Prompt) -> int:
    """Say until when a new prompt waits: its hold, a bot's pause, the seat's clock, or the time for a decision."""
    seat = state.seats[prompt.seat]
    if prompt.hold_ms:
        return state.at + prompt.hold_ms
    if seat.bot is not None:
        return state.at + terms.bot
    return state.at + (left(seat) if seat.clock is not None else terms.turn)


def _turn_clock(terms: Terms, state: RoomState, at: int, asked: Collection[int], has_answered: bool) -> None:
    seat = state.seats[at]
    clock = seat.clock = seat.clock or SeatClock(0, terms.bank, terms.apart)
    others = any(other != at for other in asked)
    if at not in asked:
        charge(seat, state.at)
        clock.since = None
        if others:
            _end_turn(terms, clock)
    elif clock.since is None or has_answered:
        _begin(terms, seat, clock, state.at)
        clock.shared = others
    else:
        clock.shared = clock.shared or others


def _begin(terms: Terms, seat: Seat, clock: SeatClock, now: int) -> None:
    """Let a seat's clock run for a new prompt: of a new turn, or of the one that is not over."""
    charge(seat, now)
    if clock.shared:
        _end_turn(terms, clock)
    if not clock.on:
        clock.turn, clock.on, clock.spent = terms.turn, True, False
    if not terms.forfeit:
        clock.turn = max(clock.turn, LEAST_MS - clock.bank)
    clock.since = now


def _end_turn(terms: Terms, clock: SeatClock) -> None:
    if clock.on and not clock.spent:
        clock.bank += terms.increment
    clock.on, clock.shared, clock.turn = False, False, 0


def left(seat: Seat) -> int:
    """Give how long a seat's clock would run on from its last charge."""
    clock = seat.clock
    if clock is None:
        return 0
    return clock.turn + clock.bank + (clock.apart if seat.away is not None else 0)


def charge(seat: Seat, now: int) -> None:
    """Take what has passed off a running clock: off the time apart if the seat is away, off the turn, off the bank."""
    clock = seat.clock
    if clock is None or clock.since is None:
        return
    passed = max(0, now - clock.since)
    if seat.away is not None:
        apart = min(passed, clock.apart)
        clock.apart, passed = clock.apart - apart, passed - apart
    turn = min(passed, clock.turn)
    clock.turn, clock.bank = clock.turn - turn, max(0, clock.bank - (passed - turn))
    clock.since = now


def run_out(seat: Seat) -> bool:
    """Note that a seat's time is over. Gives False if that was noted in this turn before: a turn runs out once."""
    if seat.clock is None:
        return True
    first, seat.clock.spent = not seat.clock.spent, True
    return first


def stop(state: RoomState) -> None:
    """Let all clocks stand still where they are."""
    for seat in state.seats:
        charge(seat, state.at)
        if seat.clock is not None:
            seat.clock.since = None


def restart(state: RoomState) -> None:
    """Begin everybody's turn anew, without an increment: the match goes on from its last checkpoint."""
    stop(state)
    state.due = []
    for seat in state.seats:
        if seat.clock is not None:
            seat.clock.on = seat.clock.shared = False


def go_away(terms: Terms, state: RoomState, seats: Collection[int]) -> None:
    """Note that nobody is there for these seats. Time that was over before stays over."""
    lost_at = _lost_with_others(state) or state.at + terms.absent
    for at in seats:
        _move_clock(state, at, state.at, lost_at if terms.absent else None)


def _lost_with_others(state: RoomState) -> int | None:
    """Say when seats are lost whose absence began at the same moment, as far as moments can be told apart."""
    recent = (seat.lost_at for seat in state.seats if seat.away is not None and state.at - seat.away <= ABSENT_MS)
    return next((lost_at for lost_at in recent if lost_at is not None), None)


def come_back(state: RoomState, seats: Collection[int]) -> None:
    """Note that somebody is there for these seats again."""
    for at in seats:
        if state.seats[at].away is not None:
            _move_clock(state, at, None, None)


def _move_clock(state: RoomState, at: int, away: int | None, lost_at: int | None) -> None:
    """Charge a seat for what it was until now, and give its open prompt the time that it has as what it is now."""
    seat = state.seats[at]
    running = seat.clock is not None and seat.clock.since is not None
    charge(seat, state.at)
    seat.away, seat.lost_at = away, lost_at
    if running:
        until = state.at + left(seat)
        moved = [due for due in state.due if due.seat == at and due.at > state.at]
        state.due = [Due(at, due.prompt, until) if due in moved else due for due in state.due]


def lost(state: RoomState, now: int) -> list[int]:
    """Give the seats that have been away for too long by now."""
    if state.status != "playing":
        return []
    return [at for at, seat in enumerate(state.seats) if seat.lost_at is not None and seat.lost_at <= now]


def next_moment(state: RoomState) -> int | None:
    """Say when time next decides something in a match: a prompt's silence, or an absence."""
    moments = [due.at for due in state.due]
    moments += [seat.lost_at for seat in state.seats if seat.lost_at is not None]
    return min(moments, default=None)
