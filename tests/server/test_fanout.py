"""Versions on their way to followers: next, double, early, missing, or of another history. On a real Valkey."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import msgpack
import pytest

from engines.record import Choice, encode
from protocol.messages import Create, Since
from server.channel import RECENT
from server.fanout import Fanout
from server.frames import Entry, decode_entry, encode_entry
from server.live import Live
from server.metrics import Metrics
from server.opening import open_room
from server.packet import Packet
from server.quiet import QUIET_S
from server.room import gone_choice
from server.rooms import Caller, Decision, Rooms
from server.rulesets import Rulesets
from server.state import Play, Prepare, Sit
from server.store.redis import Store


class Ear:
    """A follower that keeps what it is told."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []

    def send(self, packet: Packet) -> None:
        self.got.append(msgpack.unpackb(packet.payload))

    def told(self) -> list[tuple[int, str | None]]:
        return [(frame["v"], frame.get("why")) for frame in self.got if frame["t"] == "frame"]


class Node:
    """The rooms and the fan-out of one node."""

    def __init__(self, store: Store) -> None:
        metrics = Metrics()
        self.store = store
        self.rooms = Rooms(store, Rulesets(store), metrics)
        self.fanout = Fanout(store, self.rooms, metrics)

    async def open(self, laps: int = 100) -> str:
        """Start a match of one seat; gives the room, at version 3."""
        caller = Caller("ann", f"create-{laps}", b"x" * 16)
        options = {"plan": ["number"], "laps": laps, "target": 1_000}
        ok = await open_room(self.rooms, caller, Create("c", "probe", options))
        assert ok.room is not None
        await self.do(ok.room, Decision(Sit(0, "Ann"), owner=(0, "ann")))
        await self.do(ok.room, Decision(Prepare(0, True)))
        return ok.room

    async def do(self, room: str, decision: Decision) -> None:
        await self.rooms.act(room, lambda _live, _now: decision, None)

    async def move(self, room: str) -> None:
        """Make one more version."""

        def decide(live: Live, _: int) -> Decision:
            assert live.position is not None
            asked = live.position.of(0)
            assert asked is not None
            return Decision(Play((Choice(0, asked.id, (5,)),), ("player",)))

        await self.rooms.act(room, decide, None)


@pytest.fixture
async def nodes(valkey: str) -> AsyncIterator[tuple[Node, Node]]:
    stores = [await Store.open(valkey) for _ in range(2)]
    pair = [Node(store) for store in stores]
    yield pair[0], pair[1]
    for node in pair:
        await node.fanout.stop()
        await node.store.close()


async def until(done: Any) -> None:
    async with asyncio.timeout(10):
        while not done():  # noqa: ASYNC110 - what is waited for happens elsewhere
            await asyncio.sleep(0.01)


