"""Crashes in mid-match: of a node, of Valkey, of the whole server. The match ends, and its replay verifies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Node, Raw, picks_for
from tests.e2e.test_resume import duel, play_on
from tests.valkey import Server

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def _return(node: Node, connect: Connect, token: str | None, room: str, old: Raw) -> Raw:
    """Come back with where one stood, and keep what was recorded."""
    view = old.views[room]
    back: Raw = await connect(node, token)
    back.views[room], back.frames[room] = view, old.frames[room]
    role = "player" if token else "spectator"
    answer = await back.ask({"t": "join", "room": room, "role": role, "since": {"v": view["v"], "tip": view["tip"]}})
    assert answer["t"] == "ok", answer
    return back


async def _finish(room: str, players: list[Raw], chance: random.Random, watcher: Raw) -> None:
    while await play_on(room, players, chance) is not None:
        pass
    for client in (*players, watcher):
        await client.view(room, lambda view: "result" in view["zones"]["room"])


async def test_a_node_killed_in_mid_choice_costs_nothing_but_its_sockets(
    start: Callable[..., Node], connect: Connect, account: Account, tmp_path: Path
) -> None:
    nodes, chance = [start(), start(), start()], random.Random(5)
    room, tokens, players = await duel((nodes[0], nodes[1]), connect, account)
    watcher = await connect(nodes[2])
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for _ in range(10):
        await play_on(room, players, chance)
    seat = players[0].views[room]["waiting_for"][0]["seat"]
    view = await players[seat].view(room, lambda view: view["prompt"] is not None)
    choice = {
        "t": "choose", "id": "in-flight", "room": room, "prompt": view["prompt"]["id"],
        "picks": picks_for(view["prompt"], chance.choice),
    }  # fmt: skip
    await players[seat].send(choice)
    nodes[seat].crash()
    players[seat] = await _return(nodes[2], connect, tokens[seat], room, players[seat])
    done = await players[seat].ask(choice)  # sent again: done once, whether or not it was before
    assert done["t"] == "ok", done
    for client in players:
        await client.view(room, lambda view: view["v"] >= done["v"])
    await _finish(room, players, chance, watcher)
    seen: dict[int | str, list[str]] = {at: recorded(client, room, at) for at, client in enumerate(players)}
    verify(nodes[2], room, tmp_path, seen | {"public": recorded(watcher, room, "public")})


async def test_valkey_killed_in_mid_match_is_survived_by_every_ok(
    two: tuple[Node, Node], own_valkey: Server, connect: Connect, account: Account, tmp_path: Path
) -> None:
    chance = random.Random(6)
    room, _, players = await duel(two, connect, account)
    watcher = await connect(two[1])
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for _ in range(10):
        await play_on(room, players, chance)
    own_valkey.kill()
    seat = players[0].views[room]["waiting_for"][0]["seat"]
    prompt = (await players[seat].view(room, lambda view: view["prompt"] is not None))["prompt"]
    choice = {
        "t": "choose",
        "id": "in-flight",
        "room": room,
        "prompt": prompt["id"],
        "picks": picks_for(prompt, chance.choice),
    }
    refused = await players[seat].ask(choice)
    assert (refused["code"], refused["retryable"]) == ("unavailable", True)
    own_valkey.start()
    for _ in range(100):
        done = await players[seat].ask(choice)
        if done["t"] == "ok":
            break
        await asyncio.sleep(0.1)
    assert done["t"] == "ok", done
    await _finish(room, players, chance, watcher)
    seen: dict[int | str, list[str]] = {at: recorded(client, room, at) for at, client in enumerate(players)}
    verify(two[0], room, tmp_path, seen | {"public": recorded(watcher, room, "public")})


async def test_a_server_killed_with_its_own_valkey_running_adopts_it_and_the_players_finish(
    connect: Connect, account: Account, tmp_path: Path
) -> None:
    chance = random.Random(7)
    first = Node(None, {}, tmp_path)
    room, tokens, players = await duel((first, first), connect, account)
    watcher = await connect(first)
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for _ in range(8):
        await play_on(room, players, chance)
    first.crash()
    second = Node(None, {}, tmp_path)
    try:
        players = [await _return(second, connect, token, room, old) for token, old in zip(tokens, players, strict=True)]
        watcher = await _return(second, connect, None, room, watcher)
        await _finish(room, players, chance, watcher)
        seen: dict[int | str, list[str]] = {at: recorded(client, room, at) for at, client in enumerate(players)}
        verify(second, room, tmp_path, seen | {"public": recorded(watcher, room, "public")})
    finally:
        assert second.stop() == 0
