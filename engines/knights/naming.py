"""Names for people: of cards, seats and places, from what one audience sees.

Owns words for a terminal. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.knights.pack import printed

Zones = Mapping[str, Any]


def name_of(key: str) -> str:
    """Name a card; one of a pack that did not ship is named by its id."""
    card = printed(key)
    return card.name if card else key.replace("-", " ").title()


def names(cards: Iterable[Mapping[str, str] | str]) -> str:
    """Name cards, given as ids or as events and zones show them."""
    return ", ".join(name_of(card if isinstance(card, str) else card["card"]) for card in cards)


def viewer(zones: Zones) -> int | None:
    """Say whose eyes these are: the seat whose hand is open; None for a spectator."""
    return next((seat for seat in (0, 1) if "cards" in zones["hand"][str(seat)]), None)


def subject(zones: Zones, seat: int) -> str:
    """Begin a sentence about a seat: "You", "Seat 1"."""
    return "You" if seat == viewer(zones) else f"Seat {seat}"


def says(zones: Zones, seat: int, verb: str) -> str:
    """Begin a sentence with its verb: "You draw", "Seat 1 draws"."""
    if seat == viewer(zones):
        return f"You {verb}"
    return f"Seat {seat} {verb}{'es' if verb.endswith(('s', 'sh', 'ch')) else 's'}"


def whose(zones: Zones, seat: int) -> str:
    """Give the possessive of a seat: "your", "seat 1's"."""
    return "your" if seat == viewer(zones) else f"seat {seat}'s"


def knight_at(zones: Zones, place: Mapping[str, int] | None) -> str:
    """Name the knight that stands at a place now; one that has gone is named by the place."""
    if place is None:
        return "a knight that is gone"
    space = zones["knights"][str(place["seat"])][place["slot"] - 1]
    if space is None or "card" not in space:
        return f"the knight in {whose(zones, place['seat'])} space {place['slot']}"
    return name_of(space["card"])


def held(zones: Zones, name: str) -> str:
    """Name a card by its id, wherever this audience sees it."""
    shown = [*zones["look"]]
    for seat in ("0", "1"):
        shown += [*zones["hand"][seat].get("cards", ()), *zones["discard"][seat]]
    return next((name_of(card["card"]) for card in shown if card["id"] == name), "a card")
