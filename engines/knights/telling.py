"""Events as sentences, one line each (KN-5.50).

Owns how what happened is told in a terminal. Knows only what the audience was told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.knights.naming import Zones, knight_at, name_of, names, says, subject, whose
from engines.knights.phrases import AFFLICTED, PILES, STATS

Told = Mapping[str, Any]
Teller = Callable[[Told, Zones], str]

REASONS = {"pvd": "no divine life is left", "draw": "both fell at once", "turn_limit": "the turn limit is reached"}
WHERE = {"deck_top": "the top of the deck", "deck_bottom": "the bottom of the deck", "field": "play", **PILES}
LEFT = {
    "destroyed": "is destroyed", "discarded": "is discarded", "replaced": "is replaced",
    "host_gone": "goes with its knight", "resolved": "is done",
}  # fmt: skip


def line(event: Told, zones: Zones) -> str:
    """Tell an event; an unknown kind is told by its name."""
    teller = SENTENCES.get(event["event"])
    return teller(event, zones) if teller else f"{event['event'].replace('_', ' ').capitalize()}."


def _drawn(event: Told, zones: Zones) -> str:
    card = name_of(event["card"]["card"]) if "card" in event else "a card"
    return f"{says(zones, event['seat'], 'draw')} {card}."


def _mulligan(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'redraw' if event['redrew'] else 'keep')} the hand."


def _played(verb: str) -> Teller:
    return lambda event, zones: f"{says(zones, event['seat'], verb)} {name_of(event['card']['card'])}{_slot(event)}."


def _slot(event: Told) -> str:
    return f" in space {event['slot']}" if "slot" in event else ""


def _set(event: Told, zones: Zones) -> str:
    if "card" not in event:
        return f"{says(zones, event['seat'], 'lay')} a technique face down{_slot(event)}."
    face = " face down" if event["face"] == "down" else ""
    card = name_of(event["card"]["card"])
    return f"{says(zones, event['seat'], 'lay')} {card}{face} for {knight_at(zones, event['host'])}."


def _flipped(event: Told, zones: Zones) -> str:
    return f"{name_of(event['card']['card'])} turns face {event['face']}."


def _equipped(event: Told, zones: Zones) -> str:
    return f"{knight_at(zones, event['host'])} bears {name_of(event['card']['card'])}."


def _used(verb: str) -> Teller:
    return lambda event, zones: f"{knight_at(zones, event['host'])} {verb} {name_of(event['card']['card'])}."


def _left(event: Told, zones: Zones) -> str:
    card = name_of(event["card"]["card"]) if "card" in event else "A card"
    return f"{card} {LEFT.get(event['reason'], 'leaves play')} ({WHERE[event['to']]})."


def _declared(event: Told, zones: Zones) -> str:
    attacker = knight_at(zones, event["attacker"])
    if event["kind"] == "direct":
        return f"{attacker} attacks {subject(zones, 1 - event['attacker']['seat']).lower()} directly."
    targets = " and ".join(knight_at(zones, target) for target in event["targets"])
    by = f" with {name_of(event['technique'])}" if event["technique"] else ""
    return f"{attacker} attacks {targets}{by}."


def _damage(event: Told, zones: Zones) -> str:
    how = {"acn": "plain attack", "counter": "counter"}.get(event["how"]) or name_of(event["how"])
    rest = f", reduced to {event['damage']}" if event["damage"] != event["raw"] else ""
    sums = f"attack {event['aa']}, armour {event['armor']}: {event['raw']} damage{rest}"
    return f"{name_of(event['attacker'])} hits {name_of(event['card'])} ({how}): {sums}."


def _counted(unit: str, field: str) -> Teller:
    return lambda event, zones: f"{knight_at(zones, event['knight'])}: {event['amount']:+d} {unit}, now {event[field]}."


def _stat(event: Told, zones: Zones) -> str:
    return f"{knight_at(zones, event['knight'])}: {event['amount']:+d} {STATS[event['stat']]}."


def _state(verb: str) -> Teller:
    return lambda event, zones: f"{knight_at(zones, event['knight'])} {verb} {AFFLICTED[event['state']]}."


def _keyword(event: Told, zones: Zones) -> str:
    return f"{knight_at(zones, event['knight'])}: {event['keyword'].replace('_', ' ')}."


def _restriction(event: Told, zones: Zones) -> str:
    what = event["what"].replace("_", " ")
    can = "may have" if not event["duration"] else "may not have"
    return f"{subject(zones, event['seat'])} {can} {what}s."


def _control(event: Told, zones: Zones) -> str:
    return f"{knight_at(zones, event['to'])} now stands on {whose(zones, event['to']['seat'])} side."


def _pvd(event: Told, zones: Zones) -> str:
    return f"{subject(zones, event['seat'])}: {event['amount']:+d} divine life, now {event['pvd']}."


def _searched(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'search')} {whose(zones, event['whose'])} deck."


def _peeked(event: Told, zones: Zones) -> str:
    seen = f": {names(event['cards'])}" if "cards" in event else ""
    pile = f"{whose(zones, event['whose'])} {event['zone']}"
    return f"{says(zones, event['seat'], 'look')} at {event['count']} of {pile}{seen}."


def _moved(event: Told, zones: Zones) -> str:
    cards = names(event["cards"]) if event.get("cards") else f"{event['n']} card{'s' if event['n'] != 1 else ''}"
    return f"{cards}: from {whose(zones, event['seat'])} {WHERE[event['from']]} to {WHERE[event['to']]}."


def _trigger(event: Told, zones: Zones) -> str:
    source = name_of(event["source"]["card"]) if "source" in event else name_of(event["deity"])
    return f"{source} acts ({event['trigger'].replace('_', ' ')})."


def _over(event: Told, zones: Zones) -> str:
    if event["winner"] is None:
        return f"The match is drawn: {REASONS[event['reason']]}."
    return f"{says(zones, event['winner'], 'win')}: {REASONS[event['reason']]}."


SENTENCES: dict[str, Teller] = {
    "deities_revealed": lambda event, _: f"The seats serve {' and '.join(map(name_of, event['deities']))}.",
    "match_started": lambda event, zones: f"{says(zones, event['starter'], 'begin')}.",
    "turn_started": lambda event, zones: f"--- Turn {event['turn']}: {whose(zones, event['seat'])} turn ---",
    "turn_ended": lambda event, _: f"Turn {event['turn']} ends.",
    "card_drawn": _drawn,
    "deck_empty": lambda event, zones: f"{whose(zones, event['seat']).capitalize()} deck is empty.",
    "mulligan_done": _mulligan,
    "knight_entered": _played("bring"),
    "helper_played": _played("take"),
    "scenario_played": _played("open"),
    "occasion_played": _played("play"),
    "technique_set": _set,
    "technique_flipped": _flipped,
    "object_equipped": _equipped,
    "technique_used": _used("uses"),
    "technique_fizzled": _used("has too little cosmos for"),
    "reacted": _used("reacts with"),
    "card_left": _left,
    "attack_declared": _declared,
    "attack_redirected": lambda event, zones: f"The attack now hits {knight_at(zones, event['target'])}.",
    "attack_evaded": lambda event, zones: f"{knight_at(zones, event['target'])} evades.",
    "attack_ended": lambda event, _: "" if event["reason"] == "hit" else "The attack comes to nothing.",
    "reaction_window": lambda event, zones: f"{subject(zones, event['seat'])} may react.",
    "reaction_passed": lambda event, zones: f"{says(zones, event['seat'], 'let')} it come.",
    "damage_dealt": _damage,
    "pv_changed": _counted("Pv", "pv"),
    "pc_changed": _counted("Pc", "pc"),
    "stat_changed": _stat,
    "stance_changed": lambda event, zones: f"{knight_at(zones, event['knight'])}: stance {event['stance']}.",
    "state_gained": _state("is now"),
    "state_lost": _state("is no longer"),
    "state_resisted": _state("is not made"),
    "keyword_changed": _keyword,
    "readied": lambda event, zones: f"{knight_at(zones, event['knight'])} may act again.",
    "restriction_changed": _restriction,
    "control_changed": _control,
    "knight_moved": lambda event, zones: f"{knight_at(zones, event['to'])} moves to space {event['to']['slot']}.",
    "knight_destroyed": lambda event, zones: f"{name_of(event['card']['card'])} falls.",
    "pvd_changed": _pvd,
    "coin_tossed": lambda event, _: f"The coin shows {event['result']}.",
    "search_started": _searched,
    "deck_shuffled": lambda event, zones: f"{whose(zones, event['seat']).capitalize()} deck is shuffled.",
    "peeked": _peeked,
    "cards_moved": _moved,
    "ability_activated": lambda event, _: f"{name_of(event['source']['card'])} uses an ability.",
    "trigger_resolved": _trigger,
    "resolution_limit": lambda *_: "Too much was triggered: the rest is dropped.",
    "match_over": _over,
}
