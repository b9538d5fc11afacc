"""The operations of card data: 17 instant, 6 ongoing, and what holds them (PA-6.1, PA-6.5, PA-6.6).

Owns the closed vocabulary as types. Knows no state and carries nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec import Meta, field

from engines.patron.terms import (
    Action,
    Amount,
    By,
    Condition,
    Count,
    DiceRule,
    Duration,
    Filter,
    On,
    Place,
    Target,
    Virtue,
    Virtues,
    Who,
    Word,
    check_not_zero,
)


class Op(Word, frozen=True, omit_defaults=True, tag_field="op", kw_only=True):
    """Any operation. ``who`` not given: the active seat, for a static the controller (PA-6.2)."""

    who: Who | None = None


class Draw(Op, frozen=True, tag="draw", kw_only=True):
    n: Count


class Discard(Op, frozen=True, tag="discard", kw_only=True):
    n: Count
    filter: Filter | None = None
    random: bool = False


class Tokens(Op, frozen=True, tag="tokens", kw_only=True):
    n: Amount

    def __post_init__(self) -> None:
        check_not_zero(self.n)


class Store(Op, frozen=True, tag="store", kw_only=True):
    n: Amount

    def __post_init__(self) -> None:
        check_not_zero(self.n)


class Search(Op, frozen=True, tag="search", kw_only=True):
    filter: Filter
    n: Count = 1
    to: Literal["hand", "top"] = "hand"
    reveal: bool = True


class Look(Op, frozen=True, tag="look", kw_only=True):
    n: Count
    pick: Annotated[int, Meta(ge=0, le=99)] = 0
    rest: Literal["top", "bottom"] = "top"


class Recover(Op, frozen=True, tag="recover", kw_only=True):
    filter: Filter | None = None
    n: Count = 1
    to: Literal["hand", "top", "bottom"] = "hand"


class Mill(Op, frozen=True, tag="mill", kw_only=True):
    n: Count


class Peek(Op, frozen=True, tag="peek", kw_only=True):
    who: Who
    what: Literal["hand", "event"] = "hand"


class Remove(Op, frozen=True, tag="remove", kw_only=True):
    who: Who
    zone: Literal["saint", "grace", "event"]
    filter: Filter | None = None
    n: Count = 1
    to: Literal["discard", "hand", "bottom"] = "discard"
    chooser: Who = "self"

    def __post_init__(self) -> None:
        if self.zone == "event" and self.filter is not None:
            raise ValueError("face-down events take no filter")
        if self.chooser == "each":
            raise ValueError("the chooser is one seat, never `each`")


class PutSaint(Op, frozen=True, tag="put_saint", kw_only=True):
    max_score: Count
    filter: Filter | None = None


class SetFriend(Op, frozen=True, tag="friend", kw_only=True):
    pass


class Refresh(Op, frozen=True, tag="refresh", kw_only=True):
    own_only: bool = False


class Check(Op, frozen=True, tag="check", kw_only=True):
    virtues: Virtues
    number: Target
    success: tuple[AnyOp, ...] = ()
    failure: tuple[AnyOp, ...] = ()


class Choose(Op, frozen=True, tag="choose", kw_only=True):
    options: Annotated[tuple[tuple[AnyOp, ...], ...], Meta(min_length=2, max_length=4)]


class Cost(Word, frozen=True, omit_defaults=True):
    """What is paid (PA-6.5 ``pay``): at least one part."""

    tokens: Count | None = None
    discard: Count | None = None
    graces: Count | None = None

    def __post_init__(self) -> None:
        if (self.tokens, self.discard, self.graces) == (None, None, None):
            raise ValueError("a cost has at least one part")


class Pay(Op, frozen=True, tag="pay", kw_only=True):
    cost: Cost
    then: tuple[AnyOp, ...]
    otherwise: tuple[AnyOp, ...] = field(default=(), name="else")


class If(Op, frozen=True, tag="if", kw_only=True):
    cond: Condition
    then: tuple[AnyOp, ...]
    otherwise: tuple[AnyOp, ...] = field(default=(), name="else")


class Lasting(Op, frozen=True, kw_only=True):
    """An ongoing operation: in a list with ``duration``, as a static without (PA-6.6)."""

    duration: Duration | None = None


class Modifier(Lasting, frozen=True, tag="modifier", kw_only=True):
    virtue: Virtue | Literal["all"]
    n: Amount

    def __post_init__(self) -> None:
        check_not_zero(self.n)


class Dice(Lasting, frozen=True, tag="dice", kw_only=True):
    rule: DiceRule
    on: Literal["check", "intercession"]


class Number(Lasting, frozen=True, tag="number", kw_only=True):
    n: Amount
    on: Literal["event", "grace", "milestone", "effect", "any"]

    def __post_init__(self) -> None:
        check_not_zero(self.n)


class Intercession(Lasting, frozen=True, tag="intercession", kw_only=True):
    n: Amount

    def __post_init__(self) -> None:
        check_not_zero(self.n)


class ScoreChange(Lasting, frozen=True, tag="score", kw_only=True):
    n: Amount
    filter: Filter | None = None

    def __post_init__(self) -> None:
        check_not_zero(self.n)


class Restrict(Lasting, frozen=True, tag="restrict", kw_only=True):
    action: Action

    def __post_init__(self) -> None:
        if self.duration == "next":
            raise ValueError("`restrict` is never `next`")


Holding = Modifier | Dice | Number | Intercession | ScoreChange | Restrict
AnyOp = (
    Draw | Discard | Tokens | Store | Search | Look | Recover | Mill | Peek | Remove | PutSaint | SetFriend | Refresh
    | Check | Choose | Pay | If | Modifier | Dice | Number | Intercession | ScoreChange | Restrict
)  # fmt: skip

Ops = Annotated[tuple[AnyOp, ...], Meta(min_length=1)]


class Effect(Word, frozen=True, omit_defaults=True, tag_field="kind", kw_only=True):
    """What every effect may ask of its card and its seat (PA-6.1)."""

    min_milestones: Annotated[int, Meta(ge=0, le=5)] = 0
    where: Place = "any"
    cond: Condition | None = None


class Act(Effect, frozen=True, tag="act", kw_only=True):
    """One use in the whole match (PA-4.18)."""

    do: Ops


class Static(Effect, frozen=True, tag="static", kw_only=True):
    """One ongoing operation that holds while its card is in play (PA-4.19)."""

    hold: Holding


class Triggered(Effect, frozen=True, tag="trigger", kw_only=True):
    """What is done when something happens, so many times a turn at most (PA-6.3, PA-6.11)."""

    on: On
    do: Ops
    by: By = "self"
    limit: Annotated[int, Meta(ge=1, le=3)] = 1


def ops_in(ops: Iterable[AnyOp]) -> Iterator[AnyOp]:
    """Give operations and all that are nested in them."""
    for op in ops:
        yield op
        for inner in branches_of(op):
            yield from ops_in(inner)


def branches_of(op: AnyOp) -> tuple[tuple[AnyOp, ...], ...]:
    """Give the lists nested directly in an operation."""
    match op:
        case Check():
            return op.success, op.failure
        case Choose():
            return op.options
        case Pay() | If():
            return op.then, op.otherwise
        case _:
            return ()
