"""One primary under a name, which Sentinels move."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as client

from server.store.embedded import find_binary
from server.store.errors import Unavailable, Unfit
from server.store.redis import Store
from tests.server.store.play import each_goes_on, play
from tests.server.store.scene import opened, until
from tests.valkey import Server, free_port


class Watched:
    """A primary, its replica and the Sentinel that watches them under the name ``rooms``."""

    def __init__(self, folder: Path) -> None:
        self.ports, self.port = [free_port(), free_port()], free_port()
        self.servers = [Server(folder / str(n), "--port", str(port)) for n, port in enumerate(self.ports)]
        self.servers[1].options += ("--replicaof", "127.0.0.1", str(self.ports[0]))
        self.url = f"sentinel://127.0.0.1:1,127.0.0.1:{self.port}/rooms"
        self._settings = folder / "sentinel.conf"
        self._sentinel: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for server in self.servers:
            server.options += ("--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0", "--appendonly", "yes")
            server.folder.mkdir()
            server.start()
        self._settings.write_text(
            f"port {self.port}\nbind 127.0.0.1\nsentinel monitor rooms 127.0.0.1 {self.ports[0]} 1\n"
            "sentinel down-after-milliseconds rooms 500\nsentinel failover-timeout rooms 2000\n"
        )
        self._sentinel = subprocess.Popen(
            [find_binary(), str(self._settings), "--sentinel"], stdout=subprocess.DEVNULL, process_group=0
        )
        self.wait_for(lambda told: told[b"num-slaves"] == b"1" and told[b"flags"] == b"master")
        self.servers[0].ask("WAIT", 1, 10_000)

    def wait_for(self, fits: object) -> None:
        """Wait until what the Sentinel says of the primary fits."""
        for _ in range(500):
            try:
                with client.Redis(port=self.port) as connection:
                    connection.response_callbacks.clear()
                    told = connection.execute_command("SENTINEL", "MASTER", "rooms")
                    pairs = told if isinstance(told, dict) else dict(zip(told[::2], told[1::2], strict=True))
                    if fits(pairs):  # type: ignore[operator]
                        return
            except client.RedisError:
                pass
            time.sleep(0.02)
        raise AssertionError("the Sentinel does not see it")

    def kill(self) -> None:
        for server in self.servers:
            server.kill()
        if self._sentinel is not None:
            self._sentinel.kill()
            self._sentinel.wait()


@pytest.fixture
def watched() -> Iterator[Watched]:
    folder = Path(tempfile.mkdtemp(prefix="vs-", dir="/tmp"))
    watched = Watched(folder)
    try:
        watched.start()
        yield watched
    finally:
        watched.kill()
        shutil.rmtree(folder)


async def test_a_failover_is_followed_and_no_acknowledged_commit_is_lost(watched: Watched) -> None:
    async with opened(watched.url, "replicated") as one, opened(watched.url, "replicated") as two:
        assert [primary.place for primary in one.primaries] == [f"127.0.0.1:{watched.ports[0]}"]
        async with play((one, two), ["a", "b", "c"]) as writers:
            watched.servers[0].kill()
            promoted = [f"127.0.0.1:{watched.ports[1]}"]
            await until(lambda: all([p.place for p in store.primaries] == promoted for store in (one, two)))
            watched.servers[0].start()
            watched.servers[0].ask("REPLICAOF", "127.0.0.1", watched.ports[1])  # the Sentinel would, some seconds later
            await each_goes_on(writers, 10)


async def test_a_name_that_no_sentinel_knows_is_refused(watched: Watched) -> None:
    with pytest.raises(Unfit, match="by the name other"):
        await Store.open(f"sentinel://127.0.0.1:{watched.port}/other")


async def test_sentinels_that_do_not_answer_are_unavailable() -> None:
    with pytest.raises(Unavailable, match="no Sentinel"):
        await Store.open("sentinel://127.0.0.1:1,127.0.0.1:2/rooms")
