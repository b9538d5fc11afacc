"""A socket on a line that only keeps what is written: silence, floods that nobody reads, faults of the service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from server.address import Addresses
from server.auth import Tokens
from server.desk import Desk
from server.fanout import Fanout
from server.gateway import Gateway, Socket
from server.limits import Limits
from server.metrics import Metrics
from server.presence import Attendance
from server.rooms import Rooms
from server.rulesets import Rulesets
from server.session import Session
from server.settings import read_settings
from server.store.redis import Store
from tests.e2e.wire import HANDSHAKE, frame


class Line(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.aborted = False

    def write(self, data: Any) -> None:
        self.written += data

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None: ...


def _connected(gateway: Gateway) -> tuple[Socket, Line]:
    socket, line = gateway.make(server_state=type("State", (), {"connections": set()})()), Line()
    socket.connection_made(line)
    socket.data_received(HANDSHAKE.format("sanctum.v1.msgpack").encode())
    assert b" 101 " in line.written
    return socket, line


@pytest.fixture
async def gateway(valkey: str) -> AsyncIterator[Gateway]:
    """A gateway whose desk no command ever reaches."""
    store = await Store.open(valkey)
    settings, metrics = read_settings(), Metrics()
    limits, rooms = Limits(settings, store, metrics), Rooms(store, Rulesets(store), metrics)
    fanout = Fanout(store, rooms, metrics)
    presence = Attendance(store, rooms, fanout)
    desk = Desk(settings, metrics, Tokens(settings, b"s" * 32), rooms, fanout, presence, limits)
    yield Gateway(settings, metrics, desk, limits, Addresses(settings), set())
    await store.close()


async def test_a_line_that_says_nothing_and_answers_no_ping_is_given_up(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.gateway.PING_S", 0.05)
    silent, talking = [_connected(gateway) for _ in range(2)]
    for socket, _ in (silent, talking):
        socket.session.opened = True
        socket._no_hello()
    async with asyncio.timeout(20):
        while not silent[1].aborted:
            talking[0].data_received(frame(0xA))
            await asyncio.sleep(0.01)
    assert not talking[1].aborted
    for socket, _ in (silent, talking):
        socket.connection_lost(None)


async def test_pongs_for_a_reader_that_does_not_read_wait_within_a_bound(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.gateway.CONTROL_BURST", 1_000_000)
    socket, line = _connected(gateway)
    socket.pause_writing()
    before = len(line.written)
    for _ in range(3_000):
        socket.data_received(frame(0x9, b"x" * 125))
    assert line.aborted
    assert len(line.written) == before
    socket.connection_lost(None)


async def test_a_fault_of_the_service_ends_one_socket_and_is_logged(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    socket, line = _connected(gateway)
    monkeypatch.setattr(Session, "receive", _raises)
    socket.data_received(frame(0x2, b"\x80"))
    assert (1011).to_bytes(2, "big") in line.written
    assert "socket_failed" in capsys.readouterr().out
    socket.connection_lost(None)
    assert not gateway.sockets


def _raises(*_: object) -> Callable[[], None]:
    raise ZeroDivisionError
