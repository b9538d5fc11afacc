"""A bot as an ordinary client: it sees what its seat is sent, and answers over the wire.

Knows no game: the choice is made by a bot of the game, from the view and the prompt.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from engines.bots import random_picks
from engines.registry import games
from engines.rules import Bot
from protocol.client import Client, CommandRefused
from protocol.prompt import Prompt

TOO_LATE = ("stale_prompt", "wrong_status")


def bot_for(game: str) -> Bot:
    """Give the game's first bot, or one that plays by chance."""
    rules = games().get(game)
    return next(iter(rules.bots.values()), random_picks) if rules is not None else random_picks


async def take_part(client: Client, room_id: str, seat: int, deck: str | None, bot: Bot, pause_s: float) -> None:
    """Sit down, be ready, and answer every prompt until the match is over. ``pause_s``: before each answer."""
    await client.join(room_id, seat=seat, deck=deck)
    await client.ready(room_id, entropy=secrets.token_bytes(16))
    answered = None
    async for update in client.updates(room_id):
        room = update.room
        if room.ended is not None:
            return
        if room.prompt is None or room.prompt["id"] == answered:
            continue
        answered = room.prompt["id"]
        zones = {name: zone for name, zone in room.zones.items() if name != "room"}
        picks = bot(seat, zones, prompt_from(room.prompt, seat), Random(secrets.token_bytes(8)))
        if picks or not room.prompt.get("optional"):
            await asyncio.sleep(pause_s)
            await _choose(client, room_id, picks, answered)


async def _choose(client: Client, room_id: str, picks: tuple[str | int, ...], prompt: int) -> None:
    try:
        await client.choose(room_id, picks, prompt=prompt)
    except CommandRefused as refused:
        if refused.code not in TOO_LATE:  # the clock, or the end, was faster
            raise


def prompt_from(message: Mapping[str, Any], seat: int) -> Prompt:
    """Read a prompt as the wire has it; id and deadline are not a game's business."""
    return msgspec.convert({**message, "seat": seat}, Prompt)
