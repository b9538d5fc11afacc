"""A socket without a line: what it does when the service itself is at fault."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from server.address import Addresses
from server.desk import Desk
from server.gateway import Gateway
from server.limits import Limits
from server.metrics import Metrics
from server.session import Session
from server.settings import read_settings
from server.store.redis import Store
from tests.e2e.wire import HANDSHAKE, frame


class Line(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def abort(self) -> None: ...

    def close(self) -> None: ...


async def test_a_fault_of_the_service_ends_one_socket_and_is_logged(
    valkey: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await Store.open(valkey)
    settings, metrics = read_settings(), Metrics()
    limits = Limits(settings, store, metrics)
    parts: list[Any] = [None] * 4  # no command comes as far as the desk
    gateway = Gateway(settings, metrics, Desk(settings, metrics, *parts, limits), limits, Addresses(settings), set())  # type: ignore[call-arg]
    socket, line = gateway.make(server_state=type("State", (), {"connections": set()})()), Line()
    socket.connection_made(line)
    socket.data_received(HANDSHAKE.format("sanctum.v1.msgpack").encode())
    assert b" 101 " in line.written
    monkeypatch.setattr(Session, "receive", _raises)
    socket.data_received(frame(0x2, b"\x80"))
    assert (1011).to_bytes(2, "big") in line.written
    assert "socket_failed" in capsys.readouterr().out
    socket.connection_lost(None)
    assert not gateway.sockets
    await store.close()


def _raises(*_: object) -> Callable[[], None]:
    raise ZeroDivisionError
