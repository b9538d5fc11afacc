"""What any release has put into Redis is read for ever, and what a later one adds is passed over."""

from __future__ import annotations

from typing import Any

import msgpack
import msgspec
import pytest
from msgspec import Struct

from engines.record import encode
from tests.golden.growth import holds
from tests.server.stored.keep import examples, kept

EXAMPLES = examples()
NAMES = sorted(EXAMPLES)


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_todays_bytes_are_kept(name: str) -> None:
    assert encode(EXAMPLES[name][0]) in kept(name), "run: python -m tests.server.stored.keep"


def test_what_was_written_once_still_says_the_same(name: str) -> None:
    for raw in kept(name):
        again = encode(EXAMPLES[name][1](raw))
        assert holds(msgpack.unpackb(again), msgpack.unpackb(raw)), f"a field of {name} has moved, changed or gone"


def test_what_a_later_release_adds_is_passed_over(name: str) -> None:
    value, decode = EXAMPLES[name]
    assert decode(encode(_grown(value))) == value


def test_what_an_earlier_release_did_not_have_yet_is_read_by_its_default(name: str) -> None:
    value, decode = EXAMPLES[name]
    fields = msgspec.structs.fields(type(value))
    optional = [field for field in fields if not field.required]
    if isinstance(msgspec.to_builtins(value), list) and optional:
        shorter = msgpack.unpackb(encode(value))[: -len(optional)]
        read = decode(encode(shorter))
        assert [getattr(read, field.name) for field in fields if field.required] == [
            getattr(value, field.name) for field in fields if field.required
        ]


def test_a_field_that_moves_is_found() -> None:
    assert holds([1, [2, 9], {"a": 1, "b": 2}, "new"], [1, [2], {"a": 1}])
    for moved in ([1, [2]], [2, 1], [1, [3], {"a": 1}], [1, [2], {"b": 1}]):
        assert not holds(moved, [1, [2], {"a": 1}])


def _grown(value: Any) -> Any:
    """Give what a later release may write: every struct with one more field."""
    if isinstance(value, Struct):
        fields = {
            field.encode_name: _grown(getattr(value, field.name)) for field in msgspec.structs.fields(type(value))
        }
        config = value.__struct_config__
        if config.array_like:
            return [*fields.values(), "later"]
        return {**({config.tag_field: config.tag} if config.tag_field else {}), **fields, "later": 1}
    if isinstance(value, (list, tuple)):
        return [_grown(one) for one in value]
    return {key: _grown(one) for key, one in value.items()} if isinstance(value, dict) else value
