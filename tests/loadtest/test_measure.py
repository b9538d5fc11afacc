"""What measures a service sees what is there: choices, deliveries, processor time, memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest
import uvloop

from loadtest.measure.cold import GAMES, cold
from loadtest.measure.guests import Guest, begin, play, token
from loadtest.measure.memory import kept_bytes
from loadtest.own import NotStarted, Own, started
from loadtest.run import RunFailed, Show, cost
from loadtest.service import Target
from tests.loadtest.conftest import brief


def test_a_scenario_is_run_for_its_cost_alone(node: str) -> None:
    with closing(Target(node)) as target:
        found = cost(brief(), target, Show())
    assert found.faults == {}
    assert found.choices > 0
    assert found.deliveries >= 3 * found.choices - 3
    assert found.frame_bytes > found.deliveries * 50
    assert found.cpu_s > 0
    assert found.lasted_s >= 1


def test_without_a_choice_there_is_no_cost(node: str) -> None:
    idle = brief()
    idle = msgspec.structs.replace(idle, match=msgspec.structs.replace(idle.match, choices=0))
    with closing(Target(node)) as target, pytest.raises(RunFailed, match="no choice"):
        cost(idle, target, Show())


async def _played(server: Own) -> tuple[str, int]:
    pair = Guest(server.url, token(server.url, "Ann")), Guest(server.url, token(server.url, "Bob"))
    for guest in pair:
        await guest.enter()
    room = await begin(pair)
    made = await play(pair, room, 8, Random(1))
    for guest in pair:
        guest.leave()
    return room, made


def test_a_room_in_mid_match_is_weighed_with_all_its_keys(tmp_path: Path) -> None:
    with started(tmp_path, os.sched_getaffinity(0)) as server:
        room, made = uvloop.run(_played(server))
        assert made == 8
        assert server.resident_bytes() > 10 << 20
        (weighed,) = kept_bytes(server, [room])
    assert 4 << 10 < weighed < 64 << 10


def test_what_cannot_be_started_says_why(tmp_path: Path) -> None:
    with pytest.raises(NotStarted, match="SANCTUM_PORT"), started(tmp_path, os.sched_getaffinity(0), port="many"):
        pass


def test_every_game_is_played_cold() -> None:
    found = cold(1)
    assert set(found) == set(GAMES)
    assert all(each["choices"] and each["choices_per_s"] and each["largest_record_bytes"] for each in found.values())


def test_one_figure_is_one_command() -> None:
    command = [sys.executable, "-m", "loadtest.measure", "start", "--n", "1"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)
    assert (found["what"], len(found["runs"])) == ("start", 1)
    assert found["first_s"] > 0 < found["again_s"]
