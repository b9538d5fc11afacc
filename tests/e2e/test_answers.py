"""Every error, caused alone: over the socket and over HTTP it has its code, its words and its status."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from protocol.errors import ERRORS
from protocol.routes import STATUS
from tests.conftest import GAMES
from tests.e2e.rig import Message, Node, Raw

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def _refused(client: Raw, command: Message) -> str:
    answer = await client.ask(command)
    assert answer["t"] == "error", answer
    kind = ERRORS[answer["code"]]
    assert answer["message"]
    assert answer.get("retryable", False) == kind.retryable
    return kind.code


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """A node of its own for all that is refused here."""
    made = Node(None, {})
    yield made
    made.kill()


async def test_each_refusal_of_a_command_has_its_code(node: Node, connect: Connect, account: Account) -> None:
    ann, bob, cyd = [await connect(node, account(node, name)) for name in ("Ann", "Bob", "Cyd")]
    room = (await ann.ask({"t": "create", "game": "probe_decks", "seats": [{}, {}]}))["room"]
    create = {"t": "create", "game": "probe"}
    for code, client, command in (
        ("unknown_game", ann, {"t": "create", "game": "chess"}),
        ("unknown_pack", ann, create | {"pack": "nowhere"}),
        ("bad_options", ann, create | {"options": {"laps": 0}}),
        ("bad_options", ann, create | {"room": {"turn_s": 1, "bank_s": 0, "decision_s": 1}, "options": {"x": 1}}),
        ("bad_seats", ann, create | {"seats": [{}] * 6}),
        ("bad_seats", ann, create | {"seats": [{"bot": "nobody"}]}),
        ("bad_message", ann, create | {"seats": 2}),
        ("unknown_type", ann, {"t": "undo", "room": room}),
        ("not_found", ann, {"t": "join", "room": "nowhere"}),
        ("not_joined", ann, {"t": "say", "room": room, "text": "hello"}),
        ("not_seated", ann, {"t": "ready", "room": room}),
        ("bad_deck", ann, {"t": "join", "room": room, "deck": ["no such card"]}),
        ("forbidden", ann, {"t": "hello", "token": account(node, "Ann")}),
        ("unauthorized", await connect(node), create),
        ("unsupported_version", await connect(node, hello=False), {"t": "hello", "protocol": [2, 3]}),
        ("hello_first", await connect(node, hello=False), {"t": "ping"}),
    ):
        assert (await _refused(client, command), command) == (code, command)
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
    assert await _refused(cyd, {"t": "join", "room": room}) == "seat_taken"
    assert await _refused(ann, {"t": "choose", "room": room, "prompt": 1, "picks": []}) == "wrong_status"
    for client in (ann, bob):
        await client.ask({"t": "ready", "room": room})
    assert await _refused(cyd, {"t": "join", "room": room}) == "wrong_status"
    view = await ann.view(room, lambda view: bool(view["waiting_for"]))
    asked, other = (ann, bob) if view["waiting_for"][0]["seat"] == 0 else (bob, ann)
    late = {"t": "choose", "room": room, "prompt": 0, "picks": []}
    assert await _refused(asked, late) == "stale_prompt"
    assert await _refused(other, late) == "refused"
    assert await _refused(ann, {"t": "ready", "id": "twice", "room": room}) == "wrong_status"
    assert (await ann.ask({"t": "resign", "id": "twice", "room": room}))["t"] == "ok"
    assert await _refused(ann, {"t": "leave", "id": "twice", "room": room}) == "conflict"
    assert await _refused(bob, {"t": "resign", "room": room}) == "wrong_status"


async def test_each_refusal_of_a_request_has_its_status(node: Node, account: Account) -> None:
    bearer = {"Authorization": f"Bearer {account(node, 'Ann')}"}
    key = bearer | {"Idempotency-Key": "k"}
    assert node.http("POST", "/v1/rooms", headers=key, json={"game": "probe"}).status_code == 201
    for code, method, path, options in (
        ("unknown_game", "GET", "/v1/games/chess", {}),
        ("bad_message", "GET", "/v1/rooms?limit=0", {}),
        ("bad_message", "GET", "/v1/rooms?cursor=%F0%9F%8E%B2", {}),
        ("bad_message", "POST", "/v1/rooms", {"headers": bearer, "json": {"game": "probe"}}),
        ("bad_message", "POST", "/v1/guests", {"content": b"{" * 50_000}),
        ("unauthorized", "POST", "/v1/rooms", {"json": {"game": "probe"}}),
        ("unauthorized", "GET", "/v1/rooms/nowhere", {"headers": {"Authorization": "Basic eA=="}}),
        ("conflict", "POST", "/v1/rooms", {"headers": key, "json": {"game": "probe_decks"}}),
        ("not_found", "GET", "/v1/rooms/nowhere", {}),
        ("not_found", "GET", "/v1/replays/nowhere", {}),
        ("unknown_pack", "POST", "/v1/decks/validate", {"json": {"game": "probe", "pack": "x", "deck": []}}),
        ("bad_options", "POST", "/v1/rooms", {"headers": bearer | {"Idempotency-Key": "l"},
                                             "json": {"game": "probe", "options": {"x": 1}}}),
    ):  # fmt: skip
        answer = node.http(method, path, **options)
        problem = answer.json()
        assert (problem["code"], answer.status_code, path) == (code, STATUS[code], path)
        assert answer.headers["content-type"] == "application/problem+json"
        assert problem["detail"]


async def test_a_node_without_a_rooms_rules_sends_its_people_to_another(
    start: Callable[..., Node], connect: Connect, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = start()
    ann = await connect(node, account(node, "Ann"))
    room = (await ann.ask({"t": "create", "game": "probe"}))["room"]
    paths = os.environ["PYTHONPATH"].split(os.pathsep)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path != GAMES))
    bare = start()
    bob = await connect(bare, account(bare, "Bob"))
    assert (await bob.ask({"t": "join", "room": room}))["code"] == "unavailable"
    assert (await bob.closed())[0] == 4510
    assert bare.http("GET", f"/v1/rooms/{room}").status_code == 200  # what lists show needs no rules
    assert (await ann.ask({"t": "join", "room": room}))["t"] == "ok"
