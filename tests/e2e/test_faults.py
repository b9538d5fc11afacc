"""Kinds of fault that services like this one have had, tried here from outside (docs/faults.md)."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgpack
import pytest

from tests.e2e.rig import Message, Node, Raw, guest
from tests.valkey import Server

ONE: Message = {"plan": ["number"], "laps": 100, "target": 1_000}
Connect = Callable[..., Any]


@pytest.fixture(scope="module")
def store() -> Iterator[Server]:
    """A Valkey for all of these tests."""
    folder = Path(tempfile.mkdtemp(prefix="vk-", dir="/tmp"))
    server = Server(folder, "--appendonly", "yes")
    server.start()
    yield server
    server.kill()
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def pair(store: Server) -> Iterator[tuple[Node, Node]]:
    """Two nodes on it."""
    nodes = (Node(store.url, {"rooms_per_socket": 64}), Node(store.url, {"rooms_per_socket": 64}))
    yield nodes
    for node in nodes:
        node.kill()


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Connect somebody new, or whose token is given; closed at the end."""
    clients: list[Raw] = []

    async def one(node: Node, name: str = "Ann", token: str | None = None) -> Raw:
        clients.append(await Raw.open(node, token or guest(node, name)))
        return clients[-1]

    yield one
    for client in clients:
        await client.cut()


async def _table(node: Node, connect: Connect, game: str, **create: Any) -> tuple[str, Raw, Raw]:
    """Let two play, on one node each if two are given."""
    ann, bob = await connect(node, "Ann"), await connect(node, "Bob")
    room = (await ann.ask({"t": "create", "game": game, "seats": [{}, {}], **create}))["room"]
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
    for client in (ann, bob):
        assert (await client.ask({"t": "ready", "room": room}))["t"] == "ok"
    return room, ann, bob


def _strings(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(_strings, [*value.keys(), *value.values()]))
    return set().union(*map(_strings, value)) if isinstance(value, (list, tuple)) else set()


async def test_nothing_that_others_see_lets_anybody_speak_for_a_seat(pair: tuple[Node, Node], connect: Connect) -> None:
    room, ann, bob = await _table(pair[0], connect, "disciple")
    watcher = await connect(pair[1], "Eve")
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    await ann.ask({"t": "say", "room": room, "text": "hello"})
    await watcher.until(lambda message: message["t"] == "said")
    seen = _strings([*watcher.got, *bob.got, pair[1].http("GET", f"/v1/rooms/{room}").json()])
    await ann.cut()  # the seat is also safe while nobody is there for it
    assert len(seen) > 50
    async with httpx.AsyncClient(base_url=f"http://{pair[0].address}") as http:
        for word in sorted(word for word in seen if word.strip() and word.isascii()):
            answer = await http.get(f"/v1/rooms/{room}", headers={"Authorization": f"Bearer {word}"})
            assert answer.status_code == 401, word
    for command in (
        {"t": "join", "room": room, "seat": 0},
        {"t": "join", "room": room},
        {"t": "choose", "room": room, "prompt": 1, "picks": ["1"]},
        {"t": "resign", "room": room},
        {"t": "ready", "room": room},
    ):
        assert (await watcher.ask(command))["code"] in ("wrong_status", "not_seated", "seat_taken"), command
    stranger = await Raw.open(pair[1], hello=False)
    said = next(message for message in watcher.got if message["t"] == "said")
    assert (await stranger.ask({"t": "hello", "token": said["id"].partition("/")[0]}))["code"] == "unauthorized"
    await stranger.cut()


