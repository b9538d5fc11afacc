"""Messages without a version, presence by node, beats."""

from __future__ import annotations

from server.store import keys
from server.store.redis import Store
from tests.server.store.scene import Ear, following, made, until
from tests.valkey import Server


async def test_a_message_is_heard_and_kept_only_if_wished(store: Store, other: Store) -> None:
    await made(store)
    ear = Ear(other)
    await other.subscribe("room")
    assert await store.tell("room", b"typing", keep=False)
    assert await store.tell("room", b"hello", keep=True)
    await until(lambda: len(ear.told) == 2)
    assert ear.told == [("room", b"typing"), ("room", b"hello")]
    assert ear.entries == []
    assert await store.said("room") == [b"hello"]


async def test_the_last_50_messages_are_kept(store: Store) -> None:
    await made(store)
    for number in range(60):
        await store.tell("room", b"%d" % number, keep=True)
    assert await store.said("room") == [b"%d" % number for number in range(10, 60)]


async def test_asides_push_nothing_else_out_and_stand_where_they_were_said(store: Store) -> None:
    await made(store)
    await store.tell("room", b"first", keep=True)
    for number in range(60):
        await store.tell("room", b"%d" % number, keep=True, aside=True)
    await store.tell("room", b"last", keep=True)
    assert await store.said("room") == [b"first", b"last"]
    asides = [b"%d" % number for number in range(10, 60)]
    assert await store.said("room", asides=True) == [b"first", *asides, b"last"]


async def test_what_is_told_with_a_commit_is_heard_after_its_version(store: Store, other: Store) -> None:
    stored = await made(store)
    ear = Ear(other)
    await other.subscribe("room")
    await store.commit(following(store, stored, told=b"hello"))
    await until(lambda: ear.told)
    assert ear.told == [("room", b"hello")]
    assert ear.entries == [("room", b"entry 2")]


async def test_a_resent_message_is_told_once(store: Store, other: Store) -> None:
    await made(store)
    ear = Ear(other)
    await other.subscribe("room")
    assert await store.tell("room", b"hello", keep=True, id="alice 1")
    assert not await other.tell("room", b"hello", keep=True, id="alice 1")
    assert await other.tell("room", b"hello", keep=True, id="bob 1")
    await until(lambda: len(ear.told) == 2)
    assert await store.said("room") == [b"hello", b"hello"]


async def test_who_is_here_is_told_by_node(store: Store, other: Store) -> None:
    await made(store)
    ear = Ear(other)
    await other.subscribe("room")
    for node in ("n1", "n2"):
        await store.beat(node, b"")
    await store.here("room", "n1", b"alice", b"alice came")
    await store.here("room", "n2", b"bob")
    assert await store.who("room") == {"n1": b"alice", "n2": b"bob"}
    await store.here("room", "n1", None)
    assert await store.who("room") == {"n2": b"bob"}
    await until(lambda: ear.told)
    assert ear.told == [("room", b"alice came")]


async def test_a_node_counts_as_long_as_it_beats(store: Store, valkey_server: Server) -> None:
    await made(store)
    await store.beat("n1", b"")
    await store.here("room", "n1", b"alice")
    await store.here("room", "n2", b"bob")
    assert await store.who("room") == {"n1": b"alice"}
    await store.beat("n2", b"")  # it was only slow
    valkey_server.ask("DEL", keys.node_key("n1"))
    assert await store.who("room") == {"n2": b"bob"}


async def test_a_beat_lives_9_s(store: Store, other: Store, valkey_server: Server) -> None:
    await store.beat("n1", b"formats 1")
    await other.beat("n2", b"formats 2")
    assert await store.beats() == {"n1": b"formats 1", "n2": b"formats 2"}
    left = valkey_server.ask("PTTL", keys.node_key("n1"))
    assert isinstance(left, int)
    assert 0 < left <= 9000
    valkey_server.ask("DEL", keys.node_key("n1"))  # as if they had passed
    assert await store.beats() == {"n2": b"formats 2"}
    assert valkey_server.ask("SMEMBERS", keys.NODES) == {b"n2"}


async def test_a_node_that_leaves_beats_no_more(store: Store) -> None:
    await store.beat("n1", b"")
    await store.leave("n1")
    assert await store.beats() == {}
