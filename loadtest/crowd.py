"""Spectators by the thousand: they follow one room after the other, and recognise frames without decoding them.

Owns one spectator's line. Which room is on is the table's to say.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

import msgpack
from msgspec import Struct

from loadtest.client import BACK_S, NAME, Setting
from loadtest.line import Line
from loadtest.oracle import Answers, Ledger, Message, Seen, Tracker, unpack
from protocol.client.backoff import Backoff, comes_back

Arrived = Callable[[int, float], None]
SLOW_PAUSE_S, SLOW_SIP_S = 2.0, 0.02
EARLY_MS = 250


class _Watched(Struct):
    """A room that is followed. ``join``: id of the join without an answer; ``moved``: when the next room was on."""

    tracker: Tracker
    ledger: Ledger
    join: str = ""
    moved: float | None = None


class Spectator:
    """Watches, on one socket at a time. ``arrived`` gets version and time of each frame; ``slow``: hardly reads."""

    def __init__(self, setting: Setting, who: str, arrived: Arrived, *, slow: bool = False, delay_s: int = 0) -> None:
        self._setting, self._who, self._arrived = setting, who, arrived
        self._slow, self._delay_ms = slow, delay_s * 1_000
        self._answers = Answers(who, setting.findings)
        self._nonce = secrets.token_hex(8)
        self._count = 0
        self._rooms: dict[str, _Watched] = {}
        self._leaves: dict[str, str] = {}
        self._now: _Watched | None = None
        self._line: Line | None = None
        self._cut = self._over = self._greeted = False
        self._backoff = Backoff(setting.random)
        self._opening: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Connect."""
        if not self._over:
            self._line = Line(self._setting.url(), self._opened, self._heard, self._closed)
            self._opening = asyncio.get_running_loop().create_task(self._line.open())

    def watch(self, room: str) -> None:
        """Watch this room too; the one before is left when its end has come."""
        if self._now is not None:
            self._now.moved = time.monotonic()
        tracker = Tracker(room, "public", self._setting.findings)
        self._now = self._rooms[room] = _Watched(tracker, self._setting.oracle.ledger(room, "public"))
        if self._greeted:
            self._join(self._now)

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

    @property
    def up(self) -> bool:
        """Whether its line is open."""
        return self._line is not None and self._line.up

    @property
    def waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._answers.waiting and not self._slow

    def stands(self, room: str) -> Tracker | None:
        """Say where it stands in a room, None if it need not keep up."""
        watched = self._rooms.get(room)
        return watched.tracker if watched is not None and self._greeted and not self._slow else None

    def overdue(self, now: float) -> None:
        """Look for what does not come. Who reads slowly gets everything late by its own fault."""
        if self._line is None or not self._line.up or self._slow:
            return
        self._answers.overdue(now - self._setting.answer_s)
        for room, watched in list(self._rooms.items()):
            if watched.moved is not None and now - watched.moved > self._setting.answer_s:
                text = f"room {room}, public: no end came after version {watched.tracker.v}, though the match is over"
                self._setting.findings.add("gap", text)
                self._leave(room)

    # ---- the line's calls

    def _opened(self) -> None:
        self._setting.figures.counts["opened"] += 1
        self._send("hello", f"{self._nonce}-hello", client=NAME)

    def _closed(self, code: int) -> None:
        self._answers.cut()
        self._greeted = False
        for room in self._leaves.values():
            self._rooms.pop(room, None)
        self._leaves.clear()
        if self._over or self._setting.ending:
            return
        own, self._cut = self._cut, False
        if not own:
            self._setting.figures.counts["slow_closes" if self._slow else "lost_lines"] += 1
            if not self._slow:
                self._setting.findings.add("error", f"{self._who}: the line was closed with {code}")
        if own or comes_back(code):
            wait_s = self._setting.random.uniform(0, BACK_S) if own else self._backoff.after(0)
            asyncio.get_running_loop().call_later(wait_s, self.open)

    def _heard(self, raw: bytes) -> None:
        seen = self._now.ledger.seen(raw) if self._now is not None else None
        if seen is None or self._now is None:
            self._read(raw, unpack(raw))
        else:
            self._take(self._now, seen, len(raw))

    def _read(self, raw: bytes, message: Message) -> None:
        kind = message["t"]
        watched = self._rooms.get(message.get("room", ""))
        if kind == "frame":
            if watched is None:
                text = f"{self._who}: a frame of room {message['room']}, which it does not follow"
                self._setting.findings.add("leak", text)
            else:
                self._take(watched, watched.ledger.add(raw, message), len(raw))
        elif kind in ("ok", "error"):
            self._answers.came(message)
            self._on_answer(message)
        elif kind == "ended" and watched is not None:
            watched.tracker.ended(message["v"])
            self._leave(message["room"])
        elif kind == "tip" and watched is not None and not watched.tracker.stands_at(message["v"]):
            self._join(watched)

    def _take(self, watched: _Watched, seen: Seen, size: int) -> None:
        now, counts = time.monotonic(), self._setting.figures.counts
        counts["deliveries"] += 1
        counts["frame_bytes"] += size
        if self._delay_ms and seen.at > now * 1_000 + self._setting.ahead_ms - self._delay_ms + EARLY_MS:
            self._setting.findings.add("leak", f"{self._who}: version {seen.v} came before its delay was over")
        if seen.why is None and watched is self._now:
            self._arrived(seen.v, now)
        if not watched.tracker.take(seen):
            self._join(watched)

    def _on_answer(self, answer: Message) -> None:
        key = answer["id"]
        if key == f"{self._nonce}-hello" and answer["t"] == "ok":
            self._greet()
        elif key in self._leaves:
            self._rooms.pop(self._leaves.pop(key), None)
        joined = next((watched for watched in self._rooms.values() if watched.join == key), None)
        if joined is not None:
            joined.tracker.restarts.clear()
            joined.join = ""
        if answer["t"] == "error":
            self._refused(answer, joined)

    def _greet(self) -> None:
        self._greeted = True
        for watched in self._rooms.values():
            self._join(watched)
        if self._slow:
            self._sip()

    def _refused(self, error: Message, joined: _Watched | None) -> None:
        if joined is not None and error.get("retryable"):
            self._setting.figures.counts["retries"] += 1
            asyncio.get_running_loop().call_later(error.get("retry_after_ms", 500) / 1_000, self._join, joined)
        else:
            self._setting.findings.add("error", f"{self._who}: {error['code']}: {error['message']}")

    # ---- what goes out

    def _join(self, watched: _Watched) -> None:
        tracker = watched.tracker
        if not self._greeted or tracker.room not in self._rooms:
            return
        since = {} if tracker.v is None else {"since": {"v": tracker.v, "tip": tracker.tip}}
        tracker.restarts = [] if tracker.v is None else [tracker.v]
        watched.join = self._new_id()
        self._send("join", watched.join, room=tracker.room, role="spectator", **since)

    def _leave(self, room: str) -> None:
        if room not in self._leaves.values():
            key = self._new_id()
            self._leaves[key] = room
            self._send("leave", key, room=room)

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._nonce}-{self._count}"

    def _send(self, kind: str, key: str, **fields: object) -> None:
        if self._line is not None and self._line.up:
            message = {"t": kind, "id": key, **fields}
            self._answers.sent(message, time.monotonic())
            self._line.send(msgpack.packb(message))

    def _sip(self) -> None:
        """Read for a moment, then not at all."""
        if self._line is None or not self._line.up or self._setting.ending:
            return
        self._line.resume()
        loop = asyncio.get_running_loop()
        loop.call_later(SLOW_SIP_S, self._line.pause)
        loop.call_later(SLOW_PAUSE_S, self._sip)
