"""Folding frames into a view."""

from __future__ import annotations

from typing import Any

from protocol.client.room import Room, Update


def frame(v: int, zones: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"t": "frame", "room": "r", "v": v, "tip": f"t{v}", "at": 1000 + v, "zones": zones or {}, **more}


def followed(v: int = 5, **zones: Any) -> Room:
    room = Room("r")
    assert room.fold(frame(v, zones, why="joined")) == "new"
    return room


def test_a_snapshot_replaces_the_view() -> None:
    room = followed(hand=[1], table={"a": 1})
    assert room.fold(frame(9, {"table": {"b": 2}}, why="trimmed")) == "new"
    assert room.zones == {"table": {"b": 2}}
    assert room.since == {"v": 9, "tip": "t9"}


def test_a_snapshot_may_go_back_in_versions() -> None:
    room = followed(9)
    assert room.fold(frame(7, {"x": 1}, why="lost")) == "new"
    assert room.v == 7


def test_the_next_frame_replaces_only_the_zones_that_it_has() -> None:
    room = followed(hand=[1], table={"a": 1})
    assert room.fold(frame(6, {"table": {"b": 2}})) == "new"
    assert room.zones == {"hand": [1], "table": {"b": 2}}


def test_prompt_clocks_and_waiting_replace_the_former_ones() -> None:
    room = followed()
    asked: dict[str, Any] = {
        "prompt": {"id": 3},
        "waiting_for": [{"seat": 0}],
        "clocks": [{"seat": 0, "deadline": 2000}],
    }
    room.fold(frame(6, **asked))
    assert (room.prompt, room.waiting_for, room.clocks) == tuple(asked.values())
    room.fold(frame(7))
    assert (room.prompt, room.waiting_for, room.clocks) == (None, [], [])


def test_a_double_changes_nothing() -> None:
    room = followed(hand=[1])
    assert room.fold(frame(5, {"hand": [2]})) == "double"
    assert room.fold(frame(4, {"hand": [3]})) == "double"
    assert room.zones == {"hand": [1]}


def test_a_frame_beyond_a_hole_changes_nothing() -> None:
    room = followed(hand=[1])
    assert room.fold(frame(7, {"hand": [2]})) == "gap"
    assert (room.v, room.zones) == (5, {"hand": [1]})


def test_a_frame_before_any_snapshot_is_a_gap() -> None:
    assert Room("r").fold(frame(1)) == "gap"


def test_another_frame_of_the_same_version_is_a_gap() -> None:
    room = followed()
    assert room.fold({**frame(5), "tip": "other"}) == "gap"


def test_a_room_stands_at_a_tip_only_if_version_and_tip_agree() -> None:
    room = followed()
    assert room.stands_at({"v": 5, "tip": "t5"})
    assert not room.stands_at({"v": 6, "tip": "t6"})
    assert not room.stands_at({"v": 5, "tip": "other"})


def test_a_question_that_was_answered_early_is_asked_no_more() -> None:
    room = followed()
    room.fold(frame(6, prompt={"id": 3}))
    assert room.question == {"id": 3}
    room.answered = 3
    assert room.question is None
    room.fold(frame(7, prompt={"id": 4}))
    assert room.question == {"id": 4}


def test_a_question_whose_answer_was_lost_with_its_version_is_asked_again() -> None:
    room = followed()
    room.answered = 3
    room.fold(frame(6, prompt={"id": 3}, why="trimmed"))
    assert room.question is None
    room.fold(frame(4, prompt={"id": 3}, why="lost"))
    assert room.question == {"id": 3}


def test_a_spectator_has_no_seat_and_seat_0_is_one() -> None:
    room = followed()
    room.audience = "public"
    assert room.seat is None
    room.audience = 0
    assert room.seat == 0


def test_an_update_has_events_only_if_its_frame_has() -> None:
    assert Update("frame", followed(), frame(6, events=[{"event": "drawn"}])).events == [{"event": "drawn"}]
    assert Update("said", followed(), {"text": "hi"}).events == []
