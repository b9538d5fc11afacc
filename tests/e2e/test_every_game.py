"""Every game over the wire on two nodes: choices sent twice, a node killed in mid-choice, a replay that verifies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engines.registry import game, games
from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Message, Node, Raw, picks_for

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
CHOICES = 40
GAMES = sorted(name for name in games() if not name.startswith("probe"))


async def _sit(name: str, node: Node, connect: Connect, tokens: list[str]) -> tuple[str, list[Raw], Raw]:
    """Start a match; gives the room, a client for each seat, and one that watches."""
    players = [await connect(node, token) for token in tokens]
    order = {"t": "create", "game": name, "seats": [{} for _ in tokens], "room": {"holds": False}}
    room = (await players[0].ask(order))["room"]
    for client in players:
        await client.ask({"t": "join", "room": room})
    watcher = await connect(node)
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for client in players:
        done = await client.ask({"t": "ready", "room": room})
    for client in (*players, watcher):
        await client.view(room, lambda view, v=done["v"]: view["v"] >= v)
    return room, players, watcher


async def _choice(room: str, players: list[Raw], chance: random.Random, count: int) -> tuple[int, Message] | None:
    """Give who is asked, and a choice of theirs; None if the match is over."""
    latest = max((player.views[room] for player in players), key=lambda view: view["v"])
    if not latest["waiting_for"]:
        return None
    seat = latest["waiting_for"][0]["seat"]
    view = await players[seat].view(room, lambda view: view["v"] >= latest["v"] and view["prompt"] is not None)
    picks = picks_for(view["prompt"], chance.choice)
    return seat, {"t": "choose", "id": f"c{count}", "room": room, "prompt": view["prompt"]["id"], "picks": picks}


async def _twice(one: Raw, other: Raw, choice: Message) -> Message:
    """Send a command to two nodes at once: one outcome."""
    await asyncio.gather(one.send(choice), other.send(choice))
    first, second = await one.answer(choice["id"]), await other.answer(choice["id"])
    assert first == second
    assert first["t"] == "ok", first
    return first


@pytest.mark.parametrize("name", GAMES)
async def test_a_match_sent_twice_outlives_a_node_and_verifies_for_everybody(
    name: str, start: Callable[..., Node], connect: Connect, account: Account, tmp_path: Path
) -> None:
    kept, killed, chance = start(), start(), random.Random(11)
    tokens = [account(kept, f"P{seat}") for seat in range(max(2, game(name).seats[0]))]
    room, players, watcher = await _sit(name, kept, connect, tokens)
    twins = [await connect(killed, token) for token in tokens]
    for count in range(CHOICES):
        if (asked := await _choice(room, players, chance, count)) is None:
            break
        seat, choice = asked
        done = await _twice(players[seat], twins[seat], choice)
        for client in players:
            await client.view(room, lambda view, v=done["v"]: view["v"] >= v)
    if (asked := await _choice(room, players, chance, CHOICES)) is not None:
        seat, choice = asked
        await twins[seat].send(choice)
        killed.crash()
        done = await players[seat].ask(choice)  # sent again: done once, whether or not it was before
        assert done["t"] == "ok", done
        for client in players:  # whoever gives up last ends the match, whatever it makes of that
            await client.ask({"t": "resign", "room": room})
    for client in (*players, watcher):
        await client.view(room, lambda view: "result" in view["zones"]["room"])
    seen: dict[int | str, list[str]] = {at: recorded(client, room, at) for at, client in enumerate(players)}
    verify(kept, room, tmp_path, seen | {"public": recorded(watcher, room, "public")})
