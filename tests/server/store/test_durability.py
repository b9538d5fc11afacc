"""What an ok survives is what was asked for, or is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from server.store.errors import Unavailable, Unfit
from server.store.fitness import Durability, check_durable
from server.store.redis import Store
from server.store.rooms import Done, Known
from tests.server.store.scene import command, creation, following, made, now, opened
from tests.server.store.test_replica import pair  # noqa: F401 - a fixture
from tests.valkey import Server

Pair = tuple[Server, Server]


@pytest.fixture
def unsafe(own_valkey: Server) -> Iterator[Server]:
    """A server without an append-only file."""
    own_valkey.ask("CONFIG", "SET", "appendonly", "no")
    return own_valkey


@pytest.mark.parametrize("fsync", ["everysec", "no"])
async def test_always_is_refused_where_redis_does_less(own_valkey: Server, fsync: str) -> None:
    own_valkey.ask("CONFIG", "SET", "appendfsync", fsync)
    with pytest.raises(Unfit, match="appendfsync to always"):
        await Store.open(own_valkey.url, "always")
    own_valkey.ask("CONFIG", "SET", "appendfsync", "always")
    async with opened(own_valkey.url, "always") as store:
        await made(store)
    own_valkey.ask("CONFIG", "SET", "appendonly", "no")
    with pytest.raises(Unfit, match="appendonly to yes"):
        await Store.open(own_valkey.url, "always")


async def test_less_than_every_second_is_warned_of(unsafe: Server) -> None:
    with capture_logs() as logs:
        async with opened(unsafe.url) as store:
            await made(store)
    assert [log["event"] for log in logs] == ["durability_less_than_wanted"]
    unsafe.ask("CONFIG", "SET", "appendonly", "yes")
    with capture_logs() as logs:
        async with opened(unsafe.url):
            pass
    assert logs == []


@pytest.mark.parametrize("wanted", ["everysec", "always", "replicated"])
async def test_what_may_not_be_read_is_warned_of(own_valkey: Server, wanted: Durability) -> None:
    own_valkey.ask("ACL", "SETUSER", "node", "on", ">pass", "~*", "&*", "+@all", "-config")
    url = f"unix://node:pass@{own_valkey.socket}"
    with capture_logs() as logs:
        async with opened(url, wanted):
            pass
    assert [(log["event"], log["wanted"]) for log in logs] == [("durability_not_checked", wanted)]


async def test_a_server_that_names_no_such_setting_is_taken_for_the_least() -> None:
    async def nothing(_packed: bytes) -> list[bytes]:
        return []

    with pytest.raises(Unfit):
        await check_durable(nothing, "always", "")


async def test_an_outcome_that_no_replica_has_is_not_given_again(pair: Pair) -> None:  # noqa: F811
    primary, replica = pair
    async with opened(primary.url, "replicated") as store:
        primary.ask("WAIT", 1, 10_000)
        await made(store)
        replica.freeze()
        second = following(store, await now(store), command=command("1", outcome=b"first"))
        for _ in range(2):
            with pytest.raises(Unavailable, match="replica"):
                await store.commit(second)
        with pytest.raises(Unavailable, match="replica"):
            await store.known("room", "alice", "1")
        with pytest.raises(Unavailable, match="replica"):
            await store.secure("room")
        replica.thaw()
        assert await store.known("room", "alice", "1") == (command("1").digest, b"first")
        await store.secure("room")
        third = following(store, await now(store), command=command("1"))
        assert isinstance(await store.commit(third), Known)
        assert isinstance(await store.commit(following(store, await now(store))), Done)


async def test_without_replicas_to_wait_for_nothing_is_written_by_reading(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store:
        await store.commit(creation(store, "room", command=command("1")))
        before = own_valkey.ask("DBSIZE")
        await store.secure("room")
        assert await store.known("room", "alice", "1") is not None
        assert own_valkey.ask("DBSIZE") == before
