"""A prompt takes exactly the answers that it offers, by id or by meaning."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.rules import number, options_of, order, pick
from protocol.prompt import Option, Prompt, bounds, fault_in, picks_of, same_act

ACTS = [{"do": "take", "card": name} for name in "abcd"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


def grouped() -> Prompt:
    acts = [Option("", ACTS[0], "red"), Option("", ACTS[1], "red"), Option("", ACTS[2], "blue"), Option("", ACTS[3])]
    return pick(0, "pick", acts, least=1, most=3)


@pytest.mark.parametrize(
    ("picks", "fault"),
    [
        (("1",), None), (("3", "1"), None), (("4", "1", "3"), None),
        ((), "count"), (("1", "2", "3", "4"), "count"),
        (("5",), "illegal"), (("",), "illegal"), ((1,), "illegal"), ((True,), "illegal"), (("1", "x"), "illegal"),
        (("4", "4"), "duplicate"), (("1", "1"), "duplicate"), (("1", "2"), "group"), (("2", "4", "1"), "group"),
    ],
)  # fmt: skip
def test_a_pick_takes_so_many_different_options_one_of_each_group(picks: Any, fault: str | None) -> None:
    assert fault_in(grouped(), picks) == fault


@pytest.mark.parametrize(
    ("picks", "fault"),
    [
        ((2,), None), ((-1,), None), ((4,), None),
        ((5,), "illegal"), ((-2,), "illegal"), ((), "count"), ((1, 2), "count"),
        (("1",), "shape"), ((True,), "shape"), ((1.0,), "shape"), ((None,), "shape"), (([],), "shape"),
    ],
)  # fmt: skip
def test_a_number_takes_one_integer_within_its_bounds(picks: Any, fault: str | None) -> None:
    assert fault_in(number(0, "number", -1, 4), picks) == fault


@pytest.mark.parametrize(
    ("picks", "fault"),
    [
        (("1", "2", "3", "4"), None), (("4", "2", "1", "3"), None),
        (("1", "2", "3"), "count"), ((), "count"), (("1", "2", "3", "3"), "duplicate"),
        (("1", "2", "3", "9"), "illegal"),
    ],
)  # fmt: skip
def test_an_order_takes_all_options_in_any_order(picks: Any, fault: str | None) -> None:
    assert fault_in(order(0, "order", ACTS), picks) == fault


def test_a_prompt_may_be_answered_with_nothing_if_it_says_so() -> None:
    prompt = pick(0, "pick", ACTS, least=0, most=1, default=())
    assert fault_in(prompt, ()) is None
    assert prompt.acts(()) == ()


def test_bounds_are_the_number_of_picks() -> None:
    assert bounds(grouped()) == (1, 3)
    assert bounds(order(0, "order", ACTS)) == (4, 4)
    assert bounds(number(0, "number", 0, 99)) == (1, 1)


def test_options_are_numbered_in_the_order_given() -> None:
    assert [option.id for option in options_of([ACTS[0], Option("", ACTS[1], "g")])] == ["1", "2"]
    assert options_of([Option("", ACTS[1], "g")])[0].group == "g"


def test_silence_means_the_default() -> None:
    assert pick(0, "pick", ACTS, most=2, default=(2, 0)).default == ("3", "1")
    assert order(0, "order", ACTS).default == ("1", "2", "3", "4")
    assert order(0, "order", ACTS, default=(3, 2, 1, 0)).default == ("4", "3", "2", "1")
    assert number(0, "number", 3, 5).default == (3,)
    assert number(0, "number", 3, 5, default=4).default == (4,)


def test_picks_mean_their_acts_in_the_order_picked() -> None:
    assert order(0, "order", ACTS).acts(("2", "1")) == (ACTS[1], ACTS[0])
    with pytest.raises(KeyError):
        grouped().acts(("9",))


def test_acts_that_are_spelled_name_their_options() -> None:
    assert picks_of(grouped(), ({"card": "b", "do": "take"}, ACTS[3])) == ("2", "4")
    assert picks_of(grouped(), ()) == ()


@pytest.mark.parametrize(
    "act",
    [{}, {"do": "take"}, {"do": "take", "card": "z"}, {"do": "take", "card": "a", "x": 1}, {"do": "take", "card": 1}],
)
def test_acts_that_spell_no_option_name_nothing(act: dict[str, Any]) -> None:
    assert picks_of(grouped(), (ACTS[0], act)) is None


def test_a_number_is_spelled_by_one_act() -> None:
    prompt = number(0, "number", 0, 9)
    assert picks_of(prompt, ({"number": 7},)) == (7,)
    for acts in ((), ({"number": 7}, {"number": 7}), ({"n": 7},), ({"number": 7, "do": "x"},)):
        assert picks_of(prompt, acts) is None


@given(st.lists(JSON, min_size=1, max_size=4))
def test_every_option_is_named_by_its_own_act(values: list[Any]) -> None:
    acts: list[dict[str, Any]] = []
    for value in values:
        if not any(same_act({"do": value}, act) for act in acts):
            acts.append({"do": value})
    prompt = pick(0, "pick", acts)
    assert [picks_of(prompt, (act,)) for act in acts] == [(option.id,) for option in prompt.options]


@given(JSON)
def test_an_act_is_the_same_as_itself(value: Any) -> None:
    assert same_act(value, value)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (1, 1.0),
        (0, False),
        ("1", 1),
        ([1], [True]),
        ({"a": 1}, {"a": True}),
        ([], {}),
        (None, 0),
        ([1], [1, 1]),
    ],
)
def test_acts_of_other_types_are_not_the_same(left: Any, right: Any) -> None:
    assert not same_act(left, right)
    assert not same_act(right, left)


def test_lists_and_tuples_are_the_same() -> None:
    assert same_act({"cards": (1, ["a"])}, {"cards": [1, ("a",)]})
