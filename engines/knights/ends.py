"""How a match ends (KN-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.knights.options import Options
from engines.knights.state import Result, State
from engines.rules import Match, Outcome, Table

REASONS = {"resigned": "concede", "timeout": "timeout", "abandoned": "abandon"}  # KN-8.4, KN-8.5
DRAW_POINTS = 1  # KN-8.7


def finish(table: Table[State], result: Result) -> None:
    """End the match: nothing that waits is carried out any more (KN-4.9, KN-8.8)."""
    state = table.state
    state.result, state.phase, state.attack, state.resolving = result, "over", None, None
    state.pending, state.look = [], []
    details = _details(table.match.options, state, result.winner)
    table.emit("match_over", winner=result.winner, reason=result.reason, **details)


def find_turn_limit(table: Table[State]) -> bool:
    """End the match after its last turn: by divine life, then by knights controlled (KN-8.6, I-34)."""
    state, options = table.state, table.match.options
    if state.turn < options.max_turns:
        return False
    standings = [(state.pvd[seat], sum(number is not None for number in state.knights[seat])) for seat in (0, 1)]
    tied = standings[0] == standings[1]
    finish(table, Result(None if tied else standings.index(max(standings)), "turn_limit"))
    return True


def outcome(match: Match, state: State, gone: Mapping[int, str]) -> Outcome | None:
    """Say how a match ended, by the rules or because a seat is gone (KN-5.14, KN-8.4, KN-8.5)."""
    if state.result is not None:
        return _outcome(match.options, state, state.result.winner, state.result.reason)
    if not gone:
        return None
    if state.turn == 0 and "abandoned" in gone.values():  # KN-8.5: void before turn 1
        return Outcome((), "void", (1, 1), _void(state))
    if len(gone) == 2:  # KN-8.5: both gone
        return _outcome(match.options, state, None, "abandon")
    ((seat, why),) = gone.items()
    return _outcome(match.options, state, 1 - seat, REASONS[why])


def _outcome(options: Options, state: State, winner: int | None, reason: str) -> Outcome:
    details = _details(options, state, winner)
    if winner is None:
        return Outcome((), reason, (1, 1), details)
    return Outcome((winner,), reason, (1, 2) if winner == 0 else (2, 1), details)


def _details(options: Options, state: State, winner: int | None) -> dict[str, Any]:
    """Give what the service books (KN-8.7, I-37)."""
    points = [DRAW_POINTS if winner is None else options.win_points * (seat == winner) for seat in (0, 1)]
    return {"turns": state.turn, "first_seat": state.starter, "pvd": list(state.pvd), "points": points}


def _void(state: State) -> dict[str, Any]:
    return {"turns": 0, "first_seat": state.starter, "pvd": list(state.pvd), "points": [0, 0]}
