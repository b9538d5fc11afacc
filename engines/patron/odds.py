"""Chances and worth, for a bot: how likely dice reach a number, what cards and operations are worth.

Owns figures of thumb. Knows printed cards, no state.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from engines.patron.cards import AnyCard, Event, Grace, Saint
from engines.patron.pack import printed
from engines.patron.words import AnyOp, Check, Choose, Discard, Draw, If, Look, Pay, Recover, Search, Store, Tokens

TOKEN, CARD, POINT, OTHER = 6, 2, 1, 1
WILD = 4  # what a point of charity is worth beside one of any other virtue


@cache
def chance(dice: int, need: int) -> int:
    """Give in how many of a hundred throws the sum of dice is at least ``need``."""
    throws = [sum(throw) for throw in product(range(1, 7), repeat=dice)]
    return 100 * sum(total >= need for total in throws) // len(throws)


def worth(key: str) -> int:
    """Give what a card is worth in the hand or in play; a card of an unknown pack something in the middle."""
    card = printed(key)
    match card:
        case Saint():
            return 2 + card.score + virtues_of(card)
        case Grace():
            return 7 + 2 * virtues_of(card) + len(card.effects)
        case Event():
            return 14 - card.number
        case _:
            return 5


def virtues_of(card: AnyCard | None) -> int:
    """Add up what a saint or grace gives to checks of any kind."""
    if card is None or isinstance(card, Event):
        return 0
    return sum(WILD * n if virtue == "charity" else n for virtue, n in card.virtues.items())


def gain(ops: Iterable[AnyOp]) -> int:
    """Give what a list of operations is worth to whoever it names."""
    return sum(map(_gain, ops))


def _gain(op: AnyOp) -> int:
    match op:
        case Draw(n=n) | Search(n=n) | Recover(n=n):
            return CARD * n
        case Tokens(n=n):
            return TOKEN * n
        case Store(n=n):
            return POINT * n
        case Discard(n=n):
            return -CARD * n
        case Look(pick=pick):
            return CARD * pick + OTHER
        case If() | Pay():
            return max(gain(op.then), gain(op.otherwise))
        case Choose():
            return max(map(gain, op.options))
        case Check():
            return (gain(op.success) + gain(op.failure)) // 2
        case _:
            return OTHER
