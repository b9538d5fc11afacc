"""The bot that answers by chance: always legally, whatever the prompt."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.bots import random_picks, without_rivals
from engines.rules import Option, number, order, pick
from protocol.prompt import Prompt, fault_in

GROUPS = st.lists(st.sampled_from(["", "", "a", "b", "c"]), min_size=1, max_size=8)


def prompt_of(groups: list[str], least: int, most: int) -> Prompt:
    acts = [Option("", {"do": "take", "at": at}, group) for at, group in enumerate(groups)]
    return pick(0, "any", acts, least=least, most=most, default=())


def answers(prompt: Prompt, times: int = 300) -> set[tuple[str | int, ...]]:
    return {random_picks(prompt.seat, {}, prompt, Random(seed)) for seed in range(times)}


@settings(deadline=None)
@given(GROUPS, st.data(), st.integers())
def test_picks_respect_count_and_groups(groups: list[str], drawn: st.DataObject, seed: int) -> None:
    apart = groups.count("") + len(set(groups) - {""})
    least = drawn.draw(st.integers(0, apart))
    prompt = prompt_of(groups, least, drawn.draw(st.integers(max(1, least), len(groups))))
    assert fault_in(prompt, random_picks(0, {}, prompt, Random(seed))) is None


@settings(deadline=None)
@given(st.integers(-5, 5), st.integers(0, 5), st.integers())
def test_number_lies_in_its_range(low: int, more: int, seed: int) -> None:
    prompt = number(0, "bid", low, low + more)
    assert fault_in(prompt, random_picks(0, {}, prompt, Random(seed))) is None


def test_every_pick_and_every_count_comes_up() -> None:
    assert answers(prompt_of(["", ""], 0, 2)) == {(), ("1",), ("2",), ("1", "2"), ("2", "1")}


def test_every_number_comes_up() -> None:
    assert answers(number(0, "bid", 3, 5)) == {(3,), (4,), (5,)}


def test_every_order_comes_up() -> None:
    prompt = order(0, "line up", [{"do": "a"}, {"do": "b"}, {"do": "c"}])
    assert len(answers(prompt)) == 6
    assert all(fault_in(prompt, picks) is None for picks in answers(prompt))


def test_offer_is_taken_and_left() -> None:
    offer = pick(0, "shield", [{"do": "shield"}], optional=True)
    assert answers(offer) == {(), ("1",)}


def test_rivals_of_one_group_are_left_out() -> None:
    options = [Option("1", {}, "a"), Option("2", {}), Option("3", {}, "a"), Option("4", {})]
    assert [option.id for option in without_rivals(options)] == ["1", "2", "4"]
