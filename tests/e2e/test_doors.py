"""Who is let in: handshakes, hellos, tokens, private rooms, limits; and how a socket or a node ends."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import jwt
import msgpack
import pytest
from websockets.asyncio.client import connect as websocket
from websockets.exceptions import ConnectionClosed

from protocol.errors import CLOSES
from server.patience import HEAD_S
from tests.e2e.rig import PATIENCE_S, SECRET, Node, Raw
from tests.e2e.wire import narrow_line

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def _close_code(url: str, *sent: bytes | str, **options: Any) -> int | None:
    options = {"subprotocols": ["sanctum.v1.msgpack"], **options}
    async with websocket(url, compression=None, **options) as socket:
        try:
            for frame in sent:
                await socket.send(frame)
            async with asyncio.timeout(15):
                while True:
                    await socket.recv()
        except ConnectionClosed:
            assert socket.close_code in CLOSES
            return socket.close_code


@pytest.mark.parametrize(
    ("code", "sent", "options"),
    [
        (4403, [], {"origin": "https://evil.example"}),
        (4403, [], {"origin": "null"}),
        (4406, [], {"subprotocols": ["sanctum.v9.msgpack"]}),
        (4401, [msgpack.packb({"t": "hello", "id": "1", "token": "no.such.token"})], {}),
        (4406, [msgpack.packb({"t": "hello", "id": "1", "protocol": [99]})], {}),
        (4400, [b"\xc1"], {}),
        (4400, [b"\xdd\xff\xff\xff\xff"], {}),
        (1003, ["{}"], {}),
        (1009, [b"x" * 70_000], {}),
        (4408, [], {}),
    ],
)
async def test_a_socket_that_is_not_let_in_learns_why_by_its_close_code(
    start: Callable[..., Node], code: int, sent: list[bytes | str], options: dict[str, Any]
) -> None:
    node = start(hello_s=2)
    assert await _close_code(node.ws, *sent, **options) == code


async def test_the_hosts_own_pages_and_allowed_origins_are_let_in(start: Callable[..., Node], connect: Connect) -> None:
    node = start(origins="https://play.example")
    for origin in ("https://play.example", f"http://{node.address}"):
        assert (await (await connect(node, origin=origin)).ask({"t": "ping"}))["t"] == "ok"


async def test_a_wrong_address_is_told_by_a_close_code(start: Callable[..., Node]) -> None:
    node = start()
    for path in ("/elsewhere", "//v1/ws", "/v1/ws/", "/v1/ws%2f", "/[v1/ws"):
        assert await _close_code(node.ws.replace("/v1/ws", path)) == 4404


async def test_the_first_message_is_hello(start: Callable[..., Node], connect: Connect) -> None:
    client = await connect(start(), hello=False)
    assert (await client.ask({"t": "ping"}))["code"] == "hello_first"
    assert (await client.ask({"t": "hello"}))["t"] == "ok"
    assert (await client.ask({"t": "ping"}))["t"] == "ok"


async def test_an_unknown_type_is_answered_and_the_socket_stays_open(
    start: Callable[..., Node], connect: Connect
) -> None:
    client = await connect(start())
    refused = await client.ask({"t": "dance"})
    assert refused["code"] == "unknown_type"
    assert (await client.ask({"t": "ping", "unheard_of": 1}))["t"] == "ok"


async def test_json_sockets_get_the_same_messages_as_text(
    start: Callable[..., Node], account: Account, connect: Connect
) -> None:
    node = start()
    token = account(node, "Ann")
    ann = await connect(node, token)
    room = (await ann.ask({"t": "create", "game": "probe"}))["room"]
    await ann.ask({"t": "join", "room": room})
    async with websocket(node.ws, subprotocols=["sanctum.v1.json"]) as socket:
        await socket.send(json.dumps({"t": "hello", "id": "1", "token": token}))
        await socket.send(json.dumps({"t": "join", "id": "2", "room": room}))
        async with asyncio.timeout(PATIENCE_S):
            got = [json.loads(await socket.recv()) for _ in range(5)]
    assert [message["t"] for message in got] == ["welcome", "ok", "frame", "presence", "ok"]
    assert got[2] == msgpack.unpackb(ann.frames[room][0])


async def test_without_a_token_one_may_watch_public_rooms_and_nothing_else(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    node = start()
    ann = await connect(node, account(node, "Ann"))
    public = (await ann.ask({"t": "create", "game": "probe"}))["room"]
    private = (await ann.ask({"t": "create", "game": "probe", "room": {"private": True}}))["room"]
    nobody = await connect(node)
    assert (await nobody.ask({"t": "join", "room": public, "role": "spectator"}))["t"] == "ok"
    assert (await nobody.ask({"t": "join", "room": public}))["code"] == "unauthorized"
    assert (await nobody.ask({"t": "create", "game": "probe"}))["code"] == "unauthorized"
    assert (await nobody.ask({"t": "join", "room": private, "role": "spectator"}))["code"] == "not_found"


async def test_private_missing_and_wrong_code_look_alike(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    node = start()
    ann, bob = [await connect(node, account(node, name)) for name in ("Ann", "Bob")]
    made = await ann.ask({"t": "create", "game": "disciple", "room": {"private": True}})
    answers = [
        await bob.ask({"t": "join", "id": "same", "room": room, "code": code, "role": role})
        for room, code in ((made["room"], "wrongone"), (made["room"], None), ("nosuchroom", made["code"]))
        for role in ("player", "spectator")
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["code"] == "not_found"
    codes = ((made["room"], "wrongone"), ("nosuchroom", "wrongone"))
    for kind in ("rooms", "replays"):
        pages = [node.http("GET", f"/v1/{kind}/{room}?code={code}") for room, code in codes]
        assert [page.status_code for page in pages] == [404, 404]
    assert made["room"] not in node.http("GET", "/v1/rooms").text
    for kind in ("leave", "say", "ready", "resign", "rematch"):
        command = {"t": kind, "id": kind, **({"text": "?"} if kind == "say" else {})}
        told = [await bob.ask({**command, "room": room}) for room in (made["room"], "nosuchroom")]
        assert {key: told[0][key] for key in told[0] if key != "room"} == {
            key: told[1][key] for key in told[1] if key != "room"
        }
    watch = {"t": "join", "room": made["room"], "role": "spectator"}
    assert (await bob.ask(watch))["code"] == "not_found"
    assert (await bob.ask({**watch, "code": made["code"]}))["v"] == 1
    assert (await (await connect(node)).ask({**watch, "code": made["code"]}))["code"] == "not_found"
    assert (await bob.ask({"t": "join", "room": made["room"], "code": made["code"]}))["seat"] == 0


async def test_a_seat_belongs_to_its_account_on_every_socket(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    tokens = [account(two[0], name) for name in ("Ann", "Bob")]
    ann, bob = [await connect(node, token) for node, token in zip(two, tokens, strict=True)]
    room = (await ann.ask({"t": "create", "game": "disciple"}))["room"]
    assert (await ann.ask({"t": "join", "room": room, "seat": 1}))["seat"] == 1
    assert (await bob.ask({"t": "join", "room": room, "seat": 1}))["code"] == "seat_taken"
    again = await connect(two[1], tokens[0])
    assert (await again.ask({"t": "join", "room": room}))["seat"] == 1
    assert (await bob.ask({"t": "ready", "room": room}))["code"] == "not_seated"


async def test_an_expired_token_is_refused_and_a_foreign_one_cannot_take_a_socket_over(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    node = start()
    old = jwt.encode({"sub": "x", "name": "X", "exp": int(time.time()) - 3_600}, SECRET, "HS256")
    client = await connect(node, hello=False)
    refused = await client.ask({"t": "hello", "token": old})
    assert (refused["code"], refused["details"]["reason"]) == ("unauthorized", "expired")
    assert old not in json.dumps(node.log())
    ann = await connect(node, account(node, "Ann"))
    assert (await ann.ask({"t": "hello", "token": account(node, "Bob")}))["code"] == "forbidden"
    assert (await ann.ask({"t": "create", "game": "probe"}))["t"] == "ok"


async def test_every_fault_of_a_deck_and_of_options_is_named(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    node = start()
    ann = await connect(node, account(node, "Ann"))
    room = (await ann.ask({"t": "create", "game": "disciple"}))["room"]
    deck = [{"card": "no_such_card", "count": 30}, {"card": "agnes_of_rome", "count": 0}]
    refused = await ann.ask({"t": "join", "room": room, "deck": deck})
    assert refused["code"] == "bad_deck"
    assert {fault["code"] for fault in refused["details"]["faults"]} >= {"E_DECK_UNKNOWN_CARD", "E_DECK_BAD_COUNT"}
    assert (await ann.ask({"t": "join", "room": room, "deck": "no such deck"}))["code"] == "bad_deck"
    options = {"turn_limit": -1, "reaction_window": "perhaps", "unheard_of": 1}
    refused = await ann.ask({"t": "create", "game": "disciple", "options": options})
    assert [fault["where"] for fault in refused["details"]["faults"]] == sorted(options)


async def test_too_many_commands_at_once_are_told_to_wait(start: Callable[..., Node], connect: Connect) -> None:
    client: Raw = await connect(start(commands_per_second=5, commands_burst=5))
    answers = [await client.ask({"t": "ping"}) for _ in range(10)]
    late = [answer for answer in answers if answer["t"] == "error"]
    assert late
    assert all(answer["code"] == "rate_limited" and answer["retryable"] for answer in late)
    await asyncio.sleep(late[-1]["retry_after_ms"] / 1000 + 0.05)
    assert (await client.ask({"t": "ping"}))["t"] == "ok"


async def _drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"X-Slow: 1\r\n")
        await writer.drain()
        await asyncio.sleep(0.5)
        if reader.at_eof():
            raise ConnectionResetError


async def test_who_drips_the_head_of_a_request_is_cut_off(start: Callable[..., Node]) -> None:
    host, _, port = start().address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /v1/ws HTTP/1.1\r\nHost: x\r\n")
    with pytest.raises(ConnectionResetError):
        await asyncio.wait_for(_drip(reader, writer), HEAD_S + PATIENCE_S)
    writer.transport.abort()
    await asyncio.sleep(0)


async def test_a_stopping_node_says_so_closes_with_1012_and_ends_with_0(
    start: Callable[..., Node], connect: Connect
) -> None:
    node = start()
    polite: Raw = await connect(node)
    deaf = await websocket(node.ws, subprotocols=["sanctum.v1.msgpack"])
    deaf.transport.pause_reading()
    node.process.terminate()
    assert (await polite.until(lambda message: message["t"] == "draining"))["retry_after_ms"] > 0
    assert await polite.closed() == (1012, "service restarts")
    assert node.process.wait(timeout=20) == 0
    deaf.transport.abort()


async def test_a_watcher_that_did_not_read_gets_a_snapshot_that_says_slow_and_others_play_on(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    node = start(outbox_kib=64, rooms_per_socket=64)
    ann: Raw = await connect(node, account(node, "Ann"))
    options = {"plan": ["number"], "laps": 100, "target": 1_000}
    rooms = []
    slow: Raw = await connect(node, sock=narrow_line(node))
    for _ in range(20):
        room = (await ann.ask({"t": "create", "game": "probe", "options": options}))["room"]
        await ann.ask({"t": "join", "room": room})
        await slow.ask({"t": "join", "room": room, "role": "spectator"})
        rooms.append(room)
    slow.socket.transport.pause_reading()
    for room in rooms:
        await ann.ask({"t": "ready", "room": room})
        for _ in range(100):
            view = await ann.view(room, lambda view: view["prompt"] is not None)
            done = await ann.ask({"t": "choose", "room": room, "prompt": view["prompt"]["id"], "picks": [5]})
            await ann.view(room, lambda view, v=done["v"]: view["v"] >= v)
    slow.socket.transport.resume_reading()
    for room in rooms:
        fresh: Raw = await connect(node)
        await fresh.ask({"t": "join", "room": room, "role": "spectator"})
        view = await slow.view(room, lambda view: "result" in view["zones"]["room"])
        assert view["zones"] == fresh.views[room]["zones"]
    assert "slow" in {message.get("why") for message in slow.got if message["t"] == "frame"}
