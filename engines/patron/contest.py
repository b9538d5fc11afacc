"""An event is activated and contested (PA-4.30 to PA-4.39).

Owns who rolls, who wins and what follows from it. Knows nothing of priority.
"""

from __future__ import annotations

from msgspec.structs import replace

from engines.patron.asking import ask
from engines.patron.cards import Event
from engines.patron.checking import Rolled, Trial, about, check
from engines.patron.effects import carry_out
from engines.patron.entering import reveal
from engines.patron.progress import note_win
from engines.patron.state import Game, cards_of, shown
from engines.patron.statics import Frame
from engines.patron.terms import Mode
from engines.patron.triggers import fire_together
from engines.patron.zones import into_discard
from engines.rules import Act, Flow, pick

Rolls = dict[int, Rolled]


def activate(table: Game, activator: int, slot: str) -> Flow[None]:
    """Reveal an event and contest it at once (PA-4.30)."""
    state, options = table.state, table.match.options
    found = state.slot(slot)
    assert found is not None  # it was offered
    owner = found[0]
    number = reveal(table, owner, slot)
    event = cards_of(table)[state.key(number)]
    assert isinstance(event, Event)  # nothing else is set
    card = state.cards[number]
    table.emit("event_revealed", slot=slot, owner=owner, activator=activator, card=shown(card))
    first = activator if options.event_first == "activator" else state.active  # PA-9.26
    frame = Frame(number, card.key, card.id, owner, activator)
    rolls = yield from _contest(table, frame, event, first)
    yield from _settle(table, frame, event, _winner(rolls, first), rolls)


def _contest(table: Game, frame: Frame, event: Event, first: int) -> Flow[Rolls]:
    """Let those make their checks who do so by the event's mode, in order."""
    mode: Mode = event.mode or table.match.options.default_event_mode  # PA-9.25
    trial = Trial("event", event.virtues, event.number, event)
    rolls: Rolls = {first: (yield from check(table, frame, first, trial))}
    second = 1 - first
    if mode == "duel":  # PA-4.33
        rolls[second] = yield from check(table, frame, second, trial)
    elif mode == "trial" and not rolls[first].success:  # PA-4.31; with `solo` that was all (PA-4.32)
        attempts = yield from _attempts(table, frame, second)
        if attempts:
            rolls[second] = yield from check(table, frame, second, trial)
    return rolls


def _attempts(table: Game, frame: Frame, seat: int) -> Flow[bool]:
    """Ask the second seat whether it contests (PA-4.31, PA-9.44)."""
    acts: list[Act] = [{"do": "attempt"}, {"do": "decline"}]
    told = about(frame) | {"candidates": acts, "min": 1, "max": 1}
    (answer,) = yield from ask(table, pick(seat, "contest", acts, rule="PA-4.31", about=told))
    return bool(answer["do"] == "attempt")


def _winner(rolls: Rolls, first: int) -> int | None:
    """Give who won: the higher total of those that succeeded, the first seat on equal ones (PA-4.31 to PA-4.33)."""
    succeeded = [seat for seat in (first, 1 - first) if seat in rolls and rolls[seat].success]
    return max(succeeded, key=lambda seat: rolls[seat].total, default=None)


def _settle(table: Game, frame: Frame, event: Event, winner: int | None, rolls: Rolls) -> Flow[None]:
    """Give the token, put the card away, do what it says, let triggers fire: in this order (PA-4.35)."""
    state = table.state
    if winner is None:
        table.emit("event_unwon", card={"id": frame.id, "card": frame.key})
    else:
        side = state.sides[winner]
        side.tokens += 1  # PA-4.36, PA-4.37, PA-9.28: with or without a patron, whoever's event it was
        side.events_won_turn += 1
        note_win(table, winner, frame.card)
        table.emit("event_won", seat=winner, tokens=side.tokens, card={"id": frame.id, "card": frame.key})
    state.resolving = None
    into_discard(table, frame.card)  # PA-9.41
    roles = frame if winner is None else replace(frame, winner=winner, loser=1 - winner)  # PA-4.38
    yield from carry_out(table, roles, event.on_fail if winner is None else event.on_win)
    _fire(table, winner, set(rolls))


def _fire(table: Game, winner: int | None, rolled: set[int]) -> None:
    """Let triggers fire for who won and for who rolled and did not: one moment (PA-4.35(4))."""
    won = set() if winner is None else {winner}
    fire_together(table, {"event_won": won, "event_lost": rolled - won})
