"""Decks: what makes one legal, every violation named; and the ready-made ones (PA-7).

A deck is ``{"pack": id, "patron": card id, "cards": {card id: count}}``; ``cards`` are the 39 without the patron.
Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.patron.cards import Cards
from engines.rules import Fault

SIZE = 40
LEAST_EVENTS = 15
COPIES, LEGENDARY_COPIES = 3, 2
MAX_ENTRIES = 500
FORM = 'a deck is {"pack": id, "patron": card id, "cards": {card id: count}}'


def deck_faults(cards: Cards, deck: Any) -> list[Fault]:
    """List all violations of PA-7.2, by code, then by card (PA-3.1). ``deck``: JSON data of any shape."""
    if not _has_form(deck):
        return [Fault("malformed_deck", "deck", FORM)]
    if deck["pack"] != cards.id:
        return [Fault("unknown_pack", "pack", f"this match is played with the pack {cards.id!r}", {"limit": cards.id})]
    found = [*_counts(deck), *_size(deck), *_patron(cards, deck), *_events(cards, deck), *_unknown(cards, deck)]
    return sorted([*found, *_copies(cards, deck)], key=lambda fault: (fault.code, fault.details.get("card", "")))


def ready_decks(cards: Cards) -> dict[str, dict[str, Any]]:
    """Give the ready-made decks of a pack, by name."""
    return {deck.name: {"pack": cards.id, "patron": deck.patron, "cards": dict(deck.cards)} for deck in cards.decks}


def listed(cards: Cards, deck: Any) -> list[str]:
    """Give the 39 card ids of a legal deck in canonical order: sorted, copies together (PA-3.2)."""
    return [key for key in sorted(deck["cards"]) for _ in range(deck["cards"][key])]


def _has_form(deck: Any) -> bool:
    if not isinstance(deck, dict) or deck.keys() != {"pack", "patron", "cards"}:
        return False
    entries = deck["cards"]
    strings = isinstance(deck["pack"], str) and isinstance(deck["patron"], str)
    return strings and isinstance(entries, dict) and len(entries) <= MAX_ENTRIES and all(map(_is_key, entries))


def _is_key(key: Any) -> bool:
    return isinstance(key, str) and len(key) <= 60


def _is_count(count: Any) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= 999


def _sound(deck: Any) -> dict[str, int]:
    """Give the entries whose count is a number of cards; the others count 0 (PA-7.2 ``deck_size``)."""
    return {key: count for key, count in deck["cards"].items() if _is_count(count)}


def _counts(deck: Any) -> Iterator[Fault]:
    for key, count in deck["cards"].items():
        if not _is_count(count):
            yield _fault("bad_count", key, "a count is an integer from 1")


def _size(deck: Any) -> Iterator[Fault]:
    total = sum(_sound(deck).values()) + 1
    if total != SIZE:  # PA-7.1
        text = f"a deck has {SIZE} cards with the patron, this one {total}"
        yield Fault("deck_size", "deck", text, {"found": total, "limit": SIZE})


def _patron(cards: Cards, deck: Any) -> Iterator[Fault]:
    patron = deck["patron"]
    if patron in _sound(deck):
        yield _fault("patron_in_deck", patron, "the patron has no second copy in the deck")
    if patron in cards and cards[patron].kind != "saint":  # PA-7.3: any saint may be
        yield _fault("patron_not_saint", patron, f"{cards[patron].name} is no saint")


def _events(cards: Cards, deck: Any) -> Iterator[Fault]:
    events = sum(count for key, count in _sound(deck).items() if key in cards and cards[key].kind == "event")
    if events < LEAST_EVENTS:  # PA-9.43
        text = f"at least {LEAST_EVENTS} event cards, not {events}"
        yield Fault("too_few_events", "deck", text, {"found": events, "limit": LEAST_EVENTS})


def _copies(cards: Cards, deck: Any) -> Iterator[Fault]:
    for key, count in _sound(deck).items():
        limit = COPIES if key not in cards or not cards[key].legendary else LEGENDARY_COPIES
        if key in cards and count > limit:
            text = f"at most {limit} copies of {cards[key].name}, not {count}"
            yield Fault("too_many_copies", key, text, {"card": key, "found": count, "limit": limit})


def _unknown(cards: Cards, deck: Any) -> Iterator[Fault]:
    for key in sorted({deck["patron"], *deck["cards"]}):
        if key not in cards:
            yield _fault("unknown_card", key, "there is no such card in the pack")


def _fault(code: str, card: str, text: str) -> Fault:
    return Fault(code, card or "deck", text, {"card": card})
