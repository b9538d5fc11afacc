"""Bots against each other: the same plan gives the same matches, and figures add up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from engines.bots import random_picks
from engines.registry import game
from engines.rules import Rules
from engines.selfplay import Clock, Plan, Played, Spread, UnknownBot, bot_of, figures, play_matches


def clock(step: int = 1000) -> Clock:
    """Give a clock that moves on by ``step`` nanoseconds whenever it is read."""
    return count(0, step).__next__


def plan_of(name: str, bots: Sequence[str], matches: int, seed: int = 1, options: Any = None) -> Plan:
    rules: Rules[Any] = game(name)
    pack = next(iter(rules.packs().values()))
    return Plan(rules, pack, options or rules.Options(), tuple(bots), matches, seed)


def played(plan: Plan, **bounds: int) -> list[Played]:
    return list(play_matches(plan, clock(), **bounds))


def test_same_plan_plays_the_same_matches() -> None:
    plan = plan_of("probe", ["random", "eager", "idle"], 4)
    assert played(plan) == played(plan)
    assert played(plan) != played(plan_of("probe", ["random", "eager", "idle"], 4, seed=2))


def test_bots_move_on_by_a_seat_after_each_share_of_the_matches() -> None:
    matches = played(plan_of("probe", ["random", "eager", "idle"], 6))
    assert [match.seated for match in matches] == [(0, 1, 2)] * 2 + [(1, 2, 0)] * 2 + [(2, 0, 1)] * 2


def test_no_two_matches_of_a_plan_have_the_same_chance() -> None:
    matches = played(plan_of("disciple", ["random", "random"], 4))
    assert len({(match.choices, match.turns, match.max_frame) for match in matches}) == 4


def test_every_match_ends_unbroken_with_turns_and_a_first_seat() -> None:
    for match in played(plan_of("disciple", ["greedy", "random"], 4)):
        assert match.reason in ("virtues", "empty", "turn_limit")
        assert match.broken == []
        assert match.turns is not None
        assert match.turns > 5
        assert match.first_seat in (0, 1)


def test_match_that_runs_into_the_bound_is_unfinished() -> None:
    plan = plan_of("disciple", ["random", "random"], 2)
    matches = played(plan, limit=5)
    assert [(match.choices, match.reason) for match in matches] == [(5, "")] * 2
    told = figures(plan, matches)
    assert (told.unfinished, told.ends, told.turns, told.first_seat_share) == (2, {"unfinished": 2}, None, None)


def test_game_that_tells_no_turns_has_figures_without_them() -> None:
    plan = plan_of("probe", ["random", "random"], 2)
    told = figures(plan, played(plan))
    assert (told.turns, told.first_seat_share, told.matches) == (None, None, 2)
    assert told.choices > 10


def test_wins_count_for_bots_wherever_they_sat() -> None:
    plan = plan_of("disciple", ["greedy", "random"], 4)
    matches = [
        Played((0, 1), winners=(0,), reason="virtues", turns=10, first_seat=0, took=[1000] * 99 + [9000]),
        Played((0, 1), winners=(1,), reason="empty", turns=20, first_seat=0),
        Played((1, 0), winners=(1,), reason="virtues", turns=30, first_seat=1, max_fuel=7, broken=["odd"]),
        Played((1, 0), winners=(), reason="virtues", turns=40, first_seat=1, max_options=3),
    ]
    told = figures(plan, matches)
    assert [(won.bot, won.matches) for won in told.wins] == [("greedy", 2), ("random", 1)]
    assert told.ends == {"empty": 1, "virtues": 3}
    assert told.first_seat_share == 666
    assert told.turns == Spread(10, 30, 40)
    assert (told.max_fuel, told.max_options, told.broken, told.submit_p99_us) == (7, 3, ["odd"], 9)
    assert told.choices_per_s == 100 * 10**9 // (99 * 1000 + 9000)


def test_time_is_the_callers() -> None:
    plan = plan_of("probe", ["random", "random"], 1)
    told = figures(plan, list(play_matches(plan, clock(2_000_000))))
    assert (told.choices_per_s, told.submit_p99_us) == (500, 2000)


def test_figures_are_plain_data() -> None:
    plan = plan_of("disciple", ["greedy", "greedy"], 1)
    told = msgspec.json.decode(msgspec.json.encode(figures(plan, played(plan))))
    assert {"game", "matches", "choices", "wins", "ends", "max_record", "submit_p99_us"} <= told.keys()
    assert told["max_frame"] > 1000
    assert told["max_record"] > 500
    assert 1 < told["max_fuel"] < 20_000


def test_bot_is_found_by_name() -> None:
    assert bot_of(game("probe"), "random") is random_picks
    with pytest.raises(UnknownBot, match="has no bot 'deep'; there are: eager, idle, random"):
        bot_of(game("probe"), "deep")
