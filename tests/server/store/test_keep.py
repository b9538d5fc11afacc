"""What is kept of versions, and how all keys of a room end together."""

from __future__ import annotations

import random

import pytest

from server.store import keys
from server.store.redis import Store
from server.store.rooms import Late
from tests.server.store.scene import command, creation, following, made, now
from tests.valkey import Server

MOST_BYTES = 24 * 1024
OF_A_ROOM = ("room", "cmd", "ring", "in", "out", "say", "aside", "here", "late")


async def write(store: Store, sizes: list[int]) -> list[bytes]:
    """Write entries of these sizes into one room; give what is kept."""
    stored = await made(store, entry=b"x" * sizes[0])
    for size in sizes[1:]:
        await store.commit(following(store, stored, entry=b"x" * size))
        stored = await now(store)
    return await store.entries("room", 0)


async def test_at_most_64_versions_are_kept(store: Store) -> None:
    assert len(await write(store, [10] * 70)) == 64
    assert await store.entry_at("room", 6) is None
    assert await store.entry_at("room", 7) is not None
    assert len(await store.entries("room", 60)) == 10


async def test_at_least_8_versions_are_kept_however_large(store: Store) -> None:
    assert len(await write(store, [10_000] * 12)) == 8


@pytest.mark.parametrize("seed", range(3))
async def test_versions_are_kept_up_to_24_kib(store: Store, seed: int, valkey_server: Server) -> None:
    draw = random.Random(seed)
    sizes = [draw.choice([50, 600, 2000, 8000]) for _ in range(60)]
    kept = [len(entry) for entry in await write(store, sizes)]
    assert kept == sizes[-len(kept) :]
    assert len(kept) == 8 or sum(kept) <= MOST_BYTES
    assert sum(kept) + sizes[-len(kept) - 1] > MOST_BYTES
    assert valkey_server.ask("XLEN", keys.key("out", "room")) == len(kept)


async def full_room(store: Store) -> None:
    """A room with something under each of its keys."""
    await store.beat("node", b"")
    kept = {"command": command("1"), "input": b"input", "late": Late(b"entry", b"view", 1000)}
    await made(store, deadline=store.now("room") + 60_000, listing=b"listed", status="playing", **kept)
    await store.tell("room", b"said", keep=True)
    await store.tell("room", b"said", keep=True, aside=True)
    await store.here("room", "node", b"members")


def lives(server: Server, *, of: tuple[str, ...] = OF_A_ROOM) -> dict[str, object]:
    """Seconds that each key of the room has left; -1: for ever, -2: gone."""
    return {name: server.ask("TTL", keys.key(name, "room")) for name in of}


async def test_a_room_that_goes_on_has_no_expiry(store: Store, valkey_server: Server) -> None:
    await full_room(store)
    assert lives(valkey_server) == dict.fromkeys(OF_A_ROOM, -1)


async def test_the_ending_commit_sets_one_expiry_on_all_keys(store: Store, valkey_server: Server) -> None:
    await full_room(store)
    ending = {"status": "finished", "expire_s": 1000, "command": command("2")}
    await store.commit(following(store, await now(store), **ending))
    moments = {valkey_server.ask("PEXPIRETIME", keys.key(name, "room")) for name in OF_A_ROOM}
    assert len(moments) == 1
    assert all(isinstance(left, int) and 990 < left <= 1000 for left in lives(valkey_server).values())


async def test_an_ended_room_is_out_of_deadlines_and_lists(store: Store, valkey_server: Server) -> None:
    await full_room(store)
    shared = keys.shared(keys.partition("room"))
    assert valkey_server.ask("EXISTS", shared.due, shared.live) == 2
    await store.commit(following(store, await now(store), status="finished", expire_s=1000, listing=b"listed"))
    assert valkey_server.ask("EXISTS", shared.due, shared.took, shared.open, shared.live) == 0
    assert [ended.room for ended in await store.ended()] == ["room"]


async def test_what_comes_after_the_end_ends_with_the_room(store: Store, valkey_server: Server) -> None:
    stored = await made(store)
    await store.commit(following(store, stored, status="finished", expire_s=1000))
    await store.commit(following(store, await now(store), status="finished", command=command("1"), input=b"link"))
    await store.tell("room", b"said", keep=True)
    await store.tell("room", b"said", keep=True, aside=True)
    await store.here("room", "node", b"members")
    made_later = lives(valkey_server, of=("room", "cmd", "ring", "in", "out", "say", "aside", "here"))
    assert all(isinstance(left, int) and 990 < left <= 1000 for left in made_later.values())
    assert len(await store.ended()) == 1


async def test_a_resent_ending_leaves_nothing_for_ever(store: Store, valkey_server: Server) -> None:
    ending = creation(store, "room", status="void", expire_s=1000)
    await store.commit(ending)
    await store.commit(ending)
    names = valkey_server.ask("KEYS", "*")
    assert isinstance(names, list)
    for_ever = {name.partition(b":")[0] for name in names if valkey_server.ask("TTL", name) == -1}
    assert for_ever <= {b"meta", b"time", b"done"}
    assert len(await store.ended()) == 1


async def test_a_room_that_is_gone_keeps_nothing_that_is_told(store: Store, valkey_server: Server) -> None:
    await store.tell("gone", b"said", keep=True)
    await store.here("gone", "node", b"members")
    assert await store.said("gone") == []
    assert await store.who("gone") == {}
    assert valkey_server.ask("EXISTS", keys.key("say", "gone"), keys.key("here", "gone")) == 0
