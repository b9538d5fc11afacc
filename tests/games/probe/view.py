"""What each audience of probe sees, and what it may not know (PR-1.4)."""

from __future__ import annotations

from typing import Any

from engines.rules import Match
from probe.leaks import deck_order, in_score, mark
from probe.state import State


def view(match: Match, state: State, seat: int | None) -> dict[str, Any]:
    plan = match.options.plan
    return {
        "course": {"step": state.step, "of": len(plan) * match.options.laps, "now": plan[state.step % len(plan)]},
        "score": {"points": list(state.scores), "leader": state.leader, **in_score(match, state)},
        "decks": [[_card(match, state, slot, seat) for slot in deck_order(match, state, deck)] for deck in state.decks],
        "hands": [_hand(state, owner, seat) for owner in range(match.seats)],
        "pile": [state.faces[slot] for slot in state.pile],
    }


def _card(match: Match, state: State, slot: int, seat: int | None) -> dict[str, str]:
    shown = {"card": mark(match, state, slot, 0 if seat is None else seat + 1)}
    return shown | {"face": state.faces[slot]} if seat in state.known[slot] else shown


def _hand(state: State, owner: int, seat: int | None) -> dict[str, Any]:
    shown: dict[str, Any] = {"count": len(state.hands[owner])}
    if owner == seat:
        cards = [{"card": state.marks[slot][owner + 1], "face": state.faces[slot]} for slot in state.hands[owner]]
        return shown | {"cards": cards}
    return shown


def secrets(match: Match, state: State, seat: int | None, *, by_owner: bool) -> dict[str, list[str]]:
    """Name the slots that a seat has not been shown; own decks are exchanged only among themselves."""
    hidden: dict[str, list[str]] = {}
    for owner in range(match.seats):
        hand = [] if owner == seat else state.hands[owner]
        for slot in (*state.decks[owner], *hand):
            if seat not in state.known[slot]:
                hidden.setdefault(f"of {state.owners[slot]}" if by_owner else "cards", []).append(str(slot))
    return hidden


def exchange(state: State, one: str, other: str) -> None:
    faces, a, b = state.faces, int(one), int(other)
    faces[a], faces[b] = faces[b], faces[a]
