"""A packet's bytes are those of a whole websocket message, as another implementation writes and reads them."""

from __future__ import annotations

import msgpack
import pytest
from websockets.frames import Frame, Opcode

from server.packet import Packet

SIZES = [0, 1, 100, 125, 126, 127, 65_535, 65_536, 70_000]


@pytest.mark.parametrize("size", SIZES)
def test_a_binary_message_of_any_size_has_the_head_of_the_standard(size: int) -> None:
    payload = bytes(size)
    assert Packet(payload).binary() == Frame(Opcode.BINARY, payload).serialize(mask=False)


@pytest.mark.parametrize("size", SIZES)
def test_a_text_message_of_any_size_has_the_head_of_the_standard(size: int) -> None:
    packet = Packet(msgpack.packb({"text": "x" * size}))
    text = f'{{"text":"{"x" * size}"}}'.encode()
    assert packet.text() == Frame(Opcode.TEXT, text).serialize(mask=False)
