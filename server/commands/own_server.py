"""A server of one's own for as long as a command runs: a child process with a data folder that is thrown away.

Knows how to start and stop it, and how to tell why it did not start. Knows nothing of rooms.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from server.commands.ends import UNAVAILABLE, Stop
from server.settings import PREFIX, variable

START_S = 30.0
STOP_S = 10.0
ASK_AGAIN_S = 0.05


@contextmanager
def own_server(**given: str) -> Iterator[str]:
    """Start a server on a free port of this machine and give its address. ``given``: settings (lower case)."""
    with _ended_properly(), tempfile.TemporaryDirectory(prefix="sanctum-") as folder:
        log = Path(folder) / "log"
        server = _start(Path(folder), log, given)
        try:
            yield _address(server, log)
        finally:
            _end(server)


@contextmanager
def _ended_properly() -> Iterator[None]:
    """Let SIGTERM end the command as Ctrl-C does, so that the server does not outlive it."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _start(folder: Path, log: Path, given: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start it in a session of its own, so that Ctrl-C reaches only the command, which then stops it."""
    settings = {"host": "127.0.0.1", "port": "0", "data_dir": str(folder / "data"), "log_format": "json", **given}
    kept = (variable("packs_dir"),)  # what there is to play with is as it is outside
    outside = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX) or name in kept}
    inside = {f"{PREFIX}{name.upper()}": value for name, value in settings.items()}
    with log.open("wb") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "server", "serve"], env={**outside, **inside},
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the server says where it listens, and is ready there."""
    until = time.monotonic() + START_S
    while server.poll() is None and time.monotonic() < until:
        if (url := _announced(log)) is not None and _is_ready(url):
            return url
        time.sleep(ASK_AGAIN_S)
    last = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
    raise Stop(UNAVAILABLE, f"no server could be started: {last[0][:300]}")


def _announced(log: Path) -> str | None:
    """Find the address in the log; the last line may still be half written."""
    for line in log.read_text(errors="replace").splitlines():
        with contextlib.suppress(ValueError):
            entry = json.loads(line)
            if entry.get("event") == "listening":
                return str(entry["url"])
    return None


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
