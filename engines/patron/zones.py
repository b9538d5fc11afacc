"""How a card comes into a hand, deck or discard pile, and by which id it goes there (PA-2.4, PA-2.7).

Owns ids, drawing and the hand limit. Knows no effect and no phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.patron.asking import ask_some, naming
from engines.patron.ends import end_match
from engines.patron.state import Game, Result, State, shown
from engines.rules import Flow

HAND_LIMIT = 10  # PA-4.7


def make_public(state: State, number: int) -> None:
    """Give a card that comes to light its id: they count up, so that none tells where a card was (PA-2.4)."""
    state.public_ids += 1
    state.cards[number].id = f"c{state.public_ids}"


def draw(table: Game, seat: int, count: int) -> Flow[int]:
    """Draw cards one by one, as many as there are; give how many (PA-4.6). A full hand interrupts (PA-4.7)."""
    side = table.state.sides[seat]
    batch: list[int] = []
    drawn = 0
    for _ in range(count):
        if not side.deck:
            _tell_drawn(table, seat, batch)
            batch = []
            _refill_deck(table, seat)
        if not side.deck:
            break  # PA-4.6: the remaining draws lapse
        number = side.deck.pop(0)
        _take(table, number)
        batch.append(number)
        drawn += 1
        if len(side.hand) > HAND_LIMIT:
            _tell_drawn(table, seat, batch)
            batch = []
            yield from _overflow(table, seat)
    _tell_drawn(table, seat, batch)
    return drawn


def _tell_drawn(table: Game, seat: int, batch: Sequence[int]) -> None:
    if batch:
        cards = [shown(table.state.cards[number]) for number in batch]
        table.emit("cards_drawn", secret={seat: {"cards": cards}}, seat=seat, count=len(batch))


def _refill_deck(table: Game, seat: int) -> None:
    """Do what the match has agreed on when a deck has run out (PA-4.6, PA-8.4)."""
    side = table.state.sides[seat]
    if table.match.options.deck_out == "lose":
        end_match(table, Result(1 - seat, "deck_out"))
    if table.match.options.deck_out == "none" or not side.discard:
        return
    side.deck, side.discard = side.discard, []
    for number in side.deck:
        table.state.cards[number].id = ""
    shuffle_deck(table, seat)
    table.emit("deck_reshuffled", seat=seat, count=len(side.deck))


def shuffle_deck(table: Game, seat: int) -> None:
    """Shuffle; nobody ever learns what it gave (PA-2.3)."""
    table.chance.shuffle(table.state.sides[seat].deck, f"shuffle of deck {seat}")


def _take(table: Game, number: int) -> None:
    """Put a card at the end of its owner's hand, under a new name that only the owner learns."""
    card = table.state.cards[number]
    card.id = table.handle(card.owner)
    table.state.sides[card.owner].hand.append(number)


def arrive(table: Game, number: int, origin: str, *, reveal: bool, more: Mapping[str, str] = {}) -> Flow[None]:
    """Put a card into its owner's hand and tell so; a hand of 11 gives one up at once (PA-4.7).

    ``more``: by which name everybody knew it until now (``was``), or in which slot it lay.
    """
    seat = table.state.cards[number].owner
    _take(table, number)
    tell_move(table, number, origin, "hand", public=reveal, **more)
    if len(table.state.sides[seat].hand) > HAND_LIMIT:
        yield from _overflow(table, seat)


def _overflow(table: Game, seat: int) -> Flow[None]:
    """Discard exactly one of eleven, before anything else goes on (PA-4.7, PA-9.6)."""
    hand = list(table.state.sides[seat].hand)
    acts = naming([table.state.cards[number].id for number in hand], "discard")
    (place,) = yield from ask_some(table, seat, "overflow", acts, 1, 1, "PA-4.7", {}, public=False)
    discard_from_hand(table, seat, [hand[place]])


def tell_move(table: Game, number: int, origin: str, goal: str, *, public: bool, **more: Any) -> None:
    """Tell that a card went from one zone of its owner to another; who it is only if that is public (PA-5.7).

    The owner is told the card in any case, under the name that it has now.
    """
    card = table.state.cards[number]
    name = {"card": card.key} if card.id == "" else shown(card)
    fields: dict[str, Any] = {"seat": card.owner, "from": origin, "to": goal, **more}
    if not public:
        table.emit("card_moved", secret={card.owner: {"card": name}}, **fields)
    elif goal == "hand":  # everybody learns which card it is, its owner alone by which name to use it
        table.emit("card_moved", secret={card.owner: {"card": name}}, **fields, card={"card": card.key})
    else:
        table.emit("card_moved", **fields, card=name)


def discard_from_hand(table: Game, seat: int, numbers: Sequence[int]) -> None:
    """Discard cards of a hand one by one; they become public as they reach the pile (PA-2.7, PA-6.4)."""
    side = table.state.sides[seat]
    for number in numbers:
        side.hand.remove(number)
        make_public(table.state, number)
        into_discard(table, number)
    if numbers:
        cards = [shown(table.state.cards[number]) for number in numbers]
        table.emit("hand_discarded", seat=seat, cards=cards)


def into_discard(table: Game, number: int) -> None:
    """Put a card that is public on its owner's discard pile."""
    table.state.sides[table.state.cards[number].owner].discard.append(number)
