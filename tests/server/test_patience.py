"""Each wait of an HTTP connection has an end, and one address has only so many connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from server import patience
from server.address import Addresses
from server.limits import Limits
from server.metrics import Metrics
from server.patience import Entrance, PatientHttp
from server.settings import read_settings
from server.store.redis import Store

LARGE = 40 * 1024 * 1024
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _answer(
    scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    if scope["path"] == "/read":
        while (await receive()).get("more_body"):
            pass
    body = b"x" * LARGE if scope["path"] == "/large" else b"ok"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def line(monkeypatch: pytest.MonkeyPatch, valkey: str) -> AsyncIterator[Callable[[], Awaitable[Line]]]:
    """Open lines to a server of little patience, to which this machine is an address like any other."""
    for wait in ("HEAD_S", "BODY_S", "ANSWER_S"):
        monkeypatch.setattr(patience, wait, 0.3)
    settings = read_settings(exempt_addresses="none", sockets_per_address=3)
    store = await Store.open(valkey)
    entrance = Entrance(Addresses(settings), Limits(settings, store, Metrics()), 5)
    state, config = ServerState(), uvicorn.Config(_answer, log_config=None, access_log=False, lifespan="off")  # type: ignore[arg-type]
    server = await asyncio.get_running_loop().create_server(
        lambda: PatientHttp(entrance, config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    opened: list[asyncio.StreamWriter] = []

    async def open_line() -> Line:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), limit=4_096)
        opened.append(writer)
        return reader, writer

    yield open_line
    for writer in opened:
        writer.transport.abort()
    server.close()
    await store.close()


async def _end(reader: asyncio.StreamReader) -> bytes:
    got = b""
    try:
        async with asyncio.timeout(20):
            while part := await reader.read(65_536):
                got += part
    except ConnectionError:
        pass
    return got


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf",
    ],
)
async def test_who_does_not_finish_a_request_is_cut_off(line: Callable[[], Awaitable[Line]], sent: bytes) -> None:
    reader, writer = await line()
    writer.write(sent)
    await _end(reader)


async def test_who_only_sends_blank_lines_between_requests_is_cut_off(line: Callable[[], Awaitable[Line]]) -> None:
    reader, writer = await line()
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n\r\n\r\n")
    assert b" 200 " in await _end(reader)


async def test_who_does_not_take_its_answer_is_cut_off(line: Callable[[], Awaitable[Line]]) -> None:
    reader, writer = await line()
    writer.write(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
    await asyncio.sleep(1)
    assert len(await _end(reader)) < LARGE


async def test_an_address_has_so_many_lines_and_gets_more_when_one_is_closed(
    line: Callable[[], Awaitable[Line]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "HEAD_S", 20)
    lines = [await line() for _ in range(3)]
    reader, _ = await line()
    assert b" 503 " in await _end(reader)
    for _, writer in lines:
        writer.close()
        await writer.wait_closed()
    async with asyncio.timeout(20):
        while True:
            reader, writer = await line()
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            if b" 200 " in await _end(reader):
                break
