"""The strangers' clients of docs/protocol/examples play whole matches against the real service."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.rig import Message, Node, Raw, guest
from tests.protocol.node_scripts import modules

Connect = Callable[..., Any]
EXAMPLES = Path(__file__).parents[2] / "docs" / "protocol" / "examples"
PYTHON = [sys.executable, str(EXAMPLES / "client.py")]


@pytest.fixture
def node_client(tmp_path: Path) -> list[str]:
    """Give the command of the Node.js client, beside the packages that it imports."""
    script = tmp_path / "client.mjs"
    shutil.copy(EXAMPLES / "client.mjs", script)
    (tmp_path / "node_modules").symlink_to(modules())
    return ["node", str(script)]


async def _run(command: list[str], *arguments: str) -> Message:
    process = await asyncio.create_subprocess_exec(
        *command, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0, err.decode()
    found: Message = json.loads(out)
    return found


def _room_without_holds(node: Node, *seats: Message) -> str:
    """Open a room of disciple in which nobody waits for a reaction window to close."""
    answer = node.http(
        "POST",
        "/v1/rooms",
        json={"game": "disciple", "seats": seats, "room": {"holds": False}},
        headers={"Authorization": f"Bearer {guest(node)}", "Idempotency-Key": "room"},
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["room"])


async def _duel(nodes: list[Node], commands: list[list[str]], watcher: Raw) -> tuple[Message, Message]:
    room = _room_without_holds(nodes[0], {}, {})
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    one, other = await asyncio.gather(
        *(
            _run(command, f"http://{node.address}", "disciple", f"room={room}", f"seat={seat}")
            for seat, (node, command) in enumerate(zip(nodes, commands, strict=True))
        )
    )
    return one, other


@pytest.mark.parametrize("bot", ["greedy", "random"])
async def test_a_client_plays_a_whole_match_against_a_bot(start: Callable[..., Node], bot: str) -> None:
    node = start()
    room = _room_without_holds(node, {}, {"bot": bot})
    told = await _run(PYTHON, f"http://{node.address}", "disciple", f"room={room}")
    assert told["status"] == "finished"


@pytest.mark.parametrize("language", ["python", "javascript"])
async def test_a_client_opens_a_room_of_its_own_and_plays_it(
    start: Callable[..., Node], node_client: list[str], language: str
) -> None:
    node = start()
    told = await _run(node_client if language == "javascript" else PYTHON, f"http://{node.address}", "probe")
    assert told["status"] == "finished"


async def test_clients_in_python_and_javascript_play_on_two_nodes_while_a_third_shows_it_to_a_watcher(
    start: Callable[..., Node], connect: Connect, node_client: list[str]
) -> None:
    nodes = [start(), start(), start()]
    watcher: Raw = await connect(nodes[2])
    one, other = await _duel(nodes[:2], [PYTHON, node_client], watcher)
    assert one == other
    assert one["status"] == "finished"
    ended = await watcher.until(lambda message: message["t"] == "ended")
    assert ended["winners"] == one["winners"]


async def test_the_clients_come_back_and_finish_after_the_server_was_killed(
    connect: Connect, node_client: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    node = Node(None, {}, folder)
    address = node.address
    watcher: Raw = await connect(node)
    duel = asyncio.create_task(_duel([node, node], [PYTHON, node_client], watcher))
    await watcher.until(lambda message: message["t"] == "frame" and message["v"] > 12)
    node.crash()
    again = Node(None, {"port": address.rpartition(":")[2]}, folder)
    try:
        one, other = await duel
        assert one == other
        assert one["status"] == "finished"
    finally:
        assert again.stop() == 0
