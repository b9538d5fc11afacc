"""Which servers are taken, and what an installation keeps from its first start."""

from __future__ import annotations

import pytest

from server.store import keys
from server.store.address import check_fit, connector
from server.store.errors import Unfit
from server.store.redis import Store
from tests.server.store.scene import opened
from tests.valkey import Server

FIT = {"redis_version": "7.2.4", "maxmemory_policy": "noeviction", "cluster_enabled": "0"}


async def test_every_node_of_an_installation_has_the_same_key(store: Store, other: Store) -> None:
    assert len(store.install_key) == 32
    assert store.install_key == other.install_key
    assert store.room_id("alice", "1") == other.room_id("alice", "1")


async def test_another_number_of_partitions_is_refused(store: Store, valkey: str, valkey_server: Server) -> None:
    valkey_server.ask("HSET", keys.META, "partitions", 16)
    with pytest.raises(Unfit, match="partitions 16"):
        await Store.open(valkey)


async def test_another_format_is_refused(store: Store, valkey: str, valkey_server: Server) -> None:
    valkey_server.ask("HSET", keys.META, "format", 9)
    with pytest.raises(Unfit, match="format 9"):
        await Store.open(valkey)


async def test_a_server_that_evicts_is_refused(valkey: str, valkey_server: Server) -> None:
    valkey_server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(Unfit, match="noeviction"):
            await Store.open(valkey)
    finally:
        valkey_server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    async with opened(valkey) as store:
        assert await store.ready()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"redis_version": "6.2.14"}, "too old"),
        ({"maxmemory_policy": "volatile-ttl"}, "volatile-ttl"),
        ({"cluster_enabled": "1"}, "Cluster"),
    ],
)
def test_what_is_wrong_with_a_server_is_said(changed: dict[str, str], said: str) -> None:
    check_fit(FIT)
    check_fit(FIT | {"redis_version": "10.0.0"})
    with pytest.raises(Unfit, match=said):
        check_fit(FIT | changed)


@pytest.mark.parametrize("scheme", ["sentinel", "redis+sentinel", "cluster", "redis+cluster", "rediss+cluster"])
async def test_sentinel_and_cluster_are_said_to_come_later(scheme: str) -> None:
    with pytest.raises(Unfit, match="not supported yet"):
        await Store.open(f"{scheme}://127.0.0.1:1/0")


@pytest.mark.parametrize("url", ["", "redis", "http://127.0.0.1", "redis://127.0.0.1:1/?db=x"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Unfit):
        connector(url)


@pytest.mark.parametrize("url", ["redis://u:p@127.0.0.1:1/2", "rediss://127.0.0.1:1", "unix:///run/redis"])
def test_one_server_by_tcp_tls_or_socket_is_taken(url: str) -> None:
    kind, wanted = connector(url)
    assert kind(**wanted).protocol == 2
