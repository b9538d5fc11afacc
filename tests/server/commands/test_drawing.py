"""Views as text: the game's own drawing where there is one, else plain words that fit the terminal."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from server.commands.drawing import OF_THE_ROOM, PlainDrawing, drawing_of, inline, room_line, without_ids

PLAIN = PlainDrawing()


def test_a_game_is_drawn_by_the_module_beside_its_rules() -> None:
    assert isinstance(drawing_of("disciple"), ModuleType)


def test_a_game_without_a_drawing_of_its_own_and_one_not_installed_are_drawn_plainly() -> None:
    assert isinstance(drawing_of("probe"), PlainDrawing)
    assert isinstance(drawing_of("never-heard-of"), PlainDrawing)


def test_a_drawing_that_lacks_one_of_its_own_imports_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        @staticmethod
        def find_spec(name: str, *_: Any) -> None:
            if name == "engines.disciple.draw":
                raise ModuleNotFoundError("No module named 'pigments'", name="pigments")

    monkeypatch.delitem(sys.modules, "engines.disciple.draw", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match="pigments"):
        drawing_of("disciple")


def test_zones_stand_under_their_names_and_the_services_own_is_left_out() -> None:
    drawn = PLAIN.table({"room": {"id": "r1"}, "hand_cards": [{"card": "a"}, {"card": "b"}], "score": 3}, 0, 60)
    assert drawn.splitlines() == [
        "── hand cards ".ljust(60, "─"),
        "  card a; card b",
        "── score ".ljust(60, "─"),
        "  3",
    ]


def test_a_long_zone_has_a_line_for_each_part() -> None:
    cards = [{"card": f"card-{number}", "face": "up"} for number in range(4)]
    drawn = PLAIN.table({"table": {"cards": cards, "deck": 12}}, None, 40).splitlines()
    assert drawn[1:] == [
        "  cards",
        "    · card card-0, face up",
        "    · card card-1, face up",
        "    · card card-2, face up",
        "    · card card-3, face up",
        "  deck 12",
    ]


names = some.text("abc_", min_size=1, max_size=8)
json = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text("abc ", max_size=30),
    lambda inner: (
        some.lists(inner, max_size=5) | some.dictionaries(some.text("abc_", min_size=1, max_size=8), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(some.dictionaries(some.sampled_from(["hand", "deck"]), json), some.integers(40, 120))
def test_no_line_is_wider_than_the_terminal(zones: dict[str, Any], width: int) -> None:
    assert all(len(line) <= width for line in PLAIN.table(zones, None, width).splitlines())


def test_events_and_options_are_told_word_by_word() -> None:
    assert PLAIN.line({"event": "card_drawn", "seat": 0, "cards": ["a", "b"], "last": True}, {}) == (
        "card drawn: seat 0, cards a b, last yes"
    )
    assert PLAIN.option({"do": "pass"}, {}) == "pass"
    assert PLAIN.option({"coins": 3}, {}) == "coins 3"


def test_nothing_is_drawn_as_a_dash() -> None:
    assert (inline(None), inline([]), inline({})) == ("-", "-", "")


def test_ids_are_for_programs() -> None:
    assert without_ids({"card_id": "c1", "source": {"id": "c1", "card": "ann"}}) == {"source": {"card": "ann"}}


def test_the_services_own_events_are_told_the_same_in_every_game() -> None:
    assert room_line({"event": "seat_taken", "seat": 1, "name": "Ann {x}"}) == "Ann {x} takes seat 1."
    assert room_line({"event": "seat_ready", "seat": 1, "ready": False}) == "Seat 1: ready no."
    assert room_line({"event": "card_drawn"}) is None


def test_no_event_of_the_service_is_forgotten() -> None:
    import inspect
    import re

    import server.room

    kinds = set(re.findall(r'Event\("([a-z_]+)"', inspect.getsource(server.room)))
    assert kinds
    assert kinds == set(OF_THE_ROOM)
