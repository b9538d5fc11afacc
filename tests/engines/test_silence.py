"""Whoever never answers holds nobody up: from any state, defaults alone carry the silent seats to the end (P6)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from engines.flow import MAX_CHOICES, Position, Step, load, submit
from engines.record import Choice
from engines.registry import game
from engines.testing.answers import answer, any_answer
from engines.testing.setting import Setting, draw_setting
from engines.testing.walk import Walk, walk_on


@pytest.fixture
def states(request: pytest.FixtureRequest) -> int:
    return 1_000 if request.config.getoption("--long") else 4


def _random_state(setting: Setting, chance: Random) -> Step:
    """Play a random match, and stop somewhere."""
    whole = walk_on(Walk(setting), chance)
    return chance.choice([step for step in whole.steps if step.position.outcome is None])


def _subsets(seats: int, chance: Random) -> list[frozenset[int]]:
    """Give every set of seats; of five seats some of each size."""
    found = [frozenset(some) for size in range(1, seats + 1) for some in combinations(range(seats), size)]
    return found if len(found) <= 7 else [*chance.sample(found[:-1], 6), found[-1]]


def _next(position: Position, silent: frozenset[int], chance: Random) -> Choice:
    asked = next(one for one in position.asked if one.answer is None and not one.prompt.optional)
    prompt = asked.prompt
    return answer(asked, prompt.default if prompt.seat in silent else any_answer(prompt, chance))


def _carry_on(setting: Setting, step: Step, silent: frozenset[int], chance: Random) -> Step:
    position = load(setting.rules, setting.running, step.record)
    for _ in range(MAX_CHOICES):
        if step.position.outcome is not None:
            break
        choice = _next(position, silent, chance)
        step = submit(setting.rules, setting.running, step.record, [choice], position)
        position = step.position
        assert setting.rules.check(setting.running, position.table.state) == []
    return step


def test_from_any_state_silent_seats_are_carried_to_the_end(game_name: str, states: int) -> None:
    rules, chance = game(game_name), Random(7)
    for _ in range(states):
        setting = draw_setting(rules, chance, [rules.Options()])
        state = _random_state(setting, chance)
        for silent in _subsets(setting.match.seats, chance):
            assert _carry_on(setting, state, silent, chance).position.outcome is not None, sorted(silent)
