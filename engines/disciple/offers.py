"""The prompts that are turns: what the active seat may do in ``main``, ``followup`` and ``extra`` (DI-5.1)."""

from __future__ import annotations

from engines.disciple.plays import ways_to_play
from engines.disciple.scopes import ways
from engines.disciple.state import Game, cards_of
from engines.disciple.statics import forbidden_columns
from engines.rules import Act, Prompt, pick


def main_prompt(table: Game) -> Prompt:
    """Offer the action: play or draw; passing only if nothing else is legal (DI-4.9, DI-9.19)."""
    state = table.state
    plays = _plays(table)
    draws: list[Act] = [{"do": "draw_card"}] if state.deck[state.active] else []  # DI-8.7, DI-9.13
    acts = [*plays, *draws] or [{"do": "pass_turn"}]
    # DI-5.7: silence draws, else plays the first legal card, else passes
    return pick(state.active, "main", acts, default=(len(plays) if draws else 0,), rule="DI-5.1")


def extra_prompt(table: Game) -> Prompt:
    """Offer an extra play (DI-4.8)."""
    acts = [*_plays(table), {"do": "end_turn"}]
    return pick(table.state.active, "extra", acts, default=(len(acts) - 1,), rule="DI-4.8")


def followup_prompt(table: Game) -> Prompt:
    """Offer the one move or flip after a draw, or neither (DI-4.6)."""
    acts = [*_moves(table), *_flips(table), {"do": "end_turn"}]
    return pick(table.state.active, "followup", acts, default=(len(acts) - 1,), rule="DI-4.6")


def _plays(table: Game) -> list[Act]:
    seat = table.state.active
    return [{"do": "play_card", **way} for way in ways_to_play(table, seat, table.state.hand[seat])]


def _own(table: Game) -> list[int]:
    state = table.state
    return [number for number in state.on_board() if state.cards[number].side == state.active]


def _moves(table: Game) -> list[Act]:
    cards, state = cards_of(table), table.state
    closed = forbidden_columns(cards, state, state.active, "move_action")
    return [
        {"do": "move_card", "card": state.cards[number].id, "column": column}
        for number in _own(table)
        for column in ways(cards, state, number)
        if column not in closed
    ]


def _flips(table: Game) -> list[Act]:
    """List the own saints that may be turned down; turning up is never an action (DI-9.23)."""
    state = table.state
    closed = forbidden_columns(cards_of(table), state, state.active, "flip_action")
    own = [state.cards[number] for number in _own(table)]
    return [{"do": "flip_card", "card": card.id} for card in own if card.up and card.column not in closed]
