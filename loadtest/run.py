"""A load test from beginning to end: processes, the measured time, the check afterwards, and the bare server beside it.

Owns the order of a run and its bounds. Knows neither how it is shown nor how a server is started.
"""

from __future__ import annotations

import multiprocessing
import platform
import tempfile
import time
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from loadtest.echo import broadcast_cpu_us, echo_cpu_us
from loadtest.figures import Second, Total, at
from loadtest.judge import Bench, Verdict, judge, recordings
from loadtest.oracle import Findings
from loadtest.result import Result, Sample, result
from loadtest.scenario import Scenario
from loadtest.service import Target, cpu_s
from loadtest.worker import WIND_DOWN_S, Job, work

CHECK_S = 90.0
SPARE_S = 30.0
SPARE_DELAY_S = 1.0
SECOND_S = 0.05
"""For the report of the last second to come in."""
BROADCAST_FROM = 20
"""So many spectators in a room make it worth comparing with a bare broadcast."""


class Stage(Struct, frozen=True):
    """Where a run is: ``name`` in words, ``done`` of ``whole`` (seconds, or rooms)."""

    name: str
    done: float
    whole: float


class Show:
    """Who is told how a run goes; this one shows nothing."""

    def stage(self, stage: Stage) -> None:
        """The run has come so far."""

    def second(self, sample: Sample) -> None:
        """A second is over."""


class RunFailed(Exception):
    """The load could not be made; the text says why."""


def run(scenario: Scenario, target: Target, bench: Bench, show: Show, *, bare: bool = True) -> Result:
    """Run a scenario against a service. ``bare``: measure a bare server too. Raises Unreachable, RunFailed."""
    baseline = None
    if scenario.trouble.compare:
        calm = msgspec.structs.replace(scenario.trouble, slow=0.0)
        plain = _Run(msgspec.structs.replace(scenario, trouble=calm), target, show, "without slow readers: ")
        plain.measure()
        baseline = at(plain.total.histograms["choice"], 99)
    measured = _Run(scenario, target, show, "")
    with tempfile.TemporaryDirectory(prefix="sanctum-load-") as folder:
        measured.measure(Path(folder))
        verdict = measured.check(Path(folder), bench)
    return measured.result(verdict, baseline, bare=bare)


class Cost(Struct, frozen=True):
    """What a measured time came to. ``cpu_s``: the service's; ``choice``: the bytes of one; ``faults``: by kind."""

    choices: int
    deliveries: int
    frame_bytes: int
    choice: bytes
    lasted_s: float
    cpu_s: float
    generator_cpu_s: float
    faults: dict[str, int]


def cost(scenario: Scenario, target: Target, show: Show) -> Cost:
    """Run a scenario for its cost alone: no replay is looked at. Raises Unreachable, RunFailed."""
    run = _Run(scenario, target, show, "")
    run.measure()
    return run.cost()


