"""How a match ends (DI-8)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.disciple.options import Options
from engines.disciple.state import Game, Result, State
from engines.disciple.statics import GOAL, complete_columns
from engines.rules import Outcome

COLUMNS_TO_WIN = 3  # DI-8.2, DI-9.26
REASONS = {"resigned": "concede", "timeout": "timeout", "abandoned": "abandoned"}  # DI-8.1, DI-8.6, DI-8.9


def find_winner(table: Game) -> bool:
    """End the match if a seat has won: at every checkpoint, in either seat's turn (DI-8.2, DI-9.10)."""
    state = table.state
    won = [seat for seat in (0, 1) if complete_columns(state, seat) >= COLUMNS_TO_WIN]
    if not won:
        return False
    options: Options = table.match.options
    both = state.active if options.simultaneous_win == "active" else None  # DI-8.3, DI-9.11
    finish(table, Result(won[0] if len(won) == 1 else both, "virtues"))
    return True


def find_loser(table: Game) -> bool:
    """End the match if a seat has neither hand nor deck: at quiet points, after the win check (DI-8.4, DI-9.12)."""
    state = table.state
    lost = [seat for seat in (0, 1) if not state.hand[seat] and not state.deck[seat]]
    if not lost:
        return False
    finish(table, Result(1 - lost[0] if len(lost) == 1 else None, "empty"))  # DI-8.5
    return True


def find_turn_limit(table: Game) -> bool:
    """End the match after its last turn, by complete columns, then by symbols that count (DI-8.8, DI-9.28)."""
    state, options = table.state, table.match.options
    if not 0 < options.turn_limit <= state.turn:
        return False
    standings = [
        (complete_columns(state, seat), sum(min(GOAL, symbols) for symbols in state.symbols[seat].values()))
        for seat in (0, 1)
    ]
    tied = standings[0] == standings[1]
    finish(table, Result(None if tied else standings.index(max(standings)), "turn_limit"))
    return True


def finish(table: Game, result: Result) -> None:
    """End the match. Nothing that is pending is carried out any more (DI-8.2)."""
    table.state.result = result
    table.emit("game_over", winner=result.winner, reason=result.reason)


def outcome(state: State, gone: Mapping[int, str]) -> Outcome | None:
    """Say how a match ended, by the rules or because a seat is gone (DI-8.6, DI-8.9)."""
    if state.result is not None:
        return _outcome(state, state.result.winner, state.result.reason)
    if len(gone) == 2:  # DI-8.9: both gone
        return _outcome(state, None, "abandoned")
    return next((_outcome(state, 1 - seat, REASONS[why]) for seat, why in gone.items()), None)


def _outcome(state: State, winner: int | None, reason: str) -> Outcome:
    details = {"turns": state.turn, "first_seat": state.first_seat}
    if winner is None:
        return Outcome((), reason, (1, 1), details)
    return Outcome((winner,), reason, (1, 2) if winner == 0 else (2, 1), details)
