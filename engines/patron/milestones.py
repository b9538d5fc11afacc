"""Milestones: what is still missing, how one is tried and paid (PA-4.40 to PA-4.44, PA-6.12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.patron.asking import ask_in_order, naming
from engines.patron.cards import Cards, Milestone
from engines.patron.checking import Trial, check
from engines.patron.ends import GOAL, end_match
from engines.patron.progress import current
from engines.patron.state import Game, Result, State, cards_of, suits
from engines.patron.statics import frame_of, holds
from engines.patron.triggers import fire
from engines.patron.zones import discard_from_hand, into_discard, tell_move
from engines.rules import Flow


def unmet(cards: Cards, state: State, seat: int) -> list[str]:
    """Name the requirements that do not hold now, in the order of PA-6.12; ``check`` is never among them."""
    milestone = current(cards, state, seat)
    if milestone is None:
        return []
    side = state.sides[seat]
    patron = frame_of(state, side.patron)
    held = {
        "tokens": side.tokens >= (milestone.tokens or 0),
        "graces": milestone.graces is None or len(_graces(cards, state, seat, milestone)) >= milestone.graces.n,
        "discard": milestone.discard is None or len(_hand(cards, state, seat, milestone)) >= milestone.discard.n,
        "state": holds(cards, state, patron, milestone.state),
        "progress": milestone.progress is None or side.progress >= milestone.progress.n,
    }
    return [key for key, fulfilled in held.items() if not fulfilled]


def may_try(cards: Cards, state: State, seat: int) -> bool:
    """Say whether the current milestone may be tried: in play, not failed in this turn, nothing missing (PA-4.44)."""
    side = state.sides[seat]
    milestone = current(cards, state, seat)
    if not side.in_play or milestone is None or (milestone.check is not None and side.milestone_tried):
        return False
    return not unmet(cards, state, seat)


def _graces(cards: Cards, state: State, seat: int, milestone: Milestone) -> list[int]:
    wanted = milestone.graces.filter if milestone.graces else None
    return [number for number in state.sides[seat].graces if suits(cards, state, number, wanted)]


def _hand(cards: Cards, state: State, seat: int, milestone: Milestone) -> list[int]:
    wanted = milestone.discard.filter if milestone.discard else None
    return [number for number in state.sides[seat].hand if suits(cards, state, number, wanted)]


def complete(table: Game, seat: int) -> Flow[None]:
    """Name what is paid, make the check if there is one, then pay and complete (PA-4.41, PA-4.44)."""
    state, side = table.state, table.state.sides[seat]
    milestone = current(cards_of(table), state, seat)
    assert milestone is not None  # it was offered
    discarded, consumed = yield from _payment(table, seat, milestone)
    if milestone.check is not None:
        trial = Trial("milestone", milestone.check.virtues, milestone.check.number)
        rolled = yield from check(table, frame_of(state, side.patron), seat, trial)
        if not rolled.success:
            side.milestone_tried = True  # PA-9.32
            table.emit("milestone_failed", seat=seat, number=side.milestones + 1)
            return
    _pay(table, seat, milestone, discarded, consumed)
    if side.milestones == GOAL:
        end_match(table, Result(seat, "milestones"))  # PA-8.1, PA-8.2: one at a time, in the own turn
    fire(table, "milestone", (seat,))


def _payment(table: Game, seat: int, milestone: Milestone) -> Flow[tuple[list[int], list[int]]]:
    """Let the seat name the cards and graces with which it pays, in the order in which they go (PA-5.4)."""
    cards, state = cards_of(table), table.state
    discarded: list[int] = []
    consumed: list[int] = []
    if milestone.discard is not None:
        matching = _hand(cards, state, seat, milestone)
        discarded = yield from _name(table, seat, "pay_discard", matching, milestone.discard.n, public=False)
    if milestone.graces is not None and milestone.graces.consume:
        matching = _graces(cards, state, seat, milestone)
        consumed = yield from _name(table, seat, "pay_graces", matching, milestone.graces.n, public=True)
    return discarded, consumed


def _name(table: Game, seat: int, kind: str, matching: Sequence[int], n: int, *, public: bool) -> Flow[list[int]]:
    state = table.state
    acts = naming([state.cards[number].id for number in matching], "pay_card")
    patron = state.cards[state.sides[seat].patron]
    about: dict[str, Any] = {"source": {"id": patron.id, "card": patron.key}}
    places = yield from ask_in_order(table, seat, kind, acts, n, "PA-5.4", about, public=public)
    return [matching[place] for place in places]


def _pay(table: Game, seat: int, milestone: Milestone, discarded: list[int], consumed: list[int]) -> None:
    """Pay tokens, hand cards, graces; then the milestone is completed and progress begins anew (PA-4.41, PA-4.42).

    What is not paid stays for later milestones: tokens (PA-9.29) and graces (PA-4.21).
    """
    side = table.state.sides[seat]
    paid = milestone.tokens or 0
    side.tokens -= paid
    if paid:
        table.emit("tokens_changed", seat=seat, by=-paid, tokens=side.tokens)
    discard_from_hand(table, seat, discarded)
    for number in consumed:
        side.graces.remove(number)
        into_discard(table, number)
        tell_move(table, number, "graces", "discard", public=True)
    side.milestones += 1
    side.progress = 0
    names = [[table.state.cards[number].id for number in numbers] for numbers in (discarded, consumed)]
    table.emit(
        "milestone_completed", seat=seat, number=side.milestones, tokens_paid=paid, discarded=names[0],
        graces_consumed=names[1],
    )  # fmt: skip
