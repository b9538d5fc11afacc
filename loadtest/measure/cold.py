"""Every game by itself: random play in which each choice begins with a record's bytes."""

from __future__ import annotations

import time
from typing import Any

from engines.registry import game
from engines.selfplay import Plan, figures, play_matches

GAMES = ("disciple", "patron", "knights", "sanctuary")


def cold(matches: int) -> dict[str, Any]:
    """Play matches of each game by chance."""
    return {name: _play(name, matches) for name in GAMES}


def _play(name: str, matches: int) -> dict[str, Any]:
    rules = game(name)
    pack = next(iter(rules.packs().values()))
    seats = max(2, rules.seats[0])
    plan = Plan(rules, pack, rules.Options(), ("random",) * seats, matches, 0)
    found = figures(plan, list(play_matches(plan, time.process_time_ns)))
    return {
        "choices": found.choices, "choices_per_s": found.choices_per_s, "submit_p99_ms": found.submit_p99_us / 1_000,
        "largest_record_bytes": found.max_record, "largest_frame_bytes": found.max_frame,
    }  # fmt: skip
