"""Redis full, read-only, paused, frozen, gone, without scripts or subscribers, put back to an older copy: in play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.store import keys
from tests.e2e.insisting import check_replay, finish, insist, is_over, reasons, step
from tests.e2e.rig import Message, Node, Raw, picks_for
from tests.e2e.test_together import seated
from tests.valkey import Server

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
OF_A_ROOM = ("room", "cmd", "ring", "in", "out", "say", "aside", "here", "late")
OPTIONS = {"plan": ["number"], "laps": 16, "target": 1_000}


async def match(two: tuple[Node, Node], connect: Connect, account: Account) -> tuple[str, list[Raw], Raw]:
    """Start a match of probe, a player on each node and a watcher on the second, and play a little."""
    room, *players = await seated(list(two), connect, account, OPTIONS, room={"decision_s": 600})
    watcher = await connect(two[1])
    assert (await watcher.ask({"t": "join", "room": room, "role": "spectator"}))["t"] == "ok"
    for _ in range(3):
        await step(room, players, random.Random(1))
    return room, players, watcher


def _choice(room: str, players: list[Raw]) -> tuple[Raw, Message]:
    """Make the next choice, and say whose it is."""
    client = players[players[0].views[room]["waiting_for"][0]["seat"]]
    prompt = client.views[room]["prompt"]
    picks = picks_for(prompt, random.Random(2).choice)
    return client, {"t": "choose", "id": "in-flight", "room": room, "prompt": prompt["id"], "picks": picks}


def _full(server: Server) -> Callable[[], object]:
    server.ask("CONFIG", "SET", "maxmemory", 1)
    return lambda: server.ask("CONFIG", "SET", "maxmemory", 0)


def _read_only(server: Server) -> Callable[[], object]:
    server.ask("REPLICAOF", "127.0.0.1", "1")
    return lambda: server.ask("REPLICAOF", "NO", "ONE")


def _paused(server: Server) -> Callable[[], object]:
    server.ask("CLIENT", "PAUSE", 600_000, "WRITE")
    return lambda: server.ask("CLIENT", "UNPAUSE")


def _frozen(server: Server) -> Callable[[], object]:
    server.freeze()
    return server.thaw


def _gone(server: Server) -> Callable[[], object]:
    server.kill()
    return server.start


@pytest.mark.parametrize("outage", [_full, _read_only, _paused, _frozen, _gone])
async def test_while_redis_cannot_write_all_is_unavailable_and_then_all_goes_on(
    two: tuple[Node, Node], own_valkey: Server, connect: Connect, account: Account, tmp_path: Path,
    outage: Callable[[Server], Callable[[], object]],
) -> None:  # fmt: skip
    room, players, watcher = await match(two, connect, account)
    client, choice = _choice(room, players)
    end = outage(own_valkey)
    try:
        for refused in await asyncio.gather(client.ask(choice), client.ask({"t": "create", "game": "probe"})):
            assert (refused["t"], refused["code"], refused["retryable"]) == ("error", "unavailable", True)
            assert refused["retry_after_ms"] > 0
    finally:
        end()
    await insist(client, choice)
    await finish(room, players, random.Random(3))  # on the very same sockets
    await watcher.view(room, is_over)
    check_replay(two[0], room, tmp_path, [], watcher)


async def test_a_match_does_not_notice_lost_scripts_and_lost_subscribers(
    two: tuple[Node, Node], own_valkey: Server, connect: Connect, account: Account, tmp_path: Path
) -> None:
    room, players, watcher = await match(two, connect, account)
    chance = random.Random(4)
    for number in range(12):
        await asyncio.to_thread(
            own_valkey.ask, *(("SCRIPT", "FLUSH"), ("CLIENT", "KILL", "TYPE", "pubsub"))[number % 2]
        )
        await step(room, players, chance)
    await finish(room, players, chance)
    await watcher.view(room, is_over)
    for client in (*players, watcher):
        assert reasons(client, room) == ["joined"]
    check_replay(two[0], room, tmp_path, [], watcher)


WITHOUT_SAYINGS = " ".join(
    f"~{name}*"
    for name in ("room", "cmd", "ring", "in:", "out", "late", "here", "due", "took", "open", "live", "time", "done",
                 "meta", "nodes", "node", "pack", "mark")
)  # fmt: skip


async def test_a_join_whose_greeting_cannot_be_read_is_ok_and_is_greeted_later(
    two: tuple[Node, Node], own_valkey: Server, connect: Connect, account: Account
) -> None:
    room, players, _ = await match(two, connect, account)
    assert (await players[0].ask({"t": "say", "room": room, "text": "hello"}))["t"] == "ok"
    late: Raw = await connect(two[0])
    own_valkey.ask("ACL", "SETUSER", "default", "resetkeys", *WITHOUT_SAYINGS.split())
    joined = await late.ask({"t": "join", "room": room, "role": "spectator"})
    own_valkey.ask("ACL", "SETUSER", "default", "allkeys")
    assert joined["t"] == "ok"
    await late.until(lambda message: message["t"] == "said" and message["text"] == "hello")
    assert reasons(late, room) == ["joined"]
    assert len(late.frames[room]) == 1


def _copy(server: Server, room: str) -> dict[str, object]:
    return {name: server.ask("DUMP", keys.key(name, room)) for name in OF_A_ROOM}


def _put_back(server: Server, room: str, copy: dict[str, Any]) -> None:
    for name, dumped in copy.items():
        server.ask("DEL", keys.key(name, room))
        if dumped is not None:
            server.ask("RESTORE", keys.key(name, room), 0, dumped)


async def test_a_socket_whose_hello_met_an_absent_store_may_say_it_again(
    start: Callable[..., Node], own_valkey: Server, connect: Connect, account: Account
) -> None:
    node = start(hello_s=1)
    token = account(node, "Ann")
    own_valkey.freeze()
    try:
        client = await connect(node, hello=False)
        refused = await client.ask({"t": "hello", "token": token})
        assert (refused["code"], refused["retryable"]) == ("unavailable", True)
        await asyncio.sleep(1.5)
    finally:
        own_valkey.thaw()
    assert (await client.ask({"t": "hello", "token": token}))["t"] == "ok"


@pytest.mark.parametrize(("noticed", "moves"), [("at a reconnect", 3), ("at a choice", 12), ("at a join", 3)])
async def test_a_room_put_back_to_an_older_copy_is_told_as_lost_and_played_on(
    two: tuple[Node, Node], own_valkey: Server, connect: Connect, account: Account, tmp_path: Path,
    noticed: str, moves: int,
) -> None:  # fmt: skip
    room, players, watcher = await match(two, connect, account)
    copy, v = _copy(own_valkey, room), players[0].views[room]["v"]
    for _ in range(moves):
        await step(room, players, random.Random(5))
    await watcher.view(room, lambda view: view["v"] == v + moves)
    client, choice = _choice(room, players)
    _put_back(own_valkey, room, copy)
    if noticed == "at a reconnect":
        own_valkey.ask("CLIENT", "KILL", "TYPE", "pubsub")
    elif noticed == "at a choice":
        await client.ask(choice)
    late = [await connect(node) for node in two]
    for other in late:
        assert (await other.ask({"t": "join", "room": room, "role": "spectator"}))["t"] == "ok"
    for told in (*players, watcher):
        await told.until(lambda message: message["t"] == "frame" and message.get("why") == "lost")
    await asyncio.gather(*(player.view(room, lambda view: view["v"] <= v + 1) for player in players))
    await finish(room, players, random.Random(6))
    for told in (watcher, *late):
        await told.view(room, is_over)
        assert told.views[room]["zones"] == watcher.views[room]["zones"]
    check_replay(two[1], room, tmp_path, players, watcher)
