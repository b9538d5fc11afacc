"""What each audience sees of a match, zone by zone (KN-2.1 to KN-2.17, KN-2.30 to KN-2.47).

A card of a deck, of another's hand or face down on the other side is nowhere in a view, but for the looker
while it is being shown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from engines.knights.bout import Board
from engines.knights.limits import limits
from engines.knights.state import Attack, Mention, Modifier, Restriction, State, shown
from engines.rules import Match

SEATS = (0, 1)


def view(match: Match, state: State, seat: int | None) -> dict[str, Any]:
    """Give all zones that a seat (None: the public) sees."""
    board = Board(match, state)
    public = _public(board, match)
    return public if seat is None else public | _own(board, seat)


def views(match: Match, state: State) -> dict[int | None, dict[str, Any]]:
    """Give the zones of everybody; those that look alike are the same objects."""
    board = Board(match, state)
    public = _public(board, match)
    return {None: public, **{seat: public | _own(board, seat) for seat in SEATS}}


def _own(board: Board, seat: int | None) -> dict[str, Any]:
    """Give the zones that seats and the public (None) see each in their own way (KN-2.2, KN-2.4, KN-2.34, KN-2.47)."""
    state = board.state
    return {
        "knights": {str(side): [_space(board, side, slot, seat) for slot in range(4)] for side in SEATS},
        "support": {str(side): [_support(board, number, seat) for number in state.support[side]] for side in SEATS},
        "hand": {str(owner): _hand(state, owner, seat) for owner in SEATS},
        "look": _look(state) if seat == state.looker else [],
        "limits": _limits(board, seat),
    }


def _public(board: Board, match: Match) -> dict[str, Any]:
    state, own = board.state, _own(board, None)
    pieces = state.pieces
    gods = [match.pack.deities.get(key) for key in state.deity]
    return {
        "turn": _turn(state),
        "deity": {str(owner): state.deity[owner] or None for owner in SEATS},
        "pvd": {str(owner): {"pvd": state.pvd[owner], "most": god.pvd if god else 0} for owner, god in enumerate(gods)},
        "knights": own["knights"],
        "support": own["support"],
        "helper": {str(owner): None if n is None else shown(pieces[n]) for owner, n in enumerate(state.helper)},
        "scenario": _scenario(state),
        "hand": own["hand"],
        "deck": {str(owner): len(state.deck[owner]) for owner in SEATS},
        "discard": {str(owner): [shown(pieces[n]) for n in state.discard[owner]] for owner in SEATS},
        "exile": {str(owner): [shown(pieces[n]) for n in state.exile[owner]] for owner in SEATS},
        "modifiers": [_modifier(state, modifier) for modifier in state.modifiers],
        "restrictions": [_restriction(one) for one in state.restrictions],
        "pending": [{"seat": one.seat, "kind": one.kind} for one in state.pending],
        "attack": _attack(state, state.attack),
        "strikes": [msgspec.structs.asdict(one) for one in state.strikes],
        "look": own["look"],
        "limits": own["limits"],
        "result": None if state.result is None else msgspec.structs.asdict(state.result),
        "options": options_zone(match.options),
    }


def _turn(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "active": state.active,
        "starter": state.starter,
        "phase": state.phase,
        "knight_played": state.knight_played,
    }


def _hand(state: State, owner: int, seat: int | None) -> dict[str, Any]:
    """Show a hand to its owner, else how many cards it holds (KN-2.2)."""
    held = state.hand[owner]
    if owner != seat:
        return {"count": len(held)}
    return {"count": len(held), "cards": [shown(state.pieces[number]) for number in held]}


def _space(board: Board, side: int, slot: int, seat: int | None) -> dict[str, Any] | None:
    """Show a knight space: a knight with all its counters, reserved, or empty (KN-2.3, KN-2.11)."""
    state = board.state
    number, absent = state.knights[side][slot], state.reserved[side][slot]
    if number is None:
        return None if absent is None else {"reserved": shown(state.pieces[absent])}
    piece, knight, value = state.pieces[number], state.knight(number), board.reading.values[number]
    linked = [n for n in state.linked(number) if state.pieces[n].up or state.pieces[n].owner == seat]
    objects = [state.pieces[n].slot for n in linked if board.cards[state.pieces[n].key].kind == "object"]
    return {
        **shown(piece),
        "owner": piece.owner,
        "pv": knight.pv,
        "max_pv": value.max_pv,
        "ce": value.ce,
        "ar": value.ar,
        "pc": knight.pc,
        "max_pc": value.max_pc,
        "stance": knight.stance,
        "acted": knight.acted,
        "states": {key: counted[0] for key, counted in sorted(knight.states.items())},
        "keywords": sorted(value.keywords),
        "immune": sorted(value.immune),
        "object": objects[0] if objects else None,
        "techniques": [state.pieces[n].slot for n in linked if state.pieces[n].slot not in objects],
        "used": sorted(_uses(state, number)),
    }


def _uses(state: State, number: int) -> set[int]:
    """Give the abilities of a knight that are used up: in this turn, or for the match."""
    turn, game = f"{number}.{state.pieces[number].mark}:", f"{number}:"
    keys = [key for key in state.used if key.startswith(turn)] + [key for key in state.spent if key.startswith(game)]
    return {int(key.rpartition(":")[2]) for key in keys}


def _support(board: Board, number: int | None, seat: int | None) -> dict[str, Any] | None:
    """Show a support card; face down only its owner sees which, and linked to whom (KN-2.4, KN-2.34)."""
    if number is None:
        return None
    piece = board.state.pieces[number]
    face = "up" if piece.up else "down"
    if not piece.up and piece.owner != seat:
        return {"face": face}
    host = None if piece.host is None else board.state.pieces[piece.host]
    place = None if host is None else {"seat": host.side, "slot": host.slot}
    return {"face": face, **shown(piece), "kind": board.cards[piece.key].kind, "host": place}


def _scenario(state: State) -> dict[str, Any] | None:
    if state.scenario is None:
        return None
    piece = state.pieces[state.scenario]
    return {**shown(piece), "owner": piece.owner}


def _place(state: State, mention: Mention) -> dict[str, int] | None:
    piece = state.pieces[mention.card]
    return {"seat": piece.side, "slot": piece.slot} if state.lies(mention) else None


def _modifier(state: State, modifier: Modifier) -> dict[str, Any]:
    source = modifier.source
    return {
        "source": None if source is None else state.pieces[source.card].key,
        "kind": modifier.kind,
        "what": modifier.what,
        "n": modifier.n,
        "states": list(modifier.states),
        "target": _place(state, modifier.target),
        "duration": modifier.duration,
        "until": modifier.until,
    }


def _restriction(one: Restriction) -> dict[str, Any]:
    return {"seat": one.seat, "what": one.what, "duration": one.duration, "until": one.until}


def _attack(state: State, attack: Attack | None) -> dict[str, Any] | None:
    """Show the attack being processed; everything of it was declared."""
    if attack is None:
        return None
    technique = None if attack.technique is None else state.pieces[attack.technique].key
    return {
        "seat": attack.seat,
        "kind": attack.kind,
        "attacker": _place(state, attack.attacker),
        "technique": technique,
        "targets": [_place(state, mention) for mention in attack.targets],
    }


def _look(state: State) -> list[dict[str, str]]:
    return [{"id": looked.id, "card": state.pieces[looked.card].key} for looked in state.look]


def _limits(board: Board, seat: int | None) -> dict[str, Any]:
    """Tell the acting seat, and nobody else, what it may do and why not (KN-2.47)."""
    state = board.state
    acting = [(one.seat, one.kind) for one in state.pending] == [(state.active, "main")]
    return limits(board, state.active) if acting and seat == state.active else {}


@lru_cache(maxsize=64)
def options_zone(options: msgspec.Struct) -> dict[str, Any]:
    """Show the options: all are public."""
    return msgspec.structs.asdict(options)
