"""Clocks without a loop: what a turn is and costs, absences, and a model that walks at random beside them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engines.flow import Asked
from engines.record import encode
from engines.rules import Pace, Prompt
from protocol.messages import RoomPlan
from server import timing
from server.state import RoomState, Seat, decode_state

PACE = Pace(decision_s=20, strikes=3, absent_s=60)
START = 1_000_000


def a_room(plan: RoomPlan, seats: int = 2, bots: tuple[int, ...] = ()) -> RoomState:
    places = [Seat(True, f"a{at}", f"P{at}", "idle" if at in bots else None) for at in range(seats)]
    return RoomState("r", "g", 1, "p", "h", {}, plan, START, places, b"", at=START, status="playing")


class Table:
    """A room whose seats are asked by hand. ``ask(seats)`` opens new prompts, one a seat."""

    def __init__(self, plan: RoomPlan, seats: int = 2, bots: tuple[int, ...] = (), pace: Pace = PACE) -> None:
        self.terms = timing.terms_of(pace, plan)
        self.state = a_room(plan, seats, bots)
        self.asked: tuple[Asked, ...] = ()
        self.count = 0

    def ask(self, *seats: int, answered: tuple[int, ...] = (), held: tuple[int, ...] = (), at: int = START) -> None:
        new = [Prompt(seat, "turn") for seat in seats] + [Prompt(seat, "window", hold_ms=1_500) for seat in held]
        self.count += 1
        self.show(tuple(Asked(self.count, prompt) for prompt in new), answered, at)

    def answer(self, seat: int, at: int) -> None:
        """Answer one of several prompts: the others stay open."""
        for each in self.asked:
            if each.prompt.seat == seat:
                each.answer = ("1",)
        self.show(self.asked, (seat,), at)

    def show(self, asked: tuple[Asked, ...], answered: tuple[int, ...], at: int) -> None:
        self.asked, self.state.at = asked, at
        self.state.due = timing.deadlines(self.terms, self.state, asked, answered=answered)

    def away(self, *seats: int, at: int) -> None:
        self.state.at = at
        timing.go_away(self.terms, self.state, seats)

    def back(self, *seats: int, at: int) -> None:
        self.state.at = at
        timing.come_back(self.state, seats)

    def due(self) -> dict[int, int]:
        """Give the time of every open prompt, from the start."""
        return {due.seat: due.at - START for due in self.state.due}

    def bank(self, seat: int) -> int:
        clock = self.state.seats[seat].clock
        assert clock is not None
        return clock.bank


def test_without_clock_options_every_prompt_has_the_time_of_a_decision() -> None:
    table = Table(RoomPlan(decision_s=5))
    table.ask(0)
    assert table.due() == {0: 5_000}
    table.ask(0, answered=(0,), at=START + 2_000)
    assert table.due() == {0: 7_000}
    assert [seat.clock for seat in table.state.seats] == [None, None]


def test_a_turn_goes_on_from_prompt_to_prompt_of_one_seat() -> None:
    table = Table(RoomPlan(turn_s=30))
    table.ask(0)
    table.ask(0, answered=(0,), at=START + 10_000)
    assert table.due() == {0: 30_000}


def test_a_turn_is_renewed_after_somebody_else_was_asked() -> None:
    table = Table(RoomPlan(turn_s=30))
    table.ask(0)
    table.ask(1, answered=(0,), at=START + 10_000)
    assert table.due() == {1: 40_000}
    table.ask(0, answered=(1,), at=START + 15_000)
    assert table.due() == {0: 45_000}


def test_the_slower_of_two_who_are_asked_at_once_gets_a_new_turn_with_the_next_question() -> None:
    table = Table(RoomPlan(turn_s=30))
    table.ask(0, 1)
    table.answer(0, START + 1_000)
    assert table.due() == {1: 30_000}
    table.ask(0, 1, answered=(1,), at=START + 25_000)
    assert table.due() == {0: 55_000, 1: 55_000}


def test_a_held_window_stops_a_turn_and_does_not_renew_it() -> None:
    table = Table(RoomPlan(turn_s=30))
    table.ask(0)
    table.ask(held=(1,), answered=(0,), at=START + 10_000)
    assert table.due() == {1: 11_500}
    table.ask(0, answered=(1,), at=START + 11_500)
    assert table.due() == {0: 31_500}


def test_an_offer_made_anew_leaves_the_clock_of_who_has_not_answered() -> None:
    table = Table(RoomPlan(turn_s=30))
    table.ask(0)
    table.ask(0, answered=(1,), at=START + 10_000)
    assert table.due() == {0: 30_000}


def test_the_bank_is_used_when_the_turn_is_over_and_not_before() -> None:
    table = Table(RoomPlan(turn_s=10, bank_s=60))
    table.ask(0)
    assert table.due() == {0: 70_000}
    table.ask(1, answered=(0,), at=START + 10_000)
    assert table.bank(0) == 60_000
    table.ask(0, answered=(1,), at=START + 10_000)
    table.ask(1, answered=(0,), at=START + 25_000)
    assert table.bank(0) == 55_000


def test_an_increment_comes_after_each_turn_and_not_after_each_prompt() -> None:
    table = Table(RoomPlan(bank_s=60, increment_s=2))
    table.ask(0)
    table.ask(0, answered=(0,), at=START + 3_000)
    assert table.bank(0) == 57_000
    table.ask(1, answered=(0,), at=START + 5_000)
    assert (table.bank(0), table.bank(1)) == (57_000, 60_000)
    assert table.due() == {1: 65_000}


def test_a_turn_that_ran_out_earns_no_increment_and_counts_once() -> None:
    table = Table(RoomPlan(turn_s=1, increment_s=2))
    table.ask(0)
    seat = table.state.seats[0]
    assert timing.run_out(seat)
    table.ask(0, answered=(0,), at=START + 1_000)
    assert not timing.run_out(seat)
    table.ask(1, answered=(0,), at=START + 2_000)
    assert table.bank(0) == 0


def test_where_a_seat_is_not_lost_every_prompt_waits_for_a_second() -> None:
    table = Table(RoomPlan(turn_s=2))
    table.ask(0)
    table.ask(0, answered=(0,), at=START + 2_500)
    assert table.due() == {0: 3_500}
    forfeit = Table(RoomPlan(turn_s=2, on_expiry="forfeit"))
    forfeit.ask(0)
    forfeit.ask(0, answered=(0,), at=START + 1_900)
    assert forfeit.due() == {0: 2_000}


def test_time_apart_is_charged_before_the_turn_and_only_on_it() -> None:
    table = Table(RoomPlan(turn_s=30, disconnect_s=20))
    table.ask(0)
    table.away(0, 1, at=START + 5_000)
    assert table.due() == {0: 50_000}
    table.back(0, 1, at=START + 17_000)
    assert table.due() == {0: 42_000}
    table.ask(1, answered=(0,), at=START + 17_000)
    left = [seat.clock.apart for seat in table.state.seats if seat.clock]
    assert left == [8_000, 20_000]


def test_time_that_was_over_before_an_absence_stays_over() -> None:
    table = Table(RoomPlan(turn_s=5, disconnect_s=20))
    table.ask(0)
    table.away(0, at=START + 5_000)
    assert table.due() == {0: 5_000}
    assert table.state.seats[0].away == START + 5_000


def test_a_seat_that_is_away_when_its_turn_begins_has_its_time_apart() -> None:
    table = Table(RoomPlan(turn_s=5, disconnect_s=20))
    table.ask(1)
    table.away(0, at=START + 1_000)
    table.ask(0, answered=(1,), at=START + 2_000)
    assert table.due() == {0: 27_000}


def test_an_absence_has_an_end_by_itself() -> None:
    table = Table(RoomPlan())
    table.ask(0)
    table.away(1, at=START + 1_000)
    assert table.state.seats[1].lost_at == START + 61_000
    assert timing.next_moment(table.state) == START + 20_000
    assert timing.lost(table.state, START + 60_999) == []
    assert timing.lost(table.state, START + 61_000) == [1]
    table.back(1, at=START + 30_000)
    assert timing.lost(table.state, START + 99_000) == []


@pytest.mark.parametrize(("after", "together"), [(3_000, True), (3_001, False)])
def test_absences_that_begin_together_end_together(after: int, together: bool) -> None:
    table = Table(RoomPlan())
    table.ask(0)
    table.away(0, at=START)
    table.away(1, at=START + after)
    assert (timing.lost(table.state, START + 60_000) == [0, 1]) is together


def test_bots_and_seats_that_are_gone_have_no_clock() -> None:
    table = Table(RoomPlan(turn_s=30, bot_ms=400), seats=3, bots=(1,))
    table.ask(0, 1)
    assert table.due() == {0: 30_000, 1: 400}
    table.state.due = timing.deadlines(table.terms, table.state, table.asked, answered=(), gone={2: "resigned"})
    assert [seat.clock is not None for seat in table.state.seats] == [True, False, False]


def test_a_stopped_clock_costs_nothing() -> None:
    table = Table(RoomPlan(bank_s=60))
    table.ask(0)
    table.state.at = START + 20_000
    timing.stop(table.state)
    timing.charge(table.state.seats[0], START + 50_000)
    assert table.bank(0) == 40_000


def test_a_match_that_is_rewound_begins_with_new_turns() -> None:
    table = Table(RoomPlan(turn_s=30, increment_s=5))
    table.ask(0)
    table.state.at = START + 20_000
    timing.restart(table.state)
    table.ask(0, at=START + 20_000)
    assert (table.due(), table.bank(0)) == ({0: 50_000}, 0)


@pytest.mark.parametrize(
    ("plan", "turn", "clocked"),
    [
        (RoomPlan(), 20, False),
        (RoomPlan(decision_s=7), 7, False),
        (RoomPlan(on_expiry="forfeit"), 20, False),
        (RoomPlan(turn_s=9, decision_s=7), 9, True),
        (RoomPlan(disconnect_s=9), 20, True),
        (RoomPlan(bank_s=9), 0, True),
        (RoomPlan(bank_s=9, decision_s=7), 7, True),
    ],
)
def test_the_time_of_a_turn_comes_from_what_was_asked_for(plan: RoomPlan, turn: int, clocked: bool) -> None:
    terms = timing.terms_of(PACE, plan)
    assert (terms.turn, terms.clocked) == (1_000 * turn, clocked)


# ---- random walks ----------------------------------------------------------------------------------------------

STEP = 100
PLANS = (
    RoomPlan(turn_s=3),
    RoomPlan(bank_s=8, increment_s=1, on_expiry="forfeit"),
    RoomPlan(turn_s=2, bank_s=5, increment_s=1, disconnect_s=4),
    RoomPlan(turn_s=1, disconnect_s=2, on_expiry="forfeit"),
)


class Hourglass:
    """The model of one seat's clock: it is turned by hand, a tenth of a second at a time."""

    def __init__(self, terms: timing.Terms) -> None:
        self.terms = terms
        self.turn, self.bank, self.apart = 0, terms.bank, terms.apart
        self.asked = self.away = self.in_turn = self.ran_out = self.company = False

    def tick(self) -> None:
        if not self.asked:
            return
        if self.away and self.apart:
            self.apart -= STEP
        elif self.turn:
            self.turn -= STEP
        elif self.bank:
            self.bank -= STEP

    @property
    def left(self) -> int:
        return self.turn + self.bank + (self.apart if self.away else 0)

    def end(self) -> None:
        if self.in_turn:
            self.bank += 0 if self.ran_out else self.terms.increment
        self.in_turn, self.company, self.turn = False, False, 0

    def begin(self) -> None:
        if not self.in_turn:
            self.turn, self.in_turn, self.ran_out = self.terms.turn, True, False
        if not self.terms.forfeit and self.turn + self.bank < timing.LEAST_MS:
            self.turn = timing.LEAST_MS - self.bank


