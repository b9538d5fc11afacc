"""How action cards move under the map (SA-4.15). Knows nothing of what they are used for."""

from __future__ import annotations

from engines.sanctuary.state import Game
from engines.sanctuary.terms import Card


def move_to_front(table: Game, card: Card) -> None:
    """Move a card to slot 1; what was left of it moves one slot to the right."""
    seat = table.state.mine
    slot = seat.slots.index(card) + 1
    seat.slots.remove(card)
    seat.slots.insert(0, card)
    table.emit("card_moved", seat=table.state.active, card=card, from_slot=slot, slots=list(seat.slots))
