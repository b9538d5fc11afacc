"""What is true of every reachable state (DI-2.3, DI-2.6, DI-2.11), and which facts are hidden from whom (DI-2.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engines.disciple.activation import abounds
from engines.disciple.cards import Cards
from engines.disciple.hands import MOST_EXTRA_PLAYS
from engines.disciple.state import PUBLIC, State
from engines.disciple.statics import count_symbols

LARGEST = 30  # DI-2.3


def broken(cards: Cards, state: State) -> list[str]:
    """List broken invariants; empty in every reachable state."""
    return [*_misplaced(state), *_misnamed(state), *_miscounted(cards, state), *_out_of_bounds(state)]


def _places(state: State) -> Iterator[tuple[str, int, list[int]]]:
    for seat in (0, 1):
        yield "hand", seat, state.hand[seat]
        yield "deck", seat, state.deck[seat]
        yield "discard", seat, state.discard[seat]


def _misplaced(state: State) -> Iterator[str]:
    """Every card lies in exactly one place, and its owner's zones hold it alone (DI-2.11)."""
    times = Counter(state.on_board())
    for zone, seat, numbers in _places(state):
        times.update(numbers)
        if any(state.cards[number].owner != seat for number in numbers):
            yield f"{zone} of seat {seat} holds a card of the other seat"
        if any(state.cards[number].column is not None for number in numbers):
            yield f"{zone} of seat {seat} holds a card that lies in a column"
    times.update([] if state.limbo is None else [state.limbo])
    if sorted(times.elements()) != list(range(len(state.cards))):
        yield f"cards do not lie in one place each: {sorted(times.elements())}"
    for column, sides in state.columns.items():
        for side in (0, 1):
            if any((state.cards[n].column, state.cards[n].side) != (column, side) for n in sides[side]):
                yield f"a card in {column} on side {side} believes that it lies elsewhere"


def _misnamed(state: State) -> Iterator[str]:
    """Ids are unique; cards of a deck have none unless they are being looked at (DI-2.2)."""
    in_decks = {number for seat in (0, 1) for number in state.deck[seat]}
    ids = [card.id for number, card in enumerate(state.cards) if number not in in_decks]
    if "" in ids or len(set(ids)) != len(ids):
        yield f"ids are missing or double: {sorted(ids)}"
    if any(state.cards[number].id for number in in_decks - set(state.look)):
        yield "a card of a deck has an id"


def _miscounted(cards: Cards, state: State) -> Iterator[str]:
    if (symbols := count_symbols(cards, state)) != state.symbols:
        yield f"symbols are {state.symbols} and should be {symbols}"
    for number, card in enumerate(state.cards):
        if card.abundant != (card.column is not None and abounds(cards, state, number)):
            yield f"card {number} is abundant: {card.abundant}, which is wrong"


def _out_of_bounds(state: State) -> Iterator[str]:
    for zone, seat, numbers in _places(state):
        if len(numbers) > LARGEST:
            yield f"{zone} of seat {seat} holds {len(numbers)} cards"
    if not 0 <= state.extra_plays <= MOST_EXTRA_PLAYS:
        yield f"extra plays: {state.extra_plays}"
    if any(state.cards[effect.card].column is None for effect in state.lasting):
        yield "a lasting effect is on a card that is not on the board"
    numbers = [pending.number for pending in state.pending]
    if numbers != sorted(set(numbers)) or any(number > state.activated for number in numbers):
        yield f"pending abilities are numbered {numbers}"


def secrets(state: State, seat: int | None) -> Mapping[str, Sequence[str]]:
    """Name the cards that a seat may not know: another's hand and deck together, its own deck (DI-2.7)."""
    audience = PUBLIC if seat is None else seat
    groups = {}
    for owner in (0, 1):
        hidden = [*state.deck[owner], *(state.hand[owner] if owner != seat else ())]
        groups[f"seat{owner}"] = [str(n) for n in sorted(hidden) if audience not in state.cards[n].known]
    return groups


def exchange(state: State, one: str, other: str) -> None:
    """Exchange which cards two hidden instances are, and nothing else of them."""
    left, right = state.cards[int(one)], state.cards[int(other)]
    left.key, right.key = right.key, left.key
