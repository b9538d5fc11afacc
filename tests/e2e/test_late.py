"""Rooms whose spectators see everything so much later: the very bytes of the public, and nothing early by any way."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import Any

import msgpack
from msgspec import Struct
from rich.console import Console

from protocol.client import Client
from server import replay
from server.commands.watch import show
from server.frames import snapshot
from tests.e2e.rig import PATIENCE_S, Message, Node, Raw
from tests.e2e.test_presence import shows
from tests.e2e.test_together import seated

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]
DELAY_MS = 2_000
OPTIONS: Message = {"plan": ["number"], "laps": 100, "target": 1_000}
LATE: Message = {"decision_s": 600, "delay_s": DELAY_MS // 1_000}


async def watching(node: Node, connect: Connect, room: str, token: str | None = None, **more: Any) -> Raw:
    watcher: Raw = await connect(node, token)
    answer = await watcher.ask({"t": "join", "room": room, "role": "spectator", **more})
    assert answer["t"] == "ok", answer
    return watcher


async def move(room: str, players: list[Raw], times: int = 1) -> int:
    """Let whoever is asked choose; gives the last version made."""
    v = 0
    for _ in range(times):
        latest = max((player.views[room] for player in players), key=lambda view: view["v"])
        client = players[latest["waiting_for"][0]["seat"]]
        view = await client.view(room, lambda view, v=latest["v"]: view["v"] >= v)
        done = await client.ask({"t": "choose", "room": room, "prompt": view["prompt"]["id"], "picks": [5]})
        v = done["v"]
        await client.view(room, lambda view, v=v: view["v"] >= v)
    return v


class Told(Struct):
    """A version made again: the public's frame and snapshot, its time, and what the end reveals."""

    frame: bytes
    whole: bytes
    at: int
    seed: bytes


