"""Recorded frames as `sanctum replay verify --seen` reads them, and the check itself."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgpack

from tests.e2e.rig import Node, Raw, Release


def recorded(client: Raw, room: str, audience: int | str) -> list[str]:
    """Give a client's frames of a room as lines of a recording."""
    lines = []
    for raw in client.frames.get(room, []):
        frame = msgpack.unpackb(raw)
        line = {"room": room, "audience": audience, "v": frame["v"], "tip": frame["tip"], "encoding": "msgpack"}
        lines.append(json.dumps({**line, "frame": base64.b64encode(raw).decode()}))
    return lines


def verify(
    node: Node, room: str, folder: Path, seen: dict[int | str, list[str]], release: Release | None = None
) -> None:
    """Fetch the replay and check it against what every audience recorded, by the command line of a release."""
    other: dict[str, Any] = (
        {} if release is None else {"cwd": release.tree, "env": os.environ | {"PYTHONPATH": release.python_path}}
    )
    answer = node.http("GET", f"/v1/replays/{room}")
    assert answer.status_code == 200, answer.text
    replay = folder / "replay.json"
    replay.write_bytes(answer.content)
    for audience, lines in seen.items():
        recording = folder / f"seen-{audience}.jsonl"
        recording.write_text("\n".join(lines))
        checked = subprocess.run(
            [sys.executable, "-m", "server", "replay", "verify", str(replay), "--seen", str(recording), "--json"],
            capture_output=True,
            text=True,
            check=False,
            **other,
        )
        assert checked.returncode == 0, (audience, checked.stdout, checked.stderr)
        assert json.loads(checked.stdout)["seen"] == len(lines) > 0
