"""Clients that mean harm: each is answered or closed as documented, the node lives, and others play on."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest

from protocol.errors import CLOSES, ERRORS
from tests.e2e.rig import PATIENCE_S, Message, Node, Raw, guest
from tests.e2e.wire import HANDSHAKE, LOST, Wire, frame, memory_kib, others_play_on
from tests.protocol.hostile import HOSTILE_JSON, HOSTILE_MSGPACK, LARGE_JSON, LARGE_MSGPACK

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """One node with its usual limits, on which everything here happens."""
    made = Node(None, {"commands_per_second": 20, "commands_burst": 60, "creates_per_minute": 60})
    yield made
    assert not [line for line in made.log() if line.get("event") in ("command_failed", "request_failed")]
    made.kill()


# ---- frames ----------------------------------------------------------------------------------------------------

FRAMES: dict[str, tuple[int, bytes]] = {
    "without a mask": (1002, frame(BINARY, b"\x80", mask=False)),
    "compressed, which nobody agreed on": (1002, frame(BINARY, b"\x80", rsv=4)),
    "with the second reserved bit": (1002, frame(BINARY, b"\x80", rsv=2)),
    "with the third reserved bit": (1002, frame(BINARY, b"\x80", rsv=1)),
    "of a reserved kind": (1002, frame(0x3, b"\x80")),
    "of a reserved control kind": (1002, frame(0xB)),
    "that goes on with nothing": (1002, frame(CONT, b"\x80")),
    "that begins in the middle of another": (1002, frame(BINARY, b"\x80", fin=False) + frame(BINARY, b"\x80")),
    "a ping in pieces": (1002, frame(PING, fin=False)),
    "a ping that is too long": (1002, frame(PING, b"x" * 126)),
    "a goodbye with a code that may not travel": (1002, frame(CLOSE, b"\x03\xed")),
    "a goodbye of one byte": (1002, frame(CLOSE, b"\x03")),
    "a goodbye": (1000, frame(CLOSE, b"\x03\xe8")),
    "a goodbye of a page that is left": (1001, frame(CLOSE, b"\x03\xe9")),
    "a byte too long": (1009, frame(BINARY, b"x" * 65_537)),
    "that announces eight exabytes": (1009, frame(BINARY, b"x", says=2**63 - 1)),
    "in pieces, too long together": (1009, frame(BINARY, b"x" * 40_000, fin=False) + frame(CONT, b"x" * 40_000)),
    "in too many pieces": (1009, frame(BINARY, b"\x80", fin=False) + frame(CONT, b"", fin=False) * 100),
    "text for bytes": (1003, frame(TEXT, b"{}")),
    "fifty pings and more at once": (4429, frame(PING, b"x") * 500),
    "pongs that nobody asked for": (4429, frame(PONG, b"x") * 500),
    "empty": (4400, frame(BINARY)),
}


async def test_frames_that_break_the_websocket_protocol_end_their_socket_and_no_other(node: Node) -> None:
    async with others_play_on(node):
        for name, (code, raw) in FRAMES.items():
            wire = await Wire.upgraded(node)
            wire.write(raw)
            assert (await wire.close_code(), name) == (code, name)
            assert code in CLOSES


async def test_text_that_is_not_utf_8_is_told_by_its_code(node: Node) -> None:
    wire = await Wire.upgraded(node, "sanctum.v1.json", hello=False)
    wire.write(frame(TEXT, b"\xff\xfe"))
    assert await wire.close_code() == 1007


async def test_compression_is_declined_so_that_nothing_small_can_become_large(node: Node) -> None:
    offers = (
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits, permessage-deflate; server_no_context_takeover",
        "x-webkit-deflate-frame",
    )
    for offer in offers:
        wire = await Wire.open(node)
        head = HANDSHAKE.format(f"sanctum.v1.msgpack\r\nSec-WebSocket-Extensions: {offer}")
        wire.write(head.encode())
        answer = await wire.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in answer
        assert b"extensions" not in answer.lower()
        await wire.cut()


@pytest.mark.parametrize(
    "origin",
    [
        "http://{host}.evil.example",
        "http://evil.example/{host}",
        "http://evil{host}",
        "http://{host}0",
        "null",
        "",
        "file://",
        "http://[::1",
        "{host}",
    ],
)
async def test_pages_of_elsewhere_are_turned_away_however_like_this_host_they_look(node: Node, origin: str) -> None:
    wire = await Wire.open(node)
    head = HANDSHAKE.format(f"sanctum.v1.msgpack\r\nOrigin: {origin.format(host=node.address)}\r\nCookie: a=b")
    wire.write(head.replace("Host: x", f"Host: {node.address}").encode())
    assert b" 101 " in await wire.reader.readuntil(b"\r\n\r\n")
    assert await wire.close_code() == 4403


async def test_a_message_that_never_ends_holds_no_more_than_one_may_have(node: Node) -> None:
    before = memory_kib(node)
    async with others_play_on(node):
        wires = [await Wire.upgraded(node) for _ in range(20)]
        for wire in wires:
            wire.write(frame(BINARY, b"x" * 60_000, fin=False))
            wire.write(frame(PING))
            opcode, _ = await asyncio.wait_for(wire.frame(), PATIENCE_S)
            assert opcode == PONG, "it is alive, and may go on"
        assert memory_kib(node) - before < 20 * 64 + 20_000
        for wire in wires:
            await wire.cut()


# ---- messages --------------------------------------------------------------------------------------------------


async def _verdict(wire: Wire, raw: bytes, opcode: int) -> Message | int:
    """Send one frame: the error that answers it, or the close code."""
    wire.write(frame(opcode, raw))
    try:
        while True:
            kind, payload = await asyncio.wait_for(wire.frame(), PATIENCE_S)
            if kind == CLOSE:
                return int.from_bytes(payload[:2], "big")
            message = msgpack.unpackb(payload) if kind == BINARY else json.loads(payload)
            if message["t"] == "error":
                return dict(message)
    except (asyncio.IncompleteReadError, ConnectionError):
        return LOST


@pytest.mark.parametrize(
    ("subprotocol", "opcode", "corpus"),
    [
        ("sanctum.v1.msgpack", BINARY, {**HOSTILE_MSGPACK, **LARGE_MSGPACK}),
        ("sanctum.v1.json", TEXT, {**HOSTILE_JSON, **LARGE_JSON}),
    ],
)
async def test_no_frame_however_made_does_more_than_get_an_error_or_end_its_socket(
    node: Node, subprotocol: str, opcode: int, corpus: dict[str, Any]
) -> None:
    before = memory_kib(node)
    async with others_play_on(node):
        for name, raw in corpus.items():
            wire = await Wire.upgraded(node, subprotocol, hello=False)
            sent = raw if isinstance(raw, bytes) else raw.encode(errors="surrogatepass")
            found = await _verdict(wire, sent, opcode)
            if isinstance(found, int):
                assert found in (1007, 1009, 4400), name
            else:
                assert found["code"] in ("bad_message", "unknown_type"), (name, found)
            await wire.cut()
    assert memory_kib(node) - before < 50_000


async def test_a_choice_that_is_far_too_long_is_refused_by_the_bounds_of_the_wire(node: Node) -> None:
    client = await Raw.open(node, guest(node))
    room = (await client.ask({"t": "create", "game": "probe"}))["room"]
    await client.ask({"t": "join", "room": room})
    await client.ask({"t": "ready", "room": room})
    choose = {"t": "choose", "room": room, "prompt": 1}
    for picks in (["1"] * 513, [2**53 - 1] * 513, [["1"]], [{"a": 1}]):
        assert (await client.ask(choose | {"picks": picks}))["code"] == "bad_message"
    for most in (["1"] * 512, ["x" * 100] * 512, [-(2**53) + 1] * 512, []):
        assert (await client.ask(choose | {"picks": most}))["code"] in ("refused", "stale_prompt")
    assert (await client.ask(choose | {"act": [{"do": "x" * 60_000}]}))["code"] in ("refused", "stale_prompt")
    assert (await client.ask({"t": "say", "room": room, "text": "x" * 501}))["code"] == "bad_message"
    await client.send(choose | {"picks": ["1"] * 10_000})
    assert (await client.closed())[0] == 4400


async def test_names_and_talk_reach_others_without_marks_that_hide_or_turn_around(node: Node) -> None:
    ann = await Raw.open(node, guest(node, "An\u202en\u0000\u200b"))
    room = (await ann.ask({"t": "create", "game": "probe"}))["room"]
    await ann.ask({"t": "join", "room": room})
    await ann.ask({"t": "say", "room": room, "text": "hi\u2066 there\u0007\nyou"})
    said = await ann.until(lambda message: message["t"] == "said")
    assert (said["name"], said["text"]) == ("Ann", "hi there you")
    assert ann.views[room]["zones"]["room"]["seats"][0]["name"] == "Ann"
    assert (await ann.ask({"t": "say", "room": room, "text": "\u202e\u0000"}))["code"] == "bad_message"
    assert node.http("POST", "/v1/guests", json={"name": "\u200b"}).status_code == 400
    await ann.close()


# ---- floods ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        {"t": "ping"},
        {"t": "join", "room": "nosuchroom"},
        {"t": "create", "game": "probe"},
        {"t": "say", "room": "nosuchroom", "text": "hello"},
        {"t": "dance"},
    ],
)
async def test_a_flood_of_commands_is_told_to_wait_and_then_ended(node: Node, command: Message) -> None:
    async with others_play_on(node):
        client = await Raw.open(node, guest(node))
        flood = b"".join(frame(BINARY, msgpack.packb({**command, "id": secrets.token_hex(8)})) for _ in range(2_000))
        client.socket.transport.write(flood)
        code, _ = await client.closed()
        assert code == 4429
        taken = [message for message in client.got if message["t"] == "ok"]
        assert len(taken) < 200, "the burst, and what flowed in meanwhile"
        told = {message["code"] for message in client.got if message["t"] == "error"}
        assert told <= {"rate_limited", "not_found", "not_joined", "unknown_type"}
        assert told <= set(ERRORS)


async def test_handshakes_that_lead_nowhere_hold_nobody_up(node: Node) -> None:
    async with others_play_on(node):
        silent = [await Wire.open(node) for _ in range(100)]
        halves = [await Wire.open(node) for _ in range(100)]
        for wire in halves:
            wire.write(HANDSHAKE[:60].encode())
        for _ in range(200):
            wire = await Wire.open(node)
            wire.write(HANDSHAKE.format("sanctum.v1.msgpack").encode())
            await wire.cut()
        for wire in (await Wire.upgraded(node), *silent, *halves):
            await wire.cut()


async def test_who_vanishes_while_it_joins_leaves_nobody_behind(node: Node) -> None:
    ann = await Raw.open(node, guest(node))
    room = (await ann.ask({"t": "create", "game": "probe"}))["room"]
    await ann.ask({"t": "join", "room": room, "role": "spectator"})
    join = frame(BINARY, msgpack.packb({"t": "join", "id": "j", "room": room, "role": "spectator"}))
    for n in range(60):
        wire = await Wire.upgraded(node)
        wire.write(join)
        await asyncio.sleep(n * 0.0001)
        await wire.cut()
    bob = await Raw.open(node)
    await bob.ask({"t": "join", "room": room, "role": "spectator"})
    await bob.until(lambda message: message["t"] == "presence" and message["spectators"] == 2)
    await ann.close()
    await bob.close()


# ---- HTTP ------------------------------------------------------------------------------------------------------

GET = b"GET /version HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /v1/guests HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
NO_MORE = b"\r\n0\r\n\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

REQUESTS: dict[str, tuple[bytes, bytes]] = {
    "two lengths": (b"400", POST + b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + SMUGGLED),
    "a length and chunks": (b"400", POST + b"Content-Length: 2\r\n" + CHUNKED + NO_MORE + SMUGGLED),
    "chunks and a length": (b"400", POST + CHUNKED + b"Content-Length: 2\r\n" + NO_MORE + SMUGGLED),
    "an encoding that is nearly chunked": (b"400", POST + CHUNKED.replace(b"ch", b"xch") + NO_MORE + SMUGGLED),
    "chunks that are not last": (b"400", POST + CHUNKED.replace(b"chunked", b"chunked, gzip") + NO_MORE + SMUGGLED),
    "a chunk of no size": (b"400", POST + CHUNKED + b"\r\nzz\r\n\r\n" + SMUGGLED),
    "a chunk of a giant size": (b"400", POST + CHUNKED + b"\r\n" + b"f" * 40 + b"\r\n"),
    "a negative length": (b"400", POST + b"Content-Length: -1\r\n\r\n" + SMUGGLED),
    "a length with a sign": (b"400", POST + b"Content-Length: +2\r\n\r\n{}" + SMUGGLED),
    "a length beyond all numbers": (b"400", POST + b"Content-Length: 99999999999999999999999\r\n\r\n"),
    "a blank before the colon": (b"400", GET + b"Content-Length : 5\r\n\r\nhello" + SMUGGLED),
    "a header without a name": (b"400", GET + b": x\r\n\r\n"),
    "a zero in a header": (b"400", GET + b"X: a\0b\r\n\r\n"),
    "no HTTP": (b"400", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 32),
    "another version": (b"400", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "a giant header": (b"431", GET + b"X: " + b"x" * 100_000),
    "a giant header that ends": (b"431", GET + b"X: " + b"x" * 100_000 + b"\r\n\r\n"),
    "very many headers": (b"431", GET + b"X: x\r\n" * 20_000),
    "a giant address": (b"431", b"GET /" + b"x" * 100_000),
    "a giant body": (b"400", POST + b"Content-Length: 70000\r\nConnection: close\r\n\r\n" + b"x" * 70_000),
    "a body that is no JSON": (b"400", POST + b"Content-Length: 2\r\nConnection: close\r\n\r\n[["),
    "an unheard-of method": (b"405", b"TRACE /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    "an address outside": (b"404", b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    "a handshake without a key": (
        b"400", GET.replace(b"/version", b"/v1/ws") + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ),
    "a handshake of another version": (
        b"400", HANDSHAKE.format("sanctum.v1.msgpack").replace("Version: 13", "Version: 12").encode(),
    ),
    "a giant handshake": (b"431", HANDSHAKE.format("x" * 100_000).encode()),
}  # fmt: skip


async def test_requests_that_two_readers_would_read_differently_are_refused_whole(node: Node) -> None:
    async with others_play_on(node):
        for name, (status, raw) in REQUESTS.items():
            wire = await Wire.open(node)
            wire.write(raw)
            got = await wire.rest()
            assert (got.split(b" ", 2)[1:2], name) == ([status], name), got
            assert b'"ok"' not in got, f"{name}: what was hidden behind it was answered"


async def _pour(wire: Wire) -> None:
    """Send trailers, 40 MB of them."""
    for _ in range(2_000):
        wire.write(b"X: " + b"x" * 20_000 + b"\r\n")
        await asyncio.wait_for(wire.writer.drain(), PATIENCE_S)
        await asyncio.sleep(0.001)


async def test_requests_piled_on_one_line_and_bodies_without_end_are_cut_off(node: Node) -> None:
    before = memory_kib(node)
    async with others_play_on(node):
        piled = await Wire.open(node)
        piled.write((GET + b"\r\n") * 500)
        answers = (await piled.rest()).count(b"HTTP/1.1 ")
        assert 1 <= answers < 50
        endless = await Wire.open(node)
        endless.write(POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
        with pytest.raises(ConnectionError):
            await _pour(endless)
        await endless.cut()
    assert memory_kib(node) - before < 30_000
