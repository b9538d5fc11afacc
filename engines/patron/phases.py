"""Which phase follows which, and the priority of the phase of events (PA-4.1, PA-4.27, PA-4.28)."""

from __future__ import annotations

from engines.patron.offers import ready_slots
from engines.patron.state import Game, Phase, cards_of
from engines.patron.statics import restricted

AFTER: dict[Phase, Phase] = {
    "intercession": "friendship",
    "friendship": "effects",
    "effects": "graces",
    "graces": "events",
    "events": "milestones",
}


def enter_phase(table: Game, phase: Phase) -> None:
    """Begin a phase. None is skipped because there is nothing to do in it (PA-4.1)."""
    state = table.state
    state.phase = phase
    state.priority = state.active if phase == "events" else None  # PA-9.27
    state.passes = 0
    if phase == "end":
        state.next = "end"
        table.emit("turn_ended", seat=state.active, turn=state.turn)
    else:
        table.emit("phase_entered", phase=phase, pass_index=state.pass_index)


def next_phase(table: Game) -> None:
    """Go on to the next phase; after milestones the late phases may be repeated so many times (PA-4.45)."""
    state = table.state
    if state.phase == "milestones":
        again = state.pass_index < table.match.options.recursion_passes  # PA-9.33
        enter_phase(table, "recursion" if again else "end")
    else:
        enter_phase(table, AFTER[state.phase])


def pass_priority(table: Game, *, auto: bool) -> None:
    """Pass: two passes in a row end the phase (PA-4.27)."""
    state = table.state
    assert state.priority is not None  # only in the phase of events
    table.emit("priority_passed", seat=state.priority, auto=auto)
    state.passes += 1
    state.priority = 1 - state.priority
    if state.passes == 2:
        next_phase(table)


def pass_on(table: Game) -> None:
    """Hand priority to the seat that did not activate, now that all is resolved (PA-4.27)."""
    state = table.state
    assert state.priority is not None  # only in the phase of events
    state.priority = 1 - state.priority
    state.passes = 0
    state.next = "act"


def passes_by_itself(table: Game) -> bool:
    """Say whether the seat with priority is passed automatically: the other one, with nothing ready (PA-4.28).

    The active seat never is. It depends on slots and restrictions alone, which all can see.
    """
    state = table.state
    seat = state.priority
    if state.phase != "events" or seat is None or seat == state.active:
        return False
    return not ready_slots(table, seat) or "activate_event" in restricted(cards_of(table), state, seat)
