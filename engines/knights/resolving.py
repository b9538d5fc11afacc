"""Triggered abilities, one after the other (KN-4.29, KN-6.5)."""

from __future__ import annotations

from engines.knights.bout import Bout, Waiting, ask
from engines.knights.effects import perform
from engines.knights.reading import Frame
from engines.knights.state import Mention
from engines.knights.survey import in_force
from engines.knights.triggers import may_use, use
from engines.knights.words import Ability
from engines.rules import Flow, pick

MOST_RESOLVED = 200


def drain(bout: Bout) -> Flow[None]:
    """Resolve what waits until nothing does; at most 200 for one action (KN-4.29)."""
    while bout.queue:
        bout.resolved += 1
        if bout.resolved > MOST_RESOLVED:
            bout.queue.clear()
            bout.emit("resolution_limit")
            return
        waiting = bout.queue.popleft()
        bout.table.spend()
        yield from _resolve(bout, waiting)


def _resolve(bout: Bout, waiting: Waiting) -> Flow[None]:
    """Test everything again, ask if it is optional, and do it."""
    found = _ability(bout, waiting)
    if found is None:
        return
    seat, ability = found
    frame = Frame(seat, waiting.source, event=waiting.event)
    if not bout.reading.holds(frame, ability.when) or not may_use(bout, seat, waiting.source, waiting.at, ability):
        return
    if ability.optional:
        acts = [{"do": "yes"}, {"do": "no"}]
        prompt = pick(seat, "confirm", acts, default=(1,), rule="KN-5.37", about=bout.about(frame))
        (answer,) = yield from ask(bout, prompt)
        if answer["do"] == "no":
            return
    use(bout, seat, waiting.source, waiting.at, ability)
    bout.emit("trigger_resolved", seat=seat, ability=waiting.at, trigger=waiting.trigger, **bout.about(frame))
    yield from perform(bout, frame, ability.effects)


def _ability(bout: Bout, waiting: Waiting) -> tuple[int, Ability] | None:
    """Give the ability and for whom it works now; None if its source has left the field (KN-4.29)."""
    cards, state = bout.cards, bout.state
    if waiting.source is None:
        return waiting.seat, cards.deities[state.deity[waiting.seat]].bonus[waiting.at]
    number = waiting.source.card
    ability = dict(cards.abilities(state.pieces[number].key))[waiting.at]
    if waiting.trigger == "destroyed":
        return waiting.seat, ability
    seat = _controller(bout, waiting.source)
    if seat is None or not in_force(cards, state, number, waiting.at):
        return None
    return seat, ability


def _controller(bout: Bout, source: Mention) -> int | None:
    return bout.reading.side_of(source.card) if bout.state.lies(source) else None
