"""How good a position looks to a seat: symbols that count, and what a change of them is worth.

Owns numbers for the bot, made from a seat's zones alone. Knows no state and no hidden card; an opinion, no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engines.disciple.pack import printed
from engines.disciple.terms import VIRTUES, Scope
from engines.disciple.words import (
    Boost,
    ChooseOne,
    Discard,
    Draw,
    Effect,
    ExtraPlay,
    FlipDown,
    FlipUp,
    If,
    Mill,
    Move,
    Peek,
    Put,
    Recover,
    Repeat,
    Scry,
    Search,
    Silence,
    SwitchSide,
    Targeted,
)

GOAL, COLUMNS = 7, 3
SYMBOL, SPARE_SYMBOL, COLUMN, VICTORY = 10, 2, 15, 1000
CARD, DISCARDED, MILLED, SILENCED, LOOK = 8, 6, 1, 3, 2


class Lying(NamedTuple):
    """A card on the board as everybody sees it."""

    id: str
    key: str
    side: int
    column: str
    up: bool


class Change(NamedTuple):
    """What happens to the count of one column on one side."""

    side: int
    column: str
    by: int


class Outlook:
    """A position as one seat judges it. ``board``: all cards on it by id."""

    def __init__(self, seat: int, zones: Mapping[str, Any]) -> None:
        self.seat = seat
        self.zones = zones
        self.counts: dict[int, dict[str, int]] = {side: zones["symbols"][str(side)] for side in (0, 1)}
        self.board = {
            card["id"]: Lying(card["id"], card["card"], side, column, card["face"] == "up")
            for column in VIRTUES
            for side in (0, 1)
            for card in zones[column][str(side)]
        }

    def gain(self, changes: Iterable[Change]) -> int:
        """Say how much better the seat stands against its opponent after changes of counts."""
        after = {side: dict(counts) for side, counts in self.counts.items()}
        for change in changes:
            after[change.side][change.column] += change.by
        return self._lead(after) - self._lead(self.counts)

    def symbols(self, key: str, column: str) -> int:
        """Count the printed symbols of a virtue on a card of the match's pack."""
        return int(self.zones["cards"][key]["symbols"].count(column))

    def laid(self, key: str, column: str) -> int:
        """Value a saint that comes face up into an own column."""
        return self.gain([Change(self.seat, column, self.symbols(key, column))])

    def use(self, key: str) -> int:
        """Value a card to hold: the best that can be done with it now."""
        best = max((self.laid(key, column) for column in set(self.zones["cards"][key]["symbols"])), default=0)
        return best + self.abilities(key, "enter", "play")

    def abilities(self, key: str, *triggers: str) -> int:
        """Value what a card's abilities of some triggers would do."""
        card = printed(key)
        found = [ability for ability in card.abilities if ability.trigger in triggers] if card else []
        return sum(self.worth(ability.effect, None) for ability in found)

    def worth(self, effects: Iterable[Effect], source: Lying | None) -> int:
        """Value effects for the seat, as if it controlled them. ``source``: their card, if it is on the board."""
        return sum(self._worth(effect, source) for effect in effects)

    def treated(self, effect: Targeted, card: Lying) -> int:
        """Value what an effect does to one card."""
        if isinstance(effect, Silence):
            return SILENCED if card.side != self.seat else -SILENCED
        return self.gain(_changes(effect, card, self.symbols(card.key, card.column)))

    def moved(self, card: Lying, column: str) -> int:
        """Value a move of a card to another column of its side."""
        leaves = self.symbols(card.key, card.column) if card.up else 1
        brings = self.symbols(card.key, column) if card.up else 1
        return self.gain([Change(card.side, card.column, -leaves), Change(card.side, column, brings)])

    def _lead(self, counts: Mapping[int, Mapping[str, int]]) -> int:
        return _standing(counts[self.seat]) - _standing(counts[1 - self.seat])

    def _worth(self, effect: Effect, source: Lying | None) -> int:
        match effect:
            case Draw(who=who, n=n):
                return _for(who, CARD * n)
            case Discard(who=who, n=n):
                return -_for(who, DISCARDED * n)
            case Mill(who=who, n=n):
                return -_for(who, MILLED * n)
            case If(then=then):
                return self.worth(then, source) // 2
            case ChooseOne(options=options, by=by):
                return (max if by == "own" else min)(self.worth(option, source) for option in options)
            case Repeat(times=times, effect=inner):
                return times * max(0, self.worth(inner, source))
            case Recover() | Search() | ExtraPlay() | Put():
                return CARD
            case Scry() | Peek():
                return LOOK
            case _:
                return self._aimed(effect, source)

    def _aimed(self, effect: Targeted, source: Lying | None) -> int:
        """Value an effect on the cards that its controller would choose."""
        target = effect.target
        if isinstance(effect, Move) or target.pick in ("event", "same"):
            return LOOK
        if target.pick == "self":
            return self.treated(effect, source) if source else 0
        found = [self.treated(effect, card) for card in self.board.values() if self._fits(target, card, source)]
        if target.pick == "all":
            return sum(found)
        ranked = sorted(found, reverse=True)[: target.max]
        return sum(value for at, value in enumerate(ranked) if at < target.min or value > 0)

    def _fits(self, scope: Scope, card: Lying, source: Lying | None) -> bool:
        here = source.column if source else scope.column
        return (
            (scope.side == "any" or (scope.side == "own") == (card.side == self.seat))
            and (scope.face == "any" or (scope.face == "saint") == card.up)
            and (scope.column == "any" or card.column == (here if scope.column == "here" else scope.column))
            and not (scope.other and card == source)
        )


def _standing(counts: Mapping[str, int]) -> int:
    """Value the counts of one side: the three fullest columns matter most, up to seven symbols each."""
    capped = sorted((min(GOAL, count) for count in counts.values()), reverse=True)
    complete = sum(count == GOAL for count in capped)
    won = VICTORY if complete >= COLUMNS else 0
    return SYMBOL * sum(capped[:COLUMNS]) + SPARE_SYMBOL * sum(capped[COLUMNS:]) + COLUMN * complete + won


def _changes(effect: Targeted, card: Lying, symbols: int) -> list[Change]:
    """Say how counts change when an effect treats a card; ``symbols``: those that it has face up there."""
    value = symbols if card.up else 1
    side, column = card.side, card.column
    match effect:
        case FlipDown():
            return [Change(side, column, 1 - value)]
        case FlipUp():
            return [Change(side, column, symbols - value)]
        case SwitchSide():
            return [Change(side, column, -value), Change(1 - side, column, value)]
        case Boost(n=n):
            return [Change(side, column, n)]
        case Move() | Silence():
            return []
        case _:
            return [Change(side, column, -value)]


def _for(who: str, value: int) -> int:
    return value if who == "own" else -value
