"""A match of probe in a test, driven in the words of a player. For tests only."""

from __future__ import annotations

from typing import Any

from engines.flow import Asked, Position, Step, begin, load, submit
from engines.record import Choice, Record
from engines.rules import Match
from engines.sight import Seen, see
from probe.rules import Probe
from protocol.prompt import Pick

KEY = bytes(range(32))


class Driver:
    """Plays a match step by step; ``record`` is what would be stored. A plan that is given is taken once."""

    def __init__(
        self, *plan: str, seats: int = 2, rules: Probe | None = None, holds: bool = True,
        decks: tuple[Any, ...] = (), **options: Any,
    ) -> None:  # fmt: skip
        self.rules = rules or Probe()
        self.pack = next(iter(self.rules.packs().values()))
        settings = self.rules.Options(plan=plan, **{"laps": 1, **options}) if plan else self.rules.Options(**options)
        self.beginning = Match(seats, settings, self.pack.cards, decks, holds)
        self.match = Match(seats, settings, self.pack.cards, (), holds)
        self.step: Step = begin(self.rules, self.beginning, pack=self.pack.hash, key=KEY)

    @property
    def record(self) -> Record:
        return self.step.record

    @property
    def position(self) -> Position:
        return self.step.position

    @property
    def state(self) -> Any:
        return self.position.table.state

    def told(self, seat: int | None) -> list[str]:
        """Give the kinds of the latest events as told to one audience."""
        return [event["event"] for event in self.seen(seat).events]

    def seen(self, seat: int | None) -> Seen:
        return see(self.rules, self.position, seat, self.step.events)

    def asked(self, seat: int) -> Asked:
        asked = self.position.of(seat)
        assert asked is not None, f"seat {seat} is not asked"
        return asked

    def picks(self, seat: int, *wanted: str | int) -> tuple[Pick, ...]:
        """Find options by what they do; a number stands for itself, or for the option at that place."""
        prompt = self.asked(seat).prompt
        if prompt.shape == "number":
            return tuple(wanted)
        found = (
            prompt.options[one] if isinstance(one, int) else next(o for o in prompt.options if o.act["do"] == one)
            for one in wanted
        )
        return tuple(option.id for option in found)

    def choice(self, seat: int, *wanted: str | int) -> Choice:
        return Choice(seat, self.asked(seat).id, self.picks(seat, *wanted))

    def take(self, seat: int, *wanted: str | int) -> Driver:
        return self.submit(self.choice(seat, *wanted))

    def leave(self, seat: int, why: str = "resigned") -> Driver:
        return self.submit(Choice(seat, gone=why))

    def submit(self, *choices: Choice) -> Driver:
        self.step = submit(self.rules, self.match, self.record, choices)
        return self

    def go_on_from(self, record: Record) -> Driver:
        self.step = Step(record, [], load(self.rules, self.match, record))
        return self
