"""What may travel, and what may not."""

from __future__ import annotations

import pytest

from protocol.profile import MAX_DEPTH, MAX_INT, MAX_ITEMS, MAX_VALUES, misfit
from tests.protocol.samples import nested


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": None, "b": True, "c": "", "d": [1, -1], "e": {"f": (1, 2)}},
        {"most": MAX_INT, "least": -MAX_INT},
        {"deep": nested(MAX_DEPTH - 1)},
        {"long": [0] * MAX_ITEMS},
        {"entropy": b"\x00\xff"},
    ],
)
def test_what_json_can_say_fits(value: object) -> None:
    assert misfit(value) is None


@pytest.mark.parametrize(
    ("value", "where", "text"),
    [
        ({"a": {"b": [0, 1.0]}}, "a.b[1]", "a float"),
        ({"n": MAX_INT + 1}, "n", "an integer beyond 2^53-1"),
        ({"n": [-MAX_INT - 1]}, "n[0]", "an integer beyond 2^53-1"),
        ({"a": {1: 2}}, "a", "a key that is not text"),
        ({"a": {b"k": 2}}, "a", "a key that is not text"),
        ({"a": [b""]}, "a[0]", "bytes inside a value"),
        ({"a": {"b": {1, 2}}}, "a.b", "a value of a kind that this protocol does not have"),
        (b"", "", "bytes inside a value"),
    ],
)
def test_a_misfit_is_named_with_its_place(value: object, where: str, text: str) -> None:
    found = misfit(value)
    assert found is not None
    assert (found.where, found.text, found.bound) == (where, text, False)


@pytest.mark.parametrize(
    "value",
    [
        {"deep": nested(MAX_DEPTH)},
        {"long": [0] * (MAX_ITEMS + 1)},
        {"wide": {str(n): n for n in range(MAX_ITEMS + 1)}},
        {"many": [[0] * MAX_ITEMS] * (MAX_VALUES // MAX_ITEMS)},
    ],
)
def test_a_value_beyond_a_bound_breaks_a_bound(value: object) -> None:
    found = misfit(value)
    assert found is not None
    assert found.bound


def test_a_long_key_is_not_repeated_whole() -> None:
    found = misfit({"x" * 10_000: 0.5})
    assert found is not None
    assert len(found.where) == 64
