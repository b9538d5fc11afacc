"""Golden wire vectors: make them (``python -m tests.protocol.vectors``) and read them.

Each has the bytes in hex, the JSON text, and the value as plain JSON (bytes as base64).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from protocol.codec import JSON, MSGPACK, encode
from protocol.errors import BadMessage
from tests.protocol.hostile import HOSTILE_JSON, HOSTILE_MSGPACK, verdict
from tests.protocol.samples import COMMANDS, MESSAGES

FOLDER = Path(__file__).with_name("vectors")


def made() -> dict[str, Any]:
    """Make all vectors from the samples, by file name."""
    return {
        "commands.json": [_vector(name, command) for name, command in COMMANDS.items()],
        "messages.json": [_vector(name, message) for name, message in MESSAGES.items()],
        "refused-msgpack.json": [
            {"name": name, "hex": raw.hex(), **_refusal(raw, MSGPACK)} for name, raw in HOSTILE_MSGPACK.items()
        ],
        "refused-json.json": [
            {"name": name, "text": text, **_refusal(text, JSON)} for name, text in HOSTILE_JSON.items()
        ],
    }


def read(name: str) -> Any:
    """Read one file of vectors as it is kept."""
    return json.loads((FOLDER / name).read_text())


def _vector(name: str, message: Any) -> dict[str, Any]:
    packed, text = encode(message, MSGPACK), encode(message, JSON)
    assert isinstance(packed, bytes)
    assert isinstance(text, str)
    return {"name": name, "hex": packed.hex(), "text": text, "value": json.loads(text)}


def _refusal(raw: bytes | str, subprotocol: str) -> dict[str, Any]:
    refusal = verdict(raw, subprotocol)
    assert isinstance(refusal, BadMessage)
    return {"code": refusal.code, "where": refusal.where, "id": refusal.command, "fatal": refusal.fatal}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, vectors in made().items():
        (FOLDER / name).write_text(json.dumps(vectors, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
