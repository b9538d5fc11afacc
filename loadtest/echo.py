"""What the same bytes cost a bare uvicorn: an ASGI app that echoes, or broadcasts, and nothing else.

Owns the measure that a service is held against. Runs for a moment, on this machine, right after the load.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
import uvloop

from loadtest.line import Line

WARM_S, MEASURE_S = 0.5, 2.0
START_S = 15.0
MOST_SOCKETS = 200
Cores = Collection[int] | None
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class App:
    """Answers each message with itself; at /crowd it goes to all who are there. GET /cpu: seconds used so far."""

    def __init__(self) -> None:
        self._crowd: set[Send] = set()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            body = str(time.process_time()).encode()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": body})
        elif scope["type"] == "websocket":
            await self._socket(scope["path"] == "/crowd", receive, send)

    async def _socket(self, crowd: bool, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept", "subprotocol": "sanctum.v1.msgpack"})
        to = self._crowd if crowd else {send}
        to.add(send)
        try:
            while (message := await receive())["type"] == "websocket.receive":
                for each in tuple(to):
                    await each({"type": "websocket.send", "bytes": message["bytes"]})
        finally:
            to.discard(send)


def serve(descriptor: int) -> None:
    """Serve on a listening socket that was handed down."""
    uvicorn.run(
        App(), fd=descriptor, loop="uvloop", ws="websockets-sansio", ws_per_message_deflate=False, lifespan="off",
        log_level="error", access_log=False,
    )  # fmt: skip


def echo_cpu_us(payload: bytes, sockets: int, per_s: float | None, on: Cores = None) -> float | None:
    """Give the processor time of one echo. ``per_s``: the pace of all sockets together (None: as fast as it goes).

    ``on``: the cores that the bare server is to have (None: any).
    """
    with _server(on) as port:
        return uvloop.run(_measure(port, "/echo", payload, min(sockets, MOST_SOCKETS), per_s))


def broadcast_cpu_us(payload: bytes, sockets: int, on: Cores = None) -> float | None:
    """Give the processor time of one delivery of a broadcast to so many, one broadcast after the other."""
    with _server(on) as port:
        return uvloop.run(_measure(port, "/crowd", payload, sockets, None))


@contextmanager
def _server(on: Cores) -> Iterator[int]:
    """Run the bare server in a process of its own."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(2_048)
        command = [sys.executable, "-m", "loadtest.echo", str(listening.fileno())]
        server = subprocess.Popen(command, pass_fds=[listening.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603 - this very module
        try:
            if on is not None:
                os.sched_setaffinity(server.pid, on)
            yield listening.getsockname()[1]
        finally:
            server.terminate()
            server.wait()


async def _measure(port: int, path: str, payload: bytes, sockets: int, per_s: float | None) -> float | None:
    driver = _Driver(f"ws://127.0.0.1:{port}{path}", payload, sockets, per_s, crowd=path == "/crowd")
    async with httpx.AsyncClient(timeout=START_S) as http:

        async def cpu_s() -> float:
            return float((await http.get(f"http://127.0.0.1:{port}/cpu")).text)

        await cpu_s()  # it has started, then
        await driver.connect()
        await asyncio.sleep(WARM_S)
        before, done = await cpu_s(), driver.done
        await asyncio.sleep(MEASURE_S)
        after, done = await cpu_s(), driver.done - done
        driver.close()
    return round((after - before) / done * 1e6, 2) if done else None


class _Driver:
    """Keeps the bare server busy: each socket sends anew when its echo is here, or at its pace."""

    def __init__(self, url: str, payload: bytes, sockets: int, per_s: float | None, *, crowd: bool) -> None:
        self.done = 0
        self._payload, self._crowd, self._sockets = payload, crowd, sockets
        self._period_s = sockets / per_s if per_s else 0.0
        self._up = asyncio.Event()
        self._open = 0
        self._lines = [Line(url, self._opened, self._heard(at), lambda _: None) for at in range(sockets)]

    async def connect(self) -> None:
        for line in self._lines:
            await line.open()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._up.wait(), START_S)
        loop = asyncio.get_running_loop()
        for at, line in enumerate(self._lines[:1] if self._crowd else self._lines):
            loop.call_later(self._period_s * at / self._sockets, self._send, line)

    def close(self) -> None:
        for line in self._lines:
            line.cut()

    def _opened(self) -> None:
        self._open += 1
        if self._open == self._sockets:
            self._up.set()

    def _send(self, line: Line) -> None:
        if self._period_s:
            asyncio.get_running_loop().call_later(self._period_s, self._send, line)
        line.send(self._payload)

    def _heard(self, at: int) -> Callable[[bytes], None]:
        def heard(_: bytes) -> None:
            self.done += 1
            if self._crowd:
                if self.done % self._sockets == 0:
                    self._send(self._lines[0])
            elif not self._period_s:
                self._send(self._lines[at])

        return heard


if __name__ == "__main__":
    serve(int(sys.argv[1]))
