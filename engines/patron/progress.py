"""Progress towards the current milestone: what counts, and when (PA-4.42, PA-4.43).

Owns the counter. Knows no requirement but ``progress``.
"""

from __future__ import annotations

from engines.patron.cards import Cards, Milestone
from engines.patron.ends import GOAL
from engines.patron.state import Game, State, cards_of, suits
from engines.patron.terms import Occurrence, Virtue


def current(cards: Cards, state: State, seat: int) -> Milestone | None:
    """Give the milestone that a seat's patron is at (PA-4.40); None when all are completed."""
    side = state.sides[seat]
    saint = cards.saint(state.key(side.patron))
    return saint.milestones[side.milestones] if side.milestones < GOAL else None


def note(table: Game, seat: int, on: Occurrence, number: int | None = None, virtue: Virtue | None = None) -> None:
    """Count an occurrence if the current milestone asks for it and the patron is in play (PA-4.42).

    ``number``: the card that it is about; ``virtue``: the one that a check was made with.
    """
    side = table.state.sides[seat]
    milestone = current(cards_of(table), table.state, seat) if side.in_play else None
    wanted = milestone.progress if milestone else None
    if wanted is None or wanted.on != on:
        return
    if wanted.filter is not None:
        if number is None and wanted.filter.virtue not in (None, virtue):
            return
        if number is not None and not suits(cards_of(table), table.state, number, wanted.filter):
            return
    side.progress += 1


def note_win(table: Game, seat: int, number: int) -> None:
    """Count an event won; in the other seat's turn it counts off turn as well."""
    note(table, seat, "event_won", number)
    if table.state.active != seat:
        note(table, seat, "event_won_off_turn", number)
