"""Answers are legal for every shape of prompt."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from loadtest.answers import answer
from protocol.prompt import Prompt, fault_in

GROUPS = st.sampled_from(["", "", "red", "blue"])


@st.composite
def prompts(draw: st.DrawFn) -> dict[str, Any]:
    shape = draw(st.sampled_from(["pick", "number", "order"]))
    if shape == "number":
        least = draw(st.integers(-5, 5))
        return {"kind": "k", "shape": shape, "least": least, "most": least + draw(st.integers(0, 9))}
    groups = draw(st.lists(GROUPS, min_size=1, max_size=8))
    options = [{"id": str(at), "act": {}, "group": group} for at, group in enumerate(groups)]
    if shape == "order":
        return {"kind": "k", "shape": shape, "options": [{**option, "group": ""} for option in options]}
    apart = groups.count("") + len(set(groups) - {""})
    least = draw(st.integers(0, apart))
    return {"kind": "k", "options": options, "least": least, "most": draw(st.integers(max(least, 1), len(groups) + 2))}


@given(prompt=prompts(), seed=st.integers(0, 1_000))
def test_answer_is_legal(prompt: dict[str, Any], seed: int) -> None:
    picks = answer(prompt, Random(seed))
    assert picks is not None
    assert fault_in(msgspec.convert({**prompt, "seat": 0}, Prompt), tuple(picks)) is None


def test_offer_is_sometimes_taken_and_sometimes_left() -> None:
    prompt = {"kind": "k", "optional": True, "options": [{"id": "1", "act": {}}]}
    assert {str(answer(prompt, Random(seed))) for seed in range(40)} == {"None", "['1']"}
