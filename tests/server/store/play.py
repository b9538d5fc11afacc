"""Rooms that are written and watched without a pause, whatever happens to their servers, and what must hold after."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.rooms import ClockOff, Conflict, Done, Known
from tests.server.store.scene import command, creation, following, until

PATIENCE_S = 30.0


class Writer:
    """Writes one room, a command at a time, each resent under its id until it has an outcome."""

    def __init__(self, store: Store, room: str) -> None:
        self.store, self.room = store, room
        self.acknowledged: list[bytes] = []
        self.unavailable = 0

    async def write(self, stop: asyncio.Event) -> None:
        number = 0
        while not stop.is_set():
            said = b"%d" % number
            await self._make(said)
            self.acknowledged.append(said)
            number += 1

    async def _make(self, said: bytes) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    result = await self._try(said)
                    if isinstance(result, Done | Known):
                        return
                    assert isinstance(result, Conflict | ClockOff)
                except Unavailable:
                    self.unavailable += 1

    async def _try(self, said: bytes) -> object:
        stored = await self.store.read(self.room)
        kept = {"command": command(said.decode()), "input": said, "entry": said}
        if stored is None:
            return await self.store.commit(creation(self.store, self.room, **kept))
        return await self.store.commit(following(self.store, stored, **kept))


class Watcher:
    """A node that follows rooms: told of versions, and looking by itself where messages may have been lost."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.stands: dict[str, int] = {}
        self.compared = 0
        store.attach(self._told, lambda *_: None, self._compare)

    def _told(self, room: str, entry: bytes) -> None:
        self.stands[room] = max(self.stands.get(room, 0), int(entry))

    async def _compare(self, rooms: list[str]) -> None:
        self.compared += 1
        for room in await self.store.heads(rooms):
            self._told(room, (await self.store.entries(room, 0))[-1])


@contextlib.asynccontextmanager
async def play(nodes: tuple[Store, Store], rooms: list[str]) -> AsyncIterator[list[Writer]]:
    """Let one node write and another watch until the block ends; then nothing is lost, doubled or unheard of."""
    watcher, stop = Watcher(nodes[1]), asyncio.Event()
    for room in rooms:
        await nodes[1].subscribe(room)
    writers = [Writer(nodes[0], room) for room in rooms]
    playing = [asyncio.ensure_future(writer.write(stop)) for writer in writers]
    try:
        await each_goes_on(writers)
        yield writers
        await each_goes_on(writers)
    finally:
        stop.set()
        await asyncio.gather(*playing)
    for writer in writers:
        assert await _inputs(writer) == writer.acknowledged
    await until(lambda: all(watcher.stands.get(w.room) == int(w.acknowledged[-1]) for w in writers))


async def _inputs(writer: Writer) -> list[bytes]:
    return await writer.store.inputs(writer.room)


async def each_goes_on(writers: list[Writer], more: int = 5) -> None:
    """Wait until every room has got some more commits."""
    wanted = {writer.room: len(writer.acknowledged) + more for writer in writers}
    await until(lambda: all(len(writer.acknowledged) >= wanted[writer.room] for writer in writers), PATIENCE_S)


def rooms_in(fits: Callable[[str], bool], count: int) -> list[str]:
    """Find names of rooms that fit."""
    found = (name for name in map("room {}".format, range(100_000)) if fits(name))
    return [next(found) for _ in range(count)]
