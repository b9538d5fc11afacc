"""Real nodes on a real Valkey, and raw clients that keep every byte."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from tests.e2e.rig import Node, Raw, Release, guest
from tests.valkey import Server, own_valkey, shared_valkey, single_server, valkey, valkey_server  # noqa: F401 - fixtures

Start = Callable[..., Node]


@pytest.fixture
def start(own_valkey: Server) -> Iterator[Start]:  # noqa: F811
    """Start nodes on this test's Valkey: ``start(**settings)``; ``release``: of another release."""
    nodes: list[Node] = []

    def one(release: Release | None = None, **settings: object) -> Node:
        node = Node(own_valkey.url, settings, release=release)
        nodes.append(node)
        return node

    yield one
    for node in nodes:
        node.kill()


@pytest.fixture
def two(start: Start) -> tuple[Node, Node]:
    """Two nodes on one Valkey."""
    return start(), start()


@pytest.fixture(scope="module")
def pair(shared_valkey: Server) -> Iterator[tuple[Node, Node]]:  # noqa: F811
    """Two nodes on one Valkey, for all tests of a file: they leave them whole."""
    nodes = Node(shared_valkey.url, {}), Node(shared_valkey.url, {})
    yield nodes
    for node in nodes:
        node.kill()


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., object]]:
    """Connect raw clients: ``await connect(node, token)``; they are closed at the end."""
    clients: list[Raw] = []

    async def one(node: Node, token: str | None = None, **options: object) -> Raw:
        client = await Raw.open(node, token, **options)  # type: ignore[arg-type]
        clients.append(client)
        return client

    yield one
    for client in clients:
        await client.close()


@pytest.fixture
def account() -> Callable[[Node, str], str]:
    """Make a guest: ``account(node, name)`` gives its token."""
    return guest
