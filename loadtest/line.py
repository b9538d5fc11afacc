"""One websocket line, as cheaply as Python can: handshake and control frames by `websockets`, data frames by hand.

Owns bytes. Tells three callables what happens; knows no messages.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import cast

from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

SUBPROTOCOL = "sanctum.v1.msgpack"
LOST = 1006
NARROW_BYTES = 4_096
_BINARY = 0x82


class Line(asyncio.Protocol):
    """A client's connection. ``heard`` gets each binary message; ``closed`` the close code, once."""

    def __init__(
        self, url: str, opened: Callable[[], None], heard: Callable[[bytes], None], closed: Callable[[int], None]
    ) -> None:
        self._url = url
        self._opened, self._heard, self._closed = opened, heard, closed
        self._conn = ClientProtocol(parse_uri(url), subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=None)
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._shaken = self._up = False
        self._code: int | None = None

    async def open(self) -> None:
        """Connect. A line that cannot be had is told as closed, like one that is lost."""
        uri = parse_uri(self._url)
        try:
            tls = ssl.create_default_context() if uri.secure else None
            await asyncio.get_running_loop().create_connection(lambda: self, uri.host, uri.port, ssl=tls)
        except OSError:
            self._closed(LOST)

    @property
    def up(self) -> bool:
        """Whether messages can be sent."""
        return self._up

    def send(self, raw: bytes) -> None:
        """Send one binary message; without an open line it is dropped."""
        if self._up:
            self._conn.send_binary(raw)
            self._flush()

    def send_text(self, text: str) -> None:
        """Send a text message, which the service does not want on this line."""
        if self._up:
            self._conn.send_text(text.encode())
            self._flush()

    def cut(self) -> None:
        """Lose the line without a goodbye."""
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Say goodbye."""
        if self._up:
            self._up = False
            self._conn.send_close(1000)
            self._flush()

    def pause(self) -> None:
        """Stop reading: what the server sends stays with it, as the kernel here takes little."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW_BYTES)
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    # ---- the transport's calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._conn.send_request(self._conn.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        buffer = self._rest + data if self._rest else data
        self._rest = self._split(buffer) if self._shaken else self._shake(buffer)

    def connection_lost(self, exc: Exception | None) -> None:
        self._up = False
        self._closed(LOST if self._code is None else self._code)

    def _shake(self, buffer: bytes) -> bytes:
        """Finish the handshake; give what came after it and was no whole frame."""
        head, end, rest = buffer.partition(b"\r\n\r\n")
        if not end:
            return buffer
        self._conn.receive_data(head + end)
        if self._conn.handshake_exc is not None or not self._conn.events_received():
            self.cut()
            return b""
        self._shaken = self._up = True
        self._opened()
        return self._split(rest)

    def _split(self, buffer: bytes) -> bytes:
        """Tell each whole frame in the buffer, and give the rest."""
        at, size = 0, len(buffer)
        while size - at >= 2:
            length, head = buffer[at + 1], 2
            if length == 126:
                length, head = int.from_bytes(buffer[at + 2 : at + 4], "big"), 4
            elif length == 127:
                length, head = int.from_bytes(buffer[at + 2 : at + 10], "big"), 10
            end = at + head + length
            if size < at + head or end > size:
                break
            if buffer[at] == _BINARY:
                self._heard(buffer[at + head : end])
            else:
                self._control(buffer[at:end])
            at = end
        return buffer[at:]

    def _control(self, raw: bytes) -> None:
        """Let the library answer pings and closes."""
        self._conn.receive_data(raw)
        for event in self._conn.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.CLOSE:
                self._code = Close.parse(event.data).code
                self._up = False
        self._flush()

    def _flush(self) -> None:
        assert self._transport is not None  # bytes come and go only after it was made
        for raw in self._conn.data_to_send():
            if raw:
                self._transport.write(raw)
            else:
                self._transport.close()