def told_again(node: Node, room: str, token: str) -> list[Told]:
    """Make every version of an ended room again, from its replay."""
    answer = node.http("GET", f"/v1/replays/{room}", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return [
        Told(made.entry.frames[0], snapshot(made.state, made.sights[None], "joined"), made.entry.at, made.state.seed)
        for _, made in replay.versions(replay.read(answer.content))
    ]


def none_came_early(client: Raw) -> bool:
    """Tell whether everything that has a time of its own was told no sooner than it was due."""
    timed = [(m["at"], at) for m, at in zip(client.got, client.came_at, strict=True) if m["t"] in ("frame", "said")]
    return all(came_at >= at + DELAY_MS for at, came_at in timed)


def assert_seen(client: Raw, room: str, told: list[Told]) -> None:
    """Hold what a spectator got against what the match makes of itself: a snapshot, then every frame."""
    frames = client.frames[room]
    v = msgpack.unpackb(frames[0])["v"]
    assert b"".join(frames) == b"".join([told[v - 1].whole, *(each.frame for each in told[v:])])
    assert none_came_early(client)


async def test_spectators_get_the_publics_very_bytes_late_wherever_and_whenever_they_come(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    token = account(pair[0], "Ann")
    ann: Raw = await connect(pair[0], token)
    bob: Raw = await connect(pair[1], account(pair[0], "Bob"))
    order = {"t": "create", "game": "probe", "options": OPTIONS, "seats": [{}, {}], "room": LATE}
    room = (await ann.ask(order))["room"]
    first = [await watching(node, connect, room) for node in pair]
    assert [client.frames.get(room) for client in first] == [None, None]
    for client in (ann, bob):
        await client.ask({"t": "join", "room": room})
    for client in (ann, bob):
        done = await client.ask({"t": "ready", "room": room})
    for client in (ann, bob):
        await client.view(room, lambda view: view["v"] >= done["v"])
    await move(room, [ann, bob], 20)
    await first[0].view(room, lambda view: view["v"] > 8)
    middle = await watching(pair[1], connect, room)
    stood = await first[1].view(room, lambda view: view["v"] > 8)
    await first[1].cut()
    await move(room, [ann, bob], 20)
    since = {"v": stood["v"], "tip": stood["tip"]}
    back = await watching(pair[0], connect, room, since=since)
    last = (await ann.ask({"t": "resign", "room": room}))["v"]
    after_end = await watching(pair[1], connect, room)
    assert after_end.views[room]["v"] < last
    told = told_again(pair[0], room, token)
    watchers = (first[0], middle, back, after_end)
    for client in watchers:
        ended = await client.until(lambda message: message["t"] == "ended")
        assert client.came_at[client.got.index(ended)] >= told[-1].at + DELAY_MS
        assert (ended["v"], ended["seed"]) == (last, told[-1].seed)
    for client in (first[0], middle, after_end):
        assert_seen(client, room, told)
    assert back.frames[room] == [each.frame for each in told[stood["v"] :]]
    assert none_came_early(back)
    late = await watching(pair[0], connect, room)
    assert late.frames[room] == [told[-1].whole]
    await late.until(lambda message: message["t"] == "ended")


async def test_a_version_that_is_not_due_is_unknown_history_and_seats_are_told_at_once(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, ann, bob = await seated(list(pair), connect, account, OPTIONS, room=LATE)
    watcher = await watching(pair[0], connect, room)
    await watcher.view(room, lambda view: len(view["zones"]) > 1)
    v = await move(room, [ann, bob], 4)
    known, guessed = await ann.view(room, lambda view: view["v"] >= v), {"v": v, "tip": "x" * 12}
    assert known["v"] == v
    clients = [
        await watching(pair[1], connect, room, since=since)
        for since in ({"v": known["v"], "tip": known["tip"]}, guessed)
    ]
    first = [msgpack.unpackb(client.frames[room][0]) for client in clients]
    assert [(frame["why"], frame["v"] < v) for frame in first] == [("lost", True)] * 2
    seat: Raw = await connect(pair[1], account(pair[1], "Kim"))
    assert (await seat.ask({"t": "leave", "room": room})).keys() == {"t", "id", "room"}


async def test_no_way_tells_a_stranger_that_the_match_is_over_before_its_time(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    tokens = [account(pair[0], "Kim"), account(pair[0], "Ann")]
    stranger: Raw = await connect(pair[1], tokens[0])
    bearer = {"authorization": f"Bearer {tokens[0]}"}
    ann: Raw = await connect(pair[0], tokens[1])
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS, "room": LATE}))["room"]
    assert room in pair[1].http("GET", "/v1/rooms").text

    async def seen() -> list[Any]:
        commands: list[Message] = [
            {"t": "join"}, {"t": "ready"}, {"t": "choose", "prompt": 1, "picks": [5]}, {"t": "resign"},
            {"t": "say", "text": "?"}, {"t": "rematch"}, {"t": "leave"},
        ]  # fmt: skip
        answers = [await stranger.ask({"id": each["t"], "room": room, **each}) for each in commands]
        lists = [pair[1].http("GET", f"/v1/rooms?status={status}").json() for status in ("lobby", "playing")]
        page = pair[1].http("GET", f"/v1/rooms/{room}", headers=bearer).json()
        early = pair[1].http("GET", f"/v1/replays/{room}", headers=bearer)
        return [answers, lists, {**page, "v": None}, early.status_code, early.content, page.get("v", 0)]

    await ann.ask({"t": "join", "room": room})
    done = await ann.ask({"t": "ready", "room": room})
    await ann.view(room, lambda view: view["v"] >= done["v"])
    playing = await seen()
    assert playing[3] == 409
    await move(room, [ann], 3)
    last = (await ann.ask({"t": "resign", "room": room}))["v"]
    over = await seen()
    assert over[:-1] == playing[:-1]
    assert playing[-1] <= over[-1] < last
    assert room not in str(over[1])
    assert room not in pair[0].http("GET", "/v1/results?game=probe").text
    assert (
        pair[1].http("GET", f"/v1/rooms/{room}", headers={"authorization": f"Bearer {tokens[1]}"}).json()["v"] == last
    )
    watcher = await watching(pair[1], connect, room)
    await watcher.until(lambda message: message["t"] == "ended")
    async with asyncio.timeout(PATIENCE_S):
        while room not in pair[0].http("GET", "/v1/results?game=probe").text:  # noqa: ASYNC110 - copied elsewhere
            await asyncio.sleep(0.2)
    page = pair[0].http("GET", f"/v1/rooms/{room}").json()
    assert (page["status"], page["v"]) == ("resigned", last)
    assert pair[0].http("GET", f"/v1/replays/{room}").status_code == 200


async def test_talk_and_presence_come_late_and_spectators_are_heard_by_spectators_alone(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    room, ann, _ = await seated(list(pair), connect, account, OPTIONS, room=LATE)
    await ann.ask({"t": "say", "room": room, "text": "before anybody watched"})
    kim = await watching(pair[1], connect, room, account(pair[1], "Kim"))
    watcher = await watching(pair[0], connect, room)
    assert {message["t"] for message in watcher.got} <= {"welcome", "ok"}
    await kim.ask({"t": "say", "room": room, "text": "she has it"})
    await ann.ask({"t": "say", "room": room, "text": "hello"})
    for client in (watcher, kim):
        await client.until(lambda message: message["t"] == "said" and message["text"] == "hello")
        texts = [message["text"] for message in client.got if message["t"] == "said"]
        assert texts == ["before anybody watched", "she has it", "hello"]
        assert none_came_early(client)
    await watcher.until(shows([0, 1], []))
    newcomer = await watching(pair[0], connect, room)
    assert [m["text"] for m in newcomer.got if m["t"] == "said"] == texts
    assert [m["text"] for m in ann.got if m["t"] == "said"] == ["before anybody watched", "hello"]
    await ann.until(lambda message: message["t"] == "presence" and message["spectators"] == 3)


async def test_a_terminal_waits_for_what_it_may_show(
    pair: tuple[Node, Node], connect: Connect, account: Account
) -> None:
    ann: Raw = await connect(pair[0], account(pair[0], "Ann"))
    room = (await ann.ask({"t": "create", "game": "probe", "options": OPTIONS, "room": LATE}))["room"]
    out = io.StringIO()
    async with Client(pair[1].ws) as client:
        await client.join(room, role="spectator")
        shown = asyncio.create_task(show(client, room, Console(file=out), live=False))
        await ann.ask({"t": "join", "room": room})
        await ann.ask({"t": "ready", "room": room})
        await ann.ask({"t": "resign", "room": room})
        async with asyncio.timeout(PATIENCE_S):
            await shown
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("spectators see this room late")
    assert f"room {room}  version" in lines[1]
    assert "resigned" in lines[-1]
