"""How a match ends (PA-8)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.patron.state import Game, Result, State
from engines.rules import Outcome

GOAL = 5  # PA-8.1
REASONS = {"resigned": "concede", "timeout": "timeout", "abandoned": "abandoned"}  # PA-8.3, PA-8.6


class Over(Exception):
    """The match has ended in the middle of something; the rest of it lapses (PA-4.39, PA-8.1)."""


def end_match(table: Game, result: Result) -> None:
    """End the match at once. Always raises Over: open instructions, triggers and prompts lapse (PA-8.1)."""
    state = table.state
    state.result = result
    state.phase = "game_over"
    state.queue = []
    state.look = []
    state.pool = state.priority = None
    state.passes = 0
    table.emit("game_over", winner="draw" if result.winner is None else result.winner, reason=result.reason)
    raise Over


def end_by_turns(table: Game) -> None:
    """Decide a match that has had all its turns: milestones, then tokens, else a draw (PA-8.5, PA-8.8)."""
    standings = [(side.milestones, side.tokens) for side in table.state.sides]
    tied = standings[0] == standings[1]
    end_match(table, Result(None if tied else standings.index(max(standings)), "max_turns"))


def outcome(state: State, gone: Mapping[int, str]) -> Outcome | None:
    """Say how a match ended, by the rules or because a seat is gone (PA-8.3, PA-8.6)."""
    if state.result is not None:
        return _outcome(state, state.result.winner, state.result.reason)
    if len(gone) == 2:
        return _outcome(state, None, "abandoned")
    return next((_outcome(state, 1 - seat, REASONS[why]) for seat, why in gone.items()), None)


def _outcome(state: State, winner: int | None, reason: str) -> Outcome:
    details = {
        "turns": state.turn,
        "first_seat": state.first_seat,
        "milestones": [side.milestones for side in state.sides],
        "tokens": [side.tokens for side in state.sides],
    }
    if winner is None:
        return Outcome((), reason, (1, 1), details)
    return Outcome((winner,), reason, (1, 2) if winner == 0 else (2, 1), details)
