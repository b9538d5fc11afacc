"""Whether an operation costs the same where there is more of everything. Play is paced: no node is full."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from loadtest.measure.costs import measured
from loadtest.own import own
from loadtest.scenario import Crowd, Match, Pace, Scenario

ROOMS, CHOICES_PER_S = (100, 1_000, 5_000), 200.0
SPECTATORS, VERSIONS_PER_S = (10, 1_000, 5_000), 2.0
CLIENTS_PER_S, MATCHES_PER_S = 250, 45
"""So fast they come: all of them are there before anything is measured."""
DURATION_S = 20.0


def rooms(rounds: int) -> dict[str, Any]:
    """Measure a choice where as many choices a second come from more and more rooms, two sockets each."""
    plain = Scenario(Match("disciple"))
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for many in ROOMS:
            pace = Pace(CHOICES_PER_S / many, ramp_s=max(2.0, many / MATCHES_PER_S))
            scenario = msgspec.structs.replace(plain, rooms=many, pace=pace)
            with own() as server:
                cost = measured(scenario, server.url, DURATION_S)
            found.setdefault(str(many), []).append(round(cost.cpu_s / cost.choices * 1e6, 1))
    return {"choices_per_s": CHOICES_PER_S, "choice_us": found}


def spectators(rounds: int) -> dict[str, Any]:
    """Measure a choice with all its deliveries, for more and more spectators, and what each further one costs.

    What the node does anyway is in every choice: as it is the same for all, it is not in the difference.
    """
    plain = Scenario(Match("disciple"))
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for many in SPECTATORS:
            pace = Pace(VERSIONS_PER_S, ramp_s=max(2.0, many / CLIENTS_PER_S))
            scenario = msgspec.structs.replace(plain, pace=pace, crowd=Crowd(many))
            with own() as server:
                cost = measured(scenario, server.url, DURATION_S)
            found.setdefault(str(many), []).append(round(cost.cpu_s / cost.choices * 1e6, 1))
    least = {many: min(found[str(many)]) for many in SPECTATORS}
    further = {f"{a} to {b}": round((least[b] - least[a]) / (b - a), 2) for a, b in itertools.pairwise(SPECTATORS)}
    return {"choice_us": found, "further_spectator_us": further}
