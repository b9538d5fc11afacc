"""A Valkey of our own: started, shared, adopted, kept, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import embedded
from server.store.embedded import AlreadyRunning, Embedded, find_binary
from server.store.errors import Unavailable, Unfit
from tests.server.store.scene import opened, until

SUPERVISOR = """
import asyncio, pathlib, sys, time
from server.store.embedded import Embedded
running = asyncio.run(Embedded.start(pathlib.Path(sys.argv[1])))
print(running.url, running.pid, flush=True)
time.sleep(60)
"""


@contextlib.asynccontextmanager
async def started(folder: Path) -> AsyncIterator[Embedded]:
    """Start, and stop."""
    running = await Embedded.start(folder)
    try:
        yield running
    finally:
        await running.stop()


def lives(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be reaped does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@contextlib.contextmanager
def another(folder: Path) -> object:
    """Another server on the folder: a process, its Valkey's address and its Valkey's pid."""
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert supervisor.stdout is not None
        url, pid = supervisor.stdout.readline().split()
        yield supervisor, url, int(pid)
    finally:
        supervisor.kill()
        supervisor.communicate()


async def test_what_was_written_is_there_after_a_clean_stop(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    async with started(folder) as running, opened(running.url) as store:
        await store.put_pack("hash", b"pack")
        key = store.install_key
    assert not lives(running.pid)
    assert not Path(running.url.removeprefix("unix://")).parent.exists()
    async with started(folder) as running, opened(running.url) as store:
        assert await store.get_pack("hash") == b"pack"
        assert store.install_key == key


async def test_the_socket_is_private_short_and_the_only_way_in(tmp_path: Path) -> None:
    async with started(tmp_path) as running:
        socket = Path(running.url.removeprefix("unix://"))
        assert len(os.fsencode(socket)) <= 107
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert os.getpgid(running.pid) == running.pid
        async with opened(running.url) as store:
            config = [await store._shared("CONFIG", "GET", name) for name in ("port", "appendonly", "appendfsync")]
        assert [value for _, value in config] == [b"0", b"yes", b"everysec"]


async def test_every_write_goes_to_the_disk_where_that_is_wanted_also_in_an_adopted_valkey(tmp_path: Path) -> None:
    with another(tmp_path) as (supervisor, url, _):  # type: ignore[attr-defined]
        supervisor.kill()
        supervisor.wait()
        running = await Embedded.start(tmp_path, "always")
        try:
            assert running.url == url
            async with opened(url, "always") as store:
                await store.put_pack("hash", b"pack")
        finally:
            await running.stop()
    running = await Embedded.start(tmp_path, "always")
    try:
        async with opened(running.url, "always") as store:
            assert await store.get_pack("hash") == b"pack"
    finally:
        await running.stop()


async def test_a_second_server_is_refused_with_the_pid_of_the_first(tmp_path: Path) -> None:
    with another(tmp_path) as (supervisor, url, _):  # type: ignore[attr-defined]
        with pytest.raises(AlreadyRunning) as refused:
            await Embedded.start(tmp_path)
        assert refused.value.pid == supervisor.pid
        async with opened(url) as store:
            assert await store.ready()
        supervisor.kill()
        supervisor.wait()
        async with started(tmp_path):
            pass


async def test_a_valkey_that_outlived_its_supervisor_is_adopted_and_stopped(tmp_path: Path) -> None:
    with another(tmp_path) as (supervisor, url, pid):  # type: ignore[attr-defined]
        async with opened(url) as store:
            await store.put_pack("hash", b"pack")
            supervisor.kill()
            supervisor.wait()
            async with started(tmp_path) as adopted:
                assert (adopted.url, adopted.pid) == (url, pid)
                assert await store.get_pack("hash") == b"pack"  # the old connection still serves
        await until(lambda: not lives(pid))


async def test_after_both_are_killed_the_data_is_there(tmp_path: Path) -> None:
    with another(tmp_path) as (supervisor, url, pid):  # type: ignore[attr-defined]
        async with opened(url) as store:
            await store.put_pack("hash", b"pack")
            supervisor.kill()
            supervisor.wait()
            os.kill(pid, signal.SIGKILL)
            async with started(tmp_path) as fresh, opened(fresh.url) as again:
                assert fresh.pid != pid
                assert await again.get_pack("hash") == b"pack"


async def test_a_valkey_that_ends_is_started_again_at_the_same_address(tmp_path: Path) -> None:
    async with started(tmp_path) as running, opened(running.url) as store:
        keeping = asyncio.ensure_future(running.keep())
        await store.put_pack("hash", b"pack")
        killed, url = running.pid, running.url
        os.kill(killed, signal.SIGKILL)
        assert await store.get_pack("hash") == b"pack"
        assert running.pid != killed
        assert running.url == url
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def test_a_valkey_that_hangs_is_ended_by_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_S", 0.3)
    running = await Embedded.start(tmp_path)
    os.kill(running.pid, signal.SIGSTOP)
    await running.stop()
    assert not lives(running.pid)


async def test_a_valkey_that_does_not_start_says_where_to_look(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("not a folder")
    with pytest.raises(Unavailable, match=r"valkey\.log"):
        await Embedded.start(tmp_path)
    (tmp_path / "appendonlydir").unlink()
    async with started(tmp_path):
        pass


async def test_a_valkey_that_is_not_ready_in_time_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="not ready"):
        await Embedded.start(tmp_path, ready_s=0.001)
    async with started(tmp_path):
        pass


def test_the_packaged_binary_comes_first_then_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert find_binary() == embedded._packaged()
    monkeypatch.setattr(embedded, "_packaged", lambda: "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unfit, match="install"):
        find_binary()
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o700)
        assert find_binary() == str(tmp_path / name)
