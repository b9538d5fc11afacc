"""Which options golden matches are played with, so that what only some options bring is shown too."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.rules import Rules

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "knights": ({}, {}, {"mulligan": "once"}),
    "patron": ({}, {"recursion_passes": 0}, {"recursion_passes": 0, "first_seat": 1}, {"max_turns": 3}),
    "sanctuary": (
        {},
        {"upgrade_mode": "per_marker", "four_objectives_end": "immediate"},
        {"map": "terraces", "upgrade_mode": "per_marker", "starting_hand": 3, "late_end_marker": 0, "solo_markers": 8},
        {"map": "terraces", "upgrade_mode": "per_marker", "after_action": "one"},
    ),
}
"""Option sets to draw from, by game; a game that is not named plays with its defaults."""


def options_of(rules: Rules[Any]) -> tuple[Any, ...]:
    """Give the typed option sets of a game."""
    return tuple(msgspec.convert(given, rules.Options) for given in OPTIONS.get(rules.name, ({},)))
