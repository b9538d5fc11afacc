"""The operations on hands, tokens and stored points (PA-6.5: draw, discard, tokens, store, mill)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.patron.asking import ask_some, naming
from engines.patron.checking import about
from engines.patron.state import Game, cards_of, suits
from engines.patron.statics import Frame
from engines.patron.words import Discard, Draw, Mill, Store, Tokens
from engines.patron.zones import discard_from_hand, draw, into_discard, make_public, tell_move
from engines.rules import Flow

MOST_STORED = 6  # PA-4.12


def draw_cards(table: Game, frame: Frame, seat: int, op: Draw) -> Flow[None]:
    yield from draw(table, seat, op.n)


def discard(table: Game, frame: Frame, seat: int, op: Discard) -> Flow[None]:
    """Discard as many matching cards as there are, up to n: chosen, or by chance (PA-6.5 ``discard``)."""
    hand = table.state.sides[seat].hand
    matching = [number for number in hand if suits(cards_of(table), table.state, number, op.filter)]
    if op.random:
        discard_from_hand(table, seat, _drawn_by_lot(table, matching, op.n))
    else:
        yield from discard_some(table, frame, seat, matching, op.n, filtered=op.filter is not None)


def _drawn_by_lot(table: Game, matching: Sequence[int], n: int) -> list[int]:
    """Pick n by chance; they go in hand order (PA-6.4)."""
    left = list(matching)
    taken = [left.pop(table.chance.below(len(left), "random discard")) for _ in range(min(n, len(left)))]
    return [number for number in matching if number in taken]


def discard_some(
    table: Game, frame: Frame, seat: int, matching: Sequence[int], n: int, *, filtered: bool
) -> Flow[None]:  # fmt: skip
    """Let a seat discard n of the matching cards of its hand.

    Whether it is asked tells nothing of what it holds: with a filter it is asked as long as it holds any card,
    without one it is asked unless all go (PA-2.6, PA-5.5).
    """
    hand = table.state.sides[seat].hand
    count = min(n, len(matching))
    asked = bool(hand) if filtered else count < len(hand)
    places: Sequence[int] = range(count)
    if asked:
        acts = naming([table.state.cards[number].id for number in matching], "discard")
        places = yield from ask_some(table, seat, "discard", acts, count, count, "PA-6.5", about(frame), public=False)
    discard_from_hand(table, seat, [matching[place] for place in places])


def tokens(table: Game, frame: Frame, seat: int, op: Tokens) -> None:
    change_tokens(table, seat, op.n)


def change_tokens(table: Game, seat: int, by: int) -> None:
    """Give or take tokens, never below 0; it is no event won (PA-6.5 ``tokens``, PA-9.30)."""
    side = table.state.sides[seat]
    change = max(by, -side.tokens)
    side.tokens += change
    if change:
        table.emit("tokens_changed", seat=seat, by=change, tokens=side.tokens)


def store(table: Game, frame: Frame, seat: int, op: Store) -> None:
    """Change stored points within 0 and 6 (PA-6.5 ``store``)."""
    side = table.state.sides[seat]
    stored = min(MOST_STORED, max(0, side.stored + op.n))
    if stored != side.stored:
        side.stored = stored
        table.emit("stored_changed", seat=seat, stored=stored)


def mill(table: Game, frame: Frame, seat: int, op: Mill) -> None:
    """Put cards from the top of the deck on the discard pile, as many as there are (PA-6.5 ``mill``)."""
    side = table.state.sides[seat]
    for _ in range(min(op.n, len(side.deck))):
        number = side.deck.pop(0)
        make_public(table.state, number)
        into_discard(table, number)
        tell_move(table, number, "deck", "discard", public=True)
