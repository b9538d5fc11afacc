"""Nodes with older and newer rules on one Valkey: rooms stay with their rules, and newer ones take them over."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgpack

from tests.e2e.insisting import finish, insist, step
from tests.e2e.matches import Account, Connect, begin, come_back
from tests.e2e.recording import recorded
from tests.e2e.rig import Message, Node, Raw, Release

ROOT = Path(__file__).parents[2]


def _release(name: str) -> Release:
    """The test games as a later release has them: tests/releases/NAME."""
    places = (ROOT / "tests" / "releases" / name, ROOT / "tests" / "games", os.environ["PYTHONPATH"])
    return Release(ROOT, os.pathsep.join(map(str, places)))


BOTH, NEWEST = _release("both"), _release("newest")


def _check(replay: Path, seen: Path, release: Release) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server", "replay", "verify", str(replay), "--seen", str(seen), "--json"],
        capture_output=True, text=True, check=False, cwd=release.tree,
        env=os.environ | {"PYTHONPATH": release.python_path},
    )  # fmt: skip


async def test_rooms_stay_with_their_rules_and_are_taken_over_when_the_last_node_that_has_them_is_gone(
    start: Callable[..., Node], connect: Connect, account: Account, tmp_path: Path
) -> None:
    chance, older, newest = random.Random(3), start(), start(release=NEWEST)
    matches = [await begin((older, older), connect, account, plan) for plan in (["long"], ["number"])]
    long, number = [room for room, _, _ in matches]
    await _begin_an_action(matches[0][2], long)
    await step(number, matches[1][2], chance)

    early = await connect(newest, matches[0][1][0])
    refused = await early.ask({"t": "join", "room": long})
    assert (refused["code"], refused["retryable"]) == ("unavailable", True)
    assert (await early.closed())[0] == 4510

    for _, _, players in matches:
        for client in players:
            await client.close()
    assert older.stop() == 0
    for room, tokens, players in matches:
        players[:] = [
            await come_back(newest, connect, token, room, old) for token, old in zip(tokens, players, strict=True)
        ]
        for client in players:
            await client.view(room, lambda view: view["zones"]["room"]["rules"] == 2)
    last = {room: msgpack.unpackb(players[0].frames[room][-1]) for room, _, players in matches}
    assert (last[long]["why"], last[long]["events"][0]["event"]) == ("rewound", "rewound")
    assert ("why" in last[number], "events" in last[number]) == (False, False)

    for room, _, players in matches:
        await finish(room, players, chance)
        _verify(newest, room, tmp_path, players, {"takeovers": int(room == number), "rewinds": int(room == long)})


async def _begin_an_action(players: list[Raw], room: str) -> None:
    """Choose something with which the action is not done."""
    view = await players[0].view(room, lambda view: view["prompt"] is not None)
    done = await insist(players[0], _choice(room, view, {"do": "again"}))
    for client in players:
        await client.view(room, lambda view: view["v"] >= done["v"])


def _choice(room: str, view: Message, act: Message) -> Message:
    return {"t": "choose", "room": room, "prompt": view["prompt"]["id"], "act": act}


def _verify(node: Node, room: str, folder: Path, players: list[Raw], counted: dict[str, int]) -> None:
    replay, seen = folder / f"{room}.json", folder / f"{room}.jsonl"
    replay.write_bytes(node.http("GET", f"/v1/replays/{room}").content)
    lines = [line for at, client in enumerate(players) for line in recorded(client, room, at)]
    seen.write_text("\n".join(lines))
    checked = _check(replay, seen, BOTH)
    assert checked.returncode == 0, (checked.stdout, checked.stderr)
    verdict = json.loads(checked.stdout)
    assert verdict["seen"] == len(lines) > 0
    assert {name: verdict[name] for name in counted} == counted
    unchecked = _check(replay, seen, NEWEST)
    assert unchecked.returncode == 3
    assert "rules 1 are missing here" in unchecked.stderr
