"""What cards, seats and slots are called in a terminal, as one audience knows them.

Owns names and pronouns. Knows zones and printed cards, no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.patron.pack import printed
from engines.patron.phrases import third, title

Zones = Mapping[str, Any]
SEATS = ("0", "1")


def viewer(zones: Zones) -> int | None:
    """Find out whose zones these are: of the seat whose hand they show."""
    return next((int(seat) for seat in SEATS if "cards" in zones["hand"][seat]), None)


def name_of(key: str) -> str:
    """Give a card's printed name; of a pack that is not known here, its id as words."""
    card = printed(key)
    return card.name if card else title(key)


def names(cards: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(name_of(card["card"]) for card in cards) or "nothing"


def subject(zones: Zones, seat: int) -> str:
    """Begin a sentence about a seat: "You", "Seat 1"."""
    return "You" if seat == viewer(zones) else f"Seat {seat}"


def says(zones: Zones, seat: int, verb: str) -> str:
    """Begin a sentence with its verb: "You draw", "Seat 1 draws"."""
    return f"{subject(zones, seat)} {verb if seat == viewer(zones) else third(verb)}"


def whose(zones: Zones, seat: int) -> str:
    """Give the possessive of a seat: "your", "seat 1's"."""
    return "your" if seat == viewer(zones) else f"seat {seat}'s"


def _shown(zones: Zones) -> Iterator[Mapping[str, Any]]:
    """Give every card that a view names, wherever it lies."""
    yield from zones["resolving"]
    yield from zones["look"]
    for seat in SEATS:
        yield zones["patron"][seat]
        yield from zones["hand"][seat].get("cards", ())
        for zone in ("terra", "graces", "discard"):
            yield from zones[zone][seat]


def name_by_id(zones: Zones, card: str) -> str:
    """Name a card by its id; one that has gone meanwhile is only "a card"."""
    return next((name_of(shown["card"]) for shown in _shown(zones) if shown["id"] == card), "a card")


def name_of_slot(zones: Zones, slot: str) -> str:
    """Name a face-down event: by its card if it is known to whoever looks."""
    for seat in SEATS:
        for event in zones["events"][seat]:
            if event["slot"] == slot:
                return f"{slot} ({name_of(event['card'])})" if "card" in event else f"{slot} of seat {seat}"
    return slot
