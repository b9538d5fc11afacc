"""The prompts that are turns: what the seat that has to act may do in each phase (PA-4.1, PA-5.2, PA-5.6).

Owns legality. What an act does is done elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.patron.cards import Cards, effects_of
from engines.patron.entering import duplicates
from engines.patron.lasting import score_of
from engines.patron.milestones import may_try
from engines.patron.simple_ops import MOST_STORED
from engines.patron.state import Game, Phase, State, cards_of
from engines.patron.statics import restricted, works
from engines.patron.table_ops import stone
from engines.patron.terms import Action
from engines.patron.words import Act as OneUse
from engines.rules import Act, Prompt, pick

MOST_CYCLED = 3  # PA-4.46

Offer = Callable[[Game, int, frozenset[Action]], list[Act]]


def turn_prompt(table: Game, seat: int) -> Prompt:
    """Ask the seat that has to act; the last option is what silence means, but for storing (PA-5.6)."""
    phase = table.state.phase
    acts = OFFERS[phase](table, seat, restricted(cards_of(table), table.state, seat))
    goes_on = DEFAULTS[phase]
    default = next(at for at, act in enumerate(acts) if act["do"] == goes_on)
    return pick(seat, phase, acts, default=(default,), rule="PA-4.1")


def _intercession(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    state = table.state
    acts: list[Act] = [] if "play_saint" in barred else _plays(table, seat)
    acts += _cycles(table, seat, barred)
    acts.append({"do": "end_intercession"})
    if may_store(state, seat):
        acts.append({"do": "end_intercession", "store": True})
    acts.append({"do": "end_intercession", "store": False})
    return acts


def may_store(state: State, seat: int) -> bool:
    """Say whether points may be stored: no saint was played in this phase, and fewer than 6 are (PA-4.12, PA-9.42)."""
    return not state.saints_this_phase and state.sides[seat].stored < MOST_STORED


def _plays(table: Game, seat: int) -> list[Act]:
    """List the saints that can be paid for; the patron waits in its place (PA-4.9, PA-9.1)."""
    cards, state = cards_of(table), table.state
    side, pool = state.sides[seat], state.pool or 0
    acts: list[Act] = [
        {"do": "play_saint", "card": state.cards[number].id}
        for number in side.hand
        if cards[state.key(number)].kind == "saint"
        and not duplicates(state, seat, state.key(number))
        and score_of(cards, state, number) <= pool
    ]
    if not side.in_play and score_of(cards, state, side.patron) <= pool:
        acts.append({"do": "play_patron"})
    return acts


def _friendship(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    """List who may become friend: one action a turn, never the patron, never the friend again (PA-4.14, PA-4.15)."""
    state, side = table.state, table.state.sides[seat]
    may = side.in_play and not side.friend_acted and "set_friend" not in barred  # PA-9.17, PA-9.18
    others = [number for number in side.terra if number not in (side.patron, side.friend)] if may else []
    acts: list[Act] = [{"do": "set_friend", "card": state.cards[number].id} for number in others]
    return [*acts, *_cycles(table, seat, barred), {"do": "end_phase"}]


def _effects(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    """List the one-use effects that may be activated now (PA-4.18)."""
    cards, state = cards_of(table), table.state
    may = () if "activate_effect" in barred else state.sides[seat].terra
    acts: list[Act] = [
        {"do": "activate_effect", "card": state.cards[number].id, "effect": index}
        for number in may
        for index, effect in enumerate(effects_of(cards[state.key(number)]))
        if isinstance(effect, OneUse)
        and stone(state, number, index) not in state.sides[seat].used
        and works(cards, state, number, effect)
    ]
    return [*acts, *_cycles(table, seat, barred), {"do": "end_phase"}]


def _graces(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    """List the graces of the hand: free and without limit, but never without the patron (PA-4.20, PA-9.21)."""
    may = table.state.sides[seat].in_play and "play_grace" not in barred
    acts = _of_kind(table, seat, "grace", "play_grace") if may else []
    return [*acts, *_cycles(table, seat, barred), {"do": "end_phase"}]


def _of_kind(table: Game, seat: int, kind: str, do: str) -> list[Act]:
    cards, state = cards_of(table), table.state
    hand = state.sides[seat].hand
    return [{"do": do, "card": state.cards[number].id} for number in hand if cards[state.key(number)].kind == kind]


def _events(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    """List what the seat with priority may do; only the active seat sets and cycles (PA-4.25, PA-5.3, PA-9.23)."""
    acts: list[Act] = []
    if seat == table.state.active and "set_event" not in barred:
        acts += _of_kind(table, seat, "event", "set_event")
    if "activate_event" not in barred:
        acts += [{"do": "activate_event", "slot": slot} for slot in ready_slots(table, seat)]
    if seat == table.state.active:
        acts += _cycles(table, seat, barred)
    return [*acts, {"do": "pass_priority"}]


def ready_slots(table: Game, seat: int) -> list[str]:
    """Give the events that a seat may activate: set in an earlier turn, and its own unless agreed (PA-4.26, PA-9.24).

    It depends on slots alone, which all can see, never on what lies in them.
    """
    state = table.state
    either = table.match.options.event_activation == "any"
    return [
        slot.slot
        for owner in (seat, 1 - seat)
        if owner == seat or either
        for slot in state.sides[owner].events
        if state.turn > slot.set_turn
    ]


def _milestones(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    acts: list[Act] = []  # PA-9.31: here and nowhere else
    if may_try(cards_of(table), table.state, seat):
        acts.append({"do": "complete_milestone"})
    return [*acts, *_cycles(table, seat, barred), {"do": "end_phase"}, {"do": "end_turn"}]


def _recursion(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    return [{"do": "repeat_phases"}, *_cycles(table, seat, barred), {"do": "end_turn"}]


def _cycles(table: Game, seat: int, barred: frozenset[Action]) -> list[Act]:
    """List the saints that may be exchanged because they are in play already (PA-4.46, PA-9.7)."""
    cards: Cards = cards_of(table)
    state, side = table.state, table.state.sides[seat]
    empty = not side.deck and table.match.options.deck_out != "reshuffle"
    if "cycle_saint" in barred or side.cycled >= MOST_CYCLED or empty:
        return []
    return [
        {"do": "cycle_saint", "card": state.cards[number].id}
        for number in side.hand
        if cards[state.key(number)].kind == "saint" and duplicates(state, seat, state.key(number))
    ]


OFFERS: dict[Phase, Offer] = {
    "intercession": _intercession,
    "friendship": _friendship,
    "effects": _effects,
    "graces": _graces,
    "events": _events,
    "milestones": _milestones,
    "recursion": _recursion,
}
DEFAULTS: dict[Phase, str] = {
    "intercession": "end_intercession",
    "friendship": "end_phase",
    "effects": "end_phase",
    "graces": "end_phase",
    "events": "pass_priority",
    "milestones": "end_phase",
    "recursion": "end_turn",
}
