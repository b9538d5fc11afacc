"""Copies beside accounts and games: made any number of times, they stand once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from server.store import boards, history, keys
from server.store.boards import Rerated, Standing
from server.store.redis import Store
from tests.server.store.scene import made
from tests.valkey import Server


async def everything(rooms: list[str]) -> list[str | None]:
    return list(rooms)


async def rooms_of(store: Store, account: str) -> list[str]:
    return (await store.rooms_of(account, everything, 100, ""))[0]


async def test_a_room_moves_from_where_an_account_sits_to_its_past_once(store: Store, other: Store) -> None:
    for n, room in enumerate(("a", "b", "c")):
        await store.note("ann", room, 1_000 + n)
    assert await store.sits("ann") == ["a", "b", "c"]
    await asyncio.gather(*(each.archive("ann", "b", 1_001, True) for each in (store, other, store)))
    await store.archive("ann", "c", 1_002, False)
    assert await store.sits("ann") == ["a"]
    assert await rooms_of(store, "ann") == ["b", "a"]
    assert await rooms_of(store, "bob") == []


async def test_a_room_whose_move_stopped_halfway_is_read_once(store: Store, valkey_server: Server) -> None:
    await store.note("ann", "room", 5)
    valkey_server.ask("ZADD", keys.key("past", "ann"), 5, "room")
    assert await rooms_of(store, "ann") == ["room"]


async def test_an_accounts_rooms_come_in_full_pages_without_what_is_left_out(store: Store) -> None:
    for n in range(30):
        await store.note("ann", f"room {n:02}", 1_000 + n // 3)
        if n % 2:
            await store.archive("ann", f"room {n:02}", 1_000 + n // 3, True)

    async def show(rooms: list[str]) -> Sequence[str | None]:
        return [room if int(room[-2:]) % 5 else None for room in rooms]

    pages: list[list[str]] = []
    cursor = "-"
    while cursor:
        page, cursor = await store.rooms_of("ann", show, 5, cursor.strip("-"))
        pages.append(page)
    assert [len(page) for page in pages] == [5, 5, 5, 5, 4]
    assert [room for page in pages for room in page] == [f"room {n:02}" for n in reversed(range(30)) if n % 5]


async def test_the_newest_rooms_of_an_account_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST", 3)
    for n in range(5):
        await store.note("ann", f"room {n}", n)
    assert await store.sits("ann") == ["room 2", "room 3", "room 4"]


async def shown_results(store: Store, game: str = "g") -> list[tuple[bytes, str]]:
    async def show(cards: list[tuple[bytes, str]]) -> Sequence[tuple[bytes, str] | None]:
        return cards

    return (await store.results(game, show, 100, ""))[0]


async def test_a_result_comes_with_the_tip_that_its_room_has_now(store: Store, other: Store) -> None:
    stored = await made(store, "room")
    now = store.now("room")
    for each in (store, other, store):
        await each.publish("g", "room", now, b"card")
    await store.publish("g", "gone", now + 1, b"of a room that is gone")
    assert await shown_results(store) == [(b"of a room that is gone", ""), (b"card", stored.tip)]
    assert await shown_results(store, "other") == []


async def test_results_that_are_too_many_or_too_old_are_let_go(
    store: Store, valkey_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = store.now("room")
    await store.publish("g", "old", now - boards.KEPT_MS - 60_000, b"old")
    assert await shown_results(store) == []
    monkeypatch.setattr(boards, "MOST_RESULTS", 3)
    for n in range(5):
        await store.publish("g", f"room {n}", now + n, b"%d" % n)
    assert [card for card, _ in await shown_results(store)] == [b"4", b"3", b"2"]
    assert valkey_server.ask("HLEN", keys.key("cards", "g")) == 3


async def test_a_room_is_rated_once_whoever_comes(store: Store, other: Store) -> None:
    changes = [Rerated("ann", None, b"a1", 20), Rerated("bob", None, b"b1", 10)]
    said = await asyncio.gather(*(each.rate("g", "room", changes) for each in (store, other, store, other)))
    assert sorted(said) == ["done", "known", "known", "known"]
    assert await store.ratings("g", ["ann", "bob", "cid"]) == [b"a1", b"b1", None]
    assert await store.standings("g", 1, 10) == [Standing(1, "ann", b"a1"), Standing(2, "bob", b"b1")]
    assert [await store.rank_of("g", who) for who in ("ann", "bob", "cid")] == [1, 2, None]


async def test_ratings_that_were_reckoned_from_old_ones_change_nothing(store: Store) -> None:
    await store.rate("g", "one", [Rerated("ann", None, b"a1", 20), Rerated("bob", None, b"b1", 10)])
    stale = [Rerated("cid", None, b"c1", 30), Rerated("bob", b"b0", b"b2", 40)]
    assert await store.rate("g", "two", stale) == "conflict"
    assert await store.ratings("g", ["bob", "cid"]) == [b"b1", None]
    assert await store.rank_of("g", "cid") is None
    fresh = [Rerated("cid", None, b"c1", 30), Rerated("bob", b"b1", b"b2", 40)]
    assert await store.rate("g", "two", fresh) == "done"
    assert [each.account for each in await store.standings("g", 1, 2)] == ["bob", "cid"]
    assert [each.account for each in await store.standings("g", 3, 2)] == ["ann"]
