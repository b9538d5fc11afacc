"""What a primary publishes to this node: one connection with a reader task of its own, never deaf in silence.

A canary through the node's own channel shows every second that messages still arrive; if none does, the connection is
made anew. After every reconnect all channels are subscribed again, and then the rooms are handed to ``on_reconnect``,
because messages may have been lost; so are rooms that come from another primary. Knows channels and payloads, not what
they mean, and not which primary has which room.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Iterable
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


class Moved(Exception):
    """The room is to be listened to elsewhere."""


class Ears:
    """What takes messages; one for all subscribers of a node."""

    def __init__(self) -> None:
        self.on_entry: OnMessage = _ignore
        self.on_told: OnMessage = _ignore
        self.on_reconnect: OnReconnect = _no_reconnect


class Place:
    """What a subscriber has to know of the server that it listens to. This one has every room, for good."""

    def canary(self, current: str) -> str:
        """Name a room of this server for the node's own channel: the current one if it serves, '' if none does."""
        return current or f"node-{secrets.token_hex(8)}"

    def moved(self) -> None:
        """Hear that the server has ended a subscription by itself."""

    def trouble(self, error: BaseException) -> None:
        """Hear that the connection was lost, or refused something."""


class Subscriber:
    """See the module. ``publish``: queues a request on another connection of the same primary."""

    def __init__(
        self, connect: Connect, publish: Callable[[bytes], asyncio.Future[Any]], ears: Ears, place: Place
    ) -> None:
        self._connect, self._publish = connect, publish
        self._ears, self._place = ears, place
        self._self = ""
        self._rooms: dict[bytes, str] = {}
        self._unconfirmed: dict[bytes, int] = {}
        self._confirmed: dict[bytes, asyncio.Future[None]] = {}
        self._leaving: dict[bytes, int] = {}
        self._ended: list[str] = []  # the server has ended these subscriptions
        self._owed: dict[str, None] = {}  # rooms of which messages may have been lost
        self._owing = asyncio.Event()
        self._outgoing: list[bytes] = []
        self._filled = asyncio.Event()
        self._echoes: dict[bytes, asyncio.Future[None]] = {}
        self._misses = 0
        self._healthy = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def listen(self) -> None:
        """Begin to connect."""
        if self._task is None and not self._closed:
            self._task = asyncio.get_running_loop().create_task(self._run(), name="store subscriber")

    async def start(self) -> None:
        """Connect. Raises Unavailable if messages do not arrive within 2 s."""
        self.listen()
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

    async def subscribe(self, room: str, within_s: float | None = None) -> None:
        """Listen to a room, and return when the server has confirmed it. Raises Unavailable after 2 s, or Moved.

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
            await asyncio.wait_for(asyncio.shield(waiting), WITHIN_S if within_s is None else within_s)
        except TimeoutError:
            self.unsubscribe(room)
            raise Unavailable("the subscription was not confirmed") from None

    def unsubscribe(self, room: str) -> None:
        """Listen to a room no more. What is on its way may still arrive."""
        channel = _channel(room)
        if self._rooms.pop(channel, None) is None:
            return
        self._forget(channel, Unavailable("unsubscribed"))
        self._leaving[channel] = self._leaving.get(channel, 0) + 1
        self._send(command("SUNSUBSCRIBE", channel))

    # -- rooms that come and go with their slots -----------------------------------------------------------------

    def rooms(self) -> list[str]:
        """Give all rooms that are listened to here."""
        return [room for room in self._rooms.values() if room != self._self]

    def release(self, rooms: Iterable[str]) -> None:
        """Let rooms go to another primary. This server ends their subscriptions by itself, or has done so."""
        for room in rooms:
            self._rooms.pop(_channel(room), None)
            self._owed.pop(room, None)
            self._forget(_channel(room), Moved())

    def adopt(self, rooms: Iterable[str]) -> None:
        """Listen to rooms that come from elsewhere; once confirmed they are handed to ``on_reconnect``."""
        for room in rooms:
            channel = _channel(room)
            self._rooms[channel] = room
            self._owed[room] = None
            self._send_subscribe(channel)
        self._owing.set()

    def reclaim(self) -> None:
        """Listen again to the rooms whose subscriptions the server had ended and which are here all the same."""
        ended, self._ended = self._ended, []
        self.adopt([room for room in ended if _channel(room) in self._rooms])

    def _forget(self, channel: bytes, reason: Exception) -> None:
        waiting = self._confirmed.pop(channel, None)
        if waiting is not None:
            waiting.set_exception(reason)
            waiting.exception()  # nobody may be waiting

    async def hears(self, within_s: float = 1.0) -> bool:
        """Publish to the node's own channel, and tell whether it arrived."""
        if not self._healthy.is_set():
            return False
        self._keep_canary()  # a slot that has moved may have taken the channel along
        if not self._self:  # no room can lie here
            return True
        token = secrets.token_bytes(8)
        echo = self._echoes[token] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(within_s):
                if (waiting := self._confirmed.get(_channel(self._self))) is not None:
                    await asyncio.shield(waiting)
                self._sing(token)
                await echo
        except TimeoutError:
            return False
        finally:
            del self._echoes[token]
        return True

    # -- the one connection after the other ----------------------------------------------------------------------

    async def _run(self) -> None:
        pause = 0.0
        while not self._closed:
            try:
                await self._listen()
            except Exception as error:
                # Whatever went wrong, being deaf would be worse: say so, and listen again.
                _log.warning("subscriber_lost", reason=_reason(error))
                for one in _each(error):
                    self._place.trouble(one)
                _forgive()
            if self._healthy.is_set():
                pause = 0.0
            self._healthy.clear()
            self._owed |= dict.fromkeys(self.rooms())
            await asyncio.sleep(pause)
            pause = min(max(pause * 2, 0.02), _LONGEST_PAUSE_S)

    async def _listen(self) -> None:
        connection = self._connect()
        try:
            async with asyncio.timeout(WITHIN_S):
                await open_connection(connection)
            async with asyncio.TaskGroup() as tasks:
                self._subscribe_all()
                tasks.create_task(self._read(connection), name="subscriber reader")
                tasks.create_task(self._write(connection), name="subscriber writer")
                tasks.create_task(self._resume(), name="subscriber resume")
                tasks.create_task(self._prove(), name="subscriber canary")
        finally:
            with contextlib.suppress(RedisError, OSError):
                await connection.disconnect(nowait=True)

    def _subscribe_all(self) -> None:
        for left in (self._outgoing, self._unconfirmed, self._leaving, self._ended):
            left.clear()
        self._misses = 0
        self._keep_canary()
        for channel in self._rooms.keys() - self._unconfirmed.keys():
            self._send_subscribe(channel)
        self._owing.set()

    async def _resume(self) -> None:
        """Hand over the rooms that are owed as soon as they are subscribed."""
        while True:
            await self._owing.wait()
            self._owing.clear()
            async with asyncio.timeout(10 * WITHIN_S):
                while self._confirmed:
                    await asyncio.wait(list(self._confirmed.values()))
            owed, self._owed = self._owed, {}
            if owed:
                await self._ears.on_reconnect(list(owed))  # if it fails, all is made anew
            self._healthy.set()

    async def _prove(self) -> None:
        while True:
            self._keep_canary()
            self._misses = self._misses + 1 if self._self else 0
            if self._misses > _MISSES:
                raise Deaf("no canary")
            self._sing(b"")
            await asyncio.sleep(BEAT_S)

    def _keep_canary(self) -> None:
        chosen = self._place.canary(self._self)
        if chosen == self._self and chosen:
            return
        self._rooms.pop(_channel(self._self), None)
        self._self = chosen
        if chosen:
            self._rooms[_channel(chosen)] = chosen
            self._send_subscribe(_channel(chosen))

    def _sing(self, token: bytes) -> None:
        if self._self:
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
            elif kind == b"sunsubscribe":
                self._end(channel)

    def _confirm(self, channel: bytes) -> None:
        left = self._unconfirmed.pop(channel, 1) - 1
        if left:  # subscribed, left and subscribed again: only the last confirmation counts
            self._unconfirmed[channel] = left
            return
        waiting = self._confirmed.pop(channel, None)
        if waiting is not None:
            waiting.set_result(None)

    def _end(self, channel: bytes) -> None:
        """Tell the answer to a request from the server's own word, which it says when a slot leaves it."""
        asked = self._leaving.pop(channel, 0)
        if asked:
            if asked > 1:
                self._leaving[channel] = asked - 1
            return
        room = self._rooms.get(channel)
        if room == self._self:
            self._rooms.pop(channel, None)
            self._self = ""
        elif room is not None:
            self._ended.append(room)
        self._place.moved()

    def _receive(self, channel: bytes, payload: bytes) -> None:
        room, mark = self._rooms.get(channel), payload[:1]
        if room is None:
            return
        if mark == CANARY:
            self._hear_canary(payload[1:])
            return
        try:
            (self._ears.on_entry if mark == ENTRY else self._ears.on_told)(room, payload[1:])
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


def _forgive() -> None:
    """Forget the cancellation by which a failing task group woke this task: early releases of Python 3.11 do not.

    It would make the next timeout look like a cancellation from outside. ``close`` has its own mark.
    """
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


def _each(error: BaseException) -> tuple[BaseException, ...]:
    return error.exceptions if isinstance(error, BaseExceptionGroup) else (error,)


def _reason(error: BaseException) -> str:
    return "; ".join(map(repr, _each(error)))


def _ignore(room: str, payload: bytes) -> None:
    del room, payload


async def _no_reconnect(rooms: list[str]) -> None:
    del rooms
