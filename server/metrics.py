"""Figures: everything that the service counts, and their text for Prometheus.

Owns the names. No figure is labelled by room, account or anything else that a client can make up.
With several workers on a host every process counts in files of one folder, and each renders their sum.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
COMMIT_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
KEPT_LABELS = ("le", "state")
DELIVERY_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def share_among_workers(folder: Path) -> None:
    """Let the workers started from now on count together, in ``folder``, which must be new and empty.

    To be called by the process that starts them: the choice is made when a process first imports the library.
    """
    os.environ[FOLDER] = str(folder)


class Count:
    """A counter of Prometheus' that is cheap to add to: a plain number, handed over by ``settle``."""

    __slots__ = ("_counter", "_parts", "added")

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._parts: dict[tuple[str, ...], Count] = {}
        self.added = 0.0

    def inc(self, amount: float = 1) -> None:
        self.added += amount

    def labels(self, *values: str) -> Count:
        """Give the part of it that has these labels, in the order of their names."""
        part = self._parts.get(values)
        if part is None:
            part = self._parts[values] = Count(self._counter.labels(*values))
        return part

    def settle(self) -> None:
        """Hand over what was added since the last time."""
        if self.added:
            self._counter.inc(self.added)
            self.added = 0.0
        for part in self._parts.values():
            part.settle()


class Metrics:
    """All figures of a node. ``cpu_s``: the processor seconds that this process has used so far."""

    def __init__(self, cpu_s: Callable[[], float] | None = None) -> None:
        self._registry = registry = CollectorRegistry()
        self._cpu_s = cpu_s or _own_cpu_s
        self._cpu_counted = 0.0
        self._counts: list[Count] = []

        def count(name: str, text: str, *labels: str) -> Count:
            self._counts.append(Count(Counter(f"sanctum_{name}", text, labels, registry=registry)))
            return self._counts[-1]

        def level(name: str, text: str) -> Gauge:
            return Gauge(f"sanctum_{name}", text, registry=registry, multiprocess_mode="livesum")

        self.sockets = level("sockets", "Open sockets.")
        self.rooms_cached = level("rooms_cached", "Rooms kept in memory.")
        self.rooms = Gauge(
            "sanctum_rooms", "Rooms of the whole store: open and in_play as lists show them, unlisted.", ["state"],
            registry=registry, multiprocess_mode="livemostrecent",
        )  # fmt: skip
        self.commands = count("commands", "Commands answered; outcome: ok or an error code.", "type", "outcome")
        self.choices = count("choices", "Choices taken, those of bots and clocks included.", "game")
        self.commits = count("commits", "Versions and silent writes committed.")
        self.conflicts = count("conflicts", "Commits that met a newer state and were tried again.")
        self.commit_seconds = Histogram(
            "sanctum_commit_seconds", "From asking for a commit to its reply.", registry=registry, buckets=COMMIT_S
        )
        self.deliveries = count("deliveries", "Frames handed to a socket.")
        self.delivery_seconds = Histogram(
            "sanctum_delivery_seconds", "From the moment of a version to its frames' being handed to sockets.",
            registry=registry, buckets=DELIVERY_S,
        )  # fmt: skip
        self.resumes = count("resumes", "Joins of clients that came back and said where they stood.")
        self.sent_bytes = count("sent_bytes", "Bytes written to sockets.")
        self.resyncs = count("resyncs", "Snapshots sent instead of frames, by why.", "why")
        self.slow_closes = count("slow_closes", "Sockets closed because their client read too slowly.")
        self.limited = count("limited", "Refusals because an account or an address asked for too much.", "limit")
        self.deadlines = count("deadlines", "Deadlines fired: a silent seat's default, or a bot's choice.")
        self.rule_faults = count("rule_faults", "Rules that raised or broke the contract.", "game")
        self.sweeps = count("sweeps", "Sweeps over all partitions for deadlines.")
        self.settled = count("settled", "Ended rooms of which all copies were made: history, results, ratings.")
        self.mended = count("mended", "Places in lists that said otherwise than their rooms, put right.")
        self.reconnects = count("reconnects", "Times a subscriber had to connect to the store again.")
        self._cpu = count("cpu_seconds", "Processor time used, user and system.")

    def charge(self) -> None:
        """Hand over all counts, processor time too. Called each second, so that no worker is far behind."""
        used = self._cpu_s()
        self._cpu.inc(max(0.0, used - self._cpu_counted))
        self._cpu_counted = used
        for count in self._counts:
            count.settle()

    def render(self) -> bytes:
        """Give the figures of this process or, with several workers, their sum, in Prometheus' text form."""
        self.charge()
        return generate_latest(self._whole())

    def sums(self) -> dict[str, float]:
        """Give the same figures by the names that Prometheus knows; all labels but ``le`` and ``state`` are summed."""
        self.charge()
        found: dict[str, float] = {}
        for family in self._whole().collect():
            for sample in family.samples:
                kept = "".join(f"{{{name}={sample.labels[name]}}}" for name in KEPT_LABELS if name in sample.labels)
                found[sample.name + kept] = found.get(sample.name + kept, 0.0) + sample.value
        return found

    def _whole(self) -> CollectorRegistry:
        """Give what all workers of this host have counted together."""
        folder = os.environ.get(FOLDER)
        if folder is None:
            return self._registry
        _drop_levels_of_the_dead(Path(folder))
        shared = CollectorRegistry()
        MultiProcessCollector(shared, folder)  # type: ignore[no-untyped-call]
        return shared


def _own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _drop_levels_of_the_dead(folder: Path) -> None:
    """Forget the sockets of workers that were killed; what they counted stays."""
    for path in folder.glob("gauge_live*.db"):
        pid = path.stem.rpartition("_")[2]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():
            path.unlink(missing_ok=True)
