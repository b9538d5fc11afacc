"""What each audience sees of a match, zone by zone (PA-2.5, PA-2.6).

A card of a deck is nowhere in a view, but for the looker while it is being shown (PA-2.7).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from engines.patron.cards import AnyCard, Cards, Event, Grace, Saint
from engines.patron.lasting import score_of, told
from engines.patron.milestones import unmet
from engines.patron.progress import current
from engines.patron.state import Side, State, shown
from engines.patron.statics import modifiers, restricted
from engines.rules import Match

COUNTERS = (
    "tokens", "stored", "mulliganed", "cycled", "friend_acted", "milestone_tried", "events_won_turn",
    "saints_played_turn", "graces_played_turn",
)  # fmt: skip


def view(match: Match, state: State, seat: int | None) -> dict[str, Any]:
    """Give all zones that a seat (None: the public) sees."""
    public = _public(match, state)
    return public if seat is None else public | _own(match, state, seat)


def views(match: Match, state: State) -> dict[int | None, dict[str, Any]]:
    """Give the zones of everybody; those that look alike are the same objects."""
    public = _public(match, state)
    return {None: public, **{seat: public | _own(match, state, seat) for seat in (0, 1)}}


def _own(match: Match, state: State, seat: int | None) -> dict[str, Any]:
    """Give the zones that seats and the public (None) see each in their own way (PA-2.5, PA-2.7)."""
    cards: Cards = match.pack
    pairs = list(enumerate(state.sides))
    return {
        "patron": {str(owner): _patron(cards, state, owner, seat) for owner, _ in pairs},
        "events": {str(owner): _events(state, owner, seat) for owner, _ in pairs},
        "hand": {str(owner): _hand(cards, state, owner, seat) for owner, _ in pairs},
        "look": [shown(state.cards[number]) for number in state.look] if seat == state.looker else [],
    }


def _public(match: Match, state: State) -> dict[str, Any]:
    cards: Cards = match.pack
    own = _own(match, state, None)
    pairs = list(enumerate(state.sides))
    return {
        "turn": _turn(state),
        "asking": None if state.asking is None else msgspec.structs.asdict(state.asking),
        "patron": own["patron"],
        "terra": {str(owner): [shown(state.cards[number]) for number in side.terra] for owner, side in pairs},
        "friend": {str(owner): None if side.friend is None else state.cards[side.friend].id for owner, side in pairs},
        "graces": {str(owner): [shown(state.cards[number]) for number in side.graces] for owner, side in pairs},
        "events": own["events"],
        "hand": own["hand"],
        "deck": {str(owner): len(side.deck) for owner, side in pairs},
        "discard": {str(owner): [shown(state.cards[number]) for number in side.discard] for owner, side in pairs},
        "counters": {str(owner): _counters(state, side) for owner, side in pairs},
        "used": {str(owner): [_stone(stone) for stone in side.used] for owner, side in pairs},
        "modifiers": {str(owner): modifiers(cards, state, owner) for owner, _ in pairs},
        "restricted": {str(owner): sorted(restricted(cards, state, owner)) for owner, _ in pairs},
        "resolving": [] if state.resolving is None else [shown(state.cards[state.resolving])],
        "ongoing": [told(lasting) for lasting in state.ongoing],
        "look": own["look"],
        "last_check": state.last_check,
        "result": None if state.result is None else msgspec.structs.asdict(state.result),
        "options": options_zone(match.options),
        "cards": faces(cards),
    }


def _turn(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "active": state.active if state.turn else None,  # PA-2.6: nobody during setup
        "first_seat": state.first_seat if state.next != "choose_first" else None,
        "phase": state.phase,
        "pass_index": state.pass_index,
        "pool": state.pool,
        "saints_this_phase": state.saints_this_phase,
        "priority": state.priority,
        "passes": state.passes,
    }


def _patron(cards: Cards, state: State, owner: int, seat: int | None) -> dict[str, Any]:
    """Show a patron: face up from the start (PA-9.2), with its die, and to its seat what is still missing."""
    side = state.sides[owner]
    zone: dict[str, Any] = {
        **shown(state.cards[side.patron]),
        "in_play": side.in_play,
        "milestones": side.milestones,
        "progress": _progress(cards, state, owner, seat),
    }
    if not side.in_play:
        zone["cost"] = score_of(cards, state, side.patron)
    if owner == seat:
        zone["unmet"] = unmet(cards, state, owner)
    return zone


def _progress(cards: Cards, state: State, owner: int, seat: int | None) -> int | None:
    """Show progress, unless the count itself would tell what kind of event was set face down (PA-2.7)."""
    milestone = current(cards, state, owner)
    wanted = milestone.progress if milestone else None
    if owner != seat and wanted is not None and wanted.on == "event_set" and wanted.filter is not None:
        return None
    return state.sides[owner].progress


def _events(state: State, owner: int, seat: int | None) -> list[dict[str, Any]]:
    """Show slots; what lies in one only to its owner and to whom it was shown (PA-2.5)."""
    zone = []
    for slot in state.sides[owner].events:
        entry: dict[str, Any] = {"slot": slot.slot, "set_turn": slot.set_turn}
        if seat is not None and (seat == owner or slot.slot in state.sides[seat].peeked):
            entry["card"] = state.key(slot.card)
        zone.append(entry)
    return zone


def _hand(cards: Cards, state: State, owner: int, seat: int | None) -> dict[str, Any]:
    held = state.sides[owner].hand
    if owner != seat:
        return {"count": len(held)}
    return {"count": len(held), "cards": [_held(cards, state, number) for number in held]}


def _held(cards: Cards, state: State, number: int) -> dict[str, Any]:
    """Show a card of the own hand, a saint with what it costs now (PA-4.10)."""
    entry = shown(state.cards[number])
    if cards[state.key(number)].kind == "saint":
        entry["cost"] = score_of(cards, state, number)
    return entry


def _counters(state: State, side: Side) -> dict[str, Any]:
    zone: dict[str, Any] = {name: getattr(side, name) for name in COUNTERS}
    uses = ([*place.split("#"), str(count)] for place, count in side.trigger_uses.items())
    in_play = {*side.terra, *side.graces}
    zone["trigger_uses"] = [
        {"id": state.cards[int(number)].id, "effect": int(index), "uses": int(count)}
        for number, index, count in uses
        if int(number) in in_play
    ]
    return zone


def _stone(stone: str) -> dict[str, Any]:
    card, _, effect = stone.partition("#")
    return {"card": card, "effect": int(effect)}


@lru_cache(maxsize=64)
def options_zone(options: msgspec.Struct) -> dict[str, Any]:
    """Show the options: all are public (PA-9)."""
    return msgspec.structs.asdict(options)


@lru_cache(maxsize=16)
def faces(cards: Cards) -> dict[str, Any]:
    """Show of every card of the pack what decides what may be done with it; it never changes in a match."""
    return {card.id: _face(card) for card in cards}


def _face(card: AnyCard) -> dict[str, Any]:
    match card:
        case Saint():
            effects = [[e.__struct_config__.tag, e.min_milestones, e.where] for e in card.effects]
            checks = [number for number, one in enumerate(card.milestones, 1) if one.check is not None]
            return {"kind": "saint", "score": card.score, "effects": effects, "checks": checks}
        case Grace():
            return {"kind": "grace"}
        case Event():
            return {"kind": "event"}
