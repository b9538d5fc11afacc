"""An answer to any prompt, from its options alone. Knows the shapes of prompts and no game."""

from __future__ import annotations

from random import Random
from typing import Any

TAKE_OFFER = 0.25


def answer(prompt: dict[str, Any], random: Random) -> list[str | int] | None:
    """Pick by chance, legally. None for an offer (an optional prompt) that is left alone."""
    if prompt.get("optional") and random.random() >= TAKE_OFFER:
        return None
    shape, least, most = prompt.get("shape", "pick"), prompt.get("least", 1), prompt.get("most", 1)
    if shape == "number":
        return [random.randint(least, most)]
    options = prompt.get("options", [])
    if shape == "pick" and least == most == 1:
        return [options[int(random.random() * len(options))]["id"]]
    mixed = random.sample(options, len(options))
    if shape == "order":
        return [option["id"] for option in mixed]
    apart = _without_rivals(mixed)
    return [option["id"] for option in apart[: random.randint(least, min(most, len(apart)))]]


def _without_rivals(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep one option of every group: no two of them may be picked together."""
    groups: set[str] = set()
    kept = []
    for option in options:
        group = option.get("group", "")
        if not group or group not in groups:
            kept.append(option)
            groups.add(group)
    return kept
