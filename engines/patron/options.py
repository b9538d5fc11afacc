"""What a room may set before a match (PA-9). Knows no rule."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engines.patron.terms import Mode


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """All options, all public: each is another reading of the rulebook. ``max_turns``: 0 is none."""

    overcome_rule: Literal["reach", "exceed"] = "reach"  # PA-9.12
    stored_reset: Literal["on_play", "never"] = "on_play"  # PA-9.9
    recursion_passes: Annotated[int, Meta(ge=0, le=9)] = 1  # PA-9.33
    event_activation: Literal["owner", "any"] = "owner"  # PA-9.24
    event_first: Literal["activator", "active"] = "activator"  # PA-9.26
    default_event_mode: Mode = "trial"  # PA-9.25
    deck_out: Literal["reshuffle", "none", "lose"] = "reshuffle"  # PA-9.34
    max_turns: Annotated[int, Meta(ge=0, le=1000)] = 100  # PA-9.35
    first_seat: Literal["roll", 0, 1] = "roll"  # PA-3.4
