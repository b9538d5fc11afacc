"""A person's match at a terminal: what is shown when, and what a typed line does.

Knows no game and no rules; whoever makes a conversation has sat down already.
"""

from __future__ import annotations

import asyncio
from typing import Any

from protocol.client import Client, CommandRefused, ConnectionLost, Update
from server.commands.answers import Unclear, expected, picks_from
from server.commands.drawing import plain
from server.commands.screen import Screen
from server.commands.typed import Typed

WARNED_S = 10
HELP = "numbers answer, Enter takes the default; also: show, say TEXT, resign, quit"
Item = Update | ConnectionLost | str | None
"""What a conversation reacts to: news, the end of the connection, a typed line, the end of typing."""


class Conversation:
    """One person's match: updates from the service and lines from the keyboard, one after the other."""

    def __init__(self, client: Client, screen: Screen, typed: Typed) -> None:
        self._client = client
        self._screen = screen
        self._typed = typed
        self._asked: int | None = None
        self._warning: asyncio.TimerHandle | None = None
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()

    async def run(self) -> None:
        """Talk until the match is over, or the person has had enough. Raises ConnectionLost."""
        self._write(HELP)
        sources = [asyncio.create_task(self._follow()), asyncio.create_task(self._listen())]
        try:
            while await self._take(await self._inbox.get()):
                pass
        finally:
            self._calm()
            for source in sources:
                source.cancel()

    async def _follow(self) -> None:
        try:
            async for update in self._client.updates(self._screen.room.id):
                self._inbox.put_nowait(update)
        except ConnectionLost as lost:
            self._inbox.put_nowait(lost)

    async def _listen(self) -> None:
        line: str | None = ""
        while line is not None:
            line = await self._typed.lines.get()
            self._inbox.put_nowait(line)

    async def _take(self, item: Item) -> bool:
        """Deal with one thing. Gives False at the end."""
        if isinstance(item, ConnectionLost):
            raise item
        if isinstance(item, Update):
            return self._show(item)
        if item is None:
            return False
        return await self._obey(item.strip())

    def _show(self, update: Update) -> bool:
        screen = self._screen
        for line in screen.told(update.events):
            screen.console.print(f"  {line}", style="dim")
        if update.kind == "said":
            self._write(f"{update.message['name']}: {update.message['text']}")
        if update.kind in ("frame", "now"):
            self._ask_if_new()
        if screen.room.ended is not None:
            screen.console.print(screen.whole())
            screen.console.print(screen.result(screen.room.ended))
            return False
        return update.kind != "lost"

    def _ask_if_new(self) -> None:
        prompt = self._screen.room.prompt
        if prompt is None:
            self._asked = None
            self._calm()
        elif prompt["id"] != self._asked:
            self._asked = prompt["id"]
            self._screen.console.print(self._screen.whole())
            self._ask(prompt)

    def _ask(self, prompt: dict[str, Any]) -> None:
        self._screen.ask(prompt)
        self._calm()
        left_s = self._screen.left_ms(prompt) / 1_000
        if left_s > 2 * WARNED_S:
            self._warning = asyncio.get_running_loop().call_later(left_s - WARNED_S, self._write, f"{WARNED_S} s left")

    def _calm(self) -> None:
        if self._warning is not None:
            self._warning.cancel()

    async def _obey(self, line: str) -> bool:
        word, _, rest = line.partition(" ")
        try:
            match word:
                case "quit" | "q":
                    return False
                case "help" | "?":
                    self._write(HELP)
                case "show":
                    self._asked = None
                    self._ask_if_new()
                case "say" if rest.strip():
                    await self._client.say(self._screen.room.id, rest.strip())
                case "resign":
                    await self._client.resign(self._screen.room.id)
                case _:
                    await self._answer(line)
        except CommandRefused as refused:
            self._write(told(refused))
            self._ask_again(refused)
        return True

    async def _answer(self, line: str) -> None:
        prompt = self._screen.room.prompt
        if prompt is None:
            if line:
                self._write("it is not your turn to answer")
            return
        try:
            picks = picks_from(line, prompt)
        except Unclear as unclear:
            self._write(str(unclear))
            return
        ok = await self._client.choose(self._screen.room.id, picks, prompt=prompt["id"])
        if ok.get("held"):
            self._write("your answer is kept, and takes effect when its time has come")

    def _ask_again(self, refused: CommandRefused) -> None:
        prompt = self._screen.room.prompt
        if refused.code == "refused" and prompt is not None:
            self._write(f"type {expected(prompt)}")

    def _write(self, text: str) -> None:
        self._screen.console.print(plain(text), style="italic")


def told(refused: CommandRefused) -> str:
    """Say why a command was refused: by the rules' own reason where there is one, and by all faults of a deck."""
    details = refused.details
    if "rule" in details:
        return f"{details.get('text', refused)} ({details['code']}, {details['rule']})"
    faults = "; ".join(f"{fault['where']}: {fault['text']}" for fault in details.get("faults", ()))
    return f"{refused}{': ' if faults else ''}{faults}"
