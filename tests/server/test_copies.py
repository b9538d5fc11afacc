"""What ends is copied once, whoever copies it and however often: rooms as they lie in the store, without sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from engines.record import encode
from protocol.messages import RoomPlan, Status
from server import copies as copies_module
from server.copies import Copies
from server.metrics import Metrics
from server.ratings import decode_rating
from server.state import Result, RoomState, Seat
from server.store import keys
from server.store.redis import Store
from server.upkeep import Upkeep
from tests.server.store.scene import creation, opened, until
from tests.valkey import Server


@pytest.fixture
async def nodes(valkey: str) -> AsyncIterator[tuple[Store, Store]]:
    """Two nodes' stores of one place."""
    async with opened(valkey) as one, opened(valkey) as other:
        yield one, other


def copier(store: Store, guests: bool = False) -> Copies:
    return Copies(store, Metrics(), guests)


async def end(store: Store, room: str, *seats: Seat, status: Status = "finished", **changes: Any) -> RoomState:
    """Let a room of the game g end; the first seat has won."""
    result = Result(status, "points", (0,), tuple(1 if at == 0 else 2 for at in range(len(seats))))
    state = RoomState(
        room, "g", 1, "p", "h", {}, RoomPlan(**changes), 1_000, list(seats), b"", v=1, tip=f"tip of {room}",
        at=store.now(room), status=status, result=result,
    )  # fmt: skip
    await store.commit(creation(store, room, tip=state.tip, record=encode(state), status=status, expire_s=100))
    return state


def seat(account: str, **more: Any) -> Seat:
    return Seat(True, account, account.capitalize(), **more)


async def matches(store: Store, *accounts: str) -> list[int | None]:
    """Give how many matches were counted for each account, None for one without a rating."""
    found = await store.ratings("g", accounts)
    return [None if raw is None else decode_rating(raw).matches for raw in found]


async def past(store: Store, account: str) -> list[str]:
    async def everything(rooms: list[str]) -> list[str | None]:
        return list(rooms)

    return (await store.rooms_of(account, everything, 100, ""))[0]


async def test_two_nodes_that_copy_at_once_count_each_room_once(nodes: tuple[Store, Store]) -> None:
    rooms = [f"room {n}" for n in range(40)]
    await asyncio.gather(*(end(nodes[0], room, seat("ann"), seat("bob")) for room in rooms))
    copiers = [copier(store) for store in nodes]
    for _ in range(20):  # where one was faster the other tries again a second later
        await asyncio.gather(*(each.settle() for each in copiers))
        if not await nodes[0].ended():
            break
        await asyncio.sleep(0.5)
    assert await nodes[0].ended() == []
    assert await matches(nodes[0], "ann", "bob") == [40, 40]
    assert sorted(await past(nodes[1], "ann")) == sorted(rooms)
    assert [each.account for each in await nodes[0].standings("g", 1, 5)] == ["ann", "bob"]


async def test_an_end_that_is_told_again_changes_nothing(nodes: tuple[Store, Store], valkey_server: Server) -> None:
    await end(nodes[0], "room", seat("ann"), seat("bob"))
    await copier(nodes[0]).settle()
    before = await nodes[0].ratings("g", ["ann", "bob"])
    done = keys.shared(keys.partition("room")).done
    for node in nodes:
        valkey_server.ask("XADD", done, "*", "r", "room")
        await copier(node).settle()
        assert await node.ended() == []
    assert await nodes[0].ratings("g", ["ann", "bob"]) == before
    assert await past(nodes[0], "ann") == ["room"]


