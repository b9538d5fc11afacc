"""How a card comes into a hand, deck or discard, and by which id it goes there (DI-2.2, DI-2.3).

Owns ids and marks. Knows no ability and no rule of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.disciple.state import EVERYBODY, Game, Instance, Mention, State, shown


def place(zone: str, seat: int) -> dict[str, Any]:
    """Name a place as events do: a zone of the view and whose part of it."""
    return {"zone": zone, "seat": seat}


def tell_move(
    table: Game, kind: str, cards: Iterable[Mention | Instance], origin: dict[str, Any], goal: dict[str, Any], by: int,
    secret: Mapping[int, dict[str, Any]] | None = None,
) -> None:  # fmt: skip
    """Tell that cards, named as everybody knows them, went from one place to another (DI-5.4)."""
    route: dict[str, Any] = {"from": origin, "to": goal}
    table.emit(kind, secret=secret, cards=[shown(card) for card in cards], **route, by=by)


def make_public(state: State, number: int) -> None:
    """Give a card that leaves a hand or deck for a public zone its id: they count up (DI-2.2)."""
    state.public_ids += 1
    state.cards[number].id = f"c{state.public_ids}"


def into_hand(table: Game, number: int) -> None:
    """Put a card that everybody has seen at the end of its owner's hand, and of no other (DI-2.11)."""
    _arrive_in_hand(table, number)
    table.state.cards[number].reveal(*EVERYBODY)


def _arrive_in_hand(table: Game, number: int) -> None:
    card = table.state.cards[number]
    card.change_zone()
    card.id = table.handle(card.owner)
    table.state.hand[card.owner].append(number)


def into_deck(table: Game, number: int) -> None:
    """Put a card that everybody has seen under its owner's deck (DI-2.11)."""
    card = table.state.cards[number]
    card.change_zone()
    card.reveal(*EVERYBODY)
    card.id = ""
    table.state.deck[card.owner].append(number)


def into_discard(table: Game, number: int) -> None:
    """Put a public card on its owner's discard (DI-9.27)."""
    card = table.state.cards[number]
    card.change_zone()
    table.state.discard[card.owner].append(number)


def draw(table: Game, seat: int, count: int) -> int:
    """Draw cards from the top, as many as there are; give how many (DI-6.8 ``draw``, DI-8.7)."""
    state = table.state
    drawn, state.deck[seat] = state.deck[seat][:count], state.deck[seat][count:]
    for number in drawn:
        _arrive_in_hand(table, number)
    if drawn:
        cards = [shown(state.cards[number]) for number in drawn]
        table.emit("drawn", secret={seat: {"cards": cards}}, seat=seat, n=len(drawn))
    return len(drawn)


def discard_from_hand(table: Game, seat: int, numbers: Sequence[int], by: int) -> None:
    """Discard cards of a hand together, in the order given (DI-5.4)."""
    state = table.state
    for number in numbers:
        state.hand[seat].remove(number)
        make_public(state, number)
        into_discard(table, number)
    cards = [state.cards[number] for number in numbers]
    tell_move(table, "discarded", cards, place("hand", seat), place("discard", seat), by)


def from_limbo(table: Game, number: int) -> None:
    """Put a deed that is resolved on its owner's discard (DI-5.3)."""
    state = table.state
    owner = state.cards[number].owner
    state.limbo = None
    into_discard(table, number)
    tell_move(table, "discarded", [state.cards[number]], place("limbo", owner), place("discard", owner), owner)
