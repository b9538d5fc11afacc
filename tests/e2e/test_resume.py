"""Clients that are cut off and come back on another node, and snapshots that say why."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import msgpack

from tests.e2e.rig import Node, Raw, picks_for

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def duel(nodes: tuple[Node, Node], connect: Connect, account: Account) -> tuple[str, list[str], list[Raw]]:
    """Start a match of disciple, a player on each node. Gives the room, both tokens and both clients."""
    tokens = [account(nodes[0], "Ann"), account(nodes[0], "Bob")]
    players = [await connect(node, token) for node, token in zip(nodes, tokens, strict=True)]
    room = (await players[0].ask({"t": "create", "game": "disciple", "room": {"holds": False}}))["room"]
    for client in players:
        await client.ask({"t": "join", "room": room})
    for client in players:
        done = await client.ask({"t": "ready", "room": room})
    await players[0].view(room, lambda view: view["v"] >= done["v"])
    return room, tokens, players


async def play_on(room: str, players: list[Raw], chance: random.Random) -> int | None:
    """Let whoever is asked choose; gives the version made, None if the match is over."""
    latest = max((player.views[room] for player in players), key=lambda view: view["v"])
    if not latest["waiting_for"]:
        return None
    client = players[latest["waiting_for"][0]["seat"]]
    view = await client.view(room, lambda view: view["v"] >= latest["v"])
    picks = picks_for(view["prompt"], chance.choice)
    done = await client.ask({"t": "choose", "room": room, "prompt": view["prompt"]["id"], "picks": picks})
    assert done["t"] == "ok", done
    await client.view(room, lambda view: view["v"] >= done["v"])
    return int(done["v"])


class Returner:
    """A client that is cut again and again, and comes back on the other node with where it stood."""

    def __init__(self, nodes: tuple[Node, Node], token: str, room: str, client: Raw) -> None:
        self.nodes, self.token, self.room, self.client = nodes, token, room, client
        self.kept: list[bytes] = []
        self.cuts = 0

    async def come_back(self, connect: Connect, before: Any = None) -> None:
        view = self.client.views[self.room]
        await self.client.cut()
        self.kept += self.client.frames[self.room]
        if before is not None:
            await before()
        self.cuts += 1
        back: Raw = await connect(self.nodes[self.cuts % 2], self.token)
        back.views[self.room], back.frames[self.room] = view, []
        answer = await back.ask({"t": "join", "room": self.room, "since": {"v": view["v"], "tip": view["tip"]}})
        assert answer["t"] == "ok", answer
        self.client = back

    def stream(self) -> bytes:
        return b"".join(self.kept + self.client.frames[self.room])


async def test_a_client_cut_at_a_hundred_points_resumes_on_the_other_node_with_the_very_bytes(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    chance, cuts = random.Random(4), 0
    while cuts < 100:
        room, tokens, players = await duel(two, connect, account)
        twin, cut = [await connect(node, tokens[1]) for node in two]
        for client in (twin, cut):
            await client.ask({"t": "join", "room": room})
        returner = Returner(two, tokens[1], room, cut)
        while (v := await play_on(room, players, chance)) is not None:
            last = v
            if chance.random() < 0.4:
                await returner.come_back(connect)
            elif chance.random() < 0.3:
                await returner.come_back(connect, partial(play_on, room, players, chance))
        for client in (twin, returner.client):
            await client.view(room, lambda view: "result" in view["zones"]["room"])
        assert twin.views[room]["v"] >= last
        assert returner.stream() == b"".join(twin.frames[room])
        cuts += returner.cuts


async def test_a_client_that_was_away_too_long_gets_one_snapshot_that_says_trimmed(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    token = account(two[0], "Ann")
    ann = await connect(two[0], token)
    options = {"plan": ["number"], "laps": 100, "target": 1_000}
    room = (await ann.ask({"t": "create", "game": "probe", "options": options}))["room"]
    await ann.ask({"t": "join", "room": room})
    await ann.ask({"t": "ready", "room": room})
    early = dict(await ann.view(room, lambda view: view["prompt"] is not None))
    for _ in range(90):
        prompt = ann.views[room]["prompt"]["id"]
        done = await ann.ask({"t": "choose", "room": room, "prompt": prompt, "picks": [5]})
        await ann.view(room, lambda view, v=done["v"]: view["v"] >= v)
    back = await connect(two[1], token)
    await back.ask({"t": "join", "room": room, "since": {"v": early["v"], "tip": early["tip"]}})
    assert [msgpack.unpackb(raw)["why"] for raw in back.frames[room]] == ["trimmed"]
    assert back.views[room]["zones"] == ann.views[room]["zones"]


async def test_a_position_from_another_history_gets_a_snapshot_that_says_lost(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    token = account(two[0], "Ann")
    ann = await connect(two[0], token)
    room = (await ann.ask({"t": "create", "game": "probe"}))["room"]
    await ann.ask({"t": "join", "room": room})
    for since in ({"v": 1, "tip": "elsewhere"}, {"v": 99, "tip": "elsewhere"}):
        back = await connect(two[1], token)
        await back.ask({"t": "join", "room": room, "since": since})
        assert [msgpack.unpackb(raw)["why"] for raw in back.frames[room]] == ["lost"]


async def test_a_client_that_missed_nothing_gets_nothing(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, tokens, players = await duel(two, connect, account)
    view = players[0].views[room]
    back = await connect(two[1], tokens[0])
    await back.ask({"t": "join", "room": room, "since": {"v": view["v"], "tip": view["tip"]}})
    assert room not in back.frames


async def test_watchers_who_join_at_random_moments_all_end_with_the_same_view(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    nodes = (start(), start(), start())
    chance = random.Random(1)
    room, _, players = await duel(nodes[:2], connect, account)
    watchers: list[Raw] = []
    while await play_on(room, players, chance) is not None:
        if len(watchers) < 60:
            watcher = await connect(nodes[len(watchers) % 3])
            await watcher.ask({"t": "join", "room": room, "role": "spectator"})
            watchers.append(watcher)
    for watcher in watchers:
        await watcher.view(room, lambda view: "result" in view["zones"]["room"])
        versions = [msgpack.unpackb(raw)["v"] for raw in watcher.frames[room]]
        assert versions == list(range(versions[0], versions[-1] + 1))
        assert watcher.views[room]["zones"] == watchers[0].views[room]["zones"]