async def test_every_version_is_told_once_on_its_own_node_and_on_another(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    room = await here.open()
    ears = [Ear(), Ear()]
    for node, ear in zip(nodes, ears, strict=True):
        assert await node.fanout.follow(room, ear, None, None) == 3
    for mover in (here, there, here, here):
        await mover.move(room)
    for ear in ears:
        await until(lambda ear=ear: len(ear.got) >= 5)
        assert ear.told() == [(3, "joined"), (4, None), (5, None), (6, None), (7, None)]
    assert ears[0].got == ears[1].got


async def _quiet_copies(nodes: tuple[Node, Node], room: str, count: int) -> list[bytes]:
    """Make versions on one node that the other is not told of, and give them."""
    here, there = nodes
    deaf = there.fanout.foreign_version
    there.store.attach(lambda _room, _raw: None, there.fanout.told, there.fanout.compare)
    for _ in range(count):
        await here.move(room)
    await asyncio.sleep(0.05)
    there.store.attach(deaf, there.fanout.told, there.fanout.compare)
    return await here.store.entries(room, 3)


async def test_a_version_that_comes_early_waits_for_the_one_before(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[1].fanout.follow(room, ear, None, None)
    first, second = await _quiet_copies(nodes, room, 2)
    nodes[1].fanout.foreign_version(room, second)
    assert ear.told() == [(3, "joined")]
    nodes[1].fanout.foreign_version(room, first)
    nodes[1].fanout.foreign_version(room, first)
    assert ear.told() == [(3, "joined"), (4, None), (5, None)]


async def test_a_hole_is_filled_from_the_stream(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[1].fanout.follow(room, ear, None, None)
    copies = await _quiet_copies(nodes, room, 3)
    nodes[1].fanout.foreign_version(room, copies[2])
    await until(lambda: len(ear.got) >= 4)
    assert ear.told() == [(3, "joined"), (4, None), (5, None), (6, None)]


async def test_a_hole_that_the_stream_has_too_becomes_a_snapshot_that_says_trimmed(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[1].fanout.follow(room, ear, None, None)
    copies = await _quiet_copies(nodes, room, 80)
    nodes[1].fanout.foreign_version(room, copies[-1])
    await until(lambda: len(ear.got) >= 2)
    assert ear.told() == [(3, "joined"), (83, "trimmed")]


async def test_after_the_subscriber_was_away_every_room_is_compared(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[1].fanout.follow(room, ear, None, None)
    await _quiet_copies(nodes, room, 2)
    await nodes[1].fanout.compare([room])
    assert ear.told() == [(3, "joined"), (4, None), (5, None)]


def _forged(raw: bytes, **changes: Any) -> bytes:
    entry = decode_entry(raw)
    fields = {name: getattr(entry, name) for name in entry.__struct_fields__} | changes
    return encode_entry(Entry(**fields))


async def test_a_version_of_another_history_becomes_a_snapshot_that_says_lost(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[1].fanout.follow(room, ear, None, None)
    (copy,) = await _quiet_copies(nodes, room, 1)
    nodes[1].fanout.foreign_version(room, _forged(copy, prev="another"))
    await until(lambda: len(ear.got) >= 2)
    assert ear.told() == [(3, "joined"), (4, "lost")]


async def test_who_comes_back_gets_what_it_missed_or_nothing(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    room = await here.open()
    live = await here.rooms.live(room)
    stood = Since(live.state.v, live.state.tip)
    nothing, missed = Ear(), Ear()
    await there.fanout.follow(room, nothing, None, stood)
    assert nothing.got == []
    await here.move(room)
    await here.move(room)
    await there.fanout.follow(room, missed, None, stood)
    assert missed.told() == [(4, None), (5, None)]


async def test_the_last_follower_to_go_ends_the_subscription(nodes: tuple[Node, Node]) -> None:
    room, one, other = await nodes[0].open(), Ear(), Ear()
    fanout = nodes[1].fanout
    await asyncio.gather(fanout.follow(room, one, None, None), fanout.follow(room, other, 0, None))
    await fanout.unfollow(room, one)
    assert fanout.channel(room) is not None
    await fanout.unfollow(room, other)
    assert fanout.channel(room) is None
    await fanout.follow(room, one, None, None)
    assert one.told()[-1] == (3, "joined")


async def test_who_comes_as_the_last_one_goes_is_not_forgotten(nodes: tuple[Node, Node]) -> None:
    room, old = await nodes[0].open(), Ear()
    fanout = nodes[1].fanout
    await fanout.follow(room, old, None, None)
    for _ in range(50):
        new = Ear()
        await asyncio.gather(fanout.unfollow(room, old), fanout.follow(room, new, None, None))
        channel = fanout.channel(room)
        assert channel is not None
        assert channel.count() == 1
        old = new


async def test_followers_that_come_and_go_cost_the_others_nothing(nodes: tuple[Node, Node]) -> None:
    room, steady = await nodes[0].open(), Ear()
    fanout = nodes[1].fanout
    await fanout.follow(room, steady, None, None)

    async def churn() -> None:
        for _ in range(30):
            ear = Ear()
            await fanout.follow(room, ear, None, None)
            assert [v for v, _ in ear.told()] == list(range(ear.told()[0][0], ear.told()[-1][0] + 1))
            await fanout.unfollow(room, ear)

    async def play() -> None:
        for _ in range(60):
            await nodes[0].move(room)

    await asyncio.gather(play(), churn(), churn())
    await until(lambda: len(steady.got) == 61)
    assert [v for v, _ in steady.told()] == list(range(3, 64))


async def test_the_end_follows_the_last_frame_also_for_who_comes_later(nodes: tuple[Node, Node]) -> None:
    room, early, late = await nodes[0].open(), Ear(), Ear()
    await nodes[1].fanout.follow(room, early, None, None)
    await nodes[0].do(room, Decision(Play((gone_choice(0, "resigned"),), ("player",))))
    await until(lambda: len(early.got) == 3)
    await nodes[1].fanout.follow(room, late, 0, None)
    assert [message["t"] for message in early.got] == ["frame", "frame", "ended"]
    assert [message["t"] for message in late.got] == ["frame", "ended"]


async def test_what_a_channel_remembers_is_bounded(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[0].fanout.follow(room, ear, None, None)
    for _ in range(RECENT + 5):
        await nodes[0].move(room)
    channel = nodes[0].fanout.channel(room)
    assert channel is not None
    assert len(channel.recent) == RECENT
    assert len(encode(channel.early)) == 1


async def test_a_quiet_room_says_where_it_stands_and_one_in_play_does_not(
    nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr("server.quiet.monotonic", lambda: now_s[0])
    quiet, busy = await nodes[0].open(laps=100), await nodes[0].open(laps=90)
    ears = {room: (Ear(), Ear()) for room in (quiet, busy)}
    for room, pair in ears.items():
        for audience, ear in zip((None, 0), pair, strict=True):
            await nodes[0].fanout.follow(room, ear, audience, None)
        await nodes[0].move(room)
    for _ in range(11):
        now_s[0] += QUIET_S / 5
        nodes[0].fanout.tell_tips(now_s[0])
        await nodes[0].move(busy)
    live = await nodes[0].rooms.live(quiet)
    for ear in ears[quiet]:
        tips = [message for message in ear.got if message["t"] == "tip"]
        assert [(tip["v"], tip["tip"]) for tip in tips] == [(4, live.state.tip)] * 2
    assert {message["t"] for ear in ears[busy] for message in ear.got} == {"frame"}


async def test_a_quiet_room_is_forgotten_and_goes_on_all_the_same(nodes: tuple[Node, Node]) -> None:
    room, ear = await nodes[0].open(), Ear()
    await nodes[0].fanout.follow(room, ear, None, None)
    await nodes[0].move(room)
    channel = nodes[0].fanout.channel(room)
    assert channel is not None
    told_s = time.monotonic()
    nodes[0].fanout.tell_tips(told_s + QUIET_S - 1)
    assert len(channel.recent) == 1
    nodes[0].fanout.tell_tips(told_s + QUIET_S + 1)
    assert len(channel.recent) == 0
    nodes[0].rooms.forget(room)
    late = Ear()
    await nodes[0].fanout.follow(room, late, None, None)
    await nodes[0].move(room)
    assert len(channel.recent) == 1
    assert ear.told() == [(3, "joined"), (4, None), (5, None)]
    assert late.told() == [(4, "joined"), (5, None)]