class _Run:
    """One measured run."""

    def __init__(self, scenario: Scenario, target: Target, show: Show, prefix: str) -> None:
        self.total = Total()
        self.findings = Findings()
        self._scenario, self._target, self._show, self._prefix = scenario, target, show, prefix
        self._rooms: list[str] = []
        self._samples: list[Sample] = []
        self._pending: list[tuple[int, Second]] = []
        self._pipes: dict[Connection, BaseProcess] = {}
        self._found: dict[Connection, dict[str, int]] = {}
        self._open: dict[Connection, int] = {}
        self._began = time.time()
        self._figures: list[dict[str, float] | None] = []
        self._lasted_s = 0.0

    # ---- processes

    def measure(self, folder: Path | None = None) -> None:
        """Let all processes arrive, count for the scenario's time, and gather what they report."""
        with tempfile.TemporaryDirectory(prefix="sanctum-load-") as spare:
            try:
                self._start(folder or Path(spare))
                self._course()
            finally:
                self._end()

    def _start(self, folder: Path) -> None:
        scenario = self._scenario
        entry = self._target.game(scenario.match.game)
        tokens = self._target.tokens(scenario.match.seats, scenario.rooms)
        spawn = multiprocessing.get_context("spawn")
        for index in range(scenario.processes):
            ours, theirs = spawn.Pipe()
            job = Job(scenario, self._target.socket_urls, index, scenario.processes, entry, tokens, folder)
            process = spawn.Process(target=work, args=(theirs, job), daemon=True)
            process.start()
            theirs.close()
            self._pipes[ours] = process

    def _course(self) -> None:
        pace = self._scenario.pace
        ramp_s = pace.ramp_s + WIND_DOWN_S
        self._listen("arriving", ramp_s + SPARE_S, "ready")
        self._figures.append(self._target.figures())
        self._order("count")
        began = time.monotonic()
        self._listen("measuring", pace.duration_s + SECOND_S)
        self._lasted_s = time.monotonic() - began
        self._figures.append(self._target.figures())
        self._order("stop")
        self._listen("winding down", WIND_DOWN_S + SPARE_S, "report")

    def _order(self, what: str, details: Any = None) -> None:
        for pipe in self._pipes:
            pipe.send((what, details))

    def _listen(self, name: str, most_s: float, until_all: str | None = None) -> None:
        """Take what the processes tell: for so long, or until all have said a certain word."""
        missing = set(self._pipes)
        began = time.monotonic()
        counting = until_all is None
        while missing and (left := began + most_s - time.monotonic()) > 0:
            self._show.stage(Stage(self._prefix + name, min(time.monotonic() - began, most_s), most_s))
            for ready in wait(list(missing), timeout=min(left, 0.25)):
                assert isinstance(ready, Connection)
                try:
                    what, details = ready.recv()
                except EOFError:
                    raise RunFailed("a process of the load test has ended by itself") from None
                self._take(ready, what, details, counting)
                if what == until_all:
                    missing.discard(ready)
        if missing and until_all == "report":
            raise RunFailed("a process of the load test does not come to an end")

    def _take(self, pipe: Connection, what: str, details: Any, counting: bool) -> None:
        if what == "second":
            self._on_second(pipe, details, counting)
        elif what == "room":
            for other in self._pipes:
                if other is not pipe:
                    other.send((what, details))
        elif what == "report":
            self.total.add(details)
            self.findings.merge(details["found"], details["texts"])
            self._rooms += details["rooms"]

    def _on_second(self, pipe: Connection, second: Second, counting: bool) -> None:
        """Put the seconds of all processes together."""
        self._found[pipe], self._open[pipe] = second.found, second.open
        self._pending.append((id(pipe), second))
        if len({each for each, _ in self._pending}) < len(self._pipes):
            return
        found = {kind: sum(each.get(kind, 0) for each in self._found.values()) for kind in self.findings_kinds()}
        sample = Sample.of([each for _, each in self._pending], found, sum(self._open.values()), len(self._pipes))
        self._pending.clear()
        if counting:
            self._samples.append(sample)
        self._show.second(sample)

    def findings_kinds(self) -> set[str]:
        """Give all kinds of fault that some process has found so far."""
        return {kind for found in self._found.values() for kind in found}

    def _end(self) -> None:
        for pipe, process in self._pipes.items():
            process.join(5)
            if process.is_alive():
                process.terminate()
                process.join(5)
            pipe.close()

    # ---- afterwards

    def check(self, folder: Path, bench: Bench) -> Verdict:
        """Hold what was recorded against the replays."""
        kept = recordings(sorted(folder.glob("frames-*.msgpack")))
        show = self._show
        if delay_s := self._scenario.crowd.delay_s:
            time.sleep(delay_s + SPARE_DELAY_S)  # until then the ends, and with them the replays, are not public
        return judge(
            self._rooms, kept, self._target.replay, bench, self.findings, CHECK_S,
            lambda at: show.stage(Stage("checking replays", at, len(self._rooms))),
        )  # fmt: skip

    def result(self, verdict: Verdict, baseline_p99_ms: float | None, *, bare: bool) -> Result:
        """Measure the bare server on the same bytes, and put all figures together."""
        cpu_s = self._cpu_s()
        echo = broadcast = None
        players = self._scenario.rooms * self._scenario.match.seats
        if bare and (payload := self.total.samples.get("choose")):
            self._show.stage(Stage("measuring a bare echo", 0, 1))
            pace = self._scenario.pace.per_s
            echo = echo_cpu_us(payload, players, pace * self._scenario.rooms if pace else None)
        crowd = self._scenario.crowd.spectators
        size = self.total.measured["frame_bytes"] // max(1, self.total.measured["deliveries"])
        if bare and crowd >= BROADCAST_FROM and size:
            self._show.stage(Stage("measuring a bare broadcast", 0, 1))
            broadcast = broadcast_cpu_us(bytes(size), crowd + self._scenario.match.seats)
        return result(
            self._scenario, self.total, self.findings, verdict, self._samples, lasted_s=self._lasted_s, cpu_s=cpu_s,
            echo_us=echo, broadcast_us=broadcast, baseline_p99_ms=baseline_p99_ms, began=self._began,
            machine=machine(), url=", ".join(self._target.urls),
        )  # fmt: skip

    def cost(self) -> Cost:
        """Give what was measured as it is."""
        total, cpu_s = self.total, self._cpu_s()
        if cpu_s is None or "choose" not in total.samples:
            raise RunFailed("the service took no choice, or keeps its figures to itself")
        found = {kind: many for kind, many in self.findings.counts.items() if many}
        return Cost(
            choices=total.measured["choices"], deliveries=total.measured["deliveries"],
            frame_bytes=total.measured["frame_bytes"], choice=total.samples["choose"], lasted_s=self._lasted_s,
            cpu_s=cpu_s, generator_cpu_s=total.generator_cpu_s, faults=found,
        )  # fmt: skip

    def _cpu_s(self) -> float | None:
        """Give the processor time that the service says it used while it was measured."""
        before, after = self._figures
        return cpu_s(before, after)


def machine() -> str:
    """Say what this ran on."""
    python = f"Python {platform.python_version()}"
    return f"{platform.system()} {platform.release()}, {multiprocessing.cpu_count()} CPUs, {python}"
