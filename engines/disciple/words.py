"""What cards can do: primitives, control structures, static modifiers and abilities (DI-6).

Owns their form, decoded from TOML as it stands. Knows no state and carries nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from engines.disciple.conditions import Condition
from engines.disciple.terms import (
    Bonus,
    CardFilter,
    Cards30,
    Duration,
    EventFilter,
    Scope,
    Shield,
    Target,
    Trigger,
    UpTo30,
    Who,
    Word,
    check_order,
)


class Primitive(Word, frozen=True, tag_field="do"):
    """One thing that an ability does (DI-6.8). The name of the class is the word in ``do``."""


class Draw(Primitive, frozen=True, tag="draw"):
    who: Who
    n: Cards30


class Discard(Primitive, frozen=True, tag="discard"):
    who: Who
    n: Cards30
    choose: Literal["owner", "random"]


class Mill(Primitive, frozen=True, tag="mill"):
    who: Who
    n: Cards30


class Recover(Primitive, frozen=True, tag="recover"):
    min: UpTo30
    max: Cards30
    to: Literal["hand", "deck_bottom"]
    filter: CardFilter = CardFilter()

    def __post_init__(self) -> None:
        check_order(self.min, self.max)


class Scry(Primitive, frozen=True, tag="scry"):
    n: Cards30


class Search(Primitive, frozen=True, tag="search"):
    filter: CardFilter = CardFilter()


class Peek(Primitive, frozen=True, tag="peek"):
    """``n`` counts cards of ``deck_top``; a hand is shown whole."""

    what: Literal["hand", "deck_top"]
    n: Cards30 | None = None

    def __post_init__(self) -> None:
        if (self.what == "deck_top") != (self.n is not None):
            raise ValueError("`n` belongs to `deck_top`, and only there")


class Move(Primitive, frozen=True, tag="move"):
    target: Target
    to: Literal["choose", "here", "book", "drop", "fire", "heart", "prayer"]


class FlipDown(Primitive, frozen=True, tag="flip_down"):
    target: Target


class FlipUp(Primitive, frozen=True, tag="flip_up"):
    target: Target


class ReturnHand(Primitive, frozen=True, tag="return_hand"):
    target: Target


class ReturnBottom(Primitive, frozen=True, tag="return_bottom"):
    target: Target


class DiscardCard(Primitive, frozen=True, tag="discard_card"):
    target: Target


class SwitchSide(Primitive, frozen=True, tag="switch_side"):
    target: Target


class Put(Primitive, frozen=True, tag="put", rename={"source": "from"}):
    source: Literal["hand", "discard", "deck_top"]
    face: Literal["up", "down"]
    filter: CardFilter = CardFilter()

    def __post_init__(self) -> None:
        if self.filter.kind == "deed":
            raise ValueError("only saints can be put into play")


class Silence(Primitive, frozen=True, tag="silence"):
    target: Target
    duration: Duration


class Boost(Primitive, frozen=True, tag="boost"):
    target: Target
    n: Bonus
    duration: Duration


class ExtraPlay(Primitive, frozen=True, tag="extra_play"):
    n: Annotated[int, Meta(ge=1, le=9)]


class If(Primitive, frozen=True, tag="if", rename={"otherwise": "else"}):
    cond: Condition
    then: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=12)]
    otherwise: Annotated[tuple[Effect, ...], Meta(max_length=12)] = ()


class ChooseOne(Primitive, frozen=True, tag="choose_one"):
    options: Annotated[
        tuple[Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=12)], ...], Meta(min_length=2, max_length=6)
    ]
    by: Who


class Repeat(Primitive, frozen=True, tag="repeat"):
    """ "Up to ``times`` times", asked before every round (DI-6.9)."""

    times: Annotated[int, Meta(ge=1, le=9)]
    effect: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=12)]


Targeted: TypeAlias = Move | FlipDown | FlipUp | ReturnHand | ReturnBottom | DiscardCard | SwitchSide | Silence | Boost
"""The primitives that treat cards on the board; each has ``target``."""

Effect: TypeAlias = (
    Draw | Discard | Mill | Recover | Scry | Search | Peek | Move | FlipDown | FlipUp | ReturnHand | ReturnBottom
    | DiscardCard | SwitchSide | Put | Silence | Boost | ExtraPlay | If | ChooseOne | Repeat
)  # fmt: skip


class SymbolBonus(Word, frozen=True, tag_field="do", tag="symbol_bonus"):
    scope: Scope
    n: Bonus


class Protect(Word, frozen=True, tag_field="do", tag="protect", rename={"shields": "from"}):
    scope: Scope
    shields: Annotated[tuple[Shield, ...], Meta(min_length=1, max_length=9)]


class Forbid(Word, frozen=True, tag_field="do", tag="forbid"):
    who: Who
    what: Literal["play_saint", "react", "move_action", "flip_action"]
    column: Literal["any", "here"] = "any"

    def __post_init__(self) -> None:
        if self.what == "react" and self.column != "any":  # DI-6.14
            raise ValueError("`react` is forbidden everywhere or not at all")


Modifier: TypeAlias = SymbolBonus | Protect | Forbid
"""Static modifiers (DI-6.14)."""


class Ability(Word, frozen=True):
    """One ability (DI-6.1): effects that run when ``trigger`` fires, or modifiers that hold while it lies open."""

    trigger: Trigger
    filter: EventFilter | None = None
    when: Condition | None = None
    optional: bool = False
    effect: Annotated[tuple[Effect, ...], Meta(max_length=12)] = ()
    static: Annotated[tuple[Modifier, ...], Meta(max_length=6)] = ()


def effects_in(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Walk through effects and all that are nested in them, in printed order."""
    for effect in effects:
        yield effect
        match effect:
            case If(then=then, otherwise=otherwise):
                yield from effects_in((*then, *otherwise))
            case ChooseOne(options=options):
                yield from effects_in(inner for option in options for inner in option)
            case Repeat(effect=inner):
                yield from effects_in(inner)
