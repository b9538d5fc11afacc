"""How a seat is asked something besides its turn (PA-2.6, PA-5.5).

Owns the prompts of the rules' own questions: what is told of them, and in which order answers are used.
Knows no effect and moves no card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.patron.state import Asking, Game
from engines.rules import Act, Flow, Prompt, pick

About = dict[str, Any]


def ask(table: Game, prompt: Prompt) -> Flow[tuple[Act, ...]]:
    """Ask; that the question is open is public as long as it is (PA-2.6)."""
    table.state.asking = Asking(prompt.seat, prompt.kind)
    answer: tuple[Act, ...] = yield prompt
    table.state.asking = None
    return answer


def ask_in_order(
    table: Game, seat: int, kind: str, acts: Sequence[Act], count: int, rule: str, about: About, *, public: bool
) -> Flow[list[int]]:  # fmt: skip
    """Ask for ``count`` of ``acts``; give their places in the order in which they were picked."""
    prompt = _some(seat, kind, acts, count, count, rule, about, public=public)
    answer = yield from ask(table, prompt)
    return [acts.index(act) for act in answer]


def ask_some(
    table: Game, seat: int, kind: str, acts: Sequence[Act], least: int, most: int, rule: str, about: About,
    *, public: bool,
) -> Flow[list[int]]:  # fmt: skip
    """Ask for ``least``..``most`` of ``acts``; give their places in candidate order, whatever the order of picks."""
    answer = yield from ask(table, _some(seat, kind, acts, least, most, rule, about, public=public))
    return sorted(acts.index(act) for act in answer)


def _some(
    seat: int, kind: str, acts: Sequence[Act], least: int, most: int, rule: str, about: About, *, public: bool
) -> Prompt:  # fmt: skip
    """Make the question. Silence takes as few as must be, the first ones; public candidates are told to all."""
    told = about | {"candidates": list(acts), "min": least, "max": most} if public else about
    return pick(seat, kind, acts, least=least, most=most, default=range(least), rule=rule, about=told)


def choose(
    table: Game, seat: int, kind: str, acts: Sequence[Act], least: int, most: int, rule: str, about: About,
) -> Flow[list[int]]:  # fmt: skip
    """Choose among public things: nothing is asked if there is nothing to choose (PA-5.5)."""
    most = min(most, len(acts))
    least = min(least, most)
    if least == len(acts):
        return list(range(least))
    found = yield from ask_some(table, seat, kind, acts, least, most, rule, about, public=True)
    return found


def naming(cards: Sequence[str], do: str) -> list[Act]:
    """Make one act a card of ids."""
    return [{"do": do, "card": card} for card in cards]
