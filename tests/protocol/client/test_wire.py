"""The client's codec and the server's say the same."""

from __future__ import annotations

import pytest

from protocol import codec
from protocol.client import wire
from protocol.messages import FRAME_BYTES, SUBPROTOCOLS, Ended, Ready


def test_names_and_bounds_are_those_of_the_protocol() -> None:
    assert (wire.MSGPACK, wire.JSON) == SUBPROTOCOLS
    assert wire.FRAME_BYTES == FRAME_BYTES


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_the_server_reads_what_the_client_wrote(subprotocol: str) -> None:
    packed = wire.pack({"t": "ready", "id": "1", "room": "r", "entropy": bytes(range(16))}, subprotocol)
    assert codec.decode_command(packed, subprotocol) == Ready("1", "r", entropy=bytes(range(16)))


def test_the_client_reads_what_the_server_wrote() -> None:
    ended = Ended("r", 1, "finished", "points", seed=b"\x00\xff")
    assert wire.unpack(codec.encode(ended, wire.MSGPACK))["seed"] == b"\x00\xff"
    assert wire.unpack(codec.encode(ended, wire.JSON))["seed"] == "AP8="


def test_what_json_cannot_say_is_an_error_at_home() -> None:
    with pytest.raises(TypeError, match="set"):
        wire.pack({"t": "say", "text": {1}}, wire.JSON)
