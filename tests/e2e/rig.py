"""What end-to-end tests are made of: node processes, and clients that show every message and keep all frames."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SECRET = "end-to-end tests sign their tokens with this"
PATIENCE_S = 45.0
Message = dict[str, Any]


class Release(NamedTuple):
    """Another release of what is installed. ``tree``: its source tree; ``python_path``: where games are found."""

    tree: Path
    python_path: str


class Node:
    """One server process. ``url``: None to let it start a Valkey of its own in ``folder``.

    ``release``: what it runs instead of this source tree with the test games.
    """

    def __init__(
        self, redis: str | None, settings: dict[str, object], folder: Path | None = None, release: Release | None = None
    ) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="node-"))
        self.own_folder = folder is None
        given = {
            "HOST": "127.0.0.1", "PORT": 0, "DATA_DIR": self.folder / "data", "SECRET": SECRET, "LOG_FORMAT": "json",
            "COMMANDS_PER_SECOND": 100_000, "COMMANDS_BURST": 100_000, "GUESTS_PER_MINUTE": 10_000, "DRAIN_S": 5,
            "CREATES_PER_MINUTE": 100_000, "JOINS_PER_MINUTE": 100_000, "REPLAYS_PER_MINUTE": 100_000,
        }  # fmt: skip
        if redis is not None:
            given["REDIS_URL"] = redis
        given.update({name.upper(): value for name, value in settings.items()})
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SANCTUM_")}
        environment = clean | {f"SANCTUM_{name}": str(value) for name, value in given.items()}
        if release is not None:
            environment["PYTHONPATH"] = release.python_path
        self._log = self.folder / f"log-{secrets.token_hex(4)}"
        with self._log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "server", "serve"], stdout=out, stderr=out, env=environment,
                cwd=release.tree if release is not None else None,
            )  # fmt: skip
        self.address = self._wait_for_address()

    def _wait_for_address(self) -> str:
        for _ in range(1_000):
            for line in self.log():
                if line.get("event") == "listening":
                    return str(line["url"]).removeprefix("http://")
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"the node did not start: {self._log.read_text()}")

    def log(self) -> list[Message]:
        """Give all lines that the node has logged."""
        lines = self.said().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def said(self) -> str:
        """Give all that the node has written, logged or not."""
        return self._log.read_text(errors="replace")

    @property
    def ws(self) -> str:
        return f"ws://{self.address}/v1/ws"

    def http(self, method: str, path: str, **options: Any) -> httpx.Response:
        return httpx.request(method, f"http://{self.address}{path}", timeout=10, **options)

    def stop(self) -> int:
        """End it as an operator does, and give its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)

    def kill(self) -> None:
        """End it as a crash would, and the Valkey that it has started: nobody will adopt that any more."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for place in self.folder.glob("data/**/valkey.socket"):
            _socket, pid = place.read_text().split()
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def crash(self) -> None:
        """End it as a crash would, and leave its folder as it is."""
        self.process.kill()
        self.process.wait()


def guest(node: Node, name: str = "Ann") -> str:
    """Make a guest's account and give its token."""
    answer = node.http("POST", "/v1/guests", json={"name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


class Raw:
    """A client that only speaks the wire: what it gets stays in ``got``, each frame's bytes in ``frames``.

    ``came_at``: when each of ``got`` came, in ms since 1970.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.got: list[Message] = []
        self.came_at: list[int] = []
        self.frames: dict[str, list[bytes]] = {}
        self.views: dict[str, Message] = {}
        self._sent_at: dict[str, int] = {}
        self._news = asyncio.Condition()
        self._ended = False
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, node: Node, token: str | None = None, *, hello: bool = True, **options: Any) -> Raw:
        socket = await connect(node.ws, subprotocols=["sanctum.v1.msgpack"], max_size=None, compression=None, **options)
        client = cls(socket)
        if hello:
            await client.ask({"t": "hello", **({"token": token} if token else {})})
        return client

    async def _read(self) -> None:
        try:
            async for raw in self.socket:
                message = msgpack.unpackb(raw)
                self.came_at.append(time.time_ns() // 1_000_000)
                if message["t"] == "frame":
                    self.frames.setdefault(message["room"], []).append(raw)
                    view = self.views.setdefault(message["room"], {"zones": {}})
                    view["zones"].update(message["zones"])
                    view.update(
                        {key: message.get(key) for key in ("v", "tip", "at", "prompt", "waiting_for", "clocks")}
                    )
                self.got.append(message)
                async with self._news:
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        finally:
            self._ended = True
            async with self._news:
                self._news.notify_all()

    async def send(self, message: Message) -> str:
        """Send a command, with an id if it has none, and give its id."""
        message = {"id": secrets.token_hex(8), **message}
        self._sent_at[message["id"]] = len(self.got)
        await self.socket.send(msgpack.packb(message))
        return str(message["id"])

    async def ask(self, message: Message) -> Message:
        """Send a command and wait for its answer."""
        return await self.answer(await self.send(message))

    async def answer(self, command: str) -> Message:
        """Wait for the answer to the latest command of this id."""
        return await self.until(
            lambda m: m["t"] in ("ok", "error") and m["id"] == command, self._sent_at.get(command, 0)
        )

    async def until(self, fits: Callable[[Message], bool], start: int = 0) -> Message:
        """Wait for a message that fits, from the ``start``-th on."""

        def found() -> Message | None:
            return next((message for message in self.got[start:] if fits(message)), None)

        async with asyncio.timeout(PATIENCE_S), self._news:
            while (message := found()) is None:
                if self._ended:
                    raise ConnectionError(f"closed: {self.socket.close_code} {self.socket.close_reason}")
                await self._news.wait()
        return message

    async def view(self, room: str, fits: Callable[[Message], bool]) -> Message:
        """Wait until the folded view of a room fits."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            while room not in self.views or not fits(self.views[room]):
                if self._ended:
                    raise ConnectionError(f"closed: {self.socket.close_code} {self.socket.close_reason}")
                await self._news.wait()
        return self.views[room]

    async def closed(self) -> tuple[int | None, str | None]:
        """Wait until the server has closed, and give code and reason."""
        async with asyncio.timeout(PATIENCE_S):
            await self.socket.wait_closed()
        return self.socket.close_code, self.socket.close_reason

    async def close(self) -> None:
        await self.socket.close()
        await self._reader

    async def cut(self) -> None:
        """Lose the line, without a goodbye."""
        self.socket.transport.abort()
        await self._reader


def picks_for(prompt: Message, choose: Callable[[list[Any]], Any]) -> list[Any]:
    """Answer any prompt: one pick where one is asked, else the default."""
    if prompt.get("shape", "pick") == "pick" and prompt.get("least", 1) == 1 and prompt.get("most", 1) == 1:
        return [choose(prompt["options"])["id"]]
    return list(prompt.get("default", []))
