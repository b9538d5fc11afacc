"""A room's alarm rings once, when the room is due: however often that was put off or brought forward."""

from __future__ import annotations

import asyncio

from server.alarms import Alarms


class _Scene:
    def __init__(self) -> None:
        self.rung: list[tuple[str, int]] = []
        self.alarms = Alarms(lambda _room: self.now(), self._ring)
        self._news = asyncio.Event()

    def now(self) -> int:
        return round(asyncio.get_running_loop().time() * 1000)

    def _ring(self, room: str) -> None:
        self.rung.append((room, self.now()))
        self._news.set()

    async def rings(self) -> tuple[str, int]:
        """Wait for the next one that rings, and give it with the moment."""
        while not self.rung:
            self._news.clear()
            await self._news.wait()
        return self.rung.pop(0)


async def test_a_room_that_is_put_off_rings_when_it_is_due_and_not_before() -> None:
    scene = _Scene()
    begun = scene.now()
    scene.alarms.set("a", begun + 20)
    scene.alarms.set("a", begun + 60)
    scene.alarms.set("a", begun + 90)
    room, at = await scene.rings()
    assert room == "a"
    assert at >= begun + 89  # a timer's grain is a millisecond
    assert "a" not in scene.alarms


async def test_a_room_that_is_brought_forward_rings_before_what_was_due_earlier() -> None:
    scene = _Scene()
    begun = scene.now()
    scene.alarms.set("a", begun + 60_000)
    scene.alarms.set("b", begun + 90)
    scene.alarms.set("a", begun + 30)
    assert [(await scene.rings())[0] for _ in range(2)] == ["a", "b"]


async def test_a_room_rings_once_for_each_time_that_it_is_set_again() -> None:
    scene = _Scene()
    begun = scene.now()
    scene.alarms.set("a", begun + 10)
    scene.alarms.set("a", begun + 20)
    await scene.rings()
    scene.alarms.set("a", begun)  # past already: at once
    await scene.rings()
    scene.alarms.set("b", scene.now() + 60)
    assert (await scene.rings())[0] == "b"
    assert scene.rung == []


async def test_what_is_called_off_does_not_ring() -> None:
    scene = _Scene()
    begun = scene.now()
    scene.alarms.set("a", begun + 10)
    scene.alarms.set("a", None)
    scene.alarms.set("never", None)
    scene.alarms.set("b", begun + 60)
    assert (await scene.rings())[0] == "b"
    scene.alarms.set("c", begun + 70)
    scene.alarms.stop()
    await asyncio.sleep(0.05)
    assert scene.rung == []
    assert "c" not in scene.alarms
