"""The closed words of the game: kinds, stances, states, keywords, triggers and the like (KN-1, KN-6).

Owns vocabulary and bounds. Knows no card and no state.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

Kind = Literal["knight", "technique", "occasion", "object", "helper", "scenario", "trophy"]
Level = Literal[1, 2, 3, "D"]
Rarity = Literal["C", "R", "E"]
Stance = Literal["attack", "defend", "evade"]
StateId = Literal["par", "env", "cng", "qmd", "pos", "nse"]
Face = Literal["up", "down"]
Stat = Literal["ce", "ar", "max_pv", "max_pc"]
AnyStat = Literal["ce", "ar", "pv", "pc", "max_pv", "max_pc"]
Who = Literal["me", "foe"]
Side = Literal["ally", "enemy", "any"]
FieldZone = Literal["knight", "support", "helper", "scenario"]
PileZone = Literal["hand", "deck", "discard", "exile"]
Pick = Literal["ref", "all", "choose", "random", "front", "adjacent"]
Ref = Literal["self", "host", "attacker", "target", "event", "chosen"]
Barred = Literal["knight", "technique", "object", "occasion", "helper", "scenario", "draw_step"]
AttackKind = Literal["acn", "technique", "direct"]
AbilityKind = Literal["passive", "triggered", "activated"]
Keyword = Literal[
    "no_attack", "no_evade", "no_defend", "no_technique", "no_react", "untargetable", "guard", "pierce_evade",
    "pierce_defend", "direct", "immune",
]  # fmt: skip
Trigger = Literal[
    "turn_start", "turn_end", "played", "knight_entered", "attack_declared", "attacked", "hit", "damaged", "evaded",
    "direct_hit", "destroyed", "knight_destroyed", "technique_used", "occasion_played", "state_gained",
]  # fmt: skip
Compared = Literal["<", "<=", "=", ">=", ">"]

STATES: tuple[StateId, ...] = get_args(StateId)
STANCES: tuple[Stance, ...] = get_args(Stance)
SLOTS = (1, 2, 3, 4)
COMPARE: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}
TURNS: dict[str, int] = {"par": 1, "cng": 3, "pos": 1}  # KN-6.31, KN-6.33, KN-6.36
BETA = ("env", "par")  # KN-6.30
MOST_STAT, MOST_PV = 30, 60  # section 2.2

Slot = Annotated[int, Meta(ge=1, le=4)]
Small = Annotated[int, Meta(ge=0, le=60)]
Signed = Annotated[int, Meta(ge=-60, le=60)]


class Turns(Struct, frozen=True, forbid_unknown_fields=True):
    """A duration of so many turns: to the end of turn ``current + turns`` (KN-6.22)."""

    turns: Annotated[int, Meta(ge=0, le=40)]


NamedDuration = Literal["attack", "my_next_turn", "turn", "while_source", "permanent"]
Duration: TypeAlias = NamedDuration | Turns
