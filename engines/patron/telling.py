"""Events as sentences, one line each (PA-5.7).

Owns how what happened is told in a terminal. Knows only what the audience was told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.patron.naming import Zones, name_of, names, says, subject, whose
from engines.patron.phrases import count

Told = Mapping[str, Any]

RESULTS = {
    "milestones": "all five milestones",
    "deck_out": "the other cannot draw",
    "max_turns": "the better patron after the last turn",
}
PLACES = {
    "terra": "the Terra Sanctorum", "graces": "the graces", "events": "a face-down place", "hand": "hand",
    "deck": "the deck", "discard": "the discard pile", "resolving": "the table",
}  # fmt: skip
SOURCES = {"ongoing": "lasting", "effect": "effect of"}


def line(event: Told, zones: Zones) -> str:
    """Tell an event; an unknown kind is told by its name."""
    sentence = SENTENCES.get(event["event"])
    return sentence(event, zones) if sentence else f"{event['event'].replace('_', ' ').capitalize()}."


def check_line(told: Told, zones: Zones) -> str:
    """Tell a check with every addend: dice, parts, cap, number, outcome (PA-4.23)."""
    kept = "" if told["kept"] == told["dice"] else f" (counting {_sum(told['kept'])})"
    number = str(told["printed"]) + "".join(f" {_part(part)}" for part in told["number_parts"])
    number += f" = {told['number']}" if told["number_parts"] else ""
    outcome = "success" if told["success"] else "failure"
    goal = "at least" if told["rule"] == "reach" else "more than"
    what = f"{name_of(told['card']['card'])}, {told['virtue']}"
    return (
        f"{says(zones, told['seat'], 'roll')} {_sum(told['dice'])}{kept} {_modifier(told)} = {told['total']} "
        f"against {goal} {number} ({what}): {outcome}."
    )


def _modifier(told: Told) -> str:
    parts = " ".join(map(_part, told["parts"])) or "+0"
    return f"{parts}, at most +{told['cap']}," if told["modifier_sum"] > told["cap"] else parts


def _sum(dice: list[int]) -> str:
    return "+".join(map(str, dice))


def _part(part: Told) -> str:
    return f"{part['n']:+d} ({SOURCES.get(part['source'], part['source'])} {name_of(part['card'])})"


def _turn_started(event: Told, zones: Zones) -> str:
    return f"--- Turn {event['turn']}: {whose(zones, event['seat'])} turn ---"


def _phase_entered(event: Told, zones: Zones) -> str:
    again = " again" if event["pass_index"] else ""
    return f"Phase: {event['phase']}{again}."


def _cards_drawn(event: Told, zones: Zones) -> str:
    seen = f": {names(event['cards'])}" if "cards" in event else ""
    return f"{says(zones, event['seat'], 'draw')} {count(event['count'], 'card')}{seen}."


def _rolled(event: Told, zones: Zones) -> str:
    more = f" +{event['stored']} stored" if event["stored"] else ""
    more += f" {event['bonus']:+d}" if event["bonus"] else ""
    kept = "" if event["kept"] == event["dice"] else f" (counting {_sum(event['kept'])})"
    rolls = f"{says(zones, event['seat'], 'roll')} {_sum(event['dice'])}{kept}{more}"
    return f"{rolls}: {count(event['pool'], 'point')} of intercession."


def _played(event: Told, zones: Zones) -> str:
    cost = f" for {event['cost']}" if event.get("cost") else ""
    return f"{says(zones, event['seat'], 'play')} {name_of(event['card']['card'])}{cost}."


def _about(verb: str, after: str = "") -> Callable[[Told, Zones], str]:
    def tell(event: Told, zones: Zones) -> str:
        return f"{says(zones, event['seat'], verb)} {name_of(event['card']['card'])}{after}."

    return tell


def _friend_set(event: Told, zones: Zones) -> str:
    before = f", in place of {name_of(event['previous']['card'])}" if event["previous"] else ""
    return f"{says(zones, event['seat'], 'choose')} {name_of(event['card']['card'])} as friend{before}."


def _event_set(event: Told, zones: Zones) -> str:
    what = f": {name_of(event['card']['card'])}" if "card" in event else ""
    return f"{says(zones, event['seat'], 'set')} event {event['slot']} face down{what}."


def _event_revealed(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['activator'], 'activate')} {event['slot']}: {name_of(event['card']['card'])}."


def _event_won(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'win')} {name_of(event['card']['card'])}: {count(event['tokens'], 'token')}."


def _event_unwon(event: Told, zones: Zones) -> str:
    return f"Nobody wins {name_of(event['card']['card'])}."


def _passed(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'pass')}{' (nothing is ready)' if event['auto'] else ''}."


def _milestone(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'complete')} milestone {event['number']}!"


def _milestone_failed(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'fail')} milestone {event['number']}."


def _discarded(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'discard')} {names(event['cards'])}."


def _moved(event: Told, zones: Zones) -> str:
    what = (
        name_of(event["card"]["card"]) if "card" in event else f"event {event['slot']}" if "slot" in event else "a card"
    )
    goal = PLACES[event["to"]]
    return f"{whose(zones, event['seat']).capitalize()} {what}: from {PLACES[event['from']]} to {goal}."


def _looked(event: Told, zones: Zones) -> str:
    seen = f": {names(event['cards'])}" if "cards" in event else ""
    return f"{says(zones, event['seat'], 'look')} at the top {count(event['count'], 'card')} of the deck{seen}."


def _peeked(event: Told, zones: Zones) -> str:
    what = f"event {event['slot']}" if event["what"] == "event" else "the hand"
    seen = f": {', '.join(map(name_of, event['cards'])) or 'nothing'}" if "cards" in event else ""
    return f"{says(zones, event['seat'], 'look')} at {what} of seat {event['whose']}{seen}."


def _tokens(event: Told, zones: Zones) -> str:
    return f"{subject(zones, event['seat'])}: {event['by']:+d} tokens, now {event['tokens']}."


def _stored(event: Told, zones: Zones) -> str:
    return f"{subject(zones, event['seat'])}: {count(event.get('stored', 0), 'stored point')}."


def _ongoing(verb: str) -> Callable[[Told, Zones], str]:
    return lambda event, zones: f"{lasting_line(event['ongoing'])} {verb}."


def lasting_line(lasting: Told) -> str:
    """Name a lasting operation: what it does, to whom, how long, and whence it is."""
    words = [str(lasting[word]) for word in ("virtue", "rule", "action") if word in lasting]
    amount = [f"{lasting['n']:+d}"] if "n" in lasting else []
    what = " ".join([*amount, lasting["op"].replace("_", " "), *words])
    return f"{what} for seat {lasting['seat']} ({name_of(lasting['card'])}, {lasting['duration']})"


def _trigger(event: Told, zones: Zones) -> str:
    return f"{subject(zones, event['seat'])}: {name_of(event['card']['card'])} takes effect."


def _shuffled(event: Told, zones: Zones) -> str:
    again = " from the discard pile" if "count" in event else ""
    return f"{whose(zones, event['seat']).capitalize()} deck is shuffled{again}."


def _mulligan(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'exchange')} {count(event['count'], 'card')}."


def _start_roll(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'roll')} {_sum(event['dice'])} for the first turn."


def _first_chosen(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'begin')}."


def _turn_ended(event: Told, zones: Zones) -> str:
    return f"Turn {event['turn']} ends."


def _game_over(event: Told, zones: Zones) -> str:
    if event["winner"] == "draw":
        return "The match is drawn."
    return f"{says(zones, event['winner'], 'win')}: {RESULTS[event['reason']]}."


SENTENCES: dict[str, Callable[[Told, Zones], str]] = {
    "match_started": lambda event, zones: "The match begins.",
    "start_roll": _start_roll, "first_chosen": _first_chosen, "mulligan_done": _mulligan,
    "deck_shuffled": _shuffled, "deck_reshuffled": _shuffled, "turn_started": _turn_started,
    "phase_entered": _phase_entered, "cards_drawn": _cards_drawn, "intercession_rolled": _rolled,
    "saint_played": _played, "patron_played": _played, "grace_played": _played,
    "grace_failed": _about("lose", ", not overcome"), "points_stored": _stored, "stored_reset": _stored,
    "stored_changed": _stored, "friend_set": _friend_set, "effect_activated": _about("activate"),
    "event_set": _event_set, "event_revealed": _event_revealed, "event_won": _event_won, "event_unwon": _event_unwon,
    "priority_passed": _passed, "check_rolled": check_line, "milestone_completed": _milestone,
    "milestone_failed": _milestone_failed, "card_cycled": _about("cycle"), "hand_discarded": _discarded,
    "card_moved": _moved, "cards_looked": _looked, "peeked": _peeked, "tokens_changed": _tokens,
    "stone_removed": _about("take", "'s stone away"), "ongoing_added": _ongoing("begins"),
    "ongoing_expired": _ongoing("ends"), "trigger_fired": _trigger, "turn_ended": _turn_ended, "game_over": _game_over,
}  # fmt: skip
