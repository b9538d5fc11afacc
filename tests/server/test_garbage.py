"""What a socket leaves behind is gone when it is dropped, and what is there for long is seldom looked through."""

from __future__ import annotations

import asyncio
import gc
import socket
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import httpx
import msgpack
import pytest
from websockets.asyncio.client import connect
from websockets.server import ServerProtocol

from server.app import run
from server.garbage import AGAIN_S, FEW_ROOMS, LONG_S, Garbage
from server.gateway import Socket
from server.patience import PatientHttp
from server.settings import read_settings

CLIENTS = 20


@pytest.fixture
def no_collection(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nothing be collected: only what is gone at once is gone."""
    monkeypatch.setattr(Garbage, "rest", lambda *_: None)
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _there() -> Counter[str]:
    kinds = (Socket, PatientHttp, ServerProtocol)
    return Counter(type(each).__name__ for each in gc.get_objects() if type(each) in kinds)


async def _come_and_go(port: int, ends: int) -> None:
    """Connect, say hello, and leave: with a goodbye, with a cut, or as a browser that asks for a list."""
    url = f"127.0.0.1:{port}"
    if ends == 0:
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"http://{url}/v1/games")).status_code == 200
        return
    async with connect(f"ws://{url}/v1/ws", subprotocols=["sanctum.v1.msgpack"]) as line:  # type: ignore[list-item]
        await line.send(msgpack.packb({"t": "hello", "id": "h", "protocol": [1]}))
        assert msgpack.unpackb(await line.recv())["t"] == "welcome"  # type: ignore[arg-type]
        if ends == 1:
            line.transport.abort()


@pytest.mark.usefixtures("no_collection")
async def test_connections_that_have_ended_are_gone_without_a_collection(valkey: str) -> None:
    door = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(run(read_settings(), b"s" * 32, valkey, [door]))
    try:
        port = door.getsockname()[1]
        await _come_and_go(port, 2)
        await asyncio.gather(*(_come_and_go(port, ends) for ends in (0, 1, 2) for _ in range(CLIENTS)))
        async with asyncio.timeout(20):
            while _there():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0.05)
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


class _Circle:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(
    ("rooms", "growth", "after_s"),
    [(FEW_ROOMS, 1, AGAIN_S), (FEW_ROOMS + 1, 2.1, AGAIN_S), (FEW_ROOMS + 1, 1.9, LONG_S)],
    ids=["few rooms", "memory has doubled", "hours"],
)
def test_a_circle_is_found_where_there_is_little_to_look_through_or_too_much_or_after_hours(
    rooms: int, growth: float, after_s: float
) -> None:
    now_s, blocks = [0.0], [1_000_000]
    garbage = Garbage(lambda: now_s[0], lambda: blocks[0])
    circle = _Circle()
    garbage.rest(rooms)
    blocks[0] = round(growth * blocks[0])
    there = weakref.ref(circle)
    del circle
    for second in (1, after_s - 1):
        now_s[0] = second
        garbage.rest(rooms)
        gc.collect()
        assert there() is not None
    now_s[0] = after_s
    garbage.rest(rooms)
    assert there() is None