class Walk(RuleBasedStateMachine):
    """Two seats that are asked, answer, drop, return and run out in any order, on nodes that know only what is kept."""

    @initialize(plan=st.sampled_from(PLANS), first=st.sampled_from(((0,), (1,), (0, 1))))
    def begin(self, plan: RoomPlan, first: tuple[int, ...]) -> None:
        self.table = Table(plan)
        self.model = [Hourglass(self.table.terms) for _ in range(2)]
        self.now = START
        self.open: dict[int, str] = {}
        self.asks(first, (), ())

    def asks(self, seats: tuple[int, ...], held: tuple[int, ...], answered: tuple[int, ...]) -> None:
        """A rule asks, after these seats have answered: the model first, then the clocks."""
        for seat, glass in enumerate(self.model):
            others = any(other != seat for other in seats)
            if seat not in seats:
                glass.asked = False
                if others:
                    glass.end()
                continue
            if glass.company:
                glass.end()
            glass.begin()
            glass.asked, glass.company = True, others
        self.open = dict.fromkeys(seats, "ask") | dict.fromkeys(held, "hold")
        self.table.ask(*seats, answered=answered, held=held, at=self.now)

    def settles(self, seat: int, following: Any) -> None:
        """A seat's answer is in: the rule waits for the other one, or asks anew."""
        if len(self.open) > 1:
            del self.open[seat]
            glass, other = self.model[seat], self.model[1 - seat]
            glass.asked = False
            glass.end()
            other.company = True
            self.table.answer(seat, self.now)
            return
        kind, one = following
        asked = {"same": (seat,), "other": (1 - seat,), "both": (0, 1), "window": ()}[kind]
        self.asks(asked, (one,) if kind == "window" else (), (seat,))

    following = st.tuples(st.sampled_from(("same", "other", "both", "window")), st.integers(0, 1))

    @rule(steps=st.integers(1, 30), after=following)
    def time_passes(self, steps: int, after: Any) -> None:
        for _ in range(steps):
            self.now += STEP
            for glass in self.model:
                glass.tick()
        if any(due.at <= self.now for due in self.table.state.due):
            self.runs_out(after)

    def runs_out(self, after: Any) -> None:
        """Play the defaults of all that are due: nobody of them has any time left."""
        for due in [due for due in self.table.state.due if due.at <= self.now]:
            if self.open.get(due.seat) == "ask":
                assert self.model[due.seat].left == 0
                timing.run_out(self.table.state.seats[due.seat])
                self.model[due.seat].ran_out = True
            if due.seat in self.open:
                self.settles(due.seat, after)

    @rule(seat=st.integers(0, 1), after=following)
    def somebody_chooses(self, seat: int, after: Any) -> None:
        if self.open.get(seat) == "ask":
            self.table.back(seat, at=self.now)
            self.model[seat].away = False
            self.settles(seat, after)

    @rule(seat=st.integers(0, 1))
    def somebody_drops(self, seat: int) -> None:
        over = any(due.seat == seat and due.at <= self.now for due in self.table.state.due)
        if not self.model[seat].away and not over:
            self.table.away(seat, at=self.now)
            self.model[seat].away = True

    @rule(seat=st.integers(0, 1))
    def somebody_returns(self, seat: int) -> None:
        self.table.back(seat, at=self.now)
        self.model[seat].away = False

    @rule()
    def another_node_takes_over(self) -> None:
        self.table.state = decode_state(encode(self.table.state))

    @invariant()
    def the_model_agrees(self) -> None:
        if not hasattr(self, "table"):
            return
        due = {due.seat: due.at for due in self.table.state.due}
        for seat, kind in self.open.items():
            if kind == "ask":
                assert due[seat] == self.now + self.model[seat].left
        kept = decode_state(encode(self.table.state))
        for seat, glass in zip(kept.seats, self.model, strict=True):
            timing.charge(seat, self.now)
            assert seat.clock is not None
            assert (seat.clock.turn + seat.clock.bank, seat.clock.apart) == (glass.turn + glass.bank, glass.apart)


Walk.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestWalk = Walk.TestCase
