"""When newer rules take a room over, on a real Valkey: if they may, all nodes can, and nobody was faster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from protocol.messages import Create, SeatPlan
from server import replay
from server import rooms as rooms_module
from server.clocks import Clocks
from server.metrics import Metrics
from server.opening import open_room
from server.releases import Release, own_release, releases
from server.rooms import Caller, Decision, Rooms
from server.rulesets import Rulesets, RulesMissing
from server.state import Prepare, Sit, decode_logged, decode_state
from server.store import keys
from server.store.errors import Unfit
from server.store.redis import FORMAT, OLDEST_FORMAT, Store
from tests.server.takeover_scene import NEWER, OLDER, Install, install
from tests.valkey import Server

__all__ = ["install"]


@asynccontextmanager
async def node(valkey: str) -> AsyncIterator[Rooms]:
    """The rooms of a node with the rules that are installed now."""
    store = await Store.open(valkey)
    yield Rooms(store, Rulesets(store), Metrics())
    await store.close()


async def playing(rooms: Rooms) -> str:
    """Start a match of one seat and give its room."""
    options = {"plan": ["number"], "laps": 3, "target": 1_000}
    ok = await open_room(rooms, Caller("ann", "create", b"x" * 16), Create("c", "probe", options))
    assert ok.room is not None
    for decision in (Decision(Sit(0, "Ann"), owner=(0, "ann")), Decision(Prepare(0, True))):
        await rooms.act(ok.room, lambda _live, _now, decision=decision: decision, None)
    return ok.room


async def kinds(rooms: Rooms, room: str) -> list[str]:
    return [type(decode_logged(raw).input).__name__ for raw in await rooms.store.inputs(room)]


async def rules_of(rooms: Rooms, room: str) -> int:
    stored = await rooms.store.read(room)
    assert stored is not None
    return decode_state(stored.record).rules


async def test_a_node_that_has_both_rules_leaves_a_room_to_its_own_and_opens_new_ones_by_the_newer(
    install: Install, valkey: str
) -> None:
    install(OLDER)
    async with node(valkey) as before:
        room = await playing(before)
    install(OLDER, NEWER)
    async with node(valkey) as both:
        assert (await both.live(room)).ruleset.rules.version == 1
        assert await rules_of(both, room) == 1
        ok = await open_room(both, Caller("ann", "another", b"x" * 16), Create("c", "probe"))
        assert ok.room is not None
        assert await rules_of(both, ok.room) == 2


async def test_newer_rules_take_a_room_over_once_and_every_node_goes_on_with_it(install: Install, valkey: str) -> None:
    install(OLDER)
    async with node(valkey) as before:
        room = await playing(before)
    install(NEWER)
    async with node(valkey) as one, node(valkey) as other:
        lives = await asyncio.gather(one.live(room), other.live(room), one.fresh(room), other.fresh(room))
        assert {live.rev for live in lives} == {lives[0].rev}
        assert {live.ruleset.rules.version for live in lives} == {2}
        assert await kinds(one, room) == ["Open", "Sit", "Prepare", "Takeover"]


async def test_as_long_as_a_node_without_the_newer_rules_beats_the_room_stays_with_it(
    install: Install, valkey: str
) -> None:
    install(OLDER)
    async with node(valkey) as before:
        room = await playing(before)
        await before.store.beat("before", own_release())
        install(NEWER)
        async with node(valkey) as newest:
            await newest.store.beat("newest", own_release())
            with pytest.raises(RulesMissing, match="on other nodes only"):
                await newest.live(room)
            await before.store.leave("before")
            assert (await newest.live(room)).state.rules == 2


async def test_a_node_that_reads_only_an_older_format_keeps_rooms_from_being_taken_over(
    install: Install, valkey: str, valkey_server: Server
) -> None:
    install(OLDER)
    async with node(valkey) as before:
        room = await playing(before)
        install(NEWER)
        async with node(valkey) as newest:
            first_release = b"\x82\xa6format\x01\xa5rules\x81\xa5probe\x02"  # one version a game, named alone
            await before.store.beat("before", first_release)
            with pytest.raises(RulesMissing):
                await newest.live(room)
            assert valkey_server.ask("HGET", keys.META, "format") == b"%d" % OLDEST_FORMAT
            await before.store.leave("before")
            await newest.live(room)
            assert valkey_server.ask("HGET", keys.META, "format") == b"%d" % FORMAT


async def test_a_release_that_knows_only_older_formats_does_not_start_any_more(
    valkey: str, valkey_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with node(valkey) as newest:
        await newest.store.write_as(FORMAT)
    async with node(valkey) as again:
        assert again.store.format == FORMAT
    monkeypatch.setattr("server.store.redis.FORMAT", OLDEST_FORMAT)
    with pytest.raises(Unfit, match=f"has format {FORMAT}, written by a newer release.*start the newer release"):
        await Store.open(valkey)


async def test_rules_that_do_not_read_the_older_take_nothing_over(install: Install, valkey: str) -> None:
    install(NEWER)
    async with node(valkey) as newest:
        room = await playing(newest)
    install(OLDER)
    async with node(valkey) as older:
        with pytest.raises(RulesMissing, match="rules version 2 are not on this node"):
            await older.live(room)


async def test_rules_that_fail_to_go_on_change_nothing(
    install: Install, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(OLDER)
    async with node(valkey) as before:
        room = await playing(before)
    install(NEWER)

    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr("probe.newer.ProbeNewer.view", fail)
    async with node(valkey) as newest:
        with pytest.raises(RulesMissing, match="rules 2 cannot go on from rules 1"):
            await newest.live(room)
        assert await rules_of(newest, room) == 1


async def test_a_beat_says_every_version_that_is_there(install: Install, valkey: str) -> None:
    install(OLDER, NEWER)
    async with node(valkey) as both:
        await both.store.beat("both", own_release())
        (said,) = (await both.store.beats()).values()
    assert releases({"both": said, "strange": b"\xc1"}) == [Release(FORMAT, {"probe": (1, 2)}), Release(0, {})]


async def test_a_deadline_is_reason_enough_to_take_a_room_over(install: Install, valkey: str) -> None:
    install(OLDER)
    async with node(valkey) as before:
        room = await playing(before)
    install(NEWER)
    async with node(valkey) as newest:
        await Clocks(newest.store, newest, Metrics())._take(room, 1)
        assert await kinds(newest, room) == ["Open", "Sit", "Prepare", "Takeover"]


async def test_a_bot_that_newer_rules_do_not_have_keeps_them_from_going_on(
    install: Install, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(OLDER)
    async with node(valkey) as before:
        command = Create("c", "probe", seats=(SeatPlan(), SeatPlan(bot="idle")))
        ok = await open_room(before, Caller("ann", "create", b"x" * 16), command)
        assert ok.room is not None
    install(NEWER)
    monkeypatch.setattr("probe.newer.ProbeNewer.bots", {})
    async with node(valkey) as newest:
        with pytest.raises(RulesMissing, match="rules 2 cannot go on from rules 1"):
            await newest.live(ok.room)


# ---- rooms whose rules are nowhere -----------------------------------------------------------------------------


async def _overdue(install: Install, valkey: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Leave a room behind whose rules are gone; it counts as overdue for long at once."""
    install(NEWER)
    async with node(valkey) as newest:
        room = await playing(newest)
    install(OLDER)
    monkeypatch.setattr(rooms_module, "UNREAD_MS", -60_000)
    return room


