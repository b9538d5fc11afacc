"""Events as sentences, one line each (SA-5.5).

Owns how what happened is told in a terminal. Knows only what the audience was told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.sanctuary.naming import name_of, names, says, says_effect
from engines.sanctuary.reading import Zones

Told = Mapping[str, Any]

REASONS = {
    "c1": "four objectives supported",
    "c2": "a full map",
    "c3": "the pile is empty",
    "last_seat": "nobody else is left",
    "won": "the solo game is won",
    "lost": "the solo game is lost",
}
WHERE = {"turn": "", "action": " as the action", "effect": " by an effect"}


def line(event: Told, zones: Zones) -> str:
    """Tell an event; an unknown kind is told by its name."""
    sentence = SENTENCES.get(event["event"])
    return sentence(event, zones) if sentence else f"{event['event'].replace('_', ' ').capitalize()}."


def _started(event: Told, zones: Zones) -> str:
    return f"Seat {event['first_seat']} begins. Objectives: {', '.join(event['objectives'])}."


def _turn(event: Told, zones: Zones) -> str:
    last = ", the last one" if event["final_round"] else ""
    return f"--- Turn {event['turn_no']}: seat {event['seat']}{last}, range {event['range']} ---"


def _taken(event: Told, zones: Zones) -> str:
    what = name_of(zones, event["tile"])
    return f"{says(zones, event['seat'], 'take')} {what} from position {event['position']}{WHERE[event['via']]}."


def _drawn(event: Told, zones: Zones) -> str:
    seen = f": {names(zones, event['tiles'])}" if event.get("tiles") else ""
    return f"{says(zones, event['seat'], 'draw')} {_tiles(event['count'])}{seen}."


def _placed(event: Told, zones: Zones) -> str:
    how = "" if event["card"] is None else f" with the {event['card']} card (level {event['level']})"
    covered = "" if event["covered"] is None else f" on top of {name_of(zones, event['covered'])}"
    return f"{says(zones, event['seat'], 'play')} {name_of(zones, event['tile'])} on {event['space']}{covered}{how}."


def _area(event: Told, zones: Zones) -> str:
    what = f" ({name_of(zones, event['tile'])})" if "tile" in event else ""
    where = f"on {event['space']} from the {event['source']}"
    return f"{says(zones, event['seat'], 'put')} an open area{what} {where}."


def _bonus(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'get')} the bonus of {event['space']}."


def _markers(event: Told, zones: Zones) -> str:
    verb = "gain" if event["delta"] > 0 else "pay"
    return f"{says(zones, event['seat'], verb)} {abs(event['delta'])} {event['marker']} ({event['reason']})."


def _pair(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'complete')} the pair {event['species'].replace('_', ' ')}."


def _effect(verb: str) -> Callable[[Told, Zones], str]:
    return lambda event, zones: f"Effect {event['effect']} {verb}: {says_effect(zones, event)}."


def _revealed(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'turn')} up {names(zones, event['tiles']) or 'nothing'}."


def _kept(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'keep')} {name_of(zones, event['tile'])}."


def _discarded(event: Told, zones: Zones) -> str:
    return f"Discarded ({event['reason']}): {names(zones, event['tiles'])}."


def _relocated(event: Told, zones: Zones) -> str:
    what = event["tile"] if event["tile"] == "open area" else name_of(zones, event["tile"])
    return f"{says(zones, event['seat'], 'move')} {what} from {event['from']} to {event['to']}."


def _card(event: Told, zones: Zones) -> str:
    cards = " ".join(event["slots"])
    return f"The {event['card']} card moves from slot {event['from_slot']} to slot 1: {cards}."


def _supported(event: Told, zones: Zones) -> str:
    paid = f", paying {event['spent']}" if event["spent"] else ""
    objective = event["objective"].removeprefix("ob_").replace("_", " ")
    return f"{says(zones, event['seat'], 'support')} {objective} with {event['achievement']} icons{paid}."


def _upgraded(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'turn')} the {event['card']} card to side 2."


def _filled(event: Told, zones: Zones) -> str:
    return f"New on the display: {names(zones, event['tiles'])}."


def _reshuffled(event: Told, zones: Zones) -> str:
    return f"The discard pile becomes a new pile of {_tiles(event['count'])}."


def _triggered(event: Told, zones: Zones) -> str:
    why = " and ".join(REASONS[reason] for reason in event["reasons"])
    left = ", ".join(map(str, event["final_queue"])) or "nobody"
    return f"{says(zones, event['seat'], 'set')} off the final round: {why}. Still to play: {left}."


def _end_marker(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'take')} the end marker of {event['points']} points."


def _solo(event: Told, zones: Zones) -> str:
    return f"A solo marker turns; {event['left']} left."


def _ended(event: Told, zones: Zones) -> str:
    why = " and ".join(REASONS.get(reason, reason) for reason in event["reason"].split("+"))
    points = ", ".join(f"seat {at}: {sheet['total']}" for at, sheet in enumerate(event["sheets"]))
    who = " and ".join(f"seat {seat}" for seat in event["winners"]) or "nobody"
    return f"The match is over, {why}. Points: {points}. Winner: {who}."


def _tiles(n: int) -> str:
    return "1 tile" if n == 1 else f"{n} tiles"


SENTENCES: dict[str, Callable[[Told, Zones], str]] = {
    "match_started": _started,
    "turn_started": _turn,
    "tile_taken": _taken,
    "tiles_drawn": _drawn,
    "tile_placed": _placed,
    "open_area_placed": _area,
    "placement_bonus": _bonus,
    "markers_changed": _markers,
    "pair_completed": _pair,
    "effect_pending": _effect("waits"),
    "effect_resolved": _effect("is carried out"),
    "effect_declined": _effect("is declined"),
    "effect_skipped": _effect("cannot be carried out"),
    "tiles_revealed": _revealed,
    "tile_kept": _kept,
    "tiles_discarded": _discarded,
    "tile_relocated": _relocated,
    "card_moved": _card,
    "objective_supported": _supported,
    "card_upgraded": _upgraded,
    "optional_finished": lambda event, zones: f"{says(zones, event['seat'], 'finish')} the turn.",
    "display_slid": lambda event, zones: "",
    "display_filled": _filled,
    "pile_reshuffled": _reshuffled,
    "end_triggered": _triggered,
    "end_marker_taken": _end_marker,
    "solo_marker_turned": _solo,
    "seat_conceded": lambda event, zones: f"Seat {event['seat']} has conceded.",
    "seat_abandoned": lambda event, zones: f"Seat {event['seat']} is gone.",
    "match_ended": _ended,
}
