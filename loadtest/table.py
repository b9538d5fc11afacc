"""One place where rooms follow each other: the seats' clients create a room, play it, and begin the next.

Owns the course of a room and when choices are sent. Knows no game but the options of prompts.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from loadtest.answers import answer
from loadtest.client import Client, Setting
from loadtest.oracle import Message
from loadtest.scenario import Scenario
from protocol.client.room import Room, Update

TIMER_S = 0.001
"""Grain of the loop's timers: what is due sooner is sent at once, and counts from then."""
LATE = ("stale_prompt", "wrong_status", "not_joined")
"""Refusals that come of the clock, or of the end, being faster."""
STALLED_S = 30.0
LINGER_S = 1.0
FLIGHTS = 64


class _Flight(Struct):
    """A version on its way: when its choice was to be sent, or who got it before that is known."""

    start: float | None = None
    arrivals: list[float] = []


class Table:
    """``began`` is told each new room. ``entry``: the game in the catalogue. ``timed``: its latencies count."""

    def __init__(
        self, setting: Setting, scenario: Scenario, entry: Message, tokens: list[str], slot: int,
        began: Callable[[int, str], None], *, timed: bool = True,
    ) -> None:  # fmt: skip
        self.slot, self.timed = slot, timed
        self.room: str | None = None
        self.played: list[str] = []
        self.started = False
        self._setting, self._scenario, self._entry, self._began = setting, scenario, entry, began
        self.players = [
            Client(setting, f"slot {slot}, seat {seat}", token, lambda update, seat=seat: self._told(seat, update))  # type: ignore[misc]
            for seat, token in enumerate(tokens)
        ]
        self._ending = self._resigning = self._playing = False
        self._flights: dict[int, _Flight] = {}
        self._news = time.monotonic()
        self._reset()

    def _reset(self) -> None:
        self._asked = [0] * len(self.players)
        self._over: set[int] = set()
        self._choices = 0
        self._due: float | None = None
        self._resigning = self._playing = False
        self._flights.clear()

    # ---- from room to room

    def begin(self) -> None:
        """Open the next room."""
        self.room = None
        self._reset()
        match = self._scenario.match
        delay = {"delay_s": self._scenario.crowd.delay_s} if self._scenario.crowd.delay_s else {}
        bots = [{"bot": bot, **self._deck(match.seats + at)} for at, bot in enumerate(match.bots)]
        self._ask(
            0, "create", self._created, game=match.game, options=match.options or None, pack=match.pack,
            seats=[{} for _ in self.players] + bots, room={"holds": False, **delay, **match.room},
        )  # fmt: skip

    def end(self) -> None:
        """Come to an end: give up what is being played, and begin nothing more."""
        self._ending = True
        self._resign()

    @property
    def done(self) -> bool:
        return self._ending and (self.room is None or not self._playing)

    def _deck(self, seat: int) -> dict[str, Any]:
        if not self._entry["brings_decks"]:
            return {}
        decks = self._scenario.match.decks or self._entry["packs"][0]["decks"]
        return {"deck": decks[seat % len(decks)]}

    def _created(self, ok: Message) -> None:
        if self._ending:
            return
        self.room = ok["room"]
        self._news = time.monotonic()
        for seat in range(len(self.players)):
            self._join(seat, self._scenario.match.churn if seat else 0)
        self._began(self.slot, ok["room"])

    def _join(self, seat: int, churn: int) -> None:
        assert self.room is not None
        self.players[seat].follow(self.room, seat)

        def joined(_: Message) -> None:
            if churn:
                self._ask(seat, "leave", lambda _: self._join(seat, churn - 1), room=self.room)
            else:
                self._ask(seat, "ready", lambda _: None, room=self.room, entropy=secrets.token_bytes(16))

        self._ask(seat, "join", joined, room=self.room, seat=seat, **self._deck(seat))

    def _ask(self, at: int, kind: str, then: Callable[[Message], None], /, **fields: Any) -> None:
        """Give a command on the way to a match; a refusal is an error, unless the end was faster."""

        def answered(message: Message, scheduled: float) -> None:
            if self.timed:
                self._setting.figures.command.add(time.monotonic() - scheduled)
            self._setting.figures.counts["commands"] += 1
            if message["t"] == "ok":
                then(message)
            elif message["code"] not in LATE or kind == "create":
                self._complain(at, kind, message)

        self.players[at].request(kind, answered, time.monotonic(), **fields)

    def _complain(self, seat: int, kind: str, error: Message) -> None:
        text = f"{self.players[seat].who}, {kind}: {error['code']}: {error['message']}"
        self._setting.findings.add("error", text)

    # ---- what is new

    def _told(self, seat: int, update: Update) -> None:
        if update.room.id != self.room:
            return
        self._news = time.monotonic()
        if update.kind == "frame":
            self._on_frame(seat, update.room, update.message)
        elif update.kind == "ended":
            self._on_ended(seat)
        elif update.kind == "lost":
            self._complain(seat, "rejoin", update.message)

    def _on_frame(self, seat: int, room: Room, frame: Message) -> None:
        if "why" not in frame:
            self.arrived(frame["v"], self._news)
        if not self._playing and room.zones.get("room", {}).get("status") == "playing":
            self._playing = self.started = True
            if self._ending:
                self._resign()
        prompt = room.question
        if prompt is None or prompt["id"] <= self._asked[seat] or self._resigning:
            return
        self._asked[seat] = prompt["id"]
        most = self._scenario.match.choices
        if most is not None and self._choices >= most:
            self._resign()
        elif (picks := answer(prompt, self._setting.random)) is not None:
            self._schedule(seat, prompt["id"], picks)

    def _schedule(self, seat: int, prompt: int, picks: list[str | int]) -> None:
        self._choices += 1
        now = time.monotonic()
        due = self._when(now)
        if due - now <= TIMER_S:
            self._choose(seat, self.room, prompt, picks, min(due, now))
        else:
            asyncio.get_running_loop().call_later(
                due - now - TIMER_S, self._choose, seat, self.room, prompt, picks, due
            )

    def _when(self, now: float) -> float:
        """Say when the next choice is due: by the room's schedule, which waits for nobody, or after thinking."""
        pace = self._scenario.pace
        if pace.per_s is None:
            return now + pace.think_ms / 1_000
        if self._due is None:
            self._due = now + self._setting.random.random() / pace.per_s
        due, self._due = self._due, self._due + 1 / pace.per_s
        return due

    def _choose(self, seat: int, room: str | None, prompt: int, picks: list[str | int], due: float) -> None:
        if room != self.room or self._resigning:
            return

        def answered(message: Message, scheduled: float) -> None:
            now = time.monotonic()
            if message["t"] == "ok":
                self._chosen(message, scheduled, now)
            elif message["code"] not in LATE:
                self._complain(seat, "choose", message)
            else:
                self._setting.figures.counts["too_late"] += 1

        start = min(due, time.monotonic())
        self.players[seat].request("choose", answered, start, room=room, prompt=prompt, picks=picks)

    def _chosen(self, ok: Message, scheduled: float, now: float) -> None:
        self._setting.figures.counts["choices"] += 1
        if self.timed:
            self._setting.figures.choice.add(now - scheduled)
        if ok.get("v") is not None and ok["room"] == self.room and not ok.get("held"):
            flight = self._flight(ok["v"])
            flight.start = scheduled
            for arrival in flight.arrivals:
                self._delivered(arrival - scheduled)
            flight.arrivals = []

    def _resign(self) -> None:
        if self.room is None or self._resigning or not self._playing:
            return
        self._resigning = True
        for seat in range(len(self.players)):
            self._ask(seat, "resign", lambda _: None, room=self.room)

    def _on_ended(self, seat: int) -> None:
        """When all seats have seen the end, leave, and open the next room."""
        self._over.add(seat)
        if len(self._over) < len(self.players) or self.room is None:
            return
        room, self.room = self.room, None
        self.played.append(room)
        self._setting.figures.counts["matches"] += 1
        for each in range(len(self.players)):
            self._ask(each, "leave", lambda _, each=each: self.players[each].unfollow(room), room=room)  # type: ignore[misc]
        asyncio.get_running_loop().call_later(LINGER_S, self._setting.oracle.finish, room)
        if not self._ending:
            self.begin()

    # ---- deliveries

    def arrived(self, v: int, now: float) -> None:
        """Somebody got a version of the room that is on."""
        flight = self._flight(v)
        if flight.start is None:
            flight.arrivals.append(now)
        else:
            self._delivered(now - flight.start)

    def _flight(self, v: int) -> _Flight:
        if v not in self._flights:
            self._flights[v] = _Flight(None, [])
            if len(self._flights) > FLIGHTS:
                del self._flights[next(iter(self._flights))]
        return self._flights[v]

    def _delivered(self, after_s: float) -> None:
        if self.timed:
            self._setting.figures.delivery.add(after_s)

    def look(self, now: float) -> None:
        """Once a second: look for a room in which nothing happens any more."""
        pace = self._scenario.pace
        patience = STALLED_S + pace.think_ms / 1_000 + (1 / pace.per_s if pace.per_s else 0)
        if self.room is not None and now - self._news > patience:
            text = f"slot {self.slot}: nothing has happened in room {self.room} for {patience:.0f} s"
            self._setting.findings.add("error", text)
            self._news = now
