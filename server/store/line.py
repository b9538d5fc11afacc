"""One connection to a primary, owned by one task: what is asked in a loop tick goes out as one batch.

Callers hold futures only. So a caller that is cancelled cannot leave the connection one reply behind, and leaves its
request in the batch. A request without a reply is sent again, unchanged, until its time is over; one that another
server has to answer is passed on. Knows no room.
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
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.02, 0.25
_SHORTEST_S = 0.25
_BATCH = 1024
# Answers that mean "not now": the next try may meet a server that has become able.
_PASSING = {"READONLY", "OOM", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "BUSY", "NOSCRIPT"}
# Answers that mean "not here": they concern the slot of one request.
_ELSEWHERE = {"MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN"}
_DEMOTED = {"READONLY", "MASTERDOWN"}
_ASKING = command("ASKING")

Connect = Callable[[], AbstractConnection]


class Ask:
    """One request on its way: its bytes, until when it may be sent (loop time), and where its reply goes.

    ``slot``: where its keys lie, None if it is meant for this one server. ``write``: it counts only with its replicas.
    ``asking``: the slot is on its way here.
    """

    __slots__ = ("asking", "open", "packed", "reply", "slot", "tries", "until", "write")

    def __init__(self, packed: bytes, within_s: float, slot: int | None = None, write: bool = False) -> None:
        loop = asyncio.get_running_loop()
        self.packed, self.until, self.slot, self.write = packed, loop.time() + within_s, slot, write
        self.reply: asyncio.Future[Any] = loop.create_future()
        self.open, self.asking, self.tries = True, False, 0

    def give(self, reply: Any) -> None:
        """Hand over the reply, or raise it at the caller if it is an error."""
        self.open = False
        if self.reply.done():  # the caller was cancelled
            return
        if isinstance(reply, Exception):
            self.reply.set_exception(reply)
        else:
            self.reply.set_result(reply)

    def close(self) -> None:
        """Answer a request that nobody will send any more."""
        self.give(Unavailable("closed"))


def _nowhere_else(ask: Ask, error: Exception) -> None:
    ask.give(Unavailable(f"refused: {error}"))


def _no_trouble(_error: Exception) -> None:
    pass


class Line:
    """See the module. ``replicas``: how many must have a batch before its replies count (WAIT, 1 s).

    ``elsewhere`` takes a request that another server has to answer; ``trouble`` hears that this one cannot serve.
    """

    def __init__(
        self,
        connect: Connect,
        replicas: int = 0,
        elsewhere: Callable[[Ask, Exception], None] = _nowhere_else,
        trouble: Callable[[Exception], None] = _no_trouble,
    ) -> None:
        self._connect, self._replicas = connect, replicas
        self._elsewhere, self._trouble = elsewhere, trouble
        self._queue: deque[Ask] = deque()
        self._waiting: list[Ask] = []
        self._filled = asyncio.Event()
        self._connection: AbstractConnection | None = None
        self._pause = 0.0
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def ask(self, packed: bytes) -> asyncio.Future[Any]:
        """Queue a request; the future raises Unavailable after 2 s, or at once if the server will never take it."""
        ask = Ask(packed, WITHIN_S)
        self.put(ask)
        return ask.reply

    def put(self, ask: Ask) -> None:
        """Queue a request that may have been elsewhere before."""
        if self._closed:
            ask.close()
            return
        self._queue.append(ask)
        self._filled.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run(), name="store line")

    async def close(self, hand_over: Callable[[Ask], None] = Ask.close) -> None:
        """Stop, and hand over what still waits; what is asked from now on is answered with Unavailable."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        left = [ask for ask in (*self._waiting, *self._queue) if ask.open]
        self._waiting, self._queue = [], deque()
        for ask in left:
            hand_over(ask)
        await self._drop()

    async def _run(self) -> None:
        while not self._closed:
            if not self._waiting:
                await self._filled.wait()
            self._waiting += self._take(_BATCH - len(self._waiting))
            reason = await self._try(self._waiting)
            self._waiting = self._still_waiting(self._waiting, reason)
            await self._rest(reason)

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
            self._trouble(error)
            return error

    async def _exchange(self, batch: list[Ask]) -> Exception | None:
        connection = await self._connected()
        await connection.send_packed_command(self._packed(batch))
        passing: ResponseError | None = None
        answered: list[tuple[Ask, Any]] = []
        astray: list[tuple[Ask, ResponseError]] = []
        for ask in batch:
            reply = await _reply(connection, ask)
            code = reply.status_code if isinstance(reply, ResponseError) else None
            if code in _PASSING:
                passing = reply
            elif code in _ELSEWHERE:
                astray.append((ask, reply))
            elif self._replicas:
                answered.append((ask, reply))
            else:
                ask.give(_meant(reply))
        if self._replicas:
            await self._confirm(connection, answered)
        self._pass_on(batch, astray)
        return await self._recover(connection, passing)

    def _packed(self, batch: list[Ask]) -> list[bytes]:
        tail = [command("WAIT", self._replicas, 1000)] if self._replicas else []
        return [packed for ask in batch for packed in ((_ASKING, ask.packed) if ask.asking else (ask.packed,))] + tail

    async def _confirm(self, connection: AbstractConnection, answered: list[tuple[Ask, Any]]) -> None:
        enough = await connection.read_response(disable_decoding=True) >= self._replicas
        for ask, reply in answered:
            ask.give(_meant(reply) if enough else Unavailable("no replica has it"))

    def _pass_on(self, batch: list[Ask], astray: list[tuple[Ask, ResponseError]]) -> None:
        if astray:
            gone = {id(ask) for ask, _ in astray}
            batch[:] = [ask for ask in batch if id(ask) not in gone]
        for ask, error in astray:
            self._elsewhere(ask, error)

    async def _recover(self, connection: AbstractConnection, passing: ResponseError | None) -> Exception | None:
        if passing is None:
            return None
        if passing.status_code in _DEMOTED:  # the name may by now lead to the new primary
            await self._drop()
            self._trouble(passing)
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
        self._pause = min(max(self._pause * 2, FIRST_PAUSE_S), LONGEST_PAUSE_S)

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


async def _reply(connection: AbstractConnection, ask: Ask) -> Any:
    """Read one reply; an error that the server answers with is a reply, any other is raised."""
    if ask.asking:
        with contextlib.suppress(ResponseError):
            await connection.read_response(disable_decoding=True)
    try:
        return await connection.read_response(disable_decoding=True)
    except ResponseError as error:
        return error


def _meant(reply: Any) -> Any:
    return Unavailable(f"refused: {reply}") if isinstance(reply, ResponseError) else reply
