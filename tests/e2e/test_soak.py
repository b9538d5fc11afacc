"""The soak, for some seconds: nodes killed, a Cluster that fails, releases in turn; and that it would tell."""

from __future__ import annotations

import random
from pathlib import Path

import msgpack
import msgspec

from server.replay import input_of
from server.state import Play
from tests.e2e.soak.__main__ import checkout
from tests.e2e.soak.check import Played, Told, check
from tests.e2e.soak.lines import Stream
from tests.e2e.soak.parts import cluster, growth_pct, kills, releases
from tests.e2e.soak.tally import Tally
from tests.server.test_replay import FRAMES, TOLD, lines
from tests.valkey import Server
from tests.valkey_cluster import ValkeyCluster, cluster_servers, valkey_cluster  # noqa: F401 - fixtures

SECONDS = 3.0


def _found(tally: Tally) -> Tally:
    """Leave out what a short run does not tell."""
    assert tally.commands > 50
    return msgspec.structs.replace(tally, commands=0, rss_growth_pct=0.0)


async def test_nodes_killed_in_turn_lose_and_double_nothing(own_valkey: Server) -> None:
    assert _found(await kills(own_valkey.url, SECONDS, random.Random(1))) == Tally()


async def test_slots_that_migrate_and_a_primary_that_is_killed_lose_and_double_nothing(
    valkey_cluster: ValkeyCluster,  # noqa: F811
) -> None:
    assert _found(await cluster(valkey_cluster, SECONDS, random.Random(2))) == Tally()


async def test_a_rolling_restart_of_mixed_releases_loses_and_doubles_nothing(
    own_valkey: Server, tmp_path: Path
) -> None:
    assert _found(await releases(own_valkey.url, checkout("", tmp_path), SECONDS, random.Random(3))) == Tally()


def _true() -> Played:
    """Give what a faultless run would know of the match whose replay this is."""
    done = [(given.v, input_of(given)) for given in TOLD.inputs]
    told = [Told(c.seat, v, c.prompt, c.picks) for v, each in done if isinstance(each, Play) for c in each.choices]
    return Played("room", len(told), told, [], [], 0, lines(FRAMES))


def test_every_kind_of_fault_is_counted() -> None:
    played, replay = _true(), msgspec.json.encode(TOLD)
    change = msgspec.structs.replace
    assert check(played, replay) == Tally(played.commands)
    assert check(change(played, told=[*played.told, Told(0, 99, 7, (5,))]), replay).lost == 1
    twice = change(TOLD, inputs=(*TOLD.inputs, change(TOLD.inputs[-1], v=len(TOLD.inputs) + 1)))
    found = check(played, msgspec.json.encode(twice))
    assert (found.doubled, found.unverified_replays) == (1, 1)
    assert (
        check(
            change(played, seen=lines([next(raw for raw in FRAMES if b"prompt" in raw)], "public")), replay
        ).divergences
        == 1
    )
    assert check(change(played, breaks=["a hole"]), replay).gaps == 1
    assert check(played, None).unverified_replays == 1


def _take(stream: Stream, v: int, why: str | None = None) -> None:
    frame = {"room": "r", "v": v, "tip": str(v), **({"why": why} if why else {})}
    stream.keep(frame, msgpack.packb(frame))


def test_a_hole_and_a_double_break_a_stream_and_what_says_why_does_not() -> None:
    stream = Stream()
    for v, why in ((3, "joined"), (4, None), (9, "trimmed"), (7, "lost"), (8, None)):
        _take(stream, v, why)
    assert stream.breaks == []
    assert len(stream.recording("r", 0)) == 4  # what was lost does not count any more
    for v in (10, 10):
        _take(stream, v)
    assert stream.breaks == ["room r: 10 after 8", "room r: 10 after 10"]


def test_growth_is_taken_after_the_warm_up() -> None:
    assert growth_pct([50, 80, 95, 99, 100, 100, 101, 104, 109, 110]) == 10.0
