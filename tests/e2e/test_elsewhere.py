"""What happens on one node while another, which tells nobody of the room, still has it at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.rig import Message, Node, Raw

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


async def _opened(node: Node, client: Raw, **room: object) -> Message:
    made = await client.ask({"t": "create", "game": "probe", "seats": [{}, {}], "room": room})
    assert made["t"] == "ok", made
    return made


async def _do(client: Raw, kind: str, room: str, **fields: object) -> Message:
    return await client.ask({"t": kind, "room": room, **fields})


async def test_a_room_is_shown_as_it_stands_to_who_asks_another_node_again_and_again(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    here, there = two
    players = [await connect(here, account(here, name)) for name in ("Ann", "Bob")]
    room = (await _opened(here, players[0]))["room"]

    def shown() -> tuple[str, int]:
        seen = there.http("GET", f"/v1/rooms/{room}").json()
        return seen["status"], there.http("GET", f"/v1/replays/{room}").status_code

    assert shown() == ("lobby", 409)
    for client in players:
        assert (await _do(client, "join", room))["t"] == "ok"
    for client in players:
        assert (await _do(client, "ready", room))["t"] == "ok"
    assert shown() == ("playing", 409)
    assert (await _do(players[0], "resign", room))["t"] == "ok"
    assert shown() == ("resigned", 200)


async def test_a_seat_that_was_left_by_way_of_another_node_is_taken_anew(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    here, there = two
    token = account(here, "Ann")
    first = await connect(here, token)
    room = (await _opened(here, first))["room"]
    assert (await _do(first, "join", room, seat=0))["seat"] == 0
    await first.close()
    second = await connect(there, token)
    assert (await _do(second, "leave", room))["t"] == "ok"
    third = await connect(here, token)
    assert (await _do(third, "join", room, seat=0))["seat"] == 0
    assert there.http("GET", f"/v1/rooms/{room}").json()["seats"][0]["taken"]


async def test_who_has_just_been_seated_elsewhere_watches_without_the_code(
    two: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    here, there = two
    token = account(here, "Bob")
    owner = await connect(here, account(here, "Ann"))
    made = await _opened(here, owner, private=True)
    room = made["room"]
    watcher = await connect(here, token)
    assert (await _do(watcher, "join", room, role="spectator"))["code"] == "not_found"
    player = await connect(there, token)
    assert (await _do(player, "join", room, code=made["code"]))["t"] == "ok"
    assert (await _do(watcher, "join", room, role="spectator"))["t"] == "ok"
