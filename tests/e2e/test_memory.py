"""What a node takes up stays below the formula of docs/operations.md, whoever does not read."""

from __future__ import annotations

import asyncio
import random
import re
import socket
from pathlib import Path

import msgpack

from tests.e2e.rig import PATIENCE_S, Node, Raw, guest, picks_for
from tests.e2e.wire import frame, memory_kib, others_play_on

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
OUTBOX_KIB = 64
WATCHING, ASKING, COMMANDS, VERSIONS = 40, 12, 500, 60
ELSEWHERE_KIB = 15_000
"""What a node takes when it does something for the first time, and what Python keeps for itself."""


def _figure(name: str) -> int:
    """Read a figure of the formula from the page that promises it."""
    found = re.search(rf"^\| {re.escape(name)}[^|]*\| (\d+) KiB", PAGE, re.MULTILINE)
    assert found is not None, name
    return int(found[1])


async def _until_slow_closes(node: Node, many: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while f"sanctum_slow_closes_total {many}." not in node.http("GET", "/metrics").text:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


def _deafen(client: Raw) -> None:
    """Let a client read no more, and its line take little."""
    transport = client.socket.transport
    transport.pause_reading()
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)


# Its refusal is as long as a refusal may be, and nobody else gets the same one.
OPTIONS = {f"no_such_option_{n}": n for n in range(400)}
WRONG = frame(0x2, msgpack.packb({"t": "create", "id": "wrong", "game": "disciple", "options": OPTIONS}))


async def _seated(node: Node, clients: list[Raw]) -> tuple[str, list[Raw]]:
    """Let two sit down at a game with large frames."""
    players = [await Raw.open(node, guest(node, name)) for name in ("Ann", "Bob")]
    clients += players
    room = str((await players[0].ask({"t": "create", "game": "knights", "room": {"holds": False}}))["room"])
    for player in players:
        await player.ask({"t": "join", "room": room})
    return room, players


async def _play(room: str, players: list[Raw]) -> None:
    """Play so many versions."""
    chance, v = random.Random(1), 0
    for player in players:
        v = (await player.ask({"t": "ready", "room": room}))["v"]
    while v < VERSIONS:
        view = await players[0].view(room, lambda view, least=v: view["v"] >= least)
        if "result" in view["zones"]["room"]:
            return
        player = players[view["waiting_for"][0]["seat"]]
        asked = await player.view(room, lambda view, least=v: view["v"] >= least and view["prompt"] is not None)
        picks = picks_for(asked["prompt"], chance.choice)
        done = await player.ask({"t": "choose", "room": room, "prompt": asked["prompt"]["id"], "picks": picks})
        v = done.get("v", v)


async def test_readers_that_do_not_read_cost_no_more_than_the_formula_says() -> None:
    node = Node(None, {"outbox_kib": OUTBOX_KIB})
    clients: list[Raw] = []
    try:
        async with others_play_on(node):
            busy, players = await _seated(node, clients)
            before = memory_kib(node)
            for _ in range(WATCHING):
                watcher = await Raw.open(node)
                clients.append(watcher)
                await watcher.ask({"t": "join", "room": busy, "role": "spectator"})
                _deafen(watcher)
            token = guest(node, "Cyd")
            for _ in range(ASKING):
                client = await Raw.open(node, token)
                clients.append(client)
                _deafen(client)
                for _ in range(COMMANDS):
                    client.socket.transport.write(WRONG)
            await _play(busy, players)
            await _until_slow_closes(node, ASKING)
        idle, taken, room = map(_figure, ("a socket that is idle", "written, not taken", "a room in memory"))
        most = (WATCHING + ASKING) * (idle + taken + OUTBOX_KIB) + 2 * room + ELSEWHERE_KIB
        assert memory_kib(node) - before < most
    finally:
        for client in clients:
            await client.cut()
        node.kill()


async def test_a_reader_that_is_too_slow_for_its_answers_learns_it_by_its_close_code() -> None:
    node = Node(None, {"outbox_kib": OUTBOX_KIB})
    client = await Raw.open(node, guest(node))
    try:
        client.socket.transport.pause_reading()
        for _ in range(COMMANDS // 2):
            client.socket.transport.write(WRONG)
        await _until_slow_closes(node, 1)
        client.socket.transport.resume_reading()
        assert (await client.closed())[0] == 4508
    finally:
        await client.cut()
        node.kill()
