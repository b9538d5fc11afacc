"""Which cards on the board are meant (DI-6.6), and which columns suit a card (DI-2.10).

Owns the matching of scopes. Looks only; changes nothing and asks nobody.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.disciple.cards import Cards
from engines.disciple.state import Instance, Mention, State
from engines.disciple.terms import VIRTUES, Scope, Side, Virtue, Who


class Standpoint(NamedTuple):
    """From where "own", "here" and "other" are seen. ``source``: None if it is not on the board any more."""

    seat: int
    source: int | None


def standpoint(state: State, seat: int, source: Mention) -> Standpoint:
    """Stand where an ability's source lies, if it still lies there (DI-4.14)."""
    return Standpoint(seat, source.card if state.lies(source) else None)


def seat_of(who: Who, seat: int) -> int:
    """Give the seat that "own" or "enemy" names, seen from ``seat``."""
    return seat if who == "own" else 1 - seat


def here(state: State, stand: Standpoint) -> Virtue | None:
    """Give the source's present column, or None if it is not on the board (DI-6.6)."""
    return None if stand.source is None else state.cards[stand.source].column


def in_scope(cards: Cards, state: State, stand: Standpoint, scope: Scope, number: int) -> bool:
    """Say whether a card on the board fits all keys of a scope (DI-6.6); no key leaves none out (DI-9.20)."""
    card = state.cards[number]
    return (
        _on_side(scope.side, stand.seat, card.side)
        and (scope.face == "any" or card.up == (scope.face == "saint"))
        and (scope.column == "any" or card.column == (here(state, stand) if scope.column == "here" else scope.column))
        and not (scope.other and number == stand.source)
        and _bears(cards, scope, card)
    )


def _on_side(side: Side, seat: int, lies: int) -> bool:
    return side == "any" or (side == "own") == (seat == lies)


def _bears(cards: Cards, scope: Scope, card: Instance) -> bool:
    """Match printed marks: disciples have none for any purpose (DI-6.3)."""
    if scope.tag is None and scope.symbol is None:
        return True
    printed = cards[card.key]
    return (
        card.up
        and (scope.tag is None or scope.tag in printed.tags)
        and (scope.symbol is None or scope.symbol in printed.symbols)
    )


def suitable(cards: Cards, key: str, up: bool) -> tuple[Virtue, ...]:
    """Give the columns that suit a card (DI-2.10): every one for a disciple, its own virtues for a saint."""
    return tuple(virtue for virtue in VIRTUES if not up or cards[key].suits(virtue))


def ways(cards: Cards, state: State, number: int) -> tuple[Virtue, ...]:
    """Give the columns to which a card on the board can move: suitable and not its present one (DI-4.6)."""
    card = state.cards[number]
    return tuple(virtue for virtue in suitable(cards, card.key, card.up) if virtue != card.column)
