"""Spectators in numbers: how many may watch, what they may say, and that players have nothing of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tests.e2e.rig import Message, Node, Raw
from tests.e2e.test_late import OPTIONS, watching
from tests.e2e.test_together import seated

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def test_a_room_has_so_many_places_over_all_nodes_and_no_more(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, *players = await seated(list(pair), connect, account, OPTIONS, room={"spectators": 3})
    watchers = [await watching(node, connect, room) for node in (pair[0], pair[1], pair[0])]
    for client in players:
        await client.until(lambda message: message["t"] == "presence" and message["spectators"] == 3)
    join = {"t": "join", "room": room, "role": "spectator"}
    for node in pair:
        refused = await (await connect(node)).ask(join)
        assert (refused["code"], refused["details"]) == ("too_many", {"limit": "room_spectators", "most": 3})
    assert (await watchers[0].ask(join))["t"] == "ok", "it has its place already"
    await watchers[0].ask({"t": "leave", "room": room})
    await watching(pair[0], connect, room)


async def test_a_crowd_pushes_no_players_talk_out_and_ids_name_no_account(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, ann, _ = await seated(list(pair), connect, account, OPTIONS)
    kim: Raw = await watching(pair[1], connect, room, account(pair[0], "Kim"))
    await ann.ask({"t": "say", "id": "mine", "room": room, "text": "good luck"})
    for number in range(60):
        await kim.ask({"t": "say", "room": room, "text": f"chatter {number}"})
    assert (await ann.ask({"t": "say", "id": "mine", "room": room, "text": "good luck"}))["t"] == "ok"
    newcomer = await watching(pair[0], connect, room)
    talk: list[Message] = [message for message in newcomer.got if message["t"] == "said"]
    assert [message["text"] for message in talk] == ["good luck", *(f"chatter {n}" for n in range(10, 60))]
    assert len({message["id"] for message in talk}) == len(talk)
    accounts = [message["account"] for client in (ann, kim) for message in client.got if message["t"] == "welcome"]
    assert len(accounts) == 2
    assert not any(account in json.dumps(talk) for account in accounts)
    assert [message["text"] for message in ann.got if message["t"] == "said"] == ["good luck"]


async def test_who_hangs_up_while_joining_does_not_count(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, ann, _ = await seated(list(pair), connect, account, OPTIONS)

    async def hang_up(pause_s: float) -> None:
        watcher: Raw = await connect(pair[0])
        await watcher.send({"t": "join", "room": room, "role": "spectator"})
        await asyncio.sleep(pause_s)
        await watcher.cut()

    await asyncio.gather(*(hang_up(number / 2_000) for number in range(30)))
    mark = len(ann.got)
    await watching(pair[1], connect, room)
    await ann.until(lambda message: message["t"] == "presence" and message["spectators"] == 1, mark)
