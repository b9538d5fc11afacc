"""The shell over real sockets, against a service of a few lines."""

from __future__ import annotations

import asyncio
import io
import json
import socket as sockets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import Request, Response, ServerConnection, serve

from protocol.client import Client, CommandRefused, ConnectionLost, Recorder
from protocol.client.wire import JSON, MSGPACK, pack, unpack

Message = dict[str, Any]
TOKEN = "token-of-robin"


class Peer:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection, number: int) -> None:
        self.socket = socket
        self.number = number
        self.subprotocol = str(socket.subprotocol)

    async def get(self, kind: str) -> Message:
        message = unpack(await self.socket.recv())
        assert message["t"] == kind
        return message

    async def put(self, kind: str, **fields: Any) -> None:
        await self.socket.send(pack({"t": kind, **fields}, self.subprotocol))

    async def greet(self) -> None:
        hello = await self.get("hello")
        assert hello["token"] == TOKEN
        await self.put("welcome", protocol=1, server="test", at=0, account="robin", name="Robin")
        await self.put("ok", id=hello["id"])

    async def seat(self) -> Message:
        join = await self.get("join")
        await self.put("ok", id=join["id"], room=join["room"], seat=1, v=5)
        return join

    async def frame(self, v: int, **more: Any) -> None:
        await self.put("frame", room="r", v=v, tip=f"t{v}", at=v, **{"zones": {"table": v}, **more})


Talk = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def service(talk: Talk, **options: Any) -> AsyncIterator[str]:
    """Serve one talk a connection; give the address. Faults of a talk fail the test."""
    faults: list[BaseException] = []
    count = 0

    async def handler(socket: ServerConnection) -> None:
        nonlocal count
        count += 1
        try:
            await talk(Peer(socket, count))
        except AssertionError as fault:
            faults.append(fault)

    options = {"subprotocols": [MSGPACK, JSON], "compression": None, **options}
    async with serve(handler, "127.0.0.1", 0, **options) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/v1/ws"
    if faults:
        raise faults[0]


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_a_client_creates_joins_chooses_and_sees_what_is_new(subprotocol: str) -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        create = await peer.get("create")
        assert (create["game"], create["options"]) == ("probe", {"rounds": 2})
        await peer.put("ok", id=create["id"], room="r", code="QW")
        await peer.seat()
        await peer.frame(5, why="joined", prompt={"id": 3, "options": [{"id": "1"}]})
        choose = await peer.get("choose")
        assert (choose["room"], choose["prompt"], choose["picks"]) == ("r", 3, ["1"])
        await peer.put("ok", id=choose["id"], v=6)
        await peer.frame(6, events=[{"event": "played"}])
        await peer.socket.wait_closed()

    async with service(talk) as url, Client(url, token=TOKEN, subprotocol=subprotocol) as client:
        assert client.welcome["account"] == "robin"
        created = await client.create("probe", options={"rounds": 2})
        assert (created["room"], created["code"]) == ("r", "QW")
        assert await client.join("r") == 1
        seen = []
        async for update in client.updates("r"):
            seen.append((update.kind, update.message.get("v"), update.events))
            if update.room.question:
                assert (await client.choose("r", ["1"]))["v"] == 6
            if update.message.get("v") == 6:
                break
        assert seen[-1] == ("frame", 6, [{"event": "played"}])
        assert client.room("r").zones == {"table": 6}


async def test_a_choice_that_a_cut_left_unanswered_is_resent_as_it_was() -> None:
    choices: list[Message] = []

    async def talk(peer: Peer) -> None:
        await peer.greet()
        join = await peer.seat()
        if peer.number == 1:
            await peer.frame(5, why="joined", prompt={"id": 3})
            choices.append(await peer.get("choose"))
            await peer.socket.close(1011)
            return
        assert join["since"] == {"v": 5, "tip": "t5"}
        choices.append(await peer.get("choose"))
        await peer.put("ok", id=choices[-1]["id"], v=6)
        await peer.socket.wait_closed()

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        await client.join("r")
        await anext(client.updates("r"))
        assert (await client.choose("r", ["1"], prompt=3))["v"] == 6
    assert len(choices) == 2
    assert choices[0] == choices[1]


