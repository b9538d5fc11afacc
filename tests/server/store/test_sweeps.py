"""Taking what is due, once; rooms that have ended; lists that are put right."""

from __future__ import annotations

import asyncio

import pytest

from server.store import keys, sweeps
from server.store.redis import Store
from server.store.sweeps import Due
from tests.server.store.scene import creation, following, made, now
from tests.valkey import Server


async def test_what_is_due_is_taken_by_one_node_only(store: Store, other: Store) -> None:
    rooms = [f"room {n}" for n in range(300)]
    await asyncio.gather(*(store.commit(creation(store, room, deadline=store.now(room) - 1)) for room in rooms))
    taken = await asyncio.gather(store.due(), other.due(), store.due(), other.due())
    assert sorted(due.room for found in taken for due in found) == sorted(rooms)


async def test_what_is_not_due_is_not_taken(store: Store) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    await made(store, "none")
    assert await store.due() == []


async def test_a_deadline_comes_with_what_it_was_set_to(store: Store) -> None:
    deadline = store.now("room") - 1
    await made(store, deadline=deadline)
    assert await store.due() == [Due("room", deadline, 1)]


async def test_what_was_taken_in_vain_comes_again_and_counts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "HIDDEN_MS", 30)
    deadline = store.now("room") - 1
    await made(store, deadline=deadline)
    taken: list[Due] = []
    while len(taken) < 3:
        taken += await store.due()
        await asyncio.sleep(0.01)
    assert taken == [Due("room", deadline, times) for times in (1, 2, 3)]


async def test_what_was_taken_is_hidden_for_2_s(store: Store, valkey_server: Server) -> None:
    await made(store, deadline=store.now("room") - 1)
    await store.due()
    shared = keys.shared(keys.partition("room"))
    hidden = valkey_server.ask("ZSCORE", shared.due, "room")
    assert isinstance(hidden, float)
    assert hidden <= store.now("room") + 2000
    valkey_server.ask("ZADD", shared.due, hidden - 2000, "room")  # as if they had passed
    assert [due.taken for due in await store.due()] == [2]


async def test_a_commit_after_the_taking_counts_anew(store: Store) -> None:
    stored = await made(store, deadline=store.now("room") - 1)
    await store.due()
    await store.commit(following(store, stored, deadline=store.now("room") - 1))
    assert [due.taken for due in await store.due()] == [1]
    await store.commit(following(store, await now(store)))
    assert await store.due() == []


async def test_at_most_so_many_of_a_partition_are_taken_the_earliest_first(store: Store) -> None:
    same = [room for room in map(str, range(20_000)) if keys.partition(room) == 0][:5]
    past = store.now(same[0]) - 1000
    for age, room in enumerate(same):
        await store.commit(creation(store, room, deadline=past - age))
    assert [due.room for due in await store.due(3)] == same[:1:-1]
    assert [due.room for due in await store.due(3)] == same[1::-1]


async def test_ended_rooms_wait_until_they_are_settled(store: Store, other: Store) -> None:
    for room in ("a", "b"):
        await made(store, room, status="void", expire_s=100)
    ended = await store.ended()
    assert sorted(room.room for room in ended) == ["a", "b"]
    assert await other.ended() == ended
    await other.settle([room for room in ended if room.room == "a"])
    assert [room.room for room in await store.ended()] == ["b"]


async def test_rooms_that_are_gone_leave_deadlines_and_lists(store: Store, valkey_server: Server) -> None:
    for room in ("room", "gone"):
        await made(store, room, deadline=store.now(room) + 60_000, listing=room.encode())
    assert await store.mend() == 0
    valkey_server.ask("DEL", keys.key("room", "gone"))
    assert await store.mend() == 2
    assert await store.lists("open", 10) == ([b"room"], "")
    assert valkey_server.ask("EXISTS", keys.shared(keys.partition("gone")).due) == 0
    assert valkey_server.ask("EXISTS", keys.shared(keys.partition("room")).due) == 1


async def test_lists_that_say_otherwise_than_their_rooms_are_put_right(store: Store, valkey_server: Server) -> None:
    shared = keys.shared(keys.partition("room"))
    deadline = store.now("room") + 60_000
    stored = await made(store, deadline=deadline, status="lobby", listing=b"shown")
    valkey_server.ask("ZREM", shared.open, "room")
    valkey_server.ask("ZADD", shared.live, 1, "room")
    assert await store.mend() == 2
    assert [await store.lists(kind, 10) for kind in ("open", "live")] == [([b"shown"], ""), ([], "")]
    await store.commit(following(store, stored, deadline=deadline, status="playing", listing=b"shown"))
    valkey_server.ask("ZADD", shared.open, 1, "room")
    assert await store.mend() == 1
    assert [await store.lists(kind, 10) for kind in ("open", "live")] == [([], ""), ([b"shown"], "")]
    assert await store.mend() == 0


async def test_a_private_or_ended_room_is_taken_out_of_lists(store: Store, valkey_server: Server) -> None:
    await made(store, "private", deadline=store.now("private") + 60_000)
    await made(store, "ended", status="void", expire_s=100)
    for room in ("private", "ended"):
        valkey_server.ask("ZADD", keys.shared(keys.partition(room)).live, 1, room)
    valkey_server.ask("ZADD", keys.shared(keys.partition("ended")).due, 1, "ended")
    assert await store.mend() == 3
    assert valkey_server.ask("ZCARD", keys.shared(keys.partition("private")).due) == 1
    assert await store.lists("live", 10) == ([], "")
