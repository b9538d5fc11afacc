"""Matches of probe between two guests, a player on each of two nodes, and coming back to one by another node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.insisting import insist
from tests.e2e.rig import Node, Raw

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def begin(
    nodes: tuple[Node, Node], connect: Connect, account: Account, plan: list[str], **more: Any
) -> tuple[str, list[str], list[Raw]]:
    """Start a match of four laps. Gives the room, both tokens and both clients."""
    tokens = [account(nodes[0], name) for name in ("Ann", "Bob")]
    players = [await connect(node, token) for node, token in zip(nodes, tokens, strict=True)]
    options = {"plan": plan, "laps": 4, "target": 1_000, "tricks": 3}
    create = {"t": "create", "game": "probe", "options": options, "seats": [{}, {}], "room": {"decision_s": 120}}
    room = (await players[0].ask(create | more))["room"]
    for client in players:
        assert (await client.ask({"t": "join", "room": room}))["t"] == "ok"
    for client in players:
        await client.ask({"t": "ready", "room": room})
    for client in players:
        await client.view(room, lambda view: view["zones"]["room"]["status"] == "playing")
    return room, tokens, players


async def come_back(node: Node, connect: Connect, token: str | None, room: str, old: Raw) -> Raw:
    """Come back by another node, with where one stood, and with what was recorded."""
    view = old.views[room]
    back: Raw = await connect(node, token)
    back.views[room], back.frames[room] = view, old.frames[room]
    role = "player" if token else "spectator"
    await insist(back, {"t": "join", "room": room, "role": role, "since": {"v": view["v"], "tip": view["tip"]}})
    return back
