"""One match of a soak: two players and a watcher, every command sent several times.

Half of the commands go by the reference client and are then sent again; half go on several lines at once. Knows no
game but the options of prompts.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any

import jwt
from msgspec import Struct

from loadtest.answers import answer
from protocol.client import Client, CommandRefused, Update
from protocol.client.room import Message, Room
from tests.e2e.rig import SECRET
from tests.e2e.soak.check import Played, Told
from tests.e2e.soak.lines import Line, Stream
from tests.e2e.soak.stage import Stage, Switch

LINES = 2
AGAIN = 3
PATIENCE_S = 120.0
PLAN: Message = {"decision_s": 600, "holds": False}
OPTIONS: dict[str, Message] = {
    "probe": {"plan": ["draw", "number", "both", "give"], "laps": 30, "target": 1_000},
    "relay": {"moves": 120},
    "disciple": {},
}


class Setting(Struct):
    """What all matches of a part share. ``ending``: play no further. ``rooms``: those that are on."""

    stage: Stage
    switch: Switch
    chance: Random
    ending: asyncio.Event
    rooms: set[str]

    async def ends_within(self, seconds: float) -> bool:
        """Wait for so long, or until the end of the part: then it is true."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.ending.wait()
        return self.ending.is_set()


class Notes(Struct):
    """What is noted of a match while it is played."""

    told: list[Told] = []
    oddities: list[str] = []
    commands: int = 0
    doubled: int = 0


def over(room: Room) -> bool:
    """Say whether a room has ended."""
    return "result" in room.zones.get("room", {})


