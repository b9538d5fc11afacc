"""A client under load: the reference client's core on a cheap line, with the oracle beside it.

Owns connecting, coming back and sending. What to do in a room is the player's and the table's.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgpack
from msgspec import Struct

from loadtest.figures import Figures
from loadtest.line import Line
from loadtest.oracle import Answers, Audience, Findings, Message, Oracle, Tracker, unpack
from protocol.client.actions import Action, Halt, Send, Settle, Stop, Tell, Wait
from protocol.client.core import Core
from protocol.client.room import Update

Then = Callable[[Message, float], None]
BACK_S = 0.2
NAME = "sanctum load"


class Setting(Struct):
    """What all clients of one process share. ``urls``: of the nodes, any of which will do.

    ``ending``: the run winds down, and lost lines are not taken up.
    ``ahead_ms``: service time less monotonic time, as far as frames have told.
    """

    urls: tuple[str, ...]
    figures: Figures
    findings: Findings
    oracle: Oracle
    random: Random
    answer_s: float = 10.0
    ending: bool = False
    ahead_ms: float = float("-inf")

    def url(self) -> str:
        """Choose a node for a socket."""
        return self.random.choice(self.urls)


class Client:
    """One account on one socket at a time. ``told`` gets what is new in rooms; ``twice``: sends everything twice."""

    def __init__(self, setting: Setting, who: str, token: str | None, told: Callable[[Update], None]) -> None:
        self.core = Core(nonce=secrets.token_hex(8), random=setting.random, token=token, name=NAME)
        self.who = who
        self.twice = False
        self._setting = setting
        self._told = told
        self._answers = Answers(who, setting.findings)
        self._trackers: dict[str, Tracker] = {}
        self._thens: dict[str, tuple[Then, float]] = {}
        self._line: Line | None = None
        self._cut = False
        self._over = False
        self._opening: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Connect."""
        if not self._over:
            self._line = Line(self._setting.url(), self._opened, self._heard, self._closed)
            self._opening = asyncio.get_running_loop().create_task(self._line.open())

    def cut(self) -> None:
        """Lose the line, and come back soon."""
        if self._line is not None and self._line.up:
            self._cut = True
            self._setting.figures.counts["cuts"] += 1
            self._line.cut()

    def close(self) -> None:
        """End for good."""
        self._over = True
        if self._line is not None:
            self._line.close()

    def request(self, kind: str, then: Then, scheduled: float, **fields: Any) -> None:
        """Send a command. ``then`` gets its one answer, and when it was to be sent (monotonic seconds)."""
        command, actions = self.core.request(kind, **fields)
        self._thens[command] = (then, scheduled)
        self._act(actions)

    def follow(self, room: str, audience: Audience) -> None:
        """Frames of this room are to come, for this audience."""
        self._trackers[room] = Tracker(room, audience, self._setting.findings)

    def unfollow(self, room: str) -> None:
        self._trackers.pop(room, None)

    def stands(self, room: str) -> Tracker | None:
        """Say where it stands in a room, None if it does not follow it."""
        return self._trackers.get(room) if self._line is not None and self._line.up else None

    @property
    def up(self) -> bool:
        """Whether its line is open."""
        return self._line is not None and self._line.up

    @property
    def waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._answers.waiting

    def overdue(self, now: float) -> None:
        """Look for commands without an answer."""
        if self._line is not None and self._line.up:
            self._answers.overdue(now - self._setting.answer_s)

    # ---- the line's calls

    def _opened(self) -> None:
        now = time.monotonic()
        self._setting.figures.counts["opened"] += 1
        for tracker in self._trackers.values():
            tracker.restarts.clear()
        self._act(self.core.opened(now))

    def _closed(self, code: int) -> None:
        self._answers.cut()
        verdict = self.core.closed(code, "", time.monotonic())
        if self._over or self._setting.ending:
            return
        own, self._cut = self._cut, False
        if not own:
            self._setting.figures.counts["lost_lines"] += 1
            self._setting.findings.add("error", f"{self.who}: the line was closed with {code}")
        if isinstance(verdict, Stop):
            self._over = True
            return
        wait_s = self._setting.random.uniform(0, BACK_S) if own else verdict.after_s
        asyncio.get_running_loop().call_later(wait_s, self.open)

    def _heard(self, raw: bytes) -> None:
        message = unpack(raw)
        kind = message["t"]
        if kind == "frame":
            self._judge(message, raw)
        elif kind in ("ok", "error") and message["id"] is not None:
            self._answers.came(message)
        elif kind == "ended" and (tracker := self._trackers.get(message["room"])) is not None:
            tracker.ended(message["v"])
        elif kind == "tip" and (tracker := self._trackers.get(message["room"])) is not None:
            tracker.stands_at(message["v"])
        self._act(self.core.received(message))

    def _judge(self, frame: Message, raw: bytes) -> None:
        tracker = self._trackers.get(frame["room"])
        self._setting.figures.counts["deliveries"] += 1
        self._setting.figures.counts["frame_bytes"] += len(raw)
        if tracker is None:
            self._setting.findings.add("leak", f"{self.who}: a frame of room {frame['room']}, which it does not follow")
            return
        self._setting.ahead_ms = max(self._setting.ahead_ms, frame["at"] - time.monotonic() * 1_000)
        tracker.take(self._setting.oracle.ledger(tracker.room, tracker.audience).add(raw, frame))

    # ---- what the core asks for

    def _act(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Send():
                    self._send(action.message)
                case Settle():
                    then, scheduled = self._thens.pop(action.id)
                    then(action.answer, scheduled)
                case Tell():
                    self._told(action.update)
                case Wait():
                    self._setting.figures.counts["retries"] += 1
                    asyncio.get_running_loop().call_later(action.after_s, self._due, action.id)
                case Halt():
                    self._setting.findings.add(
                        "error", f"{self.who}: {action.error['code']}: {action.error['message']}"
                    )
                    self.close()

    def _due(self, command: str) -> None:
        self._act(self.core.due(command))

    def _send(self, message: Message) -> None:
        if self._line is None or not self._line.up:
            return
        raw: bytes = msgpack.packb(message)
        if message["t"] == "join" and message["room"] in self._trackers:
            self._trackers[message["room"]].restarts = (
                [message["since"]["v"]] * (1 + self.twice) if "since" in message else []
            )
        for _ in range(1 + (self.twice and message["t"] != "hello")):
            self._answers.sent(message, time.monotonic())
            self._line.send(raw)
        if message["t"] == "choose":
            self._setting.figures.samples.setdefault("choose", raw)