async def _status(rooms: Rooms, room: str) -> str:
    stored = await rooms.store.read(room)
    assert stored is not None
    return stored.status


async def test_a_room_whose_rules_no_node_has_ends_after_a_while(
    install: Install, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await _overdue(install, valkey, monkeypatch)
    async with node(valkey) as older:
        await older.end_unread(room)
        stored = await older.store.read(room)
        assert stored is not None
        result = decode_state(stored.record).result
        assert result is not None
        assert (result.status, result.reason) == ("void", "rules_missing")
        told = await replay.export(older, (await older.look(room)).state)  # any node has the replay
        assert (await older.look(room)).state.status == "void"
    install(NEWER)  # rules that are there again make the very frames by which it ended
    assert replay.verify(told).difference is None


@pytest.mark.parametrize("saved_by", ["patience", "another node"])
async def test_a_room_is_not_ended_while_it_may_be_served_again(
    install: Install, valkey: str, monkeypatch: pytest.MonkeyPatch, saved_by: str
) -> None:
    room = await _overdue(install, valkey, monkeypatch)
    async with node(valkey) as older:
        if saved_by == "patience":
            monkeypatch.setattr(rooms_module, "UNREAD_MS", 0)
        else:
            install(NEWER)
            await older.store.beat("newest", own_release())
            install(OLDER)
        await older.end_unread(room)
        assert await _status(older, room) == "playing"


async def test_what_is_due_in_a_room_of_others_does_not_count_as_taken_in_vain(
    install: Install, valkey: str, valkey_server: Server
) -> None:
    install(NEWER)
    async with node(valkey) as newest:
        room = await playing(newest)
    install(OLDER)
    shared = keys.shared(keys.partition(room))
    async with node(valkey) as older:
        valkey_server.ask("ZADD", shared.due, 1, room)
        clocks = Clocks(older.store, older, Metrics())
        (due,) = await older.store.due()
        assert valkey_server.ask("HEXISTS", shared.took, room) == 1
        await clocks._take(due.room, due.taken)
        assert valkey_server.ask("HEXISTS", shared.took, room) == 0
        assert await _status(older, room) == "playing"
