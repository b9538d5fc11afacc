"""What came of matches, as accounts and visitors see it over two nodes: histories, results, leaderboards, lists."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import jwt

from server.store import keys
from tests.e2e.rig import PATIENCE_S, SECRET, Message, Node, Raw
from tests.valkey import Server

Connect = Callable[..., Any]
GAME = "probe"


def token(name: str, **claims: Any) -> str:
    """A token of an account of the operator's own."""
    claims = {"sub": name.lower(), "name": name, "exp": int(time.time()) + 3_600, **claims}
    return jwt.encode(claims, SECRET, "HS256")


def get(node: Node, path: str, who: str | None = None) -> Message:
    headers = {"Authorization": f"Bearer {who}"} if who else {}
    answer = node.http("GET", path, headers=headers)
    assert answer.status_code == 200, answer.text
    body: Message = answer.json()
    return body


def every(node: Node, path: str, field: str, who: str | None = None) -> list[Message]:
    """Follow the cursors of a list to its end; every page but the last is full."""
    found, more = [], ""
    while more is not None:
        page = get(node, f"{path}&limit=3" + (f"&cursor={more}" if more else ""), who)
        assert len(page[field]) == 3 or page["next"] is None
        found += page[field]
        more = page["next"]
    return found


async def play(one: Raw, other: Raw, **create: Any) -> str:
    """Play a match that the second player gives up."""
    made = await one.ask({"t": "create", "game": GAME, "seats": [{}, {}], **create})
    room = str(made["room"])
    for client in (one, other):
        await client.ask({"t": "join", "room": room, "code": made.get("code")})
    for client in (one, other):
        await client.ask({"t": "ready", "room": room})
    assert (await other.ask({"t": "resign", "room": room}))["t"] == "ok"
    return room


async def settled(valkey: Server) -> None:
    """Wait until all copies of all rooms that have ended are made."""
    async with asyncio.timeout(PATIENCE_S):
        while any(valkey.ask("XLEN", keys.shared(number).done) for number in range(keys.PARTITIONS)):  # noqa: ASYNC110 - it happens elsewhere
            await asyncio.sleep(0.1)


async def test_a_match_is_once_in_histories_results_and_ratings_whoever_copies_it(
    two: tuple[Node, Node], connect: Connect, own_valkey: Server
) -> None:
    ann, bob = token("Ann"), token("Bob")
    players = [await connect(node, who) for node, who in zip(two, (ann, bob), strict=True)]
    rooms = [await play(*players[::-1]), *[await play(*players) for _ in range(6)]]
    private = await play(*players, room={"private": True})
    await settled(own_valkey)
    for room in rooms[:3]:  # as if a node had died before it could settle
        own_valkey.ask("XADD", keys.shared(keys.partition(room)).done, "*", "r", room)
    await settled(own_valkey)
    for node in two:
        for who, seat in ((ann, 1), (bob, 0)):
            past = every(node, "/v1/accounts/me/rooms?status=resigned,finished", "rooms", who)
            assert [each["room"]["room"] for each in past] == [private, *reversed(rooms)]
            assert past[-1]["seat"] == seat
            assert past[-1]["result"]["winners"] == [0]
        results = every(node, f"/v1/results?game={GAME}", "results")
        assert [each["room"] for each in results] == rooms[::-1]
        assert [(each["name"], each["rank"]) for each in results[-1]["seats"]] == [("Bob", 1), ("Ann", 2)]
        board = get(node, f"/v1/leaderboard?game={GAME}", bob)
        assert [(each["rank"], each["name"], each["matches"]) for each in board["entries"]] == [
            (1, "Ann", 7), (2, "Bob", 7),
        ]  # fmt: skip
        assert board["entries"][0]["rating"] > board["entries"][1]["rating"] == board["me"]["rating"]
    own_valkey.ask("DEL", keys.key("room", rooms[-1]))
    assert [each["room"] for each in every(two[0], f"/v1/results?game={GAME}", "results")] == rooms[-2::-1]
    assert "ann" not in str(board).replace("Ann", "")


async def test_what_a_node_had_not_copied_when_it_was_killed_another_copies(
    start: Callable[..., Node], connect: Connect, own_valkey: Server
) -> None:
    doomed, ann, bob = start(), token("Ann"), token("Bob")
    board = keys.key("ratings", GAME)
    own_valkey.ask("SET", board, "no ratings can be kept here")
    room = await play(await connect(doomed, ann), await connect(doomed, bob))
    async with asyncio.timeout(PATIENCE_S):
        while not any(line["event"] == "copies_wait" for line in doomed.log()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    doomed.crash()
    own_valkey.ask("DEL", board)
    other = start()
    await settled(own_valkey)
    entries = get(other, f"/v1/leaderboard?game={GAME}")["entries"]
    assert [(each["name"], each["matches"]) for each in entries] == [("Ann", 1), ("Bob", 1)]
    assert [each["room"]["room"] for each in get(other, "/v1/accounts/me/rooms", ann)["rooms"]] == [room]


async def test_lists_page_fully_whatever_they_are_filtered_by(start: Callable[..., Node], connect: Connect) -> None:
    node, ann = start(rooms_per_socket=64), token("Ann")
    client = await connect(node, ann)
    made: dict[str, str] = {}
    for n in range(16):
        game, seats = ("probe", "probe_cut")[n % 2], [{}, {"bot": "idle"}]
        room = (await client.ask({"t": "create", "game": game, "seats": seats}))["room"]
        made[room] = game
        if n % 4 == 1:
            await client.ask({"t": "join", "room": room})
            if n == 13:
                await client.ask({"t": "ready", "room": room})
    listed = every(node, "/v1/rooms?game=probe_cut", "rooms")
    assert {each["room"] for each in listed} == {room for n, room in enumerate(made) if n % 2 and n != 13}
    free = every(node, "/v1/rooms?game=probe_cut&free=true", "rooms")
    assert [each["room"] for each in free] == [room for n, room in enumerate(made) if n % 4 == 3][::-1]
    live = every(node, "/v1/rooms?status=playing&game=probe_cut", "rooms")
    assert [each["room"] for each in live] == [room for n, room in enumerate(made) if n == 13]
    own = every(node, "/v1/accounts/me/rooms?status=lobby", "rooms", ann)
    assert [each["room"]["room"] for each in own] == [room for n, room in enumerate(made) if n in (1, 5, 9)][::-1]
    for path in ("rooms?free=perhaps", "rooms?limit=0", "rooms?cursor=x", "results", "results?game=probe&cursor=x",
                 "leaderboard?game=probe&cursor=0", "leaderboard?game=probe&around=you"):  # fmt: skip
        assert node.http("GET", f"/v1/{path}").json()["code"] == "bad_message", path
    assert node.http("GET", "/v1/leaderboard?game=chess").json()["code"] == "unknown_game"
    assert node.http("GET", "/v1/leaderboard?game=probe&around=me").json()["code"] == "unauthorized"
    assert node.http("GET", "/v1/accounts/me/rooms").json()["code"] == "unauthorized"
