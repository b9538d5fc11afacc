"""The course of a match: from the pregame through the steps of every turn (KN-3, KN-4.1, KN-4.2, KN-4.8)."""

from __future__ import annotations

from collections.abc import Callable

from engines.knights import changes
from engines.knights.actions import carry_out, discard
from engines.knights.bout import Bout, Game, Over, ask
from engines.knights.choosing import choose_cards
from engines.knights.ends import find_turn_limit
from engines.knights.limits import may_draw
from engines.knights.offers import main_prompt
from engines.knights.piles import draw
from engines.knights.pregame import deal, deities, mulligan
from engines.knights.resolving import drain
from engines.knights.settling import settle, take_stance
from engines.knights.state import Step
from engines.knights.terms import StateId
from engines.knights.triggers import happen
from engines.rules import Flow

FADING: tuple[StateId, ...] = ("par", "cng")


def play(table: Game) -> Flow[None]:
    """Carry the match from one checkpoint to the next: one step of the pregame, or one action of a turn."""
    bout = Bout(table)
    try:
        yield from STEPS[table.state.next](bout)
    except Over:
        return


def _main(bout: Bout) -> Flow[None]:
    """Let the active seat do one thing (KN-4.1); ending the turn goes on to the next seat's first decision."""
    (act,) = yield from ask(bout, main_prompt(bout))
    if act["do"] != "end_turn":
        yield from carry_out(bout, act)
        return
    bout.emit("turn_ended", seat=bout.state.active, turn=bout.state.turn)  # KN-5.13
    yield from _end(bout)
    if find_turn_limit(bout.table):  # KN-4.8 (g)
        return
    yield from _start(bout)


def _start(bout: Bout) -> Flow[None]:
    """Begin a turn, step by step (KN-4.2)."""
    state = bout.state
    seat = state.starter if state.turn == 0 else 1 - state.active
    state.turn += 1
    state.active, state.phase, state.knight_played, state.used = seat, "turn_start", False, {}
    bout.touch()
    bout.emit("turn_started", seat=seat, turn=state.turn)
    for number in state.in_play():
        state.knight(number).acted = False
    changes.expire(bout, "my_next_turn", seat)  # (b), KN-6.21
    for number in _controlled(bout, seat):
        take_stance(bout, number, "attack")
    poisoned = [number for number in _controlled(bout, seat) if "env" in state.knight(number).states]
    changes.wound(bout, dict.fromkeys(poisoned, 1))  # (c), KN-6.32, I-26
    settle(bout)
    happen(bout, "turn_start", side=seat)  # (d)
    yield from drain(bout)
    if may_draw(bout, seat):
        draw(bout, seat, 1)  # (e), KN-4.3, I-6
    state.phase, state.next = "main", "main"


def _controlled(bout: Bout, seat: int) -> list[int]:
    return [number for number in bout.state.knights[seat] if number is not None]


def _end(bout: Bout) -> Flow[None]:
    """End a turn, step by step (KN-4.8)."""
    state = bout.state
    seat = state.active
    state.phase = "turn_end"
    happen(bout, "turn_end", side=seat)  # (a)
    yield from drain(bout)
    yield from _down_to_limit(bout, seat)  # (b)
    changes.expire(bout, "turns", state.turn)  # (c), KN-6.22
    for number in _controlled(bout, seat):  # (d), KN-6.30, I-25
        for state_id in FADING:
            changes.count_down(bout, number, state_id, also_new=False)
    for number in _controlled(bout, seat):  # (e), KN-6.36
        changes.count_down(bout, number, "pos", also_new=True)
    settle(bout)  # (f)
    yield from drain(bout)


def _down_to_limit(bout: Bout, seat: int) -> Flow[None]:
    """Let a seat discard what its hand holds too much (KN-4.8, KN-5.38, I-20)."""
    state = bout.state
    hand = list(state.hand[seat])
    excess = len(hand) - bout.cards.deities[state.deity[seat]].rules.hand_limit
    if excess <= 0:
        return
    names = [state.pieces[number].id for number in hand]
    latest = range(len(hand) - excess, len(hand))
    chosen = yield from choose_cards(bout, seat, names, hand, excess, excess, {}, kind="discard", default=latest)
    discard(bout, seat, chosen)


STEPS: dict[Step, Callable[[Bout], Flow[None]]] = {
    "deities": deities,
    "deal": deal,
    "mulligan": mulligan,
    "first": _start,
    "main": _main,
}
