"""One process of a load test: its share of tables, spectators and vandals on one event loop.

Owns who arrives when, and the second hand. Talks to the one who started it through a pipe.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import uvloop
from msgspec import Struct

from loadtest.client import Client, Setting
from loadtest.crowd import Spectator
from loadtest.figures import Figures, Second, report
from loadtest.oracle import Findings, Ledger, Oracle
from loadtest.rubbish import Vandal
from loadtest.scenario import Scenario
from loadtest.table import Table

WIND_DOWN_S = 15.0
FILES = 60_000
KEPT_BYTES = 256 << 20


class Job(Struct, frozen=True):
    """What one process is to do. ``tokens``: one a seat for each room slot. ``folder``: for the frames."""

    scenario: Scenario
    urls: tuple[str, ...]
    index: int
    of: int
    entry: dict[str, Any]
    tokens: list[list[str]]
    folder: Path


def work(pipe: Connection, job: Job) -> None:
    """Run a share of a scenario to its end."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most) if most != resource.RLIM_INFINITY else FILES, most))
    gc.freeze()
    uvloop.run(Share(pipe, job).run())


class Share:
    """The clients of one process."""

    def __init__(self, pipe: Connection, job: Job) -> None:
        self._pipe, self._job = pipe, job
        self._frames = (job.folder / f"frames-{job.index}.msgpack").open("wb")
        findings = Findings()
        self._figures = Figures()
        self._setting = Setting(
            job.urls, self._figures, findings, Oracle(findings, self._keep), Random(), job.scenario.answer_s
        )
        self._cpu_s = 0.0
        self._counting = False
        self._stopped = asyncio.Event()
        self._make()

    def _make(self) -> None:
        job, scenario = self._job, self._job.scenario
        trouble = scenario.trouble
        first_timed = trouble.slow_rooms if trouble.slow or trouble.compare else 0
        self.tables = {
            slot: Table(
                self._setting, scenario, job.entry, job.tokens[slot], slot, self._began, timed=slot >= first_timed
            )
            for slot in range(job.index, scenario.rooms, job.of)
        }
        for table in self.tables.values():
            for player in table.players:
                player.twice = self._setting.random.random() < trouble.twice
        self.crowds = {slot: self._crowd(slot) for slot in range(scenario.rooms)}
        self.vandals = [
            Vandal(self._setting, f"vandal {at}", job.tokens[at % scenario.rooms][0])
            for at in range(job.index, scenario.vandals, job.of)
        ]

    def _crowd(self, slot: int) -> list[Spectator]:
        """Make this process's spectators of a room: those of many rooms stay with their players."""
        job, crowd, trouble = self._job, self._job.scenario.crowd, self._job.scenario.trouble
        spread = self._job.scenario.rooms < job.of
        if not spread and slot not in self.tables:
            return []
        mine = range(job.index if spread else 0, crowd.spectators, job.of if spread else 1)
        table = self.tables.get(slot)
        slow = round(crowd.spectators * trouble.slow) if slot < trouble.slow_rooms else 0
        return [
            Spectator(
                self._setting, f"slot {slot}, spectator {at}", table.arrived if table is not None else _nowhere,
                slow=at < slow, delay_s=crowd.delay_s,
            )
            for at in mine
        ]  # fmt: skip

    def _began(self, slot: int, room: str) -> None:
        for spectator in self.crowds[slot]:
            spectator.watch(room)
        if self._job.of > 1:
            self._tell("room", {"slot": slot, "room": room})

    # ---- the course of a run

    async def run(self) -> None:
        """Arrive, play until told to stop, wind down, report."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._pipe.fileno(), self._hear)
        clients = self._arrive()
        self._ticking = loop.create_task(self._seconds())
        troubles = loop.create_task(self._cutting()) if self._job.scenario.trouble.cut else None
        await self._until(lambda: self._figures.counts["opened"] >= clients and self._all_play(), self._ramp_s())
        self._tell("ready", {})
        await self._stopped.wait()
        for task in filter(None, (self._ticking, troubles)):
            task.cancel()
        await self._wind_down()
        loop.remove_reader(self._pipe.fileno())
        self._frames.close()
        self._tell("report", self._report())

    def _ramp_s(self) -> float:
        return self._job.scenario.pace.ramp_s + WIND_DOWN_S

    def _all_play(self) -> bool:
        return all(table.started or self._job.scenario.match.choices == 0 for table in self.tables.values())

    def _arrive(self) -> int:
        """Let all clients come, spread over the ramp. Gives their number."""
        opens: list[Callable[[], None]] = [each.open for each in self._clients()]
        opens += [each.open for each in self.vandals]
        self._setting.random.shuffle(opens)
        loop, ramp_s = asyncio.get_running_loop(), self._job.scenario.pace.ramp_s
        for at, each in enumerate(opens):
            loop.call_later(ramp_s * at / max(1, len(opens)), each)
        for at, table in enumerate(self.tables.values()):
            loop.call_later(ramp_s * at / len(self.tables), table.begin)
        return len(opens)

    async def _seconds(self) -> None:
        """Every second: tell how it goes, and look for what does not come."""
        due = time.monotonic() + 1
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due += 1
            counts, choice = self._figures.turn(self._counting)
            up = sum(each.up for each in (*self._clients(), *self.vandals))
            found = dict(self._setting.findings.counts)
            self._tell("second", Second(counts, choice.encode(), found, up, time.process_time()))
            self._look()

    def _look(self) -> None:
        now = time.monotonic()
        for table in self.tables.values():
            table.look(now)
        for client in self._clients():
            client.overdue(now)
        for vandal in self.vandals:
            vandal.look(now)

    async def _cutting(self) -> None:
        """Cut the lines that are to be cut: each at a time of its own, or all at once."""
        trouble, random = self._job.scenario.trouble, self._setting.random
        everybody = self._clients()
        victims = random.sample(everybody, round(len(everybody) * trouble.cut))
        while victims:
            if trouble.together:
                await asyncio.sleep(trouble.cut_every_s)
                for victim in victims:
                    victim.cut()
            else:
                await asyncio.sleep(random.expovariate(len(victims) / trouble.cut_every_s))
                random.choice(victims).cut()

    async def _wind_down(self) -> None:
        for table in self.tables.values():
            table.end()
        await self._until(lambda: all(table.done for table in self.tables.values()), WIND_DOWN_S)
        await asyncio.sleep(0.3)  # for the last frames of those who only watch
        await self._until(lambda: not any(each.waiting for each in self._clients()), self._job.scenario.answer_s)
        for each in self._clients():
            each.overdue(float("inf"))
        for slot, table in self.tables.items():
            compare(table.room, [*table.players, *self.crowds[slot]])
        self._setting.ending = True
        for each in self._clients():
            each.close()
        for vandal in self.vandals:
            vandal.close()
        self._setting.oracle.finish_all()
        await asyncio.sleep(0.2)

    def _clients(self) -> list[Client | Spectator]:
        players = [player for table in self.tables.values() for player in table.players]
        return [*players, *(each for crowd in self.crowds.values() for each in crowd)]

    async def _until(self, fits: Callable[[], bool], most_s: float) -> None:
        until = time.monotonic() + most_s
        while not fits() and time.monotonic() < until:  # noqa: ASYNC110 - what it waits for is counted, not told
            await asyncio.sleep(0.02)

    # ---- the pipe, and what is kept

    def _hear(self) -> None:
        order, details = self._pipe.recv()
        if order == "count":
            self._counting = True
            self._cpu_s = -time.process_time()
            self._figures.mark()
            self._ticking.cancel()  # the measured seconds begin now
            self._ticking = asyncio.get_running_loop().create_task(self._seconds())
        elif order == "stop":
            self._counting = False
            self._cpu_s += time.process_time()
            self._figures.stop()
            self._stopped.set()
        elif order == "room":
            for spectator in self.crowds[details["slot"]]:
                spectator.watch(details["room"])

    def _tell(self, what: str, details: Any) -> None:
        self._pipe.send((what, details))

    def _keep(self, ledger: Ledger) -> None:
        """Write a room's frames down for the end, within bounds."""
        if self._frames.tell() < KEPT_BYTES:
            for v, tip, raw in ledger.kept:
                self._frames.write(msgpack.packb((ledger.room, ledger.audience, v, tip, raw)))

    def _report(self) -> dict[str, Any]:
        findings = self._setting.findings
        rooms = [room for table in self.tables.values() for room in table.played]
        whole = report(self._figures, max(0.0, self._cpu_s))
        return {**whole, "found": dict(findings.counts), "texts": findings.texts, "rooms": rooms}


def compare(room: str | None, clients: Iterable[Client | Spectator]) -> None:
    """At rest, all who follow a room stand at the same version: who does not was not told, and does not know it."""
    trackers = [] if room is None else [each for client in clients if (each := client.stands(room)) is not None]
    last = max((tracker.v for tracker in trackers if tracker.v is not None), default=None)
    for tracker in trackers:
        if last is not None and tracker.v != last:
            tracker.stands_at(last)


def _nowhere(_: int, __: float) -> None:
    """The players are another process's, and so is what is known of their sending."""
