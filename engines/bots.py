"""A bot for every game: it answers any prompt by chance. Knows the shapes of prompts and no game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.rules import Bot, Rules
from protocol.prompt import Option, Pick, Prompt, bounds


def random_picks(seat: int, zones: Mapping[str, Any], prompt: Prompt, rnd: Random) -> tuple[Pick, ...]:
    """Answer legally and without a thought: every number of picks is as likely as any other that can be made.

    For an offer (an optional prompt) an empty answer means that it is not taken: three times in four.
    """
    if prompt.optional and rnd.random() < 3 / 4:
        return ()
    if prompt.shape == "number":
        return (rnd.randint(prompt.least, prompt.most),)
    mixed = rnd.sample(prompt.options, len(prompt.options))
    if prompt.shape == "order":
        return tuple(option.id for option in mixed)
    apart = without_rivals(mixed)
    least, most = bounds(prompt)
    count = rnd.randint(least, min(most, len(apart)))
    return tuple(option.id for option in apart[:count])


def bots_of(rules: Rules[Any]) -> dict[str, Bot]:
    """Give all bots that play a game, by name: its own, and ``random``, which plays every game."""
    return {"random": random_picks, **rules.bots}


def without_rivals(options: list[Option]) -> list[Option]:
    """Keep the first option of every group, and all that have none: they may all be picked together."""
    seen: set[str] = set()
    kept = []
    for option in options:
        if not option.group or option.group not in seen:
            kept.append(option)
            seen.add(option.group)
    return kept
