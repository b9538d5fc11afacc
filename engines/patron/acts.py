"""What each act of a turn does (PA-5.2). Whether it is legal was decided when it was offered."""

from __future__ import annotations

from collections.abc import Callable

from engines.patron import contest, milestones
from engines.patron.cards import Grace, effects_of
from engines.patron.checking import Trial, check
from engines.patron.effects import carry_out
from engines.patron.entering import befriend, enter, stack
from engines.patron.lasting import end_paid, score_of
from engines.patron.offers import may_store
from engines.patron.phases import enter_phase, next_phase, pass_priority
from engines.patron.progress import note
from engines.patron.simple_ops import MOST_STORED
from engines.patron.state import Game, Slot, cards_of, shown
from engines.patron.statics import frame_of
from engines.patron.table_ops import stone
from engines.patron.triggers import fire
from engines.patron.words import Act as OneUse
from engines.patron.zones import discard_from_hand, draw, into_discard, make_public, tell_move
from engines.rules import Act, Flow


def do(table: Game, seat: int, act: Act) -> Flow[None]:
    """Carry out an act that was offered."""
    if act["do"] in AT_ONCE:
        AT_ONCE[act["do"]](table, seat, act)
    else:
        yield from ASKING[act["do"]](table, seat, act)


def _held(table: Game, seat: int, act: Act) -> int:
    state = table.state
    return next(number for number in state.sides[seat].hand if state.cards[number].id == act["card"])


def _in_terra(table: Game, seat: int, act: Act) -> int:
    state = table.state
    return next(number for number in state.sides[seat].terra if state.cards[number].id == act["card"])


def _play_saint(table: Game, seat: int, act: Act) -> None:
    number = _held(table, seat, act)
    cost = _pay_score(table, number)
    table.state.sides[seat].hand.remove(number)
    make_public(table.state, number)
    enter(table, number, "saint_played", cost=cost, pool=table.state.pool)


def _play_patron(table: Game, seat: int, act: Act) -> None:
    number = table.state.sides[seat].patron
    cost = _pay_score(table, number)
    enter(table, number, "patron_played", cost=cost, pool=table.state.pool)


def _pay_score(table: Game, number: int) -> int:
    """Take what a saint costs now from the pool, before it counts itself (PA-4.9)."""
    state = table.state
    cost = score_of(cards_of(table), state, number)
    assert state.pool is not None
    assert cost <= state.pool
    state.pool -= cost
    end_paid(table, number)
    return cost


def _end_intercession(table: Game, seat: int, act: Act) -> None:
    """Lose what is left; store two points, or lose the stored ones if saints were played (PA-4.12, PA-9.10)."""
    state, side = table.state, table.state.sides[seat]
    if may_store(state, seat) and act.get("store", True):
        side.stored = min(MOST_STORED, side.stored + 2)
        table.emit("points_stored", seat=seat, stored=side.stored)
    elif state.saints_this_phase and side.stored and table.match.options.stored_reset == "on_play":  # PA-9.9
        side.stored = 0
        table.emit("stored_reset", seat=seat)
    state.pool = None
    next_phase(table)


def _set_friend(table: Game, seat: int, act: Act) -> None:
    table.state.sides[seat].friend_acted = True
    befriend(table, _in_terra(table, seat, act))


def _activate_effect(table: Game, seat: int, act: Act) -> Flow[None]:
    """Put a stone on the effect, for the rest of the match, then do it (PA-4.18)."""
    state = table.state
    number = _in_terra(table, seat, act)
    effect = effects_of(cards_of(table)[state.key(number)])[act["effect"]]
    assert isinstance(effect, OneUse)  # nothing else is offered
    state.sides[seat].used.append(stone(state, number, act["effect"]))
    note(table, seat, "effect_activated", number)
    table.emit("effect_activated", seat=seat, card=shown(state.cards[number]), effect=act["effect"])
    yield from carry_out(table, frame_of(state, number), effect.do)


def _play_grace(table: Game, seat: int, act: Act) -> Flow[None]:
    """Play a grace; some must be overcome first, and go to the discard pile if they are not (PA-4.20, PA-9.22)."""
    state = table.state
    number = _held(table, seat, act)
    state.sides[seat].hand.remove(number)
    make_public(state, number)
    grace = cards_of(table)[state.key(number)]
    assert isinstance(grace, Grace)  # nothing else is offered
    if grace.overcome is not None:
        state.resolving = number
        tell_move(table, number, "hand", "resolving", public=True)
        trial = Trial("grace", grace.overcome.virtues, grace.overcome.number)
        rolled = yield from check(table, frame_of(state, number), seat, trial)
        state.resolving = None
        if not rolled.success:
            into_discard(table, number)
            table.emit("grace_failed", seat=seat, card=shown(state.cards[number]))
            return
    stack(table, number)


def _set_event(table: Game, seat: int, act: Act) -> None:
    """Set an event face down in a new slot; its owner keeps seeing it (PA-4.25, PA-2.7)."""
    state = table.state
    number = _held(table, seat, act)
    side = state.sides[seat]
    side.hand.remove(number)
    state.cards[number].id = ""
    state.slots += 1
    slot = Slot(f"e{state.slots}", number, state.turn)
    side.events.append(slot)
    note(table, seat, "event_set", number)
    table.emit("event_set", secret={seat: {"card": {"card": state.key(number)}}}, seat=seat, slot=slot.slot)


def _activate_event(table: Game, seat: int, act: Act) -> Flow[None]:
    """Resolve an event; priority moves on when all that it caused is done (PA-4.27)."""
    table.state.next = "pass_on"
    yield from contest.activate(table, seat, act["slot"])


def _complete_milestone(table: Game, seat: int, act: Act) -> Flow[None]:
    yield from milestones.complete(table, seat)


def _cycle_saint(table: Game, seat: int, act: Act) -> Flow[None]:
    """Discard a saint that is in play already and draw (PA-4.46, PA-9.8)."""
    state = table.state
    number = _held(table, seat, act)
    state.sides[seat].cycled += 1
    discard_from_hand(table, seat, [number])
    table.emit("card_cycled", seat=seat, card=shown(state.cards[number]))
    yield from draw(table, seat, 1)
    note(table, seat, "card_cycled", number)
    fire(table, "cycled", (seat,))


def _end_phase(table: Game, seat: int, act: Act) -> None:
    next_phase(table)


def _repeat_phases(table: Game, seat: int, act: Act) -> None:
    """Go through effects, graces, events and milestones once more (PA-4.45, PA-4.29)."""
    table.state.pass_index += 1
    enter_phase(table, "effects")


def _end_turn(table: Game, seat: int, act: Act) -> None:
    enter_phase(table, "end")


def _pass_priority(table: Game, seat: int, act: Act) -> None:
    pass_priority(table, auto=False)


AT_ONCE: dict[str, Callable[[Game, int, Act], None]] = {
    "play_saint": _play_saint,
    "play_patron": _play_patron,
    "end_intercession": _end_intercession,
    "set_friend": _set_friend,
    "set_event": _set_event,
    "pass_priority": _pass_priority,
    "end_phase": _end_phase,
    "repeat_phases": _repeat_phases,
    "end_turn": _end_turn,
}
ASKING: dict[str, Callable[[Game, int, Act], Flow[None]]] = {
    "activate_effect": _activate_effect,
    "play_grace": _play_grace,
    "activate_event": _activate_event,
    "complete_milestone": _complete_milestone,
    "cycle_saint": _cycle_saint,
}