async def test_a_busy_room_is_asked_again_with_the_same_command() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        ping = await peer.get("ping")
        await peer.put("error", id=ping["id"], code="busy", message="", retryable=True, retry_after_ms=10)
        assert await peer.get("ping") == ping
        await peer.put("ok", id=ping["id"], at=77)
        await peer.socket.wait_closed()

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        assert (await client.ping())["at"] == 77


async def test_a_refusal_is_raised_with_code_and_details() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.frame(5, why="joined", prompt={"id": 3})
        choose = await peer.get("choose")
        assert choose["act"] == {"do": "pass"}
        details = {"code": "not_now", "rule": "PR-1"}
        await peer.put("error", id=choose["id"], code="refused", message="no", details=details)
        await peer.socket.wait_closed()

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        await client.join("r")
        await anext(client.updates("r"))
        with pytest.raises(CommandRefused, match="refused: no") as refusal:
            await client.spell("r", {"do": "pass"})
        assert refusal.value.details == {"code": "not_now", "rule": "PR-1"}


async def test_choosing_without_an_open_prompt_is_an_error_at_home() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.frame(5, why="joined")
        await peer.socket.wait_closed()

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        await client.join("r")
        with pytest.raises(ValueError, match="no prompt"):
            await client.choose("r", ["1"])
        with pytest.raises(ValueError, match="no prompt"):
            await client.spell("r", {"do": "pass"})


async def test_a_refused_greeting_is_raised_on_entering() -> None:
    async def talk(peer: Peer) -> None:
        hello = await peer.get("hello")
        await peer.put("error", id=hello["id"], code="unauthorized", message="expired")
        await peer.socket.wait_closed()

    async with service(talk) as url:
        with pytest.raises(ConnectionLost, match="unauthorized: expired"):
            async with Client(url, token=TOKEN):
                raise AssertionError("entered")


async def test_a_close_for_good_is_raised_wherever_somebody_waits() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.frame(5, why="joined")
        await peer.get("ping")
        await peer.socket.close(4401, "token expired")

    async def listen(client: Client) -> None:
        async for _ in client.updates("r"):
            pass

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        await client.join("r")
        listening = asyncio.create_task(listen(client))
        with pytest.raises(ConnectionLost, match="4401: token expired"):
            await client.ping()
        with pytest.raises(ConnectionLost, match="4401"):
            await listening
        with pytest.raises(ConnectionLost, match="4401"):
            await client.ping()
        with pytest.raises(ConnectionLost, match="4401"):
            await anext(client.updates("other"))


async def test_what_is_awaited_when_the_client_closes_is_raised() -> None:
    asked = asyncio.Event()

    async def talk(peer: Peer) -> None:
        await peer.greet()
        await peer.get("ping")
        asked.set()
        await peer.socket.wait_closed()

    async with service(talk) as url:
        async with Client(url, token=TOKEN) as client:
            ping = asyncio.create_task(client.ping())
            await asked.wait()
        with pytest.raises(ConnectionLost, match="closed by this client"):
            await ping


async def test_patience_ends_where_nobody_listens() -> None:
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ConnectionLost, match=r"no connection for 0\.5 s"):
            async with Client(url, patience_s=0.5):
                raise AssertionError("entered")


async def test_patience_ends_where_the_service_never_greets() -> None:
    async def talk(peer: Peer) -> None:
        await peer.socket.close(4513)

    async with service(talk) as url:
        with pytest.raises(ConnectionLost, match="the last closed with 4513"):
            async with Client(url, patience_s=0.5):
                raise AssertionError("entered")


