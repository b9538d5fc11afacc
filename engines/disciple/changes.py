"""Mutations of the board, each with all its consequences (DI-6.11, DI-6.13).

A mutation tells its own event, then the new counts; then it activates the abilities of the changed card, of the
others, and Abundance. Nothing is carried out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engines.disciple.activation import activate, activate_watchers, awaken, recount
from engines.disciple.state import Game, Lasting, Mention, shown
from engines.disciple.terms import Virtue
from engines.disciple.zones import into_deck, into_discard, into_hand, make_public, place, tell_move


def lay(table: Game, number: int, column: Virtue, side: int, up: bool) -> Mention:
    """Put a card at the end of a list of the board; give it as it is known there."""
    state = table.state
    card = state.cards[number]
    card.change_zone()
    card.column, card.side, card.up, card.abundant = column, side, up, False
    state.columns[column][side].append(number)
    return state.mention(number)


def lay_saint(table: Game, number: int, column: Virtue, seat: int, how: str) -> Mention:
    """Lay a saint from the hand face up on the own side: a mutation that is not yet "entering" (DI-5.3)."""
    state = table.state
    state.hand[seat].remove(number)
    make_public(state, number)
    saint = lay(table, number, column, seat, up=True)
    table.emit("card_played", seat=seat, card=shown(saint), column=column, how=how)
    recount(table)
    return saint


def enter(table: Game, saint: Mention) -> None:
    """A saint has entered: activate its own abilities for it, then those of others (DI-4.12.5, DI-6.13)."""
    activate(table, "enter", saint)
    activate_watchers(table, saint)


def flip(table: Game, number: int, up: bool, by: int) -> None:
    """Turn a card over in place (DI-6.8)."""
    state = table.state
    card = state.cards[number]
    card.up = up
    table.emit("flipped", cards=[shown(card)], face="up" if up else "down", by=by)
    recount(table)
    activate(table, "flip_up" if up else "flip_down", state.mention(number))  # DI-6.3: by the flip itself
    awaken(table)


def move(table: Game, number: int, column: Virtue, by: int) -> None:
    """Move a card to the end of another column's list on its side (DI-5.1, DI-6.8)."""
    _shift(table, number, column, table.state.cards[number].side, by)
    if table.state.cards[number].up:
        activate(table, "moved", table.state.mention(number))
    awaken(table)


def switch_side(table: Game, number: int, by: int) -> None:
    """Bring a card to the other side of its column: neither "entering" nor "moved" (DI-6.8)."""
    card = table.state.cards[number]
    assert card.column is not None  # only cards of the board are changeable
    _shift(table, number, card.column, 1 - card.side, by)
    awaken(table)


def _shift(table: Game, number: int, column: Virtue, side: int, by: int) -> None:
    state = table.state
    card = state.cards[number]
    assert card.column is not None  # only cards of the board are changeable
    origin = place(card.column, card.side)
    kind = "moved" if card.side == side else "side_switched"
    state.columns[card.column][card.side].remove(number)
    card.column, card.side, card.abundant = column, side, False  # DI-6.11: C counts as false before
    state.columns[column][side].append(number)
    tell_move(table, kind, [card], origin, place(column, side), by)
    recount(table)


def to_hand(table: Game, number: int, by: int) -> None:
    """Return a card of the board to its owner's hand (DI-6.8)."""
    _take_off(table, number, "returned", "hand", into_hand, by)


def to_deck_bottom(table: Game, number: int, by: int) -> None:
    """Return a card of the board to the bottom of its owner's deck (DI-6.8)."""
    _take_off(table, number, "returned", "deck", into_deck, by)


def to_discard(table: Game, number: int, by: int) -> None:
    """Discard a card of the board to its owner's pile (DI-6.8, DI-9.27)."""
    _take_off(table, number, "discarded", "discard", into_discard, by)


def _take_off(table: Game, number: int, kind: str, zone: str, arrive: Callable[[Game, int], None], by: int) -> None:
    """Take a card off the board. Its ``leave`` ability is its last controller's (DI-6.13)."""
    state = table.state
    card = state.cards[number]
    assert card.column is not None  # only cards of the board are changeable
    left, side, wakes = state.mention(number), card.side, card.up and not state.silenced(number)
    origin = place(card.column, side)
    state.columns[card.column][side].remove(number)
    card.column, card.side, card.up, card.abundant = None, 0, False, False  # DI-6.18
    arrive(table, number)
    secret = {card.owner: {"ids": [card.id]}} if zone == "hand" else None
    tell_move(table, kind, [left], origin, place(zone, card.owner), by, secret)
    end_lasting(table, [effect for effect in state.lasting if effect.card == number], left)
    recount(table)
    if wakes:
        activate(table, "leave", left, side)
    awaken(table)


def add_lasting(table: Game, effect: Lasting) -> None:
    """Begin a temporary effect on a card of the board (DI-6.19)."""
    table.state.lasting.append(effect)
    table.emit("lasting_added", kind=effect.kind, card=shown(table.state.cards[effect.card]))
    recount(table)
    awaken(table)


def end_lasting(table: Game, ended: Iterable[Lasting], left: Mention | None = None) -> None:
    """End temporary effects, oldest first. ``left``: their card as it was known, if it has left the board."""
    state = table.state
    for effect in ended:
        state.lasting.remove(effect)
        table.emit("lasting_ended", kind=effect.kind, card=shown(left or state.cards[effect.card]))


def expire(table: Game, ended: list[Lasting]) -> None:
    """End temporary effects whose time has come, all together one mutation (DI-4.10, DI-4.3)."""
    if ended:
        end_lasting(table, ended)
        recount(table)
        awaken(table)
