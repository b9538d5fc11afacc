"""What each audience sees of a match, zone by zone (SA-2.2, SA-2.5a to SA-2.11).

A spectator sees what an opponent of all seats sees; a bot sees what its seat does (SA-2.10).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import asdict

from engines.rules import Match
from engines.sanctuary.grid import SPACES
from engines.sanctuary.state import Laid, Seat, State, as_told, atlas_of, keys_of


def view(match: Match, state: State, seat: int | None) -> dict[str, Any]:
    """Give all zones that a seat (None: the public) sees."""
    public = _public(match, state)
    return public if seat is None else public | _own(state, seat)


def views(match: Match, state: State) -> dict[int | None, dict[str, Any]]:
    """Give the zones of everybody; those that look alike are the same objects."""
    public = _public(match, state)
    return {None: public, **{seat: public | _own(state, seat) for seat in range(match.seats)}}


def _own(state: State, seat: int) -> dict[str, Any]:
    """Give the zones that a seat sees otherwise than all others (SA-2.7, SA-2.10)."""
    lying = state.seats[seat]
    return {f"hand_{seat}": _hand(state, lying, True), f"zoo_{seat}": _zoo(state, lying, True)}


def _public(match: Match, state: State) -> dict[str, Any]:
    zones: dict[str, Any] = {
        "turn": _turn(state),
        "display": [None if number is None else state.keys[number] for number in state.display],
        "pile": len(state.pile),
        "discard": keys_of(state, state.discard),
        "objectives": {name: atlas_of(match).objectives[name].icon for name in state.shown()},
        "effects": _effects(state),
        "ending": _ending(state),
    }
    for at, lying in enumerate(state.seats):
        zones[f"hand_{at}"] = _hand(state, lying, False)
        zones[f"zoo_{at}"] = _zoo(state, lying, False)
        zones[f"seat_{at}"] = _seat(lying)
    zones["options"] = options_zone(match.options)
    zones["tiles"] = atlas_of(match).faces
    return zones


def _turn(state: State) -> dict[str, Any]:
    return {
        "turn_no": state.turn_no,
        "active": state.active,
        "first_seat": state.first_seat,
        "phase": state.phase,
        "stage": state.stage,
        "upgrades": state.upgrades,
        "used": None if state.used is None else asdict(state.used),
    }


def _effects(state: State) -> dict[str, Any]:
    """Show what waits: what an effect is, is public, the answer need not be (SA-2.2)."""
    return {
        "pending": [as_told(state, waiting) for waiting in state.pending],
        "deferred": [as_told(state, waiting) for waiting in state.deferred],
        "revealed": keys_of(state, state.revealed),
        "reveal": None if state.reveal is None else as_told(state, state.reveal),
    }


def _ending(state: State) -> dict[str, Any]:
    return {
        "trigger": msgspec.to_builtins(state.trigger),
        "final_queue": list(state.final_queue),
        "solo_left": state.solo_left,
        "result": msgspec.to_builtins(state.result),
    }


def _hand(state: State, lying: Seat, own: bool) -> dict[str, Any]:
    """Show a hand to its owner, to all others only how many (SA-2.7)."""
    hidden: dict[str, Any] = {"count": len(lying.hand)}
    return hidden | {"tiles": keys_of(state, lying.hand)} if own else hidden


def _zoo(state: State, lying: Seat, own: bool) -> dict[str, Any]:
    stacks = lying.zoo
    return {space: [_laid(state, laid, own) for laid in stacks[space]] for space in SPACES if space in stacks}


def _laid(state: State, laid: Laid, own: bool) -> dict[str, Any]:
    """Show a tile; face down only to the seat from whose hand it came (SA-2.6)."""
    shown: dict[str, Any] = {"face": "up" if laid.up else "down", "source": laid.source}
    known = laid.up or (own and laid.source == "hand")
    return shown | {"tile": state.keys[laid.tile]} if known else shown


def _seat(lying: Seat) -> dict[str, Any]:
    return {
        "cards": [{"card": card, "side": lying.sides[card], "strength": lying.strength(card)} for card in lying.slots],
        "achievements": dict(lying.achievements),
        "upgrade_used": list(lying.upgrade_used),
        "conservation": lying.conservation,
        "pouch": lying.pouch,
        "end_marker": lying.end_marker,
        "bonus_taken": list(lying.bonus_taken),
        "pair_taken": list(lying.pair_taken),
        "status": lying.status,
        "sheet": asdict(lying.sheet),
    }


@lru_cache(maxsize=64)
def options_zone(options: msgspec.Struct) -> dict[str, Any]:
    """Show the options: all are public (SA-3.12)."""
    shown: dict[str, Any] = msgspec.to_builtins(options)
    return shown