async def test_whoever_asks_to_see_gets_its_own_view_whatever_it_asks_with(
    pair: tuple[Node, Node], connect: Connect
) -> None:
    room, ann, _ = await _table(pair[0], connect, "disciple")
    first = await connect(pair[1], "Eve")
    await first.ask({"t": "join", "room": room, "role": "spectator"})
    public = first.frames[room][0]
    assert public not in ann.frames[room]
    for field in ({"seat": 0}, {"seat": 1}, {"seat": None}, {"deck": "x"}, {"code": "x"}, {"account": 0, "viewer": 0}):
        eve = await connect(pair[1], "Eve")
        answer = await eve.ask({"t": "join", "room": room, "role": "spectator", **field})
        assert answer.get("seat") is None
        assert eve.frames[room][0] == public
    for wrong in ({"seat": -1}, {"seat": 99}, {"seat": "0"}, {"role": "admin"}, {"role": None}, {"role": 0}):
        eve = await connect(pair[1], "Eve")
        assert (await eve.ask({"t": "join", "room": room, **wrong}))["code"] == "bad_message"
        assert room not in eve.frames


async def test_one_move_sent_in_many_copies_under_many_ids_is_made_once(
    pair: tuple[Node, Node], connect: Connect
) -> None:
    token = guest(pair[0])
    clients = [await connect(node, token=token) for node in pair]
    room = (await clients[0].ask({"t": "create", "game": "probe", "options": ONE}))["room"]
    for client in clients:
        await client.ask({"t": "join", "room": room})
    v = (await clients[0].ask({"t": "ready", "room": room}))["v"]
    for _ in range(5):
        view = await clients[0].view(room, lambda view, least=v: view["v"] >= least and view["prompt"] is not None)
        choose = {"t": "choose", "room": room, "prompt": view["prompt"]["id"], "picks": [3]}
        sent = [(client, await client.send(choose)) for _ in range(25) for client in clients]
        answers = [await client.answer(command) for client, command in sent]
        assert [answer["v"] for answer in answers if answer["t"] == "ok"] == [v + 1]
        assert {answer["code"] for answer in answers if answer["t"] == "error"} <= {"stale_prompt", "busy"}
        v += 1


async def test_five_who_come_and_go_at_the_same_instant_over_two_nodes_all_sit_and_start(
    pair: tuple[Node, Node], connect: Connect
) -> None:
    clients = [await connect(pair[n % 2], f"P{n}") for n in range(5)]
    for _ in range(5):
        create = {"t": "create", "game": "probe", "seats": [{}] * 5, "options": ONE}
        room = (await clients[0].ask(create))["room"]
        for command in ("join", "leave", "join", "ready"):
            answers = await asyncio.gather(*(client.ask({"t": command, "room": room}) for client in clients))
            assert [answer["t"] for answer in answers] == ["ok"] * 5, answers
        views = [
            await client.view(room, lambda view: view["zones"]["room"]["status"] == "playing") for client in clients
        ]
        seats = [seat["name"] for seat in views[0]["zones"]["room"]["seats"]]
        assert sorted(seats) == [f"P{n}" for n in range(5)]


async def test_a_create_that_a_frozen_node_carries_out_late_has_made_one_room(
    pair: tuple[Node, Node], connect: Connect
) -> None:
    token = guest(pair[0])
    slow, quick = [await connect(node, token=token) for node in pair]
    create = {"t": "create", "id": "again", "game": "probe", "room": {"private": True}}
    pair[0].process.send_signal(signal.SIGSTOP)
    try:
        await slow.send(create)
        made = await quick.ask(create)
        assert made["t"] == "ok", made
        assert (await quick.ask({"t": "join", "room": made["room"], "code": made["code"]}))["t"] == "ok"
    finally:
        pair[0].process.send_signal(signal.SIGCONT)
    assert await slow.answer("again") == made


async def test_a_request_repeated_after_its_answer_was_lost_meets_its_own_room(
    pair: tuple[Node, Node], connect: Connect
) -> None:
    headers = {"Authorization": f"Bearer {guest(pair[0])}", "Idempotency-Key": "lost"}
    made = [node.http("POST", "/v1/rooms", headers=headers, json={"game": "probe"}).json() for node in pair * 2]
    assert all(each == made[0] for each in made)


