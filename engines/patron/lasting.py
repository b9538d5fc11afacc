"""Lasting operations: how they begin and end, and the scores and rolls that they change (PA-6.8, PA-6.9).

Owns the list of what is ongoing. Knows no card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from engines.patron.cards import Cards, Saint
from engines.patron.state import Game, Ongoing, State, cards_of, suits
from engines.patron.statics import Frame, in_force
from engines.patron.words import ScoreChange


def begin(table: Game, frame: Frame, effect: Any, seat: int) -> None:
    """Put a lasting operation in force for one seat, whoever its card belongs to (PA-6.9)."""
    state = table.state
    state.ongoings += 1
    duration = effect.duration
    kept = msgspec.structs.replace(effect, who=None, duration=None)
    lasting = Ongoing(state.ongoings, frame.key, frame.controller, seat, kept, duration, state.turn)
    state.ongoing.append(lasting)
    table.emit("ongoing_added", ongoing=told(lasting))


def end(table: Game, gone: Iterable[Ongoing]) -> None:
    """Take lasting operations out of force."""
    for lasting in list(gone):
        table.state.ongoing.remove(lasting)
        table.emit("ongoing_expired", ongoing=told(lasting))


def end_used(table: Game, applied: Iterable[Ongoing | None]) -> None:
    """End those that last for one use, in order of creation, whatever came of it (PA-6.8 ``next``)."""
    used = {lasting.id for lasting in applied if lasting is not None and lasting.duration == "next"}
    end(table, [lasting for lasting in table.state.ongoing if lasting.id in used])


def end_where(table: Game, over: Callable[[Ongoing], bool]) -> None:
    end(table, [lasting for lasting in table.state.ongoing if over(lasting)])


def told(lasting: Ongoing) -> dict[str, Any]:
    """Show a lasting operation: all of it is public (PA-2.6)."""
    words = msgspec.to_builtins(lasting.effect)
    return {
        "id": lasting.id,
        "card": lasting.card,
        "controller": lasting.controller,
        "seat": lasting.seat,
        "duration": lasting.duration,
        "turn": lasting.turn,
        **words,
    }


def score_of(cards: Cards, state: State, number: int) -> int:
    """Give what a saint costs its owner now, at least 1 (PA-4.10)."""
    return max(1, _printed_score(cards, state, number) + sum(effect.n for effect, _ in _changes(cards, state, number)))


def _printed_score(cards: Cards, state: State, number: int) -> int:
    card = cards[state.key(number)]
    assert isinstance(card, Saint)
    return card.score


def _changes(cards: Cards, state: State, number: int) -> list[tuple[ScoreChange, Ongoing | None]]:
    found = in_force(cards, state, state.cards[number].owner, ScoreChange)
    return [(effect, lasting) for effect, _, lasting in found if suits(cards, state, number, effect.filter)]


def end_paid(table: Game, number: int) -> None:
    """End what was to change the score of one saint that is paid for (PA-6.8 ``next``)."""
    end_used(table, [lasting for _, lasting in _changes(cards_of(table), table.state, number)])
