"""Scenarios: what a load test does, read from TOML with every fault named.

Owns fields, bounds and defaults. Knows no socket.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

MOST_CLIENTS = 20_000
MOST_S = 86_400.0


class BadScenario(ValueError):
    """A scenario that cannot be run. ``faults``: one line each, naming the field."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(faults))


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played. ``seats``: clients at the table, before the ``bots`` of the server that fill it up.

    ``choices``: after so many the seats resign (None: to the end). ``churn``: so often each seat but the first is
    left and taken again before the start. ``room``: the service's own options of a room; holds are off unless asked.
    """

    game: str
    seats: int = 2
    bots: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    pack: str | None = None
    decks: tuple[str, ...] = ()
    choices: int | None = None
    churn: int = 0
    room: dict[str, Any] = {}


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """When choices are sent. ``per_s``: on a fixed schedule in each room, whatever the server does; else each
    ``think_ms`` after its prompt came. ``ramp_s``: over how long clients arrive; nothing is counted before."""

    per_s: float | None = None
    think_ms: float = 0.0
    ramp_s: float = 2.0
    duration_s: float = 10.0


class Crowd(Struct, frozen=True, forbid_unknown_fields=True):
    """Spectators of each room. ``delay_s``: they see everything so much later."""

    spectators: int = 0
    delay_s: int = 0


class Trouble(Struct, frozen=True, forbid_unknown_fields=True):
    """Shares (0 to 1) of clients that make trouble.

    ``cut``: lose their line, each about every ``cut_every_s``, or all ``together``. ``twice``: players that send every
    command twice. ``rubbish``: further clients, by the number of players, that send what is no message or not allowed.
    ``slow``: spectators that hardly read, in the first ``slow_rooms`` rooms; latency is then that of the other rooms.
    ``compare``: run without the slow ones first.
    """

    cut: float = 0.0
    cut_every_s: float = 5.0
    together: bool = False
    twice: float = 0.0
    rubbish: float = 0.0
    slow: float = 0.0
    slow_rooms: int = 1
    compare: bool = False


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One load test. ``rooms``: so many at a time, one after the other. ``answer_s``: patience with answers."""

    match: Match
    title: str = ""
    rooms: int = 1
    processes: int = 1
    answer_s: float = 10.0
    pace: Pace = Pace()
    crowd: Crowd = Crowd()
    trouble: Trouble = Trouble()

    @property
    def clients(self) -> int:
        """How many sockets it opens."""
        return self.rooms * (self.match.seats + self.crowd.spectators) + self.vandals

    @property
    def vandals(self) -> int:
        return round(self.rooms * self.match.seats * self.trouble.rubbish)


def shipped() -> dict[str, str]:
    """Give the scenarios that come with the package, by name."""
    folder = resources.files("loadtest") / "scenarios"
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return {each.name.removesuffix(".toml"): each.read_text() for each in files}


def load(name: str) -> Scenario:
    """Give a scenario by name, or from a file. Raises BadScenario, OSError."""
    known = shipped()
    if name in known:
        return read(known[name])
    if Path(name).suffix != ".toml":
        raise BadScenario([f"no scenario {name!r}; there are: {', '.join(known)}, or a file that ends in .toml"])
    return read(Path(name).read_text())


def read(text: str) -> Scenario:
    """Read a scenario. Raises BadScenario with every fault."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadScenario([f"not TOML: {error}"]) from error
    faults = list(_form_faults(tree, Scenario, ""))
    if not faults:
        scenario = msgspec.convert(tree, Scenario)
        faults = list(_bound_faults(scenario))
    if faults:
        raise BadScenario(faults)
    return scenario


def with_given(scenario: Scenario, *, processes: int | None, duration_s: float | None) -> Scenario:
    """Give a scenario with what the command line says instead. Raises BadScenario."""
    pace = scenario.pace if duration_s is None else msgspec.structs.replace(scenario.pace, duration_s=duration_s)
    made = msgspec.structs.replace(scenario, processes=processes or scenario.processes, pace=pace)
    if faults := list(_bound_faults(made)):
        raise BadScenario(faults)
    return made


def _form_faults(tree: dict[str, Any], kind: type[Struct], where: str) -> Iterator[str]:
    """Name every field that is unknown, missing or of a wrong type."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name, value in tree.items():
        if name not in fields:
            near = difflib.get_close_matches(name, fields, 1)
            yield f"{where}{name}: no such field" + (f"; is {near[0]} meant?" if near else "")
        elif isinstance(part := fields[name].type, type) and issubclass(part, Struct) and isinstance(value, dict):
            yield from _form_faults(value, part, f"{where}{name}.")
        else:
            try:
                msgspec.convert(value, fields[name].type)
            except msgspec.ValidationError as error:
                yield f"{where}{name}: {error}"
    yield from (f"{where}{name}: is missing" for name, field in fields.items() if field.required and name not in tree)


def _bound_faults(scenario: Scenario) -> Iterator[str]:
    match, pace, trouble = scenario.match, scenario.pace, scenario.trouble
    bounds: dict[str, tuple[float | None, float, float]] = {
        "rooms": (scenario.rooms, 1, 5_000),
        "processes": (scenario.processes, 1, 32),
        "answer_s": (scenario.answer_s, 0.5, 600),
        "match.seats": (match.seats, 1, 8),
        "match.churn": (match.churn, 0, 20),
        "match.choices": (match.choices, 0, 20_000),
        "pace.per_s": (pace.per_s, 0.01, 1_000),
        "pace.think_ms": (pace.think_ms, 0, 600_000),
        "pace.ramp_s": (pace.ramp_s, 0, 600),
        "pace.duration_s": (pace.duration_s, 0.5, MOST_S),
        "crowd.spectators": (scenario.crowd.spectators, 0, 5_000),
        "crowd.delay_s": (scenario.crowd.delay_s, 0, 600),
        "trouble.cut_every_s": (trouble.cut_every_s, 0.2, 3_600),
        "trouble.slow_rooms": (trouble.slow_rooms, 1, scenario.rooms),
    }
    for share in ("cut", "twice", "rubbish", "slow"):
        bounds[f"trouble.{share}"] = (getattr(trouble, share), 0, 1)
    for name, (value, low, high) in bounds.items():
        if value is not None and not low <= value <= high:
            yield f"{name}: {value} is not within {low} to {high:g}"
    if scenario.clients > MOST_CLIENTS:
        yield f"rooms: {scenario.clients} clients are more than {MOST_CLIENTS}"
    if trouble.compare and trouble.slow_rooms >= scenario.rooms:
        yield "trouble.slow_rooms: to compare, some rooms must have no slow readers"
    if match.seats + len(match.bots) > 8:
        yield "match.bots: a room has at most 8 seats"
