"""From two decks to the first question (PA-3)."""

from __future__ import annotations

from typing import Any

from engines.patron.decks import listed
from engines.patron.options import Options
from engines.patron.state import Instance, Side, State, cards_of
from engines.patron.zones import make_public, shuffle_deck
from engines.rules import Table


def setup(table: Table[Any]) -> State:
    """Lay the patrons out, shuffle, and roll for who begins, in the order of PA-3.2 to PA-3.4.

    The decks know nothing of each other: they may be the same (PA-7.4).
    """
    state = table.state = State()
    table.emit("match_started")
    for seat, deck in enumerate(table.match.decks):
        state.sides[seat] = _side(table, seat, deck)
    for seat in (0, 1):
        shuffle_deck(table, seat)  # PA-3.3: the cut is part of it
        table.emit("deck_shuffled", seat=seat)
    options: Options = table.match.options
    if options.first_seat == "roll":
        state.chooser = _start_roll(table)
    else:
        state.first_seat = state.active = options.first_seat
        state.next = "deal"
    return state


def _side(table: Table[Any], seat: int, deck: Any) -> Side:
    """Put the patron face up in its place, not in play, and the other 39 into the deck (PA-3.2, PA-9.2, PA-9.3)."""
    state: State = table.state
    first = len(state.cards)
    keys = [deck["patron"], *listed(cards_of(table), deck)]
    state.cards += [Instance(key, seat) for key in keys]
    make_public(state, first)
    return Side(patron=first, deck=list(range(first + 1, first + len(keys))))


def _start_roll(table: Table[Any]) -> int:
    """Roll two dice each until they differ; the higher sum chooses (PA-3.4, PA-9.37)."""
    while True:
        sums = []
        for seat in (0, 1):
            dice = [table.chance.die("start roll") for _ in range(2)]
            table.emit("start_roll", seat=seat, dice=dice)
            sums.append(sum(dice))
        if sums[0] != sums[1]:
            return sums.index(max(sums))
