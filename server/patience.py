"""HTTP connections that are slow, endless or too many on purpose: each wait has an end, each request a size.

uvicorn bounds the time between requests; this bounds the requests themselves, websocket handshakes included. What a
request means is the API's and the gateway's.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from msgspec import Struct
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from server.address import Addresses
from server.limits import Limits

HEAD_S = 10.0
BODY_S = 20.0
ANSWER_S = 60.0
HEAD_BYTES = 32 * 1024
REQUEST_BYTES = 512 * 1024
"""With body, framing and trailers; what a body may have is the API's, which is far less."""
PIPELINED = 8
SPARE_LINES = 1_000

_quiet = logging.getLogger("uvicorn.error.requests")
_quiet.setLevel(logging.ERROR)  # a line for each bad request would let anybody fill a disk


class Entrance(Struct, frozen=True):
    """What all connections of a node have to pass. ``most``: so many in all, sockets included."""

    addresses: Addresses
    limits: Limits
    most: int


class PatientHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol with bounds: on lines of an address, on heads, bodies, pipelines, and on slow readers."""

    def __init__(self, entrance: Entrance, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self.logger = _quiet
        self._entrance = entrance
        self._deadline: asyncio.TimerHandle | None = None
        self._who: str | None = None
        self._bytes = 0
        self._began = self._in_head = self._upgraded = False
        self._whole = True

    # ---- the transport's calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        crowded = len(self.connections) >= self._entrance.most
        super().connection_made(transport)
        self._expect(HEAD_S)
        if crowded or not self._enter(transport):
            self._entrance.limits.refuse("lines")
            self._refuse(503)

    def _enter(self, transport: asyncio.Transport) -> bool:
        """Count the line under its address, unless a proxy may have brought it."""
        peer = str((transport.get_extra_info("peername") or ("",))[0])
        if not self._entrance.addresses.is_line_of_one(peer):
            return True
        block = self._entrance.addresses.block(peer)
        if self._entrance.limits.lines.enter(block):
            self._who = block
            return True
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._began = False
        super().data_received(data)
        self._bytes = len(data) if self._began else self._bytes + len(data)
        if self._upgraded or self._whole or self.transport.is_closing():
            return
        if self._in_head and self._bytes > HEAD_BYTES:
            self._refuse(431)
        elif self._bytes > REQUEST_BYTES:
            self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._leave()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # they hold each other: so both are gone when this is dropped

    # ---- the parser's calls

    def on_message_begin(self) -> None:
        self._began, self._in_head, self._whole = True, True, False
        self._expect(HEAD_S)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._expect(BODY_S)
        head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if head > HEAD_BYTES or len(self.pipeline) >= PIPELINED:
            self._refuse(431 if head > HEAD_BYTES else 503)
            raise ValueError("refused")  # ends the parsing of what came with it
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._whole = True
        self._expect(ANSWER_S)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self._whole:
            self._expect(ANSWER_S)  # until it is taken, and the next request begins
        super().on_response_complete()

    # ---- ends

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def _refuse(self, status: int) -> None:
        end = b"content-length: 0\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + (b"retry-after: 5\r\n" if status == 503 else b"") + end)
        self.transport.close()

    def _expect(self, within_s: float) -> None:
        """Cut the line if nothing else is expected by then."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(within_s, self.transport.abort)

    def _leave(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._who is not None:
            self._entrance.limits.lines.leave(self._who)
            self._who = None
