"""Accounts that do what they are told on cheap lines: connect, and bring rooms to the middle of a match."""

from __future__ import annotations

import asyncio
import itertools
from random import Random
from typing import Any

import httpx
import msgpack

from loadtest.answers import answer
from loadtest.line import Line

Message = dict[str, Any]


class Guest:
    """One account on one socket. ``prompts`` and ``at``: by room, what it is asked, and the version that it has."""

    def __init__(self, url: str, token: str) -> None:
        self.prompts: dict[str, Message | None] = {}
        self.at: dict[str, int] = {}
        self.news = asyncio.Event()
        self._token = token
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._names = (f"{id(self):x}-{n}" for n in itertools.count())
        self._opened = asyncio.Event()
        self._line = Line(f"{url.replace('http', 'ws', 1)}/v1/ws", self._opened.set, self._heard, lambda _: None)

    async def enter(self) -> None:
        """Connect, and say hello."""
        await self._line.open()
        await self._opened.wait()
        await self.ask("hello", token=self._token)

    def leave(self) -> None:
        self._line.cut()

    async def ask(self, kind: str, **fields: Any) -> Message:
        """Give a command, and wait for its ok. Raises RuntimeError where it is refused."""
        name = next(self._names)
        answered = self._answers[name] = asyncio.get_running_loop().create_future()
        self._line.send(msgpack.packb({"t": kind, "id": name, **fields}))
        message: Message = await answered
        if message["t"] != "ok":
            raise RuntimeError(f"{kind}: {message}")
        return message

    def _heard(self, raw: bytes) -> None:
        message = msgpack.unpackb(raw)
        if message["t"] == "frame":
            self.at[message["room"]] = message["v"]
            self.prompts[message["room"]] = message.get("prompt")
            self.news.set()
        elif message["t"] in ("ok", "error"):
            self._answers.pop(message["id"]).set_result(message)


def token(url: str, name: str) -> str:
    """Become a guest, and give the token."""
    return str(httpx.post(f"{url}/v1/guests", json={"name": name}, timeout=10).json()["token"])


async def begin(pair: tuple[Guest, Guest]) -> str:
    """Let two guests open a room of disciple and start its match. Gives the room."""
    ok = await pair[0].ask("create", game="disciple", room={"holds": False, "decision_s": 600})
    room = str(ok["room"])
    for seat, guest in enumerate(pair):
        await guest.ask("join", room=room, seat=seat)
    for guest in pair:
        await guest.ask("ready", room=room)
    return room


async def play(pair: tuple[Guest, Guest], room: str, choices: int, random: Random) -> int:
    """Let chance make so many choices, or fewer if the match ends before. Gives how many were made."""
    for made in range(choices):
        answers = [(guest, prompt, answer(prompt, random)) for guest in pair if (prompt := guest.prompts.get(room))]
        chosen = [each for each in answers if each[2] is not None] or answers
        if not chosen:
            return made
        guest, prompt, picks = chosen[0]
        ok = await guest.ask("choose", room=room, prompt=prompt["id"], picks=picks or [])
        for other in pair:
            await _reached(other, room, ok["v"])
    return choices


async def _reached(guest: Guest, room: str, v: int) -> None:
    while guest.at[room] < v:
        guest.news.clear()
        await guest.news.wait()
