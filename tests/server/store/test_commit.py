"""Every check and every write of the commit script."""

from __future__ import annotations

import secrets

import pytest

from server.store import keys
from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.rooms import ClockOff, Conflict, Done, Known, Late, Result
from tests.server.store.scene import Ear, command, creation, following, made, now, until
from tests.valkey import Server


def everything(server: Server) -> dict[bytes, object]:
    """All that Redis holds, but for the clocks."""
    names = server.ask("KEYS", "*")
    assert isinstance(names, list)
    return {name: server.ask("DUMP", name) for name in names if not name.startswith(b"time:")}


async def test_a_created_room_reads_as_written(store: Store) -> None:
    commit = creation(store, "room", input=b"input")
    assert await store.commit(commit) == Done(1, commit.rev, commit.at)
    stored = await now(store)
    assert (stored.v, stored.rev, stored.tip) == (1, commit.rev, commit.tip)
    assert (stored.record, stored.status) == (b"record 1", "lobby")
    assert await store.entries("room", 0) == [b"entry 1"]
    assert await store.inputs("room") == [b"input"]
    assert await store.heads(["room", "gone"]) == {"room": (1, commit.tip)}


async def test_a_room_that_is_not_there_reads_as_nothing(store: Store) -> None:
    assert await store.read("gone") is None
    assert await store.entries("gone", 0) == []
    assert await store.entry_at("gone", 1) is None
    assert await store.known("gone", "alice", "1") is None


async def test_a_room_is_created_once(store: Store) -> None:
    first = await made(store)
    assert await store.commit(creation(store, "room")) == Conflict(first)


async def test_a_write_over_another_rev_gets_the_room_as_it_is(store: Store) -> None:
    first = await made(store)
    await store.commit(following(store, first))
    second = await now(store)
    assert await store.commit(following(store, first)) == Conflict(second)
    assert await now(store) == second


async def test_a_write_to_a_room_that_is_gone_finds_none(store: Store) -> None:
    assert await store.commit(creation(store, "room", expect=b"12345678")) == Conflict(None)


async def test_the_same_version_with_another_rev_is_a_conflict(store: Store, valkey_server: Server) -> None:
    first = await made(store)
    valkey_server.ask("HSET", keys.key("room", "room"), "rev", b"another!")  # as after a failover that lost a write
    assert isinstance(await store.commit(following(store, first)), Conflict)


async def test_a_silent_write_moves_rev_and_record_only(store: Store) -> None:
    first, ear = await made(store), Ear(store)
    await store.subscribe("room")
    held = following(store, first, entry=None, v=1, tip=first.tip, record=b"held", input=b"held")
    assert await store.commit(held) == Done(1, held.rev, held.at)
    stored = await now(store)
    assert (stored.v, stored.tip, stored.rev, stored.record) == (1, first.tip, held.rev, b"held")
    assert await store.entries("room", 0) == [b"entry 1"]
    assert await store.inputs("room") == [b"held"]
    await store.tell("room", b"after", keep=False)
    await until(lambda: ear.told)
    assert ear.entries == []


async def test_a_resent_command_gets_its_first_outcome_and_no_second_effect(store: Store, other: Store) -> None:
    first = await made(store)
    await store.commit(following(store, first, command=command("1", outcome=b"first")))
    second = await now(store)
    resent = following(other, second, command=command("1", outcome=b"second"))
    assert await other.commit(resent) == Known(command("1").digest, b"first")
    assert await now(store) == second
    assert await store.known("room", "alice", "1") == (command("1").digest, b"first")


async def test_a_command_is_its_accounts_own(store: Store) -> None:
    first = await made(store, command=command("1", "alice"))
    result = await store.commit(following(store, first, command=command("1", "bob")))
    assert isinstance(result, Done)
    assert await store.known("room", "carol", "1") is None


async def test_accounts_and_ids_do_not_run_together(store: Store) -> None:
    first = await made(store, command=command("c", "ab"))
    assert isinstance(await store.commit(following(store, first, command=command("bc", "a"))), Done)


async def test_a_known_command_is_a_write_for_replicas(store: Store, valkey_server: Server) -> None:
    first = await made(store, command=command("1"))
    assert isinstance(await store.commit(following(store, first, command=command("1"))), Known)
    assert valkey_server.ask("HGET", keys.key("room", "room"), "again") == b"1"


async def test_the_last_64_outcomes_of_each_account_are_kept(store: Store) -> None:
    stored = await made(store, command=command("first", "bob"))
    for number in range(65):
        await store.commit(following(store, stored, command=command(str(number))))
        stored = await now(store)
    assert await store.known("room", "alice", "0") is None
    assert await store.known("room", "alice", "1") == (command("1").digest, b"ok")
    assert await store.known("room", "alice", "64") is not None
    assert await store.known("room", "bob", "first") is not None


@pytest.mark.parametrize(("ahead", "fits"), [(150, True), (1000, False), (-1700, True), (-2500, False)])
async def test_at_may_be_250_ms_ahead_and_2_s_behind(store: Store, ahead: int, fits: bool) -> None:
    result = await store.commit(creation(store, "room", at=store.now("room") + ahead))
    assert isinstance(result, Done if fits else ClockOff)
    assert (await store.read("room") is not None) == fits


