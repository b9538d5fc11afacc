"""A real Valkey for tests: one fresh temporary server a session, on a unix socket, flushed between tests.

A test folder gets the fixtures by importing them in its conftest.
"""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as client

from server.store.embedded import find_binary


def free_port() -> int:
    """Find a TCP port of this host that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """One Valkey of the tests' own. ``folder``: its socket and its append-only files."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.socket = folder / "s"
        self.url = f"unix://{self.socket}"
        self.running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it has loaded its data."""
        self.running = subprocess.Popen(
            [
                *(find_binary(), "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder)),
                *("--save", "", "--enable-debug-command", "yes", "--maxmemory-policy", "noeviction"),
                *self.options,
            ],
            stdout=subprocess.DEVNULL,
            process_group=0,
        )
        for _ in range(500):
            try:
                with client.Redis(unix_socket_path=str(self.socket)) as connection:
                    connection.ping()
                    return
            except client.RedisError:
                time.sleep(0.02)
        raise AssertionError("Valkey did not start")

    def kill(self) -> None:
        """End it as a crash would."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    def freeze(self) -> None:
        """Stop it without ending it: connections stand, and nothing is answered."""
        assert self.running is not None
        self.running.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self.running is not None
        self.running.send_signal(signal.SIGCONT)

    def ask(self, *words: str | bytes | int) -> object:
        """Ask as an operator would."""
        with client.Redis(unix_socket_path=str(self.socket)) as connection:
            return connection.execute_command(*words)


@pytest.fixture(scope="session")
def single_server() -> Iterator[Server]:
    """The session's server, as the last test left it."""
    folder = Path(tempfile.mkdtemp(prefix="vk-", dir="/tmp"))
    server = Server(folder)
    server.start()
    yield server
    server.kill()
    shutil.rmtree(folder)


@pytest.fixture
def valkey_server(single_server: Server) -> Server:
    """A Valkey that holds nothing yet."""
    single_server.ask("FLUSHALL")
    return single_server


@pytest.fixture
def valkey(valkey_server: Server) -> str:
    """Its address."""
    return valkey_server.url


@pytest.fixture
def own_valkey() -> Iterator[Server]:
    """A server of this test alone, with an append-only file; the test may kill and start it."""
    yield from _lasting()


@pytest.fixture(scope="module")
def shared_valkey() -> Iterator[Server]:
    """A server of one file's tests, with an append-only file; they leave it whole."""
    yield from _lasting()


def _lasting() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="vk-", dir="/tmp"))
    server = Server(folder, "--appendonly", "yes", "--appendfsync", "everysec")
    server.start()
    yield server
    server.kill()
    shutil.rmtree(folder)
