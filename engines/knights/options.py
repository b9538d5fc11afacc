"""What a room may set before a match (section 9.2). Knows no rule."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engines.rules import Fault


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """All options, all public; what the clock of a room needs is the service's (KN-8.5)."""

    acn_rule: Literal["plus1", "plain"] = "plus1"
    deck_min: Annotated[int, Meta(ge=30, le=60)] = 40
    deck_max: Annotated[int, Meta(ge=30, le=99)] = 60
    max_knights: Annotated[int, Meta(ge=1, le=40)] = 15
    max_elite: Annotated[int, Meta(ge=0, le=40)] = 3
    destroy_costs_pvd: bool = True
    defender_rule: Literal["any", "able"] = "any"
    defend_scope: Literal["attacks", "acn"] = "attacks"
    evade_scope: Literal["acn", "attacks"] = "acn"
    evade_bonus: Annotated[int, Meta(ge=0, le=5)] = 2
    duplicate_scope: Literal["side", "both"] = "side"
    state_set: Literal["full", "beta"] = "full"
    deity_choice: Literal["pregame", "deck"] = "pregame"
    starter: Literal["random", "seat0", "seat1"] = "random"
    mulligan: Literal["none", "once"] = "none"
    max_turns: Annotated[int, Meta(ge=20, le=400)] = 100
    win_points: Annotated[int, Meta(ge=1, le=100)] = 3


def option_faults(options: Options) -> list[Fault]:
    """List what is wrong with well-typed options together (KN-9.2)."""
    if options.deck_max < options.deck_min:
        return [Fault("bad_option", "deck_max", "`deck_max` is not below `deck_min`")]
    return []
