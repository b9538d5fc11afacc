"""The course of a match (PA-4.1): what happens at each quiet point, one function a step.

A step ends with no action half done; triggers that fired are done before the next step begins (PA-6.3).
"""

from __future__ import annotations

from collections.abc import Callable

from engines.patron import lasting
from engines.patron.acts import do
from engines.patron.asking import ask, ask_some, naming
from engines.patron.checking import roll_intercession
from engines.patron.effects import resolve_next
from engines.patron.ends import Over, end_by_turns
from engines.patron.offers import turn_prompt
from engines.patron.phases import enter_phase, pass_on, pass_priority, passes_by_itself
from engines.patron.state import Game, Step
from engines.patron.triggers import fire
from engines.patron.zones import draw, shuffle_deck
from engines.rules import Act, Flow, pick

OPENING = 7  # PA-3.5
FEW, ENOUGH = 4, 5  # PA-4.4


def play(table: Game) -> Flow[None]:
    """Carry the match from one checkpoint to the next (PA-2.1, PA-2.2)."""
    try:
        if table.state.queue:
            yield from resolve_next(table)
        elif table.state.next in AUTOMATIC:
            AUTOMATIC[table.state.next](table)
        else:
            yield from DECIDED[table.state.next](table)
    except Over:
        return


def _choose_first(table: Game) -> Flow[None]:
    """Let the winner of the start roll choose who begins, before any card is seen (PA-3.4)."""
    state = table.state
    seat = state.chooser
    acts: list[Act] = [{"do": "first", "seat": 0}, {"do": "first", "seat": 1}]
    told = {"candidates": acts, "min": 1, "max": 1}
    (answer,) = yield from ask(table, pick(seat, "choose_first", acts, default=(seat,), rule="PA-3.4", about=told))
    state.first_seat = state.active = answer["seat"]
    table.emit("first_chosen", seat=state.first_seat)
    state.next = "deal"


def _deal(table: Game) -> Flow[None]:
    """Draw seven each, the first player all of them before the other (PA-3.5)."""
    state = table.state
    for seat in (state.first_seat, 1 - state.first_seat):
        yield from draw(table, seat, OPENING)
    state.phase = "setup_mulligan"
    state.next = "mulligan"


def _mulligan(table: Game) -> Flow[None]:
    """Let each seat exchange cards of its opening hand, once (PA-3.6, PA-9.36)."""
    state = table.state
    seat = state.first_seat if not state.sides[state.first_seat].mulliganed else 1 - state.first_seat
    side = state.sides[seat]
    hand = list(side.hand)
    acts = naming([state.cards[number].id for number in hand], "exchange")
    places = yield from ask_some(table, seat, "mulligan", acts, 0, len(acts), "PA-3.6", {}, public=False)
    for place in places:
        side.hand.remove(hand[place])
        state.cards[hand[place]].id = ""
        side.deck.append(hand[place])
    side.mulliganed = True
    table.emit("mulligan_done", seat=seat, count=len(places))
    if places:
        shuffle_deck(table, seat)
        table.emit("deck_shuffled", seat=seat)
        yield from draw(table, seat, len(places))
    if seat != state.first_seat:
        state.next = "start"  # PA-3.7


def _start(table: Game) -> Flow[None]:
    """Begin a turn: counters, what ends now, the card drawn and the refill (PA-4.2 to PA-4.5)."""
    state = table.state
    state.turn += 1
    state.active = state.first_seat if state.turn == 1 else 1 - state.active
    state.phase = "start"
    state.pass_index = state.saints_this_phase = 0
    _reset_counters(table)
    table.emit("turn_started", turn=state.turn, seat=state.active)
    lasting.end_where(table, lambda one: one.duration == "round" and one.controller == state.active)  # PA-6.8
    if state.turn > 1:  # PA-9.4
        yield from draw(table, state.active, 1)
        hand = state.sides[state.active].hand
        if len(hand) < FEW:  # PA-9.5
            yield from draw(table, state.active, ENOUGH - len(hand))
    fire(table, "turn_start", (state.active,))
    state.next = "roll"


def _reset_counters(table: Game) -> None:
    for side in table.state.sides:
        side.cycled = side.events_won_turn = side.saints_played_turn = side.graces_played_turn = 0
        side.friend_acted = side.milestone_tried = False
        side.trigger_uses = {}


def _roll(table: Game) -> None:
    """Enter the Intercession phase with a roll (PA-4.8)."""
    state = table.state
    state.next = "act"
    enter_phase(table, "intercession")
    state.saints_this_phase = 0
    roll_intercession(table)


def _act(table: Game) -> Flow[None]:
    """Let whoever has to act do one thing (PA-2.1, PA-4.1)."""
    state = table.state
    if passes_by_itself(table):
        pass_priority(table, auto=True)
        return
    seat = state.active if state.priority is None else state.priority
    (act,) = yield turn_prompt(table, seat)
    yield from do(table, seat, act)


def _end(table: Game) -> None:
    """Let what happens at the end of the turn fire (PA-4.50)."""
    table.state.next = "fade"
    fire(table, "turn_end", (table.state.active,))


def _fade(table: Game) -> None:
    """End what lasts for this turn; the other seat is next unless this was the last turn (PA-4.50 to PA-4.52)."""
    state = table.state
    lasting.end_where(table, lambda one: one.duration == "turn")
    if 0 < table.match.options.max_turns <= state.turn:  # PA-4.51, PA-9.35
        end_by_turns(table)
    state.next = "start"


AUTOMATIC: dict[Step, Callable[[Game], None]] = {"roll": _roll, "pass_on": pass_on, "end": _end, "fade": _fade}
DECIDED: dict[Step, Callable[[Game], Flow[None]]] = {
    "choose_first": _choose_first,
    "deal": _deal,
    "mulligan": _mulligan,
    "start": _start,
    "act": _act,
}
