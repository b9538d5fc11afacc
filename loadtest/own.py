"""A server of the load test's own: a child process with an embedded store, watched from outside.

Owns where its processes run and what the system says of them. Knows no messages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

UNHINDERED = {
    "commands_per_second": "100000", "commands_burst": "100000", "guests_per_minute": "100000", "max_sockets": "20000",
    "creates_per_minute": "1000000", "joins_per_minute": "1000000", "replays_per_minute": "1000000",
    "sockets_per_account": "20000",
}  # fmt: skip
"""Settings of a node that is to be loaded: it does not hold its clients back."""
START_S, STOP_S = 60.0, 30.0
ASK_AGAIN_S = 0.01


class NotStarted(Exception):
    """There is no server; the text says why."""


class Own:
    """A server that runs: its address, its process, and its Valkey's."""

    def __init__(self, url: str, pid: int, data: Path) -> None:
        self.url, self.pid = url, pid
        path, valkey = (data / "valkey.socket").read_text().splitlines()
        self.valkey_socket, self.valkey_pid = path, int(valkey)

    def resident_bytes(self) -> int:
        """Give what of the server's memory is in use."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def cores() -> tuple[Collection[int], Collection[int]]:
    """Give the core for what is measured, and those for all else. On a single core they are the same."""
    mine = sorted(os.sched_getaffinity(0))
    return mine[:1], mine[1:] or mine


@contextmanager
def own(**given: str) -> Iterator[Own]:
    """Run a server on the first core, its store and this process on the others. ``given``: settings, lower case."""
    first, others = cores()
    before = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory(prefix="sanctum-measure-") as folder:
        try:
            with started(Path(folder), first, **UNHINDERED | given) as server:
                _move(server.valkey_pid, others)
                os.sched_setaffinity(0, others)
                yield server
        finally:
            os.sched_setaffinity(0, before)


@contextmanager
def started(folder: Path, on: Collection[int], **given: str) -> Iterator[Own]:
    """Run a server on certain cores, with its data in a folder. It is ready. Raises NotStarted."""
    log = folder / "log"
    settings = {"host": "127.0.0.1", "port": "0", "data_dir": str(folder / "data"), "log_format": "json", **given}
    outside = {name: value for name, value in os.environ.items() if not name.startswith("SANCTUM_")}
    inside = {f"SANCTUM_{name.upper()}": value for name, value in settings.items()}
    with log.open("wb") as out, _at_home_on(on):
        child = subprocess.Popen(
            [sys.executable, "-m", "server", "serve"], env={**outside, **inside}, stdin=subprocess.DEVNULL,
            stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
    try:
        yield Own(_address(child, log), child.pid, folder / "data")
    finally:
        child.terminate()
        child.wait(STOP_S)


@contextmanager
def _at_home_on(on: Collection[int]) -> Iterator[None]:
    """Let what is started meanwhile stay on certain cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, on)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _move(pid: int, to: Collection[int]) -> None:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), to)


def _address(child: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + START_S
    while child.poll() is None and time.monotonic() < until:
        if (url := _announced(log)) is not None and _is_ready(url):
            return url
        time.sleep(ASK_AGAIN_S)
    raise NotStarted(log.read_text(errors="replace")[-500:] or "the server said nothing")


def _announced(log: Path) -> str | None:
    for line in log.read_text(errors="replace").split("\n")[:-1]:  # the last may be half written
        if line.startswith("{") and (entry := json.loads(line))["event"] == "listening":
            return str(entry["url"])
    return None


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=2).status_code == 200
    except httpx.HTTPError:
        return False
