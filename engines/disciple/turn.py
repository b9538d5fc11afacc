"""The course of a turn (DI-4.1): what happens at each quiet point, one function a step.

A step ends with no action half done; what it activates is resolved before the next step begins (DI-4.11).
"""

from __future__ import annotations

from collections.abc import Callable

from engines.disciple.activation import activate, awaken, claim
from engines.disciple.changes import expire, flip, lay_saint, move
from engines.disciple.effects import perform
from engines.disciple.ends import find_loser, find_turn_limit, find_winner
from engines.disciple.offers import extra_prompt, followup_prompt, main_prompt
from engines.disciple.plays import into_limbo
from engines.disciple.reaction import reaction_window
from engines.disciple.resolving import resolve_next
from engines.disciple.state import Game, Step, cards_of
from engines.disciple.terms import Trigger
from engines.disciple.truth import Frame
from engines.disciple.zones import draw, from_limbo
from engines.rules import Act, Flow


def play(table: Game) -> Flow[None]:
    """Carry the match from one checkpoint to the next: the resolve loop, once around (DI-4.11, DI-4.15)."""
    if find_winner(table):
        return
    if table.state.pending:
        yield from resolve_next(table)
    elif not find_loser(table):
        yield from _take_step(table)


def _take_step(table: Game) -> Flow[None]:
    step = table.state.next
    if step in AUTOMATIC:
        AUTOMATIC[step](table)
    else:
        yield from DECIDED[step](table)


def _start(table: Game) -> None:
    """Begin a turn, in one step (DI-4.2, DI-4.3)."""
    state, options = table.state, table.match.options
    state.active = state.first_seat if state.turn == 0 else 1 - state.active
    state.turn += 1
    state.phase = "start"
    table.emit("turn_started", turn=state.turn, seat=state.active)
    state.used = {}  # DI-6.12
    expire(table, [e for e in state.lasting if e.until == "until_own_next_turn" and e.seat == state.active])
    empty_at_start = not state.hand[state.active] and options.empty_hand_rule
    state.next = "empty_hand" if empty_at_start else "main"
    _activate_own(table, "turn_start")


def _activate_own(table: Game, trigger: Trigger) -> None:
    """Activate what the active seat's saints do at this time of its turn (DI-6.2)."""
    state = table.state
    for number in list(state.on_board()):
        card = state.cards[number]
        if card.side == state.active and card.up:
            activate(table, trigger, state.mention(number))


def _empty_hand(table: Game) -> None:
    """Draw two instead of the action, by itself; no extra play follows (DI-4.4, DI-9.18)."""
    draw(table, table.state.active, 2)
    table.state.next = "end"


def _main(table: Game) -> Flow[None]:
    """Do exactly one action (DI-4.1, DI-9.19)."""
    state = table.state
    state.phase = "main"
    (act,) = yield main_prompt(table)
    if act["do"] == "play_card":
        yield from _play_card(table, act, "action")
        state.next = "extra"
    elif act["do"] == "draw_card":
        draw(table, state.active, 1)  # DI-4.6
        state.next = "followup"
    else:
        state.next = "end"  # DI-4.9


def _followup(table: Game) -> Flow[None]:
    """After the draw: move one card, or flip one saint down, or neither (DI-4.6, DI-4.7, DI-9.7)."""
    state = table.state
    state.phase = "followup"
    state.next = "extra"
    prompt = followup_prompt(table)
    if len(prompt.options) == 1:  # nothing but ending the turn, which everybody can see
        return
    (act,) = yield prompt
    if act["do"] == "end_turn":
        return
    number = next(number for number in state.on_board() if state.cards[number].id == act["card"])
    if act["do"] == "move_card":
        move(table, number, act["column"], state.active)
    else:
        flip(table, number, False, state.active)


def _extra(table: Game) -> Flow[None]:
    """Use an extra play, one at a time, as long as there are plays and cards (DI-4.8)."""
    state = table.state
    if not state.extra_plays or not state.hand[state.active]:
        state.next = "end"
        return
    state.phase = "extra"
    (act,) = yield extra_prompt(table)
    if act["do"] == "end_turn":
        state.next = "end"
        return
    state.extra_plays -= 1
    yield from _play_card(table, act, "extra")


def _play_card(table: Game, act: Act, how: str) -> Flow[None]:
    """Play a card from the hand (DI-5.3)."""
    state = table.state
    seat = state.active
    number = next(number for number in state.hand[seat] if state.cards[number].id == act["card"])
    if "column" in act:
        saint = lay_saint(table, number, act["column"], seat, how)
        awaken(table)
        yield from reaction_window(table, saint)
        return
    deed = into_limbo(table, number, seat, how)
    for place, _ in cards_of(table).abilities(deed.key, "play"):
        if claim(state, deed, place):  # DI-6.12
            yield from perform(table, Frame(seat, deed, place))
    from_limbo(table, number)


def _end(table: Game) -> None:
    """Begin the end of the turn (DI-4.10.1). Unused extra plays vanish (DI-4.8)."""
    table.state.phase = "end"
    table.state.extra_plays = 0
    table.state.next = "fade"
    _activate_own(table, "turn_end")


def _fade(table: Game) -> None:
    """End what lasts for this turn, all together (DI-4.10.2)."""
    table.state.next = "over"
    expire(table, [effect for effect in table.state.lasting if effect.until == "this_turn"])


def _over(table: Game) -> None:
    """Close the turn; the other seat is next unless it was the last (DI-4.10.3, DI-4.10.4)."""
    table.emit("turn_ended", turn=table.state.turn)
    if not find_turn_limit(table):
        table.state.next = "start"


AUTOMATIC: dict[Step, Callable[[Game], None]] = {
    "start": _start,
    "empty_hand": _empty_hand,
    "end": _end,
    "fade": _fade,
    "over": _over,
}
DECIDED: dict[Step, Callable[[Game], Flow[None]]] = {"main": _main, "followup": _followup, "extra": _extra}
