"""The small parts of a card's text: who, how many, which cards, under which condition (PA-6.2, PA-6.10, PA-6.13).

Owns wording alone. "You" is whoever controls the card.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.patron.terms import Condition, Filter, Who

SUBJECTS: dict[Who, str] = {
    "self": "you",
    "opponent": "your opponent",
    "active": "the active player",
    "winner": "the winner",
    "loser": "the loser",
    "activator": "the activator",
    "each": "each player",
}
HOLDINGS = {
    "milestones": "milestone",
    "tokens": "token",
    "stored": "stored point",
    "hand": "card in hand",
    "deck": "card in the deck",
    "discard_pile": "card in the discard pile",
    "events_set": "face-down event",
    "events_won_turn": "event won this turn",
    "saints_played_turn": "saint played this turn",
    "graces_played_turn": "grace played this turn",
}
IRREGULAR = {"have": "has", "do": "does", "may": "may", "are": "is"}


def subject(who: Who) -> str:
    return SUBJECTS[who]


def possessive(who: Who) -> str:
    return "your" if who == "self" else f"{SUBJECTS[who]}'s"


def own(who: Who) -> str:
    """Refer back to a subject: "your deck", "their deck"."""
    return "your" if who == "self" else "their"


def does(who: Who, verb: str) -> str:
    """Give a subject with its verb: "you draw", "the winner draws"."""
    return f"{SUBJECTS[who]} {verb if who == 'self' else third(verb)}"


def third(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    return f"{verb}es" if verb.endswith(("s", "sh", "ch")) else f"{verb}s"


def count(n: int, noun: str) -> str:
    """Count things; the noun's first word, or the one before "in" or "of", takes the plural."""
    return f"{n} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Give the plural of the word that counts: "cards in hand", "graces with hope", "saints played this turn"."""
    for stem in ("milestone", "token", "point", "card", "event", "saint", "grace"):
        head, found, tail = noun.partition(stem)
        if found:
            return f"{head}{stem}s{tail}"
    return f"{noun}s"


def alternatives(words: Sequence[str]) -> str:
    return " or ".join(words)


def cards(wanted: Filter | None, noun: str = "card") -> str:
    """Name what a filter lets through, in the singular: "legendary saint with hope and a score of at most 3"."""
    if wanted is None:
        return noun
    word = noun.replace("card", wanted.kind) if wanted.kind else noun
    before = [*_legendary(wanted), *([wanted.trait] if wanted.trait else [])]
    after = [*_traits(wanted), *_score(wanted)]
    named = f" named {title(wanted.id)}" if wanted.id else ""
    role = {
        "patron": " that is the patron",
        "friend": " that is the friend",
        "other": " that is neither patron nor friend",
    }
    place = role[wanted.role] if wanted.role else ""
    return " ".join([*before, word]) + named + (f" with {' and '.join(after)}" if after else "") + place


def _legendary(wanted: Filter) -> list[str]:
    return [] if wanted.legendary is None else ["legendary" if wanted.legendary else "common"]


def _traits(wanted: Filter) -> list[str]:
    return [wanted.virtue] if wanted.virtue else []


def _score(wanted: Filter) -> list[str]:
    low, high = wanted.min_score, wanted.max_score
    if low is None and high is None:
        return []
    if low is not None and high is not None:
        return [f"a score of {low} to {high}"]
    return [f"a score of at least {low}" if high is None else f"a score of at most {high}"]


def title(key: str) -> str:
    """Write a card's id as a name: "daily_rosary" is "Daily Rosary"."""
    return " ".join(word if word in ("of", "the", "at") else word.capitalize() for word in key.split("_"))


def condition(cond: Condition) -> str:
    """Say a condition: "you have at least 3 tokens"."""
    if cond.all:
        return " and ".join(map(condition, cond.all))
    if cond.any:
        return " or ".join(map(condition, cond.any))
    if cond.inverse is not None:
        return f"it is not so that {condition(cond.inverse)}"
    return _query(cond)


def _query(cond: Condition) -> str:
    match cond.q:
        case "patron":
            absent = cond.max == 0
            return f"{possessive(cond.who)} patron is {'not ' if absent else ''}in play"
        case "is_active":
            absent = cond.max == 0
            return f"it is {'not ' if absent else ''}{possessive(cond.who)} turn"
        case "modifier":
            return f"{possessive(cond.who)} modifier on {cond.virtue} is {_bounds(cond)}"
        case "graces":
            noun = cards(cond.filter, "grace")
        case "saints":
            noun = cards(cond.filter, "saint in play")
        case name:
            noun = HOLDINGS[str(name)]
    number = cond.max if cond.min is None else cond.min if cond.max in (None, cond.min) else None
    return f"{does(cond.who, 'have')} {_bounds(cond)} {noun if number == 1 else plural(noun)}"


def _bounds(cond: Condition) -> str:
    if cond.min is None:
        return f"at most {cond.max}"
    if cond.max is None:
        return f"at least {cond.min}"
    return f"exactly {cond.min}" if cond.min == cond.max else f"{cond.min} to {cond.max}"
