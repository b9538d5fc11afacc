"""Every command sent twice, the copy on another node before the first is answered: equal outcomes, one effect."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.e2e.rig import Message, Node, Raw

Connect = Callable[..., Any]


class Doubled:
    """One account on two nodes, that gives every command on both at once."""

    def __init__(self, one: Raw, other: Raw) -> None:
        self.one, self.other = one, other
        self._count = 0

    async def ask(self, message: Message) -> tuple[Message, Message]:
        self._count += 1
        message = {"id": f"c{self._count}", **message}
        await asyncio.gather(self.one.send(message), self.other.send(message))
        return await self.one.answer(message["id"]), await self.other.answer(message["id"])

    async def once(self, message: Message) -> Message:
        first, second = await self.ask(message)
        assert first == second
        assert first["t"] == "ok", first
        return first


async def _doubled(two: tuple[Node, Node], connect: Connect, token: str) -> Doubled:
    return Doubled(await connect(two[0], token), await connect(two[1], token))


async def test_a_whole_match_sent_twice_on_two_nodes_has_each_effect_once(
    two: tuple[Node, Node], connect: Connect, account: Callable[[Node, str], str]
) -> None:
    ann = await _doubled(two, connect, account(two[0], "Ann"))
    bob = await _doubled(two, connect, account(two[0], "Bob"))
    created = await ann.once({"t": "create", "game": "disciple", "room": {"holds": False}})
    room = created["room"]
    for player, seat in ((ann, 0), (bob, 1)):
        first, second = await player.ask({"t": "join", "room": room})
        assert (first["seat"], second["seat"]) == (seat, seat)
    ready = await ann.once({"t": "ready", "room": room, "entropy": b"e" * 16})
    v = (await bob.once({"t": "ready", "room": room}))["v"]
    assert v == ready["v"] + 1
    for _ in range(60):
        view = await ann.one.view(room, lambda view, least=v: view["v"] >= least)
        if "result" in view["zones"]["room"]:
            break
        player = (ann, bob)[view["waiting_for"][0]["seat"]]
        asked = await player.one.view(room, lambda view, least=v: view["v"] >= least and view["prompt"] is not None)
        done = await player.once(
            {"t": "choose", "room": room, "prompt": asked["prompt"]["id"], "picks": asked["prompt"].get("default", [])}
        )
        assert done["v"] == v + 1
        v = done["v"]
    view = await ann.one.view(room, lambda view: view["v"] >= v)
    if "result" not in view["zones"]["room"]:
        assert (await ann.once({"t": "resign", "room": room}))["v"] == v + 1
    assert (await bob.other.view(room, lambda view: "result" in view["zones"]["room"]))["zones"]["room"]["result"]


async def test_create_sent_on_two_nodes_makes_one_room_with_one_code(
    two: tuple[Node, Node], connect: Connect, account: Callable[[Node, str], str]
) -> None:
    ann = await _doubled(two, connect, account(two[0], "Ann"))
    for number in range(30):
        first, second = await ann.ask({"t": "create", "id": f"k{number}", "game": "probe", "room": {"private": True}})
        assert first == second
        assert first["t"] == "ok"
        assert len(first["code"]) == 8


async def test_the_same_id_with_another_body_is_a_conflict_on_any_node(
    two: tuple[Node, Node], connect: Connect, account: Callable[[Node, str], str]
) -> None:
    token = account(two[0], "Ann")
    one, other = await connect(two[0], token), await connect(two[1], token)
    room = (await one.ask({"t": "create", "id": "a", "game": "probe"}))["room"]
    assert (await other.ask({"t": "create", "id": "a", "game": "probe_cut"}))["code"] == "conflict"
    await one.ask({"t": "join", "id": "b", "room": room})
    assert (await one.ask({"t": "ready", "id": "c", "room": room, "ready": False}))["t"] == "ok"
    assert (await other.ask({"t": "ready", "id": "c", "room": room, "ready": True}))["code"] == "conflict"
    assert (await one.ask({"t": "say", "id": "d", "room": room, "text": "hello"}))["t"] == "ok"
    assert (await one.ask({"t": "say", "id": "d", "room": room, "text": "hello"}))["t"] == "ok"
    assert (await one.ask({"t": "say", "id": "d", "room": room, "text": "goodbye"}))["code"] == "conflict"
    assert [message["text"] for message in one.got if message["t"] == "said"] == ["hello"]


async def test_a_refusal_is_not_kept_so_the_same_command_may_succeed_later(
    two: tuple[Node, Node], connect: Connect, account: Callable[[Node, str], str]
) -> None:
    ann, bob = [await connect(two[0], account(two[0], name)) for name in ("Ann", "Bob")]
    room = (await ann.ask({"t": "create", "game": "probe", "seats": [{}]}))["room"]
    await ann.ask({"t": "join", "room": room})
    assert (await bob.ask({"t": "join", "id": "mine", "room": room}))["code"] == "seat_taken"
    await ann.ask({"t": "leave", "room": room})
    assert (await bob.ask({"t": "join", "id": "mine", "room": room}))["seat"] == 0
