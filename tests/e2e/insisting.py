"""Players who resend a command under its id until it is ok, and what the frames they got amount to."""

from __future__ import annotations

import asyncio
import random
import secrets
from pathlib import Path

import msgpack

from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Message, Node, Raw, picks_for

PATIENCE_S = 40.0


async def insist(client: Raw, message: Message) -> Message:
    """Send a command until it is ok; whatever else is answered must be worth another try."""
    message = {"id": secrets.token_hex(8), **message}
    async with asyncio.timeout(PATIENCE_S):
        while (done := await client.ask(message))["t"] != "ok":
            assert done.get("retryable"), done
            assert done["code"] in ("unavailable", "busy"), done
            await asyncio.sleep(0.05)
    return done


def is_over(view: Message) -> bool:
    return "result" in view["zones"]["room"]


async def step(room: str, players: list[Raw], chance: random.Random) -> int | None:
    """Let whoever is asked choose, whatever it takes; gives the version made, None if the match is over."""
    latest = max((player.views[room] for player in players), key=lambda view: view["v"])
    if is_over(latest):
        return None
    client = players[latest["waiting_for"][0]["seat"]]
    view = await client.view(room, lambda view: view["v"] >= latest["v"] and view["prompt"] is not None)
    prompt = view["prompt"]
    picks = picks_for(prompt, chance.choice)
    done = await insist(client, {"t": "choose", "room": room, "prompt": prompt["id"], "picks": picks})
    for player in players:
        await player.view(room, lambda view: view["v"] >= done["v"])
    return int(done["v"])


async def finish(room: str, players: list[Raw], chance: random.Random) -> None:
    """Play to the end."""
    while await step(room, players, chance) is not None:
        pass


def standing(client: Raw, room: str) -> list[Message]:
    """Give the frames that still count: a snapshot that says `lost` takes those from its version on back."""
    kept: list[Message] = []
    for frame in map(msgpack.unpackb, client.frames[room]):
        if frame.get("why") == "lost":
            kept = [one for one in kept if one["v"] < frame["v"]]
        assert not kept or frame["v"] == kept[-1]["v"] + 1 or frame.get("why"), (kept[-1]["v"], frame["v"])
        kept.append(frame)
    return kept


def check_replay(node: Node, room: str, folder: Path, players: list[Raw], watcher: Raw) -> None:
    """Check the match again, and every frame that still counts against it."""
    seen: dict[int | str, list[str]] = {}
    for audience, client in [*enumerate(players), ("public", watcher)]:
        counts = {(frame["v"], frame["tip"]) for frame in standing(client, room)}
        client.frames[room] = [raw for raw in client.frames[room] if _head(raw) in counts]
        seen[audience] = recorded(client, room, audience)
    verify(node, room, folder, seen)


def _head(raw: bytes) -> tuple[int, str]:
    frame = msgpack.unpackb(raw)
    return frame["v"], frame["tip"]


def reasons(client: Raw, room: str) -> list[str]:
    """Give why each snapshot of a room came."""
    return [why for why in (msgpack.unpackb(raw).get("why") for raw in client.frames[room]) if why]
