"""Carry out effects in order, a state check after each (KN-4.9, KN-6.86); and the control structures among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.knights import on_cards, on_fights, on_knights
from engines.knights.bout import Bout, ask
from engines.knights.changes import until
from engines.knights.coins import toss
from engines.knights.reading import Frame
from engines.knights.settling import change_pvd, settle
from engines.knights.state import Restriction
from engines.knights.words import (
    ChangePvd,
    ChooseOne,
    Coin,
    Effects,
    If,
    Restrict,
)
from engines.rules import Flow, pick

Doing = Callable[[Bout, Frame, Any], Flow[None]]


def perform(bout: Bout, frame: Frame, effects: Effects) -> Flow[None]:
    """Do one effect after the other, each as much as it can (KN-6.9)."""
    for effect in effects:
        bout.table.spend()
        match effect:
            case Coin():  # KN-6.83
                yield from perform(bout, frame, effect.heads if toss(bout, "effect") else effect.tails)
            case If():  # KN-6.85
                holding = bout.reading.holds(frame, effect.when)
                yield from perform(bout, frame, effect.then if holding else effect.otherwise)
            case ChooseOne():
                yield from _choose_one(bout, frame, effect)
            case ChangePvd():
                _change_pvd(bout, frame, effect)
            case Restrict():
                _restrict(bout, frame, effect)
            case _:
                yield from DONE[type(effect)](bout, frame, effect)
        settle(bout)


def _choose_one(bout: Bout, frame: Frame, effect: ChooseOne) -> Flow[None]:
    """Let a seat choose among the branches that are open (KN-5.35, KN-6.84)."""
    seat = frame.seat if effect.by == "me" else 1 - frame.seat
    reading = bout.reading
    acts = [
        {"do": "option", "index": at, "label": branch.label}
        for at, branch in enumerate(effect.options)
        if reading.holds(frame, branch.when)
    ]
    if not acts:
        return
    index = int(str(acts[0]["index"]))
    if len(acts) > 1:  # KN-5.40
        (answer,) = yield from ask(bout, pick(seat, "choose_option", acts, rule="KN-5.35", about=bout.about(frame)))
        index = answer["index"]
    yield from perform(bout, frame, effect.options[index].effects)


def _change_pvd(bout: Bout, frame: Frame, effect: ChangePvd) -> None:
    """Give or take divine life (KN-6.65)."""
    n = bout.reading.amount(frame, effect.n, signed=True)
    if n is not None:
        change_pvd(bout, frame.seat if effect.who == "me" else 1 - frame.seat, n)


def _restrict(bout: Bout, frame: Frame, effect: Restrict) -> None:
    """Forbid a seat kinds of cards, or its draw, for a time (KN-6.69)."""
    seat = frame.seat if effect.who == "me" else 1 - frame.seat
    lasting = until(bout, frame, effect.duration)
    for what in effect.what if lasting else ():
        assert lasting is not None  # the loop has looked
        duration, last = lasting
        source = frame.source if duration == "while_source" else None
        restriction = Restriction(seat, what, frame.seat, duration, last, source)
        if restriction not in bout.state.restrictions:
            bout.state.restrictions.append(restriction)
        bout.emit("restriction_changed", seat=seat, what=what, duration=duration)


DONE: dict[type[Any], Doing] = {**on_knights.DONE, **on_cards.DONE, **on_fights.DONE}
