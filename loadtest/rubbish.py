"""Clients that send what is no message, or is not allowed: each gets an error that says so, or a close code.

Owns what rubbish there is, and what a service may answer to it.
"""

from __future__ import annotations

import asyncio
import secrets
import time

import msgpack

from loadtest.client import Setting
from loadtest.line import LOST, Line
from loadtest.oracle import unpack
from protocol.errors import CLOSES, ERRORS

EVERY_S = 0.5
NO_ROOM = "nowhere"
TOO_LARGE = 200_000


def rubbish(random_bytes: bytes) -> dict[str, bytes]:
    """Give one of each kind of rubbish, by what it is."""
    key = secrets.token_hex(8)
    return {
        "noise": random_bytes,
        "unknown type": msgpack.packb({"t": "launch", "id": key}),
        "wrong type of field": msgpack.packb({"t": "choose", "id": key, "room": 7, "prompt": "x"}),
        "float": msgpack.packb({"t": "ping", "id": key, "room": 1.5}),
        "foreign room": msgpack.packb({"t": "choose", "id": key, "room": NO_ROOM, "prompt": 1, "picks": ["1"]}),
        "unknown game": msgpack.packb({"t": "create", "id": key, "game": NO_ROOM}),
        "announced giant": b"\xdd\xff\xff\xff\xff",
        "deep nest": b"\x91" * 2_000,
        "too large": msgpack.packb({"t": "say", "id": key, "room": NO_ROOM, "text": "x" * TOO_LARGE}),
        "text": b"",
    }


class Vandal:
    """Sends one piece of rubbish after the other, and comes back when it was thrown out."""

    def __init__(self, setting: Setting, who: str, token: str | None) -> None:
        self._setting, self._who, self._token = setting, who, token
        self._line: Line | None = None
        self._waiting: tuple[str, float] | None = None
        self._over = False
        self._opening: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Connect."""
        if not self._over and not self._setting.ending:
            self._line = Line(self._setting.url(), self._greet, self._heard, self._closed)
            self._opening = asyncio.get_running_loop().create_task(self._line.open())

    def close(self) -> None:
        """End for good."""
        self._over = True
        if self._line is not None:
            self._line.close()

    @property
    def up(self) -> bool:
        """Whether its line is open."""
        return self._line is not None and self._line.up

    def look(self, now: float) -> None:
        """Rubbish too is answered in bounded time."""
        if self._waiting is not None and now - self._waiting[1] > self._setting.answer_s:
            self._setting.findings.add("unanswered", f"{self._who}: no answer to rubbish ({self._waiting[0]})")
            self._waiting = None

    def _greet(self) -> None:
        self._setting.figures.counts["opened"] += 1
        assert self._line is not None
        hello = {"t": "hello", "id": "hello"} | ({"token": self._token} if self._token else {})
        self._line.send(msgpack.packb(hello))
        self._later()

    def _later(self) -> None:
        asyncio.get_running_loop().call_later(self._setting.random.uniform(0, 2 * EVERY_S), self._litter)

    def _litter(self) -> None:
        if self._over or self._setting.ending or self._line is None or not self._line.up:
            return
        random = self._setting.random
        name, raw = random.choice(list(rubbish(random.randbytes(random.randint(1, 64))).items()))
        self._waiting = (name, time.monotonic())
        self._setting.figures.counts["rubbish"] += 1
        if name == "text":
            self._line.send_text('{"t": "ping"}')
        else:
            self._line.send(raw)

    def _heard(self, raw: bytes) -> None:
        message = unpack(raw)
        if message["t"] not in ("ok", "error") or message["id"] == "hello":
            return
        if message["t"] == "ok" and self._waiting is not None:
            self._complain(f"was taken: {message}")
        elif message.get("code") == "internal" or message.get("code") not in ERRORS:
            self._complain(f"was answered {message.get('code')}")
        self._settle()

    def _closed(self, code: int) -> None:
        if self._over or self._setting.ending:
            return
        if code not in CLOSES or code == 1011 or (code == LOST):
            self._complain(f"ended the line with {code}")
        self._settle(later=False)
        asyncio.get_running_loop().call_later(self._setting.random.uniform(0, EVERY_S), self.open)

    def _settle(self, *, later: bool = True) -> None:
        self._setting.figures.counts["rubbish_settled"] += self._waiting is not None
        self._waiting = None
        if later:
            self._later()

    def _complain(self, text: str) -> None:
        name = self._waiting[0] if self._waiting is not None else "nothing"
        self._setting.findings.add("error", f"{self._who}: rubbish ({name}) {text}")
