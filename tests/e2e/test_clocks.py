"""Clocks over real nodes: outages are credited, banks add up, and seats that are away are lost in their time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.store import keys
from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Message, Node, Raw
from tests.e2e.test_together import seated
from tests.valkey import Server

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


def clocks(view: Message) -> dict[int, Message]:
    return {clock["seat"]: clock for clock in view["clocks"]}


def pass_time(server: Server, room: str, seconds: int) -> None:
    """Let service time of a room's partition go on at once."""
    server.ask("HINCRBY", keys.shared(keys.partition(room)).time, "credit", -1_000 * seconds)


def credit(server: Server, room: str) -> int:
    found = server.ask("HGET", keys.shared(keys.partition(room)).time, "credit")
    assert isinstance(found, bytes)
    return int(found)


def is_away(seat: int) -> Callable[[Message], bool]:
    return lambda view: view["zones"]["room"]["seats"][seat].get("away") is True


async def choose(client: Raw, room: str, *others: Raw) -> Message:
    """Answer the open prompt of shape number, and wait until all have the frame."""
    view = await client.view(room, lambda view: view["prompt"] is not None)
    done = await client.ask({"t": "choose", "room": room, "prompt": view["prompt"]["id"], "picks": [5]})
    assert done["t"] == "ok", done
    for each in (client, *others):
        await each.view(room, lambda view: view["v"] >= done["v"])
    return client.views[room]


async def test_nobody_is_flagged_over_an_outage_and_the_credit_is_given_once(
    start: Callable[..., Node], own_valkey: Server, connect: Connect, account: Account, request: pytest.FixtureRequest
) -> None:
    outage_s = 20 if request.config.getoption("--long") else 8
    nodes = [start(), start()]
    tokens = [account(nodes[0], name) for name in ("Ann", "Bob")]
    players: list[Raw] = [await connect(node, token) for node, token in zip(nodes, tokens, strict=True)]
    order = {
        "t": "create",
        "game": "probe",
        "options": {"plan": ["number"], "laps": 2, "target": 1_000},
        "seats": [{}, {}],
    }
    room = (await players[0].ask({**order, "room": {"turn_s": 2, "on_expiry": "forfeit"}}))["room"]
    for client in players:
        await client.ask({"t": "join", "room": room})
    for client in players:
        await client.ask({"t": "ready", "room": room})
    asked = (await players[0].view(room, lambda view: view["prompt"] is not None))["prompt"]
    for node in nodes:
        node.crash()
    await asyncio.sleep(outage_s)
    again = start()
    back: list[Raw] = [await connect(again, token) for token in tokens]
    for client in back:
        await client.ask({"t": "join", "room": room})
    view = await back[0].view(room, lambda view: view["prompt"] is not None)
    assert (view["zones"]["room"]["status"], view["prompt"]) == ("playing", asked)
    given = credit(own_valkey, room)
    assert given >= 1_000 * outage_s
    assert asked["deadline"] > (await back[0].ask({"t": "ping", "room": room}))["at"]
    await choose(back[0], room, back[1])
    start()
    await choose(back[1], room)
    assert credit(own_valkey, room) == given
    assert back[1].views[room]["zones"]["room"]["status"] == "finished"


