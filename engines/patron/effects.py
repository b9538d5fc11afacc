"""Carry out what a card says: its operations in order, and the control structures between them (PA-6.2 to PA-6.5).

Owns who does what and which list is next. The single operations are done elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engines.patron import deck_ops, lasting, simple_ops, table_ops
from engines.patron.asking import ask, choose, naming
from engines.patron.cards import effects_of
from engines.patron.checking import Trial, about, check
from engines.patron.state import Game, cards_of
from engines.patron.statics import Frame, holds, seats_of
from engines.patron.words import (
    AnyOp,
    Check,
    Choose,
    Discard,
    Draw,
    If,
    Lasting,
    Look,
    Mill,
    Pay,
    Peek,
    PutSaint,
    Recover,
    Refresh,
    Remove,
    Search,
    SetFriend,
    Store,
    Tokens,
    Triggered,
)
from engines.patron.zones import into_discard, tell_move
from engines.rules import Act, Flow, pick

AT_ONCE: dict[type[Any], Callable[[Game, Frame, int, Any], None]] = {
    Tokens: simple_ops.tokens,
    Store: simple_ops.store,
    Mill: simple_ops.mill,
}
ASKING: dict[type[Any], Callable[[Game, Frame, int, Any], Flow[None]]] = {
    Draw: simple_ops.draw_cards,
    Discard: simple_ops.discard,
    Search: deck_ops.search,
    Look: deck_ops.look,
    Recover: deck_ops.recover,
    Peek: table_ops.peek,
    Remove: table_ops.remove,
    PutSaint: table_ops.put_saint,
    SetFriend: table_ops.set_friend,
    Refresh: table_ops.refresh,
}


def carry_out(table: Game, frame: Frame, ops: Iterable[AnyOp]) -> Flow[None]:
    """Do one operation after the other, each as much as it can, for everyone whom it names (PA-6.2, PA-6.4)."""
    for op in ops:
        for seat in seats_of(table.state, frame, op.who or "active"):
            table.spend()
            yield from _do(table, frame, seat, op)


def _do(table: Game, frame: Frame, seat: int, op: AnyOp) -> Flow[None]:
    if isinstance(op, Lasting):
        lasting.begin(table, frame, op, seat)
    elif type(op) in AT_ONCE:
        AT_ONCE[type(op)](table, frame, seat, op)
    elif type(op) in ASKING:
        yield from ASKING[type(op)](table, frame, seat, op)
    else:
        yield from _branch(table, frame, seat, op)


def _branch(table: Game, frame: Frame, seat: int, op: AnyOp) -> Flow[None]:
    """Find out which list is next; the controller stays the same in it."""
    match op:
        case If():
            holding = holds(cards_of(table), table.state, frame, op.cond)
            yield from carry_out(table, frame, op.then if holding else op.otherwise)
        case Choose():
            acts: list[Act] = [{"do": "option", "index": index} for index in range(len(op.options))]
            told = about(frame) | {"candidates": acts, "min": 1, "max": 1}
            (chosen,) = yield from ask(table, pick(seat, "option", acts, rule="PA-6.5", about=told))
            yield from carry_out(table, frame, op.options[chosen["index"]])
        case Check():
            rolled = yield from check(table, frame, seat, Trial("effect", op.virtues, op.number))
            yield from carry_out(table, frame, op.success if rolled.success else op.failure)
        case Pay():
            paid = yield from _pay(table, frame, seat, op)
            yield from carry_out(table, frame, op.then if paid else op.otherwise)


def _pay(table: Game, frame: Frame, seat: int, op: Pay) -> Flow[bool]:
    """Ask whoever can pay every part whether to: tokens first, then cards, then graces (PA-6.5 ``pay``)."""
    side, cost = table.state.sides[seat], op.cost
    have = ((cost.tokens, side.tokens), (cost.discard, len(side.hand)), (cost.graces, len(side.graces)))
    if any((part or 0) > there for part, there in have):
        return False
    acts: list[Act] = [{"do": "pay"}, {"do": "decline"}]
    told = about(frame) | {"candidates": acts, "min": 1, "max": 1}
    (answer,) = yield from ask(table, pick(seat, "pay", acts, default=(1,), rule="PA-6.5", about=told))
    if answer["do"] == "decline":
        return False
    if cost.tokens:
        simple_ops.change_tokens(table, seat, -cost.tokens)
    if cost.discard:
        yield from simple_ops.discard_some(table, frame, seat, list(side.hand), cost.discard, filtered=False)
    yield from _pay_graces(table, frame, seat, cost.graces or 0)
    return True


def _pay_graces(table: Game, frame: Frame, seat: int, count: int) -> Flow[None]:
    if not count:
        return
    side = table.state.sides[seat]
    graces = list(side.graces)
    acts = naming([table.state.cards[number].id for number in graces], "target")
    places = yield from choose(table, seat, "target", acts, count, count, "PA-6.5", about(frame))
    for place in places:
        side.graces.remove(graces[place])
        into_discard(table, graces[place])
        tell_move(table, graces[place], "graces", "discard", public=True)


def resolve_next(table: Game) -> Flow[None]:
    """Do the trigger that has waited longest, as an instruction of its own (PA-6.3)."""
    fired = table.state.queue.pop(0)
    effect = effects_of(cards_of(table)[fired.key])[fired.index]
    assert isinstance(effect, Triggered)  # nothing else fires
    table.emit("trigger_fired", seat=fired.controller, card={"id": fired.id, "card": fired.key}, effect=fired.index)
    yield from carry_out(table, Frame(fired.card, fired.key, fired.id, fired.controller), effect.do)
