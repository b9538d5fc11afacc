"""What one operation costs the service, beside a bare server that moves the same bytes in the same minute.

The service and the bare server have the first core for themselves; store and load are on the others.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import msgspec

from loadtest.echo import broadcast_cpu_us, echo_cpu_us
from loadtest.own import cores, own
from loadtest.run import Cost, Show, cost
from loadtest.scenario import Scenario, load
from loadtest.service import Target

DURATION_S = 8.0


def flood(rounds: int) -> dict[str, Any]:
    """Measure a choice of disciple, alternating with an echo of its bytes."""
    return _beside_echo(load("flood"), rounds)


def relay(rounds: int) -> dict[str, Any]:
    """Measure a move of relay, alternating with an echo of its bytes."""
    return _beside_echo(load("relay"), rounds)


def crowd(rounds: int) -> dict[str, Any]:
    """Measure a delivery to 1,000 spectators, alternating with a bare broadcast of as many bytes.

    The bare server makes one broadcast after the other; so does the service, and once more at the pace of the scenario:
    where there are pauses, every delivery costs more.
    """
    scenario = load("crowd")
    full = msgspec.structs.replace(scenario, pace=msgspec.structs.replace(scenario.pace, per_s=None))
    everybody = scenario.crowd.spectators + scenario.match.seats
    runs = []
    with own() as server:
        for _ in range(rounds):
            paced, found = measured(scenario, server.url), measured(full, server.url)
            slow, each = (one.cpu_s / one.deliveries * 1e6 for one in (paced, found))
            bare = broadcast_cpu_us(bytes(found.frame_bytes // found.deliveries), everybody, cores()[0])
            runs.append(
                {**_seen(found), "delivery_us": round(each, 2), "broadcast_us": bare, "ratio": _by(each, bare)}
                | {"paced_delivery_us": round(slow, 2)}
            )
    return _summary(runs, "delivery_us", "paced_delivery_us", "broadcast_us")


def measured(scenario: Scenario, url: str, duration_s: float = DURATION_S) -> Cost:
    """Run a scenario against a service for its cost alone."""
    pace = msgspec.structs.replace(scenario.pace, duration_s=duration_s)
    target = Target(url)
    try:
        return cost(msgspec.structs.replace(scenario, pace=pace), target, Show())
    finally:
        target.close()


def _beside_echo(scenario: Scenario, rounds: int) -> dict[str, Any]:
    sockets = scenario.rooms * scenario.match.seats
    runs = []
    with own() as server:
        for _ in range(rounds):
            found = measured(scenario, server.url)
            each = found.cpu_s / found.choices * 1e6
            bare = echo_cpu_us(found.choice, sockets, None, cores()[0])
            runs.append({**_seen(found), "choice_us": round(each, 1), "echo_us": bare, "ratio": _by(each, bare)})
    return _summary(runs, "choice_us", "echo_us")


def _seen(found: Cost) -> dict[str, Any]:
    lasted = found.lasted_s
    return {
        "choices_per_s": round(found.choices / lasted), "deliveries_per_s": round(found.deliveries / lasted),
        "server_share": round(found.cpu_s / lasted, 2), "generator_share": round(found.generator_cpu_s / lasted, 2),
        "faults": found.faults,
    }  # fmt: skip


def _by(each: float, bare: float | None) -> float | None:
    return None if bare is None else round(each / bare, 2)


def _summary(runs: list[dict[str, Any]], *names: str) -> dict[str, Any]:
    return {name: median(run[name] for run in runs) for name in (*names, "ratio")} | {"runs": runs}
