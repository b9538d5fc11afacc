"""The operations that show a seat cards of its deck or give back what lies in its discard pile (PA-6.5).

Cards shown bear handles of the looker as long as it looks, and nobody else learns anything of them (PA-2.7).
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.patron.asking import ask_some, choose, naming
from engines.patron.checking import about
from engines.patron.state import Game, cards_of, shown, suits
from engines.patron.statics import Frame
from engines.patron.words import Look, Recover, Search
from engines.patron.zones import arrive, shuffle_deck, tell_move
from engines.rules import Flow


def search(table: Game, frame: Frame, seat: int, op: Search) -> Flow[None]:
    """Pick up to n matching cards of the own deck; it is shuffled in any case (PA-6.5 ``search``)."""
    state, side = table.state, table.state.sides[seat]
    show(table, seat, side.deck)
    # PA-2.7: by card, then by handle; never in deck order
    state.look.sort(key=lambda number: (state.key(number), state.cards[number].id))
    matching = [number for number in state.look if suits(cards_of(table), state, number, op.filter)]
    chosen = yield from _pick_shown(table, frame, seat, matching, op.n)
    hide(table)
    side.deck = [number for number in side.deck if number not in chosen]
    shuffle_deck(table, seat)
    side.deck = [*chosen, *side.deck]  # PA-6.4: until its turn comes
    table.emit("deck_shuffled", seat=seat)
    for number in chosen:
        if op.to == "hand":
            side.deck.remove(number)
            yield from arrive(table, number, "deck", reveal=op.reveal)
        else:
            tell_move(table, number, "deck", "deck", public=op.reveal)


def look(table: Game, frame: Frame, seat: int, op: Look) -> Flow[None]:
    """Look at the top cards of the own deck and take some; the rest stays on top or goes below (PA-6.5 ``look``)."""
    state, side = table.state, table.state.sides[seat]
    top = side.deck[: op.n]
    show(table, seat, top)
    cards = [shown(state.cards[number]) for number in top]
    table.emit("cards_looked", secret={seat: {"cards": cards}}, seat=seat, count=len(top))
    chosen = (yield from _pick_shown(table, frame, seat, top, op.pick)) if op.pick else []
    hide(table)
    rest = [number for number in top if number not in chosen]
    below = side.deck[len(top) :]
    side.deck = [*chosen, *below, *rest] if op.rest == "bottom" else [*chosen, *rest, *below]
    for number in chosen:
        side.deck.remove(number)
        yield from arrive(table, number, "deck", reveal=False)


def show(table: Game, seat: int, numbers: Sequence[int]) -> None:
    """Give cards of a deck handles for as long as their owner looks at them."""
    table.state.look, table.state.looker = list(numbers), seat
    for number in numbers:
        table.state.cards[number].id = table.handle(seat)


def hide(table: Game) -> None:
    for number in table.state.look:
        table.state.cards[number].id = ""
    table.state.look = []


def _pick_shown(table: Game, frame: Frame, seat: int, candidates: Sequence[int], most: int) -> Flow[list[int]]:
    """Let a seat pick among cards that it is shown; it is asked as long as there is any card at all (PA-5.5)."""
    if not table.state.look:
        return []
    acts = naming([table.state.cards[number].id for number in candidates], "take")
    most = min(most, len(candidates))
    places = yield from ask_some(table, seat, "cards", acts, 0, most, "PA-6.5", about(frame), public=False)
    return [candidates[place] for place in places]


def recover(table: Game, frame: Frame, seat: int, op: Recover) -> Flow[None]:
    """Take cards back from the own discard pile (PA-6.5 ``recover``)."""
    state, side = table.state, table.state.sides[seat]
    matching = [number for number in side.discard if suits(cards_of(table), state, number, op.filter)]
    acts = naming([state.cards[number].id for number in matching], "take")
    places = yield from choose(table, seat, "cards", acts, 0, op.n, "PA-6.5", about(frame))
    chosen = [matching[place] for place in places]
    if op.to == "hand":
        for number in chosen:
            side.discard.remove(number)
            yield from arrive(table, number, "discard", reveal=True, more={"was": state.cards[number].id})
        return
    for number in chosen:
        side.discard.remove(number)
        tell_move(table, number, "discard", "deck", public=True)
        state.cards[number].id = ""
    side.deck = [*chosen, *side.deck] if op.to == "top" else [*side.deck, *chosen]
