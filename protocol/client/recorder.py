"""Keeps the bytes of every frame that a client got, for ``sanctum replay verify --seen``.

One JSON object a line: room, audience ("public" or a seat), v, tip, the frame's bytes in base64, and whether
those are msgpack or JSON text.
"""

from __future__ import annotations

import base64
import json
from typing import IO, Any, Literal

from protocol.client.room import Message

Audience = int | Literal["public"]


class Recorder:
    """Writes frames to ``out``, a text file. A room's lines wait until its audience is known."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._audiences: dict[str, Audience] = {}
        self._waiting: dict[str, list[dict[str, Any]]] = {}

    def keep(self, frame: Message, raw: bytes | str) -> None:
        """Keep one frame as it came, doubles too."""
        encoding, content = ("json", raw.encode()) if isinstance(raw, str) else ("msgpack", raw)
        line = {"v": frame["v"], "tip": frame["tip"], "encoding": encoding, "frame": base64.b64encode(content).decode()}
        room_id = frame["room"]
        if room_id in self._audiences:
            self._write(room_id, line)
        else:
            self._waiting.setdefault(room_id, []).append(line)

    def joined(self, room_id: str, audience: Audience) -> None:
        """The answer to ``join`` is here: it says whose frames these are."""
        self._audiences[room_id] = audience
        for line in self._waiting.pop(room_id, []):
            self._write(room_id, line)

    def _write(self, room_id: str, line: dict[str, Any]) -> None:
        record = {"room": room_id, "audience": self._audiences[room_id], **line}
        self._out.write(json.dumps(record, separators=(",", ":")) + "\n")
