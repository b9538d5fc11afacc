"""What rule code is given: a table that counts its work, and short ways to ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engines.chance import Chance, Handles
from engines.rules import (
    MAX_FUEL,
    Exhausted,
    Fault,
    Match,
    Option,
    PackError,
    Resigned,
    Table,
    number,
    order,
    pick,
)  # fmt: skip
from protocol.prompt import Prompt

KEY = bytes(range(32))


def _table(seats: int = 2) -> Table[Any]:
    return Table(Match(seats, None, None), None, Chance(KEY), Handles(KEY, [0] * (seats + 1)))


def test_every_event_draw_and_handle_costs_fuel() -> None:
    table = _table()
    table.emit("one", secret={0: {"card": "x"}}, only=[0, 1], points=3)
    table.chance.shuffle([1, 2, 3], "s")
    table.handle(None)
    table.handle(1)
    table.spend(5)
    assert table.fuel == MAX_FUEL - 1 - 2 - 2 - 5


@pytest.mark.parametrize(
    "work",
    [
        lambda table: table.emit("event"), lambda table: table.chance.die("d"), lambda table: table.handle(0),
        lambda table: table.spend(),
    ],
)  # fmt: skip
def test_work_without_end_is_stopped(work: Callable[[Table[Any]], object]) -> None:
    table = _table()
    for _ in range(MAX_FUEL):
        work(table)
    with pytest.raises(Exhausted, match="20000"):
        work(table)


def test_an_event_keeps_what_is_public_beside_what_is_secret() -> None:
    table = _table()
    table.emit("drawn", secret={1: {"face": "coal"}}, seat=1)
    table.emit("hint", only=(0,), text="look")
    assert [event.fields for event in table.events] == [{"seat": 1}, {"text": "look"}]
    assert table.events[0].secret == {1: {"face": "coal"}}
    assert [event.only for event in table.events] == [None, frozenset({0})]


def test_fields_of_an_event_may_be_called_kind_or_self() -> None:
    table = _table()
    table.emit("made", kind="tile", self=1)
    assert table.events[0].seen_by(None) == {"event": "made", "kind": "tile", "self": 1}


def test_a_pack_error_names_every_fault() -> None:
    error = PackError([Fault("missing", "card 3", "no name"), Fault("range", "ash.worth", "too great")])
    assert str(error) == "card 3: no name (missing); ash.worth: too great (range)"
    assert [fault.code for fault in error.faults] == ["missing", "range"]


def test_a_resignation_names_its_seat() -> None:
    assert Resigned(2).seat == 2
    assert str(Resigned(2)) == "seat 2 resigned"


def test_a_pick_is_asked_in_short() -> None:
    acts = [{"do": "a"}, Option("ignored", {"do": "b"}, "g")]
    asked = pick(1, "kind", acts, least=0, most=2, default=(1,), rule="X-1.1", hold_ms=9, optional=True, about={"n": 1})
    options = (Option("1", {"do": "a"}), Option("2", {"do": "b"}, "g"))
    assert asked == Prompt(1, "kind", options, "pick", 0, 2, ("2",), "X-1.1", 9, True, {"n": 1})


def test_an_order_is_asked_in_short() -> None:
    asked = order(1, "kind", [{"do": "a"}, {"do": "b"}], default=(1, 0), rule="X-1.1", hold_ms=9, about={"n": 1})
    options = (Option("1", {"do": "a"}), Option("2", {"do": "b"}))
    assert asked == Prompt(1, "kind", options, "order", 2, 2, ("2", "1"), "X-1.1", 9, False, {"n": 1})


def test_a_number_is_asked_in_short() -> None:
    asked = number(1, "kind", -3, 3, default=0, rule="X-1.1", hold_ms=9, about={"n": 1})
    assert asked == Prompt(1, "kind", (), "number", -3, 3, (0,), "X-1.1", 9, False, {"n": 1})
