"""Packs, counts and values."""

from __future__ import annotations

from server.store.redis import Store
from tests.valkey import Server


async def test_a_pack_is_kept_for_good_as_first_put(store: Store, other: Store, valkey_server: Server) -> None:
    await store.put_pack("hash", b"pack")
    await other.put_pack("hash", b"other")
    assert await other.get_pack("hash") == b"pack"
    assert await store.get_pack("none") is None
    assert valkey_server.ask("TTL", "pack:hash") == -1


async def test_a_count_is_one_for_all_nodes_and_ends_after_its_window(
    store: Store, other: Store, valkey_server: Server
) -> None:
    counts = [await store.count("guests", 60), await other.count("guests", 60)]
    assert [count for count, _ in counts] == [1, 2]
    assert all(0 < left_ms <= 60_000 for _, left_ms in counts)
    valkey_server.ask("EXPIRE", "count:guests", 10)
    count, left_ms = await store.count("guests", 60)
    assert count == 3
    assert left_ms <= 10_000
    left = valkey_server.ask("TTL", "count:guests")
    assert isinstance(left, int)
    assert left <= 10  # counting on does not lengthen it


async def test_a_value_lives_as_long_as_it_was_given(store: Store, valkey_server: Server) -> None:
    assert await store.put("key", b"1", 60)
    assert not await store.put("key", b"2", 60, only_new=True)
    assert await store.get("key") == b"1"
    assert await store.put("key", b"3", 60)
    assert await store.get("key") == b"3"
    left = valkey_server.ask("TTL", "value:key")
    assert isinstance(left, int)
    assert 0 < left <= 60
    assert await store.get("none") is None
