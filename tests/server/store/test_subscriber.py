"""Listening: confirmed, healed, and never deaf in silence."""

from __future__ import annotations

import asyncio
import random
from itertools import chain

import pytest

from server.store import line, subscriber
from server.store.errors import Unavailable
from server.store.redis import Store
from tests.server.store.scene import Ear, following, made, now, opened, proxy, until
from tests.valkey import Server


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sing more often, and give up sooner."""
    monkeypatch.setattr(subscriber, "BEAT_S", 0.05)
    for module in (line, subscriber):
        monkeypatch.setattr(module, "WITHIN_S", 0.4)


async def test_what_is_told_after_subscribe_returned_arrives(store: Store, other: Store) -> None:
    ear = Ear(store)
    for number in range(100):
        await store.subscribe(f"room {number}")
        await other.tell(f"room {number}", b"%d" % number, keep=False)
    await until(lambda: len(ear.told) == 100)
    told = [(f"room {number}", b"%d" % number) for number in range(100)]
    assert sorted(ear.told) == sorted(told)  # several primaries keep no order among their rooms


async def test_subscribing_twice_hears_once(store: Store, other: Store) -> None:
    ear = Ear(store)
    await asyncio.gather(store.subscribe("room"), store.subscribe("room"))
    await store.subscribe("room")
    await other.tell("room", b"1", keep=False)
    await other.tell("room", b"2", keep=False)
    await until(lambda: len(ear.told) == 2)
    assert [message for _, message in ear.told] == [b"1", b"2"]


async def test_nothing_is_heard_of_other_rooms_or_after_unsubscribe(store: Store, other: Store) -> None:
    ear = Ear(store)
    await store.subscribe("left")
    await store.subscribe("room")
    await store.unsubscribe("left")
    await store.unsubscribe("never")
    for room in ("left", "other", "room"):
        await other.tell(room, b"said", keep=False)
    await until(lambda: ear.told)
    assert ear.told == [("room", b"said")]


async def test_leaving_and_coming_at_once_ends_subscribed(store: Store, other: Store) -> None:
    ear, draw = Ear(store), random.Random(3)
    for number in range(100):
        coming = asyncio.ensure_future(store.subscribe("room"))
        for _ in range(draw.randrange(3)):
            await asyncio.sleep(0)
        await store.unsubscribe("room")
        await store.subscribe("room")
        await other.tell("room", b"%d" % number, keep=False)
        await asyncio.gather(coming, return_exceptions=True)
    await until(lambda: len(ear.told) == 100)
    assert [message for _, message in ear.told] == [b"%d" % number for number in range(100)]


async def test_churn_in_other_rooms_loses_nothing(store: Store, other: Store) -> None:
    ear = Ear(store)
    await store.subscribe("room")

    async def churn(number: int) -> None:
        for turn in range(20):
            await store.subscribe(f"{number} {turn}")
            await store.unsubscribe(f"{number} {turn}")

    async def talk() -> None:
        for number in range(200):
            await other.tell("room", b"%d" % number, keep=False)

    await asyncio.gather(talk(), *map(churn, range(30)))
    await until(lambda: len(ear.told) == 200)
    assert [message for _, message in ear.told] == [b"%d" % number for number in range(200)]


async def test_a_killed_subscriber_listens_again_and_says_so(store: Store, other: Store, valkey_server: Server) -> None:
    first, ear = await made(store), Ear(store)
    await store.subscribe("room")
    await store.subscribe("quiet")
    valkey_server.ask("CLIENT", "KILL", "TYPE", "pubsub")
    await other.commit(following(other, first))  # nobody hears it
    await until(lambda: len(list(chain(*ear.reconnects))) == 2)
    assert sorted(chain(*ear.reconnects)) == ["quiet", "room"]
    assert await store.heads(["quiet", "room"]) == {"room": (2, (await now(other)).tip)}
    await other.commit(following(other, await now(other)))
    await until(lambda: ear.entries)
    assert ear.entries[-1] == ("room", b"entry 3")
    assert await store.ready()


async def test_on_reconnect_comes_after_all_rooms_are_confirmed(store: Store, valkey_server: Server) -> None:
    heard: list[object] = []

    async def reconnected(rooms: list[str]) -> None:
        heard.extend(valkey_server.ask("PUBSUB", "SHARDNUMSUB", subscriber._channel(room)) for room in rooms)

    store.attach(lambda *_: None, lambda *_: None, reconnected)
    for number in range(200):
        await store.subscribe(str(number))
    valkey_server.ask("CLIENT", "KILL", "TYPE", "pubsub")
    await until(lambda: len(heard) == 200)
    assert all(isinstance(told, list) and sum(told[1::2]) == 1 for told in heard)


async def test_a_reconnect_that_could_not_compare_is_made_again(store: Store, valkey_server: Server) -> None:
    tries: list[list[str]] = []

    async def reconnected(rooms: list[str]) -> None:
        tries.append(rooms)
        if len(tries) < 3:
            raise Unavailable("not yet")

    store.attach(lambda *_: None, lambda *_: None, reconnected)
    await store.subscribe("room")
    valkey_server.ask("CLIENT", "KILL", "TYPE", "pubsub")
    await until(lambda: len(tries) == 3)
    assert tries == [["room"]] * 3


@pytest.mark.usefixtures("quick", "one_server")
async def test_a_line_that_fell_silent_is_made_anew(valkey: str) -> None:
    async with proxy(valkey) as cable, opened(cable.url) as store, opened(valkey) as other:
        ear = Ear(store)
        await store.subscribe("room")
        assert await store.ready()
        cable.silent = True
        assert not await store.ready()
        cable.silent = False
        await until(lambda: ear.reconnects)
        await other.tell("room", b"said", keep=False)
        await until(lambda: ear.told)
        assert await store.ready()


@pytest.mark.usefixtures("quick", "one_server")
async def test_one_message_lost_in_the_wire_does_not_go_unnoticed_for_long(valkey: str) -> None:
    async with proxy(valkey) as cable, opened(cable.url) as store, opened(valkey) as other:
        ear = Ear(store)
        await store.subscribe("room")
        cable.lose = 1  # the next thing that comes back, with its connection
        await other.tell("room", b"lost", keep=False)
        await until(lambda: ear.reconnects or cable.lost)
        cable.cut()
        await until(lambda: ear.reconnects)


@pytest.mark.usefixtures("quick")
async def test_a_server_that_comes_back_is_heard_again(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store, opened(own_valkey.url) as other:
        ear = Ear(store)
        await store.subscribe("room")
        own_valkey.kill()
        await asyncio.sleep(0.2)
        assert not await store.ready()
        await asyncio.to_thread(own_valkey.start)
        await until(lambda: ear.reconnects)
        await other.tell("room", b"said", keep=False)
        await until(lambda: ear.told)
        assert await store.ready()


@pytest.mark.usefixtures("quick")
async def test_a_subscription_that_is_not_confirmed_is_unavailable(own_valkey: Server) -> None:
    async with opened(own_valkey.url) as store:
        own_valkey.freeze()
        with pytest.raises(Unavailable):
            await store.subscribe("room")
        own_valkey.thaw()
        await store.subscribe("room")


async def test_what_raises_on_one_message_hears_the_next(store: Store, other: Store) -> None:
    heard: list[bytes] = []

    def take(room: str, message: bytes) -> None:
        if message == b"bad":
            raise ValueError(room)
        heard.append(message)

    store.attach(take, take, Ear(other)._reconnected)
    await store.subscribe("room")
    for message in (b"1", b"bad", b"2"):
        await other.tell("room", message, keep=False)
    await until(lambda: len(heard) == 2)
    assert heard == [b"1", b"2"]
    assert await store.ready()


async def test_rooms_that_were_left_are_not_held(store: Store, valkey_server: Server) -> None:
    for number in range(500):
        await store.subscribe(str(number))
        await store.unsubscribe(str(number))
    assert await store.ready()
    listening = valkey_server.ask("PUBSUB", "SHARDCHANNELS")
    assert isinstance(listening, list)
    assert len(listening) == len(store.primaries)  # the node's own
    for held in (primary.subscriber for primary in store.primaries):
        assert (len(held._rooms), len(held._confirmed), len(held._unconfirmed)) == (1, 0, 0)


async def test_closing_ends_whatever_fails_meanwhile(valkey: str, valkey_server: Server) -> None:
    for turn in range(20):
        store = await Store.open(valkey)
        valkey_server.ask("CLIENT", "KILL", "TYPE", "pubsub")
        for _ in range(turn):
            await asyncio.sleep(0)
        async with asyncio.timeout(10):
            await store.close()
