"""What is asked of cards and of the table: filters, selectors, values, conditions (KN-6.7 to KN-6.10, KN-6.40).

Owns their form, decoded from TOML as it stands. Knows no state and answers nothing.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engines.knights.terms import (
    AnyStat,
    AttackKind,
    Compared,
    Face,
    FieldZone,
    Kind,
    Level,
    Pick,
    PileZone,
    Rarity,
    Ref,
    Side,
    Signed,
    Slot,
    Small,
    Stance,
    StateId,
    Who,
)

Word = Annotated[str, Meta(min_length=1, max_length=60)]
Words: TypeAlias = Word | tuple[Word, ...]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a pack that knows all its keys."""


class StatTest(Form, frozen=True):
    stat: AnyStat
    op: Compared
    n: Signed


class Filter(Form, frozen=True, rename={"negation": "not"}):
    """What a card must be: all keys must match, a list means any of them (KN-6.8)."""

    kind: Kind | tuple[Kind, ...] | None = None
    card: Words | None = None
    rank: Words | None = None
    subrank: Words | None = None
    patron: Words | None = None
    reference: Words | None = None
    rarity: Rarity | tuple[Rarity, ...] | None = None
    elite: bool | None = None
    level: Level | tuple[Level, ...] | None = None
    stance: Stance | tuple[Stance, ...] | None = None
    state: StateId | Literal["any"] | tuple[StateId, ...] | None = None
    acted: bool | None = None
    face: Face | None = None
    slot: Slot | tuple[Slot, ...] | None = None
    has_object: bool | None = None
    damaged: bool | None = None
    stat: StatTest | None = None
    negation: Filter | None = None


ANYTHING = Filter()


class Selector(Form, frozen=True):
    """Which cards of the field an effect is about (KN-6.7)."""

    pick: Pick
    who: Side = "any"
    zone: FieldZone = "knight"
    filter: Filter = ANYTHING
    n: Annotated[int, Meta(ge=1, le=8)] = 1
    up_to: bool = False
    by: Literal["controller", "foe"] = "controller"
    ref: Ref | None = None

    def __post_init__(self) -> None:
        if (self.ref is not None) != (self.pick == "ref"):
            raise ValueError('`ref` goes with `pick = "ref"`, and with nothing else')


Target: TypeAlias = Selector | Ref


class Count(Form, frozen=True):
    """A selector without ``pick``, for counting (KN-6.10)."""

    who: Side = "any"
    zone: FieldZone = "knight"
    filter: Filter = ANYTHING


class Reckoned(Form, frozen=True):
    """A number worked out when it is needed: a count or a stat (KN-6.10)."""

    count: Count | None = None
    stat: AnyStat | None = None
    of: Ref | None = None
    times: Annotated[int, Meta(ge=-20, le=20)] = 1
    div: Annotated[int, Meta(ge=1, le=20)] = 1
    max: Small | None = None

    def __post_init__(self) -> None:
        if (self.count is None) == (self.stat is None) or (self.stat is None) != (self.of is None):
            raise ValueError("a value has either `count`, or `stat` and `of`")
        if (self.count is not None and self.div != 1) or (self.count is None and self.max is not None):
            raise ValueError("`div` goes with `stat`, `max` with `count`")


Value: TypeAlias = Signed | Reckoned


class TurnTest(Form, frozen=True):
    op: Compared
    n: Annotated[int, Meta(ge=0, le=400)]


class PvdTest(Form, frozen=True):
    op: Compared
    n: Small
    who: Who = "me"


class StatOf(Form, frozen=True):
    stat: AnyStat
    of: Ref
    op: Compared
    n: Signed


NEEDS: dict[str, tuple[str, ...]] = {
    "turn": (), "turn_no": (), "deity": (), "scenario": (), "control": ("op", "n"), "support": ("op", "n"),
    "zone": ("op", "n"), "pvd": (), "stat": (), "state": ("of",), "stance": ("of",), "slot": ("of",),
    "matches": ("of",), "attack": (), "any": (), "negation": (),
}  # fmt: skip
WITH_WHO = ("deity", "control", "support", "zone")


class Condition(Form, frozen=True, rename={"negation": "not"}):
    """One of the 16 conditions: exactly one key names it, the others belong to it (KN-6.40)."""

    turn: Literal["mine", "theirs"] | None = None
    turn_no: TurnTest | None = None
    deity: Word | None = None
    scenario: Word | None = None
    control: Filter | None = None
    support: Filter | None = None
    zone: PileZone | None = None
    pvd: PvdTest | None = None
    stat: StatOf | None = None
    state: StateId | Literal["any"] | None = None
    stance: Stance | None = None
    slot: Slot | tuple[Slot, ...] | None = None
    matches: Filter | None = None
    attack: AttackKind | None = None
    any: tuple[Condition, ...] | None = None
    negation: Condition | None = None
    who: Who | None = None
    of: Ref | None = None
    op: Compared | None = None
    n: Small | None = None

    def __post_init__(self) -> None:
        named = [name for name in NEEDS if getattr(self, name) is not None]
        if len(named) != 1:
            raise ValueError("a condition has exactly one key of the 16")
        given = {name for name in ("of", "op", "n") if getattr(self, name) is not None}
        if given != set(NEEDS[named[0]]):
            raise ValueError(f"`{named[0]}` goes with {', '.join(NEEDS[named[0]]) or 'nothing else'}")
        if self.who is not None and named[0] not in WITH_WHO:
            raise ValueError(f"`{named[0]}` takes no `who`")

    @property
    def word(self) -> str:
        """Give the key that names the condition."""
        return next(name for name in NEEDS if getattr(self, name) is not None)
