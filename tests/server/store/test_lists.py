"""Lists of public rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from server.store import keys, pages
from server.store.redis import Store
from tests.server.store.scene import creation, following, made, now
from tests.valkey import Server


async def test_a_room_is_listed_where_its_status_says(store: Store) -> None:
    stored = await made(store, listing=b"waits")
    assert await store.lists("open", 10) == ([b"waits"], "")
    assert await store.lists("live", 10) == ([], "")
    await store.commit(following(store, stored, status="playing", listing=b"plays"))
    assert await store.lists("open", 10) == ([], "")
    assert await store.lists("live", 10) == ([b"plays"], "")
    await store.commit(following(store, await now(store)))
    assert await store.lists("live", 10) == ([], "")


async def test_a_private_room_is_not_listed(store: Store) -> None:
    await made(store)
    assert await store.lists("open", 10) == ([], "")


async def test_a_listing_is_as_its_room_says_now(store: Store) -> None:
    stored = await made(store, listing=b"1 of 4")
    await store.commit(following(store, stored, listing=b"2 of 4"))
    assert await store.lists("open", 10) == ([b"2 of 4"], "")


async def test_pages_hold_every_room_once_the_newest_first(store: Store, valkey_server: Server) -> None:
    rooms = [f"room {n}" for n in range(53)]
    await asyncio.gather(*(store.commit(creation(store, room, listing=room.encode())) for room in rooms))
    moments = {room: valkey_server.ask("ZSCORE", keys.shared(keys.partition(room)).open, room) for room in rooms}
    found, cursor = [], ""
    while True:
        page, cursor = await store.lists("open", 10, cursor)
        found.append(page)
        if not cursor:
            break
    assert [len(page) for page in found] == [10, 10, 10, 10, 10, 3]
    shown = [listing.decode() for page in found for listing in page]
    assert shown == sorted(rooms, key=lambda room: (moments[room], room), reverse=True)


async def test_a_page_goes_on_where_it_ended_whatever_is_made_meanwhile(store: Store) -> None:
    for n in range(6):
        await made(store, f"room {n}", listing=b"%d" % n)
        await asyncio.sleep(0.002)
    first, cursor = await store.lists("open", 3)
    await made(store, "new", listing=b"new")
    second, end = await store.lists("open", 3, cursor)
    assert (first, second, end) == ([b"5", b"4", b"3"], [b"2", b"1", b"0"], "")


async def test_a_full_last_page_ends_the_list(store: Store) -> None:
    for n in range(3):
        await made(store, f"room {n}", listing=b"%d" % n)
    page, cursor = await store.lists("open", 3)
    assert (len(page), cursor) == (3, "")


async def _pages(store: Store, limit: int, fits: Callable[[bytes], bool]) -> list[list[bytes]]:
    found, cursor = [], ""
    while True:
        page, cursor = await store.lists("open", limit, cursor, fits)
        found.append(page)
        if not cursor:
            return found


async def test_pages_of_what_fits_are_full_and_hold_it_all_once(store: Store) -> None:
    rooms = [f"room {n}" for n in range(90)]
    await asyncio.gather(*(store.commit(creation(store, room, listing=room.encode())) for room in rooms))
    found = await _pages(store, 4, lambda listing: listing.endswith(b"7"))
    assert [len(page) for page in found] == [4, 4, 1]
    assert sorted(listing for page in found for listing in page) == sorted(b"room %d" % n for n in range(7, 90, 10))
    assert await _pages(store, 4, lambda _: False) == [[]]


async def test_a_page_for_which_too_many_rooms_would_be_looked_at_says_where_to_go_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "LOOKED_AT", 20)
    for n in range(50):
        await made(store, f"room {n:02}", listing=b"%d" % n)
        await asyncio.sleep(0.002)
    found = await _pages(store, 2, lambda listing: listing == b"3")
    assert [listing for page in found for listing in page] == [b"3"]
    assert 2 <= len(found) <= 4


@pytest.mark.parametrize("cursor", ["x", "x.y", "."])
async def test_a_cursor_that_is_none_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(ValueError, match="invalid"):
        await store.lists("open", 10, cursor)
