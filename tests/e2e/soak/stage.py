"""The nodes of a soak, which are killed and started again, and the balancer before them, which cuts lines.

Knows processes and bytes; no room and no message.
"""

from __future__ import annotations

import asyncio
import contextlib
from random import Random
from typing import Any, Self

from tests.e2e.rig import Node, Release

CHUNK = 1 << 16


class Stage:
    """Some nodes on one store, by place; a place is empty while its node is down.

    ``releases``: one for each place, None for the release under test.
    """

    def __init__(self, url: str, releases: list[Release | None], **settings: object) -> None:
        self._url, self._settings = url, settings
        self.releases = releases
        self.places: list[Node | None] = [None] * len(releases)

    async def __aenter__(self) -> Self:
        try:
            await asyncio.gather(*(self.start(at) for at in range(len(self.places))))
        except BaseException:
            self._end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        for node in self.living():
            node.kill()

    def living(self) -> list[Node]:
        """Give the nodes that run."""
        return [node for node in self.places if node is not None]

    def addresses(self) -> list[str]:
        """Give where they listen."""
        return [node.address for node in self.living()]

    async def start(self, at: int) -> None:
        """Start the node of a place by its release."""
        self.places[at] = await asyncio.to_thread(Node, self._url, self._settings, release=self.releases[at])

    async def kill(self, at: int) -> None:
        """End a node as a crash would, and start it again."""
        node, self.places[at] = self.places[at], None
        assert node is not None
        node.kill()
        await self.start(at)

    async def restart(self, at: int, release: Release | None) -> None:
        """End a node as an operator does, and start it as that release."""
        node, self.places[at] = self.places[at], None
        assert node is not None
        code = await asyncio.to_thread(node.stop)
        assert code == 0, f"a node that was told to stop ended with {code}"
        node.kill()
        self.releases[at] = release
        await self.start(at)


class Switch:
    """A TCP balancer: every connection goes to a node by chance, and any of them may be cut."""

    def __init__(self, stage: Stage, chance: Random) -> None:
        self._stage, self._chance = stage, chance
        self._lines: dict[asyncio.StreamWriter, asyncio.Task[Any]] = {}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1/ws"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        while self._lines:
            self.cut()
        await asyncio.sleep(0)

    def cut(self) -> None:
        """Cut one line, without a goodbye to either end."""
        if self._lines:
            task = self._lines.pop(self._chance.choice(list(self._lines)))
            task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines[writer] = task
        there: asyncio.StreamWriter | None = None
        with contextlib.suppress(OSError, asyncio.CancelledError):
            back, there = await self._node()
            ways = [asyncio.ensure_future(_pump(*way)) for way in ((reader, there), (back, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
        self._lines.pop(writer, None)
        for end in filter(None, (writer, there)):
            end.transport.abort()

    async def _node(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        addresses = self._stage.addresses()
        for address in self._chance.sample(addresses, len(addresses)):
            host, _, port = address.partition(":")
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(host, int(port))
        raise ConnectionError("no node takes connections")


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
