"""What things are worth to the bot: cards, effects, blows. In points of its own; a knight destroyed is worth 300.

Sees one seat's zones and printed cards only. Knows no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engines.knights.cards import Blow, Card
from engines.knights.pack import printed
from engines.knights.words import (
    ChangePc,
    ChangePvd,
    ChooseOne,
    Coin,
    Cure,
    Damage,
    Destroy,
    Draw,
    Effect,
    Effects,
    Heal,
    If,
    Inflict,
    Modify,
    MoveCards,
    Ready,
    Remove,
    Restrict,
)

Zones = Mapping[str, Any]
Shown = Mapping[str, Any]

KILL, LIFE = 300, 500
STATES = {"env": 14, "par": 40, "cng": 70, "qmd": 14, "nse": 40, "pos": 90}
ROOMY = 7


class Eyes:
    """One seat's look at the table."""

    def __init__(self, seat: int, zones: Zones) -> None:
        self.seat = seat
        self.zones = zones
        self.mine = list(self._side(seat))
        self.theirs = list(self._side(1 - seat))
        self.plus = 1 if zones["options"]["acn_rule"] == "plus1" else 0

    def _side(self, seat: int) -> Iterator[Shown]:
        yield from (space for space in self.zones["knights"][str(seat)] if space is not None and "pv" in space)

    def knight(self, seat: int, slot: int) -> Shown | None:
        space: Shown | None = self.zones["knights"][str(seat)][slot - 1]
        return space if space is not None and "pv" in space else None

    def blow(self, attacker: Shown, target: Shown, blow: Blow | None = None) -> int:
        """Estimate what an attack takes, evasion counted as it comes out on average."""
        if blow is not None and blow.fixed is not None:
            raw = blow.fixed
        else:
            armor = 0 if blow is not None and blow.ignore_armor else target["ar"]
            bonus = self.plus if blow is None else blow.bonus or 0
            raw = max(self.plus, attacker["ce"] + bonus - armor)
        if target["stance"] == "defend" and "pierce_defend" not in attacker["keywords"]:
            return raw - (raw + 2) // 4
        if target["stance"] == "evade" and blow is None and "pierce_evade" not in attacker["keywords"]:
            return (raw + int(self.zones["options"]["evade_bonus"])) // 2
        return raw

    def hit(self, loss: int, target: Shown) -> int:
        """Value a loss of Pv: destroying comes first, then as much as possible of a strong knight."""
        if loss >= target["pv"]:
            return KILL + int(target["ce"])
        return 10 * loss + 20 * loss // int(target["pv"])

    def effects(self, effects: Effects) -> int:
        """Value what effects do, as far as a glance tells."""
        return sum(self._effect(effect) for effect in effects)

    def _effect(self, op: Effect) -> int:
        match op:
            case Coin():
                return (self.effects(op.heads) + self.effects(op.tails)) // 2
            case If():
                return max(self.effects(op.then), self.effects(op.otherwise))
            case ChooseOne():
                return max(self.effects(branch.effects) for branch in op.options)
            case _:
                value = VALUES.get(type(op))
                return 4 if value is None else value(self, op)

    def card(self, key: str) -> int:
        """Value a card that is not in play: what it could do for this seat."""
        card = printed(key)
        if card is None:
            return 10
        if card.kind == "knight":
            return 20 + card.ce + card.pv // 2 if len(self.mine) < 4 else 8
        if card.kind == "technique":
            return 30 if any(may_use(card, knight["card"]) for knight in self.mine) else 9
        return {"occasion": 15, "object": 14, "helper": 10, "scenario": 7}.get(card.kind, 0)


def may_use(card: Card, key: str) -> bool:
    """Say whether a knight is, by what is printed, a user of a technique."""
    knight, users = printed(key), card.users
    if knight is None or users is None:
        return False
    wanted = users.filter
    listed = key in users.cards
    if wanted is None or listed:
        return listed
    tests = ((wanted.rank, knight.rank), (wanted.reference, knight.reference))
    return all(names is None or name in (names if isinstance(names, tuple) else (names,)) for names, name in tests)


def _number(n: Any) -> int:
    return n if isinstance(n, int) else 2


def _damage(eyes: Eyes, op: Damage) -> int:
    return max((eyes.hit(_number(op.n), knight) for knight in eyes.theirs), default=0)


def _heal(eyes: Eyes, op: Heal) -> int:
    return 5 * min(_number(op.n), max((knight["max_pv"] - knight["pv"] for knight in eyes.mine), default=0))


def _modify(eyes: Eyes, op: Modify) -> int:
    value = _number(op.n) * (14 if op.duration == "permanent" else 6)
    return value if eyes.mine else 0


def _inflict(eyes: Eyes, op: Inflict) -> int:
    return STATES[op.state] if any(op.state not in knight["states"] for knight in eyes.theirs) else 0


def _draw(eyes: Eyes, op: Draw) -> int:
    held = eyes.zones["hand"][str(eyes.seat)]["count"]
    return (14 if held < ROOMY else 1) * _number(op.n) * (1 if op.who == "me" else -1)


def _move(eyes: Eyes, op: MoveCards) -> int:
    if op.to == "field":
        return 120
    if op.to == "hand":
        return 20
    return 14 if op.who == "foe" and op.source == "hand" else 3


def _destroy(eyes: Eyes, op: Destroy) -> int:
    zone = getattr(op.target, "zone", "knight")
    if zone == "knight":
        return KILL if eyes.theirs else 0
    row = eyes.zones[zone][str(1 - eyes.seat)] if zone != "scenario" else eyes.zones[zone]
    return 25 if (any(row) if isinstance(row, list) else row) else 0


def _remove(eyes: Eyes, op: Remove) -> int:
    return 60 if eyes.theirs else 0


def _cure(eyes: Eyes, op: Cure) -> int:
    return 12 if any(knight["states"] for knight in eyes.mine) else 0


def _ready(eyes: Eyes, op: Ready) -> int:
    return 60 if any(knight["acted"] for knight in eyes.mine) else 0


VALUES: dict[type[Any], Callable[[Eyes, Any], int]] = {
    Damage: _damage,
    Heal: _heal,
    Modify: _modify,
    Inflict: _inflict,
    Draw: _draw,
    MoveCards: _move,
    Destroy: _destroy,
    Remove: _remove,
    Cure: _cure,
    Ready: _ready,
    ChangePvd: lambda eyes, op: LIFE * _number(op.n) * (1 if op.who == "me" else -1),
    ChangePc: lambda eyes, op: 4 * _number(op.n) if eyes.mine else 0,
    Restrict: lambda eyes, op: 14 if op.who == "foe" else -14,
}
