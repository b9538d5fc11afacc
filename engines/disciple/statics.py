"""What holds while a face-up saint lies on the board: counting, protection and prohibition (DI-2.8, DI-6.14).

Owns the reading of static modifiers and lasting boosts. Looks only; changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeVar

from engines.disciple.cards import Cards
from engines.disciple.scopes import Standpoint, here, in_scope, seat_of
from engines.disciple.state import State
from engines.disciple.terms import VIRTUES, Virtue
from engines.disciple.words import Forbid, Modifier, Protect, SymbolBonus

GOAL = 7  # DI-2.9, DI-9.3
M = TypeVar("M", bound=Modifier)


def modifiers(cards: Cards, state: State, kind: type[M]) -> Iterator[tuple[Standpoint, M]]:
    """Give the modifiers of one kind that hold now, each with where it is seen from (DI-6.2 ``static``)."""
    for number in state.on_board():
        card = state.cards[number]
        statics = cards.statics(card.key)
        if statics and card.up and not state.silenced(number):
            for modifier in statics:
                if isinstance(modifier, kind):
                    yield Standpoint(card.side, number), modifier


def count_symbols(cards: Cards, state: State) -> list[dict[Virtue, int]]:
    """Count the symbols of both seats in every column (DI-2.8).

    A card counts for the side on which it lies, whoever owns it (DI-9.1, DI-9.2), and only in its column (DI-9.5).
    """
    bonuses = tuple(modifiers(cards, state, SymbolBonus))
    boosts = [effect for effect in state.lasting if effect.kind == "boost"]

    def value(number: int) -> int:
        card = state.cards[number]
        # DI-2.8.1, DI-2.8.2, DI-9.4: a disciple is one symbol of any virtue, a saint what is printed of this one
        printed = cards[card.key].symbols.count(card.column) if card.up and card.column else 1
        if printed == 0 or not (bonuses or boosts):  # DI-2.8.3: bonuses do not help the mismatched
            return printed
        # DI-6.15: bonuses add up
        added = sum(bonus.n for stand, bonus in bonuses if in_scope(cards, state, stand, bonus.scope, number))
        added += sum(boost.n for boost in boosts if boost.card == number)
        return max(0, printed + added)

    return [{virtue: sum(map(value, state.columns[virtue][seat])) for virtue in VIRTUES} for seat in (0, 1)]


def complete_columns(state: State, seat: int) -> int:
    """Count the columns that are complete for a seat (DI-2.9)."""
    return sum(symbols >= GOAL for symbols in state.symbols[seat].values())


def protected(cards: Cards, state: State, number: int, primitive: str, seat: int) -> bool:
    """Say whether a card cannot be treated by a primitive of an ability of ``seat`` (DI-6.14 ``protect``)."""
    return any(
        stand.seat != seat
        and (primitive in shield.shields or "all" in shield.shields)
        and in_scope(cards, state, stand, shield.scope, number)
        for stand, shield in modifiers(cards, state, Protect)
    )


def forbidden_columns(
    cards: Cards, state: State, seat: int, what: Literal["play_saint", "react", "move_action", "flip_action"]
) -> frozenset[Virtue]:
    """Give the columns in which a seat may not do something as an action (DI-6.14 ``forbid``)."""
    return frozenset(
        virtue
        for stand, bar in modifiers(cards, state, Forbid)
        if bar.what == what and seat_of(bar.who, stand.seat) == seat
        for virtue in VIRTUES
        if bar.column == "any" or virtue == here(state, stand)
    )
