"""A check: two dice and a modifier against a number (PA-4.22, PA-4.23), and the intercession roll (PA-4.8).

Owns dice, and what everybody is told of them so that it can be checked. Knows no phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engines.patron.asking import About, ask
from engines.patron.cards import Event
from engines.patron.lasting import end_used
from engines.patron.progress import note
from engines.patron.state import Game, Ongoing, cards_of
from engines.patron.statics import CAP, Frame, Part, counts_for, in_force, modifier, modifier_parts, seats_of
from engines.patron.terms import DiceRule, Reason, Virtue
from engines.patron.words import Dice, Intercession, Modifier, Number
from engines.rules import Flow, pick

LEAST_NUMBER = 2  # PA-4.22


class Trial(Struct, frozen=True):
    """What is to be overcome: one of ``virtues`` against ``number``. ``event``: the one that is contested."""

    reason: Reason
    virtues: Sequence[Virtue]
    number: int
    event: Event | None = None


class Rolled(Struct, frozen=True):
    success: bool
    total: int


def check(table: Game, frame: Frame, seat: int, trial: Trial) -> Flow[Rolled]:
    """Make a check (PA-4.22)."""
    virtue = yield from _choose_virtue(table, frame, seat, trial)
    dice_rules = _dice_rules(table, seat, "check")
    thrown = _roll(table, [*_own_dice(trial), *(effect.rule for effect, _ in dice_rules)])
    parts = [*modifier_parts(cards_of(table), table.state, seat, virtue), *_bonus(table, frame, seat, trial)]
    changes = [
        (part, lasting)
        for effect, part, lasting in in_force(cards_of(table), table.state, seat, Number)
        if effect.on in ("any", trial.reason)
    ]
    rolled = _tell(table, frame, seat, trial, virtue, thrown, parts, [part for part, _ in changes])
    used = [lasting for _, lasting in dice_rules] + [lasting for _, lasting in changes]
    end_used(table, used + _used_modifiers(table, seat, virtue))
    if rolled.success:
        note(table, seat, "check_passed", virtue=virtue)
    return rolled


def _choose_virtue(table: Game, frame: Frame, seat: int, trial: Trial) -> Flow[Virtue]:
    """Choose one of several virtues before rolling; silence takes the strongest (PA-4.22(1), PA-5.5)."""
    virtues = list(dict.fromkeys(trial.virtues))
    if len(virtues) == 1:
        return virtues[0]
    cards, state = cards_of(table), table.state
    best = max(range(len(virtues)), key=lambda at: modifier(cards, state, seat, virtues[at]))
    acts = [{"do": "virtue", "virtue": virtue} for virtue in virtues]
    told = about(frame) | {"reason": trial.reason, "number": trial.number, "candidates": acts, "min": 1, "max": 1}
    (answer,) = yield from ask(table, pick(seat, "virtue", acts, default=(best,), rule="PA-4.22", about=told))
    chosen: Virtue = answer["virtue"]
    return chosen


def about(frame: Frame) -> About:
    """Name the card for which a question is asked."""
    return {"source": {"id": frame.id, "card": frame.key}}


def _own_dice(trial: Trial) -> list[DiceRule]:
    """Give the dice that the event prints (PA-10.2 ``dice``)."""
    printed: dict[int, list[DiceRule]] = {1: ["one"], 3: ["three"]}
    return printed.get(trial.event.dice, []) if trial.event else []


def _dice_rules(table: Game, seat: int, on: str) -> list[tuple[Dice, Ongoing | None]]:
    found = in_force(cards_of(table), table.state, seat, Dice)
    return [(effect, lasting) for effect, _, lasting in found if effect.on == on]


def resolve_dice(rules: Sequence[DiceRule]) -> tuple[int, str]:
    """Say how many dice are rolled and which count: ``all``, ``high`` or ``low`` two (PA-4.22(2))."""
    one, three = "one" in rules, "three" in rules
    if one != three:  # both together cancel each other
        return (1 if one else 3), "all"
    lean = rules.count("advantage") - rules.count("disadvantage")
    return (2, "all") if lean == 0 else (3, "high" if lean > 0 else "low")


def _roll(table: Game, rules: Sequence[DiceRule]) -> dict[str, Any]:
    """Roll; tell all dice in order, by which rule they count, and those that do."""
    count, keep = resolve_dice(rules)
    dice = [table.chance.die("die") for _ in range(count)]
    kept = dice if keep == "all" else sorted(dice, reverse=keep == "high")[:2]
    return {"dice": dice, "keep": keep, "kept": kept}


def _bonus(table: Game, frame: Frame, seat: int, trial: Trial) -> list[Part]:
    """Give the contested event's bonus if it is for this seat; without a patron nothing counts (PA-4.23(e))."""
    event, state = trial.event, table.state
    if event is None or event.bonus is None or not state.sides[seat].in_play:
        return []
    mine = seat in seats_of(state, frame, event.bonus.who)
    return [Part("event", event.id, event.bonus.n)] if mine else []


def _used_modifiers(table: Game, seat: int, virtue: Virtue) -> list[Ongoing | None]:
    """Give the lasting modifiers that counted in this check (PA-6.8)."""
    if not table.state.sides[seat].in_play:
        return []
    found = in_force(cards_of(table), table.state, seat, Modifier)
    return [lasting for effect, _, lasting in found if counts_for(effect, virtue)]


def _tell(
    table: Game, frame: Frame, seat: int, trial: Trial, virtue: Virtue, thrown: dict[str, Any],
    parts: Sequence[Part], changes: Sequence[Part],
) -> Rolled:  # fmt: skip
    """Add up, and tell every addend, so that anybody can check the sum (PA-5.7 ``check_rolled``)."""
    total_modifier = sum(part.n for part in parts)
    capped = min(CAP, total_modifier)  # PA-4.23, PA-9.14
    number = max(LEAST_NUMBER, trial.number + sum(part.n for part in changes))  # PA-4.22(4)
    total = sum(thrown["kept"]) + capped
    rule = table.match.options.overcome_rule
    success = total >= number if rule == "reach" else total > number  # PA-9.12
    told: dict[str, Any] = {
        "seat": seat, "reason": trial.reason, "card": about(frame)["source"], "virtue": virtue, **thrown,
        "parts": msgspec.to_builtins(parts), "modifier_sum": total_modifier, "cap": CAP,
        "modifier": capped, "total": total, "printed": trial.number, "number_parts": msgspec.to_builtins(changes),
        "number": number, "rule": rule, "success": success,
    }  # fmt: skip
    table.state.last_check = told
    table.emit("check_rolled", **told)
    return Rolled(success, total)


def roll_intercession(table: Game) -> None:
    """Roll for the points of this phase: dice, stored points and what is in force, at least 0 (PA-4.8, PA-6.7)."""
    state = table.state
    seat = state.active
    dice_rules = _dice_rules(table, seat, "intercession")
    thrown = _roll(table, [effect.rule for effect, _ in dice_rules])
    changes = list(in_force(cards_of(table), state, seat, Intercession))
    bonus = sum(part.n for _, part, _ in changes)
    stored = state.sides[seat].stored
    state.pool = max(0, sum(thrown["kept"]) + stored + bonus)
    table.emit(
        "intercession_rolled", seat=seat, **thrown, stored=stored, bonus=bonus,
        parts=msgspec.to_builtins([part for _, part, _ in changes]), pool=state.pool,
    )  # fmt: skip
    end_used(table, [lasting for _, lasting in dice_rules] + [lasting for _, _, lasting in changes])
