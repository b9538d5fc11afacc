"""Limits seen from outside: each refuses with its code and says how long to wait, and nobody else is held back."""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import jwt
import pytest
from websockets.asyncio.client import connect as websocket

from protocol.errors import CLOSES
from server.auth import LEEWAY_S
from tests.e2e.rig import SECRET, Node, Raw

Start = Callable[..., Node]
Connect = Callable[..., Any]
Account = Callable[[Node, str], str]

HERE, THERE = {"X-Forwarded-For": "203.0.113.9"}, {"X-Forwarded-For": "203.0.113.10"}


def _token(sub: str, seconds: int = 3_600) -> str:
    return jwt.encode({"sub": sub, "name": sub, "exp": int(time.time()) + seconds}, SECRET, "HS256")


def _figure(node: Node, limit: str) -> float:
    line = f'sanctum_limited_total{{limit="{limit}"}}'
    figures = dict(row.rsplit(" ", 1) for row in node.http("GET", "/metrics").text.splitlines() if row[:1] != "#")
    return float(figures.get(line, 0))


async def _turned_away(node: Node, **options: Any) -> int | None:
    async with websocket(node.ws, subprotocols=["sanctum.v1.msgpack"], **options) as client:
        await asyncio.wait_for(client.wait_closed(), 15)
        assert client.close_code in CLOSES
        return client.close_code


async def _limited(client: Raw, command: dict[str, Any], tries: int) -> list[dict[str, Any]]:
    answers = [await client.ask(command) for _ in range(tries)]
    late = [answer for answer in answers if answer.get("code") == "rate_limited"]
    assert all(answer["retryable"] and 0 < answer["retry_after_ms"] <= 60_000 for answer in late)
    return late


