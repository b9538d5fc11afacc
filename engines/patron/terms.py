"""The smallest terms of card data: virtues, roles, filters, conditions (PA-6.2, PA-6.10, PA-6.13).

Owns the words that operations, milestones and cards share. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Virtue = Literal["faith", "hope", "charity", "prudence", "justice", "fortitude", "temperance"]  # PA-9.16
VIRTUES: tuple[Virtue, ...] = ("faith", "hope", "charity", "prudence", "justice", "fortitude", "temperance")
Kind = Literal["saint", "grace", "event"]
Who = Literal["self", "opponent", "active", "winner", "loser", "activator", "each"]
CONTEST_ROLES = ("winner", "loser", "activator")  # PA-6.2: known in event lists only
Place = Literal["any", "patron", "friend", "patron_or_friend"]
Role = Literal["patron", "friend", "other"]
Mode = Literal["trial", "solo", "duel"]
Reason = Literal["event", "grace", "milestone", "effect"]
DiceRule = Literal["one", "three", "advantage", "disadvantage"]
Duration = Literal["turn", "round", "next", "game"]
Action = Literal[
    "play_saint", "play_grace", "set_event", "activate_event", "activate_effect", "set_friend", "cycle_saint"
]
On = Literal[
    "played", "turn_start", "turn_end", "event_won", "event_lost", "milestone", "saint_played", "grace_played",
    "friend_set", "cycled",
]  # fmt: skip
By = Literal["self", "opponent", "any"]
Occurrence = Literal[
    "event_won", "event_won_off_turn", "saint_played", "grace_played", "effect_activated", "event_set", "check_passed",
    "card_cycled",
]  # fmt: skip
Query = Literal[
    "patron", "milestones", "tokens", "stored", "hand", "deck", "discard_pile", "events_set", "graces", "saints",
    "events_won_turn", "saints_played_turn", "graces_played_turn", "modifier", "is_active",
]  # fmt: skip

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
Count = Annotated[int, Meta(ge=1, le=99)]
Amount = Annotated[int, Meta(ge=-99, le=99)]
Bound = Annotated[int, Meta(ge=-99, le=999)]
Score = Annotated[int, Meta(ge=1, le=12)]
Target = Annotated[int, Meta(ge=2, le=20)]
Virtues = Annotated[tuple[Virtue, ...], Meta(min_length=1, max_length=7)]


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """Any table of the vocabulary: what it does not know it refuses (PA-6.14)."""


class Filter(Word, frozen=True, omit_defaults=True):
    """Which cards: all given keys must hold (PA-6.13)."""

    kind: Kind | None = None
    id: Id | None = None
    trait: str | None = None
    virtue: Virtue | None = None
    legendary: bool | None = None
    min_score: Count | None = None
    max_score: Count | None = None
    role: Role | None = None


class Condition(Word, frozen=True, omit_defaults=True):
    """A query within bounds, or ``all``, ``any``, ``not`` of conditions (PA-6.10)."""

    q: Query | None = None
    who: Who = "self"
    min: Bound | None = None
    max: Bound | None = None
    filter: Filter | None = None
    virtue: Virtue | None = None
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    inverse: Condition | None = field(default=None, name="not")

    def __post_init__(self) -> None:
        forms = [bool(self.q), bool(self.all), bool(self.any), self.inverse is not None]
        if forms.count(True) != 1:
            raise ValueError("a condition has one of `q`, `all`, `any`, `not`")
        if self.q is None:
            self._check_bare()
        else:
            self._check_query()

    def _check_bare(self) -> None:
        if (self.min, self.max, self.filter, self.virtue, self.who) != (None, None, None, None, "self"):
            raise ValueError("`all`, `any` and `not` take nothing beside them")

    def _check_query(self) -> None:
        if self.who == "each":
            raise ValueError("a condition asks one seat, never `each`")
        if self.min is None and self.max is None:
            raise ValueError("a query has `min` or `max`, or both")
        if self.filter is not None and self.q not in ("graces", "saints"):
            raise ValueError(f"`{self.q}` takes no filter")
        if (self.virtue is not None) != (self.q == "modifier"):
            raise ValueError("`virtue` goes with the query `modifier`, and with no other")


def queries_in(condition: Condition | None) -> Iterator[Condition]:
    """Give every query of a condition, at any depth."""
    if condition is None:
        return
    if condition.q is not None:
        yield condition
    for part in (*condition.all, *condition.any, *([condition.inverse] if condition.inverse else ())):
        yield from queries_in(part)


def check_not_zero(n: int) -> None:
    """Raise ValueError for a change by nothing."""
    if n == 0:
        raise ValueError("`n` is not 0")
