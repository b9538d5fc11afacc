"""What cards can do: the 25 ops, abilities and their costs (KN-6.1 to KN-6.5, section 6.6).

Owns their form, decoded from TOML as it stands. Knows no state and carries nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engines.knights.conditions import ANYTHING, Condition, Filter, Form, Target, Value
from engines.knights.terms import (
    AbilityKind,
    Barred,
    Duration,
    Face,
    Keyword,
    Signed,
    Small,
    Stance,
    Stat,
    StateId,
    Trigger,
    Who,
)

Few = Annotated[int, Meta(ge=1, le=20)]
UpToFour = Annotated[int, Meta(ge=0, le=4)]


class Op(Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """One thing that a card does. The tag is the word in ``op``."""


class Targeted(Op, frozen=True):
    """An op on cards of the field. Without ``target``: the source knight, or the host (KN-6.7)."""

    target: Target | None = None


class Modify(Targeted, frozen=True, tag="modify", kw_only=True):
    stat: Stat
    n: Value
    duration: Duration | None = None


class Damage(Targeted, frozen=True, tag="damage", kw_only=True):
    n: Value


class Heal(Targeted, frozen=True, tag="heal", kw_only=True):
    n: Value


class ChangePc(Targeted, frozen=True, tag="change_pc", kw_only=True):
    n: Value


class ChangePvd(Op, frozen=True, tag="change_pvd", kw_only=True):
    n: Value
    who: Who = "me"


class Inflict(Targeted, frozen=True, tag="inflict", kw_only=True):
    state: StateId
    turns: Few | None = None


class Cure(Targeted, frozen=True, tag="cure", kw_only=True):
    states: tuple[StateId, ...] | Literal["all"]


class Grant(Targeted, frozen=True, tag="grant", kw_only=True):
    keyword: Keyword
    states: tuple[StateId, ...] = ()
    duration: Duration | None = None

    def __post_init__(self) -> None:
        if (self.keyword == "immune") != bool(self.states):
            raise ValueError("`states` goes with `immune`, and with nothing else")


class Restrict(Op, frozen=True, tag="restrict", kw_only=True):
    what: Annotated[tuple[Barred, ...], Meta(min_length=1)]
    who: Who = "me"
    duration: Duration | None = None


class Draw(Op, frozen=True, tag="draw", kw_only=True):
    n: Value
    who: Who = "me"


class MoveCards(Op, frozen=True, tag="move_cards", kw_only=True, rename={"source": "from"}):
    source: Literal["deck", "hand", "discard"]
    to: Literal["hand", "discard", "deck_top", "deck_bottom", "exile", "field"]
    pick: Literal["choose", "random", "top", "all"]
    who: Who = "me"
    by: Who = "me"
    n: Value = 1
    up_to: bool = False
    filter: Filter | None = None
    reveal: bool | None = None

    def __post_init__(self) -> None:
        if self.pick == "top" and self.source != "deck":
            raise ValueError("`top` is of a deck")
        if self.to == "field" and self.who != "me":
            raise ValueError("only own knights are put into play")

    @property
    def wanted(self) -> Filter:
        return self.filter or ANYTHING

    @property
    def reveals(self) -> bool:
        """Say whether moved cards are shown (KN-6.71c)."""
        return (self.filter is not None) if self.reveal is None else self.reveal


class Destroy(Targeted, frozen=True, tag="destroy"):
    pass


class Remove(Targeted, frozen=True, tag="remove", kw_only=True):
    to: Literal["hand", "deck_top", "deck_bottom", "exile"]


class MoveKnight(Targeted, frozen=True, tag="move_knight", kw_only=True, rename={"partner": "with"}):
    mode: Literal["to_empty", "swap"]
    partner: Target | None = None

    def __post_init__(self) -> None:
        if (self.mode == "swap") != (self.partner is not None):
            raise ValueError("`with` goes with `swap`, and with nothing else")


class SetFace(Targeted, frozen=True, tag="set_face", kw_only=True):
    face: Face


class Peek(Op, frozen=True, tag="peek", kw_only=True):
    who: Who
    zone: Literal["deck", "hand"]
    n: Few = 1
    reorder: bool = False

    def __post_init__(self) -> None:
        if self.reorder and self.zone == "hand":
            raise ValueError("a hand has no order")


class AttackMod(Targeted, frozen=True, tag="attack_mod", kw_only=True):
    aa: Signed = 0
    ar: Signed = 0
    damage: Signed = 0
    percent: Annotated[int, Meta(ge=0, le=400)] = 100


class NegateAttack(Op, frozen=True, tag="negate_attack"):
    pass


class Redirect(Targeted, frozen=True, tag="redirect"):
    pass


class Counter(Op, frozen=True, tag="counter", kw_only=True):
    bonus: Signed = 0


class Ready(Targeted, frozen=True, tag="ready"):
    pass


class SetStance(Targeted, frozen=True, tag="set_stance", kw_only=True):
    stance: Stance


class Coin(Op, frozen=True, tag="coin", kw_only=True):
    heads: tuple[Effect, ...]
    tails: tuple[Effect, ...]


class Branch(Form, frozen=True, kw_only=True):
    label: Annotated[str, Meta(min_length=1, max_length=80)]
    effects: tuple[Effect, ...]
    when: tuple[Condition, ...] = ()


class ChooseOne(Op, frozen=True, tag="choose_one", kw_only=True):
    options: Annotated[tuple[Branch, ...], Meta(min_length=1, max_length=8)]
    by: Who = "me"


class If(Op, frozen=True, tag="if", kw_only=True, rename={"otherwise": "else"}):
    when: tuple[Condition, ...]
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


Effect: TypeAlias = (
    Modify
    | Damage
    | Heal
    | ChangePc
    | ChangePvd
    | Inflict
    | Cure
    | Grant
    | Restrict
    | Draw
    | MoveCards
    | Destroy
    | Remove
    | MoveKnight
    | SetFace
    | Peek
    | AttackMod
    | NegateAttack
    | Redirect
    | Counter
    | Ready
    | SetStance
    | Coin
    | ChooseOne
    | If
)
Effects: TypeAlias = tuple[Effect, ...]


class Cost(Form, frozen=True):
    """What an activated ability costs (KN-6.4)."""

    pc: Small = 0
    pv: Small = 0
    discard: UpToFour = 0
    pvd: UpToFour = 0


class Ability(Form, frozen=True, kw_only=True):
    """One ability (KN-6.2). ``action`` None: true for knights, false for helpers."""

    kind: AbilityKind
    trigger: Trigger | None = None
    whose: Literal["self", "host", "ally", "enemy", "any"] | None = None
    when: tuple[Condition, ...] = ()
    cost: Cost | None = None
    action: bool | None = None
    once: Literal["none", "turn", "game"] = "none"
    optional: bool = False
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=12)]

    def __post_init__(self) -> None:
        triggered, activated = self.kind == "triggered", self.kind == "activated"
        if triggered != (self.trigger is not None):
            raise ValueError("`trigger` goes with `triggered`, and with nothing else")
        if not triggered and (self.whose or self.optional):
            raise ValueError("`whose` and `optional` go with `triggered`")
        if not activated and (self.cost or self.action is not None):
            raise ValueError("`cost` and `action` go with `activated`")
        if self.kind == "passive" and self.once != "none":
            raise ValueError("a passive ability has no `once`")
        if self.whose and self.trigger in ("played", "destroyed"):
            raise ValueError(f"`{self.trigger}` means this card and takes no `whose`")


def effects_in(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Give effects with all that lie inside them, outer ones first."""
    for effect in effects:
        yield effect
        for inner in inside(effect):
            yield from effects_in(inner)


def inside(effect: Effect) -> tuple[Effects, ...]:
    """Give the effect lists that an effect holds."""
    match effect:
        case Coin():
            return effect.heads, effect.tails
        case ChooseOne():
            return tuple(branch.effects for branch in effect.options)
        case If():
            return effect.then, effect.otherwise
        case _:
            return ()
