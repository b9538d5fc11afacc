"""Commits that count only when a replica has them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store.errors import Unavailable
from server.store.rooms import Done, Known
from tests.server.store.scene import command, creation, following, now, opened
from tests.valkey import Server, free_port


@pytest.fixture
def pair() -> Iterator[tuple[Server, Server]]:
    """A primary and its replica."""
    folders = [Path(tempfile.mkdtemp(prefix="vk-", dir="/tmp")) for _ in range(2)]
    port = free_port()
    primary = Server(folders[0], "--port", str(port), "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0")
    replica = Server(folders[1], "--replicaof", "127.0.0.1", str(port))
    for server in (primary, replica):
        server.start()
    yield primary, replica
    for server, folder in zip((primary, replica), folders, strict=True):
        server.kill()
        shutil.rmtree(folder)


async def test_what_a_replica_has_is_done(pair: tuple[Server, Server]) -> None:
    primary, replica = pair
    async with opened(primary.url, "replicated") as store:
        primary.ask("WAIT", 1, 10_000)
        assert isinstance(await store.commit(creation(store, "room", command=command("1"))), Done)
        assert isinstance(await store.commit(following(store, await now(store), command=command("1"))), Known)
    replica.ask("REPLICAOF", "NO", "ONE")
    async with opened(replica.url) as promoted:
        assert (await now(promoted)).record == b"record 1"


async def test_a_pack_is_kept_as_safely_as_the_rooms_that_rely_on_it(pair: tuple[Server, Server]) -> None:
    primary, replica = pair
    async with opened(primary.url, "replicated") as store, opened(primary.url, "replicated") as other:
        primary.ask("WAIT", 1, 10_000)
        await store.put_pack("hash", b"pack")
        await other.put_pack("hash", b"pack")
        assert replica.ask("GET", "pack:hash") == b"pack"
        replica.kill()
        with pytest.raises(Unavailable):
            await other.put_pack("hash", b"pack")
