"""Packs: bounds on what is read, and every misfit named by its place."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from engines.packs import MAX_DEPTH, MAX_LINE_BYTES, MAX_MISFITS, MAX_PACK_BYTES, made, misfits, parse, spell
from engines.rules import PackError


class Gain(Struct, tag_field="do", tag="gain", forbid_unknown_fields=True):
    n: Annotated[int, Meta(ge=1, le=9)]


class Swap(Struct, tag_field="do", tag="swap", forbid_unknown_fields=True):
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("`low` is above `high`")


class Tile(Struct, forbid_unknown_fields=True, rename={"steps": "step"}):
    id: str
    colour: Literal["red", "blue"] = "red"
    size: int | None = None
    steps: tuple[Gain | Swap, ...] = ()
    costs: dict[str, int] = {}


def found(kind: object, value: object) -> list[tuple[str, str]]:
    return [(spell(misfit.path), misfit.problem) for misfit in misfits(kind, value)]


def test_data_that_fits_has_no_misfits() -> None:
    tile = {"id": "a", "size": 3, "step": [{"do": "gain", "n": 1}, {"do": "swap", "low": 1, "high": 2}]}
    assert misfits(Tile, tile) == []
    assert msgspec.convert(tile, Tile).steps[0] == Gain(1)


def test_every_misfit_is_found_not_only_the_first() -> None:
    tile = {
        "colour": "green",
        "size": "big",
        "weight": 3,
        "step": [{"do": "gain"}, {"do": "jump"}, {"n": 1}, {"do": "gain", "n": 10, "m": 0}, 7],
        "costs": {"wood": "two"},
    }
    assert found(Tile, tile) == [
        ("id", "missing"),
        ("colour", "value"),
        ("size", "value"),
        ("step[0].n", "missing"),
        ("step[1].do", "unknown"),
        ("step[2].do", "missing"),
        ("step[3].n", "value"),
        ("step[3].m", "unknown"),
        ("step[4]", "value"),
        ("costs.wood", "value"),
        ("weight", "unknown"),
    ]


def test_what_a_struct_refuses_as_a_whole_is_reported_at_the_struct() -> None:
    (misfit,) = misfits(Tile, {"id": "a", "step": [{"do": "swap", "low": 2, "high": 1}]})
    assert (spell(misfit.path), misfit.text) == ("step[0]", "`low` is above `high`")


def test_a_wrong_word_is_told_with_the_words_there_are() -> None:
    (misfit,) = misfits(Tile, {"id": "a", "colour": "green"})
    assert misfit.text == "'green' is none of red, blue"


def test_true_is_no_number() -> None:
    assert found(Tile, {"id": "a", "size": True}) == [("size", "value")]


def test_misfits_are_bounded() -> None:
    assert len(misfits(list[Tile], [{}] * (MAX_MISFITS + 5))) == MAX_MISFITS


LEAVES = st.none() | st.booleans() | st.integers(-1, 12) | st.sampled_from(["red", "gain", "swap", "x"])
FIELDS = st.sampled_from(["id", "colour", "step", "do", "n", "low", "high", "costs"])


@settings(deadline=None)
@given(st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4)))
def test_misfits_agree_with_conversion_on_any_data(value: object) -> None:
    try:
        msgspec.convert(value, Tile)
    except msgspec.ValidationError:
        assert misfits(Tile, value)
    else:
        assert misfits(Tile, value) == []


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"a = ", id="no TOML"),
        pytest.param(b"\xff", id="no UTF-8"),
        pytest.param(b"#" * MAX_LINE_BYTES + b"\n" + b"#\n" * (MAX_PACK_BYTES // 2), id="too long"),
        pytest.param(b"a = " + b"1" * MAX_LINE_BYTES, id="long line"),
        pytest.param(b"a = " + b"[" * 900 + b"]" * 90, id="deep lists"),
        pytest.param(b"a." * (MAX_DEPTH + 1) + b"a = 1", id="deep tables"),
        pytest.param(b"\n".join([b"a = ["] + [b"["] * 5000), id="deeper than the parser"),
    ],
)
def test_what_is_no_pack_is_one_fault(source: bytes) -> None:
    with pytest.raises(PackError) as caught:
        parse(source, "bad_pack")
    assert [(fault.code, fault.where) for fault in caught.value.faults] == [("bad_pack", "pack")]


def test_nesting_up_to_the_bound_is_read() -> None:
    tree = parse(b"a." * (MAX_DEPTH - 2) + b"a = 1", "bad_pack")
    assert list(tree) == ["a"]


def test_pack_keeps_its_source_under_its_hash() -> None:
    pack = made(b"x = 1", id="one", title="One", game="chess", cards=("x",))
    assert (pack.id, pack.title, pack.game, pack.cards, pack.source) == ("one", "One", "chess", ("x",), b"x = 1")
    assert pack.hash == "8ff436def1451285599a1b1ad70800493b8dcafde2912e1a38345633054e4c26"
    assert made(b"x = 2", id="one", title="One", game="chess", cards=()).hash != pack.hash
