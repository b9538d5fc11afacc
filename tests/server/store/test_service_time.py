"""Service time: it stands still over an outage, is never taken back, and no deadline is rewritten.

An outage of G ms is made by setting the keys of a partition back by G: beat, thaw and credit alike.
"""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.store import keys
from server.store.clock import Clock
from server.store.redis import Store
from server.store.rooms import ClockOff, Conflict, Done
from tests.server.store.scene import creation, following, made, now
from tests.valkey import Server

SHARED = keys.shared(keys.partition("room"))


def kept(server: Server) -> dict[bytes, int]:
    """Beat, credit and thaw of the room's partition."""
    found = server.ask("HGETALL", SHARED.time)
    assert isinstance(found, dict)
    return {name: int(value) for name, value in found.items()}


def pass_time(server: Server, ms: int) -> None:
    """Let time pass in which nobody looked."""
    for name, value in kept(server).items():
        server.ask("HSET", SHARED.time, name, value - ms)
    server.ask("HSETNX", SHARED.time, "credit", -ms)


async def heard(store: Store) -> tuple[int, int]:
    """Sweep; give service time as the script said it, and for how many ms more it stands still."""
    _, (now, still) = (await store._sweep(0))[keys.partition("room")]
    store.clock.hear(keys.partition("room"), now, still)
    return now, still


async def test_without_deadlines_no_beat_is_kept(store: Store, valkey_server: Server) -> None:
    await made(store)
    await store.due()
    assert valkey_server.ask("EXISTS", SHARED.time) == 0


async def test_the_first_deadline_sets_the_beat_without_credit(store: Store, valkey_server: Server) -> None:
    stored = await made(store, deadline=store.now("room") + 60_000)
    await store.commit(following(store, stored))  # and none is left
    valkey_server.ask("HINCRBY", SHARED.time, "beat", -100_000)
    before, _ = await heard(store)
    await store.commit(following(store, await now(store), deadline=before + 60_000))
    assert kept(valkey_server).keys() == {b"beat"}
    assert (await heard(store))[1] == 0
    assert kept(valkey_server).keys() == {b"beat"}


@pytest.mark.parametrize("by", ["sweep", "commit", "tell"])
async def test_every_script_writes_the_beat_where_a_deadline_waits(
    store: Store, valkey_server: Server, by: str
) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    valkey_server.ask("HINCRBY", SHARED.time, "beat", -2000)
    before = kept(valkey_server)[b"beat"]
    if by == "sweep":
        await store.due()
    elif by == "tell":
        await store.tell("room", b"said", keep=False)
    else:
        assert isinstance(await store.commit(creation(store, "room")), Conflict)
    assert kept(valkey_server)[b"beat"] >= before + 2000


async def test_a_gap_of_up_to_3_s_is_not_credited(store: Store, valkey_server: Server) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    before, _ = await heard(store)
    pass_time(valkey_server, 2000)
    after, still = await heard(store)
    assert after >= before + 2000
    assert still == 0
    assert b"thaw" not in kept(valkey_server)


async def test_an_outage_is_credited_once_and_time_stands_still_for_5_s_more(
    store: Store, valkey_server: Server
) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    before, _ = await heard(store)
    pass_time(valkey_server, 30_000)
    assert await heard(store) == (before + 1000, 5000)
    credit = kept(valkey_server)[b"credit"]
    again, still = await heard(store)
    assert (again, still <= 5000) == (before + 1000, True)
    assert kept(valkey_server)[b"credit"] == credit
    pass_time(valkey_server, 2000)
    again, still = await heard(store)
    assert (again, still <= 3000) == (before + 1000, True)
    for _ in range(2):
        pass_time(valkey_server, 2000)
        after, still = await heard(store)
    assert after >= before + 1000 + 1000
    assert still == 0


async def test_an_outage_within_the_thaw_is_credited_too(store: Store, valkey_server: Server) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    before, _ = await heard(store)
    for gap in (30_000, 4000, 60_000):
        pass_time(valkey_server, gap)
        assert await heard(store) == (before + 1000, 5000)


async def test_nobody_is_flagged_for_an_outage_and_no_deadline_is_rewritten(
    store: Store, valkey_server: Server
) -> None:
    deadline = store.now("room") + 10_000
    stored = await made(store, deadline=deadline)
    await heard(store)
    pass_time(valkey_server, 3_600_000)
    assert await store.due() == []
    assert valkey_server.ask("ZSCORE", SHARED.due, "room") == deadline
    assert isinstance(await store.commit(following(store, stored, not_before=deadline)), ClockOff)
    assert isinstance(await store.commit(following(store, stored, not_after=deadline)), Done)


async def test_a_commit_that_finds_the_outage_credits_it(store: Store, valkey_server: Server) -> None:
    stored = await made(store, deadline=store.now("room") + 60_000)
    before, _ = await heard(store)
    pass_time(valkey_server, 30_000)
    refused = await store.commit(following(store, stored, at=before - 9000, deadline=before + 60_000))
    assert refused == ClockOff(before + 1000)
    assert isinstance(await store.commit(following(store, stored, at=before, deadline=before + 60_000)), Done)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gaps=st.lists(st.integers(0, 12_000), max_size=12))
async def test_time_that_was_used_is_never_taken_back_and_an_outage_adds_at_most_a_second(
    store: Store, valkey_server: Server, gaps: list[int]
) -> None:
    valkey_server.ask("DEL", SHARED.time)
    valkey_server.ask("ZADD", SHARED.due, 1 << 52, "room")
    before, _ = await heard(store)
    for gap in gaps:
        pass_time(valkey_server, gap)
        after, _ = await heard(store)
        assert after >= before
        assert gap <= 3000 or after <= before + 1000
        before = after


async def test_partitions_have_their_own_time(store: Store, valkey_server: Server) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    await heard(store)
    pass_time(valkey_server, 30_000)
    stills = {number: still for number, (_, still) in await store._sweep(0) if still}
    assert stills == {keys.partition("room"): 5000}


async def test_a_nodes_estimate_stands_still_with_service_time(store: Store, valkey_server: Server) -> None:
    await made(store, deadline=store.now("room") + 60_000)
    await heard(store)
    pass_time(valkey_server, 30_000)
    standing, _ = await heard(store)
    await asyncio.sleep(0.1)
    assert store.now("room") == standing


def test_a_clock_goes_on_from_what_it_heard_and_stands_still_as_long_as_it_was_told() -> None:
    ticks = iter([100, 100, 150, 200, 300, 350, 400, 500])
    clock = Clock(lambda: next(ticks))
    clock.hear(7, 1_000_000, 0)
    assert [clock.now(7), clock.now(7), clock.now(7)] == [1_000_000, 1_000_050, 1_000_100]
    clock.hear(7, 2_000_000, 75)
    assert [clock.now(7), clock.now(7), clock.now(7)] == [2_000_000, 2_000_025, 2_000_125]


def test_only_the_first_second_after_a_reply_has_surely_passed() -> None:
    ticks = iter([0, 400, 1_000, 2_900, 5_000, 5_000, 5_500])
    clock = Clock(lambda: next(ticks))
    clock.hear(7, 1_000_000, 0)
    assert [clock.sure(7), clock.sure(7), clock.sure(7)] == [1_000_400, 1_001_000, 1_001_000]
    clock.hear(7, 1_001_000, 250)
    assert [clock.sure(7), clock.sure(7)] == [1_001_000, 1_001_250]