@pytest.mark.parametrize(
    ("bounds", "fits"),
    [
        ({"not_before": -1000}, True),
        ({"not_before": 1000}, False),
        ({"not_after": 1000}, True),
        ({"not_after": -1000}, False),
        ({"not_before": -1000, "not_after": 1000}, True),
    ],
)
async def test_service_time_must_be_within_the_callers_bounds(store: Store, bounds: dict[str, int], fits: bool) -> None:
    around = store.now("room")
    result = await store.commit(creation(store, "room", **{name: around + by for name, by in bounds.items()}))
    assert isinstance(result, Done if fits else ClockOff)
    assert (await store.read("room") is not None) == fits


async def test_a_clock_refusal_tells_the_time_and_sets_the_clock(store: Store) -> None:
    real = store.now("room")
    store.clock.hear(keys.partition("room"), real - 60_000, 0)
    result = await store.commit(creation(store, "room"))
    assert isinstance(result, ClockOff)
    assert 0 <= result.now - real < 5000
    assert isinstance(await store.commit(creation(store, "room")), Done)


async def test_a_refused_write_changes_nothing(store: Store, valkey_server: Server) -> None:
    first = await made(store, deadline=store.now("room") + 10_000, listing=b"listed")
    before = everything(valkey_server)
    late = {"deadline": 1, "listing": b"other", "status": "playing", "command": command("9"), "input": b"i"}
    refused: list[Result] = [
        await store.commit(following(store, first, expect=b"wrong rv", **late)),
        await store.commit(following(store, first, at=first.v, **late)),
        await store.commit(following(store, first, not_after=1, **late)),
    ]
    assert [type(result) for result in refused] == [Conflict, ClockOff, ClockOff]
    assert everything(valkey_server) == before


async def test_a_version_that_cannot_be_appended_changes_nothing(store: Store, valkey_server: Server) -> None:
    first = await made(store)
    valkey_server.ask("XADD", keys.key("out", "room"), "5-0", "e", "x", "r", "x")
    before = everything(valkey_server)
    with pytest.raises(Unavailable, match="refused"):
        await store.commit(following(store, first, input=b"i", command=command("1")))
    assert everything(valkey_server) == before


async def test_a_commit_recognises_itself(store: Store) -> None:
    commit = creation(store, "room")
    done = await store.commit(commit)
    assert await store.commit(commit) == done
    assert await store.entries("room", 0) == [b"entry 1"]


async def test_a_commit_recognises_itself_under_a_later_one(store: Store, other: Store) -> None:
    first = creation(store, "room")
    done = await store.commit(first)
    await other.commit(following(other, await now(other)))
    assert await store.commit(first) == done
    assert (await now(store)).v == 2


async def test_a_silent_write_recognises_itself(store: Store) -> None:
    first = await made(store)
    held = following(store, first, entry=None, v=1, tip=first.tip, input=b"held")
    done = await store.commit(held)
    assert await store.commit(held) == done
    assert await store.inputs("room") == [b"held"]


async def test_what_is_published_is_the_entry_unchanged(store: Store, other: Store) -> None:
    ear, entry = Ear(other), secrets.token_bytes(5000)
    await other.subscribe("room")
    await made(store, entry=entry)
    await until(lambda: ear.entries)
    assert ear.entries == [("room", entry)]
    assert await other.entry_at("room", 1) == entry


async def test_a_part_over_1_mib_is_not_sent(store: Store) -> None:
    with pytest.raises(ValueError, match="over"):
        await store.commit(creation(store, "room", record=b"x" * ((1 << 20) + 1)))
    assert isinstance(await store.commit(creation(store, "room", record=b"x" * (1 << 20))), Done)


async def test_a_deadline_stands_until_a_commit_moves_or_removes_it(store: Store, valkey_server: Server) -> None:
    due = keys.shared(keys.partition("room")).due
    first = await made(store, deadline=store.now("room") + 60_000)
    await store.commit(following(store, first, deadline=1_900_000_000_123))
    assert valkey_server.ask("ZSCORE", due, "room") == 1_900_000_000_123
    await store.commit(following(store, await now(store)))
    assert valkey_server.ask("EXISTS", due) == 0


async def test_a_delayed_room_keeps_what_the_delayed_may_need(store: Store, valkey_server: Server) -> None:
    stored = await made(store, late=Late(b"entry 1", b"view", 1000))
    for v in range(2, 6):
        await store.commit(following(store, stored, late=Late(b"entry %d" % v, b"view" if v == 4 else None, 1000)))
        stored = await now(store)
    kept = await store.late("room", 0, 100)
    assert [(each.v, each.entry, each.keyframe) for each in kept] == [
        (v, b"entry %d" % v, b"view" if v in (1, 4) else None) for v in range(1, 6)
    ]
    assert [each.v for each in await store.late("room", 3, 2)] == [3, 4]


async def test_old_public_frames_go_but_for_the_last_keyframe_that_is_old_enough(
    store: Store, valkey_server: Server
) -> None:
    at = store.now("room")
    for v, old_ms, view in ((1, 90_000, "view"), (2, 80_000, ""), (3, 62_000, "view"), (4, 60_500, "view")):
        valkey_server.ask("XADD", keys.key("late", "room"), f"{v}-0", "at", at - old_ms, "e", "old", "k", view)
    stored = await made(store, v=5, late=Late(b"entry", None, 1000))
    assert [each.v for each in await store.late("room", 0, 100)] == [1, 2, 3, 4, 5]
    await store.commit(following(store, stored, late=Late(b"entry", b"view", 1000)))
    assert [each.v for each in await store.late("room", 0, 100)] == [3, 4, 5, 6]
