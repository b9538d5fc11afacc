"""What may be wrong with a single word of a pack: numbers and fields that do not go together (SA-7.15 to SA-7.17).

Owns faults of effects, abilities, conditions and scores, each at its field. Knows no tile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.rules import Fault
from engines.sanctuary.words import (
    WITH_ICON,
    WITH_VARIETY,
    Ability,
    Condition,
    Count,
    Discount,
    Draw,
    Effect,
    Gain,
    OnOpenArea,
    OpenArea,
    Pouch,
    Reveal,
    Score,
    Simple,
    Take,
)  # fmt: skip


def number_fault(where: str, value: int | None, least: int = 1) -> Iterator[Fault]:
    if value is not None and value < least:  # SA-7.16
        yield Fault("pack_number", where, f"{value} is less than {least}")


def word_faults(word: Any) -> Iterator[Fault]:
    """Check the number of an effect, if it is counted."""
    n = getattr(word, "n", None)
    if isinstance(n, Count):
        yield from count_faults("n.", n)


def count_faults(at: str, word: Count | Condition | Simple | Score) -> Iterator[Fault]:
    """Check that a count has the parameters that it needs, and no others."""
    for field, takers in (("icon", WITH_ICON), ("of", WITH_VARIETY)):
        given = getattr(word, field) is not None
        if given and word.count not in takers:
            yield Fault("pack_unknown_field", f"{at}{field}", f"`{word.count}` takes no `{field}`")  # SA-7.2
        if not given and word.count in takers:
            yield Fault("pack_missing_field", f"{at}{field}", f"`{word.count}` needs `{field}`")  # SA-7.4
    if isinstance(word, (Count, Score)):
        yield from number_fault(f"{at}cap", word.cap)


def effect_faults(effect: Effect, *, covers: bool) -> Iterator[Fault]:
    """List what is wrong with an effect. ``covers``: its tile is a release."""
    match effect:
        case Gain():
            yield from _gain_faults(effect, covers)
        case Pouch():
            yield from number_fault("max", effect.max)
        case Reveal():
            yield from number_fault("n", effect.n)
            yield from number_fault("keep", effect.keep)
            if effect.keep > effect.n:
                yield Fault("pack_number", "keep", "no more can be kept than are turned up")
        case Draw(n=int(n)) | Take(n=n) | OpenArea(n=n):
            yield from number_fault("n", n)
        case _:
            pass


def _gain_faults(gain: Gain, covers: bool) -> Iterator[Fault]:
    if gain.by_size is None:
        if gain.n is None:
            yield Fault("pack_missing_field", "n", "`gain` needs `n`, or `by_size`")
        elif isinstance(gain.n, int):
            yield from number_fault("n", gain.n)
        return
    if not covers:  # SA-7.15
        yield Fault("pack_by_size", "by_size", "only a tile with `cover` can tell the size of what it covers")
    if gain.by_size.small is None or gain.by_size.large is None:
        yield Fault("pack_by_size", "by_size", "both sizes are needed")
    if gain.n is not None:
        yield Fault("pack_by_size", "n", "`n` and `by_size` do not go together")
    yield from number_fault("by_size.small", gain.by_size.small)
    yield from number_fault("by_size.large", gain.by_size.large)


def ability_faults(ability: Ability) -> Iterator[Fault]:
    if isinstance(ability, Discount):
        yield from number_fault("amount", ability.amount)
        return
    for at, effect in enumerate(ability.effects):
        for fault in [*effect_faults(effect, covers=False), *word_faults(effect)]:
            yield Fault(fault.code, f"effects[{at}].{fault.where}", fault.text)
        if isinstance(ability, OnOpenArea) and isinstance(effect, OpenArea):  # SA-7.17
            yield Fault("pack_ability_loop", f"effects[{at}]", "an open area would bring another one for ever")


def condition_faults(condition: Condition | Simple) -> Iterator[Fault]:
    """Check that a condition is one of its three forms (SA-6.41)."""
    forms = [condition.count is not None, condition.on_river is not None]
    alternatives = condition.any_of if isinstance(condition, Condition) else None
    if sum(forms) + (alternatives is not None) != 1:
        yield Fault("pack_missing_field", "count", "a condition is a count with `min`, `on_river`, or `any_of`")
        return
    if alternatives is not None:
        for at, one in enumerate(alternatives):
            for fault in condition_faults(one):
                yield Fault(fault.code, f"any_of[{at}].{fault.where}", fault.text)
        if not alternatives:
            yield Fault("pack_missing_field", "any_of", "there is no alternative")
    if condition.on_river is False:
        yield Fault("pack_unknown_word", "on_river", "`on_river` can only be true")
    if condition.count is None:
        return
    yield from count_faults("", condition)
    if condition.min is None:
        yield Fault("pack_missing_field", "min", "a count needs `min`")
    yield from number_fault("min", condition.min)


def score_faults(score: Score) -> Iterator[Fault]:
    """Check that a score is one of its two forms (SA-6.42)."""
    counted = score.each is not None or score.count is not None
    if counted == (score.points is not None):
        yield Fault("pack_missing_field", "points", "a score is `points`, or `each` with `count`")
        return
    yield from number_fault("points", score.points, 0)
    if not counted:
        if score.cap is not None:
            yield Fault("pack_unknown_field", "cap", "fixed points take no `cap`")
        return
    for field in ("each", "count"):
        if getattr(score, field) is None:
            yield Fault("pack_missing_field", field, "`each` and `count` go together")
    yield from number_fault("each", score.each)
    yield from count_faults("", score)
