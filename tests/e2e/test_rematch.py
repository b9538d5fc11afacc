"""Playing again: one new room whoever asks, how often and where; everybody of the old one is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from server.store import keys
from tests.e2e.rig import Message, Node, Raw
from tests.e2e.test_late import LATE, none_came_early, watching
from tests.e2e.test_together import seated
from tests.valkey import Server

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
OPTIONS: Message = {"plan": ["number"], "laps": 2, "target": 1_000}


async def over(room: str, client: Raw) -> None:
    """End a match, and wait until that is told."""
    await client.ask({"t": "resign", "room": room})
    await client.until(lambda message: message["t"] == "ended" and message["room"] == room)


async def begin(room: str, *clients: Raw, **more: Any) -> list[int]:
    """Sit down in a room and start; gives the seats."""
    seats = [(await client.ask({"t": "join", "room": room, **more}))["seat"] for client in clients]
    for client in clients:
        assert (await client.ask({"t": "ready", "room": room}))["t"] == "ok"
    for client in clients:
        await client.view(room, lambda view: view["zones"]["room"]["status"] == "playing")
    return seats


def told_of_next(client: Raw, room: str) -> list[str]:
    return [message["next"] for message in client.got if message["t"] == "rematched" and message["room"] == room]


async def test_both_seats_ask_twice_on_two_nodes_and_there_is_one_new_room(
    pair: tuple[Node, Node], connect: Connect, account: Account, shared_valkey: Server
) -> None:
    room, ann, bob = await seated(list(pair), connect, account, OPTIONS, room={"decision_s": 600})
    watcher = await watching(pair[1], connect, room)
    assert (await ann.ask({"t": "rematch", "room": room}))["code"] == "wrong_status"
    await over(room, bob)
    expiry = shared_valkey.ask("PEXPIRETIME", keys.key("room", room))
    commands = [(client, {"t": "rematch", "id": f"{n}", "room": room}) for n, client in enumerate((ann, bob))]
    answers = await asyncio.gather(*(client.ask(command) for client, command in commands * 2))
    again = (await ann.ask({"t": "rematch", "room": room}))["room"]
    assert {answer["room"] for answer in answers} == {again}
    assert [answer["seat"] for answer in answers] == [1, 0, 1, 0]
    for client in (ann, bob, watcher):
        await client.until(lambda message: message["t"] == "rematched")
    late = await watching(pair[0], connect, room)
    await late.until(lambda message: message["t"] == "rematched")
    assert [m["t"] for m in late.got if m["t"] in ("frame", "ended", "rematched")] == ["frame", "ended", "rematched"]
    assert shared_valkey.ask("PEXPIRETIME", keys.key("room", room)) == expiry
    assert await begin(again, ann, bob) == [1, 0]
    zone = ann.views[again]["zones"]["room"]
    assert [seat["name"] for seat in zone["seats"]] == ["P1", "P0"]
    assert zone["options"] == OPTIONS
    await over(again, ann)
    third = (await bob.ask({"t": "rematch", "room": again}))["room"]
    assert len({room, again, third}) == 3
    assert await begin(third, ann, bob) == [0, 1]
    for client in (ann, bob, watcher):
        assert told_of_next(client, room) == [again]


async def test_bots_and_decks_come_along(pair: tuple[Node, Node], connect: Connect, account: Account) -> None:
    node = pair[0]
    ann: Raw = await connect(node, account(node, "Ann"))
    plan: list[Message] = [{}, {"bot": "greedy", "deck": "scriptorium"}]
    order = {"t": "create", "game": "disciple", "seats": plan, "room": {"holds": False, "bot_ms": 10_000}}
    room = (await ann.ask(order))["room"]
    await ann.ask({"t": "join", "room": room, "deck": "scriptorium"})
    assert await begin(room, ann) == [0]
    await over(room, ann)
    again = (await ann.ask({"t": "rematch", "room": room}))["room"]
    assert await begin(again, ann) == [1]
    await over(again, ann)
    first, second = (node.http("GET", f"/v1/replays/{each}").json() for each in (room, again))
    assert [seat.get("bot") for seat in second["seats"]] == ["greedy", None]
    assert [seat["deck"] for seat in second["seats"]] == [seat["deck"] for seat in reversed(first["seats"])]
    assert all(seat["deck"] for seat in second["seats"])
    assert first["seed"] != second["seed"]


async def test_only_seats_may_ask_and_a_private_room_stays_private(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    ann, bob = [await connect(node, account(node, name)) for node, name in zip(pair, ("Ann", "Bob"), strict=True)]
    order = {"t": "create", "game": "probe", "options": OPTIONS, "room": {"private": True}}
    made = await ann.ask(order)
    await begin(made["room"], ann, code=made["code"])
    kim = await watching(pair[1], connect, made["room"], account(pair[1], "Kim"), code=made["code"])
    await over(made["room"], ann)
    rooms = (made["room"], "nosuchroom")
    answers = [await client.ask({"t": "rematch", "id": "1", "room": room}) for client in (kim, bob) for room in rooms]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["code"] == "not_found"
    again = await ann.ask({"t": "rematch", "room": made["room"]})
    assert again["code"] == made["code"]
    told = await kim.until(lambda message: message["t"] == "rematched")
    assert told.keys() == {"t", "room", "next", "at"}
    assert again["room"] not in pair[0].http("GET", "/v1/rooms").text
    refused = await bob.ask({"t": "join", "room": again["room"], "role": "spectator"})
    assert refused["code"] == "not_found"
    await watching(pair[0], connect, again["room"], account(pair[0], "Kim"), code=made["code"])
    public, ann, _ = await seated(list(pair), connect, account, OPTIONS)
    await over(public, ann)
    assert (await kim.ask({"t": "rematch", "room": public}))["code"] == "not_seated"


async def test_late_spectators_learn_of_a_rematch_after_the_end_that_they_see(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, ann, bob = await seated(list(pair), connect, account, OPTIONS, room=LATE)
    watcher = await watching(pair[0], connect, room)
    await over(room, ann)
    again = (await bob.ask({"t": "rematch", "room": room}))["room"]
    await bob.until(lambda message: message["t"] == "rematched")
    assert again not in pair[0].http("GET", "/v1/rooms").text
    newcomer = await watching(pair[1], connect, room)
    assert not any(message["t"] in ("ended", "rematched") for message in (*watcher.got, *newcomer.got))
    for client in (watcher, newcomer):
        told = await client.until(lambda message: message["t"] == "rematched")
        kinds = [message["t"] for message in client.got]
        assert kinds.index("ended") < kinds.index("rematched")
        assert client.came_at[client.got.index(told)] >= told["at"] + 1_000 * LATE["delay_s"]
        assert none_came_early(client)
        assert told_of_next(client, room) == [again]
