"""A store on the session's Valkey and, in turn, on its Cluster; tests about one server ask for ``one_server``."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from server.store.redis import Store
from tests.server.store.scene import opened
from tests.valkey import Server
from tests.valkey_cluster import ValkeyCluster, cluster_servers, valkey_cluster  # noqa: F401 - fixtures


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "valkey_server" in metafunc.fixturenames:
        kinds = ["one"] if "one_server" in metafunc.fixturenames else ["one", "cluster"]
        metafunc.parametrize("valkey_server", kinds, indirect=True)


@pytest.fixture
def one_server() -> None:
    """Keep a test to one server."""


@pytest.fixture
def valkey_server(request: pytest.FixtureRequest) -> Server | ValkeyCluster:
    """What holds the rooms of this test, empty."""
    held = request.getfixturevalue("cluster_servers" if request.param == "cluster" else "single_server")
    if isinstance(held, ValkeyCluster):
        held.fresh()
    else:
        held.ask("FLUSHALL")
    return held


@pytest.fixture
def valkey(valkey_server: Server | ValkeyCluster) -> str:
    """The address of a place that holds nothing yet."""
    return valkey_server.url


@pytest.fixture
async def store(valkey: str) -> AsyncIterator[Store]:
    """One node's store."""
    async with opened(valkey) as store:
        yield store


@pytest.fixture
async def other(store: Store, valkey: str) -> AsyncIterator[Store]:
    """Another node's store of the same place."""
    async with opened(valkey) as other:
        yield other
