"""What a room may set before a match (DI-3.1). Knows no rule."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """All options, all public. ``turn_limit``: 0 is none."""

    first_seat: Literal["random", 0, 1] = "random"
    reaction_window: Literal["always", "off"] = "always"
    empty_hand_rule: bool = True
    simultaneous_win: Literal["active", "draw"] = "active"
    turn_limit: Annotated[int, Meta(ge=0, le=1000)] = 200
