"""What is true of every reachable state (PA-2.5, PA-2.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.patron.cards import Cards
from engines.patron.ends import GOAL
from engines.patron.simple_ops import MOST_STORED
from engines.patron.state import Side, State
from engines.patron.zones import HAND_LIMIT


def broken(cards: Cards, state: State) -> list[str]:
    """List broken invariants; empty in every reachable state."""
    found = [*_misplaced(state), *_misnamed(state), *_out_of_phase(state)]
    for seat, side in enumerate(state.sides):
        found += [f"seat {seat}: {text}" for text in (*_out_of_bounds(state, side), *_wrong_kinds(cards, state, side))]
    return found


def _places(side: Side) -> list[int]:
    """Give where the cards of a seat lie, the resolving one apart; a patron in play lies in ``terra``."""
    waiting = [] if side.in_play else [side.patron]
    events = [slot.card for slot in side.events]
    return [*waiting, *side.deck, *side.hand, *side.discard, *side.terra, *side.graces, *events]


def _misplaced(state: State) -> Iterator[str]:
    """Every card lies in exactly one place, among its owner's cards (PA-2.6 ``resolving``)."""
    times: Counter[int] = Counter([] if state.resolving is None else [state.resolving])
    for seat, side in enumerate(state.sides):
        times.update(_places(side))
        if any(state.cards[number].owner != seat for number in _places(side)):
            yield f"seat {seat} holds a card of the other seat"
    if sorted(times.elements()) != list(range(len(state.cards))):
        yield f"cards do not lie in one place each: {sorted(times.elements())}"


def _misnamed(state: State) -> Iterator[str]:
    """Cards in a deck and face down have no name but while they are shown; all others have one of their own."""
    named: list[str] = []
    for side in state.sides:
        hidden = [*side.deck, *(slot.card for slot in side.events)]
        if any(state.cards[number].id for number in hidden if number not in state.look):
            yield "a hidden card has a name"
        named += [state.cards[number].id for number in _places(side) if number not in hidden]
    if "" in named or len(set(named)) != len(named):
        yield f"names are missing or double: {named}"


def _out_of_phase(state: State) -> Iterator[str]:
    if (state.priority is not None) != (state.phase == "events"):
        yield f"priority {state.priority} in phase {state.phase}"
    if state.pool is not None and (state.phase != "intercession" or state.pool < 0):
        yield f"pool {state.pool} in phase {state.phase}"
    if state.passes not in (0, 1):
        yield f"{state.passes} passes"
    if (state.result is not None) != (state.phase == "game_over"):
        yield f"result {state.result} in phase {state.phase}"


def _out_of_bounds(state: State, side: Side) -> Iterator[str]:
    most = HAND_LIMIT + (state.asking is not None and state.asking.kind == "overflow") + (state.result is not None)
    if len(side.hand) > most:
        yield f"a hand of {len(side.hand)}"
    if not 0 <= side.milestones <= GOAL or side.tokens < 0 or side.progress < 0:
        yield f"milestones {side.milestones}, tokens {side.tokens}, progress {side.progress}"
    if not 0 <= side.stored <= MOST_STORED or not 0 <= side.cycled <= 3:  # PA-4.46
        yield f"stored {side.stored}, cycled {side.cycled}"
    if not side.in_play and (side.milestones or side.graces or side.friend is not None):
        yield "milestones, graces or a friend without a patron in play"


def _wrong_kinds(cards: Cards, state: State, side: Side) -> Iterator[str]:
    kinds = {"saint": side.terra, "grace": side.graces, "event": [slot.card for slot in side.events]}
    for kind, numbers in kinds.items():
        if any(cards[state.key(number)].kind != kind for number in numbers):
            yield f"something else where a {kind} should be"
    if len({state.key(number) for number in side.terra}) != len(side.terra):  # PA-4.11
        yield "a saint is in play twice"
    if (side.patron in side.terra) != side.in_play:
        yield "the patron is not where it should be"
    if side.friend is not None and (side.friend == side.patron or side.friend not in side.terra):
        yield "the friend is no other saint in play"
