"""The commands of docs/operations.md for a backup, run as they stand, under play."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from server.store.embedded import find_binary
from tests.e2e.insisting import finish, is_over, reasons, step
from tests.e2e.rig import Node, Raw, guest
from tests.e2e.test_together import seated

ROOT = Path(__file__).parents[2]
OWN_SECRET: dict[str, object] = {"SECRET": ""}  # it makes one, and keeps it in its folder
OPTIONS = {"plan": ["number"], "laps": 12, "target": 1_000}


def _run(name: str, folder: Path) -> None:
    """Run a block of the page."""
    (script,) = re.findall(rf"^```sh {name}\n(.*?)^```$", (ROOT / "docs/operations.md").read_text(), re.M | re.S)
    path = os.pathsep.join((str(Path(find_binary()).parent), os.environ["PATH"]))
    subprocess.run(["sh", "-euc", script], cwd=folder, env={**os.environ, "PATH": path}, check=True, timeout=60)


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., object]]:
    clients: list[Raw] = []

    async def one(node: Node, token: str | None = None) -> Raw:
        clients.append(await Raw.open(node, token))
        return clients[-1]

    yield one
    for client in clients:
        await client.close()


async def test_a_restored_backup_is_told_as_lost_to_who_was_further_on_and_played_on(
    connect: Callable[..., object], tmp_path: Path
) -> None:
    node, chance = Node(None, OWN_SECRET, tmp_path), random.Random(1)
    tokens = {name: guest(node, name) for name in ("P0", "P1")}
    room, *players = await seated(
        [node, node], connect, lambda _, name: tokens[name], OPTIONS, room={"decision_s": 600}
    )
    for _ in range(5):
        kept = await step(room, players, chance)
    _run("backup", tmp_path)
    for _ in range(5):
        await step(room, players, chance)
    views = [player.views[room] for player in players]
    assert node.stop() == 0
    _run("restore", tmp_path)
    again = Node(None, OWN_SECRET, tmp_path)
    try:
        back = [await Raw.open(again, token) for token in tokens.values()]
        for client, view in zip(back, views, strict=True):
            since = {"v": view["v"], "tip": view["tip"]}
            assert (await client.ask({"t": "join", "room": room, "since": since}))["v"] == kept
            assert reasons(client, room) == ["lost"]
        await finish(room, back, chance)
        assert all(is_over(client.views[room]) for client in back)
        assert again.http("GET", f"/v1/replays/{room}").status_code == 200
        for client in back:
            await client.close()
    finally:
        assert again.stop() == 0
