"""Two nodes that write one room at once."""

from __future__ import annotations

import asyncio
import random

from server.store.redis import Store
from server.store.rooms import ClockOff, Conflict, Done, Known, Stored
from tests.server.store.scene import Ear, command, following, made, now, until

WRITES = 1000


async def write_all(store: Store, name: str, first: Stored, seed: int) -> int:
    """Make all writes of one node, each until it stands; give how many conflicts there were."""
    draw, stored, conflicts = random.Random(seed), first, 0
    for number in range(WRITES):
        said = f"{name} {number}".encode()
        while True:
            commit = following(store, stored, input=said, entry=said, record=said, command=command(str(number), name))
            result = await store.commit(commit)
            if isinstance(result, Done):
                stored = Stored("room", commit.v, commit.rev, commit.tip, said, commit.status)
                break
            assert isinstance(result, Conflict)
            assert result.stored is not None
            stored, conflicts = result.stored, conflicts + 1
        for _ in range(draw.randrange(4)):
            await asyncio.sleep(0)
    return conflicts


async def test_two_writers_lose_and_double_nothing(store: Store, other: Store) -> None:
    first, ear = await made(store, entry=b"made"), Ear(other)
    await other.subscribe("room")
    conflicts = await asyncio.gather(write_all(store, "a", first, 1), write_all(other, "b", first, 2))
    assert sum(conflicts) > 0
    await until(lambda: len(ear.entries) == 2 * WRITES)
    inputs = await store.inputs("room")
    assert inputs == [entry for _, entry in ear.entries]
    for name in ("a", "b"):
        mine = [said for said in inputs if said.startswith(name.encode())]
        assert mine == [f"{name} {number}".encode() for number in range(WRITES)]
    assert (await now(store)).v == 2 * WRITES + 1


async def test_one_command_from_many_places_has_one_effect(store: Store, other: Store) -> None:
    first = await made(store)
    tries = [
        node.commit(following(node, first, input=b"once", command=command("1", outcome=b"%d" % n)))
        for n in range(25)
        for node in (store, other)
    ]
    results = await asyncio.gather(*tries)
    assert [type(result) for result in results].count(Done) == 1
    assert not any(isinstance(result, Conflict | ClockOff) for result in results)
    assert len({result.outcome for result in results if isinstance(result, Known)}) == 1
    assert await store.inputs("room") == [b"once"]
