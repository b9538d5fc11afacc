"""Decks: what makes one legal, every violation named; warnings; and the ready-made ones (KN-7).

A deck is ``{"name": text, "deity": id, "cards": {card id: count}}``. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.knights.cards import Card, Cards
from engines.knights.options import Options
from engines.knights.terms import BETA
from engines.knights.words import Ability, Inflict, effects_in
from engines.rules import Fault

MAX_ENTRIES, MAX_COUNT = 300, 999
SHAPE = 'a deck is {"name": text, "deity": id, "cards": {card id: count}}'

Violation = tuple[str, str, str, int | None, int | None]
"""Code, card (or ""), text, limit, found."""


def deck_faults(cards: Cards, deck: Any, options: Options) -> list[Fault]:
    """List all violations, sorted by code and card id (KN-7). ``deck``: JSON data of any shape.

    Which kinds a deck is made of is free, but for knights (KN-7.11).
    """
    if not _is_deck(deck):
        return [Fault("bad_deck", "deck", SHAPE)]
    found = sorted(_violations(cards, deck, options), key=lambda one: one[:2])
    return [_fault(*violation) for violation in found]


def _is_deck(deck: Any) -> bool:
    if not isinstance(deck, dict) or not deck.keys() <= {"name", "deity", "cards"}:
        return False
    listed_cards = deck.get("cards")
    named = isinstance(deck.get("deity"), str) and isinstance(deck.get("name", ""), str)
    if not named or not isinstance(listed_cards, dict) or len(listed_cards) > MAX_ENTRIES:
        return False
    return all(isinstance(key, str) for key in listed_cards)


def _fault(code: str, card: str, text: str, limit: int | None, found: int | None) -> Fault:
    details = {"card": card or None, "limit": limit, "found": found}
    return Fault(code, card or "deck", text, {name: value for name, value in details.items() if value is not None})


def _violations(cards: Cards, deck: dict[str, Any], options: Options) -> Iterator[Violation]:
    counts: dict[str, int] = {}
    for key, count in deck["cards"].items():
        good = isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= MAX_COUNT
        counts[key] = count if good else 0
        if not good:
            yield "bad_count", key[:60], "a count is an integer from 1", None, None  # KN-7.3
        if key not in cards:
            yield "unknown_card", key[:60], "there is no such card in the pack", None, None  # KN-7.3
    yield from _sizes(counts, options)
    yield from _kinds({cards[key].id: count for key, count in counts.items() if key in cards}, cards, options)
    if deck["deity"] not in cards.deities:
        yield "unknown_deity", deck["deity"][:60], "there is no such deity in the pack", None, None  # KN-7.9


def _sizes(counts: dict[str, int], options: Options) -> Iterator[Violation]:
    size = sum(counts.values())
    if size < options.deck_min:
        text = f"a deck has at least {options.deck_min} cards, this one {size}"
        yield "deck_too_small", "", text, options.deck_min, size  # KN-7.1, I-4
    if size > options.deck_max:
        text = f"a deck has at most {options.deck_max} cards, this one {size}"
        yield "deck_too_large", "", text, options.deck_max, size  # KN-7.2


def _kinds(counts: dict[str, int], cards: Cards, options: Options) -> Iterator[Violation]:
    for key, count in counts.items():
        card = cards[key]
        if count > card.most:
            text = f"at most {card.most} copies, not {count}"
            yield "copy_limit", key, text, card.most, count  # KN-7.4, I-22
        if card.kind == "trophy":
            yield "trophy_in_deck", key, "a trophy is never in a deck", None, None  # KN-7.8
        if options.state_set == "beta" and not states_of(cards, card) <= set(BETA):
            text = "it inflicts a state that does not exist here"
            yield "state_not_available", key, text, None, None  # KN-7.10
    knights = sum(count for key, count in counts.items() if cards[key].kind == "knight")
    elites = sum(count for key, count in counts.items() if cards[key].kind == "knight" and cards[key].elite)
    if knights > options.max_knights:
        text = f"at most {options.max_knights} knights, not {knights}"
        yield "knight_limit", "", text, options.max_knights, knights  # KN-7.5, I-21
    if elites > options.max_elite:
        text = f"at most {options.max_elite} elite knights, not {elites}"
        yield "elite_limit", "", text, options.max_elite, elites  # KN-7.6, I-21
    if knights == 0:
        yield "no_knights", "", "a deck has a knight", 1, 0  # KN-7.7


def states_of(cards: Cards, card: Card) -> set[str]:
    """Give the states that a card can inflict, rank ability and devotion included (KN-7.10)."""
    abilities: list[Ability] = [ability for _, ability in cards.abilities(card.id)]
    lists = [*(ability.effects for ability in abilities), card.on_use, card.on_hit, card.react, card.own, card.effects]
    return {op.state for effects in lists for op in effects_in(effects) if isinstance(op, Inflict)}


def deck_warnings(cards: Cards, deck: dict[str, Any]) -> list[Fault]:
    """List what is odd about a legal deck: never an error (KN-7.12)."""
    found = [cards[key] for key in sorted(deck["cards"]) if key in cards]
    knights = [card for card in found if card.kind == "knight"]
    orphans = [
        Fault("orphan_technique", card.id, "no knight of the deck can use it")
        for card in found
        if card.kind == "technique" and not any(_may_use(card, knight) for knight in knights)
    ]
    if not any(knight.patron == deck["deity"] for knight in knights):
        orphans.append(Fault("no_patron_match", "deck", "no knight has the preferred deity as its patron"))
    return orphans


def _may_use(technique: Card, knight: Card) -> bool:
    users = technique.users
    if users is None:
        return False
    return knight.id in users.cards or (users.filter is not None and _is_printed_so(knight, users.filter))


def _is_printed_so(knight: Card, wanted: Any) -> bool:
    """Compare what is printed; what changes in play counts as fitting."""
    for name in ("rank", "subrank", "patron", "reference", "rarity", "elite"):
        value = getattr(wanted, name)
        if value is not None and getattr(knight, name) not in (value if isinstance(value, tuple) else (value,)):
            return False
    return wanted.negation is None or not _is_printed_so(knight, wanted.negation)


def listed(cards: Cards, deck: dict[str, Any]) -> list[str]:
    """Give the cards of a legal deck in canonical order: as in the pack, copies together."""
    return [card.id for card in cards for _ in range(deck["cards"].get(card.id, 0))]


def ready_decks(cards: Cards) -> dict[str, dict[str, Any]]:
    """Give the ready-made decks of a pack, by name."""
    return {deck.name: {"name": deck.name, "deity": deck.deity, "cards": dict(deck.cards)} for deck in cards.decks}
