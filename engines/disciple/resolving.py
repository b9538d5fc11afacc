"""Which pending ability is resolved next (DI-4.13, DI-4.14)."""

from __future__ import annotations

from engines.disciple.activation import told
from engines.disciple.effects import perform
from engines.disciple.state import Game, Pending, State
from engines.disciple.truth import Frame
from engines.rules import Flow, pick


def resolve_next(table: Game) -> Flow[None]:
    """Resolve one pending ability, or drop it because its source has gone."""
    state = table.state
    chosen = yield from _choose(table)
    state.pending.remove(chosen)
    frame = Frame(chosen.seat, chosen.source, chosen.ability, chosen.event)
    if chosen.trigger != "leave" and not state.lies(chosen.source):  # DI-4.14
        table.emit("ability_dropped", **told(frame))
        return
    yield from perform(table, frame)


def _choose(table: Game) -> Flow[Pending]:
    """Let the seat that is first choose among its own; with one there is nothing to ask (DI-4.13)."""
    waiting = first_in_line(table.state)
    if len(waiting) == 1:
        return waiting[0]
    acts = [{"do": "trigger", "pending": pending.number} for pending in waiting]
    (chosen,) = yield pick(waiting[0].seat, "choose_trigger", acts, rule="DI-4.13")
    return next(pending for pending in waiting if pending.number == chosen["pending"])


def first_in_line(state: State) -> list[Pending]:
    """Give those of which one is next: ordinary before Abundance, the active seat first; oldest first (DI-9.9)."""
    ordinary = [pending for pending in state.pending if pending.trigger != "abundance"]
    line = ordinary or state.pending
    return [pending for pending in line if pending.seat == state.active] or line
