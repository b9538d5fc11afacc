"""Techniques at rest: who may use them, and which are in force (KN-6.23, KN-10.1)."""

from __future__ import annotations

import msgspec

from engines.knights.bout import Board
from engines.knights.cards import Card
from engines.knights.words import Effects, Grant, Modify, Restrict


def may_host(board: Board, card: Card, number: int) -> bool:
    """Say whether a knight may use a technique or bear an object (KN-5.2, KN-5.3, I-14)."""
    key = board.state.pieces[number].key
    if card.kind == "object":
        return card.host_filter is None or board.reading.fits(number, card.host_filter, None)
    users = card.users
    if users is None:
        return False
    return key in users.cards or (users.filter is not None and board.reading.fits(number, users.filter, None))


def is_in_force(board: Board, number: int, effects: Effects) -> bool:
    """Say whether all effects of a list last with their source and are at work (KN-6.23)."""
    return bool(effects) and all(_is_kept_up(board, number, effect) for effect in effects)


def _is_kept_up(board: Board, number: int, effect: object) -> bool:
    if not isinstance(effect, Modify | Grant | Restrict) or effect.duration != "while_source":
        return False
    mention = board.state.mention(number)
    if isinstance(effect, Restrict):
        kept = {r.what for r in board.state.restrictions if r.duration == "while_source" and r.source == mention}
        return set(effect.what) <= kept
    spelled = msgspec.json.encode(effect).decode()
    return any(m.source == mention and m.op == spelled for m in board.state.modifiers)
