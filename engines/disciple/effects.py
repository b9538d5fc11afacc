"""Carry out an ability: its effects in order, and the control structures between them (DI-6.1, DI-6.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.disciple import decks_shown, hands, putting
from engines.disciple.activation import told
from engines.disciple.scopes import seat_of
from engines.disciple.state import Game, cards_of
from engines.disciple.targets import about
from engines.disciple.treatments import treat
from engines.disciple.truth import Frame, holds
from engines.disciple.words import (
    ChooseOne,
    Discard,
    Draw,
    Effect,
    ExtraPlay,
    If,
    Mill,
    Peek,
    Put,
    Recover,
    Repeat,
    Scry,
    Search,
)
from engines.rules import Flow, pick

AT_ONCE: dict[type[Any], Callable[[Game, Frame, Any], bool]] = {
    Draw: hands.draw,
    ExtraPlay: hands.extra_play,
    Mill: hands.mill,
    Peek: hands.peek,
}
ASKING: dict[type[Any], Callable[[Game, Frame, Any], Flow[bool]]] = {
    Discard: hands.discard,
    Put: putting.put,
    Recover: hands.recover,
    Scry: decks_shown.scry,
    Search: decks_shown.search,
}


def perform(table: Game, frame: Frame) -> Flow[None]:
    """Resolve one ability from beginning to end (DI-4.11.1)."""
    ability = cards_of(table)[frame.source.key].abilities[frame.ability]
    table.emit("ability_started", **told(frame))
    agreed = not ability.optional or (yield from may(table, frame))  # DI-6.5
    if agreed:
        yield from carry_out(table, frame, ability.effect)
    table.emit("ability_ended", **told(frame))


def may(table: Game, frame: Frame) -> Flow[bool]:
    """Ask the controller whether to go on; silence means no (DI-5.7)."""
    acts = [{"do": "yes"}, {"do": "no"}]
    (answer,) = yield pick(frame.seat, "may", acts, default=(1,), rule="DI-6.5", about=about(frame))
    return bool(answer["do"] == "yes")


def carry_out(table: Game, frame: Frame, effects: Sequence[Effect]) -> Flow[None]:
    """Do one effect after the other, each as much as it can (DI-6.1)."""
    for effect in effects:
        table.spend()
        match effect:
            case If():
                holding = holds(cards_of(table), table.state, frame, effect.cond)
                yield from carry_out(table, frame, effect.then if holding else effect.otherwise)
            case ChooseOne():
                yield from _choose_one(table, frame, effect)
            case Repeat():
                yield from _repeat(table, frame, effect)
            case Draw() | ExtraPlay() | Mill() | Peek():
                frame.did = AT_ONCE[type(effect)](table, frame, effect)
            case Discard() | Put() | Recover() | Scry() | Search():
                frame.did = yield from ASKING[type(effect)](table, frame, effect)
            case _:
                frame.did = yield from treat(table, frame, effect)


def _choose_one(table: Game, frame: Frame, effect: ChooseOne) -> Flow[None]:
    """Let a seat choose what is done; "own" and "enemy" inside stay the controller's (DI-6.9)."""
    acts = [{"do": "option", "index": index} for index in range(len(effect.options))]
    seat = seat_of(effect.by, frame.seat)
    (chosen,) = yield pick(seat, "choose_option", acts, rule="DI-6.9", about=about(frame))
    yield from carry_out(table, frame, effect.options[chosen["index"]])


def _repeat(table: Game, frame: Frame, effect: Repeat) -> Flow[None]:
    """Do something up to so many times, asked before every round (DI-6.9, DI-9.21)."""
    for _ in range(effect.times):
        agreed = yield from may(table, frame)
        if not agreed:
            return
        yield from carry_out(table, frame, effect.effect)
