"""The asyncio shell of the reference client: sockets, waits and queues around ``Core``.

Decides nothing: what to send, when to come back and when to stop is the core's.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from random import Random
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from protocol.client.actions import Action, Greeted, Halt, Send, Settle, Stop, Tell, Wait
from protocol.client.core import CommandRefused, ConnectionLost, Core
from protocol.client.recorder import Recorder
from protocol.client.room import Message, Room, Update
from protocol.client.wire import FRAME_BYTES, MSGPACK, pack, unpack

LOST = 1006
_NO_SUCH_ADDRESS = 4404
_NO_SUBPROTOCOL = 4406
_CLOSE_S = 2.0


class Client:
    """One account's connection, which heals itself: ``async with Client(url, token=…) as client``.

    ``patience_s``: how long it may be without a connection before it gives up with ConnectionLost.
    Commands return the server's ``ok``; they raise CommandRefused, or ConnectionLost when it is over for good.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        name: str = "",
        subprotocol: str = MSGPACK,
        recorder: Recorder | None = None,
        patience_s: float = 30.0,
    ) -> None:
        self._core = Core(nonce=secrets.token_hex(8), random=Random(secrets.token_bytes(16)), token=token, name=name)
        self._url = url
        self._subprotocol = Subprotocol(subprotocol)
        self._recorder = recorder
        self._patience_s = patience_s
        self._socket: ClientConnection | None = None
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._listeners: dict[str, set[asyncio.Queue[Update | None]]] = {}
        self._waits: set[asyncio.Task[None]] = set()
        self._up = False
        self._over: str | None = None

    async def __aenter__(self) -> Self:
        self._greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(self._run())
        try:
            await self._greeted
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the socket and stop. What is still awaited raises ConnectionLost."""
        self._finish("closed by this client")
        if self._socket is not None:
            await self._socket.close()
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    @property
    def welcome(self) -> Message:
        """The server's greeting: protocol, account, name."""
        assert self._core.welcome is not None  # it comes before the answer to hello
        return self._core.welcome

    def room(self, room_id: str) -> Room:
        """Give a followed room as it stands. Raises KeyError for any other."""
        return self._core.rooms[room_id]

    # ---- commands

    async def request(self, kind: str, **fields: Any) -> Message:
        """Send a command, again and again if need be, until its answer is here."""
        if self._over is not None:
            raise ConnectionLost(self._over)
        command, actions = self._core.request(kind, **fields)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[command] = answer
        try:
            await self._act(actions)
            return await answer
        finally:
            del self._answers[command]
            self._core.forget(command)

    async def create(self, game: str, **fields: Any) -> Message:
        """Open a room: ``options``, ``seats``, ``pack``, ``room`` as the message has them. Its id is ``room``."""
        return await self.request("create", game=game, **fields)

    async def join(self, room_id: str, **fields: Any) -> int | None:
        """Follow a room; give the seat, None for a spectator. ``role``, ``seat``, ``deck``, ``code`` as needed."""
        seat: int | None = (await self.request("join", room=room_id, **fields)).get("seat")
        if self._recorder is not None:
            self._recorder.joined(room_id, "public" if seat is None else seat)
        return seat

    async def ready(self, room_id: str, **fields: Any) -> Message:
        """Be ready to start. ``entropy``: 16 to 64 bytes of one's own; ``deck``."""
        return await self.request("ready", room=room_id, **fields)

    async def choose(self, room_id: str, picks: Iterable[str | int], *, prompt: int | None = None) -> Message:
        """Answer the open prompt by option ids (for a number: the number). Raises ValueError if there is none."""
        if prompt is None:
            if (question := self.room(room_id).prompt) is None:
                raise ValueError("no prompt is open")
            prompt = question["id"]
        return await self.request("choose", room=room_id, prompt=prompt, picks=list(picks))

    async def spell(self, room_id: str, act: Message | list[Message]) -> Message:
        """Answer the open prompt by meaning. Raises ValueError if there is none."""
        if (question := self.room(room_id).prompt) is None:
            raise ValueError("no prompt is open")
        return await self.request("choose", room=room_id, prompt=question["id"], act=act)

    async def resign(self, room_id: str) -> Message:
        """Give the match up."""
        return await self.request("resign", room=room_id)

    async def rematch(self, room_id: str) -> str:
        """Play an ended room again: give the id of the new room, the same whoever of its seats asks. Join it next."""
        return str((await self.request("rematch", room=room_id))["room"])

    async def leave(self, room_id: str) -> Message:
        """Stop following a room."""
        ok = await self.request("leave", room=room_id)
        self._tell(room_id, None)
        return ok

    async def say(self, room_id: str, text: str) -> Message:
        """Talk."""
        return await self.request("say", room=room_id, text=text)

    async def ping(self, room_id: str | None = None) -> Message:
        """Ask for service time."""
        return await self.request("ping", room=room_id)

    async def updates(self, room_id: str) -> AsyncIterator[Update]:
        """Yield what is new in a followed room, first of all how it stands. Ends when it is followed no more.

        Raises ConnectionLost when the connection is over for good.
        """
        queue: asyncio.Queue[Update | None] = asyncio.Queue()
        self._listeners.setdefault(room_id, set()).add(queue)
        try:
            if (room := self._core.rooms.get(room_id)) is not None and room.v is not None:
                yield Update("now", room, {})
            while True:
                if queue.empty() and self._over is not None:
                    raise ConnectionLost(self._over)
                if queue.empty() and room_id not in self._core.rooms:
                    return
                if (update := await queue.get()) is not None:
                    yield update
        finally:
            self._listeners[room_id].discard(queue)

    # ---- the socket

    async def _run(self) -> None:
        try:
            await self._stay_connected()
        except Exception as fault:
            self._finish(f"the client failed: {fault!r}")
            raise

    async def _stay_connected(self) -> None:
        """Connect, and connect again, until the core says stop or patience is at its end."""
        clock = asyncio.get_running_loop().time
        missing_since = clock()
        while self._over is None:
            code, reason = await self._connection()
            now = clock()
            if self._up:
                self._up, missing_since = False, now
            verdict = self._core.closed(code, reason, now)
            if isinstance(verdict, Stop):
                self._finish(f"closed with {verdict.code}: {verdict.reason}")
            elif now + verdict.after_s - missing_since > self._patience_s:
                self._finish(f"no connection for {self._patience_s} s, the last closed with {code}")
            else:
                await asyncio.sleep(verdict.after_s)

    async def _connection(self) -> tuple[int, str]:
        """Serve one connection to its end; give the close code and reason."""
        try:
            async with connect(
                self._url,
                subprotocols=[self._subprotocol],
                compression=None,
                max_size=FRAME_BYTES,
                close_timeout=_CLOSE_S,
            ) as socket:
                if socket.subprotocol != self._subprotocol:
                    return _NO_SUBPROTOCOL, "the server does not speak this subprotocol"
                return await self._serve(socket)
        except InvalidStatus as refusal:
            status = refusal.response.status_code
            return (LOST if status >= 500 or status == 429 else _NO_SUCH_ADDRESS), f"HTTP status {status}"
        except (OSError, TimeoutError, InvalidMessage) as failure:
            return LOST, str(failure)
        except (InvalidHandshake, InvalidURI) as wrong:
            return _NO_SUBPROTOCOL, str(wrong)

    async def _serve(self, socket: ClientConnection) -> tuple[int, str]:
        self._socket = socket
        try:
            await self._act(self._core.opened(asyncio.get_running_loop().time()))
            while True:
                await self._take(await socket.recv())
        except ConnectionClosed:
            return socket.close_code or LOST, socket.close_reason or ""
        finally:
            self._socket = None

    async def _take(self, raw: bytes | str) -> None:
        message = unpack(raw)
        if self._recorder is not None and message["t"] == "frame":
            self._recorder.keep(message, raw)
        if actions := self._core.received(message):
            await self._act(actions)

    async def _act(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Tell():
                    self._tell(action.update.room.id, action.update)
                case Send():
                    await self._send(action.message)
                case Settle():
                    self._settle(action.id, action.answer)
                case Wait():
                    self._later(action)
                case Greeted():
                    self._up = True
                    if not self._greeted.done():
                        self._greeted.set_result(None)
                case Halt():
                    await self._halt(action.error)

    async def _send(self, message: Message) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):  # the core keeps it, and sends it on the next connection
                await self._socket.send(pack(message, self._subprotocol))

    def _tell(self, room_id: str, update: Update | None) -> None:
        for queue in self._listeners.get(room_id, ()):
            queue.put_nowait(update)

    def _settle(self, command: str, answer: Message) -> None:
        future = self._answers.get(command)
        if future is None or future.done():
            return
        if answer["t"] == "ok":
            future.set_result(answer)
        else:
            future.set_exception(CommandRefused(answer))

    def _later(self, wait: Wait) -> None:
        async def send_again() -> None:
            await asyncio.sleep(wait.after_s)
            await self._act(self._core.due(wait.id))

        task = asyncio.create_task(send_again())
        self._waits.add(task)
        task.add_done_callback(self._waits.discard)

    async def _halt(self, error: Message) -> None:
        self._finish(f"{error['code']}: {error['message']}")
        if self._socket is not None:
            await self._socket.close()

    def _finish(self, reason: str) -> None:
        """Tell everybody who waits that it is over. Only the first reason counts."""
        if self._over is not None:
            return
        self._over = reason
        for task in self._waits:
            task.cancel()
        if not self._greeted.done():
            self._greeted.set_exception(ConnectionLost(reason))
        for future in self._answers.values():
            if not future.done():
                future.set_exception(ConnectionLost(reason))
        for room_id in self._listeners:
            self._tell(room_id, None)
