"""Who is here, put together from what nodes say: pure at first, then two nodes on a real Valkey, without sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgpack
import msgspec
import pytest

from engines import flow
from engines.record import Choice, encode
from engines.rules import Pace
from engines.sight import Audience
from protocol.codec import pack
from protocol.messages import Create, Presence, RoomPlan, Said, SeatPlan
from server import decisions
from server.channel import ALL, WATCHERS
from server.clocks import Clocks
from server.crowd import SPECTATORS_S, Crowd, Members, members_of
from server.fanout import Fanout
from server.live import Live
from server.metrics import Metrics
from server.opening import open_room
from server.packet import Packet
from server.presence import Attendance
from server.rooms import Caller, Decision, Rooms
from server.rulesets import Rulesets
from server.state import Away, Back, Input, Play, Prepare, RoomState, Seat, Sit
from server.store import keys
from server.store.redis import Store
from tests.server.test_room import Story
from tests.valkey import Server


def a_room(*seats: Seat) -> RoomState:
    return RoomState("r", "g", 1, "p", "h", {}, RoomPlan(), 0, list(seats), b"")


def test_bots_are_here_and_free_seats_are_nowhere() -> None:
    state = a_room(Seat(True), Seat(True, bot="idle"), Seat(), Seat(True))
    assert Crowd().presence(state, Members(1, (0,), 2)) == Presence("r", (0, 1), (3,), 2)


def test_a_seat_is_here_if_any_node_has_it() -> None:
    crowd = Crowd()
    assert crowd.hear("one", Members(1, (1,), 3))
    assert crowd.hear("two", Members(1, (1,), 4))
    state = a_room(Seat(True), Seat(True))
    assert crowd.presence(state, Members(0)) == Presence("r", (1,), (0,), 7)
    assert crowd.drop({"one", "elsewhere"})
    assert crowd.presence(state, Members(0)).here == (1,)
    assert crowd.drop({"two"})
    assert crowd.presence(state, Members(0)).here == ()
    assert not crowd.drop({"two"})


def test_an_older_word_does_not_undo_a_newer_one() -> None:
    crowd = Crowd()
    assert crowd.hear("one", Members(5, (1,)))
    assert not crowd.hear("one", Members(4, ()))
    assert not crowd.hear("one", Members(5, ()))
    assert crowd.presence(a_room(Seat(True), Seat(True)), Members(0)).here == (1,)


def test_seats_are_told_at_once_and_spectators_alone_once_in_five_seconds() -> None:
    crowd, now_s = Crowd(), 100.0
    first = Presence("r", (0,), (1,), 1)
    assert crowd.wait_s(first, now_s) == 0
    crowd.tells(first, now_s)
    assert crowd.wait_s(first, now_s + 60) is None
    more = Presence("r", (0,), (1,), 2)
    assert crowd.wait_s(more, now_s + 1) == SPECTATORS_S - 1
    assert crowd.wait_s(more, now_s + SPECTATORS_S) == 0
    assert crowd.wait_s(Presence("r", (0, 1), (), 2), now_s + 1) == 0


def test_members_are_seats_that_somebody_follows_from_and_a_number_of_spectators() -> None:
    crowds: dict[Audience, list[str]] = {None: ["x", "y"], 2: ["a"], 0: ["b", "c"], 1: []}
    assert members_of(crowds) == Members(0, (0, 2), 2)


# ---- a room ----------------------------------------------------------------------------------------------------


def judged(story: Story, now: int) -> Decision:
    """Say what silence means in a story's room at a moment."""
    assert story.state is not None
    version = story.version
    live = Live(b"", encode(version.state), version.state, story.ruleset, version.position, version.sights)
    return decisions.fall_due(live, now)


def test_an_absence_shows_and_the_first_choice_of_the_seat_ends_it() -> None:
    story = Story(plan=["number"]).start()
    story.apply(Away((0,)))
    frame = story.frame()
    assert frame["events"] == [{"event": "seat_away", "seat": 0}]
    assert [seat.get("away") for seat in frame["zones"]["room"]["seats"]] == [True, None]
    assert frame["clocks"][0]["lost_at"] == frame["at"] + 60_000
    story.apply(Play((Choice(0, 1, (3,)),), ("player",)))
    assert [seat.get("away") for seat in story.frame()["zones"]["room"]["seats"]] == [None, None]


def test_who_comes_back_is_told_and_nothing_is_left_of_the_absence() -> None:
    story = Story(plan=["number"]).start()
    story.apply(Away((0, 1)))
    story.apply(Back((0, 1)))
    frame = story.frame()
    assert [event["event"] for event in frame["events"]] == ["seat_back", "seat_back"]
    assert all("lost_at" not in clock for clock in frame["clocks"])


