"""A node of the release before and one of the present release on one Valkey: one service, and a way back."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from server.commands.ends import UNAVAILABLE
from server.store import keys
from server.store.redis import FORMAT, OLDEST_FORMAT
from tests.e2e.earlier import earlier_release
from tests.e2e.insisting import finish, step
from tests.e2e.matches import Account, Connect, begin, come_back
from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Node, Release
from tests.valkey import Server

PLAN = ["pick", "both", "order", "give", "dice", "offer"]


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return earlier_release(tmp_path_factory.mktemp("earlier"))


async def test_a_match_goes_on_over_nodes_of_two_releases_and_verifies_by_both_until_the_way_back_is_closed(
    start: Callable[..., Node], own_valkey: Server, connect: Connect, account: Account, earlier: Release, tmp_path: Path
) -> None:
    chance, before, present = random.Random(9), start(release=earlier), start()
    room, tokens, players = await begin((before, present), connect, account, PLAN)
    watcher = await connect(present)
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for _ in range(5):
        await step(room, players, chance)

    before.crash()  # the upgrade: the present release goes on alone
    players[0] = await come_back(present, connect, tokens[0], room, players[0])
    for _ in range(4):
        await step(room, players, chance)
    before = start(release=earlier)  # the way back: the release before goes on alone
    present.crash()
    players = [await come_back(before, connect, token, room, old) for token, old in zip(tokens, players, strict=True)]
    watcher = await come_back(before, connect, None, room, watcher)
    for _ in range(4):
        await step(room, players, chance)
    present = start()
    players[1] = await come_back(present, connect, tokens[1], room, players[1])
    await finish(room, players, chance)
    await watcher.view(room, lambda view: "result" in view["zones"]["room"])

    lines = [line for who, client in [*enumerate(players), ("public", watcher)] for line in recorded(client, room, who)]
    verify(before, room, tmp_path, {"all": lines}, earlier)
    verify(present, room, tmp_path, {"all": lines})
    assert own_valkey.ask("HGET", keys.META, "format") == b"%d" % OLDEST_FORMAT

    own_valkey.ask("HSET", keys.META, "format", FORMAT)  # something was written that only the present release reads
    refused = start(release=earlier)
    assert refused.process.wait(timeout=60) == UNAVAILABLE
    assert f"format {FORMAT}" in refused.said()
