"""Names for people: of cards, seats and places, from what one audience sees.

Owns words for a terminal. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.disciple.pack import printed
from engines.disciple.terms import VIRTUES

Zones = Mapping[str, Any]


def name_of(key: str) -> str:
    """Name a card; one of a pack that did not ship is named by its key."""
    card = printed(key)
    return card.name if card else key.replace("_", " ").title()


def names(cards: Iterable[Mapping[str, str] | str]) -> str:
    """Name cards, given as keys or as events and zones show them."""
    return ", ".join(name_of(card if isinstance(card, str) else card["card"]) for card in cards)


def viewer(zones: Zones) -> int | None:
    """Say whose eyes these are: the seat whose hand is open; None for a spectator."""
    return next((seat for seat in (0, 1) if "cards" in zones["hand"][str(seat)]), None)


def subject(zones: Zones, seat: int) -> str:
    """Begin a sentence about a seat: "You", "Seat 1"."""
    return "You" if seat == viewer(zones) else f"Seat {seat}"


def does(zones: Zones, seat: int, verb: str) -> str:
    """Put a verb where a seat is the subject: "draw" for you, "draws" for seat 1."""
    if seat == viewer(zones):
        return verb
    return f"{verb}{'es' if verb.endswith(('s', 'sh', 'ch')) else 's'}"


def says(zones: Zones, seat: int, verb: str) -> str:
    """Begin a sentence with its verb: "You draw", "Seat 1 draws"."""
    return f"{subject(zones, seat)} {does(zones, seat, verb)}"


def whose(zones: Zones, seat: int) -> str:
    """Give the possessive of a seat: "your", "seat 1's"."""
    return "your" if seat == viewer(zones) else f"seat {seat}'s"


def place(zones: Zones, where: Mapping[str, Any]) -> str:
    """Name a place of an event: "your hand", "seat 1's Fire column"."""
    zone = where["zone"]
    if zone == "limbo":
        return "the table"
    noun = {"discard": "discard pile"}.get(zone, f"{zone.title()} column" if zone in VIRTUES else zone)
    return f"{whose(zones, where['seat'])} {noun}"


def shown_cards(zones: Zones) -> Iterator[Mapping[str, Any]]:
    """Give every card that a view names, wherever it lies."""
    yield from zones["limbo"]
    yield from zones["look"]
    for seat in ("0", "1"):
        yield from zones["hand"][seat].get("cards", ())
        yield from zones["discard"][seat]
        for virtue in VIRTUES:
            yield from zones[virtue][seat]
    for pending in zones["pending"]:
        yield pending["source"]


def name_by_id(zones: Zones, card: str) -> str:
    """Name a card by its id; one that has gone meanwhile is only "a card"."""
    return next((name_of(shown["card"]) for shown in shown_cards(zones) if shown["id"] == card), "a card")
