"""A match played by chance from its beginning, kept step by step. Checks nothing."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec import Struct, field
from msgspec.structs import replace

from engines.flow import MAX_CHOICES, Position, Step, submit
from engines.record import Choice, Record
from engines.testing.answers import any_input
from engines.testing.chances import Shuffle, Spied
from engines.testing.setting import Setting


class Walk(Struct):
    """``steps[0]`` is the beginning; ``choices[i]`` leads from ``steps[i]`` to ``steps[i + 1]``."""

    setting: Setting
    steps: list[Step] = []
    choices: list[Choice] = []
    shuffles: list[Shuffle] = field(default_factory=list)

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def ended(self) -> bool:
        return bool(self.steps) and self.last.position.outcome is not None

    def checkpoint(self, at: int) -> int:
        """Give the latest step not after ``at`` whose record has no choices pending."""
        return next(i for i in range(at, -1, -1) if not self.steps[i].record.choices)


Player = Callable[[Position, Random], Choice]


def walk_on(walk: Walk, chance: Random, player: Player = any_input, limit: int = MAX_CHOICES) -> Walk:
    """Play to the end, or until ``limit`` choices are taken."""
    spied = Spied(walk.setting.rules)
    if not walk.steps:
        walk.steps.append(Setting(spied, walk.setting.pack, walk.setting.match, walk.setting.key).begin())
        _note(walk, spied)
    while not walk.ended and len(walk.choices) < limit:
        choice = player(walk.last.position, chance)
        walk.steps.append(submit(spied, walk.setting.running, walk.last.record, [choice]))  # type: ignore[arg-type]
        walk.choices.append(choice)
        _note(walk, spied)
    return walk


def _note(walk: Walk, spied: Spied) -> None:
    """Keep the shuffles that the latest step was first to make."""
    known = {shuffle.counter for shuffle in walk.shuffles}
    at = len(walk.steps) - 1
    walk.shuffles += [Shuffle(at, counter, items) for counter, items in spied.shuffled.items() if counter not in known]
    spied.shuffled.clear()


def at_rest(record: Record) -> Record:
    """Give a record as it was at its checkpoint."""
    return replace(record, choices=(), held=())
