"""Spectators who see everything late, without sockets: what is due and what is not, history that is lost, bounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest

from engines.record import Choice
from protocol.codec import pack
from protocol.messages import Create, Presence, RoomPlan, Said, Since
from server.channel import ALL, WATCHERS
from server.fanout import Fanout
from server.late import STALE_S
from server.lateview import LateViews, is_hidden
from server.latewords import WAITING, LateWords
from server.live import Live
from server.metrics import Metrics
from server.opening import open_room
from server.packet import Packet
from server.quiet import QUIET_S
from server.room import gone_choice
from server.rooms import Caller, Decision, Rooms
from server.rulesets import Rulesets
from server.session import packet
from server.state import Play, Prepare, Sit
from server.store import keys
from server.store.redis import Store
from tests.server.test_fanout import Ear
from tests.valkey import Server

DELAY_S = 3_600


class Node:
    """The rooms and the fan-out of one node. Its clock runs on only where ``later`` says so."""

    def __init__(self, store: Store, server: Server) -> None:
        metrics = Metrics()
        self.store, self.server = store, server
        self.rooms = Rooms(store, Rulesets(store), metrics)
        self.fanout = Fanout(store, self.rooms, metrics)

    async def open(self) -> str:
        """Start a match of one seat, at version 3."""
        plan = RoomPlan(delay_s=DELAY_S, decision_s=604_800)
        order = Create("c", "probe", {"plan": ["number"], "laps": 100, "target": 1_000}, room=plan)
        room = (await open_room(self.rooms, Caller("ann", "c", b"x" * 16), order)).room
        assert room is not None
        await self.do(room, Decision(Sit(0, "Ann"), owner=(0, "ann")))
        await self.do(room, Decision(Prepare(0, True)))
        return room

    async def do(self, room: str, decision: Decision) -> None:
        await self.rooms.act(room, lambda _live, _now: decision, None)

    async def move(self, room: str, times: int) -> None:
        def decide(live: Live, _: int) -> Decision:
            assert live.position is not None
            asked = live.position.of(0)
            assert asked is not None
            return Decision(Play((Choice(0, asked.id, (5,)),), ("player",)))

        for _ in range(times):
            await self.rooms.act(room, decide, None)

    async def later(self, room: str, seconds: int = DELAY_S) -> None:
        """Let service time go on."""
        self.server.ask("HINCRBY", keys.shared(keys.partition(room)).time, "credit", -seconds * 1_000)
        await self.store.due(0)

    async def watch(self, room: str, since: Since | None = None) -> Ear:
        ear = Ear()
        await self.fanout.follow(room, ear, None, since)
        return ear


@pytest.fixture
async def node(valkey: str, valkey_server: Server) -> AsyncIterator[Node]:
    store = await Store.open(valkey)
    made = Node(store, valkey_server)
    yield made
    await made.fanout.stop()
    await store.close()


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not done():  # noqa: ASYNC110 - what is waited for happens elsewhere
            await asyncio.sleep(0.02)


async def test_nothing_is_told_before_it_is_due_and_then_every_version(node: Node) -> None:
    room = await node.open()
    watcher = await node.watch(room)
    await node.move(room, 40)
    await node.later(room, DELAY_S - 60)
    newcomer = await node.watch(room)
    await asyncio.sleep(0.1)
    assert watcher.got == newcomer.got == []
    await node.later(room, 60)
    await until(lambda: len(watcher.got) == 43)
    assert watcher.told() == newcomer.told() == [(1, "joined"), *((v, None) for v in range(2, 44))]


async def test_what_happens_now_moves_no_tip_of_the_delayed(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """When they are told where they stand must not say whether the match goes on at this moment."""
    now_s = [1_000.0]
    monkeypatch.setattr("server.quiet.monotonic", lambda: now_s[0])
    room = await node.open()
    await node.move(room, 2)
    await node.later(room)
    watcher = await node.watch(room)
    for each in range(15):
        now_s[0] += QUIET_S / 5
        if each >= 5:
            await node.move(room, 1)
        node.fanout.tell_tips(now_s[0])
    assert [message["v"] for message in watcher.got if message["t"] == "tip"] == [5] * 3


async def test_a_folded_snapshot_is_the_snapshot_of_that_version(node: Node) -> None:
    room = await node.open()
    await node.move(room, 21)
    old = await node.rooms.fresh(room)
    await node.move(room, 2)
    due = await node.rooms.fresh(room)
    await node.later(room)
    await node.move(room, 5)
    sent: list[bytes] = []

    class Recorder:
        def send(self, packet: Packet) -> None:
            sent.append(packet.payload)

    for since in (None, Since(1, "another"), Since(old.state.v, old.state.tip)):
        assert await node.fanout.follow(room, Recorder(), None, since) == due.state.v
    assert sent[:2] == [due.snapshot(None, why).payload for why in ("joined", "lost")]
    assert [msgspec.msgpack.decode(raw)["v"] for raw in sent[2:]] == [due.state.v - 1, due.state.v]
    shown = await LateViews(node.store).info(due.state)
    assert (shown.status, shown.v) == ("playing", due.state.v)


async def test_where_history_was_lost_spectators_learn_it(node: Node, valkey_server: Server) -> None:
    room = await node.open()
    late = keys.key("late", room)
    copy = valkey_server.ask("DUMP", late)
    await node.move(room, 5)
    await node.later(room)
    watcher = await node.watch(room)
    assert watcher.told() == [(8, "joined")]
    assert isinstance(copy, bytes)
    valkey_server.ask("RESTORE", late, 0, copy, "REPLACE")
    channel = node.fanout.channel(room)
    assert channel is not None
    assert channel.late is not None
    channel.late.news()
    await until(lambda: len(watcher.got) == 2)
    assert watcher.told()[1] == (3, "lost")


async def test_what_was_lost_while_it_waited_is_never_told(node: Node, valkey_server: Server) -> None:
    room = await node.open()
    late = keys.key("late", room)
    copy = valkey_server.ask("DUMP", late)
    assert isinstance(copy, bytes)
    await node.move(room, 5)
    watcher = await node.watch(room)
    await asyncio.sleep(STALE_S + 0.1)
    valkey_server.ask("RESTORE", late, 0, copy, "REPLACE")
    await node.later(room)
    await until(lambda: len(watcher.got) == 3)
    await asyncio.sleep(0.2)
    assert watcher.told() == [(1, "joined"), (2, None), (3, None)]


async def test_who_was_away_for_too_long_gets_a_snapshot(node: Node) -> None:
    room = await node.open()
    first = (await node.rooms.fresh(room)).state
    await node.move(room, 70)
    await node.later(room)
    watcher = await node.watch(room, Since(first.v, first.tip))
    assert watcher.told() == [(73, "trimmed")]
    await node.fanout.resync(room, watcher, None, "slow")
    assert watcher.told()[1:] == [(73, "slow")]


async def test_the_end_is_hidden_until_it_is_due(node: Node) -> None:
    room = await node.open()
    assert is_hidden((await node.rooms.fresh(room)).state, node.store.sure(room))
    await node.do(room, Decision(Play((gone_choice(0, "resigned"),), ("player",))))
    state = (await node.rooms.fresh(room)).state
    assert is_hidden(state, state.at + 1_000 * DELAY_S - 1)
    assert not is_hidden(state, state.at + 1_000 * DELAY_S)
    watcher = await node.watch(room)
    await node.later(room)
    await until(lambda: [message["t"] for message in watcher.got][-1:] == ["ended"])


async def test_what_waits_is_bounded_and_a_crowd_pushes_no_seats_talk_out(node: Node) -> None:
    room = await node.open()
    words = LateWords(node.store, room, 1_000 * DELAY_S)
    words.hear(ALL + pack(Said(room, "seat", "Ann", "hello", 0, 0)))
    for number in range(2 * WAITING):
        words.attend(packet(Presence(room, (0,), (), number)))
        words.hear(WATCHERS + pack(Said(room, str(number), "Kim", "chatter", 0)))
    await node.later(room)
    told = [msgspec.msgpack.decode((await words.following()).payload) for _ in range(1 + 2 * WAITING)]
    assert [message["text"] for message in told if message["t"] == "said"] == ["hello", *["chatter"] * WAITING]
    counts = [message["spectators"] for message in told if message["t"] == "presence"]
    assert counts == list(range(WAITING, 2 * WAITING))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(words.following(), 0.05)
    assert len(words.greeting()) == 1 + 1 + 50


async def test_the_last_late_spectator_takes_the_work_along(node: Node) -> None:
    room = await node.open()
    watcher, seat = await node.watch(room), Ear()
    await node.fanout.follow(room, seat, 0, None)
    channel = node.fanout.channel(room)
    assert channel is not None
    assert channel.late is not None
    assert channel.delayed() == 1
    await node.fanout.unfollow(room, watcher)
    assert (channel.late, channel.delayed()) == (None, 0)
    await node.fanout.unfollow(room, seat)
    assert node.fanout.channel(room) is None