@pytest.mark.parametrize(
    ("status", "match"), [(HTTPStatus.NOT_FOUND, "HTTP status 404"), (HTTPStatus.BAD_GATEWAY, "no connection")]
)
async def test_a_refused_upgrade_is_for_good_only_if_it_is_the_clients_fault(status: HTTPStatus, match: str) -> None:
    def refuse(socket: ServerConnection, _: Request) -> Response:
        return socket.respond(status, "no")

    async def talk(_: Peer) -> None:
        raise AssertionError("opened")

    async with service(talk, process_request=refuse) as url:
        with pytest.raises(ConnectionLost, match=match):
            async with Client(url, patience_s=0.1):
                raise AssertionError("entered")


async def test_a_server_without_the_subprotocol_is_left_for_good() -> None:
    async def talk(peer: Peer) -> None:
        await peer.socket.wait_closed()

    async with service(talk, subprotocols=None) as url:
        with pytest.raises(ConnectionLost, match="4406"):
            async with Client(url):
                raise AssertionError("entered")


async def test_bytes_that_make_no_sense_are_a_fault_and_not_a_silence() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        await peer.get("ping")
        await peer.socket.send(b"\xc1")
        await peer.socket.wait_closed()

    async with service(talk) as url:
        client = Client(url, token=TOKEN)
        await client.__aenter__()
        with pytest.raises(ConnectionLost, match="the client failed"):
            await client.ping()
        with pytest.raises(ValueError):
            await client.close()


async def test_updates_end_when_the_room_is_left_or_lost() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        await peer.seat()
        await peer.frame(5, why="joined")
        leave = await peer.get("leave")
        await peer.put("ok", id=leave["id"])
        await peer.seat()
        await peer.frame(8, why="joined")
        await peer.frame(10)
        rejoin = await peer.get("join")
        await peer.put("error", id=rejoin["id"], code="not_found", message="gone")
        await peer.socket.wait_closed()

    async def kinds(client: Client) -> list[str]:
        return [update.kind async for update in client.updates("r")]

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        await client.join("r")
        listening = asyncio.create_task(kinds(client))
        await client.leave("r")
        assert set(await listening) <= {"now", "frame"}
        await client.join("r")
        assert (await kinds(client))[-1] == "lost"


async def test_a_recorder_keeps_frames_over_a_cut() -> None:
    async def talk(peer: Peer) -> None:
        await peer.greet()
        if peer.number == 1:
            join = await peer.get("join")
            await peer.frame(5, why="joined")  # before the answer, as the protocol allows
            await peer.put("ok", id=join["id"], room="r", seat=1, v=5)
            await peer.socket.close(1012)
            return
        await peer.seat()
        await peer.frame(6)
        await peer.socket.wait_closed()

    out = io.StringIO()
    async with service(talk) as url, Client(url, token=TOKEN, recorder=Recorder(out)) as client:
        await client.join("r")
        async for update in client.updates("r"):
            if update.room.v == 6:
                break
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(line["room"], line["audience"], line["v"], line["tip"]) for line in lines] == [
        ("r", 1, 5, "t5"),
        ("r", 1, 6, "t6"),
    ]


async def test_the_other_commands_go_out_as_the_protocol_has_them() -> None:
    expected = [
        {"t": "ready", "room": "r", "entropy": bytes(16)},
        {"t": "say", "room": "r", "text": "hi"},
        {"t": "resign", "room": "r"},
        {"t": "ping", "room": "r"},
        {"t": "rematch", "room": "r"},
    ]

    async def talk(peer: Peer) -> None:
        await peer.greet()
        for command in expected:
            got = await peer.get(command["t"])  # type: ignore[arg-type]
            assert {name: value for name, value in got.items() if name != "id"} == command
            await peer.put("ok", id=got["id"], room="s")
        await peer.socket.wait_closed()

    async with service(talk) as url, Client(url, token=TOKEN) as client:
        await client.ready("r", entropy=bytes(16))
        await client.say("r", "hi")
        await client.resign("r")
        await client.ping("r")
        assert await client.rematch("r") == "s"
