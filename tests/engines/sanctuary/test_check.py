"""Broken invariants are named: states that no play can reach."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engines.sanctuary.check import broken
from engines.sanctuary.state import Laid, State, Waiting
from engines.sanctuary.words import Shift
from tests.engines.sanctuary.table import lay


def _lose(state: State) -> None:
    state.pile.pop()


def _double(state: State) -> None:
    state.discard.append(state.pile[0])


def _change(state: State) -> None:
    state.keys[0] = state.keys[1]


def _bury(state: State) -> None:
    state.seats[0].zoo["D3"].append(Laid(state.pile.pop()))


def _cover_print(state: State) -> None:
    state.seats[0].zoo["B2"] = [Laid(state.pile.pop())]


def _owe(state: State) -> None:
    state.seats[0].conservation = -1


def _score(state: State) -> None:
    state.seats[0].sheet = replace(state.seats[0].sheet, total=99)


def _two_markers(state: State) -> None:
    for seat in state.seats:
        seat.end_marker = 10


def _cards(state: State) -> None:
    state.seats[0].slots[0] = "forest"


def _markers(state: State) -> None:
    state.seats[0].upgrade_used = ["habitat", "habitat"]


def _supports(state: State) -> None:
    state.seats[0].achievements |= {"2": "ob_bird", "3": "ob_bird"}


def _numbers(state: State) -> None:
    state.pending = [Waiting(5, Shift())]


def _turned_up(state: State) -> None:
    state.revealed = [state.pile.pop()]


def _display(state: State) -> None:
    state.display.append(None)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_lose, "one place each"), (_double, "one place each"), (_change, "not those of its pack"),
        (_bury, "impossible stack"), (_cover_print, "stack on B2"), (_owe, "impossible markers"),
        (_score, "score sheet"), (_two_markers, "two seats"), (_cards, "has the cards"), (_markers, "used the markers"),
        (_supports, "supports"), (_numbers, "numbered"), (_turned_up, "turned up"), (_display, "7 positions"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_named(spoil: Callable[[State], None], says: str) -> None:
    t = lay(zoo0="D3:t1_bird")
    assert broken(t.match, t.table) == []
    spoil(t.table)
    assert any(says in text for text in broken(t.match, t.table)), broken(t.match, t.table)
