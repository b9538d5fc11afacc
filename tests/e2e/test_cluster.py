"""Matches over two nodes on a Cluster: slots migrate and a primary is killed, and every ok and every frame stands."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.store import keys
from tests.e2e.insisting import check_replay, finish, is_over, step
from tests.e2e.rig import Node, Raw
from tests.e2e.test_together import seated
from tests.valkey_cluster import Member, ValkeyCluster, cluster_servers, valkey_cluster  # noqa: F401 - fixtures

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
MATCHES = 3


@pytest.fixture
def pair(valkey_cluster: ValkeyCluster) -> Iterator[tuple[Node, Node]]:  # noqa: F811
    """Two nodes on the Cluster whose oks survive a failover."""
    nodes: list[Node] = []
    try:
        nodes += [Node(valkey_cluster.url, {"DURABILITY": "replicated"}) for _ in range(2)]
        yield nodes[0], nodes[1]
    finally:
        for node in nodes:
            node.kill()


def _slot(room: str) -> int:
    return keys.slot(keys.partition(room))


def _another(cluster: ValkeyCluster, room: str) -> Member:
    return next(member for member in cluster.primaries() if member is not cluster.primary(_slot(room)))


async def _until_taken_over(cluster: ValkeyCluster, room: str, victim: Member) -> None:
    for _ in range(600):
        if await asyncio.to_thread(cluster.primary, _slot(room)) is not victim:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("nobody took over")


async def _disturb(cluster: ValkeyCluster, rooms: list[str], moves: int, kills: int) -> None:
    """Let slots go to and fro, and primaries die and come back."""
    for _ in range(moves):
        for room in rooms:
            await asyncio.to_thread(cluster.move, _slot(room), _another(cluster, room))
            await asyncio.sleep(0.1)
    cluster.brisk()
    for number in range(kills):
        room = rooms[number % len(rooms)]
        victim = cluster.primary(_slot(room))
        victim.kill()
        await _until_taken_over(cluster, room, victim)
        await asyncio.to_thread(cluster.heal)


async def test_matches_go_on_while_slots_migrate_and_a_primary_is_killed(
    pair: tuple[Node, Node], valkey_cluster: ValkeyCluster, connect: Connect, account: Account,  # noqa: F811
    tmp_path: Path, request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    moves, kills, pause_s = (40, 8, 1.0) if request.config.getoption("--long") else (3, 1, 0.1)
    matches: dict[str, tuple[list[Raw], Raw]] = {}
    for _ in range(MATCHES):
        options = {"plan": ["number"], "laps": 60, "target": 1_000}
        room, *players = await seated(list(pair), connect, account, options, room={"decision_s": 600})
        watcher = await connect(pair[1])
        assert (await watcher.ask({"t": "join", "room": room, "role": "spectator"}))["t"] == "ok"
        matches[room] = players, watcher
    disturbing = asyncio.ensure_future(_disturb(valkey_cluster, list(matches), moves, kills))

    async def play(room: str, players: list[Raw]) -> None:
        chance = random.Random(room)
        while not disturbing.done():
            if await step(room, players, chance) is None:
                return
            await asyncio.sleep(pause_s)
        await finish(room, players, chance)

    await asyncio.gather(disturbing, *(play(room, players) for room, (players, _) in matches.items()))
    for number, (room, (players, watcher)) in enumerate(matches.items()):
        await watcher.view(room, is_over)
        folder = tmp_path / str(number)
        folder.mkdir()
        check_replay(pair[number % 2], room, folder, players, watcher)
    for node in pair:
        assert node.http("GET", "/readyz").status_code == 200
