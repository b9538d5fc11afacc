"""Keeping what was seen."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

from protocol.client.recorder import Recorder


def recorded(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def frame(room: str, v: int) -> dict[str, Any]:
    return {"t": "frame", "room": room, "v": v, "tip": f"t{v}"}


def test_a_line_names_the_frame_and_has_its_very_bytes() -> None:
    recorder = Recorder(out := io.StringIO())
    recorder.joined("r", 2)
    recorder.keep(frame("r", 7), b"\x81\xff")
    recorder.keep(frame("r", 8), '{"ü":1}')
    assert recorded(out) == [
        {"room": "r", "audience": 2, "v": 7, "tip": "t7", "encoding": "msgpack", "frame": "gf8="},
        {
            "room": "r",
            "audience": 2,
            "v": 8,
            "tip": "t8",
            "encoding": "json",
            "frame": base64.b64encode('{"ü":1}'.encode()).decode(),
        },
    ]


def test_frames_that_come_before_the_answer_to_join_wait_for_it() -> None:
    recorder = Recorder(out := io.StringIO())
    recorder.keep(frame("r", 1), b"1")
    recorder.keep(frame("other", 5), b"5")
    recorder.keep(frame("r", 2), b"2")
    assert recorded(out) == []
    recorder.joined("r", "public")
    recorder.keep(frame("r", 3), b"3")
    assert [(line["room"], line["audience"], line["v"]) for line in recorded(out)] == [
        ("r", "public", 1),
        ("r", "public", 2),
        ("r", "public", 3),
    ]
