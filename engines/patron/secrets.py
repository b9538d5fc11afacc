"""Which facts are hidden from whom (PA-2.5, PA-2.7), for those who test that they stay so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.patron.cards import Cards
from engines.patron.state import State


def secrets(cards: Cards, state: State, seat: int | None) -> Mapping[str, Sequence[str]]:
    """Name what a seat may not know: every deck, the other hand, and face-down events that it was not shown.

    A slot is a card's number. Faces are exchanged within one owner's cards, as the deck lists may be known; a
    face-down event may be any event card that is hidden, so it stands among those.
    """
    shown = set(state.look) if seat == state.looker else set()
    groups: dict[str, list[str]] = {}
    for owner, side in enumerate(state.sides):
        loose = [*side.deck, *(side.hand if owner != seat else ())]
        loose = sorted(number for number in loose if number not in shown)
        peeked = state.sides[seat].peeked if seat is not None else ()
        down = [slot.card for slot in side.events if owner != seat and slot.slot not in peeked]
        groups[f"cards of seat {owner}"] = list(map(str, loose))
        events = [number for number in loose if cards[state.key(number)].kind == "event"]
        groups[f"events of seat {owner}"] = list(map(str, sorted([*down, *(events if down else ())])))
    return groups


def exchange(state: State, one: str, other: str) -> None:
    """Exchange the faces of two cards; names and places stay."""
    first, second = state.cards[int(one)], state.cards[int(other)]
    first.key, second.key = second.key, first.key
