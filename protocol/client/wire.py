"""The client's own encoding of messages, in both subprotocols. Independent of the server's codec on purpose."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgpack

from protocol.client.room import Message

MSGPACK = "sanctum.v1.msgpack"
JSON = "sanctum.v1.json"
FRAME_BYTES = 64 * 1024


def pack(message: Message, subprotocol: str) -> bytes | str:
    """Encode one command. Bytes become base64 text in JSON."""
    if subprotocol == MSGPACK:
        packed: bytes = msgpack.packb(message)
        return packed
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, default=_text)


def unpack(raw: bytes | str) -> Message:
    """Decode one message of the server: text is JSON, bytes are msgpack."""
    message: Message = json.loads(raw) if isinstance(raw, str) else msgpack.unpackb(raw)
    return message


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"a {type(value).__name__} cannot travel")
