"""From two decks to the first turn (KN-3)."""

from __future__ import annotations

from typing import Any

from engines.knights.bout import Bout, ask_both
from engines.knights.cards import Cards
from engines.knights.decks import listed
from engines.knights.piles import draw
from engines.knights.state import Piece, State, shown
from engines.rules import Flow, Table, pick


def setup(table: Table[Any]) -> State:
    """Lay both decks down as they are listed, and nothing else: the order of typing never matters (KN-3.1, KN-3.9)."""
    cards: Cards = table.match.pack
    pieces = [Piece(key, seat, side=seat) for seat, deck in enumerate(table.match.decks) for key in listed(cards, deck)]
    state = State(pieces, preferred=[deck["deity"] for deck in table.match.decks])
    for seat in (0, 1):
        state.deck[seat] = [number for number, piece in enumerate(pieces) if piece.owner == seat]
    return state


def deities(bout: Bout) -> Flow[None]:
    """Let both seats choose their deity secretly, at once; both are told together (KN-3.2, KN-2.33)."""
    state, cards = bout.state, bout.cards
    if bout.options.deity_choice == "deck":
        state.deity = list(state.preferred)
    else:
        keys = list(cards.deities)
        acts = [{"do": "choose_deity", "deity": key} for key in keys]
        silence = [(keys.index(preferred),) for preferred in state.preferred]
        prompts = [pick(seat, "choose_deity", acts, default=silence[seat], rule="KN-5.30") for seat in (0, 1)]
        answers = yield from ask_both(bout, prompts)
        state.deity = [answer["deity"] for (answer,) in answers]
    bout.emit("deities_revealed", deities=list(state.deity))
    state.next = "deal"


def deal(bout: Bout) -> Flow[None]:
    """Cast lots, shuffle and draw, in the order of KN-3.4 to KN-3.7."""
    state, chance = bout.state, bout.table.chance
    gods = [bout.cards.deities[key] for key in state.deity]
    state.pvd = [god.pvd for god in gods]  # KN-3.3
    fixed = {"seat0": 0, "seat1": 1}.get(bout.options.starter)
    state.starter = chance.below(2, "starter") if fixed is None else fixed  # KN-3.4, I-36
    state.active = state.starter
    for seat in (0, 1):
        chance.shuffle(state.deck[seat], f"shuffle of deck {seat}")  # KN-3.5, KN-3.6
    bout.emit("match_started", starter=state.starter, deities=list(state.deity), pvd=list(state.pvd))
    for seat in (state.starter, 1 - state.starter):
        draw(bout, seat, gods[seat].rules.opening_hand)  # KN-3.7
    state.next = "first" if bout.options.mulligan == "none" else "mulligan"
    yield from ()


def mulligan(bout: Bout) -> Flow[None]:
    """Let both seats redraw once; each learns that the other did, not before (KN-3.8, KN-2.32, I-35)."""
    acts = [{"do": "keep"}, {"do": "redraw"}]
    prompts = [pick(seat, "mulligan", acts, rule="KN-5.31") for seat in (0, 1)]
    answers = yield from ask_both(bout, prompts)
    for seat, (answer,) in enumerate(answers):
        if answer["do"] == "redraw":
            _redraw(bout, seat)
        cards = [shown(bout.state.pieces[number]) for number in bout.state.hand[seat]]
        bout.emit("mulligan_done", secret={seat: {"cards": cards}}, seat=seat, redrew=answer["do"] == "redraw")
    bout.state.next = "first"


def _redraw(bout: Bout, seat: int) -> None:
    state = bout.state
    count = len(state.hand[seat])
    for number in state.hand[seat]:
        state.pieces[number].zone, state.pieces[number].id = "deck", ""
    state.deck[seat] += state.hand[seat]
    state.hand[seat] = []
    bout.table.chance.shuffle(state.deck[seat], f"shuffle of deck {seat}")
    draw(bout, seat, count)
