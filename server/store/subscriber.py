"""What a primary publishes to this node: one connection with a reader task of its own, never deaf in silence.

A canary through the node's own channel shows every second that messages still arrive; if none does, the connection is
made anew. After every reconnect all channels are subscribed again, and then the rooms are handed to ``on_reconnect``,
because messages may have been lost. Knows channels and payloads, not what they mean.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from server.store import keys
from server.store.address import open_connection
from server.store.errors import Unavailable
from server.store.line import WITHIN_S, Connect
from server.store.scripts import CANARY, ENTRY, command

BEAT_S = 1.0
_MISSES = 3
_LONGEST_PAUSE_S = 1.0
_log = structlog.get_logger()

OnMessage = Callable[[str, bytes], None]
OnReconnect = Callable[[list[str]], Awaitable[None]]


class Deaf(Exception):
    """The connection stands, yet no message arrives."""


class Subscriber:
    """See the module. ``publish``: queues a request on another connection of the same primary."""

    def __init__(self, connect: Connect, publish: Callable[[bytes], asyncio.Future[Any]]) -> None:
        self._connect, self._publish = connect, publish
        self.on_entry: OnMessage = _ignore
        self.on_told: OnMessage = _ignore
        self.on_reconnect: OnReconnect = _no_reconnect
        self._self = f"node-{secrets.token_hex(8)}"
        self._rooms: dict[bytes, str] = {_channel(self._self): self._self}
        self._unconfirmed: dict[bytes, int] = {}
        self._confirmed: dict[bytes, asyncio.Future[None]] = {}
        self._outgoing: list[bytes] = []
        self._filled = asyncio.Event()
        self._echoes: dict[bytes, asyncio.Future[None]] = {}
        self._misses = 0
        self._healthy = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        """Connect. Raises Unavailable if messages do not arrive within 2 s."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="store subscriber")
        try:
            async with asyncio.timeout(WITHIN_S):
                await self._healthy.wait()
        except TimeoutError:
            raise Unavailable("cannot subscribe") from None

    async def close(self) -> None:
        """Stop listening."""
        self._closed = True  # a task group that is failing swallows the cancellation
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def subscribe(self, room: str) -> None:
        """Listen to a room, and return when the server has confirmed it. Raises Unavailable after 2 s.

        A caller that is cancelled leaves the room subscribed: it still owes the ``unsubscribe``.
        """
        channel = _channel(room)
        if channel not in self._rooms:
            self._rooms[channel] = room
            self._send_subscribe(channel)
        waiting = self._confirmed.get(channel)
        if waiting is None:
            return
        try:
            await asyncio.wait_for(asyncio.shield(waiting), WITHIN_S)
        except TimeoutError:
            self.unsubscribe(room)
            raise Unavailable("the subscription was not confirmed") from None

    def unsubscribe(self, room: str) -> None:
        """Listen to a room no more. What is on its way may still arrive."""
        channel = _channel(room)
        if self._rooms.pop(channel, None) is None:
            return
        waiting = self._confirmed.pop(channel, None)
        if waiting is not None:
            waiting.set_exception(Unavailable("unsubscribed"))
            waiting.exception()  # nobody may be waiting
        self._send(command("SUNSUBSCRIBE", channel))

    async def hears(self, within_s: float = 1.0) -> bool:
        """Publish to the node's own channel, and tell whether it arrived."""
        if not self._healthy.is_set():
            return False
        token = secrets.token_bytes(8)
        echo = self._echoes[token] = asyncio.get_running_loop().create_future()
        self._sing(token)
        try:
            async with asyncio.timeout(within_s):
                await echo
        except TimeoutError:
            return False
        finally:
            del self._echoes[token]
        return True

    # -- the one connection after the other ----------------------------------------------------------------------

    async def _run(self) -> None:
        pause, first = 0.0, True
        while not self._closed:
            try:
                await self._listen(first)
            except Exception as error:
                # Whatever went wrong, being deaf would be worse: say so, and listen again.
                _log.warning("subscriber_lost", reason=_reason(error))
            if self._healthy.is_set():
                pause, first = 0.0, False
            self._healthy.clear()
            await asyncio.sleep(pause)
            pause = min(max(pause * 2, 0.02), _LONGEST_PAUSE_S)

    async def _listen(self, first: bool) -> None:
        connection = self._connect()
        try:
            async with asyncio.timeout(WITHIN_S):
                await open_connection(connection)
            async with asyncio.TaskGroup() as tasks:
                self._subscribe_all()
                tasks.create_task(self._read(connection), name="subscriber reader")
                tasks.create_task(self._write(connection), name="subscriber writer")
                tasks.create_task(self._resume(first), name="subscriber resume")
                tasks.create_task(self._prove(), name="subscriber canary")
        finally:
            with contextlib.suppress(RedisError, OSError):
                await connection.disconnect(nowait=True)

    def _subscribe_all(self) -> None:
        self._outgoing.clear()
        self._unconfirmed.clear()
        self._misses = 0
        for channel in self._rooms:
            self._send_subscribe(channel)

    async def _resume(self, first: bool) -> None:
        async with asyncio.timeout(10 * WITHIN_S):
            while self._confirmed:
                await asyncio.wait(list(self._confirmed.values()))
        if not first:
            await self.on_reconnect([room for room in self._rooms.values() if room != self._self])
        self._healthy.set()

    async def _prove(self) -> None:
        while True:
            self._misses += 1
            if self._misses > _MISSES:
                raise Deaf("no canary")
            self._sing(b"")
            await asyncio.sleep(BEAT_S)

    def _sing(self, token: bytes) -> None:
        sent = self._publish(command("SPUBLISH", _channel(self._self), CANARY + token))
        sent.add_done_callback(_forget)

    # -- out -----------------------------------------------------------------------------------------------------

    def _send_subscribe(self, channel: bytes) -> None:
        if channel not in self._confirmed:
            self._confirmed[channel] = asyncio.get_running_loop().create_future()
        self._unconfirmed[channel] = self._unconfirmed.get(channel, 0) + 1
        self._send(command("SSUBSCRIBE", channel))

    def _send(self, packed: bytes) -> None:
        self._outgoing.append(packed)
        self._filled.set()

    async def _write(self, connection: AbstractConnection) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            outgoing, self._outgoing = self._outgoing, []
            if outgoing:
                await connection.send_packed_command(outgoing)

    # -- in ------------------------------------------------------------------------------------------------------

    async def _read(self, connection: AbstractConnection) -> None:
        while True:
            kind, channel, payload = await connection.read_response(disable_decoding=True)
            if kind == b"smessage":
                self._receive(channel, payload)
            elif kind == b"ssubscribe":
                self._confirm(channel)

    def _confirm(self, channel: bytes) -> None:
        left = self._unconfirmed.pop(channel, 1) - 1
        if left:  # subscribed, left and subscribed again: only the last confirmation counts
            self._unconfirmed[channel] = left
            return
        waiting = self._confirmed.pop(channel, None)
        if waiting is not None:
            waiting.set_result(None)

    def _receive(self, channel: bytes, payload: bytes) -> None:
        room, mark = self._rooms.get(channel), payload[:1]
        if room is None:
            return
        if mark == CANARY:
            self._hear_canary(payload[1:])
            return
        try:
            (self.on_entry if mark == ENTRY else self.on_told)(room, payload[1:])
        except Exception:
            # One room's fault must not make the node deaf to the others; the hole is found by v.
            _log.exception("message_not_taken", room=room)

    def _hear_canary(self, token: bytes) -> None:
        self._misses = 0
        echo = self._echoes.get(token)
        if echo is not None and not echo.done():
            echo.set_result(None)


def _channel(room: str) -> bytes:
    return keys.key("ch", room).encode()


def _forget(sent: asyncio.Future[Any]) -> None:
    if not sent.cancelled():
        sent.exception()  # a canary that could not be sent is one that does not arrive


def _reason(error: BaseException) -> str:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else (error,)
    return "; ".join(repr(one) for one in inner)


def _ignore(room: str, payload: bytes) -> None:
    del room, payload


async def _no_reconnect(rooms: list[str]) -> None:
    del rooms
