"""A server that comes back with an older copy of its rooms."""

from __future__ import annotations

import asyncio
import shutil

from server.store.rooms import Conflict, Done
from tests.server.store.scene import Ear, following, made, now, opened, until
from tests.valkey import Server


async def test_nodes_are_told_to_compare_all_rooms_after_history_was_lost(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store, opened(own_valkey.url) as other:
        ear = Ear(other)
        for room in ("room", "equal", "young"):
            await other.subscribe(room)
        first, equal = await made(store), await made(store, "equal")
        own_valkey.ask("CONFIG", "SET", "appendfsync", "always")
        kept = own_valkey.folder.with_name(f"{own_valkey.folder.name}-kept")
        shutil.copytree(own_valkey.folder / "appendonlydir", kept)
        await store.commit(following(store, first))
        second = await now(store)
        await made(store, "young")
        own_valkey.kill()
        shutil.rmtree(own_valkey.folder / "appendonlydir")
        shutil.move(kept, own_valkey.folder / "appendonlydir")
        await asyncio.to_thread(own_valkey.start)
        await until(lambda: ear.reconnects)
        assert ear.reconnects == [["equal", "room", "young"]]
        assert await other.heads(ear.reconnects[0]) == {"room": (1, first.tip), "equal": (1, equal.tip)}
        assert await store.commit(following(store, second)) == Conflict(first)
        again = following(store, first)
        assert isinstance(await store.commit(again), Done)
        assert (await now(other)).tip == again.tip != second.tip
