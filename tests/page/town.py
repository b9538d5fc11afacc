"""What tests of the page look at: one server with matches in play, and tabs that note every complaint."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, expect

from engines.bots import random_picks
from engines.registry import games
from protocol.client import Client, CommandRefused
from server.commands.robot import prompt_from
from tests.e2e.rig import Message, Node, guest

NAMES = ("Ada", "Blaise", "Clara")
QUICK_V = 24
PAUSE_S = 0.7
PATIENCE_MS = 20_000
OPTIONS: dict[str, Message] = {"relay": {"moves": 1_000}, "probe": {"laps": 20, "target": 1_000}}


class Town:
    """A server with a Valkey of its own, and clients that play on it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="town-")
        self.folder = Path(self._folder.name)
        self.node = Node(None, {}, self.folder)
        self._players: list[asyncio.Task[None]] = []

    def create(self, game: str, seats: int, token: str, **plan: object) -> Message:
        """Open a room with free seats."""
        options = OPTIONS.get(game, {})
        body = {"game": game, "options": options, "seats": [{}] * seats, "room": {"holds": False, **plan}}
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": secrets.token_hex(8)}
        answer = self.node.http("POST", "/v1/rooms", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        made: Message = answer.json()
        return made

    def match(self, game: str, names: tuple[str, ...] = NAMES[:2], pause_s: float = PAUSE_S, **plan: Any) -> Message:
        """Let a match be played, a client a seat: quickly into its middle, then so slowly that it lasts."""
        tokens = [guest(self.node, name) for name in names]
        made = self.create(game, len(names), tokens[0], **plan)
        rules = games()[game]
        decks = list(rules.ready_decks(next(iter(rules.packs().values())))) if rules.brings_decks else [None]
        for seat, token in enumerate(tokens):
            deck = decks[seat % len(decks)]
            self._players.append(asyncio.create_task(self._play(game, made, token, seat, deck, pause_s)))
        return {**made, "tokens": tokens}

    async def _play(self, game: str, made: Message, token: str, seat: int, deck: str | None, pause_s: float) -> None:
        bot, room = next(iter(games()[game].bots.values()), random_picks), made["room"]
        async with Client(self.node.ws, token=token) as client:
            await client.join(room, seat=seat, deck=deck, code=made.get("code"))
            await client.ready(room, entropy=secrets.token_bytes(16))
            answered = None
            async for update in client.updates(room):
                prompt = update.room.prompt
                if prompt is None or prompt["id"] == answered:
                    continue
                answered = prompt["id"]
                await asyncio.sleep(pause_s if update.room.v > QUICK_V else 0)
                zones = {name: zone for name, zone in update.room.zones.items() if name != "room"}
                picks = bot(seat, zones, prompt_from(prompt, seat), Random(update.room.v))
                with suppress(CommandRefused):  # somebody else was faster
                    await client.choose(room, picks, prompt=answered)

    async def until_middle(self, room: str) -> None:
        """Wait until a match is well under way."""
        async with Client(self.node.ws) as watcher:
            await watcher.join(room, role="spectator")
            async for update in watcher.updates(room):
                if update.room.v > QUICK_V or update.room.ended is not None:
                    return

    def restart(self) -> None:
        """Kill the server as a crash would, and start it again at the same address; its Valkey lives on."""
        port = self.node.address.rpartition(":")[2]
        self.node.crash()
        self.node = Node(None, {"port": port}, self.folder)

    async def close(self) -> None:
        for player in self._players:
            player.cancel()
        await asyncio.gather(*self._players, return_exceptions=True)
        assert self.node.stop() == 0
        self._folder.cleanup()


class Tabs:
    """Opens tabs, each in a profile of its own; ``complaints``: all errors and warnings of their consoles."""

    def __init__(self, browser: Browser, town: Town) -> None:
        self._browser, self._town = browser, town
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        expect.set_options(timeout=PATIENCE_MS)

    async def open(self, address: str = "", width: int = 1280, **options: Any) -> Page:
        """Open the page at ``/ADDRESS``, at so many pixels of width."""
        context = await self._browser.new_context(viewport={"width": width, "height": 800}, **options)
        context.set_default_timeout(PATIENCE_MS)
        self._contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        await page.goto(f"http://{self._town.node.address}/{address}")
        return page

    async def watch(self, room: str, **options: Any) -> Page:
        """Open a room, and wait until its table is drawn."""
        page = await self.open(f"#room={room}", **options)
        await page.locator("#table .board").wait_for()
        return page

    async def close(self) -> None:
        """Close all tabs, and forget what they complained of."""
        for context in self._contexts:
            await context.close()
        self._contexts.clear()
        self.complaints.clear()