@pytest.fixture
def few_files() -> Iterator[None]:
    """Start nodes that may open two hundred files, unless they ask for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_files")
async def test_a_node_gets_itself_the_files_that_its_sockets_need_and_waits_where_there_are_none(start: Start) -> None:
    node = start(max_sockets=1_000)
    soft, hard = resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE)
    assert soft >= 2_000
    resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE, (50, hard))
    host, _, port = node.address.partition(":")
    lines = [socket.create_connection((host, int(port))) for _ in range(60)]
    for line in lines:
        line.close()
    assert node.http("GET", "/healthz").status_code == 200


@pytest.fixture
def tight(start: Start) -> Node:
    """A node with small limits, behind a proxy that is trusted: this machine."""
    return start(
        trusted_proxies="127.0.0.1", sockets_per_account=2, sockets_per_address=3, max_sockets=6,
        creates_per_minute=3, joins_per_minute=4, watches_per_minute=3, replays_per_minute=2,
        requests_per_second=1, requests_burst=10, guests_per_minute=2,
    )  # fmt: skip


async def test_sockets_are_limited_by_account_by_address_and_in_all(tight: Node, connect: Connect) -> None:
    ann, second = [await connect(tight, _token("ann")) for _ in range(2)]
    third = await connect(tight, hello=False)
    refused = await third.ask({"t": "hello", "token": _token("ann")})
    assert (refused["code"], refused["details"]["limit"]) == ("too_many", "sockets_per_account")
    assert (await third.closed())[0] == 4409
    await second.close()
    assert (await (await connect(tight, _token("ann"))).ask({"t": "ping"}))["t"] == "ok"
    assert (await ann.ask({"t": "ping"}))["t"] == "ok"

    for _ in range(3):
        await connect(tight, additional_headers=HERE)
    assert await _turned_away(tight, additional_headers=HERE) == 4514
    assert CLOSES[4514].again
    last = await connect(tight, additional_headers=THERE)
    assert await _turned_away(tight) == 4513
    await last.close()
    assert (await (await connect(tight)).ask({"t": "ping"}))["t"] == "ok"
    assert _figure(tight, "sockets_per_account") == 1
    assert _figure(tight, "sockets_per_address") == 1


async def test_creates_joins_and_replays_are_limited_for_all_nodes(start: Start, tight: Node, connect: Connect) -> None:
    other = start(creates_per_minute=3, joins_per_minute=4, watches_per_minute=3, replays_per_minute=2)
    here, there = await connect(tight, _token("ann")), await connect(other, _token("ann"))
    rooms = [(await client.ask({"t": "create", "game": "probe"}))["room"] for client in (here, there, here)]
    assert len(await _limited(there, {"t": "create", "game": "probe"}, 2)) == 2
    assert (await (await connect(other, _token("bob"))).ask({"t": "create", "game": "probe"}))["t"] == "ok"

    join = {"t": "join", "room": rooms[0]}
    assert len(await _limited(here, join, 2)) == 0
    assert len(await _limited(there, {"t": "join", "room": "nosuchroom"}, 4)) == 2
    watch = {"t": "join", "room": rooms[0], "role": "spectator"}
    nobody = await connect(tight, additional_headers=HERE)
    assert len(await _limited(nobody, watch, 4)) == 1
    neighbour = await connect(tight, additional_headers=THERE)
    assert len(await _limited(neighbour, watch, 3)) == 0

    bearer = {"Authorization": f"Bearer {_token('cyd')}"}
    pages = [node.http("GET", f"/v1/replays/{rooms[0]}", headers=bearer) for node in (tight, other, tight)]
    assert [page.status_code for page in pages] == [409, 409, 429]
    assert (pages[2].json()["code"], pages[2].headers["retry-after"].isdecimal()) == ("rate_limited", True)


async def test_requests_and_guests_are_limited_by_the_address_that_a_trusted_proxy_names(tight: Node) -> None:
    pages = [tight.http("GET", "/v1/games", headers=HERE) for _ in range(20)]
    assert pages[0].status_code == 200
    assert pages[-1].status_code == 429
    assert pages[-1].json()["retry_after_ms"] > 0
    assert tight.http("GET", "/v1/rooms", headers=THERE).status_code == 200
    assert tight.http("GET", "/v1/games", headers=THERE).status_code == 429, "a list costs ten times as much"
    await asyncio.sleep(pages[-1].json()["retry_after_ms"] / 1000)
    assert tight.http("GET", "/v1/games", headers=HERE).status_code == 200
    assert tight.http("GET", "/v1/games").status_code == 200
    assert tight.http("GET", "/readyz", headers=HERE).status_code == 200
    elsewhere = {"X-Forwarded-For": "6.6.6.6, 203.0.113.11"}
    made = [tight.http("POST", "/v1/guests", headers=elsewhere).status_code for _ in range(4)]
    assert made == [201, 201, 429, 429]


async def test_a_forwarded_address_is_believed_of_nobody_else_and_guests_can_be_turned_off(start: Start) -> None:
    node = start(guests_per_minute=2)
    made = [node.http("POST", "/v1/guests", headers={"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(4)]
    assert [answer.status_code for answer in made] == [201, 201, 429, 429]
    closed = start(guests="false").http("POST", "/v1/guests")
    assert (closed.status_code, closed.json()["code"]) == (403, "forbidden")


async def test_the_sockets_of_one_account_share_a_rate_that_coming_back_does_not_renew(
    start: Start, connect: Connect
) -> None:
    node = start(commands_per_second=1, commands_burst=10, account_rate=2)
    taken = 0
    for _ in range(3):
        client = await connect(node, _token("ann"))
        answers = [await client.ask({"t": "ping"}) for _ in range(15)]
        taken += sum(answer["t"] == "ok" for answer in answers)
        await client.close()
    assert taken < 27, "three sockets got what three accounts may have"
    bob = await connect(node, _token("bob"))
    assert (await bob.ask({"t": "ping"}))["t"] == "ok"


async def test_a_token_that_expires_ends_its_socket_unless_it_was_renewed(start: Start, connect: Connect) -> None:
    node = start(hello_s=1)
    soon = 3 - LEEWAY_S
    ann, bob = await connect(node, _token("ann", soon)), await connect(node, _token("bob", soon))
    assert (await bob.ask({"t": "hello", "token": _token("bob")}))["t"] == "ok"
    assert (await bob.ask({"t": "hello", "token": _token("cyd")}))["code"] == "forbidden"
    assert (await ann.closed())[0] == 4401
    assert (await bob.ask({"t": "create", "game": "probe"}))["t"] == "ok"
