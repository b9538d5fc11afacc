"""What a node has at hand is bounded by bytes and by time; what is forgotten is read again."""

from __future__ import annotations

from typing import Any

import pytest

from server.kept import IDLE_S, Kept, size_of
from server.live import Live

ROOM_BYTES = 1_000


def _live(name: str) -> Live:
    nothing: Any = None
    return Live(name.encode(), bytes(ROOM_BYTES), nothing, nothing, None, {})


SIZE = size_of(_live("any"))


class _Scene:
    def __init__(self, most: int = 10 * SIZE) -> None:
        self.now_s = 0.0
        self.kept = Kept(most, lambda: self.now_s)

    def put(self, *rooms: str) -> None:
        for room in rooms:
            self.kept.put(room, _live(room))

    def at_hand(self, *rooms: str) -> list[str]:
        return [room for room in rooms if self.kept.look(room) is not None]


def test_the_room_that_was_used_longest_ago_makes_room_for_another() -> None:
    scene = _Scene(most=3 * SIZE)
    scene.put("a", "b", "c")
    assert scene.kept.use("a") is not None
    scene.put("d")
    assert scene.at_hand("a", "b", "c", "d") == ["a", "c", "d"]


def test_a_room_that_is_put_again_counts_once() -> None:
    scene = _Scene(most=2 * SIZE)
    scene.put("a", "b", "b", "b")
    assert scene.at_hand("a", "b") == ["a", "b"]
    scene.kept.drop("b")
    scene.put("c")
    assert scene.at_hand("a", "b", "c") == ["a", "c"]


def test_one_room_is_at_hand_however_large_it_is() -> None:
    scene = _Scene(most=1)
    scene.put("a", "b")
    assert scene.at_hand("a", "b") == ["b"]


@pytest.mark.parametrize("used", [True, False])
def test_only_rooms_that_are_used_outlast_the_others(used: bool) -> None:
    scene = _Scene()
    scene.put("a", "b")
    scene.now_s = IDLE_S / 2
    assert (scene.kept.use if used else scene.kept.look)("a") is not None
    scene.now_s = IDLE_S
    scene.kept.rest()
    assert scene.at_hand("a", "b") == (["a"] if used else [])
    assert len(scene.kept) == used
