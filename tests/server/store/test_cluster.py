"""On a Cluster: slots that move under play, primaries that die, and answers that lead elsewhere."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest

from server.store import keys
from server.store.errors import Unavailable, Unfit
from server.store.redis import Store
from server.store.rooms import Done
from tests.server.store.play import each_goes_on, play, rooms_in
from tests.server.store.scene import Ear, creation, following, made, now, opened, until
from tests.valkey import Server
from tests.valkey_cluster import Member, ValkeyCluster

Pair = tuple[Store, Store]


@pytest.fixture
async def pair(valkey_cluster: ValkeyCluster) -> AsyncIterator[Pair]:
    """Two nodes on the Cluster whose commits count when a replica has them."""
    async with opened(valkey_cluster.url, "replicated") as one, opened(valkey_cluster.url, "replicated") as two:
        yield one, two


def slot_of(room: str) -> int:
    """Give the slot of a room."""
    return keys.slot(keys.partition(room))


def another(cluster: ValkeyCluster, slot: int) -> Member:
    """Give a primary that does not have a slot."""
    return next(member for member in cluster.primaries() if member is not cluster.primary(slot))


def at(cluster: ValkeyCluster, member: Member, count: int = 3) -> list[str]:
    """Find rooms of a primary."""
    owners = cluster.owners()
    mine = [span for span, owner in owners.items() if owner is member]
    return rooms_in(lambda room: any(first <= slot_of(room) <= last for first, last in mine), count)


async def until_left(pair: Pair, victim: Member) -> None:
    """Wait until both nodes hold another for the primary."""
    await until(lambda: all(victim.place not in [primary.place for primary in store.primaries] for store in pair))


async def until_ready(store: Store) -> None:
    """Wait until every primary is heard."""
    for _ in range(200):
        if await store.ready():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it is not ready")


async def test_every_primary_has_its_lines_and_is_heard(pair: Pair, valkey_cluster: ValkeyCluster) -> None:
    assert sorted(p.place for p in pair[0].primaries) == sorted(m.place for m in valkey_cluster.primaries())
    assert await pair[0].ready()
    assert pair[0].install_key == pair[1].install_key


async def test_slots_that_move_back_and_forth_take_commits_and_subscriptions_along(
    pair: Pair, valkey_cluster: ValkeyCluster
) -> None:
    moving = [f"room {number}" for number in range(3)]
    resting = rooms_in(lambda room: slot_of(room) not in map(slot_of, moving), 3)
    async with play(pair, moving + resting) as writers:
        for _ in range(4):
            for room in moving:
                target = another(valkey_cluster, slot_of(room))
                await asyncio.to_thread(valkey_cluster.move, slot_of(room), target)
            await each_goes_on(writers, 3)
    assert all(len(writer.acknowledged) > 20 for writer in writers)


async def test_a_primary_killed_under_play_costs_no_acknowledged_commit(
    pair: Pair, valkey_cluster: ValkeyCluster
) -> None:
    victim, *others = valkey_cluster.primaries()
    rooms = [room for member in (victim, *others) for room in at(valkey_cluster, member, 2)]
    valkey_cluster.brisk()
    async with play(pair, rooms) as writers:
        victim.kill()
        await until_left(pair, victim)
        await each_goes_on([writer for writer in writers if writer.room not in rooms[:2]])
        await asyncio.to_thread(valkey_cluster.heal)  # now the rooms of the lost one have a replica again
        await each_goes_on(writers, 10)
    for store in pair:
        await until_ready(store)


async def test_a_primary_that_hangs_is_left_for_the_one_that_took_over(
    pair: Pair, valkey_cluster: ValkeyCluster
) -> None:
    rooms = [room for member in valkey_cluster.primaries() for room in at(valkey_cluster, member, 1)]
    valkey_cluster.brisk()
    victim = valkey_cluster.primary(slot_of(rooms[0]))
    assert victim.running is not None
    async with play(pair, rooms) as writers:
        os.kill(victim.running.pid, signal.SIGSTOP)
        try:
            await until_left(pair, victim)
        finally:
            os.kill(victim.running.pid, signal.SIGCONT)
        await each_goes_on(writers, 10)


async def test_a_slot_on_its_way_is_read_and_its_commits_wait_until_it_is_there(
    pair: Pair, valkey_cluster: ValkeyCluster
) -> None:
    stored = await made(pair[0])
    slot = slot_of("room")
    source, target = valkey_cluster.primary(slot), another(valkey_cluster, slot)
    await asyncio.to_thread(valkey_cluster.begin_move, slot, target)
    source.ask("MIGRATE", "127.0.0.1", target.port, keys.key("room", "room"), 0, 5000)
    assert await pair[0].read("room") == stored  # by ASK
    waiting = asyncio.ensure_future(pair[0].commit(following(pair[0], stored)))
    elsewhere = rooms_in(lambda room: valkey_cluster.primary(slot_of(room)) is source and slot_of(room) != slot, 1)[0]
    assert isinstance(await pair[0].commit(creation(pair[0], elsewhere)), Done)  # no other slot has to wait
    assert not waiting.done()
    await asyncio.to_thread(valkey_cluster.end_move, slot, source, target)
    assert isinstance(await waiting, Done)
    assert (await now(pair[1])).v == 2


async def test_a_slot_that_stays_on_its_way_is_unavailable(pair: Pair, valkey_cluster: ValkeyCluster) -> None:
    stored = await made(pair[0])
    slot = slot_of("room")
    source, target = valkey_cluster.primary(slot), another(valkey_cluster, slot)
    await asyncio.to_thread(valkey_cluster.begin_move, slot, target)
    with pytest.raises(Unavailable):
        await pair[0].commit(following(pair[0], stored))
    await asyncio.to_thread(valkey_cluster.end_move, slot, source, target)
    assert isinstance(await pair[0].commit(following(pair[0], stored)), Done)


async def test_a_quiet_room_whose_slot_moves_is_compared_and_heard_at_its_new_place(
    pair: Pair, valkey_cluster: ValkeyCluster
) -> None:
    ear = Ear(pair[1])
    await pair[1].subscribe("room")
    await asyncio.to_thread(valkey_cluster.move, slot_of("room"), another(valkey_cluster, slot_of("room")))
    await until(lambda: ear.reconnects)
    assert ear.reconnects == [["room"]]
    await made(pair[0])
    await until(lambda: ear.entries)
    assert ear.entries == [("room", b"entry 1")]
    await pair[1].unsubscribe("room")
    await until(lambda: not valkey_cluster.ask("PUBSUB", "SHARDCHANNELS", "*:room"))


async def test_a_nodes_own_channel_stays_at_its_primary_when_its_slot_leaves(
    pair: Pair, valkey_cluster: ValkeyCluster
) -> None:
    mine = next(primary for primary in pair[0].primaries if primary.subscriber._self)
    canary = mine.subscriber._self
    await asyncio.to_thread(valkey_cluster.move, slot_of(canary), another(valkey_cluster, slot_of(canary)))
    await until(lambda: mine.subscriber._self not in ("", canary))  # it sings elsewhere
    assert await pair[0].ready()


async def test_a_room_that_is_joined_while_its_slot_moves_is_heard(pair: Pair, valkey_cluster: ValkeyCluster) -> None:
    ear = Ear(pair[1])
    room = "room"
    for number in range(5):
        moving = asyncio.to_thread(valkey_cluster.move, slot_of(room), another(valkey_cluster, slot_of(room)))
        await asyncio.gather(moving, pair[1].subscribe(room))
        await pair[1].subscribe(room)
        await until(lambda: room in pair[1].fleet.holder(room).subscriber.rooms())  # type: ignore[union-attr]
        heard = False
        while not heard:
            await pair[0].tell(room, b"%d" % number, keep=False)
            await asyncio.sleep(0.02)
            heard = (room, b"%d" % number) in ear.told
        await pair[1].unsubscribe(room)


async def test_sweeps_go_on_elsewhere_while_a_primary_is_away(pair: Pair, valkey_cluster: ValkeyCluster) -> None:
    members = valkey_cluster.primaries()
    here, there = at(valkey_cluster, members[0], 1)[0], at(valkey_cluster, members[1], 1)[0]
    for room in (here, there):
        await made(pair[0], room, deadline=pair[0].now(room) + 50)
    await asyncio.sleep(0.1)
    assert members[0].running is not None
    os.kill(members[0].running.pid, signal.SIGSTOP)
    try:
        assert [due.room for due in await pair[0].due()] == [there]
    finally:
        os.kill(members[0].running.pid, signal.SIGCONT)
    found: list[str] = []
    while here not in found:
        found = [due.room for due in await pair[0].due()]


async def test_one_address_for_the_other_kind_is_refused(valkey_cluster: ValkeyCluster, own_valkey: Server) -> None:
    place = valkey_cluster.members[0].place
    with pytest.raises(Unfit, match="cluster://"):
        await Store.open(f"redis://{place}")
    own_valkey.ask("CONFIG", "SET", "port", 0)
    with pytest.raises(Unavailable):
        await Store.open("cluster://127.0.0.1:1")
