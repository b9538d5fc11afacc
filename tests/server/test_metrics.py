"""Figures: what is counted, that nothing is labelled by room or account, and that workers add up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from server.metrics import FOLDER, Metrics

WORKER = """
import os, sys, time
from server.metrics import Metrics
metrics = Metrics(lambda: 2.5)
metrics.sockets.set(3)
metrics.rooms.labels("open").set(5 if sys.argv[1] == "wait" else 7)
metrics.commands.labels("choose", "ok").inc(4)
metrics.commit_seconds.observe(0.003)
metrics.charge()
if sys.argv[1] == "render":
    sys.stdout.write(metrics.render().decode())
else:
    print("counted", flush=True)
    sys.stdin.read()
"""


def figures(text: bytes | str) -> dict[str, float]:
    """Read what Prometheus would: name{labels} → value."""
    text = text.decode() if isinstance(text, bytes) else text
    return {
        sample.name + "".join(f"{{{name}={value}}}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_what_is_counted_is_rendered() -> None:
    metrics = Metrics()
    metrics.sockets.inc()
    metrics.commands.labels("choose", "refused").inc(2)
    metrics.resyncs.labels("slow").inc()
    metrics.commit_seconds.observe(0.003)
    read = figures(metrics.render())
    assert read["sanctum_sockets"] == 1
    assert read["sanctum_commands_total{outcome=refused}{type=choose}"] == 2
    assert read["sanctum_resyncs_total{why=slow}"] == 1
    assert read["sanctum_commit_seconds_bucket{le=0.005}"] == 1
    assert read["sanctum_commit_seconds_bucket{le=0.002}"] == 0


def test_what_is_added_is_told_once_however_often_it_is_asked_for() -> None:
    metrics = Metrics()
    metrics.commits.inc()
    metrics.commands.labels("join", "ok").inc(2)
    metrics.commands.labels("join", "ok").inc()
    for _ in range(2):
        read = figures(metrics.render())
        assert (read["sanctum_commits_total"], read["sanctum_commands_total{outcome=ok}{type=join}"]) == (1, 3)
        assert metrics.sums()["sanctum_commands_total"] == 3


def test_sums_leave_no_label_but_bounds_and_states() -> None:
    metrics = Metrics()
    metrics.choices.labels("relay").inc(2)
    metrics.choices.labels("probe").inc(3)
    metrics.rooms.labels(state="open").set(4)
    metrics.commit_seconds.observe(0.003)
    sums = metrics.sums()
    assert sums["sanctum_choices_total"] == 5
    assert sums["sanctum_rooms{state=open}"] == 4
    assert sums["sanctum_commit_seconds_bucket{le=0.005}"] == sums["sanctum_commit_seconds_bucket{le=+Inf}"] == 1


def test_what_has_not_happened_yet_is_there_as_nought() -> None:
    read = figures(Metrics().render())
    for name in (
        "commits",
        "conflicts",
        "deliveries",
        "sent_bytes",
        "slow_closes",
        "resumes",
        "deadlines",
        "sweeps",
        "reconnects",
    ):
        assert read[f"sanctum_{name}_total"] == 0


def test_no_figure_is_labelled_by_what_a_client_can_make_up() -> None:
    collectors = Metrics()._registry._collector_to_names
    labels = {label for collector in collectors for label in getattr(collector, "_labelnames", ())}
    assert labels == {"type", "outcome", "game", "why", "state", "limit"}


def test_two_nodes_in_one_process_do_not_mix_their_figures() -> None:
    one, other = Metrics(), Metrics()
    one.commits.inc()
    assert figures(other.render())["sanctum_commits_total"] == 0


def test_processor_time_only_grows() -> None:
    used = iter([1.0, 1.5, 1.25, 2.0, 2.0])
    metrics = Metrics(lambda: next(used))
    metrics.charge()
    seen = [figures(metrics.render())["sanctum_cpu_seconds_total"] for _ in range(4)]
    assert seen == sorted(seen)
    assert seen[0] == 1.5


def test_the_processor_time_of_this_process_is_found() -> None:
    assert figures(Metrics().render())["sanctum_cpu_seconds_total"] > 0


def test_any_worker_tells_the_sum_and_forgets_the_sockets_of_the_dead(tmp_path: Path) -> None:
    environment = {**os.environ, FOLDER: str(tmp_path)}
    command = [sys.executable, "-c", WORKER]
    with subprocess.Popen(
        [*command, "wait"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "counted\n"
        both = figures(subprocess.check_output([*command, "render"], env=environment, text=True, timeout=60))
        other.kill()
    after = figures(subprocess.check_output([*command, "render"], env=environment, text=True, timeout=60))
    assert both["sanctum_sockets"] == 6
    assert both["sanctum_commands_total{outcome=ok}{type=choose}"] == 8
    assert both["sanctum_commit_seconds_count"] == 2
    assert both["sanctum_rooms{state=open}"] == 7  # all count the same rooms; the latest word is right
    assert both["sanctum_cpu_seconds_total"] == 5
    assert after["sanctum_sockets"] == 3
    assert after["sanctum_commands_total{outcome=ok}{type=choose}"] == 12
