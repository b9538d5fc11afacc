"""One message for many sockets: made into websocket bytes once for each subprotocol, then only written.

RFC 6455 section 5.2: a server's frames are not masked; one unfragmented frame is one message.
"""

from __future__ import annotations

from websockets.frames import Opcode

from protocol.codec import encode_json


class Packet:
    """A message in msgpack, and the websocket bytes that carry it.

    ``room``: whose frame it is, if it is one. ``spare``: what it is where a slow reader can do without it: a newer
    one of that name takes its place ("": nothing does).
    """

    __slots__ = ("_binary", "_text", "payload", "room", "spare")

    def __init__(self, payload: bytes, room: str | None = None, spare: str | None = None) -> None:
        self.payload = payload
        self.room = room
        self.spare = spare
        self._binary: bytes | None = None
        self._text: bytes | None = None

    def binary(self) -> bytes:
        """Give the websocket bytes for msgpack sockets."""
        if self._binary is None:
            self._binary = _framed(Opcode.BINARY, self.payload)
        return self._binary

    def text(self) -> bytes:
        """Give the websocket bytes for JSON sockets."""
        if self._text is None:
            self._text = _framed(Opcode.TEXT, encode_json(self.payload).encode())
        return self._text


def _framed(opcode: Opcode, payload: bytes) -> bytes:
    """Put the head of a whole message before it: RFC 6455, 5.2, with the final bit and without a mask."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | opcode, size)) + payload
    if size < 1 << 16:
        return bytes((0x80 | opcode, 126)) + size.to_bytes(2, "big") + payload
    return bytes((0x80 | opcode, 127)) + size.to_bytes(8, "big") + payload
