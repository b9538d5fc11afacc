"""A service of one room and one seat that plays the server's part of the wire, and breaks off where it hurts.

It asks one question of every shape, refuses nothing but what breaks the protocol, and keeps outcomes by command id.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from protocol.codec import MSGPACK, command_digest, decode_command, encode
from protocol.messages import (
    Choose,
    Command,
    Create,
    Ended,
    Error,
    Frame,
    Hello,
    Join,
    Message,
    Ok,
    PromptOut,
    Ready,
    Welcome,
)  # fmt: skip
from protocol.prompt import Option, Prompt, fault_in

ROOM = "toyroom"


def _options(*groups: str) -> tuple[Option, ...]:
    return tuple(Option(str(n), {"do": "take", "n": n}, group) for n, group in enumerate(groups, 1))


QUESTIONS = (
    Prompt(0, "one", _options("", "")),
    Prompt(0, "some", _options("a", "a", "b", ""), least=2, most=3),
    Prompt(0, "none or more", _options("", ""), least=0, most=2),
    Prompt(0, "number", (), "number", -2, 7),
    Prompt(0, "order", _options("", "", ""), "order", 3, 3),
    Prompt(0, "last", _options("")),
)


class Toy:
    """The room. ``choices``: what was accepted, in order; ``resent``: how many commands came more than once."""

    def __init__(self) -> None:
        self.outcomes: dict[str, tuple[bytes, Ok]] = {}
        self.frames: list[Frame] = []
        self.choices: list[Choose] = []
        self.created: list[Create] = []
        self.resumed: list[int] = []
        self.resent = 0
        self.connections = 0
        self.cuts = {2, 4}
        self.busy = {1}
        self.skipped = {1}

    def frame(self, why: Any = None) -> Frame:
        v = len(self.choices)
        asked = None
        if v < len(QUESTIONS):
            q = QUESTIONS[v]
            asked = PromptOut(v + 1, q.kind, 0, q.options, q.shape, q.least, q.most, q.default)
        return Frame(ROOM, v, f"t{v}", v, {"table": {"step": v}}, prompt=asked, why=why)

    def apply(self, command: Command) -> Ok:
        """Give a command its effect, once."""
        digest = command_digest(command)
        if command.id in self.outcomes:
            known, ok = self.outcomes[command.id]
            assert known == digest, "the same id with another body"
            self.resent += 1
            return ok
        ok = self._effect(command)
        self.outcomes[command.id] = digest, ok
        return ok

    def _effect(self, command: Command) -> Ok:
        if isinstance(command, Create):
            self.created.append(command)
            return Ok(command.id, ROOM)
        if isinstance(command, Choose):
            question = QUESTIONS[command.prompt - 1]
            assert command.prompt == len(self.choices) + 1, "an answer to another question"
            assert isinstance(command.picks, tuple)
            assert fault_in(question, command.picks) is None
            self.choices.append(command)
            self.frames.append(self.frame())
            return Ok(command.id, ROOM, len(self.choices))
        assert isinstance(command, Join | Ready)
        return Ok(command.id, ROOM, len(self.choices), 0 if isinstance(command, Join) else None)

    def missing(self, join: Join) -> list[Frame]:
        """Give what a join is answered with: the missing frames, or a snapshot."""
        if join.since is None:
            return [self.frame("joined")]
        self.resumed.append(join.since.v)
        return self.frames[join.since.v :]


class Talk:
    """One connection's part."""

    def __init__(self, toy: Toy, socket: WebSocket) -> None:
        self.toy = toy
        self.socket = socket

    async def put(self, *messages: Message) -> None:
        for message in messages:
            packed = encode(message, MSGPACK)
            assert isinstance(packed, bytes)
            await self.socket.send_bytes(packed)

    async def run(self) -> None:
        hello = await self.get()
        assert isinstance(hello, Hello)
        assert hello.token == "guest-token"
        await self.put(Welcome(1, "toy", 0, "guest"), Ok(hello.id))
        while True:
            command = await self.get()
            if not await self.answered(command):
                return

    async def get(self) -> Command:
        return decode_command(await self.socket.receive_bytes(), MSGPACK)

    async def answered(self, command: Command) -> bool:
        """Answer a command; give whether the connection goes on."""
        toy, step = self.toy, len(self.toy.choices)
        if isinstance(command, Choose) and step in toy.busy:
            toy.busy.discard(step)
            await self.put(Error(command.id, "busy", "again, please", True, 5))
            return True
        ok = toy.apply(command)
        if isinstance(command, Choose) and step in toy.cuts:
            toy.cuts.discard(step)  # it has its effect, and nobody is told
            await self.socket.close(1011)
            return False
        await self.put(ok)
        await self.tell(command)
        return True

    async def tell(self, command: Command) -> None:
        toy, v = self.toy, len(self.toy.choices)
        if isinstance(command, Join):
            await self.put(*toy.missing(command))
        elif isinstance(command, Choose) and v in toy.skipped:
            toy.skipped.discard(v)
            beyond = Frame(ROOM, v + 2, "t?", 0, {})  # a hole, as a client may see one
            await self.put(beyond)
        elif isinstance(command, Choose):
            await self.put(toy.frames[-1])
        if v == len(QUESTIONS):
            await self.put(Ended(ROOM, v, "finished", "all answered", (0,)))


@asynccontextmanager
async def running(toy: Toy) -> AsyncIterator[str]:
    """Serve the toy; give the address. What clients did wrong fails the test."""
    faults: list[BaseException] = []

    async def guests(_: Request) -> Response:
        return JSONResponse({"token": "guest-token", "account": "guest", "name": "x", "expires_at": 0}, 201)

    async def game(request: Request) -> Response:
        packs = [{"id": "p", "decks": ["ready-made"]}]
        return JSONResponse(
            {"name": request.path_params["game"], "seats": [2, 2], "packs": packs, "brings_decks": True}
        )

    async def socket(websocket: WebSocket) -> None:
        toy.connections += 1
        await websocket.accept(MSGPACK)
        try:
            await Talk(toy, websocket).run()
        except WebSocketDisconnect:
            pass
        except Exception as fault:  # the test has to see it, whatever it is
            faults.append(fault)
            await websocket.close(4400)

    routes = [
        Route("/v1/guests", guests, methods=["POST"]),
        Route("/v1/games/{game}", game),
        WebSocketRoute("/v1/ws", socket),
    ]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="error", lifespan="off", ws="websockets-sansio")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await serving
    if faults:
        raise faults[0]
