"""Triggers: which fire, in which order they wait, and that they are done one by one (PA-6.3, PA-6.11).

Owns the queue. What a trigger does is carried out elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.patron.state import Fired, Game, State, cards_of
from engines.patron.statics import works
from engines.patron.terms import On
from engines.patron.words import Triggered

OWN = ("played", "friend_set")  # PA-6.11: about this very card
OTHERS = ("saint_played", "grace_played")  # PA-6.11: about another card


def fire(table: Game, on: On, seats: Iterable[int], card: int | None = None) -> None:
    """Let everything fire that waits for this. ``seats``: whose doing it is; ``card``: what it is about."""
    fire_together(table, {on: set(seats)}, card)


def fire_together(table: Game, moment: Mapping[On, set[int]], card: int | None = None) -> None:
    """Let everything fire that waits for one moment: the active seat's first, then by entry, then by effect (PA-6.3).

    ``moment``: what happened → by whose doing.
    """
    state, cards = table.state, cards_of(table)
    for number in state.in_play():
        for index, effect in cards.all_triggers(state.key(number)):
            on = effect.on
            if on not in moment or (on in OWN and number != card) or (on in OTHERS and number == card):
                continue
            if on in OWN or _concerns(state, number, effect, moment[on]):
                _fire_one(table, number, index, effect)


def _concerns(state: State, number: int, effect: Triggered, doers: set[int]) -> bool:
    """Say whether it is the doing of a seat that the trigger minds (PA-6.11 ``by``)."""
    owner = state.cards[number].owner
    minded = {"self": {owner}, "opponent": {1 - owner}, "any": {0, 1}}[effect.by]
    return bool(minded & doers)


def _fire_one(table: Game, number: int, index: int, effect: Triggered) -> None:
    """Test once and count once, now; it is done later even if its card has gone by then (PA-6.3)."""
    state = table.state
    card = state.cards[number]
    uses = state.sides[card.owner].trigger_uses
    place = f"{number}#{index}"
    if uses.get(place, 0) >= effect.limit or not works(cards_of(table), state, number, effect):
        return
    uses[place] = uses.get(place, 0) + 1
    state.queue.append(Fired(number, card.key, card.id, card.owner, index))
