"""Playing again when the node that began it has died in between, and when what was brought fits no more."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from protocol.errors import Refused
from protocol.messages import Create, Join, Ok, Rematch, RoomPlan, SeatPlan
from server import decisions
from server.metrics import Metrics
from server.opening import open_room
from server.rematch import play_again
from server.room import gone_choice
from server.rooms import Caller, Decide, Decision, Rooms
from server.rulesets import Rulesets
from server.state import Close, Open, Play, Prepare, Sit
from server.store.errors import Unavailable
from server.store.redis import Store

ANN, BOB = (Caller(name, "again", b"x" * 16) for name in ("ann", "bob"))


class Dying(Rooms):
    """The rooms of a node that dies before it writes anything to a room that is there."""

    async def act(self, room: str, decide: Decide, caller: Caller | None) -> Ok:
        raise Unavailable("killed")


@pytest.fixture
async def rooms(valkey: str) -> AsyncIterator[Rooms]:
    store = await Store.open(valkey)
    yield Rooms(store, Rulesets(store), Metrics())
    await store.close()


async def ended(rooms: Rooms) -> str:
    """Play a match of two to its end."""
    order = Create("c", "probe", seats=(SeatPlan(), SeatPlan()))
    room = (await open_room(rooms, Caller("ann", "c", b"x" * 16), order)).room
    assert room is not None
    inputs = [Decision(Sit(at, name), owner=(at, name)) for at, name in enumerate(("ann", "bob"))]
    inputs += [Decision(Prepare(at, True)) for at in range(2)]
    for decision in [*inputs, Decision(Play((gone_choice(0, "resigned"),), ("player",)))]:
        await rooms.act(room, lambda _live, _now, decision=decision: decision, None)  # type: ignore[misc]
    return room


async def test_who_asks_after_a_crash_finishes_what_was_begun(rooms: Rooms) -> None:
    room = await ended(rooms)
    with pytest.raises(Unavailable):
        await play_again(Dying(rooms.store, rooms.rulesets, Metrics()), ANN, Rematch("again", room))
    begun = rooms.store.rematch_id(room)
    assert (await rooms.fresh(begun)).state.status == "lobby"
    assert (await rooms.fresh(room)).state.next is None
    answers = [await play_again(rooms, who, Rematch("again", room)) for who in (BOB, ANN, BOB)]
    assert [answer.room for answer in answers] == [begun] * 3
    state = (await rooms.fresh(begun)).state
    assert [seat.account for seat in state.seats] == ["bob", "ann"]
    assert not any(seat.ready for seat in state.seats)


async def test_an_id_that_is_somebody_elses_is_passed_over(rooms: Rooms) -> None:
    room = await ended(rooms)
    taken = rooms.store.rematch_id(room)
    live = await rooms.fresh(room)
    given = Open(
        taken,
        "probe",
        live.state.rules,
        live.state.pack_id,
        live.state.pack,
        {},
        RoomPlan(),
        (None,),
        (None,),
        b"s" * 32,
    )
    assert await rooms.create(taken, live.ruleset, given, Caller("zoe", "1", b"z" * 16), None) is not None
    answer = await play_again(rooms, ANN, Rematch("again", room))
    assert answer.room == rooms.store.rematch_id(room, 1)


async def test_a_room_that_ended_without_a_match_is_opened_again_with_its_free_seats(rooms: Rooms) -> None:
    order = Create("c", "probe", seats=(SeatPlan(),) * 3)
    room = (await open_room(rooms, Caller("ann", "c", b"x" * 16), order)).room
    assert room is not None
    for decision in (Decision(Sit(1, "Ann"), owner=(1, "ann")), Decision(Close("aborted", "idle"))):
        await rooms.act(room, lambda _live, _now, decision=decision: decision, None)  # type: ignore[misc]
    answer = await play_again(rooms, ANN, Rematch("again", room))
    assert answer.seat == 0
    assert answer.room is not None
    state = (await rooms.fresh(answer.room)).state
    assert [(seat.taken, seat.account) for seat in state.seats] == [(True, "ann"), (False, None), (False, None)]
    sit = decisions.sit("bob", "Bob", Join("1", answer.room))
    assert (await rooms.act(answer.room, sit, None)).seat == 1


async def test_an_id_of_another_command_is_refused(rooms: Rooms) -> None:
    used = Caller("ann", "c2", b"y" * 16)
    fresh = await open_room(rooms, Caller("ann", "c3", b"y" * 16), Create("c3", "probe", seats=(SeatPlan(),) * 2))
    assert fresh.room is not None
    await rooms.act(fresh.room, lambda _l, _n: Decision(Sit(0, "Ann"), owner=(0, "ann")), used)
    with pytest.raises(Refused) as refused:
        await play_again(rooms, Caller("ann", "c2", b"n" * 16), Rematch("c2", fresh.room))
    assert refused.value.code == "conflict"
