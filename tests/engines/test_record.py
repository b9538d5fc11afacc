"""Records come back from their bytes as they were, old ones too, and nothing else passes for one."""

from __future__ import annotations

import msgspec
import pytest
from probe.driver import Driver

from engines.record import Choice, Record, decode_record, decode_state, encode, match_of


def test_a_record_comes_back_from_its_bytes() -> None:
    record = Driver("long", "offer", seats=3).take(0, "again").leave(2).record
    assert decode_record(encode(record)) == record


def test_a_record_that_lacks_the_later_fields_is_read_with_their_defaults() -> None:
    record = Driver("pick").record
    old = msgspec.msgpack.encode(msgspec.msgpack.decode(encode(record))[:10])
    assert decode_record(old) == record


def test_a_record_of_a_later_release_is_read_without_what_it_added() -> None:
    record = Driver("pick").record
    new = msgspec.msgpack.encode([*msgspec.msgpack.decode(encode(record)), "later"])
    assert decode_record(new) == record


@pytest.mark.parametrize("raw", [b"", b"\x90", b"\xc0", b"nonsense", b"\x81\xa1a\x01"])
def test_other_bytes_are_no_record(raw: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_record(raw)


def test_other_bytes_are_no_state() -> None:
    game = Driver("pick")
    with pytest.raises(msgspec.DecodeError):
        decode_state(game.rules, b"\x93\x01")
    assert encode(decode_state(game.rules, game.record.base)) == game.record.base


def test_the_facts_of_a_match_come_back_from_its_record() -> None:
    game = Driver("pick", laps=3, holds=False)
    match = match_of(game.rules, game.record, game.pack)
    assert match == game.match
    assert match_of(game.rules, game.record, None).pack is None


def test_choices_are_small() -> None:
    assert len(encode(Choice(1, 20, ("3",)))) <= 10


def test_no_field_of_a_record_may_move() -> None:
    assert Record.__struct_fields__[:16] == (
        "game", "rules", "pack", "seats", "options", "key", "base", "counter", "handles", "asked", "standing", "gone",
        "choices", "held", "total", "holds",
    )  # fmt: skip
