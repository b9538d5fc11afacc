"""A person's match at the terminal, from the other side of the keyboard."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from rich.console import Console

from protocol.client import CommandRefused, ConnectionLost, Room, Update
from server.commands.conversation import HELP, Conversation
from server.commands.screen import Screen

SEATS = [
    {"seat": 0, "name": "Ann", "bot": None, "ready": True},
    {"seat": 1, "name": "", "bot": "eager", "ready": True},
]
ZONE = {"id": "r1", "game": "probe", "status": "playing", "seats": SEATS}
PROMPT = {
    "id": 3, "kind": "pick_card", "deadline": 61_000, "rule": "PR-1.1", "default": ["2"],
    "options": [{"id": "1", "act": {"do": "take", "card": "coal"}}, {"id": "2", "act": {"do": "pass"}}],
}  # fmt: skip
ENDED = {"t": "ended", "status": "finished", "reason": "most_points", "winners": [0]}


class Keyboard:
    """Lines that are typed when the test says so."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()


class Service:
    """A service that pushes what it is told to push and keeps what it is asked."""

    def __init__(self) -> None:
        self.room = Room("r1")
        self.room.audience = 0
        self.asked: list[tuple[Any, ...]] = []
        self.refusal: CommandRefused | None = None
        self.held = False
        self.pushes: asyncio.Queue[Update | ConnectionLost] = asyncio.Queue()

    def push(self, v: int, prompt: dict[str, Any] | None = None, events: tuple[dict[str, Any], ...] = ()) -> None:
        frame = {
            "t": "frame",
            "v": v,
            "tip": f"t{v}",
            "at": 1_000,
            "zones": {"room": ZONE, "score": v},
            "events": events,
        }
        if prompt is not None:
            frame["prompt"] = prompt
        if self.room.v is None:
            frame["why"] = "joined"
        assert self.room.fold(frame) == "new"
        self.pushes.put_nowait(Update("frame", self.room, frame))

    def end(self) -> None:
        self.room.ended = ENDED
        self.pushes.put_nowait(Update("ended", self.room, ENDED))

    async def updates(self, _: str) -> AsyncIterator[Update]:
        while True:
            item = await self.pushes.get()
            if isinstance(item, ConnectionLost):
                raise item
            yield item

    async def choose(self, room: str, picks: list[Any], *, prompt: int) -> dict[str, Any]:
        self.asked.append(("choose", picks, prompt))
        if self.refusal is not None:
            raise self.refusal
        return {"t": "ok", "held": self.held}

    async def say(self, room: str, text: str) -> None:
        self.asked.append(("say", text))

    async def resign(self, room: str) -> None:
        self.asked.append(("resign",))


class Paper(io.StringIO):
    """What is written, and a way to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()

    def write(self, text: str) -> int:
        self._more.set()
        return super().write(text)

    async def written(self, text: str) -> None:
        while text not in self.getvalue():
            self._more.clear()
            await self._more.wait()


class Table:
    """A conversation that runs, and what has been written in it."""

    def __init__(self) -> None:
        self.service = Service()
        self.keyboard = Keyboard()
        self.out = Paper()
        screen = Screen(Console(file=self.out, width=80, highlight=False, markup=False), self.service.room)
        self.conversation = Conversation(self.service, screen, self.keyboard)  # type: ignore[arg-type]

    async def type(self, *lines: str | None) -> None:
        for line in lines:
            self.keyboard.lines.put_nowait(line)
        for _ in range(20):
            await asyncio.sleep(0)

    async def settle(self) -> None:
        await self.type()

    @property
    def text(self) -> str:
        return self.out.getvalue()


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    made = Table()
    running = asyncio.create_task(made.conversation.run())
    made.service.push(1, PROMPT, ({"event": "drawn", "seat": 0},))
    await made.settle()
    yield made
    made.keyboard.lines.put_nowait("quit")
    await running


async def test_a_prompt_is_shown_with_numbered_options_its_rule_and_what_silence_means(table: Table) -> None:
    assert "drawn: seat 0" in table.text
    assert "pick card: one number  (PR-1.1)" in table.text
    assert "   1  take: card coal\n   2  pass\n" in table.text
    assert "60 s; Enter or silence: 2" in table.text


async def test_a_number_answers_the_prompt_under_its_id(table: Table) -> None:
    await table.type("1")
    assert table.service.asked == [("choose", ["1"], 3)]


async def test_enter_takes_the_default(table: Table) -> None:
    await table.type("")
    assert table.service.asked == [("choose", ["2"], 3)]


async def test_what_is_no_answer_is_not_sent(table: Table) -> None:
    await table.type("both", "7")
    assert table.service.asked == []
    assert "type one number" in table.text
    assert "there are options 1 to 2" in table.text


async def test_a_prompt_is_shown_once_however_many_frames_come(table: Table) -> None:
    table.service.push(2, PROMPT)
    await table.settle()
    assert table.text.count("Enter or silence") == 1
    table.service.push(3, {**PROMPT, "id": 4})
    await table.settle()
    assert table.text.count("Enter or silence") == 2


async def test_a_late_answer_is_not_sent_for_the_next_prompt(table: Table) -> None:
    table.service.push(2)
    await table.settle()
    await table.type("1", "")
    assert table.service.asked == []
    assert table.text.count("it is not your turn to answer") == 1


async def test_a_refusal_is_told_in_the_rules_own_terms(table: Table) -> None:
    details = {"code": "E_COAL", "rule": "PR-1.2", "text": "coal is too hot"}
    table.service.refusal = CommandRefused({"code": "refused", "message": "the rules say no", "details": details})
    await table.type("1")
    assert "coal is too hot (E_COAL, PR-1.2)" in table.text


async def test_an_answer_that_waits_for_its_time_is_said_to_wait(table: Table) -> None:
    table.service.held = True
    await table.type("1")
    assert "your answer is kept" in table.text


async def test_words_are_commands(table: Table) -> None:
    await table.type("say hello there", "resign", "help", "show")
    assert table.service.asked == [("say", "hello there"), ("resign",)]
    assert table.text.count(HELP) == 2
    assert table.text.count("Enter or silence") == 2


async def test_the_last_seconds_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.commands.conversation.WARNED_S", 0.0005)
    made = Table()
    running = asyncio.create_task(made.conversation.run())
    made.service.push(1, {**PROMPT, "deadline": 1_002})
    await made.out.written("s left")
    await made.type("quit")
    await running


async def test_the_end_of_the_match_ends_the_conversation() -> None:
    made = Table()
    running = asyncio.create_task(made.conversation.run())
    made.service.push(1)
    made.service.end()
    await running
    assert "Ann won: most points (finished)" in made.text


async def test_the_end_of_typing_ends_the_conversation() -> None:
    made = Table()
    running = asyncio.create_task(made.conversation.run())
    made.service.push(1, PROMPT)
    await made.type(None)
    await running


async def test_a_connection_that_is_lost_for_good_is_told() -> None:
    made = Table()
    running = asyncio.create_task(made.conversation.run())
    made.service.pushes.put_nowait(ConnectionLost("closed with 4401"))
    with pytest.raises(ConnectionLost):
        await running


async def test_what_others_write_cannot_steer_the_terminal(table: Table) -> None:
    said = {"t": "said", "name": "Eve", "text": "\x1b[2Jboo\r\n\x9b1A"}
    table.service.pushes.put_nowait(Update("said", table.service.room, said))
    table.service.push(2, None, ({"event": "shown", "card": "\x1b]0;mine\x07"},))
    await table.settle()
    assert "Eve: ·[2Jboo" in table.text
    assert not set(table.text) & set("\x1b\x07\x9b\r")
