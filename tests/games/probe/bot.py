"""Bots of probe: one that always acts, one that never does."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from protocol.prompt import Pick, Prompt


def eager(seat: int, zones: Mapping[str, Any], prompt: Prompt, chance: Random) -> tuple[Pick, ...]:
    """Take the last option, the highest number, or the order turned round."""
    if prompt.shape == "number":
        return (prompt.most,)
    ids = tuple(option.id for option in reversed(prompt.options))
    return ids if prompt.shape == "order" else ids[: max(prompt.least, 1)]


def idle(seat: int, zones: Mapping[str, Any], prompt: Prompt, chance: Random) -> tuple[Pick, ...]:
    """Take what silence means."""
    return prompt.default
