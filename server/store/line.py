"""One connection to a primary, owned by one task: what is asked in a loop tick goes out as one batch.

Callers hold futures only. So a caller that is cancelled cannot leave the connection one reply behind, and leaves its
request in the batch. A request without a reply is sent again, unchanged, until its time is over. Knows no room.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError, ResponseError

from server.store.address import open_connection
from server.store.errors import Unavailable
from server.store.scripts import ALL, command

WITHIN_S = 2.0
_SHORTEST_S = 0.25
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 0.25
_BATCH = 1024
# Answers that mean "not now, not here": the next try may meet a server that has become able.
_PASSING = {"READONLY", "OOM", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "CLUSTERDOWN", "TRYAGAIN", "BUSY"}

Connect = Callable[[], AbstractConnection]


class Ask:
    """One request on its way: its bytes, until when it may be sent (loop time), and where its reply goes."""

    __slots__ = ("open", "packed", "reply", "until")

    def __init__(self, packed: bytes, until: float, reply: asyncio.Future[Any]) -> None:
        self.packed, self.until, self.reply, self.open = packed, until, reply, True

    def give(self, reply: Any) -> None:
        """Hand over the reply, or raise it at the caller if it is an error."""
        self.open = False
        if self.reply.done():  # the caller was cancelled
            return
        if isinstance(reply, Exception):
            self.reply.set_exception(reply)
        else:
            self.reply.set_result(reply)


class Line:
    """See the module. ``replicas``: how many must have a batch before its replies count (WAIT, 1 s)."""

    def __init__(self, connect: Connect, replicas: int = 0) -> None:
        self._connect, self._replicas = connect, replicas
        self._queue: deque[Ask] = deque()
        self._filled = asyncio.Event()
        self._connection: AbstractConnection | None = None
        self._pause = 0.0
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def ask(self, packed: bytes) -> asyncio.Future[Any]:
        """Queue a request; the future raises Unavailable after 2 s, or at once if the server will never take it."""
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[Any] = loop.create_future()
        if self._closed:
            reply.set_exception(Unavailable("closed"))
            return reply
        self._queue.append(Ask(packed, loop.time() + WITHIN_S, reply))
        self._filled.set()
        if self._task is None:
            self._task = loop.create_task(self._run(), name="store line")
        return reply

    async def close(self) -> None:
        """Stop, and answer what still waits, and what is asked from now on, with Unavailable."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for ask in self._queue:
            ask.give(Unavailable("closed"))
        await self._drop()

    async def _run(self) -> None:
        waiting: list[Ask] = []
        try:
            while not self._closed:
                if not waiting:
                    await self._filled.wait()
                waiting += self._take(_BATCH - len(waiting))
                reason = await self._try(waiting)
                waiting = self._still_waiting(waiting, reason)
                await self._rest(reason)
        finally:
            for ask in waiting:
                ask.give(Unavailable("closed"))

    def _take(self, most: int) -> list[Ask]:
        taken = [self._queue.popleft() for _ in range(min(most, len(self._queue)))]
        if not self._queue:
            self._filled.clear()
        return taken

    async def _try(self, batch: list[Ask]) -> Exception | None:
        """Send a batch and give out its replies; the error, if any of them is still without one."""
        earliest = min(ask.until for ask in batch)
        now = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(max(earliest, now + _SHORTEST_S)):
                return await self._exchange(batch)
        except Exception as error:
            # Whatever went wrong with this connection, the next may serve; what waits must not wait for ever.
            await self._drop()
            return error

    async def _exchange(self, batch: list[Ask]) -> Exception | None:
        connection = await self._connected()
        tail = [command("WAIT", self._replicas, 1000)] if self._replicas else []
        await connection.send_packed_command([ask.packed for ask in batch] + tail)
        passing: Exception | None = None
        answered = []
        for ask in batch:
            reply: Any
            try:
                reply = await connection.read_response(disable_decoding=True)
            except ResponseError as error:
                if error.status_code in _PASSING or error.status_code == "NOSCRIPT":
                    passing = error
                    continue
                reply = Unavailable(f"refused: {error}")
            if self._replicas:
                answered.append((ask, reply))
            else:
                ask.give(reply)
        if self._replicas:
            await self._confirm(connection, answered)
        return await self._recover(connection, passing)

    async def _confirm(self, connection: AbstractConnection, answered: list[tuple[Ask, Any]]) -> None:
        enough = await connection.read_response(disable_decoding=True) >= self._replicas
        for ask, reply in answered:
            ask.give(reply if enough else Unavailable("no replica has it"))

    async def _recover(self, connection: AbstractConnection, passing: Exception | None) -> Exception | None:
        if not isinstance(passing, ResponseError):
            return None
        if passing.status_code == "READONLY":  # the name may by now lead to the new primary
            await self._drop()
        if passing.status_code == "NOSCRIPT":
            await connection.send_packed_command([script.load() for script in ALL])
            for _ in ALL:
                await connection.read_response(disable_decoding=True)
            self._pause = -1.0  # nothing to wait for
        return passing

    def _still_waiting(self, batch: list[Ask], reason: Exception | None) -> list[Ask]:
        if reason is None:
            return []
        now = asyncio.get_running_loop().time()
        for ask in batch:
            if ask.open and ask.until <= now:
                ask.give(Unavailable(str(reason) or "no reply in time"))
        return [ask for ask in batch if ask.open]

    async def _rest(self, reason: Exception | None) -> None:
        """Back off between failing tries; the first of them follows at once."""
        if reason is None or self._pause < 0:
            self._pause = 0.0
            return
        if self._pause:
            await asyncio.sleep(self._pause)
        self._pause = min(max(self._pause * 2, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)

    async def _connected(self) -> AbstractConnection:
        if self._connection is None:
            self._connection = self._connect()
        if not self._connection.is_connected:
            await open_connection(self._connection)
        return self._connection

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with contextlib.suppress(RedisError, OSError):
                await connection.disconnect(nowait=True)
