"""How a match begins (SA-3). Owns the order in which chance is used (SA-3.10)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from engines.rules import Fault, PackError, Table
from engines.sanctuary.options import OBJECTIVES
from engines.sanctuary.piles import display_of, draw, turn_up
from engines.sanctuary.scoring import sheet_of
from engines.sanctuary.state import Game, Seat, State, atlas_of, zoo_of
from engines.sanctuary.terms import ANIMAL_CARDS, DISPLAY, Card


def setup(table: Table[Any]) -> State:
    """Lay the table: pile, objectives, first seat, cards (SA-3.1 to SA-3.11)."""
    options, atlas = table.match.options, atlas_of(table.match)
    tiles = [tile.id for _ in range(options.pile_copies) for tile in atlas]
    state = State(keys=[*tiles, *atlas.objectives], seats=[Seat() for _ in range(table.match.seats)])
    table.state = state
    state.pile = list(range(len(tiles)))
    table.chance.shuffle(state.pile, "pile")  # SA-3.2
    _reveal_objectives(table, list(range(len(tiles), len(state.keys))))
    named = options.first_seat
    state.first_seat = table.chance.below(table.match.seats, "first seat") if named == "random" else named  # SA-3.6
    state.active = state.first_seat
    for position in range(table.match.seats):
        _lay_cards(table, position)
    state.solo_left = options.solo_markers if table.match.seats == 1 else 0  # SA-8.20
    _begin(table)
    return state


def _reveal_objectives(table: Game, numbers: list[int]) -> None:
    """Reveal five objectives, by lot or as named; the others leave the match (SA-3.5)."""
    state, named = table.state, table.match.options.objectives
    if named == "random":
        table.chance.shuffle(numbers, "objectives")
        state.objectives, state.unseen = numbers[:OBJECTIVES], numbers[OBJECTIVES:]
        return
    known = {state.keys[number]: number for number in numbers}
    if not set(named) <= known.keys():  # SA-3.1
        raise PackError([Fault("option_objectives", "objectives", "the pack of this match lacks one of them")])
    state.objectives = [known[name] for name in named]
    state.unseen = [number for number in numbers if number not in state.objectives]


def _lay_cards(table: Game, position: int) -> None:
    """Lay the cards of one seat under its map; ``position``: its place in turn order, from 0 (SA-3.7, SA-3.8)."""
    state = table.state
    cards: list[Card] = list(ANIMAL_CARDS)
    table.chance.shuffle(cards, "cards")
    cards.insert(min(position, len(ANIMAL_CARDS)), "projects")
    state.seats[(state.first_seat + position) % table.match.seats].slots = cards


def _begin(table: Game) -> None:
    """Fill the display, tell how the table lies, deal starting hands (SA-3.3, SA-3.9)."""
    state, match = table.state, table.match
    state.display = [*turn_up(table, DISPLAY)[0]]
    told: dict[str, Any] = {
        "options": asdict(match.options),
        "seats": match.seats,
        "first_seat": state.first_seat,
        "display": display_of(table),
        "objectives": state.shown(),
        "cards": {str(at): list(seat.slots) for at, seat in enumerate(state.seats)},
    }
    table.emit("match_started", **told)
    for step in range(match.seats if match.options.starting_hand else 0):
        draw(table, (state.first_seat + step) % match.seats, match.options.starting_hand)
    for at, seat in enumerate(state.seats):
        zoo = zoo_of(match, state, at)
        seat.sheet = sheet_of(zoo, atlas_of(match).group_scores, seat, state.solo_left)
