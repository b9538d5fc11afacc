"""The primitives that show a seat its own deck: scry and search (DI-6.8).

Nobody but the looker learns anything of the cards that are shown (DI-2.7).
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.disciple.hands import by_number
from engines.disciple.skipping import skip
from engines.disciple.state import Game, cards_of
from engines.disciple.targets import about
from engines.disciple.truth import Frame
from engines.disciple.words import Scry, Search
from engines.disciple.zones import into_hand
from engines.rules import Act, Flow, order, pick


def scry(table: Game, frame: Frame, effect: Scry) -> Flow[bool]:
    """Look at the top of the own deck; what is put after the divider goes to the bottom."""
    state, seat = table.state, frame.seat
    deck = state.deck[seat]
    if not deck:
        return skip(table, frame, effect)
    shown, rest = deck[: effect.n], deck[effect.n :]
    _show(table, seat, shown)
    for number in shown:
        state.cards[number].id = table.handle(seat)
    named = {state.cards[number].id: number for number in shown}
    acts: list[Act] = [{"do": "place", "card": name} for name in named]
    placed = yield order(seat, "scry", [*acts, {"do": "divider"}], rule="DI-6.8", about=about(frame))
    divider = next(at for at, act in enumerate(placed) if act["do"] == "divider")
    top = [named[act["card"]] for act in placed[:divider]]
    bottom = [named[act["card"]] for act in placed[divider + 1 :]]
    state.deck[seat] = [*top, *rest, *bottom]
    keys = [state.cards[number].key for number in shown]
    _hide(table)
    table.emit("scried", secret={seat: {"cards": keys}}, seat=seat, n=len(keys), bottom=len(bottom))
    return True


def search(table: Game, frame: Frame, effect: Search) -> Flow[bool]:
    """Look through the own deck, perhaps take one fitting card, and shuffle in any case.

    Copies of a card are one option, named by its key: so neither a name nor an order tells where a card lay (DI-2.2).
    """
    state, cards, seat = table.state, cards_of(table), frame.seat
    if not state.deck[seat]:
        return skip(table, frame, effect)
    _show(table, seat, by_number(table, state.deck[seat]))
    copies = {state.cards[number].key: number for number in state.look}
    acts: list[Act] = [{"do": "choose", "card": key} for key in copies if cards[key].fits(effect.filter)]
    chosen = yield pick(seat, "choose_cards", acts, least=0, most=1, default=(), rule="DI-6.8", about=about(frame))
    _hide(table)
    _take(table, seat, [copies[act["card"]] for act in chosen])
    table.chance.shuffle(state.deck[seat], f"shuffle of deck {seat}")
    for number in state.deck[seat]:
        state.cards[number].known = []
    table.emit("shuffled", seat=seat)
    return bool(chosen)


def _take(table: Game, seat: int, chosen: Sequence[int]) -> None:
    """Take the card that was found into the hand, shown to all: named by its key, for it had no public id."""
    state = table.state
    for number in chosen:
        state.deck[seat].remove(number)
        into_hand(table, number)
    found = [state.cards[number].key for number in chosen]
    ids = [state.cards[number].id for number in chosen]
    table.emit("searched", secret={seat: {"ids": ids}}, seat=seat, found=found)


def _show(table: Game, seat: int, numbers: Sequence[int]) -> None:
    state = table.state
    state.look, state.looker = list(numbers), seat
    for number in numbers:
        state.cards[number].reveal(seat)


def _hide(table: Game) -> None:
    for number in table.state.look:
        table.state.cards[number].id = ""
    table.state.look = []
