"""The ops on cards of the field: knights' values and states, support cards' faces, places.

KN-6.61 to KN-6.68, KN-6.72 to KN-6.75, KN-6.81 to KN-6.82.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engines.knights import changes
from engines.knights.bout import Bout
from engines.knights.changes import until
from engines.knights.choosing import choose_slot, targets
from engines.knights.conditions import Target
from engines.knights.piles import leave, place_of, turn_down, turn_up
from engines.knights.reading import Frame
from engines.knights.settling import settle, take_stance
from engines.knights.state import Modifier
from engines.knights.terms import STATES
from engines.knights.words import (
    ChangePc,
    Cure,
    Damage,
    Destroy,
    Grant,
    Heal,
    Inflict,
    Modify,
    MoveKnight,
    Ready,
    Remove,
    SetFace,
    SetStance,
)
from engines.rules import Flow


def _knights(bout: Bout, frame: Frame, target: Target | None) -> Flow[list[int]]:
    """Give the knights in play that an op is about."""
    found = yield from targets(bout, frame, target)
    return [number for number in found if bout.state.pieces[number].knight is not None]


def _modify(bout: Bout, frame: Frame, op: Modify) -> Flow[None]:
    """Add to a stat (KN-6.61)."""
    found = yield from _knights(bout, frame, op.target)
    n = bout.reading.amount(frame, op.n, signed=True)
    for number in found if n is not None else ():
        if (modifier := modifier_of(bout, frame, op, number, n or 0)) is not None:
            changes.add_modifier(bout, modifier)


def _grant(bout: Bout, frame: Frame, op: Grant) -> Flow[None]:
    """Give a keyword (KN-6.68, KN-6.90)."""
    found = yield from _knights(bout, frame, op.target)
    for number in found:
        if (modifier := modifier_of(bout, frame, op, number, 0)) is not None:
            changes.add_modifier(bout, modifier)


def modifier_of(bout: Bout, frame: Frame, op: Modify | Grant, number: int, n: int) -> Modifier | None:
    """Spell what an op puts on a knight; None if that is over at once (KN-6.20)."""
    lasting = until(bout, frame, op.duration)
    if lasting is None:
        return None
    kind, what = ("stat", op.stat) if isinstance(op, Modify) else ("keyword", op.keyword)
    states = op.states if isinstance(op, Grant) else ()
    spelled = msgspec.json.encode(op).decode() if lasting[0] == "while_source" else ""
    target = bout.state.mention(number)
    return Modifier(kind, what, n, states, target, frame.source, frame.seat, *lasting, spelled)  # type: ignore[arg-type]


def _damage(bout: Bout, frame: Frame, op: Damage) -> Flow[None]:
    """Take Pv off each target, all at once (KN-6.62)."""
    found = yield from _knights(bout, frame, op.target)
    n = bout.reading.amount(frame, op.n)
    if n is not None:
        changes.damage(bout, dict.fromkeys(found, n))


def _heal(bout: Bout, frame: Frame, op: Heal) -> Flow[None]:
    """Give Pv (KN-6.63)."""
    found = yield from _knights(bout, frame, op.target)
    n = bout.reading.amount(frame, op.n)
    for number in found if n is not None else ():
        changes.heal(bout, number, n or 0)


def _change_pc(bout: Bout, frame: Frame, op: ChangePc) -> Flow[None]:
    """Give or take cosmos (KN-6.64)."""
    found = yield from _knights(bout, frame, op.target)
    n = bout.reading.amount(frame, op.n, signed=True)
    for number in found if n is not None else ():
        changes.change_pc(bout, number, n or 0)


def _inflict(bout: Bout, frame: Frame, op: Inflict) -> Flow[None]:
    """Put into a bad state (KN-6.66)."""
    found = yield from _knights(bout, frame, op.target)
    for number in found:
        changes.inflict(bout, frame, number, op.state, op.turns)


def _cure(bout: Bout, frame: Frame, op: Cure) -> Flow[None]:
    """Take bad states away (KN-6.67)."""
    found = yield from _knights(bout, frame, op.target)
    for number in found:
        changes.cure(bout, number, STATES if op.states == "all" else op.states)


def _destroy(bout: Bout, frame: Frame, op: Destroy) -> Flow[None]:
    """Destroy knights, by the state check that follows; discard other cards (KN-6.72)."""
    found = yield from targets(bout, frame, op.target)
    for number in found:
        piece = bout.state.pieces[number]
        if piece.knight is not None:
            piece.knight.pv = 0
            bout.touch()
        elif piece.zone in ("support", "helper", "scenario"):
            leave(bout, number, "discard", "effect")
    settle(bout)


def _remove(bout: Bout, frame: Frame, op: Remove) -> Flow[None]:
    """Let cards of the field go to their owners' zones; nothing is destroyed (KN-6.73)."""
    found = yield from targets(bout, frame, op.target)
    for mention in [bout.state.mention(number) for number in found]:
        if bout.state.lies(mention):
            leave(bout, mention.card, op.to, "effect")


