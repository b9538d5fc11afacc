"""Sockets: uvicorn hands each upgrade to a Socket, which speaks RFC 6455 through the sans-I/O core of `websockets`.

Owns bytes, limits and liveness of a connection. What a frame means is the session's, what it does the desk's.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import deque
from typing import TYPE_CHECKING, Any, cast

import structlog
from msgspec import Struct
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.messages import FRAME_BYTES, SUBPROTOCOLS, Bye, Command, Error
from server.address import Addresses
from server.auth import expired_in_s
from server.limits import Limits, Rate
from server.outbox import Outbox
from server.packet import Packet
from server.session import Closing, Session, packet

if TYPE_CHECKING:
    from server.desk import Desk
    from server.metrics import Metrics
    from server.settings import Settings

log = structlog.get_logger()
_silent = logging.getLogger("sanctum.frames")
_silent.disabled = True  # the websocket core would log frames, which may hold hands and tokens

PATH = "/v1/ws"
PING_S = 20.0
CLOSE_S = 5.0
WRITE_BYTES = 64 * 1024
SEND_BYTES = 128 * 1024
RECEIVE_BYTES = 64 * 1024
MAX_FRAGMENTS = 64
QUEUE_FULL, QUEUE_LOW = 32, 8
QUEUE_BYTES = FRAME_BYTES
CONTROL_PER_S, CONTROL_BURST = 5, 50


class Gateway(Struct):
    """What all sockets of a node share."""

    settings: Settings
    metrics: Metrics
    desk: Desk
    limits: Limits
    addresses: Addresses
    sockets: set[Socket]
    draining: bool = False

    async def finish_commands(self, most_s: float) -> None:
        """Wait for the commands in flight, but not for ever."""
        working = [each.worker for each in self.sockets if each.worker is not None]
        if working:
            await asyncio.wait(working, timeout=most_s)

    def shut_out(self, account: str) -> None:
        """Close all sockets of an account that has been banned."""
        for each in tuple(self.sockets):
            if each.session.account is not None and each.session.account.id == account:
                each.close(4423, "this account is banned")

    def full(self) -> bool:
        return len(self.sockets) >= self.settings.max_sockets

    def make(self, config: Any = None, server_state: Any = None, app_state: Any = None, _loop: Any = None) -> Socket:
        """Make a socket, with the arguments that uvicorn gives to a websocket protocol class."""
        return Socket(self, server_state.connections)


class Socket(asyncio.Protocol):
    """One connection, from its handshake to its end."""

    def __init__(self, gateway: Gateway, connections: set[Any]) -> None:
        self.gateway = gateway
        self._sent = gateway.metrics.sent_bytes
        self.session = Session(SUBPROTOCOLS[0], _rate(gateway.settings))
        self.ended = False
        self._connections = connections
        self._conn = ServerProtocol(max_size=FRAME_BYTES, select_subprotocol=_select, logger=_silent)
        self._outbox = Outbox(gateway.settings.outbox_kib * 1024)
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._fragments: list[bytes] = []
        self._fragments_text = False
        self._commands: deque[tuple[Command, int]] = deque()
        self._queued = 0
        self._full = False
        self._controls = Rate(CONTROL_PER_S, CONTROL_BURST, CONTROL_BURST, 0.0)
        self.worker: asyncio.Task[None] | None = None
        self._counted: str | None = None
        self._heard = True
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # ---- the transport's calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=WRITE_BYTES)
        # The kernel would let megabytes wait, of a writer that does not stop and for a reader that has.
        if (line := transport.get_extra_info("socket")) is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        try:
            self._receive(data)
        except Exception as error:  # whatever it is, it is this socket's alone
            log.error("socket_failed", exc_info=error)
            self.close(1011, "unexpected fault of the service")

    def _receive(self, data: bytes) -> None:
        self._heard = True
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            if isinstance(event, Request):
                self._accept(event)
            elif isinstance(event, Frame):
                self._take(event)
        self._flush()

    def eof_received(self) -> None:
        self._conn.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self._stop_timer()
        self._forget_commands()
        self._connections.discard(self)
        if self in self.gateway.sockets:
            self.gateway.sockets.discard(self)
            self.gateway.metrics.sockets.dec()
            if self._counted:
                self.gateway.limits.addresses.leave(self._counted)
            self.gateway.desk.gone(self)
        vars(self._conn).clear()  # it holds itself, by its parser: so it is gone when this is dropped

    def pause_writing(self) -> None:
        self._outbox.paused = True

    def resume_writing(self) -> None:
        self._outbox.paused = False
        waiting, missed = self._outbox.drain()
        for raw in waiting:
            self._transport.write(raw)
        for room in missed:
            self.gateway.desk.resync(self, room)

    # ---- handshake

    def _accept(self, request: Request) -> None:
        response = self._conn.accept(request)
        self._conn.send_response(response)
        if response.status_code != 101:
            return
        self.session.subprotocol = self._conn.subprotocol or SUBPROTOCOLS[0]
        self.session.text = self.session.subprotocol == SUBPROTOCOLS[1]
        self._flush()
        if (closing := self._door(request)) is not None:
            self.close(closing.code, closing.reason)
            return
        self.gateway.sockets.add(self)
        self.gateway.metrics.sockets.inc()
        self._timer = self._loop.call_later(self.gateway.settings.hello_s, self._no_hello)

    def _door(self, request: Request) -> Closing | None:
        """Say why a socket is not let in. It is accepted first, because browsers see no HTTP status."""
        if request.path.partition("?")[0] != PATH:
            return Closing(4404, f"websockets are at {PATH}")
        if not allowed_origin(request, self.gateway.settings.origins):
            return Closing(4403, "origin not allowed")
        if "Sec-WebSocket-Protocol" in request.headers and self._conn.subprotocol is None:
            return Closing(4406, f"subprotocols here: {', '.join(SUBPROTOCOLS)}")
        if self.gateway.draining:
            return Closing(1012, "service restarts")
        if self.gateway.full():
            self.gateway.limits.refuse("max_sockets")
            return Closing(4513, "this node is full")
        return self._count(request)

    def _count(self, request: Request) -> Closing | None:
        """Count the socket under its address, unless there are too many from there."""
        peer = str((self._transport.get_extra_info("peername") or ("",))[0])
        address = self.gateway.addresses.counted(peer, request.headers.get_all("X-Forwarded-For"))
        self.session.address = address
        if address is not None:
            if not self.gateway.limits.addresses.enter(address):
                self.gateway.limits.refuse("sockets_per_address")
                return Closing(4514, "too many sockets from this address just now")
            self._counted = address
        return None

    def _no_hello(self) -> None:
        if not self.session.opened:  # whose hello met a store that is away may say it again
            self.close(4408, "no hello in time")
            return
        self._ping()

    def _ping(self) -> None:
        """Ask whether the other side is still there; anything that it sends counts as an answer.

        Whose token has expired is let go, unless a new one came in time.
        """
        if not self._heard:
            self._transport.abort()
            return
        left_s = expired_in_s(self.session.account)
        if left_s <= 0:
            self.close(4401, "the token has expired")
            return
        self._heard = False
        if self._conn.state is State.OPEN:
            self._conn.send_ping(b"")
            self._flush()
        self._timer = self._loop.call_later(min(PING_S, left_s), self._ping)

    # ---- frames in

    def _take(self, frame: Frame) -> None:
        if self.ended:
            return
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            if frame.opcode is not Opcode.CONT:
                self._fragments_text = frame.opcode is Opcode.TEXT
            self._fragments.append(bytes(frame.data))
            if len(self._fragments) > MAX_FRAGMENTS:
                self.close(1009, f"a message has at most {MAX_FRAGMENTS} fragments")
            elif frame.fin:
                whole = b"".join(self._fragments)
                self._fragments.clear()
                self._hear(whole)
        elif self._controls.take(time.monotonic()):
            self.close(4429, "too many pings")

    def _hear(self, raw: bytes) -> None:
        try:
            said = self.session.receive(raw.decode() if self._fragments_text else raw, time.monotonic())
        except UnicodeDecodeError:
            self.close(1007, "text is not UTF-8")
            return
        if isinstance(said, Closing):
            self.close(said.code, said.reason)
        elif isinstance(said, Error):
            self.send(packet(said))
        else:
            self._queue(said, len(raw))

    def _queue(self, command: Command, size: int) -> None:
        self._commands.append((command, size))
        self._queued += size
        if not self._full and (len(self._commands) >= QUEUE_FULL or self._queued >= QUEUE_BYTES):
            self._full = True
            self._transport.pause_reading()
        if self.worker is None:
            self.worker = self._loop.create_task(self._work())

    async def _work(self) -> None:
        """Carry out the waiting commands, one after the other."""
        try:
            while self._commands:
                command, size = self._commands.popleft()
                self._queued -= size
                if self._full and len(self._commands) <= QUEUE_LOW and self._queued < QUEUE_BYTES:
                    self._full = False
                    self._transport.resume_reading()
                await self.gateway.desk.carry_out(self, command)
        finally:
            self.worker = None
            if self.session.over:
                self.gateway.desk.gone(self)  # once more: the command may have begun to follow a room

    # ---- bytes out

    def send(self, what: Packet) -> None:
        """Write a message, or keep it while the reader is slow. Never waits, never raises."""
        if self.ended:
            return
        raw = what.text() if self.session.text else what.binary()
        self._sent.added += len(raw)
        if not self._outbox.paused:
            self._transport.write(raw)
        elif not self._outbox.put(raw, what.room, what.spare) or self._outbox.too_slow(time.monotonic()):
            self.gateway.metrics.slow_closes.inc()
            self._transport.abort() if self._conn.state is not State.OPEN else self.close(4508, "reads too slowly")

    def close(self, code: int, reason: str) -> None:
        """Say goodbye and close, in bounded time even if the other side does not answer."""
        if self.ended:
            return
        if not self._outbox.paused and self._conn.state is State.OPEN:
            self.send(packet(Bye(code, reason)))
        self.ended = True
        self._stop_timer()
        self._forget_commands()
        if self._full:
            self._transport.resume_reading()  # for its goodbye; what else it says is not looked at any more
        if self._conn.state is State.OPEN:
            self._conn.send_close(code, reason)
        self._flush()
        self._timer = self._loop.call_later(CLOSE_S, self._transport.abort)

    def shutdown(self) -> None:
        """Let uvicorn end this connection while it stops."""
        self.close(1012, "service restarts")

    def _flush(self) -> None:
        for raw in self._conn.data_to_send():
            if not raw:
                self._transport.close()
            elif self._outbox.paused and not self.ended:
                self._hold(raw)
            else:
                self._transport.write(raw)
        if self._conn.close_expected() and not self.ended:
            self.ended = True
            self._stop_timer()
            self._timer = self._loop.call_later(CLOSE_S, self._transport.abort)

    def _hold(self, raw: bytes) -> None:
        """Keep what the websocket core says to a slow reader, pongs above all, within the bound of its outbox."""
        if not self._outbox.put(raw, None):
            self.gateway.metrics.slow_closes.inc()
            self._transport.abort()

    def _forget_commands(self) -> None:
        self._commands.clear()
        self._fragments.clear()
        self._queued = 0

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _rate(settings: Settings) -> Rate:
    burst = settings.commands_burst
    return Rate(settings.commands_per_second, burst, burst, time.monotonic())


def _select(_: ServerProtocol, offered: Any) -> Any:
    return next((name for name in SUBPROTOCOLS if name in offered), None)


def allowed_origin(request: Request, allowed: tuple[str, ...]) -> bool:
    """Let in clients that are no web pages, pages of this very host, and those of the allow-list (RFC 6455, 10.2)."""
    origins = request.headers.get_all("Origin")
    if not origins:
        return True
    if len(origins) > 1:
        return False
    origin = origins[0].lower()
    scheme, _, host = origin.partition("://")
    own = request.headers.get_all("Host")
    return origin in allowed or (scheme in ("http", "https") and len(own) == 1 and host == own[0].lower() != "")