def test_seats_that_are_away_for_too_long_go_at_the_same_moment() -> None:
    story = Story(seats=3, room_plan=RoomPlan(decision_s=600), plan=["number"]).start()
    story.apply(Away((0, 2)))
    assert judged(story, story.at + 59_999).input is None
    decision = judged(story, story.at + 60_000)
    assert decision.input == Play(
        (Choice(0, gone="abandoned", joint=True), Choice(2, gone="abandoned")), ("absence", "absence")
    )
    assert decision.not_before == story.at + 60_000


def test_all_whose_time_is_over_lose_at_once_where_expiry_forfeits() -> None:
    story = Story(room_plan=RoomPlan(turn_s=5, on_expiry="forfeit"), plan=["both"]).start()
    decision = judged(story, story.at + 5_000)
    assert decision.input == Play(
        (Choice(0, gone="timeout", joint=True), Choice(1, gone="timeout")), ("forfeit", "forfeit")
    )


def test_a_turn_that_has_run_out_is_one_strike_however_many_prompts_it_has() -> None:
    story = Story(seats=1, room_plan=RoomPlan(turn_s=5), plan=["number"], laps=9).start()
    story.apply(Play((Choice(0, 1, (2,)),), ("clock",)))
    story.apply(Play((Choice(0, 2, (2,)),), ("clock",)))
    assert story.state is not None
    assert story.state.seats[0].strikes == 1


def test_an_early_answer_to_a_held_window_shows_in_no_clock() -> None:
    frames = []
    for early in (False, True):
        plan = RoomPlan(turn_s=30, bank_s=60, disconnect_s=5)
        story = Story(room_plan=plan, plan=["hold", "number"], hold_ms=1_000).start()
        position = story.version.position
        assert position is not None
        assert story.state is not None
        asked = position.of(1)
        assert asked is not None
        choice = Choice(1, asked.id, asked.prompt.default)
        if early:
            story.state.record = flow.hold(position, choice)
        story.apply(Play((choice,), ("held" if early else "hold",)))
        frames.append(story.version.entry.frames)
    assert frames[0] == frames[1]
    assert story.frame()["clocks"][0]["deadline"] > story.at


def test_nobody_is_noted_as_away_where_no_clock_heeds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Story(plan=["number"]).start()
    version = story.version
    live = Live(b"", encode(version.state), version.state, story.ruleset, version.position, version.sights)
    decide = decisions.attend((), (0, 1))
    assert decide(live, story.at).input == Away((0, 1))
    assert decisions.attend((1,), (0, 1))(live, story.at).input == Away((0,))
    assert decisions.attend((), (1,))(live, story.at).input == Away((1,))
    monkeypatch.setattr(type(story.ruleset.rules), "pace", Pace(decision_s=20))
    assert decide(live, story.at).input is None


def test_rooms_that_were_stored_before_there_were_clocks_are_read() -> None:
    old = [True, "ann", "Ann", None, True, None, b"", 2]
    seat = msgspec.msgpack.decode(msgspec.msgpack.encode(old), type=Seat)
    assert (seat.strikes, seat.away, seat.lost_at, seat.clock) == (2, None, None, None)


# ---- two nodes -------------------------------------------------------------------------------------------------


