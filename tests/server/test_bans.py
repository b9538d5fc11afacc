"""Bans between two nodes on a real Valkey, without sockets."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import pytest

from protocol.errors import Refused
from protocol.http import BanOrder
from server.auth import Account
from server.bans import Bans
from server.metrics import Metrics
from server.rooms import Rooms
from server.rulesets import Rulesets
from server.store import keys
from server.store.redis import Store
from tests.server.store.scene import opened, until
from tests.valkey import Server

EVE = Account("eve", "Eve", frozenset(), 0, False)


@contextlib.asynccontextmanager
async def hearing(store: Store) -> AsyncIterator[tuple[Bans, list[str]]]:
    """A node's bans, and what it has heard of."""
    bans, heard = Bans(Rooms(store, Rulesets(store), Metrics())), list[str]()
    bans.on_ban = heard.append
    await bans.start()
    try:
        yield bans, heard
    finally:
        await bans.stop()


async def is_let_in(bans: Bans) -> bool:
    try:
        await bans.admit(EVE)
    except Refused as refused:
        return refused.details.get("reason") != "banned"
    return True


async def test_every_node_hears_of_a_ban_and_lets_nobody_in(valkey: str) -> None:
    async with opened(valkey) as one, opened(valkey) as two, hearing(one) as (here, _), hearing(two) as (there, heard):
        assert await is_let_in(there)
        made = await here.ban("eve", BanOrder("two accounts"))
        assert (made.banned, made.until) == (True, None)
        await until(lambda: heard == ["eve"], 30)
        assert not await is_let_in(here)
        assert not await is_let_in(there)
        assert await there.look("eve") == made


async def test_a_node_that_starts_later_asks_at_the_door_and_closes_nothing(valkey: str) -> None:
    async with opened(valkey) as one, opened(valkey) as two:
        async with hearing(one) as (here, _):
            await here.ban("eve", BanOrder())
        async with hearing(two) as (there, heard):
            await there.ban("mallory", BanOrder())
            assert heard == ["mallory"]
            assert not await is_let_in(there)


async def test_a_lifted_ban_lets_in_at_once_where_it_was_lifted(valkey: str) -> None:
    async with opened(valkey) as store, hearing(store) as (bans, _):
        await bans.ban("eve", BanOrder())
        assert (await bans.lift("eve")).banned is False
        assert await is_let_in(bans)
        assert (await bans.look("eve")).banned is False


async def test_a_ban_for_some_hours_ends_by_itself(valkey: str, valkey_server: Server) -> None:
    async with opened(valkey) as store, hearing(store) as (bans, _):
        made = await bans.ban("eve", BanOrder(hours=2))
        assert made.until is not None
        assert made.since is not None
        assert made.until - made.since == 7_200_000
        left = valkey_server.ask("TTL", keys.key("ban", "eve"))
        assert isinstance(left, int)
        assert 7_100 < left <= 7_200


async def test_who_is_at_the_door_while_the_ban_is_heard_of_is_not_let_in(
    valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(valkey) as store, hearing(store) as (bans, heard):

        async def late(account: str) -> None:
            await bans.ban(account, BanOrder())  # while the answer that there is none is on its way

        monkeypatch.setattr(store, "ban_of", late)
        assert not await is_let_in(bans)
        assert "eve" in heard
