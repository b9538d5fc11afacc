"""Scenarios: those that ship can be run, and every fault of another is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from loadtest.scenario import BadScenario, load, read, shipped, with_given

GOOD = '[match]\ngame = "disciple"\n'


@pytest.mark.parametrize("name", sorted(shipped()))
def test_shipped_scenario_is_valid(name: str) -> None:
    assert load(name).title.startswith(f"{name}: ")


def test_all_kinds_of_load_ship() -> None:
    assert {"duel", "crowd", "lobby", "reconnect", "slow", "soak"} <= shipped().keys()


def test_file_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD + "seats = 3\n[crowd]\nspectators = 7\n")
    scenario = load(str(path))
    assert (scenario.match.seats, scenario.crowd.spectators, scenario.clients) == (3, 7, 10)


def test_all_faults_are_named_at_once() -> None:
    text = """
    room = 3
    processes = "two"
    [match]
    seat = 2
    [pace]
    per_s = "fast"
    """
    with pytest.raises(BadScenario) as bad:
        read(text)
    faults = "\n".join(bad.value.faults)
    for named in ("room: no such field; is rooms meant?", "processes: ", "match.seat: no such field", "pace.per_s: ",
                  "match.game: is missing"):  # fmt: skip
        assert named in faults


def test_all_bounds_are_named_at_once() -> None:
    text = "rooms = 0\n" + GOOD + "seats = 9\n[trouble]\ncut = 1.5\nslow_rooms = 3\n[pace]\nduration_s = 0\n"
    with pytest.raises(BadScenario) as bad:
        read(text)
    assert {fault.partition(":")[0] for fault in bad.value.faults} == {
        "rooms", "match.seats", "match.bots", "trouble.cut", "trouble.slow_rooms", "pace.duration_s",
    }  # fmt: skip


def test_too_many_clients_are_refused() -> None:
    with pytest.raises(BadScenario, match="clients are more than"):
        read("rooms = 100\n" + GOOD + "[crowd]\nspectators = 1_000\n")


def test_comparison_needs_rooms_without_slow_readers() -> None:
    with pytest.raises(BadScenario, match="some rooms must have no slow readers"):
        read(GOOD + "[trouble]\nslow = 1.0\ncompare = true\n")


@pytest.mark.parametrize("text", ["[match", "rooms = "])
def test_what_is_no_toml_is_named_so(text: str) -> None:
    with pytest.raises(BadScenario, match="not TOML"):
        read(text)


def test_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(BadScenario, match=r"no scenario 'duell'; there are: crowd, duel"):
        load("duell")


def test_command_line_wins_over_the_file() -> None:
    scenario = with_given(read(GOOD), processes=2, duration_s=3.0)
    assert (scenario.processes, scenario.pace.duration_s) == (2, 3.0)


def test_command_line_keeps_the_bounds() -> None:
    with pytest.raises(BadScenario, match=r"pace\.duration_s"):
        with_given(read(GOOD), processes=None, duration_s=1e9)
