"""What hostile clients are made of: bytes on a raw line, and others who must not notice."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack

from tests.e2e.rig import PATIENCE_S, Message, Node, Raw, guest

LONG = {"plan": ["number"], "laps": 100, "target": 1_000}
GOODBYE = 0x8
LOST = 0
"""Stands for a close code where the line just ended."""

HANDSHAKE = (
    "GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {}\r\n\r\n"
)


def frame(
    opcode: int, payload: bytes = b"", *, fin: bool = True, mask: bool = True, rsv: int = 0, says: int | None = None
) -> bytes:
    """Write a client's frame by hand. ``says``: the length that it announces, if another than it has."""
    size = len(payload) if says is None else says
    head = bytes([fin << 7 | rsv << 4 | opcode])
    if size < 126:
        head += bytes([mask << 7 | size])
    elif size < 65_536:
        head += bytes([mask << 7 | 126]) + struct.pack("!H", size)
    else:
        head += bytes([mask << 7 | 127]) + struct.pack("!Q", size)
    return head + (b"\0\0\0\0" if mask else b"") + payload


class Wire:
    """A line on which any bytes may be written."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, node: Node) -> Wire:
        host, _, port = node.address.partition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    @classmethod
    async def upgraded(cls, node: Node, subprotocol: str = "sanctum.v1.msgpack", *, hello: bool = True) -> Wire:
        """Open a websocket, and say hello."""
        wire = await cls.open(node)
        wire.write(HANDSHAKE.format(subprotocol).encode())
        assert b" 101 " in await wire.reader.readuntil(b"\r\n\r\n")
        if hello:
            wire.write(frame(0x2, msgpack.packb({"t": "hello", "id": "h"})))
            await wire.message()
            await wire.message()
        return wire

    def write(self, *raw: bytes) -> None:
        for part in raw:
            self.writer.write(part)

    async def frame(self) -> tuple[int, bytes]:
        """Read one frame of the server. Raises IncompleteReadError at the end."""
        first, size = await self.reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 0xF, await self.reader.readexactly(size)

    async def message(self) -> Message:
        """Read the next message, over pings and pongs."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                opcode, payload = await self.frame()
                if opcode in (0x1, 0x2):
                    return dict(msgpack.unpackb(payload)) if opcode == 0x2 else {"text": payload.decode()}

    async def close_code(self) -> int:
        """Read to the end, and give the code that the server closed with."""
        code = LOST
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    opcode, payload = await self.frame()
                    if opcode == GOODBYE:
                        (code,) = struct.unpack("!H", payload[:2])
                        self.write(frame(GOODBYE, payload[:2]))
        await self.cut()
        return code

    async def rest(self) -> bytes:
        """Read all that comes until the server ends the line."""
        got = b""
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE_S):
                while part := await self.reader.read(65_536):
                    got += part
        await self.cut()
        return got

    async def cut(self) -> None:
        self.writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


def narrow_line(node: Node) -> socket.socket:
    """Give a connection on which little fits, so that a reader is soon seen to be slow."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    host, _, port = node.address.partition(":")
    line.connect((host, int(port)))
    return line


def memory_kib(node: Node) -> int:
    """Say what a node's process takes up."""
    status = Path(f"/proc/{node.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


class Table:
    """Somebody who plays while others are hostile."""

    def __init__(self, client: Raw) -> None:
        self.client = client
        self.moves = 0
        self._room = ""

    async def play(self) -> None:
        """Make moves for ever; any other answer than ok is an error."""
        while True:
            await self.move()
            await asyncio.sleep(0.1)

    async def move(self) -> None:
        if not self._room or "result" in self.client.views[self._room]["zones"]["room"]:
            self._room = (await self._ok({"t": "create", "game": "probe", "options": LONG}))["room"]
            await self._ok({"t": "join", "room": self._room})
            await self._ok({"t": "ready", "room": self._room})
        view = await self.client.view(
            self._room, lambda view: view["prompt"] is not None or "result" in view["zones"]["room"]
        )
        if view["prompt"] is not None:
            prompt = view["prompt"]["id"]
            done = await self._ok({"t": "choose", "room": self._room, "prompt": prompt, "picks": [5]})
            await self.client.view(self._room, lambda view: view["v"] >= done["v"])
            self.moves += 1

    async def _ok(self, command: Message) -> Message:
        answer = await self.client.ask(command)
        assert answer["t"] == "ok", answer
        return answer


@asynccontextmanager
async def others_play_on(node: Node) -> AsyncIterator[Table]:
    """Let somebody play meanwhile: every move must be taken, and more after it."""
    client = await Raw.open(node, guest(node, secrets.token_hex(4)))
    table = Table(client)
    task = asyncio.create_task(table.play())
    try:
        yield table
        made = table.moves
        async with asyncio.timeout(PATIENCE_S):
            while table.moves < made + 3:
                if task.done():
                    task.result()
                await asyncio.sleep(0.05)
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await client.close()
        assert node.process.poll() is None
        os.kill(node.process.pid, 0)
