"""Playing a card from the hand: where it may go, and how it gets there (DI-4.5, DI-5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from engines.disciple.scopes import suitable
from engines.disciple.state import Game, Mention, cards_of, shown
from engines.disciple.statics import forbidden_columns
from engines.disciple.zones import make_public
from engines.rules import Act


def ways_to_play(table: Game, seat: int, numbers: Iterable[int]) -> list[Act]:
    """Give the ways to play cards of a hand: a deed in one, a saint into each column it may enter."""
    cards, state = cards_of(table), table.state
    closed = forbidden_columns(cards, state, seat, "play_saint")
    ways: list[Act] = []
    for number in numbers:
        card = state.cards[number]
        if cards[card.key].is_saint:
            columns = suitable(cards, card.key, up=True)
            ways += [{"card": card.id, "column": column} for column in columns if column not in closed]
        else:
            ways.append({"card": card.id})
    return ways


def into_limbo(table: Game, number: int, seat: int, how: str) -> Mention:
    """Play a deed: it lies in limbo while it is resolved (DI-5.3)."""
    state = table.state
    state.hand[seat].remove(number)
    make_public(state, number)
    state.cards[number].change_zone()
    state.limbo = number
    deed = state.mention(number)
    table.emit("card_played", seat=seat, card=shown(deed), how=how)
    return deed
