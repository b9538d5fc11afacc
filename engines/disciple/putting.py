"""The primitive ``put``: a saint comes into play by an effect, without being played (DI-6.8)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.disciple.activation import awaken, recount
from engines.disciple.changes import enter, lay
from engines.disciple.scopes import suitable
from engines.disciple.skipping import skip
from engines.disciple.state import EVERYBODY, Game, cards_of
from engines.disciple.targets import about, choose_cards
from engines.disciple.terms import Virtue
from engines.disciple.truth import Frame
from engines.disciple.words import Put
from engines.disciple.zones import into_discard, make_public, place, tell_move
from engines.rules import Flow, pick


def put(table: Game, frame: Frame, effect: Put) -> Flow[bool]:
    """Put one saint of the controller onto its side; first the card, then the column."""
    frame.same = ()
    zone = table.state.hand if effect.source == "hand" else table.state.discard
    if effect.source == "deck_top":
        return (yield from _from_deck(table, frame, effect))
    held = zone[frame.seat]
    fitting = [number for number in held if _fits(table, effect, number)]
    if not (held if effect.source == "hand" else fitting):
        return skip(table, frame, effect)
    chosen: Sequence[int] = yield from choose_cards(table, frame, frame.seat, fitting, 0, 1)
    if not chosen:
        # DI-5.4: what a hand did not give is nobody's business, not even that it was nothing
        return effect.source == "discard" and skip(table, frame, effect)
    yield from _into_play(table, frame, effect, chosen[0], zone[frame.seat])
    return True


def _fits(table: Game, effect: Put, number: int) -> bool:
    card = cards_of(table)[table.state.cards[number].key]
    return card.is_saint and card.fits(effect.filter)


def _from_deck(table: Game, frame: Frame, effect: Put) -> Flow[bool]:
    """Reveal the top card; a deed, or a saint that does not fit, goes to the discard instead."""
    state, seat = table.state, frame.seat
    deck = state.deck[seat]
    if not deck:
        return skip(table, frame, effect)
    number = deck[0]
    if _fits(table, effect, number):
        yield from _into_play(table, frame, effect, number, deck)
        return True
    deck.remove(number)
    make_public(state, number)
    into_discard(table, number)
    tell_move(table, "discarded", [state.cards[number]], place("deck", seat), place("discard", seat), seat)
    return True


def _into_play(table: Game, frame: Frame, effect: Put, number: int, zone: list[int]) -> Flow[None]:
    state, seat, up = table.state, frame.seat, effect.face == "up"
    column = yield from _choose_column(table, frame, number, up)
    zone.remove(number)
    if effect.source != "discard":
        make_public(state, number)
    saint = lay(table, number, column, seat, up)
    origin = place("deck" if effect.source == "deck_top" else effect.source, seat)
    tell_move(table, "put", [saint], origin, place(column, seat), seat)
    recount(table)
    if up:  # DI-6.8: it enters at once and without a window; face down it does not enter
        enter(table, saint)
    awaken(table)
    frame.same = (saint,)


def _choose_column(table: Game, frame: Frame, number: int, up: bool) -> Flow[Virtue]:
    """Ask for the column if there are several. The card is shown to everybody meanwhile (DI-6.8, DI-2.5)."""
    key = table.state.cards[number].key
    columns = suitable(cards_of(table), key, up)
    if len(columns) == 1:
        return columns[0]
    acts = [{"do": "column", "column": column} for column in columns]
    table.state.cards[number].reveal(*EVERYBODY)
    (chosen,) = yield pick(frame.seat, "choose_column", acts, rule="DI-6.8", about={**about(frame), "card": key})
    column: Virtue = chosen["column"]
    return column
