"""What a load test came to, as plain figures: the JSON result, and what the report draws.

Owns the names of figures and how each is worked out. A figure that cannot be measured is None, never a guess.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from loadtest.figures import Second, Total, at, decoded, histogram
from loadtest.judge import Verdict
from loadtest.oracle import Findings
from loadtest.scenario import Scenario


class Sample(Struct):
    """One second of a run, of all processes together. Latencies in ms."""

    choices: int
    deliveries: int
    matches: int
    open: int
    p50_ms: float | None
    p99_ms: float | None
    found: dict[str, int]

    @staticmethod
    def of(seconds: list[Second], found: dict[str, int], open_: int, processes: int) -> Sample:
        """Put the seconds of several processes together; one that reported twice meanwhile counts as a mean."""
        share = processes / len(seconds)
        whole = histogram()
        for second in seconds:
            whole.add(decoded(second.choice))

        def count(name: str) -> int:
            return round(sum(each.counts.get(name, 0) for each in seconds) * share)

        return Sample(
            count("choices"), count("deliveries"), count("matches"), open_, at(whole, 50), at(whole, 99), found
        )


class Result(Struct):
    """All figures of one run. ``*_us``: microseconds of processor time; ``findings``: the first faults in words.

    ``ratio``: server_cpu_us_per_choice to echo_cpu_us; ``delivery_ratio``: likewise of a delivery to a bare broadcast.
    ``samples``: the run by the second; ``distribution``: latencies of choices, [up to ms, how many].
    """

    scenario: str
    url: str
    began: float
    machine: str
    seconds: float
    clients: int
    choices: int
    choices_per_s: float
    deliveries: int
    deliveries_per_s: float
    matches: int
    commands: int
    server_cpu_us_per_choice: float | None
    server_cpu_us_per_delivery: float | None
    server_cpu_share: float | None
    echo_cpu_us: float | None
    broadcast_cpu_us: float | None
    ratio: float | None
    delivery_ratio: float | None
    generator_cpu_share: float
    p50_ms: float | None
    p99_ms: float | None
    p999_ms: float | None
    max_ms: float | None
    delivery_p50_ms: float | None
    delivery_p99_ms: float | None
    command_p50_ms: float | None
    command_p99_ms: float | None
    baseline_p99_ms: float | None
    mean_frame_bytes: int | None
    gaps: int
    duplicates: int
    divergences: int
    unanswered: int
    leaks: int
    errors: int
    rooms_checked: int
    rooms_unchecked: int
    frames_checked: int
    counts: dict[str, int]
    findings: list[tuple[str, str]]
    samples: list[Sample]
    distribution: list[tuple[float, int]]
    settings: dict[str, Any]

    @property
    def faultless(self) -> bool:
        """Whether nothing wrong was found."""
        return not (self.gaps or self.duplicates or self.divergences or self.unanswered or self.leaks or self.errors)


def result(
    scenario: Scenario, total: Total, findings: Findings, verdict: Verdict, samples: list[Sample], *, lasted_s: float,
    cpu_s: float | None, echo_us: float | None, broadcast_us: float | None, baseline_p99_ms: float | None,
    began: float, machine: str, url: str,
) -> Result:  # fmt: skip
    """Work out all figures of a run. ``lasted_s``: the measured time; ``cpu_s``: the service's meanwhile."""
    counts, found, choice = total.measured, findings.counts, total.histograms["choice"]
    choices, deliveries = counts["choices"], counts["deliveries"]
    per_choice, per_delivery = _each(cpu_s, choices), _each(cpu_s, deliveries)
    return Result(
        scenario=scenario.title, url=url, began=began, machine=machine, seconds=round(lasted_s, 2),
        clients=scenario.clients, choices=choices, choices_per_s=round(choices / lasted_s, 1), deliveries=deliveries,
        deliveries_per_s=round(deliveries / lasted_s, 1), matches=counts["matches"], commands=counts["commands"],
        server_cpu_us_per_choice=per_choice, server_cpu_us_per_delivery=per_delivery,
        server_cpu_share=None if cpu_s is None else round(cpu_s / lasted_s, 3), echo_cpu_us=echo_us,
        broadcast_cpu_us=broadcast_us, ratio=_ratio(per_choice, echo_us),
        delivery_ratio=_ratio(per_delivery, broadcast_us),
        generator_cpu_share=round(total.generator_cpu_s / lasted_s, 3), p50_ms=at(choice, 50), p99_ms=at(choice, 99),
        p999_ms=at(choice, 99.9), max_ms=at(choice, 100), delivery_p50_ms=at(total.histograms["delivery"], 50),
        delivery_p99_ms=at(total.histograms["delivery"], 99), command_p50_ms=at(total.histograms["command"], 50),
        command_p99_ms=at(total.histograms["command"], 99), baseline_p99_ms=baseline_p99_ms,
        mean_frame_bytes=counts["frame_bytes"] // deliveries if deliveries else None, gaps=found["gap"],
        duplicates=found["duplicate"], divergences=found["divergence"], unanswered=found["unanswered"],
        leaks=found["leak"], errors=found["error"], rooms_checked=verdict.rooms, rooms_unchecked=verdict.unchecked,
        frames_checked=verdict.frames, counts=dict(sorted(counts.items())), findings=list(findings.texts),
        samples=samples, distribution=distribution(choice), settings=msgspec.to_builtins(scenario),
    )  # fmt: skip


def distribution(choice: Any) -> list[tuple[float, int]]:
    """Give a histogram with steps that grow by a quarter: [up to ms, how many]."""
    if choice.get_total_count() == 0:
        return []
    steps = choice.get_log_iterator(50, 1.25)
    return [(each.value_iterated_to / 1_000, each.count_added_in_this_iter_step) for each in steps]


def _each(cpu_s: float | None, many: int) -> float | None:
    return None if cpu_s is None or not many else round(cpu_s / many * 1e6, 2)


def _ratio(ours: float | None, bare: float | None) -> float | None:
    return None if ours is None or not bare else round(ours / bare, 2)
