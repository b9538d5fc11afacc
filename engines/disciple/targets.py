"""Which cards a primitive treats, and who chooses them (DI-6.6, DI-6.7, DI-5.6, DI-6.17).

Owns the prompts ``choose_cards`` and ``choose_moves`` over cards of the board. Changes nothing on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engines.disciple.activation import told
from engines.disciple.cards import Cards
from engines.disciple.scopes import here, in_scope, ways
from engines.disciple.state import Game, Mention, State, cards_of
from engines.disciple.statics import protected
from engines.disciple.terms import Target, Virtue
from engines.disciple.truth import Frame
from engines.disciple.words import FlipDown, FlipUp, Move, Silence, Targeted
from engines.rules import Act, Flow, Option, pick


class Aim(NamedTuple):
    """A card on the board that is to be treated, and where it is to go if it is to move."""

    number: int
    column: Virtue | None = None


def goals(cards: Cards, state: State, frame: Frame, effect: Targeted, number: int) -> tuple[Virtue | None, ...]:
    """Give where an effect could bring a card: () if it is not changeable by it; (None,) if nowhere (DI-6.8)."""
    match effect:
        case Move(to="choose"):
            return ways(cards, state, number)
        case Move(to=to):
            goal = here(state, frame.stand(state)) if to == "here" else to
            return tuple(virtue for virtue in ways(cards, state, number) if virtue == goal)
        case FlipDown() | Silence():
            return (None,) if state.cards[number].up else ()
        case FlipUp():
            return () if state.cards[number].up else (None,)
        case _:
            return (None,)


def open_to(table: Game, frame: Frame, effect: Targeted, number: int) -> tuple[Virtue | None, ...]:
    """Give the goals of a card that is changeable and not protected; () if it is not (DI-6.16)."""
    cards, state = cards_of(table), table.state
    found = goals(cards, state, frame, effect, number)
    primitive = str(effect.__struct_config__.tag)
    return found if found and not protected(cards, state, number, primitive, frame.seat) else ()


def candidates(table: Game, frame: Frame, effect: Targeted) -> dict[int, tuple[Virtue | None, ...]]:
    """Give the cards that an effect may treat with their goals, in canonical order (DI-6.6)."""
    state, target = table.state, effect.target
    stand = frame.stand(state)
    picked = _picked(state, frame, target)
    found = {
        number: open_to(table, frame, effect, number)
        for number in state.on_board()
        if picked(number) and in_scope(cards_of(table), state, stand, target, number)
    }
    return {number: columns for number, columns in found.items() if columns}


def _picked(state: State, frame: Frame, target: Target) -> Callable[[int], bool]:
    if target.pick == "self":
        mentions: tuple[Mention, ...] = (frame.source,)
    elif target.pick == "event":
        mentions = (frame.event,) if frame.event else ()
    elif target.pick == "same":
        mentions = frame.same
    else:
        return lambda number: True
    numbers = {mention.card for mention in mentions if state.lies(mention)}
    return numbers.__contains__


def aim(table: Game, frame: Frame, effect: Targeted) -> Flow[Sequence[Aim]]:
    """Choose whom an effect treats; asks only if there is a choice (DI-5.6, DI-6.21, DI-9.22)."""
    found = candidates(table, frame, effect)
    chooses, free = effect.target.pick == "choose", isinstance(effect, Move) and effect.to == "choose"
    least = min(effect.target.min, len(found)) if chooses else len(found)
    most = min(effect.target.max, len(found)) if chooses else len(found)
    if most == 0 or (least == len(found) and all(len(columns) == 1 for columns in found.values())):
        return [Aim(number, columns[0]) for number, columns in found.items()] if most else []
    if free:
        return (yield from _ask_moves(table, frame, found, least, most))
    chosen = yield from choose_cards(table, frame, frame.seat, list(found), least, most)
    return [Aim(number, found[number][0]) for number in chosen]


def choose_cards(
    table: Game, frame: Frame, seat: int, numbers: Sequence[int], least: int, most: int
) -> Flow[Sequence[int]]:
    """Ask a seat for ``least``..``most`` of these cards, by the ids under which it knows them."""
    state = table.state
    named = {state.cards[number].id: number for number in numbers}
    acts: list[Act] = [{"do": "choose", "card": name} for name in named]
    picks = yield pick(
        seat, "choose_cards", acts, least=least, most=most, default=range(least), rule="DI-5.6", about=about(frame)
    )
    return [named[act["card"]] for act in picks]


def _ask_moves(
    table: Game, frame: Frame, found: dict[int, tuple[Virtue | None, ...]], least: int, most: int
) -> Flow[Sequence[Aim]]:
    """Ask for cards and their columns in one prompt; the same card once (DI-6.17, DI-9.21)."""
    cards = table.state.cards
    named = {cards[number].id: number for number in found}
    options = [
        Option("", {"do": "move", "card": name, "column": column}, group=name)
        for name, number in named.items()
        for column in found[number]
    ]
    firsts = [at for at, option in enumerate(options) if at == 0 or options[at - 1].group != option.group]
    picks = yield pick(
        frame.seat, "choose_moves", options, least=least, most=most, default=firsts[:least], rule="DI-6.17",
        about=about(frame),
    )  # fmt: skip
    return [Aim(named[act["card"]], act["column"]) for act in picks]


def about(frame: Frame) -> Act:
    """Give what everybody may know of a prompt of an ability: its source card (DI-2.7)."""
    return {"source": told(frame)["source"]}
