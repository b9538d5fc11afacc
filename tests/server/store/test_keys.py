"""Names of keys, partitions and room ids."""

from __future__ import annotations

from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import keys


@given(st.text(min_size=1, max_size=20))
def test_all_keys_of_a_room_and_its_partition_share_one_tag(room: str) -> None:
    number = keys.partition(room)
    assert number == crc32(room.encode()) % 256
    shared = keys.shared(number)
    names = [*keys.keys(room, "room", "cmd"), keys.key("out", room), shared.due, shared.time, shared.done]
    assert all(f"{{p{number}}}" in name for name in names)


@given(st.text(), st.text(), st.text(), st.text())
def test_two_commands_never_share_a_field(account: str, command: str, account2: str, command2: str) -> None:
    same = keys.command_field(account, command) == keys.command_field(account2, command2)
    assert same == ((account, command) == (account2, command2))


def test_a_room_id_is_the_same_wherever_it_is_made() -> None:
    made = keys.room_id(b"k" * 32, "alice", "1")
    assert made == keys.room_id(b"k" * 32, "alice", "1", 0)
    assert len(made) == 10
    assert set(made) <= set("0123456789abcdefghjkmnpqrstvwxyz")


@pytest.mark.parametrize("other", [("alice", "1", 1), ("alice", "2", 0), ("bob", "1", 0), ("alice1", "", 0)])
def test_another_create_makes_another_room_id(other: tuple[str, str, int]) -> None:
    assert keys.room_id(b"k" * 32, *other) != keys.room_id(b"k" * 32, "alice", "1")


def test_another_installation_makes_another_room_id() -> None:
    assert keys.room_id(b"a" * 32, "alice", "1") != keys.room_id(b"b" * 32, "alice", "1")


def test_a_mark_lies_beside_the_key_that_it_is_for() -> None:
    assert keys.slot_of(keys.mark_beside("pack:hash")) == keys.slot_of("pack:hash")
