"""English noun phrases and clauses for cards, targets, filters and conditions.

Owns how the rules text of a card names things. Knows no state.
"""

from __future__ import annotations

from typing import assert_never

from engines.disciple.conditions import (
    AllOf,
    AnyOf,
    ColumnCount,
    CompleteColumns,
    Condition,
    DeckCount,
    Did,
    DiscardCount,
    HandCount,
    InPlay,
    Not,
)
from engines.disciple.terms import CardFilter, EventFilter, Op, Scope, Target

NOUNS = {"any": ("card", "cards"), "saint": ("saint", "saints"), "disciple": ("disciple", "disciples")}
COUNTED: dict[Op, str] = {">=": "{n} or more", "<=": "{n} or fewer", "=": "exactly {n}"}
DENIED: dict[Op, str] = {">=": "fewer than {n}", "<=": "more than {n}", "=": "not exactly {n}"}


def column(place: str) -> str:
    """Name a column: "this column" or "the Fire column"."""
    return "this column" if place == "here" else f"the {place.title()} column"


def many(n: int, one: str, several: str) -> str:
    """Count things: "a card", "2 cards"."""
    return f"a {one}" if n == 1 else f"{n} {several}"


def of_event(wanted: EventFilter | None) -> tuple[str, str]:
    """Say what an event saint must be like and where it lies: (" with a Fire symbol", " in the Fire column")."""
    if wanted is None:
        return "", ""
    return _marks(wanted.symbol, wanted.tag), f" in {column(wanted.column)}" if wanted.column else ""


def of_cards(wanted: CardFilter, *, several: bool = False, saint: bool = False) -> str:
    """Name cards outside play without an article: "common saint with a Book symbol"."""
    noun = "saint" if saint else wanted.kind or "card"
    rarity = f"{wanted.rarity} " if wanted.rarity else ""
    return f"{rarity}{noun}{'s' if several else ''}{_marks(wanted.symbol, wanted.tag)}"


def of_scope(scope: Scope, *, lead: str = "all ") -> str:
    """Name all cards of a scope: "your disciples in this column". ``lead`` stands before cards of either side."""
    owner = {"any": lead, "own": "your ", "enemy": "opposing "}[scope.side]
    return f"{owner}{'other ' if scope.other else ''}{_noun(scope, True)}"


def of_target(target: Target, same: str) -> str:
    """Name what a primitive treats. ``same``: "it" or "them", whatever was treated last."""
    if target.pick in ("self", "event", "same"):
        pronoun = {"self": "this", "event": "it"}.get(target.pick, same)
        return pronoun + _provided(target)
    if target.pick == "all":
        return f"all {of_scope(target, lead='')}"
    return _chosen(target)


def is_several(target: Target) -> bool:
    """Say whether a target may be more than one card."""
    return target.pick == "all" or (target.pick == "choose" and target.max > 1)


def clause(condition: Condition, *, denied: bool = False) -> str:
    """Say a condition, or that it does not hold, to follow "if": "you have 2 or fewer cards in hand"."""
    match condition.test:
        case ColumnCount(side=side, column=place, op=op, n=n):
            return f"{_who_has(side)} {_counted(op, n, 'symbol', denied)} in {column(place)}"
        case HandCount(who=who, op=op, n=n):
            return f"{_who_has(who)} {_counted(op, n, 'card', denied)} in hand"
        case DeckCount(who=who, op=op, n=n):
            return f"{whose(who)} deck has {_counted(op, n, 'card', denied)}"
        case DiscardCount(who=who, op=op, n=n):
            return f"{whose(who)} discard pile has {_counted(op, n, 'card', denied)}"
        case CompleteColumns(who=who, op=op, n=n):
            return f"{_who_has(who)} {_counted(op, n, 'complete column', denied)}"
        case InPlay() as cards:
            return _in_play(cards, denied)
        case Did():
            return "you did not" if denied else "you did"
        case AllOf(parts=parts):
            return (" or " if denied else " and ").join(clause(part, denied=denied) for part in parts)
        case AnyOf(parts=parts):
            return (" and " if denied else " or ").join(clause(part, denied=denied) for part in parts)
        case Not(part=part):
            return clause(part, denied=not denied)
        case unknown:
            assert_never(unknown)


def whose(who: str) -> str:
    """Give the possessive of a seat as the controller sees it."""
    return "your" if who == "own" else "the opponent's"


def _who_has(who: str) -> str:
    return "you have" if who == "own" else "the opponent has"


def _counted(op: Op, n: int, thing: str, denied: bool) -> str:
    if (op, n) == (">=", 1):
        return f"no {thing}" if denied else f"at least one {thing}"
    word = (DENIED if denied else COUNTED)[op].format(n=n)
    return f"{word} {thing}{'' if n == 1 else 's'}"


def _in_play(cards: InPlay, denied: bool) -> str:
    who = {"any": "there are", "own": "you have", "enemy": "the opponent has"}[cards.side]
    thing = ("other " if cards.other else "") + ("card" if cards.face == "any" else cards.face)
    where = "in play" if cards.column == "any" else f"in {column(cards.column)}"
    return f"{who} {_counted(cards.op, cards.n, thing, denied)}{_marks(cards.symbol, cards.tag)} {where}"


def _marks(symbol: str | None, tag: str | None) -> str:
    return (f" with a {symbol.title()} symbol" if symbol else "") + (f" with the patronage {tag}" if tag else "")


def _noun(scope: Scope, several: bool) -> str:
    place = "" if scope.column == "any" else f" in {column(scope.column)}"
    return f"{NOUNS[scope.face][several]}{_marks(scope.symbol, scope.tag)}{place}"


def _chosen(target: Target) -> str:
    """Name cards that are chosen: "up to 2 of your cards", "one opposing card", "any other saint"."""
    other = "other " if target.other else ""
    if target.side == "any" and (target.min, target.max) == (1, 1):
        return f"any {other}{_noun(target, False)}"
    count = how_many(target.min, target.max)
    if target.side == "own":
        return f"{count} of your {other}{_noun(target, True)}"
    several = target.max > 1
    if target.side == "enemy":
        return f"{count} {other}opposing {_noun(target, several)}"
    return f"{count} {other}{_noun(target, several)} of either side"


def how_many(least: int, most: int) -> str:
    """Say how many are chosen: "one", "up to 2", "1 to 3"."""
    if least == 0:
        return f"up to {'one' if most == 1 else most}"
    return f"{least} to {most}" if least < most else "one" if most == 1 else str(most)


def _provided(target: Target) -> str:
    """Say what a card that is not chosen must be like to be treated: ", if it is a saint"."""
    facts = [
        {"any": "", "own": "is yours", "enemy": "is the opponent's"}[target.side],
        "" if target.face == "any" else f"is a {target.face}",
        "" if target.column == "any" else f"lies in {column(target.column)}",
        f"bears a {target.symbol.title()} symbol" if target.symbol else "",
        f"has patronage {target.tag}" if target.tag else "",
        "is another card" if target.other else "",
    ]
    given = [fact for fact in facts if fact]
    return f" (if it {' and '.join(given)})" if given else ""
