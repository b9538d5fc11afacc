"""Lost replies, lost servers, cancelled callers."""

from __future__ import annotations

import asyncio
import contextlib
import random

import pytest

from server.store import line
from server.store.address import connect
from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.rooms import Done, Known
from server.store.scripts import command as request
from tests.server.store.scene import command, creation, following, made, now, opened, proxy, until
from tests.valkey import Server


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up sooner than after 2 s."""
    monkeypatch.setattr(line, "WITHIN_S", 0.4)


async def made_elsewhere(store: Store, v: int) -> None:
    """Wait until a version is there."""
    for _ in range(1000):
        if (await now(store)).v >= v:
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it was not made")


@pytest.mark.usefixtures("one_server")
async def test_a_commit_whose_reply_was_lost_is_done_once(valkey: str) -> None:
    async with proxy(valkey) as cable, opened(cable.url) as store:
        stored = await made(store)
        for number in range(50):
            await asyncio.sleep(0)
            cable.lose = 1
            commit = following(store, stored, input=b"%d" % number)
            assert await store.commit(commit) == Done(commit.v, commit.rev, commit.at)
            cable.lose = 0
            stored = await now(store)
        assert await store.inputs("room") == [b"%d" % number for number in range(50)]
        assert cable.lost > 25


@pytest.mark.usefixtures("one_server")
async def test_a_commit_with_another_over_it_while_its_reply_was_lost_is_made_once(valkey: str) -> None:
    async with proxy(valkey) as cable, opened(cable.url) as store, opened(valkey) as other:
        await made(store)
        for number in range(20):
            mine = following(store, await now(store), input=b"%d" % number, command=command(str(number)))
            cable.silent = True
            waiting = asyncio.ensure_future(store.commit(mine))
            await made_elsewhere(other, mine.v)
            await other.commit(following(other, await now(other)))
            cable.silent = False
            cable.cut()
            assert isinstance(await waiting, Done | Known)
        assert await other.inputs("room") == [b"%d" % number for number in range(20)]


@pytest.mark.usefixtures("one_server")
async def test_every_reply_belongs_to_its_request_whoever_is_cancelled(valkey: str) -> None:
    async with proxy(valkey) as cable, opened(cable.url) as store:
        draw = random.Random(7)
        await asyncio.gather(*(store.put(str(n), b"%d" % n, 100) for n in range(50)))

        async def ask(number: int) -> None:
            assert await store.get(str(number)) == b"%d" % number

        for turn in range(200):
            asking = [asyncio.ensure_future(ask(draw.randrange(50))) for _ in range(20)]
            for _ in range(draw.randrange(4)):
                await asyncio.sleep(0)
            for task in draw.sample(asking, 10):
                task.cancel()
            if turn % 20 == 0:
                cable.cut()
            results = await asyncio.gather(*asking, return_exceptions=True)
            assert all(result is None or isinstance(result, asyncio.CancelledError) for result in results)


async def test_a_cancelled_caller_leaves_its_commit_and_the_batch_alone(store: Store) -> None:
    rooms = [f"room {n}" for n in range(20)]
    writing = [asyncio.ensure_future(store.commit(creation(store, room))) for room in rooms]
    await asyncio.sleep(0)
    for task in writing[::2]:
        task.cancel()
    results = await asyncio.gather(*writing, return_exceptions=True)
    assert all(isinstance(result, Done) for result in results[1::2])
    assert set(await store.heads(rooms)) == set(rooms)


async def test_scripts_come_back_after_a_flush(store: Store, valkey_server: Server) -> None:
    stored = await made(store)
    valkey_server.ask("SCRIPT", "FLUSH")
    writes = [creation(store, f"room {n}") for n in range(5)]
    results = await asyncio.gather(store.commit(following(store, stored)), *map(store.commit, writes))
    assert all(isinstance(result, Done) for result in results)
    valkey_server.ask("SCRIPT", "FLUSH")
    assert await store.due() == []


async def test_a_short_pause_is_waited_for(store: Store, valkey_server: Server) -> None:
    stored = await made(store)
    valkey_server.ask("CLIENT", "PAUSE", 500, "WRITE")
    assert isinstance(await store.commit(following(store, stored, input=b"i")), Done)
    assert await store.inputs("room") == [b"i"]


@pytest.mark.usefixtures("brief")
async def test_a_silent_server_is_unavailable_and_comes_back(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store:
        stored = await made(store)
        own_valkey.freeze()
        mine = following(store, stored, input=b"i")
        with pytest.raises(Unavailable):
            await store.commit(mine)
        with pytest.raises(Unavailable):
            await store.read("room")
        own_valkey.thaw()
        assert isinstance(await store.commit(mine), Done)
        assert await store.inputs("room") == [b"i"]


@pytest.mark.usefixtures("brief", "one_server")
async def test_no_server_is_unavailable(valkey: str) -> None:
    with pytest.raises(Unavailable):
        await Store.open(valkey + "-nobody")


@pytest.mark.usefixtures("brief")
async def test_a_full_server_refuses_whole_commits_and_still_reads(store: Store, valkey_server: Server) -> None:
    stored = await made(store)
    valkey_server.ask("CONFIG", "SET", "maxmemory", 1)
    try:
        with pytest.raises(Unavailable, match="maxmemory"):
            await store.commit(following(store, stored, input=b"i"))
        assert await now(store) == stored
        assert await store.inputs("room") == []
        assert await store.entries("room", 0) == [b"entry 1"]
    finally:
        valkey_server.ask("CONFIG", "SET", "maxmemory", 0)
    assert isinstance(await store.commit(following(store, stored)), Done)


async def test_a_commit_waits_for_room_in_memory(store: Store, valkey_server: Server) -> None:
    stored = await made(store)
    valkey_server.ask("CONFIG", "SET", "maxmemory", 1)
    waiting = asyncio.ensure_future(store.commit(following(store, stored)))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    valkey_server.ask("CONFIG", "SET", "maxmemory", 0)
    assert isinstance(await waiting, Done)


@pytest.mark.usefixtures("brief")
async def test_a_replica_is_unavailable_for_commits_until_it_is_promoted(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store:
        stored = await made(store)
        own_valkey.ask("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(Unavailable):
            await store.commit(following(store, stored))
        waiting = asyncio.ensure_future(store.commit(following(store, stored)))
        await asyncio.sleep(0.05)
        own_valkey.ask("REPLICAOF", "NO", "ONE")
        assert isinstance(await waiting, Done)


async def test_what_was_done_survives_a_killed_server(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store:
        stored, done = await made(store), []

        async def play() -> None:
            nonlocal stored
            for number in range(400):
                commit = following(store, stored, input=b"%d" % number)
                with contextlib.suppress(Unavailable):
                    result = await store.commit(commit)
                    assert isinstance(result, Done)
                    done.append(b"%d" % number)
                stored = await now(store)

        playing = asyncio.ensure_future(play())
        await until(lambda: len(done) > 100)
        own_valkey.kill()
        await asyncio.to_thread(own_valkey.start)
        await playing
        kept = await store.inputs("room")
        assert [said for said in kept if said in set(done)] == done
        assert len(kept) == len(set(kept))


async def test_a_request_that_no_server_takes_is_not_tried_again(store: Store) -> None:
    with pytest.raises(Unavailable, match="refused"):
        await store.primaries[0].reader.ask(request("NOSUCHCOMMAND"))
    assert await store.get("nothing") is None


async def test_what_waits_when_a_line_closes_is_answered(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store:
        reader = store.primaries[0].reader
        own_valkey.freeze()
        on_its_way = reader.ask(request("GET", "x"))
        await asyncio.sleep(0.05)
        queued = reader.ask(request("GET", "x"))
        await reader.close()
        for waiting in (on_its_way, queued, reader.ask(request("GET", "x"))):
            with pytest.raises(Unavailable, match="closed"):
                await waiting
        own_valkey.thaw()


async def test_what_was_asked_of_a_line_that_closes_at_once_is_answered(valkey: str) -> None:
    unused = line.Line(lambda: connect(valkey))
    waiting = unused.ask(request("GET", "x"))
    await unused.close()
    with pytest.raises(Unavailable, match="closed"):
        await waiting


@pytest.mark.usefixtures("one_server")
async def test_a_commit_that_no_replica_has_is_unavailable(valkey: str) -> None:
    async with opened(valkey, "replicated") as store:
        with pytest.raises(Unavailable, match="replica"):
            await store.commit(creation(store, "room"))
