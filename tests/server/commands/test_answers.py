"""What a person types: numbers in, picks out, and a hint for everything else."""

from __future__ import annotations

from typing import Any

import pytest

from server.commands.answers import Unclear, default_of, expected, picks_from


def prompt(shape: str = "pick", least: int = 1, most: int = 1, count: int = 3, default: Any = ("b",)) -> dict[str, Any]:
    options = [] if shape == "number" else [{"id": name, "act": {"do": name}} for name in "abcdefgh"[:count]]
    return {"shape": shape, "least": least, "most": most, "options": options, "default": list(default)}


def test_numbers_name_options_in_the_order_typed() -> None:
    assert picks_from("3", prompt()) == ["c"]
    assert picks_from(" 3, 1 ", prompt(most=2)) == ["c", "a"]


def test_enter_alone_is_the_default() -> None:
    assert picks_from("  ", prompt()) == ["b"]
    assert picks_from("", prompt("number", 0, 9, default=(4,))) == [4]


def test_a_number_is_taken_as_it_is_typed() -> None:
    assert picks_from("-12", prompt("number", -20, 9, default=(0,))) == [-12]


@pytest.mark.parametrize("line", ["0", "4", "-1", "1 9"])
def test_places_that_no_option_has_are_met_with_the_range(line: str) -> None:
    with pytest.raises(Unclear, match="options 1 to 3"):
        picks_from(line, prompt())


@pytest.mark.parametrize("line", ["two", "1 x", "1.5", "--1", "²"])
def test_what_is_no_number_is_met_with_what_is_wanted(line: str) -> None:
    with pytest.raises(Unclear, match="one number"):
        picks_from(line, prompt())


def test_how_many_is_for_the_rules_to_judge() -> None:
    assert picks_from("1 2 3", prompt()) == ["a", "b", "c"]
    assert picks_from("1 1", prompt()) == ["a", "a"]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (prompt(), "one number"),
        (prompt(least=2, most=2), "2 numbers"),
        (prompt(least=1, most=2), "1 to 2 numbers"),
        (prompt(least=0, most=2), "up to 2 numbers"),
        (prompt("number", 3, 8), "a number from 3 to 8"),
        (prompt("order", 4, 4, 4), "all 4 numbers in the order you want"),
    ],
)
def test_each_shape_says_what_it_wants(asked: dict[str, Any], text: str) -> None:
    assert expected(asked) == text


def test_the_default_is_told_as_it_would_be_typed() -> None:
    assert default_of(prompt()) == "2"
    assert default_of(prompt(most=3, default=("c", "a"))) == "3 1"
    assert default_of(prompt(least=0, default=())) == "none"
    assert default_of(prompt("number", 0, 9, default=(4,))) == "4"


def test_what_the_wire_leaves_out_is_taken_for_what_it_means() -> None:
    sparse = {"options": [{"id": "a", "act": {}}]}
    assert picks_from("1", sparse) == ["a"]
    assert picks_from("", sparse) == []
    assert expected(sparse) == "one number"
