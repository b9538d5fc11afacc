"""Short loads on a real node: figures come out, and nothing is found wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from loadtest.echo import broadcast_cpu_us, echo_cpu_us
from loadtest.own import UNHINDERED
from loadtest.run import Show, run
from loadtest.scenario import Crowd, Match, Pace, Trouble
from loadtest.service import BEGAN, FIGURES, Target, cpu_s
from server.commands.load import BENCH
from tests.e2e.rig import Node
from tests.loadtest.conftest import Load, brief
from tests.valkey import Server

KEYS = {
    "choices", "server_cpu_us_per_choice", "echo_cpu_us", "ratio", "p50_ms", "p99_ms", "deliveries",
    "server_cpu_us_per_delivery", "broadcast_cpu_us", "gaps", "duplicates", "divergences", "unanswered", "leaks",
    "errors",
}  # fmt: skip


def _load(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server", "load", *arguments], capture_output=True, text=True, check=False
    )


def test_duel_on_a_node_of_its_own(tmp_path: Path) -> None:
    done = _load("duel", "--duration", "2", "--json", "--report", str(tmp_path / "report.html"))
    assert done.returncode == 0, (done.stdout, done.stderr)
    figures = json.loads(done.stdout)
    assert figures.keys() >= KEYS
    assert figures["choices"] > 0
    assert figures["deliveries"] >= 3 * figures["choices"] * 0.9
    assert figures["server_cpu_us_per_choice"] > 0 < figures["echo_cpu_us"]
    assert figures["frames_checked"] > figures["choices"]
    assert figures["rooms_unchecked"] == 0
    assert all(figures[name] == 0 for name in ("gaps", "duplicates", "divergences", "unanswered", "leaks", "errors"))
    assert "<svg" in (tmp_path / "report.html").read_text()


def test_game_of_the_load_test_is_played(tmp_path: Path) -> None:
    done = _load("relay", "--duration", "1", "--json")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert json.loads(done.stdout)["choices"] > 0


def test_faulty_scenario_is_one_line_with_all_faults(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("rooms = 1\nfoo = 2\n[match]\nseats = 2\n")
    done = _load(str(path))
    assert done.returncode == 2
    assert "foo: no such field" in done.stderr
    assert "match.game: is missing" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_service_that_is_not_there_is_one_line() -> None:
    done = _load("duel", "--url", "http://127.0.0.1:1")
    assert done.returncode == 4
    assert "cannot be reached" in done.stderr


def test_processes_share_a_crowd(node: str, load: Load) -> None:
    result = load(node, brief(processes=2, crowd=Crowd(spectators=6), match=Match("disciple")))
    assert result.findings == []
    assert result.deliveries > result.choices * 6


def test_rooms_are_made_joined_and_left_all_the_time(node: str, load: Load) -> None:
    result = load(node, brief(rooms=3, match=Match("disciple", choices=0, churn=1)))
    assert result.findings == []
    assert result.choices == 0
    assert result.matches > 0
    assert result.command_p99_ms is not None


def test_rubbish_and_slow_readers_are_borne(node: str, load: Load) -> None:
    trouble = Trouble(rubbish=1.0, slow=1.0, slow_rooms=1, compare=True)
    pace = Pace(per_s=10, ramp_s=0.1, duration_s=2.0)
    result = load(node, brief(rooms=2, trouble=trouble, pace=pace, match=Match("disciple")))
    assert result.findings == []
    assert result.counts["rubbish"] > 0
    assert result.baseline_p99_ms is not None
    assert result.p99_ms is not None


def test_service_without_figures_has_no_cost(node: str, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loadtest.service.Target.figures", lambda _: None)
    result = load(node, brief())
    assert result.server_cpu_us_per_choice is None
    assert result.server_cpu_us_per_delivery is None
    assert result.choices > 0


def test_clients_spread_over_the_nodes_and_their_cost_is_summed(own_valkey: Server) -> None:
    nodes = [Node(own_valkey.url, UNHINDERED) for _ in range(2)]
    try:
        with closing(Target(*(f"http://{node.address}" for node in nodes))) as target:
            result = run(brief(rooms=4, crowd=Crowd(spectators=4)), target, BENCH, Show(), bare=False)
        assert result.findings == []
        assert result.server_cpu_us_per_choice is not None
        for node in nodes:
            with closing(Target(f"http://{node.address}")) as one:
                alone = one.figures()
            assert alone is not None
            assert 0 < alone["sanctum_deliveries_total"] < result.counts["deliveries"]
    finally:
        for node in nodes:
            node.kill()


def test_figures_of_two_processes_are_no_cost() -> None:
    before, after = dict.fromkeys(FIGURES, 1.0), dict.fromkeys(FIGURES, 2.0)
    assert cpu_s(before, after) is None
    assert cpu_s(before, after | {BEGAN: 1.0}) == 1.0
    assert cpu_s(None, after) is None


def test_bare_server_echoes_and_broadcasts() -> None:
    echo = echo_cpu_us(b"x" * 90, 4, None)
    delivery = broadcast_cpu_us(b"x" * 600, 20)
    assert echo is not None
    assert delivery is not None
    assert delivery > 0
    assert echo > 0