async def test_coming_back_before_the_old_line_is_gone_always_works(pair: tuple[Node, Node], connect: Connect) -> None:
    token = guest(pair[0])
    old = await connect(pair[0], token=token)
    room = (await old.ask({"t": "create", "game": "probe", "options": ONE}))["room"]
    await old.ask({"t": "join", "room": room})
    await old.ask({"t": "ready", "room": room})
    for turn in range(30):
        view = await old.view(room, lambda view: view["prompt"] is not None)
        since = {"v": view["v"], "tip": view["tip"]}
        if turn % 2:
            await old.cut()
        new = await connect(pair[turn % 2], token=token)
        answer = await new.ask({"t": "join", "room": room, "since": since})
        assert (answer["t"], answer["seat"]) == ("ok", 0)
        new.views.setdefault(room, view)
        picked = {"t": "choose", "room": room, "prompt": new.views[room]["prompt"]["id"], "picks": [1]}
        done = await new.ask(picked)
        assert done["t"] == "ok"
        await new.view(room, lambda view, least=done["v"]: view["v"] >= least)
        assert "why" not in msgpack.unpackb(new.frames[room][0])
        if not turn % 2:
            await old.cut()
        old = new


async def test_each_of_three_cuts_in_a_row_costs_only_what_was_missed_since_the_one_before(
    pair: tuple[Node, Node], connect: Connect
) -> None:
    room, ann, bob = await _table(pair[0], connect, "probe", options=ONE)
    stood = await ann.view(room, lambda view: view["prompt"] is not None)
    eve = await connect(pair[1], "Eve")
    await eve.ask({"t": "join", "room": room, "role": "spectator"})
    here = {"v": eve.views[room]["v"], "tip": eve.views[room]["tip"]}
    for moves in (3, 1, 4):
        await eve.cut()
        for _ in range(moves):
            v = stood["v"]
            player = ann if stood["waiting_for"][0]["seat"] == 0 else bob
            asked = await player.view(room, lambda view, least=v: view["v"] >= least and view["prompt"] is not None)
            await player.ask({"t": "choose", "room": room, "prompt": asked["prompt"]["id"], "picks": [2]})
            stood = await ann.view(room, lambda view, least=v: view["v"] > least)
        eve = await connect(pair[1], "Eve")
        await eve.ask({"t": "join", "room": room, "role": "spectator", "since": here})
        frames = [msgpack.unpackb(raw) for raw in eve.frames[room]]
        assert [frame["v"] for frame in frames] == list(range(here["v"] + 1, stood["v"] + 1))
        assert not any("why" in frame for frame in frames)
        here = {"v": frames[-1]["v"], "tip": frames[-1]["tip"]}


async def test_deadlines_of_one_second_are_each_met_once_though_the_node_of_all_dies_in_it(
    store: Server, pair: tuple[Node, Node], connect: Connect
) -> None:
    doomed = Node(store.url, {"rooms_per_socket": 64})
    try:
        ann = await connect(doomed)
        create = {"t": "create", "game": "probe", "options": ONE, "room": {"decision_s": 1}}
        rooms = [(await ann.ask(create))["room"] for _ in range(40)]
        for room in rooms:
            await ann.ask({"t": "join", "room": room})
        ready = [await ann.send({"t": "ready", "room": room}) for room in rooms]
        answers = [await ann.answer(command) for command in ready]
        assert [answer["t"] for answer in answers] == ["ok"] * len(rooms), answers
        begun = [answer["v"] for answer in answers]
    finally:
        doomed.kill()
    eve = await connect(pair[1], "Eve")
    for room, v in zip(rooms, begun, strict=True):
        await eve.ask({"t": "join", "room": room, "role": "spectator"})
        view = await eve.view(room, lambda view: "result" in view["zones"]["room"])
        assert view["zones"]["room"]["status"] != "void"
        assert view["v"] == v + 3, "three times silent: lost at the third, no version more and none less"


async def test_a_token_in_an_address_is_neither_believed_nor_logged(pair: tuple[Node, Node]) -> None:
    token = guest(pair[0])
    assert pair[0].http("POST", f"/v1/rooms?token={token}", json={"game": "probe"}).status_code == 401
    assert token not in json.dumps(pair[0].log())
