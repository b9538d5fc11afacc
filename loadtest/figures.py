"""What is counted and timed: histograms, counters, and the same by the second. Sans-I/O.

Latencies are kept in microseconds, by HDR histograms of three digits. Processes hand theirs on as bytes.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]
from msgspec import Struct

LONGEST_US = 600_000_000
DIGITS = 3
COARSE_US = 10


def histogram() -> Any:
    return HdrHistogram(1, LONGEST_US, DIGITS)


class Second(Struct):
    """One second of a run, as told while it goes on. ``choice``: latencies, an encoded histogram."""

    counts: dict[str, int]
    choice: bytes
    found: dict[str, int]
    open: int
    cpu_s: float


class Latencies:
    """Latencies of one kind: collected as they come, entered into histograms once a second."""

    def __init__(self) -> None:
        self.whole = histogram()
        self._new: list[float] = []
        self.add = self._new.append

    def turn(self, count: bool) -> Any:
        """Enter what has come into a histogram of its own, which is given, and into the whole if it counts."""
        fresh = histogram()
        for value, many in Counter(int(each * 1e6) // COARSE_US * COARSE_US for each in self._new).items():
            fresh.record_value(min(max(value, 1), LONGEST_US), many)
        self._new.clear()
        if count:
            self.whole.add(fresh)
        return fresh


class Figures:
    """The figures of one process. ``counting``: whether the measured time is on."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.choice = Latencies()
        self.delivery = Latencies()
        self.command = Latencies()
        self.measured: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        self._marked: Counter[str] = Counter()
        self.samples: dict[str, bytes] = {}

    def mark(self) -> None:
        """The measured time begins: what came before does not count."""
        self.turn(False)
        self._marked = self.counts.copy()

    def stop(self) -> None:
        """The measured time ends."""
        self.turn(True)
        self.measured = self.counts - self._marked

    def turn(self, count: bool) -> tuple[dict[str, int], Any]:
        """Close a second: its counts, and its histogram of choices."""
        self.delivery.turn(count)
        self.command.turn(count)
        fresh = self.choice.turn(count)
        now = self.counts.copy()
        counts, self._before = now - self._before, now
        return dict(counts), fresh


class Total:
    """The figures of all processes together."""

    def __init__(self) -> None:
        self.measured: Counter[str] = Counter()
        self.histograms = {"choice": histogram(), "delivery": histogram(), "command": histogram()}
        self.samples: dict[str, bytes] = {}
        self.generator_cpu_s = 0.0

    def add(self, report: dict[str, Any]) -> None:
        """Take over one process's report."""
        self.measured.update(report["measured"])
        for kind, encoded in report["histograms"].items():
            self.histograms[kind].add(HdrHistogram.decode(encoded))
        self.samples |= report["samples"]
        self.generator_cpu_s += report["cpu_s"]


def report(figures: Figures, cpu_s: float) -> dict[str, Any]:
    """Give a process's figures as plain data."""
    kinds = {"choice": figures.choice, "delivery": figures.delivery, "command": figures.command}
    return {
        "measured": dict(figures.measured),
        "histograms": {kind: latencies.whole.encode() for kind, latencies in kinds.items()},
        "samples": figures.samples,
        "cpu_s": cpu_s,
    }


def decoded(encoded: bytes) -> Any:
    return HdrHistogram.decode(encoded)


def at(histogram_: Any, percent: float) -> float | None:
    """Give a percentile in milliseconds, None if nothing was timed."""
    if histogram_.get_total_count() == 0:
        return None
    return float(round(histogram_.get_value_at_percentile(percent) / 1_000, 3))
