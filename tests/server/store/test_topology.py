"""Whom to ask where everything is, and what to make of the answers."""

from __future__ import annotations

from typing import Any

import pytest
from redis import exceptions
from redis.asyncio.connection import AbstractConnection

from server.store import topology
from server.store.address import read_address
from server.store.errors import Unavailable, Unfit
from server.store.topology import SLOTS, Cluster, Layout, One, Sentinels, topology_of


class Network:
    """Servers that answer as they are told; who was asked is kept."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def ask(self, connection: AbstractConnection, packed: bytes, _within_s: float) -> Any:
        place = f"{connection.host}:{connection.port}"  # type: ignore[attr-defined]
        self.asked.append(place)
        answer = self.answers.get(place, exceptions.ConnectionError("nobody"))
        if isinstance(answer, dict):
            answer = answer["role" if b"ROLE" in packed else "name"]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network({})
    monkeypatch.setattr(topology, "ask_once", network.ask)
    return network


def slots(*primaries: str) -> list[Any]:
    """What a node says of a Cluster in which each primary has as many slots, and a replica at a port 100 above."""
    each = SLOTS // len(primaries)
    told = []
    for number, place in enumerate(primaries):
        host, _, port = place.rpartition(":")
        holders = [[host.encode(), int(port), b"id"], [host.encode(), int(port) + 100, b"id"]]
        told.append([number * each, (number + 1) * each - 1, *holders])
    return told


def test_each_kind_of_address_has_its_topology() -> None:
    kinds = {"redis://a": One, "sentinel://a/rooms": Sentinels, "cluster://a": Cluster}
    for url, kind in kinds.items():
        assert type(topology_of(read_address(url))) is kind


async def test_any_node_of_a_cluster_will_do(network: Network) -> None:
    network.answers = {"b:2": slots("a:1", "b:2")}
    found = await Cluster(read_address("cluster://a:1,b:2")).find()
    assert found == Layout(((0, 8191, "a:1"), (8192, 16383, "b:2")))
    assert network.asked == ["a:1", "b:2"]


async def test_a_node_that_has_no_news_is_asked_last_the_next_time(network: Network) -> None:
    cluster = Cluster(read_address("cluster://a:1"))
    network.answers = {"a:1": slots("a:1", "b:2"), "a:101": slots("a:101", "b:2")}  # a:1 is cut off
    assert (await cluster.find()).places() == {"a:1": None, "b:2": None}
    assert (await cluster.find()).places() == {"a:1": None, "b:2": None}
    assert (await cluster.find()).places() == {"a:101": None, "b:2": None}
    assert network.asked == ["a:1", "a:1", "a:101"]


async def test_who_is_said_to_know_is_asked_first(network: Network) -> None:
    cluster = Cluster(read_address("cluster://a:1"))
    network.answers = {"a:1": slots("a:1"), "c:3": slots("c:3")}
    await cluster.find()
    assert (await cluster.find("c:3")).places() == {"c:3": None}
    assert (await cluster.find("gone:9")).places() == {"c:3": None}


@pytest.mark.parametrize("host", [b"", b"?", None])
async def test_a_node_without_an_address_is_where_it_was_asked(network: Network, host: bytes | None) -> None:
    network.answers = {"a:1": [[0, 16383, [host, 7, b"id"]]]}
    assert (await Cluster(read_address("cluster://a:1")).find()).places() == {"a:7": None}


async def test_a_cluster_that_knows_nothing_is_unavailable(network: Network) -> None:
    network.answers = {"a:1": []}
    for url in ("cluster://a:1", "cluster://b:1"):
        with pytest.raises(Unavailable, match="no node of the Cluster"):
            await Cluster(read_address(url)).find()


async def test_what_is_no_cluster_is_unfit(network: Network) -> None:
    network.answers = {"a:1": exceptions.ResponseError("ERR This instance has cluster support disabled")}
    with pytest.raises(Unfit, match="no node of a Cluster"):
        await Cluster(read_address("cluster://a:1")).find()


async def test_a_sentinel_that_leads_to_a_replica_is_not_believed(network: Network) -> None:
    sentinels = Sentinels(read_address("sentinel://s:1,t:1/rooms"))
    network.answers = {
        "s:1": {"name": [b"old", b"6379"]},
        "t:1": {"name": [b"new", b"6379"]},
        "old:6379": {"role": [b"slave"]},
        "new:6379": {"role": [b"master"]},
    }
    assert (await sentinels.find()).places() == {"new:6379": None}
    network.asked.clear()
    assert (await sentinels.find()).places() == {"new:6379": None}
    assert network.asked[0] == "t:1"
    network.answers["new:6379"] = {"role": [b"slave"]}
    with pytest.raises(Unavailable, match="no Sentinel leads"):
        await sentinels.find()