class Ear:
    """A follower that keeps what it is told."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []

    def send(self, packet: Packet) -> None:
        self.got.append(msgpack.unpackb(packet.payload))

    def hears(self, here: list[int], away: list[int]) -> bool:
        told = [message for message in self.got if message["t"] == "presence"]
        return bool(told) and (told[-1]["here"], told[-1]["away"]) == (here, away)


class Node:
    """One node without sockets."""

    def __init__(self, store: Store) -> None:
        metrics = Metrics()
        self.store = store
        self.rooms = Rooms(store, Rulesets(store), metrics)
        self.fanout = Fanout(store, self.rooms, metrics)
        self.clocks = Clocks(store, self.rooms, metrics)
        self.presence = Attendance(store, self.rooms, self.fanout)
        self.clocks.before_loss = self.presence.absences.bring_back

    async def follow(self, room: str, audience: Audience) -> Ear:
        ear = Ear()
        await self.fanout.follow(room, ear, audience, None)
        await self.presence.greet(room, ear, audience)
        return ear

    async def do(self, room: str, given: Input, owner: tuple[int, str] | None = None) -> None:
        await self.rooms.act(room, lambda _live, _now: Decision(given, owner=owner), None)

    async def open(self) -> str:
        """Start a match of two; gives the room."""
        options = {"plan": ["number"], "laps": 9}
        order = Create("c", "probe", options, (SeatPlan(), SeatPlan()), None, RoomPlan(decision_s=600))
        room = (await open_room(self.rooms, Caller("ann", "create", b"x" * 16), order)).room
        assert room is not None
        for seat in (0, 1):
            await self.do(room, Sit(seat, f"P{seat}"), (seat, f"a{seat}"))
        for seat in (0, 1):
            await self.do(room, Prepare(seat, True))
        return room

    async def away(self, room: str) -> list[int]:
        seats = (await self.rooms.fresh(room)).state.seats
        return [at for at, seat in enumerate(seats) if seat.away is not None]


@pytest.fixture
async def nodes(valkey: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Node, Node]]:
    """Two nodes; an absence counts after 0.3 s."""
    monkeypatch.setattr("server.absences.ABSENT_MS", 300)
    pair = [Node(await Store.open(valkey)) for _ in range(2)]
    for node in pair:
        await node.presence.start()
    yield pair[0], pair[1]
    for node in pair:
        await node.clocks.stop()
        await node.presence.stop()
        await node.fanout.stop()
        await node.store.close()


async def until(done: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not (await found if isinstance(found := done(), Awaitable) else found):  # noqa: ASYNC110 - elsewhere
            await asyncio.sleep(0.02)


async def test_an_absence_is_noted_by_the_node_that_lost_the_socket_and_taken_back_by_another(
    nodes: tuple[Node, Node],
) -> None:
    here, there = nodes
    room = await here.open()
    ann, bob = await here.follow(room, 0), await there.follow(room, 1)
    await until(lambda: ann.hears([0, 1], []) and bob.hears([0, 1], []))
    v = (await here.rooms.fresh(room)).state.v
    await there.fanout.unfollow(room, bob)
    await until(lambda: ann.hears([0], [1]))

    async def noted() -> bool:
        return await here.away(room) == [1]

    await until(noted)
    await here.follow(room, 1)
    await until(lambda: ann.hears([0, 1], []))

    async def over() -> bool:
        return await here.away(room) == []

    await until(over)
    assert (await here.rooms.fresh(room)).state.v == v + 2


async def test_what_a_node_keeps_of_a_room_is_gone_when_nobody_follows_it(nodes: tuple[Node, Node]) -> None:
    here, _ = nodes
    room = await here.open()
    ears = [await here.follow(room, audience) for audience in (0, 1, None)]

    async def kept() -> bool:
        return len(await here.store.who(room)) == 1

    await until(kept)
    for ear in ears:
        await here.fanout.unfollow(room, ear)

    async def gone() -> bool:
        return not await here.store.who(room) and await here.away(room) == [0, 1]

    await until(gone)


async def test_a_node_that_stops_leaves_its_absences_to_the_others(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    room = await here.open()
    ann, bob = await here.follow(room, 0), await there.follow(room, 1)
    await until(lambda: ann.hears([0, 1], []) and bob.hears([0, 1], []))
    await there.presence.stop()
    await until(lambda: ann.hears([0], [1]))

    async def noted() -> bool:
        return await here.away(room) == [1]

    await until(noted)


async def test_a_node_that_was_taken_for_dead_and_goes_on_brings_its_seats_back(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    room = await here.open()
    ann, _ = await here.follow(room, 0), await there.follow(room, 1)
    await until(lambda: ann.hears([0, 1], []))
    await there.presence.beats.stop()
    await until(lambda: ann.hears([0], [1]))

    async def noted() -> bool:
        return await here.away(room) == [1]

    await until(noted)
    await there.presence.beats.start()
    await until(lambda: ann.hears([0, 1], []))

    async def over() -> bool:
        return await here.away(room) == []

    await until(over)


async def test_a_seat_that_is_there_is_not_lost_by_an_absence_that_was_noted_too_late(
    nodes: tuple[Node, Node], valkey_server: Server
) -> None:
    here, there = nodes
    room = await here.open()
    ann, bob = await here.follow(room, 0), await there.follow(room, 1)
    await until(lambda: ann.hears([0, 1], []) and bob.hears([0, 1], []))
    await here.do(room, Away((1,)))
    valkey_server.ask("HINCRBY", keys.shared(keys.partition(room)).time, "credit", -61_000)
    here.clocks.start()

    async def over() -> bool:
        return await here.away(room) == []

    await until(over)
    assert (await here.rooms.fresh(room)).state.status == "playing"


async def test_what_spectators_say_is_told_to_spectators_alone_also_later(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    room = await here.open()
    for number, to in enumerate((ALL, WATCHERS)):
        said = Said(room, str(number), "P", f"text {number}", 0)
        await here.store.tell(room, to + pack(said), keep=True, id=said.id, aside=to == WATCHERS)
    seat, watcher = await there.follow(room, 0), await there.follow(room, None)
    for ear, texts in ((seat, ["text 0"]), (watcher, ["text 0", "text 1"])):
        assert [message["text"] for message in ear.got if message["t"] == "said"] == texts
        assert [message["t"] for message in ear.got][:2] == ["frame", "presence"]
