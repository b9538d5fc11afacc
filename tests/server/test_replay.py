"""Replays: a match written down, executed again, and every tampering found."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import pytest

from protocol.http import Replay
from server import replay
from server.state import Logged
from tests.server.test_room import PACK, Story


def finished() -> tuple[Replay, list[bytes]]:
    """Give a replay of a short match and all frames of seat 0."""
    story, logged, frames = Story(), [], []
    apply = story.apply

    def keep(given: Any) -> Any:
        version = apply(given)
        logged.append(version.logged)
        frames.append(version.entry.frames[1])
        return version

    logged.append(story.version.logged)
    frames.append(story.version.entry.frames[1])
    story.apply = keep  # type: ignore[method-assign]
    story.start()
    while story.room.status == "playing":
        story.answer(story.room.due[0].seat, 5)
    return replay.replay_of(story.room, PACK.source, [_stored(entry) for entry in logged]), frames


def _stored(entry: Logged) -> Logged:
    from engines.record import encode
    from server.state import decode_logged

    return decode_logged(encode(entry))


TOLD, FRAMES = finished()


def lines(frames: list[bytes], audience: int | str = 0) -> list[str]:
    shown = []
    for raw in frames:
        frame = msgpack.unpackb(raw)
        line = {"room": "room", "audience": audience, "v": frame["v"], "tip": frame["tip"], "encoding": "msgpack"}
        shown.append(json.dumps({**line, "frame": base64.b64encode(raw).decode()}))
    return shown


def changed(**fields: Any) -> Replay:
    return msgspec.structs.replace(TOLD, **fields)


def test_a_replay_is_read_back_as_it_was_written() -> None:
    raw = msgspec.json.encode(TOLD)
    assert msgspec.json.encode(replay.read(raw)) == raw


def test_a_true_replay_verifies_with_all_that_was_seen() -> None:
    verdict = replay.verify(TOLD, lines(FRAMES))
    assert verdict == replay.Verdict(len(TOLD.inputs), len(FRAMES), None)


def test_it_names_every_seat_with_what_it_brought() -> None:
    assert [(seat.name, seat.bot) for seat in TOLD.seats] == [("P0", None), ("P1", None)]


def _with_input(place: int, **fields: Any) -> Replay:
    inputs = list(TOLD.inputs)
    inputs[place] = msgspec.structs.replace(inputs[place], **fields)
    return changed(inputs=tuple(inputs))


def _other_choice() -> Replay:
    last = TOLD.inputs[-1]
    fields = json.loads(json.dumps(last.fields))
    fields["choices"][0][2] = [0]
    return _with_input(len(TOLD.inputs) - 1, fields=fields)


@pytest.mark.parametrize(
    ("tampered", "where"),
    [
        (lambda: changed(seed="11" * 32), "seed"),
        (lambda: changed(commitment="11" * 32), "seed"),
        (lambda: changed(pack_hash="11" * 32), "pack"),
        (lambda: changed(inputs=TOLD.inputs[1:]), "inputs"),
        (lambda: changed(inputs=()), "inputs"),
        (lambda: changed(inputs=TOLD.inputs[:-1]), "end"),
        (lambda: changed(status="void"), "end"),
        (lambda: _with_input(3, tip="another"), "version 4, public"),
        (lambda: _with_input(3, at=TOLD.inputs[3].at + 1), "version 4, public"),
        (lambda: _with_input(3, digests=(*TOLD.inputs[3].digests[:2], "00" * 8)), "version 4, seat 1"),
        (lambda: _with_input(3, digests=TOLD.inputs[3].digests[:2]), "version 4"),
        (_other_choice, f"version {len(TOLD.inputs)}, public"),
    ],
)
def test_the_first_difference_is_named(tampered: Callable[[], Replay], where: str) -> None:
    difference = replay.verify(tampered()).difference
    assert difference is not None
    assert difference.where == where


def test_a_recorded_frame_that_the_match_never_made_is_found() -> None:
    altered = FRAMES[2].replace(b"frame", b"frome")
    difference = replay.verify(TOLD, lines([FRAMES[1], altered])).difference
    assert difference is not None
    assert difference.where == "version 3, seat 0"


def test_a_frame_of_another_audience_is_found() -> None:
    asked = next(raw for raw in FRAMES if b"prompt" in raw)
    difference = replay.verify(TOLD, lines([asked], audience="public")).difference
    assert difference is not None
    assert difference.where == "version 5, public"


def test_a_recorded_version_that_never_was_is_found() -> None:
    line = json.loads(lines(FRAMES[-1:])[0]) | {"v": 99}
    difference = replay.verify(TOLD, [json.dumps(line)]).difference
    assert difference is not None
    assert difference.where == "version 99"


@pytest.mark.parametrize("fields", [{"format": 9}, {"game": "no such game"}, {"rules": 99}, {"source": b"no pack"}])
def test_what_is_not_here_cannot_be_checked(fields: dict[str, Any]) -> None:
    with pytest.raises(replay.CannotCheck):
        replay.verify(changed(**fields))


def test_nothing_of_an_account_is_in_a_replay() -> None:
    assert "account" not in msgspec.json.encode(TOLD).decode()