async def test_a_bank_loses_what_each_turn_took_and_gets_its_increment(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    options = {"plan": ["number"], "laps": 12, "target": 1_000}
    plan = {"bank_s": 30, "increment_s": 1, "on_expiry": "forfeit"}
    room, *players = await seated(list(two), connect, account, options, room=plan)
    view = await players[0].view(room, lambda view: view["prompt"] is not None)
    bank, since = {0: 30_000, 1: 30_000}, view["at"]
    for move in range(11):
        seat = move % 2
        assert view["prompt"] is None or view["prompt"]["deadline"] == since + bank[seat]
        await asyncio.sleep(0.05 * (move % 3))
        view = await choose(players[seat], room, players[1 - seat])
        bank[seat] += 1_000 - (view["at"] - since)
        since = view["at"]
        shown = clocks(view)
        assert {each: shown[each]["bank"] for each in (0, 1)} == bank
        assert ("deadline" in shown[seat], shown[1 - seat]["deadline"]) == (False, since + bank[1 - seat])


async def test_a_seat_whose_time_is_over_loses_where_the_room_says_forfeit(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    plan = {"turn_s": 1, "on_expiry": "forfeit"}
    _, ann, _ = await seated(list(two), connect, account, {"plan": ["number"], "laps": 9, "target": 1_000}, room=plan)
    ended = await ann.until(lambda message: message["t"] == "ended")
    assert (ended["reason"], ended["winners"]) == ("timeout", [1])


async def test_a_seat_that_is_away_for_too_long_is_lost(
    two: tuple[Node, Node], own_valkey: Server, connect: Connect, account: Account, tmp_path: Path
) -> None:
    room, ann, bob = await seated(list(two), connect, account, {}, game="disciple", room={"decision_s": 6_000})
    await bob.cut()
    view = await ann.view(room, is_away(1))
    assert clocks(view)[1]["lost_at"] > view["at"]
    pass_time(own_valkey, room, 118)
    await asyncio.sleep(1)
    assert ann.views[room]["zones"]["room"]["status"] == "playing"
    pass_time(own_valkey, room, 3)
    ended = await ann.until(lambda message: message["t"] == "ended")
    assert (ended["reason"], ended["winners"]) == ("abandoned", [0])
    verify(two[0], room, tmp_path, {0: recorded(ann, room, 0)})


async def test_two_who_are_gone_at_once_draw_whatever_became_of_their_nodes(
    start: Callable[..., Node], own_valkey: Server, connect: Connect, account: Account
) -> None:
    nodes = [start(), start(), start()]
    room, *_ = await seated(nodes[:2], connect, account, {}, game="disciple", room={"decision_s": 6_000})
    watcher: Raw = await connect(nodes[2])
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for node in nodes[:2]:
        node.crash()
    view = await watcher.view(room, lambda view: is_away(0)(view) and is_away(1)(view))
    assert clocks(view)[0]["lost_at"] == clocks(view)[1]["lost_at"]
    pass_time(own_valkey, room, 121)
    ended = await watcher.until(lambda message: message["t"] == "ended")
    assert (ended["reason"], ended.get("winners", [])) == ("abandoned", [])


async def test_a_room_that_nobody_follows_any_more_is_found_by_the_node_that_is_left(
    start: Callable[..., Node], own_valkey: Server, connect: Connect, account: Account
) -> None:
    nodes = [start(), start()]
    room, ann, _ = await seated([nodes[0], nodes[0]], connect, account, {}, game="disciple", room={"decision_s": 6_000})
    await ann.until(lambda message: message["t"] == "presence" and message["here"] == [0, 1])
    await asyncio.sleep(0.5)  # what is told here is kept there a moment later or before
    nodes[0].crash()
    status: list[Message] = []
    for _ in range(100):
        watcher: Raw = await connect(nodes[1])
        await watcher.ask({"t": "join", "room": room, "role": "spectator"})
        status = watcher.views[room]["zones"]["room"]["seats"]
        await watcher.close()
        if all(seat.get("away") for seat in status):
            break
        await asyncio.sleep(0.2)
    assert all(seat.get("away") for seat in status)
    pass_time(own_valkey, room, 121)
    watcher = await connect(nodes[1])
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    assert (await watcher.until(lambda message: message["t"] == "ended"))["reason"] == "abandoned"


async def test_a_seat_away_on_its_turn_spends_its_time_apart_first(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    plan = {"turn_s": 60, "disconnect_s": 30}
    options = {"plan": ["number"], "laps": 4, "target": 1_000}
    room, ann, bob = await seated(list(two), connect, account, options, room=plan)
    before = clocks(await bob.view(room, lambda view: view["waiting_for"]))[0]
    await ann.cut()
    view = await bob.view(room, is_away(0))
    assert clocks(view)[0]["deadline"] == before["deadline"] + 30_000
    assert clocks(view)[0]["apart"] == 30_000