async def test_what_one_node_left_half_done_another_finishes(
    nodes: tuple[Store, Store], valkey_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await end(nodes[0], "room", seat("ann"), seat("bob"))

    async def dies(*_: object) -> None:
        raise RuntimeError

    for part in ("rate", "publish", "archive"):
        with monkeypatch.context() as here:
            here.setattr(nodes[0], part, dies)
            await copier(nodes[0]).settle()
        assert [each.room for each in await nodes[1].ended()] == ["room"]
    await copier(nodes[1]).settle()
    assert await matches(nodes[1], "ann", "bob") == [1, 1]
    assert await nodes[1].ended() == []


@pytest.mark.parametrize(
    ("seats", "changes"),
    [
        ([seat("ann"), seat("bob")], {"private": True}),
        ([seat("ann"), seat("bob")], {"status": "void"}),
        ([seat("ann"), seat("bob")], {"status": "aborted"}),
        ([seat("ann"), Seat(True, bot="eager")], {}),
        ([seat("ann"), seat("guest-1")], {}),
        ([seat("ann")], {}),
    ],
    ids=["private", "void", "aborted", "against a bot", "against a guest", "alone"],
)
async def test_no_rating_comes_of_a_match(
    nodes: tuple[Store, Store], seats: list[Seat], changes: dict[str, Any]
) -> None:
    await end(nodes[0], "room", *seats, **changes)
    await copier(nodes[0]).settle()
    assert await nodes[0].ended() == []
    assert await nodes[0].standings("g", 1, 5) == []
    assert await past(nodes[0], "ann") == ["room"]


async def test_those_with_ratings_are_rated_among_themselves(nodes: tuple[Store, Store]) -> None:
    table = [seat("guest-1"), Seat(True, bot="eager"), seat("ann"), seat("bob")]
    await end(nodes[0], "one", *table)
    await copier(nodes[0]).settle()
    assert await matches(nodes[0], "ann", "bob", "guest-1") == [1, 1, None]
    await end(nodes[0], "two", *table)
    await copier(nodes[0], guests=True).settle()
    assert await matches(nodes[0], "ann", "bob", "guest-1") == [2, 2, 1]


async def test_what_is_not_to_be_known_yet_moves_no_rating(
    nodes: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies_module, "shown_from", lambda state: state.at + 1_500)
    await end(nodes[0], "slow", seat("ann"), seat("bob"))
    copies = copier(nodes[0])
    await copies.settle()
    assert await past(nodes[0], "ann") == ["slow"]
    assert await matches(nodes[0], "ann") == [None]
    assert [each.room for each in await nodes[1].ended()] == ["slow"]
    async with asyncio.timeout(20):
        while await nodes[1].ended():
            await copies.settle()
            await asyncio.sleep(0.1)
    assert await matches(nodes[0], "ann") == [1]


async def test_a_room_that_is_gone_is_settled_with_nothing(nodes: tuple[Store, Store], valkey_server: Server) -> None:
    await end(nodes[0], "room", seat("ann"), seat("bob"))
    valkey_server.ask("DEL", keys.key("room", "room"))
    await copier(nodes[0]).settle()
    assert await nodes[0].ended() == []
    assert await matches(nodes[0], "ann") == [None]


async def test_a_room_that_cannot_be_read_keeps_no_other_waiting(nodes: tuple[Store, Store]) -> None:
    await nodes[0].commit(creation(nodes[0], "broken", status="finished", record=b"?", expire_s=100))
    await end(nodes[0], "room", seat("ann"), seat("bob"))
    await copier(nodes[0]).settle()
    assert [each.room for each in await nodes[0].ended()] == ["broken"]
    assert await matches(nodes[0], "ann") == [1]


async def test_every_node_settles_and_mends_by_itself(
    nodes: tuple[Store, Store], valkey_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.upkeep.MEND_S", 0.05)
    monkeypatch.setattr("server.upkeep.SETTLE_S", 0.05)
    metrics = Metrics()
    upkeep = Upkeep(nodes[0], Copies(nodes[0], metrics, guests=False), metrics)
    await nodes[1].commit(creation(nodes[1], "gone", deadline=nodes[1].now("gone") + 60_000, listing=b"gone"))
    valkey_server.ask("DEL", keys.key("room", "gone"))
    upkeep.start()
    try:
        await end(nodes[1], "room", seat("ann"), seat("bob"))
        shared = keys.shared(keys.partition("gone"))
        await until(lambda: not valkey_server.ask("EXISTS", shared.due, shared.open), 20)
        async with asyncio.timeout(20):
            while await matches(nodes[1], "ann") != [1]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    finally:
        await upkeep.stop()
    assert b"sanctum_settled_total 1.0" in metrics.render()
    assert b"sanctum_mended_total 2.0" in metrics.render()
