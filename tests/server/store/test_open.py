"""Which servers are taken, and what an installation keeps from its first start."""

from __future__ import annotations

import pytest
from redis.asyncio.connection import Connection, SSLConnection

from server.store import keys
from server.store.address import read_address
from server.store.errors import Unfit
from server.store.fitness import check_fit
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
    with pytest.raises(Unfit, match="no node of a Cluster"):
        check_fit(FIT, "cluster")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "begins with one of"),
        ("redis", "begins with one of"),
        ("http://127.0.0.1", "sentinel://, cluster://"),
        ("redis://127.0.0.1:1/?db=x", "cannot be read"),
        ("redis://127.0.0.1:port", "cannot be read"),
        ("redis://127.0.0.1:1/?colour=red", "cannot be read"),
        ("rediss://127.0.0.1:1/?ssl_cert_reqs=perhaps", "cannot be read"),
        ("sentinel://127.0.0.1:1", "name of the primary"),
        ("sentinel:///rooms", "at least one host"),
        ("sentinel://host:x/rooms", "cannot be read"),
        ("cluster://", "at least one host"),
        ("cluster://127.0.0.1:1/3", "one database only"),
        ("cluster://127.0.0.1:1/?colour=red", "cannot be read"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(url: str, said: str) -> None:
    with pytest.raises(Unfit, match=said):
        read_address(url)


@pytest.mark.parametrize(
    "url", ["redis://user:hunt#er@host:1", "sentinel://user:hunt/er@host:1/rooms", "cluster://u:hunt:er@host:er"]
)
def test_what_is_said_shows_nothing_of_a_password(url: str) -> None:
    with pytest.raises(Unfit) as refused:
        read_address(url)
    assert "hunt" not in str(refused.value)
    assert refused.value.__suppress_context__


@pytest.mark.parametrize("url", ["redis://u:p@127.0.0.1:1/2", "rediss://127.0.0.1:1", "unix:///run/redis"])
def test_one_server_by_tcp_tls_or_socket_is_taken(url: str) -> None:
    address = read_address(url)
    assert (address.kind, address.connect().protocol) == ("one", 2)


def test_the_options_of_tls_are_passed_through() -> None:
    options = "ssl_ca_certs=/ca.pem&ssl_certfile=/me.pem&ssl_keyfile=/key.pem&ssl_check_hostname=false"
    for url in (f"rediss://host:1?{options}", f"cluster://host:1,other:2?tls=true&{options}"):
        made = read_address(url).connect()
        assert isinstance(made, SSLConnection)
        assert (made.ca_certs, made.certfile, made.keyfile) == ("/ca.pem", "/me.pem", "/key.pem")
        assert made.check_hostname is False


def test_a_cluster_has_many_nodes_and_one_login() -> None:
    address = read_address("cluster://us%20er:p%40ss@one,two:7,[::1]:8")
    assert address.seeds == ("one:6379", "two:7", "[::1]:8")
    made = address.connect(address.seeds[2])
    assert isinstance(made, Connection)
    assert (made.host, made.port, made.username, made.password) == ("::1", 8, "us er", "p@ss")


def test_sentinels_have_a_login_of_their_own() -> None:
    address = read_address("sentinel://user:pass@one,two:7/rooms%201?sentinel_password=other&db=3")
    assert (address.kind, address.name, address.seeds) == ("sentinel", "rooms 1", ("one:26379", "two:7"))
    to_primary, to_sentinel = address.connect("host:1"), address.connect("one:26379", asking=True)
    assert (to_primary.username, to_primary.password, to_primary.db) == ("user", "pass", 3)
    assert (to_sentinel.username, to_sentinel.password, to_sentinel.db) == (None, "other", 0)
