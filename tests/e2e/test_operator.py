"""What operators may do, over two nodes: rooms with reserved seats, ending a room, bans; and what is written of it."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.rig import SECRET, Message, Node, Raw
from tests.e2e.test_results import get, play, token
from tests.valkey import Server

Connect = Callable[..., Any]
Audit = Callable[[], list[Message]]


@pytest.fixture(scope="module")
def operator() -> str:
    """A token that the command line has signed."""
    ran = subprocess.run(
        [sys.executable, "-m", "server", "token", "--sub", "olga", "--scope", "operator", "--ttl", "600"],
        env={"SANCTUM_SECRET": SECRET, "PYTHONPATH": ":".join(sys.path), "PATH": ""}, capture_output=True, check=True,
    )  # fmt: skip
    return ran.stdout.decode().strip()


def ask(node: Node, who: str, method: str, path: str, body: Message | None = None, key: str = "") -> httpx.Response:
    headers = {"Authorization": f"Bearer {who}", "Idempotency-Key": key or secrets.token_hex(8)}
    return node.http(method, f"/v1/operator/{path}", headers=headers, **({"json": body} if body is not None else {}))


@pytest.fixture(scope="module")
def two() -> Iterator[tuple[Node, Node]]:
    """Two nodes on one Valkey for all tests of this file."""
    folder = Path(tempfile.mkdtemp(prefix="vk-", dir="/tmp"))
    server = Server(folder)
    server.start()
    nodes = Node(server.url, {}), Node(server.url, {})
    yield nodes
    for node in nodes:
        node.kill()
    server.kill()
    shutil.rmtree(folder)


@pytest.fixture
def audit(two: tuple[Node, Node]) -> Callable[[], list[Message]]:
    """Give what was written down since the test began, without when."""

    def lines() -> list[Message]:
        found = [line for node in two for line in node.log() if line["event"] == "audit"]
        return [{name: line[name] for name in line if name not in ("event", "level")} for line in found]

    before = lines()
    return lambda: [
        {name: line[name] for name in line if name != "timestamp"} for line in lines() if line not in before
    ]


async def test_reserved_seats_wait_for_their_accounts_and_refuse_others(
    two: tuple[Node, Node], connect: Connect, operator: str, audit: Audit
) -> None:
    order = {"game": "probe", "seats": [{"account": "ann"}, {}, {"account": "bob"}], "room": {"private": True}}
    key = secrets.token_hex(8)
    made = ask(two[0], operator, "POST", "rooms", order, key)
    assert made.status_code == 201
    assert ask(two[1], operator, "POST", "rooms", order, key).json() == made.json()
    other = ask(two[1], operator, "POST", "rooms", {**order, "seats": [{"account": "cid"}, {}, {}]}, key)
    assert other.json()["code"] == "conflict"
    room, code = made.json()["room"], made.json()["code"]
    ann, bob, cid = [await connect(two[n % 2], token(name)) for n, name in enumerate(("Ann", "Bob", "Cid"))]
    waiting = get(two[1], "/v1/accounts/me/rooms?status=lobby", token("Bob"))["rooms"]
    assert [(each["room"]["room"], each["seat"], each["reserved"]) for each in waiting] == [(room, 2, True)]
    assert (await cid.ask({"t": "join", "room": room}))["code"] == "not_found"
    assert (await cid.ask({"t": "join", "room": room, "code": code, "seat": 2}))["details"]["free"] == [1]
    assert (await cid.ask({"t": "join", "room": room, "code": code}))["seat"] == 1
    dan = await connect(two[0], token("Dan"))
    assert (await dan.ask({"t": "join", "room": room, "code": code}))["code"] == "seat_taken"
    assert (await bob.ask({"t": "join", "room": room}))["seat"] == 2
    assert (await bob.ask({"t": "leave", "room": room}))["t"] == "ok"
    assert (await dan.ask({"t": "join", "room": room, "code": code}))["code"] == "seat_taken"
    assert (await bob.ask({"t": "join", "room": room}))["seat"] == 2
    seats = (await cid.view(room, lambda view: view["v"] >= 5))["zones"]["room"]["seats"]
    assert [seat.get("reserved", False) for seat in seats] == [True, False, False]
    assert (await ann.ask({"t": "join", "room": room, "seat": 0}))["seat"] == 0
    for client in (ann, bob, cid):
        await client.ask({"t": "ready", "room": room})
    assert (await cid.view(room, lambda view: view["prompt"] or view["waiting_for"]))["zones"]["room"][
        "status"
    ] == "playing"
    for frames in (ann.frames[room], cid.frames[room]):
        assert not any(b"bob" in frame for frame in frames)
    for client in (ann, bob):
        assert (await client.ask({"t": "resign", "room": room}))["t"] == "ok"
    replay = two[0].http("GET", f"/v1/replays/{room}?code={code}").text
    assert '"kept"' in replay
    assert "bob" not in replay
    for fault in ([{"account": "a"}, {"account": "a"}], [{"account": "a", "bot": "idle"}]):
        assert ask(two[0], operator, "POST", "rooms", {"game": "probe", "seats": fault}).json()["code"] == "bad_seats"
    assert {(line["what"], line["outcome"], line.get("room")) for line in audit()} == {
        ("reserve_room", "done", room), ("reserve_room", "conflict", None), ("reserve_room", "bad_seats", None),
    }  # fmt: skip


async def test_an_ended_room_is_void_for_all_and_once(
    two: tuple[Node, Node], connect: Connect, operator: str, audit: Audit
) -> None:
    ann, bob = [await connect(node, token(name)) for node, name in zip(two, ("Ann", "Bob"), strict=True)]
    room = (await ann.ask({"t": "create", "game": "probe", "seats": [{}, {}]}))["room"]
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
        await client.ask({"t": "ready", "room": room})
    answers = [ask(node, operator, "POST", f"rooms/{room}/end", {"text": "a power cut"}) for node in (*two, two[0])]
    assert [answer.json() for answer in answers] == [
        {"room": room, "status": "void", "reason": "operator", "text": "a power cut"}
    ] * 3
    for client in (ann, bob):
        ended = await client.until(lambda message: message["t"] == "ended")
        assert (ended["status"], ended["reason"], ended["details"]) == ("void", "operator", {"text": "a power cut"})
    assert [message["t"] for message in ann.got].count("ended") == 1
    assert (await bob.ask({"t": "resign", "room": room}))["code"] == "wrong_status"
    over = await play(ann, bob)
    assert ask(two[0], operator, "POST", f"rooms/{over}/end").json()["code"] == "wrong_status"
    assert ask(two[0], operator, "POST", "rooms/nowhere/end").json()["code"] == "not_found"
    deeds = [{"who": "olga", "what": "end_room", "room": room, "outcome": "done"}] * 3
    refused = [(over, "wrong_status"), ("nowhere", "not_found")]
    deeds += [{**deeds[0], "room": where, "outcome": outcome} for where, outcome in refused]
    assert sorted(map(str, map(sorted, map(dict.items, audit())))) == sorted(
        map(str, map(sorted, map(dict.items, deeds)))
    )


async def test_a_banned_account_is_closed_out_everywhere_and_gives_up_its_seats(
    two: tuple[Node, Node], connect: Connect, operator: str, audit: Audit
) -> None:
    subject = f"https://id.example/{secrets.token_hex(4)}"
    eve, path = token("Eve", sub=subject), f"bans/{subject}"
    ann, *eves = [await connect(node, who) for node, who in zip((two[0], *two), (token("Ann"), eve, eve), strict=True)]
    rooms = []
    for start in (True, False):
        room = (await ann.ask({"t": "create", "game": "probe", "seats": [{}, {}]}))["room"]
        for client in (ann, eves[1]):
            await client.ask({"t": "join", "room": room})
            if start:
                await client.ask({"t": "ready", "room": room})
        rooms.append(room)
    assert ask(two[0], operator, "GET", path).json()["banned"] is False
    banned = ask(two[0], operator, "POST", path, {"reason": "two accounts", "hours": 1}).json()
    assert (banned["banned"], banned["until"] - banned["since"]) == (True, 3_600_000)
    assert ask(two[1], operator, "GET", path).json() == banned
    for client in eves:
        assert await client.closed() == (4423, "this account is banned")
    ended = await ann.until(lambda message: message["t"] == "ended")
    assert (ended["room"], ended["status"], ended["winners"]) == (rooms[0], "resigned", [0])
    view = await ann.view(rooms[1], lambda view: not view["zones"]["room"]["seats"][1]["taken"])
    assert view["zones"]["room"]["status"] == "lobby"
    for node in two:
        late = await connect(node, hello=False)
        refused = await late.ask({"t": "hello", "token": eve})
        assert (refused["code"], refused["details"]["reason"]) == ("forbidden", "banned")
        assert await late.closed() == (4423, "this account is banned")
        assert node.http("GET", "/v1/accounts/me/rooms", headers={"Authorization": f"Bearer {eve}"}).status_code == 403
    assert "two accounts" not in str(refused)
    for node in two:
        assert ask(node, operator, "DELETE", path).json() == {
            "account": subject, "banned": False, "reason": "", "since": None, "until": None,
        }  # fmt: skip
    again: Raw = await connect(two[0], eve)
    assert (await again.ask({"t": "join", "room": rooms[1]}))["seat"] == 1
    assert {(line["what"], line["account"], line["outcome"]) for line in audit()} == {
        (what, subject, "done") for what in ("ban", "lift_ban", "look_at_ban")
    }


async def test_who_is_no_operator_is_refused_and_written_down(
    two: tuple[Node, Node], account: Callable[[Node, str], str], audit: Audit
) -> None:
    node = two[0]
    deeds = [
        ("POST", "rooms"),
        ("POST", "rooms/r/end"),
        ("POST", "bans/ann"),
        ("DELETE", "bans/ann"),
        ("GET", "bans/ann"),
    ]
    for who in (token("Mallory"), account(node, "Guest"), token("Mallory", scope="operators watch")):
        for method, path in deeds:
            refused = ask(node, who, method, path)
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert node.http("POST", "/v1/operator/bans/ann").json()["code"] == "unauthorized"
    assert {line["outcome"] for line in audit()} == {"forbidden"}
    assert len(audit()) == 15
