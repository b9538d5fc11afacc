"""A proxy between clients and a node that spoils what the node says: frames are read, changed and passed on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgpack

Message = dict[str, Any]


class Socket:
    """One client's line, as far as a spoiler needs it. ``seat``: None for a spectator."""

    def __init__(self) -> None:
        self.seat: int | None = None

    def learn(self, message: Message) -> None:
        if message["t"] == "ok" and "seat" in message:
            self.seat = message["seat"]


Spoil = Callable[[Socket, Message, bytes], list[bytes]]
"""What becomes of one message of the node: nothing, one or several messages."""


class Proxy:
    """Runs on a thread and loop of its own: ``with Proxy(url, spoil) as address``."""

    def __init__(self, url: str, spoil: Spoil) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self._to = (parts.hostname, parts.port)
        self._spoil = spoil
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> str:
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        return f"http://127.0.0.1:{listening}"

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _end(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            up, down = await asyncio.open_connection(*self._to)
            passing = asyncio.create_task(_pass(reader, down))
            try:
                await self._answer(up, writer)
            finally:
                passing.cancel()
                await asyncio.gather(passing, return_exceptions=True)
                down.close()
                writer.close()
        except (OSError, EOFError, asyncio.CancelledError):  # the test is over, or one side has gone
            writer.close()
        finally:
            self._tasks.discard(task)

    async def _answer(self, up: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await up.readuntil(b"\r\n\r\n")
        writer.write(head)
        if b" 101 " not in head.partition(b"\r\n")[0]:
            await _pass(up, writer)
            return
        socket = Socket()
        while True:
            first, payload = await _read_frame(up)
            if first != 0x82:
                writer.write(_frame(payload, first))
                continue
            message = msgpack.unpackb(payload)
            socket.learn(message)
            for raw in self._spoil(socket, message, payload):
                writer.write(_frame(raw))
            await writer.drain()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(65_536):
        writer.write(chunk)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def _read_frame(up: asyncio.StreamReader) -> tuple[int, bytes]:
    first, length = await up.readexactly(2)
    if length == 126:
        length = int.from_bytes(await up.readexactly(2), "big")
    elif length == 127:
        length = int.from_bytes(await up.readexactly(8), "big")
    return first, await up.readexactly(length)


def _frame(raw: bytes, first: int = 0x82) -> bytes:
    size = len(raw)
    if size < 126:
        return bytes((first, size)) + raw
    if size < 65_536:
        return bytes((first, 126)) + size.to_bytes(2, "big") + raw
    return bytes((first, 127)) + size.to_bytes(8, "big") + raw
