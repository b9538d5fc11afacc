"""After the end: each client's recorded frames against what the match, executed again, makes for its audience.

Owns the difference between a divergence and a leak. How a replay is executed is given from outside.
"""

from __future__ import annotations

import base64
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgpack
from msgspec import Struct

from loadtest.oracle import Audience, Findings, Message, name, unpack

MOST_OBJECTIONS = 20


class Kept(Struct, frozen=True):
    """One frame as some client of an audience got it."""

    audience: Audience
    v: int
    tip: str
    raw: bytes


class Objection(Struct, frozen=True):
    """Why a recording is not what a match makes. ``where``: a version, or one and an audience, or a part."""

    where: str
    text: str


class Bench(Struct, frozen=True):
    """Who executes matches again. ``verify``: replay and recording → the first objection.

    ``frames``: replay → for each version all frames, the public's first. Both raise ValueError for what is no replay.
    """

    verify: Callable[[bytes, list[str]], Objection | None]
    frames: Callable[[bytes], Iterable[tuple[int, list[bytes]]]]


class Verdict(Struct):
    """``rooms``: checked to the end; ``unchecked``: for lack of time or of a replay; ``frames``: found in order."""

    rooms: int = 0
    unchecked: int = 0
    frames: int = 0


def recordings(files: Iterable[Path]) -> dict[str, list[Kept]]:
    """Read what the processes kept: frames by room, each once."""
    rooms: dict[str, dict[tuple[Audience, bytes], Kept]] = defaultdict(dict)
    for file in files:
        with file.open("rb") as source:
            for room, audience, v, tip, raw in msgpack.Unpacker(source, max_buffer_size=1 << 24):
                rooms[room][(audience, raw)] = Kept(audience, v, tip, raw)
    return {room: list(kept.values()) for room, kept in rooms.items()}


def judge(
    rooms: list[str], kept: dict[str, list[Kept]], replay: Callable[[str], bytes | None], bench: Bench,
    findings: Findings, most_s: float, progress: Callable[[int], None] = lambda _: None,
) -> Verdict:  # fmt: skip
    """Check finished rooms, one after the other, for so long."""
    verdict = Verdict()
    until = time.monotonic() + most_s
    for at, room in enumerate(rooms):
        progress(at)
        if time.monotonic() > until or room not in kept:
            verdict.unchecked += 1
        elif (raw := replay(room)) is None:
            verdict.unchecked += 1
            findings.add("error", f"room {room}: its replay cannot be had")
        else:
            verdict.rooms += 1
            verdict.frames += _check(room, raw, kept[room], bench, findings)
    return verdict


def _check(room: str, replay: bytes, kept: list[Kept], bench: Bench, findings: Findings) -> int:
    """Take out what is objected to, name it, and check the rest, until nothing more is found."""
    for _ in range(MOST_OBJECTIONS):
        objection = bench.verify(replay, [_line(room, each) for each in kept])
        if objection is None:
            return len(kept)
        wrong = [each for each in kept if objection.where in (f"version {each.v}", _where(each))]
        if not wrong:
            findings.add("divergence", f"room {room}, {objection.where}: {objection.text}")
            return 0
        for each in wrong:
            _name(room, replay, each, bench, findings)
        kept = [each for each in kept if each not in wrong]
    return len(kept)


def _where(kept: Kept) -> str:
    return f"version {kept.v}, {name(kept.audience)}"


def _line(room: str, kept: Kept) -> str:
    frame = base64.b64encode(kept.raw).decode()
    line = {"room": room, "audience": kept.audience, "v": kept.v, "tip": kept.tip, "encoding": "msgpack"}
    return json.dumps({**line, "frame": frame})


def _name(room: str, replay: bytes, kept: Kept, bench: Bench, findings: Findings) -> None:
    """Find the frames of a version that are none the audience may get, and say which kind of fault each is."""
    if bench.verify(replay, [_line(room, kept)]) is None:
        return  # another frame of this version and audience is the wrong one
    where = f"room {room}, {_where(kept)}"
    others = _others_parts(bench.frames(replay), kept)
    foreign = sorted(others & set(_parts(unpack(kept.raw))))
    if foreign:
        findings.add("leak", f"{where}: contains what only others may see: {', '.join(part[0] for part in foreign)}")
    else:
        findings.add("divergence", f"{where}: the frame is none that the match makes")


def _parts(frame: Message) -> Iterator[tuple[str, bytes]]:
    """Take a frame apart into what can be told apart: its zones, events and prompt."""
    for zone, value in frame["zones"].items():
        yield f"zone {zone}", msgpack.packb(value)
    for event in frame.get("events", ()):
        yield f"event {event.get('event')}", msgpack.packb(event)
    if frame.get("prompt") is not None:
        yield "prompt", msgpack.packb(frame["prompt"])


def _others_parts(versions: Iterable[tuple[int, list[bytes]]], kept: Kept) -> set[tuple[str, bytes]]:
    """Collect what other audiences, but not this one, were shown up to this version."""
    own, others = set[tuple[str, bytes]](), set[tuple[str, bytes]]()
    mine = 0 if kept.audience == "public" else int(kept.audience) + 1
    views: list[dict[str, Any]] = []
    for v, frames in versions:
        if v > kept.v:
            break
        views = views or [{} for _ in frames]
        for at, raw in enumerate(frames):
            frame = unpack(raw)
            views[at].update(frame["zones"])
            if v == kept.v:
                (own if at == mine else others).update(_parts({**frame, "zones": views[at]}))
    return others - own
