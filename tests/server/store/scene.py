"""Commits as a node would make them, a watcher of what is published, and a line to Redis that can be cut."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from server.store.fitness import Durability
from server.store.redis import Store
from server.store.rooms import Command, Commit, Done, Stored


@contextlib.asynccontextmanager
async def opened(url: str, durability: Durability = "everysec") -> AsyncIterator[Store]:
    """One node's store."""
    store = await Store.open(url, durability)
    try:
        yield store
    finally:
        await store.close()


def creation(store: Store, room: str, **changes: Any) -> Commit:
    """The commit that makes a room, with changes."""
    wanted: dict[str, Any] = {
        "room": room,
        "expect": None,
        "rev": secrets.token_bytes(8),
        "v": 1,
        "tip": secrets.token_urlsafe(9),
        "record": b"record 1",
        "status": "lobby",
        "at": store.now(room),
        "entry": b"entry 1",
    }
    return Commit(**wanted | changes)


def following(store: Store, stored: Stored, **changes: Any) -> Commit:
    """The next version of a room, with changes."""
    v = stored.v + 1
    wanted = {"expect": stored.rev, "v": v, "record": b"record %d" % v, "status": stored.status}
    return creation(store, stored.room, **wanted | {"entry": b"entry %d" % v} | changes)


async def made(store: Store, room: str = "room", **changes: Any) -> Stored:
    """Make a room, and read it."""
    assert isinstance(await store.commit(creation(store, room, **changes)), Done)
    return await now(store, room)


async def now(store: Store, room: str = "room") -> Stored:
    """Read a room that is there."""
    stored = await store.read(room)
    assert stored is not None
    return stored


def command(id: str, account: str = "alice", outcome: bytes = b"ok") -> Command:  # noqa: A002
    """A command of an account."""
    return Command(account, id, id.encode().ljust(16, b"."), outcome)


class Ear:
    """What a node hears, in order."""

    def __init__(self, store: Store) -> None:
        self.entries: list[tuple[str, bytes]] = []
        self.told: list[tuple[str, bytes]] = []
        self.reconnects: list[list[str]] = []
        store.attach(lambda *got: self.entries.append(got), lambda *got: self.told.append(got), self._reconnected)

    async def _reconnected(self, rooms: list[str]) -> None:
        self.reconnects.append(sorted(rooms))


async def until(met: Callable[[], object], within_s: float = 10) -> None:
    """Wait until a condition is met; after that time the test fails."""
    async with asyncio.timeout(within_s):
        while not met():  # noqa: ASYNC110 - what is waited for happens elsewhere
            await asyncio.sleep(0.005)


class Proxy:
    """A line to a server that can lose replies, be cut, and fall silent."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self.socket = target.with_name(f"proxy-{secrets.token_hex(4)}")
        self.url = f"unix://{self.socket}"
        self.lose = 0  # so many of the next replies are lost, each with its connection
        self.silent = False
        self.lost = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, there = await asyncio.open_unix_connection(str(self._target))
        self._writers |= {writer, there}
        ways = [self._pump(reader, there, False), self._pump(back, writer, True)]
        tasks = {asyncio.create_task(way) for way in ways}
        self._tasks |= tasks
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        writer.close()
        there.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, replies: bool) -> None:
        with contextlib.suppress(ConnectionError):
            while chunk := await reader.read(1 << 16):
                if replies and self.lose:
                    self.lose, self.lost = self.lose - 1, self.lost + 1
                    return
                if not (replies and self.silent):
                    writer.write(chunk)

    def cut(self) -> None:
        """Cut every connection."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    @contextlib.asynccontextmanager
    async def serving(self, **options: Any) -> AsyncIterator[int]:
        """Serve on a port of this host, with options of ``asyncio.start_server``; gives the port."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, **options)
        yield server.sockets[0].getsockname()[1]
        server.close()
        await self._end()

    async def _end(self) -> None:
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def proxy(url: str) -> AsyncIterator[Proxy]:
    """Put a line before a server."""
    line = Proxy(Path(url.removeprefix("unix://")))
    server = await asyncio.start_unix_server(line._serve, line.socket)
    yield line
    server.close()
    await line._end()
    line.socket.unlink()