def _move_knight(bout: Bout, frame: Frame, op: MoveKnight) -> Flow[None]:
    """Move knights within their side (KN-4.32, KN-6.74)."""
    found = yield from _knights(bout, frame, op.target)
    for number in found:
        if op.mode == "swap":
            yield from _swap(bout, frame, op, number)
            continue
        slots = bout.state.free(bout.state.knights, bout.state.pieces[number].side)
        if slots:
            slot = yield from choose_slot(bout, frame.seat, slots, bout.about(frame))
            changes.move_to(bout, number, slot)


def _swap(bout: Bout, frame: Frame, op: MoveKnight, number: int) -> Flow[None]:
    """Change places with another knight of the same side; no other one matches (KN-6.74)."""
    side = bout.state.pieces[number].side

    def is_partner(other: int) -> bool:
        piece = bout.state.pieces[other]
        return other != number and piece.knight is not None and piece.side == side

    partners = yield from targets(bout, frame, op.partner, is_partner)
    if partners:
        changes.swap(bout, number, partners[0])


def _set_face(bout: Bout, frame: Frame, op: SetFace) -> Flow[None]:
    """Turn techniques (KN-2.22, KN-6.75)."""
    found = yield from targets(bout, frame, op.target)
    for number in found:
        piece = bout.state.pieces[number]
        if piece.zone == "support" and bout.cards[piece.key].kind == "technique":
            (turn_up if op.face == "up" else turn_down)(bout, number)


def _ready(bout: Bout, frame: Frame, op: Ready) -> Flow[None]:
    """Give a knight its base action back; its stance stays (KN-6.81)."""
    found = yield from _knights(bout, frame, op.target)
    for number in found:
        changes.set_acted(bout, number, False)
        bout.emit("readied", knight=place_of(bout, number))


def _set_stance(bout: Bout, frame: Frame, op: SetStance) -> Flow[None]:
    """Let a knight take a stance, if nothing forbids it (KN-6.82)."""
    found = yield from _knights(bout, frame, op.target)
    for number in found:
        barred = (op.stance == "evade" and "nse" in bout.state.knight(number).states) or (
            op.stance != "attack" and bout.survey.has(number, f"no_{op.stance}")
        )
        if not barred:
            take_stance(bout, number, op.stance)


DONE: dict[type[Any], Callable[[Bout, Frame, Any], Flow[None]]] = {
    Modify: _modify,
    Grant: _grant,
    Damage: _damage,
    Heal: _heal,
    ChangePc: _change_pc,
    Inflict: _inflict,
    Cure: _cure,
    Destroy: _destroy,
    Remove: _remove,
    MoveKnight: _move_knight,
    SetFace: _set_face,
    Ready: _ready,
    SetStance: _set_stance,
}