class Player:
    """One seat: a client that follows, and lines to other nodes by which commands are sent again."""

    def __init__(self, setting: Setting, seat: int, notes: Notes) -> None:
        self._setting, self._seat, self._notes = setting, seat, notes
        claims = {"sub": f"soak-{secrets.token_hex(8)}", "name": "Soak", "exp": int(time.time()) + 86_400}
        token = jwt.encode(claims, SECRET, "HS256")
        self.stream = Stream()
        self.client = Client(setting.switch.url, token=token, recorder=self.stream, patience_s=PATIENCE_S)  # type: ignore[arg-type]
        self.lines = [Line(setting.stage.living, token, setting.chance) for _ in range(LINES)]
        self._done = 0

    async def create(self, game: str) -> str:
        """Open the room, once."""
        fields: Message = {"game": game, "options": OPTIONS[game], "seats": [{}, {}], "room": PLAN}
        ok = await self.client.create(**fields)
        await self._again({"t": "create", "id": ok["id"], **fields}, ok)
        self._notes.commands += 1
        return str(ok["room"])

    async def enter(self, room: str) -> None:
        """Take the seat and be ready."""
        await self.client.join(room, seat=self._seat)
        for line in self.lines:
            line.room = room
        fields = {"room": room, "entropy": secrets.token_bytes(16)}
        ok = await self.client.ready(room, entropy=fields["entropy"])
        await self._again({"t": "ready", "id": ok["id"], **fields}, ok)
        self._note(ok, None, ())

    async def play(self, room: str) -> None:
        """Answer what is asked until the match is over, or the soak: then give it up."""
        async for update in self.client.updates(room):
            if _lost(update):
                self._done = 0
            if over(update.room):
                return
            if self._setting.ending.is_set():
                await self._resign(room)
            elif (prompt := update.room.prompt) is not None and prompt["id"] > self._done:
                await self._choose(room, prompt)

    async def _choose(self, room: str, prompt: Message) -> None:
        self._done = prompt["id"]
        picks = answer(prompt, self._setting.chance)
        if picks is None:
            return
        fields = {"t": "choose", "room": room, "prompt": prompt["id"], "picks": picks}
        if self._setting.chance.random() < 0.5:
            ok = await self._by_client(room, prompt["id"], picks)
        else:
            ok = await self._on_all_lines({"id": secrets.token_hex(8), **fields})
        if ok is not None:
            await self._again({"id": ok["id"], **fields}, ok)
            self._note(ok, prompt["id"], tuple(picks))

    async def _by_client(self, room: str, prompt: int, picks: list[Any]) -> Message | None:
        unsure = False
        while True:
            try:
                return await self.client.choose(room, picks, prompt=prompt)
            except CommandRefused as refused:
                if refused.code in ("unavailable", "busy"):
                    unsure = True  # it may have been done: then the next one is too late
                    continue
                if not self._may_refuse(refused.code, unsure=unsure):
                    self._odd(f"room {room}, prompt {prompt}: {refused}")
                return None

    async def _on_all_lines(self, command: Message) -> Message | None:
        answers = await asyncio.gather(*(line.tell(command) for line in self.lines))
        if any(each != answers[0] for each in answers):
            self._differ(command, answers)
        if answers[0]["t"] == "ok":
            return answers[0]
        if not self._may_refuse(answers[0]["code"]):
            self._odd(f"{command}: {answers[0]}")
        return None

    def _may_refuse(self, code: str, *, unsure: bool = False) -> bool:
        """Say whether a refusal is in order: the other has given up meanwhile, or an earlier try was done after all."""
        return self._setting.ending.is_set() or (unsure and code == "stale_prompt")

    async def _again(self, command: Message, first: Message) -> None:
        """Send a command up to three times more, each on another line than the one before."""
        for number in range(self._setting.chance.randint(0, AGAIN)):
            later = await self.lines[number % LINES].tell(command)
            if later != first:
                self._differ(command, [first, later])

    def _differ(self, command: Message, answers: list[Message]) -> None:
        if self._setting.ending.is_set() and all(each["t"] == "error" for each in answers):
            return
        self._notes.doubled += 1
        self._odd(f"{command} has several outcomes: {answers}")

    async def _resign(self, room: str) -> None:
        while True:
            try:
                await self.client.resign(room)
            except CommandRefused as refused:
                if refused.code in ("unavailable", "busy"):
                    continue
                if refused.code != "wrong_status":
                    self._odd(f"room {room}, resign: {refused}")
            else:
                self._notes.commands += 1
            return

    def _note(self, ok: Message, prompt: int | None, picks: tuple[Any, ...]) -> None:
        self._notes.commands += 1
        self._notes.told.append(Told(self._seat, ok["v"], prompt, picks))

    def _odd(self, text: str) -> None:
        self._notes.oddities.append(text)


def _lost(update: Update) -> bool:
    return bool(update.message.get("why") == "lost")


async def match(setting: Setting, game: str) -> Played:
    """Play one match to its end, or until the soak ends."""
    notes, watching = Notes(), Stream()
    players = [Player(setting, seat, notes) for seat in (0, 1)]
    async with AsyncExitStack() as stack:
        for player in players:
            await stack.enter_async_context(player.client)
            for line in player.lines:
                stack.push_async_callback(line.close)
        room = await players[0].create(game)
        setting.rooms.add(room)
        stack.callback(setting.rooms.discard, room)
        watcher = Client(setting.switch.url, recorder=watching, patience_s=PATIENCE_S)  # type: ignore[arg-type]
        await stack.enter_async_context(watcher)
        await watcher.join(room, role="spectator")
        for player in players:
            await player.enter(room)
        await asyncio.gather(*(player.play(room) for player in players), _watch(watcher, room))
        return _played(room, notes, [player.stream for player in players], watching)


async def _watch(watcher: Client, room: str) -> None:
    async for update in watcher.updates(room):
        if over(update.room):
            return


def _played(room: str, notes: Notes, streams: list[Stream], watching: Stream) -> Played:
    breaks = [text for stream in (*streams, watching) for text in stream.breaks]
    seen = [line for seat, stream in enumerate(streams) for line in stream.recording(room, seat)]
    seen += watching.recording(room, "public")
    return Played(room, notes.commands, notes.told, breaks, notes.oddities, notes.doubled, seen)
