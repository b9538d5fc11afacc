"""Events as sentences, one line each (DI-5.4).

Owns how what happened is told in a terminal. Knows only what the audience was told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.disciple.naming import Zones, does, name_of, names, place, says, subject, whose
from engines.disciple.terms import VIRTUES

Told = Mapping[str, Any]

RESULTS = {
    "virtues": "three complete columns",
    "empty": "the other has neither hand nor deck",
    "turn_limit": "the better board at the turn limit",
}


def line(event: Told, zones: Zones) -> str:
    """Tell an event; an unknown kind is told by its name."""
    sentence = SENTENCES.get(event["event"])
    return sentence(event, zones) if sentence else f"{event['event'].replace('_', ' ').capitalize()}."


def _turn_started(event: Told, zones: Zones) -> str:
    return f"--- Turn {event['turn']}: {whose(zones, event['seat'])} turn ---"


def _drawn(event: Told, zones: Zones) -> str:
    seen = f": {names(event['cards'])}" if "cards" in event else ""
    return f"{says(zones, event['seat'], 'draw')} {_cards(event['n'])}{seen}."


def _card_played(event: Told, zones: Zones) -> str:
    where = f" into the {event['column'].title()} column" if "column" in event else ""
    how = {"action": "", "extra": " as an extra play", "reaction": " as a reaction"}[event["how"]]
    return f"{says(zones, event['seat'], 'play')} {name_of(event['card']['card'])}{where}{how}."


def _reaction_opened(event: Told, zones: Zones) -> str:
    return f"{subject(zones, event['seat'])} may react."


def _reaction_declined(event: Told, zones: Zones) -> str:
    return f"{says(zones, event['seat'], 'let')} it pass."


def _moved(event: Told, zones: Zones) -> str:
    return f"{names(event['cards'])}: from {_route(event, zones)}."


def _discarded(event: Told, zones: Zones) -> str:
    if event["from"]["zone"] == "limbo":
        return f"{names(event['cards'])} is done."
    return f"{names(event['cards'])}: discarded from {place(zones, event['from'])}."


def _milled(event: Told, zones: Zones) -> str:
    return f"{names(event['cards'])}: from {_route(event, zones)}."


def _recovered(event: Told, zones: Zones) -> str:
    return f"{names(event['cards'])}: back from {_route(event, zones)}."


def _put(event: Told, zones: Zones) -> str:
    return f"{names(event['cards'])}: put from {_route(event, zones)}."


def _returned(event: Told, zones: Zones) -> str:
    return f"{names(event['cards'])}: returned from {_route(event, zones)}."


def _flipped(event: Told, zones: Zones) -> str:
    face = "turns back into a saint" if event["face"] == "up" else "turns into a disciple"
    return f"{names(event['cards'])} {face}."


def _abundance(event: Told, zones: Zones) -> str:
    return f"Abundance of {name_of(event['source']['card'])}: seven symbols."


def _ability(verb: str) -> Callable[[Told, Zones], str]:
    return lambda event, zones: f"The ability of {name_of(event['source']['card'])} {verb}."


def _skipped(event: Told, zones: Zones) -> str:
    return f"{name_of(event['source']['card'])}: nothing to {event['do'].replace('_', ' ')}."


def _peeked(event: Told, zones: Zones) -> str:
    what = "the opponent's hand" if event["what"] == "hand" else "the top of the opponent's deck"
    seen = f": {names(event['cards'])}" if "cards" in event else f" ({_cards(event['n'])})"
    return f"{says(zones, event['seat'], 'look')} at {what}{seen}."


def _scried(event: Told, zones: Zones) -> str:
    seen = f" ({names(event['cards'])})" if "cards" in event else ""
    looks = f"{says(zones, event['seat'], 'look')} at the top {_cards(event['n'])} of the deck{seen}"
    return f"{looks}; {event['bottom']} to the bottom."


def _searched(event: Told, zones: Zones) -> str:
    found = names(event["found"]) if event["found"] else "nothing"
    return f"{says(zones, event['seat'], 'search')} the deck and {does(zones, event['seat'], 'take')} {found}."


def _shuffled(event: Told, zones: Zones) -> str:
    return f"{whose(zones, event['seat']).capitalize()} deck is shuffled."


def _lasting(verb: str) -> Callable[[Told, Zones], str]:
    return lambda event, zones: f"{event['kind'].capitalize()} on {name_of(event['card']['card'])} {verb}."


def _counts(event: Told, zones: Zones) -> str:
    rows = (f"{virtue.title()} {event['symbols']['0'][virtue]}:{event['symbols']['1'][virtue]}" for virtue in VIRTUES)
    return f"Symbols (seat 0 : seat 1): {', '.join(rows)}."


def _turn_ended(event: Told, zones: Zones) -> str:
    return f"Turn {event['turn']} ends."


def _game_over(event: Told, zones: Zones) -> str:
    if event["winner"] is None:
        return f"The match is drawn ({event['reason'].replace('_', ' ')})."
    return f"{says(zones, event['winner'], 'win')}: {RESULTS[event['reason']]}."


def _route(event: Told, zones: Zones) -> str:
    return f"{place(zones, event['from'])} to {place(zones, event['to'])}"


def _cards(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


SENTENCES: dict[str, Callable[[Told, Zones], str]] = {
    "turn_started": _turn_started,
    "drawn": _drawn,
    "card_played": _card_played,
    "reaction_opened": _reaction_opened,
    "reaction_declined": _reaction_declined,
    "moved": _moved,
    "side_switched": _moved,
    "flipped": _flipped,
    "returned": _returned,
    "discarded": _discarded,
    "milled": _milled,
    "recovered": _recovered,
    "put": _put,
    "abundance_activated": _abundance,
    "ability_started": _ability("begins"),
    "ability_ended": _ability("is done"),
    "ability_dropped": _ability("is lost with it"),
    "effect_skipped": _skipped,
    "peeked": _peeked,
    "scried": _scried,
    "searched": _searched,
    "shuffled": _shuffled,
    "lasting_added": _lasting("begins"),
    "lasting_ended": _lasting("ends"),
    "counts": _counts,
    "turn_ended": _turn_ended,
    "game_over": _game_over,
}
