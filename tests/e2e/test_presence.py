"""Who is here, over several nodes: drops, deaths, returns, talk. None of it is a version but an absence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.e2e.rig import Message, Node, Raw
from tests.e2e.test_together import seated

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
OPTIONS: Message = {"plan": ["number"], "laps": 3, "target": 1_000}
SLOW: Message = {"decision_s": 600}


def shows(here: list[int], away: list[int]) -> Callable[[Message], bool]:
    return lambda message: message["t"] == "presence" and (message["here"], message["away"]) == (here, away)


async def watching(node: Node, connect: Connect, room: str) -> Raw:
    watcher: Raw = await connect(node)
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    return watcher


async def test_a_seat_of_a_killed_node_is_away_to_all_within_10_s_and_back_by_any_node(
    start: Callable[..., Node], connect: Connect, account: Account
) -> None:
    nodes = [start(), start(), start()]
    bob_token = account(nodes[0], "Bob")
    ann: Raw = await connect(nodes[0], account(nodes[0], "Ann"))
    bob: Raw = await connect(nodes[1], bob_token)
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS, "seats": [{}, {}], "room": SLOW}))[
        "room"
    ]
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
    for client in (ann, bob):
        await client.ask({"t": "ready", "room": room})
    watcher = await watching(nodes[2], connect, room)
    for client in (ann, bob, watcher):
        await client.until(shows([0, 1], []))
    marks = [len(ann.got), len(watcher.got)]
    nodes[1].crash()
    async with asyncio.timeout(10):
        await ann.until(shows([0], [1]), marks[0])
        await watcher.until(shows([0], [1]), marks[1])
    await ann.view(room, lambda view: view["zones"]["room"]["seats"][1].get("away") is True)
    v = ann.views[room]["v"]
    back: Raw = await connect(nodes[2], bob_token)
    marks = [len(ann.got)]
    await back.ask({"t": "join", "room": room})
    await ann.until(shows([0, 1], []), marks[0])
    await ann.view(room, lambda view: "away" not in view["zones"]["room"]["seats"][1])
    assert ann.views[room]["v"] == v + 1
    assert [event["event"] for event in ann.got[-1].get("events", ())] in (["seat_back"], [])


async def test_a_seat_is_here_as_long_as_one_of_its_sockets_is(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    token = account(two[0], "Bob")
    ann: Raw = await connect(two[0], account(two[0], "Ann"))
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS, "seats": [{}, {}]}))["room"]
    await ann.ask({"t": "join", "room": room})
    sockets: list[Raw] = [await connect(node, token) for node in (two[0], two[0], two[1])]
    for socket in sockets:
        assert (await socket.ask({"t": "join", "room": room}))["seat"] == 1
    await ann.until(shows([0, 1], []))
    mark = len(ann.got)
    for socket in sockets[:2]:
        await socket.cut()
    await asyncio.sleep(1)
    assert not any(shows([0], [1])(message) for message in ann.got[mark:])
    await sockets[2].cut()
    await ann.until(shows([0], [1]), mark)


async def test_a_short_absence_is_no_version(two: tuple[Node, Node], connect: Connect, account: Account) -> None:
    token = account(two[0], "Bob")
    ann: Raw = await connect(two[0], account(two[0], "Ann"))
    bob: Raw = await connect(two[1], token)
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS, "seats": [{}, {}], "room": SLOW}))[
        "room"
    ]
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
    for client in (ann, bob):
        done = await client.ask({"t": "ready", "room": room})
    await ann.until(shows([0, 1], []))
    mark = len(ann.got)
    await bob.cut()
    await ann.until(shows([0], [1]), mark)
    back: Raw = await connect(two[0], token)
    await back.ask({"t": "join", "room": room})
    await ann.until(shows([0, 1], []), mark)
    await asyncio.sleep(4)
    assert (await ann.ask({"t": "join", "room": room}))["v"] == done["v"]


async def test_who_leaves_the_lobby_is_neither_here_nor_away(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    ann: Raw = await connect(two[0], account(two[0], "Ann"))
    bob: Raw = await connect(two[1], account(two[0], "Bob"))
    seats: list[Message] = [{}, {}, {"bot": "idle"}]
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS, "seats": seats}))["room"]
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
    await ann.until(shows([0, 1, 2], []))
    await bob.ask({"t": "leave", "room": room})
    await ann.until(shows([0, 2], []))


async def test_spectators_are_counted_seldom_and_in_the_end_rightly(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, ann = await seated([two[0]], connect, account, OPTIONS)
    mark = len(ann.got)
    watchers = [await watching(two[number % 2], connect, room) for number in range(12)]
    await ann.until(lambda message: message["t"] == "presence" and message["spectators"] == 12, mark)
    counts = [message["spectators"] for message in ann.got[mark:] if message["t"] == "presence"]
    assert len(counts) <= 4
    for watcher in watchers[:6]:
        await watcher.cut()
    await ann.until(lambda message: message["t"] == "presence" and message["spectators"] == 6, mark)


async def test_who_comes_late_hears_what_was_said_and_seats_hear_no_spectators(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    token = account(two[0], "Ann")
    ann: Raw = await connect(two[0], token)
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS}))["room"]
    await ann.ask({"t": "join", "room": room})
    kim: Raw = await connect(two[1], account(two[0], "Kim"))
    await kim.ask({"t": "join", "room": room, "role": "spectator"})
    await kim.ask({"t": "say", "room": room, "text": "she has it"})
    await ann.ask({"t": "say", "room": room, "text": "hello"})
    watcher = await watching(two[0], connect, room)
    again: Raw = await connect(two[1], token)
    await again.ask({"t": "join", "room": room})
    for client, wanted in ((watcher, ["she has it", "hello"]), (again, ["hello"])):
        await client.until(lambda message: message["t"] == "said" and message["text"] == "hello")
        assert [message["text"] for message in client.got if message["t"] == "said"] == wanted
        kinds = [message["t"] for message in client.got]
        assert kinds.index("frame") < kinds.index("presence") < kinds.index("said")
    assert [message["text"] for message in ann.got if message["t"] == "said"] == ["hello"]
