"""Words of the vocabulary that stand where they mean nothing (PA-6.1, PA-6.2, PA-6.6, PA-6.10).

Owns the tests of a card whose every field fits its type. Knows no file and no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.patron.cards import AnyCard, Event, Grace, Saint, effects_of, lists_of
from engines.patron.terms import CONTEST_ROLES, Condition, Filter, queries_in
from engines.patron.words import AnyOp, If, Lasting, Modifier, Remove, Static, branches_of

Found = tuple[str, str]


def senseless(card: AnyCard, traits: Iterable[str]) -> Iterator[Found]:
    """Give path and reason of everything on a card that cannot be meant."""
    yield from _unknown_traits(card, frozenset(traits))
    if isinstance(card, Event):
        for name in ("on_win", "on_fail"):
            yield from _in_list(getattr(card, name), name, contest=True)
        return
    for at, effect in enumerate(effects_of(card)):
        path = f"effects[{at}]"
        if isinstance(card, Grace) and effect.where != "any":
            yield f"{path}.where", "only saints have a place"
        yield from _in_condition(effect.cond, f"{path}.cond", contest=False)
        if isinstance(effect, Static):
            yield from _in_static(effect, path)
        else:
            yield from _in_list(effect.do, f"{path}.do", contest=False)
    if isinstance(card, Saint):
        for at, milestone in enumerate(card.milestones):
            yield from _in_condition(milestone.state, f"milestones[{at}].state", contest=False)


def _in_static(effect: Static, path: str) -> Iterator[Found]:
    if effect.hold.duration is not None:
        yield f"{path}.duration", "a static has no duration"
    if effect.hold.who in CONTEST_ROLES:
        yield f"{path}.who", f"`{effect.hold.who}` is known in the lists of events only"
    if isinstance(effect.hold, Modifier) and any(query.q == "modifier" for query in queries_in(effect.cond)):
        yield f"{path}.cond", "a `modifier` static may not depend on the query `modifier`"


def _in_list(ops: Iterable[AnyOp], path: str, *, contest: bool) -> Iterator[Found]:
    for at, op in enumerate(ops):
        here = f"{path}[{at}]"
        yield from _in_op(op, here, contest)
        for branch in branches_of(op):
            yield from _in_list(branch, here, contest=contest)


def _in_op(op: AnyOp, path: str, contest: bool) -> Iterator[Found]:
    named = [op.who, op.chooser if isinstance(op, Remove) else None]
    if not contest and (bad := next((who for who in named if who in CONTEST_ROLES), None)):
        yield f"{path}.who", f"`{bad}` is known in the lists of events only"
    if isinstance(op, Lasting) and op.duration is None:
        yield f"{path}.duration", "an ongoing operation in a list has a duration"
    if isinstance(op, If):
        yield from _in_condition(op.cond, f"{path}.cond", contest=contest)


def _in_condition(condition: Condition | None, path: str, *, contest: bool) -> Iterator[Found]:
    for query in queries_in(condition):
        if not contest and query.who in CONTEST_ROLES:
            yield f"{path}.who", f"`{query.who}` is known in the lists of events only"


def _unknown_traits(card: AnyCard, traits: frozenset[str]) -> Iterator[Found]:
    """Find traits that the pack's head does not list (PA-10.1)."""
    own = card.traits if isinstance(card, Saint) else ()
    for trait in own:
        if trait not in traits:
            yield "traits", f"the pack lists no trait `{trait[:40]}`"
    for wanted in _filters(card):
        if wanted.trait is not None and wanted.trait not in traits:
            yield "filter.trait", f"the pack lists no trait `{wanted.trait[:40]}`"


def _filters(card: AnyCard) -> Iterator[Filter]:
    for op in lists_of(card):
        if (wanted := getattr(op, "filter", None)) is not None:
            yield wanted
        if isinstance(op, If):
            yield from _filters_of(op.cond)
    for effect in effects_of(card):
        yield from _filters_of(effect.cond)
    for milestone in card.milestones if isinstance(card, Saint) else ():
        yield from _filters_of(milestone.state)
        parts = (milestone.graces, milestone.discard, milestone.progress)
        yield from (part.filter for part in parts if part is not None and part.filter is not None)


def _filters_of(condition: Condition | None) -> Iterator[Filter]:
    return (query.filter for query in queries_in(condition) if query.filter is not None)
