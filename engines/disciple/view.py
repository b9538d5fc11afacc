"""What each audience sees of a match, zone by zone (DI-2.3, DI-2.6, DI-2.13, DI-5.8).

A card of a deck is nowhere in a view, but for the looker while it is being shown (DI-2.7).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from engines.disciple.cards import Cards
from engines.disciple.state import Instance, Lasting, Pending, State, shown
from engines.rules import Match


def view(match: Match, state: State, seat: int | None) -> dict[str, Any]:
    """Give all zones that a seat (None: the public) sees."""
    return views(match, state, (seat,))[0]


def views(match: Match, state: State, seats: Sequence[int | None]) -> list[dict[str, Any]]:
    """Give all zones that each of several sees; what does not depend on who looks is made once."""
    public = _public(match, state)
    return [
        public
        | {
            "hand": {str(owner): _hand(state, owner, seat) for owner in (0, 1)},
            "look": [_looked_at(state.cards[number]) for number in state.look] if seat == state.looker else [],
        }
        for seat in seats
    ]


def _public(match: Match, state: State) -> dict[str, Any]:
    """Make the zones in their order; hands and what is looked at are each looker's own."""
    cards = state.cards
    zones: dict[str, Any] = {
        "turn": {
            "turn": state.turn,
            "active": state.active,
            "first_seat": state.first_seat,
            "phase": state.phase,
            "extra_plays": state.extra_plays,
        },
        "hand": {},
        "look": [],
        "deck": {str(owner): len(state.deck[owner]) for owner in (0, 1)},
        "discard": {str(owner): [shown(cards[number]) for number in state.discard[owner]] for owner in (0, 1)},
        "limbo": [] if state.limbo is None else [shown(cards[state.limbo])],
        "symbols": {str(side): state.symbols[side] for side in (0, 1)},
        "pending": [_pending(pending) for pending in state.pending],
        "lasting": [_lasting(state, effect) for effect in state.lasting],
        "result": None if state.result is None else msgspec.structs.asdict(state.result),
        "options": options_zone(match.options),
        "cards": faces(match.pack),
    }
    for virtue, sides in state.columns.items():
        zones[virtue] = {str(side): [_laid(cards[number]) for number in sides[side]] for side in (0, 1)}
    return zones


def _hand(state: State, owner: int, seat: int | None) -> dict[str, Any]:
    held = state.hand[owner]
    if owner != seat:
        return {"count": len(held)}
    return {"count": len(held), "cards": [shown(state.cards[number]) for number in held]}


def _looked_at(card: Instance) -> dict[str, Any]:
    """Show a card of a deck to its looker; one that has no id is named by its key (DI-2.2)."""
    return {"id": card.id or card.key, "card": card.key}


def _laid(card: Instance) -> dict[str, Any]:
    """Show a card of a column; a disciple's identity is public too (DI-2.5, DI-9.6)."""
    face = "up" if card.up else "down"
    return {"id": card.id, "card": card.key, "owner": card.owner, "face": face, "abundant": card.abundant}


def _pending(pending: Pending) -> dict[str, Any]:
    return {
        "pending": pending.number,
        "seat": pending.seat,
        "trigger": pending.trigger,
        "ability": pending.ability,
        "source": shown(pending.source),
        "event": pending.event and shown(pending.event),
    }


def _lasting(state: State, effect: Lasting) -> dict[str, Any]:
    card = shown(state.cards[effect.card])
    return {"kind": effect.kind, "card": card, "n": effect.n, "until": effect.until, "seat": effect.seat}


@lru_cache(maxsize=64)
def options_zone(options: msgspec.Struct) -> dict[str, Any]:
    """Show the options: all are public (DI-3.1)."""
    return msgspec.structs.asdict(options)


@lru_cache(maxsize=16)
def faces(cards: Cards) -> dict[str, Any]:
    """Show what decides where a card may lie, for every card of the pack; it never changes in a match."""
    return {card.key: {"kind": card.kind, "symbols": list(card.symbols)} for card in cards}
