"""From two decks to the first turn (DI-3)."""

from __future__ import annotations

from typing import Any

from engines.disciple.decks import listed
from engines.disciple.options import Options
from engines.disciple.state import Instance, State, cards_of
from engines.disciple.zones import draw
from engines.rules import Table

OPENING_FIRST, OPENING_OTHER = 3, 4  # DI-3.5; DI-9.24: and no mulligan


def setup(table: Table[Any]) -> State:
    """Cast lots, shuffle and draw the opening hands, in the order of DI-3.4 and DI-3.5."""
    options: Options = table.match.options
    first = table.chance.below(2, "first seat") if options.first_seat == "random" else options.first_seat
    # DI-3.3: the order in which a player typed the list never matters
    keys = [listed(cards_of(table), deck) for deck in table.match.decks]
    state = State([Instance(key, owner) for owner in (0, 1) for key in keys[owner]], first_seat=first)
    table.state = state
    for seat in (0, 1):
        state.deck[seat] = [number for number, card in enumerate(state.cards) if card.owner == seat]
        table.chance.shuffle(state.deck[seat], f"shuffle of deck {seat}")
    draw(table, first, OPENING_FIRST)
    draw(table, 1 - first, OPENING_OTHER)
    return state  # DI-3.6: all other zones are empty, and the first seat's turn begins
