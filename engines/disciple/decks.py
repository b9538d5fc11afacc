"""Decks: what makes one legal, every violation named; and the ready-made ones (DI-7).

A deck is a list of ``{"card": key, "count": n}``. Knows no state.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from engines.disciple.cards import Cards
from engines.rules import Fault

SIZE, COPIES, COMMONS, RARES = 30, 3, 5, 10
MAX_ENTRIES = 300


def deck_faults(cards: Cards, deck: Any) -> list[Fault]:
    """List all violations of DI-7.1, in the order of its table, then by key. ``deck``: JSON data of any shape."""
    if not isinstance(deck, list) or len(deck) > MAX_ENTRIES or not all(map(_is_entry, deck)):
        text = f'a deck is a list of {{"card": key, "count": n}}, at most {MAX_ENTRIES} of them'
        return [Fault("E_DECK_SHAPE", "deck", text)]
    counts = _counts(cards, deck)
    return [*_unknown(cards, deck), *_miscounted(deck), *_sums(cards, counts), *_miraculous(cards, counts)]


def listed(cards: Cards, deck: Any) -> list[str]:
    """Give the 30 card keys of a legal deck in canonical order: by number, copies together (DI-3.3)."""
    return cards.in_order(_counts(cards, deck).elements())


@cache
def ready_decks(pack: str) -> dict[str, list[dict[str, Any]]]:
    """Give the ready-made decks for the pack of that id, by name."""
    tree = tomllib.loads((files("engines.disciple") / "pack" / "decks.toml").read_text())
    return {deck["name"]: deck["cards"] for deck in tree["deck"] if deck["pack"] == pack}


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and entry.keys() == {"card", "count"} and isinstance(entry["card"], str)


def _is_count(count: Any) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= 999


def _counts(cards: Cards, deck: list[dict[str, Any]]) -> Counter[str]:
    """Add up the entries; unknown keys and bad counts are left out (DI-7.9)."""
    counts: Counter[str] = Counter()
    for entry in deck:
        if entry["card"] in cards and _is_count(entry["count"]):
            counts[entry["card"]] += entry["count"]  # DI-7.3
    return counts


def _unknown(cards: Cards, deck: list[dict[str, Any]]) -> Iterator[Fault]:
    for key in sorted({entry["card"] for entry in deck if entry["card"] not in cards}):  # DI-7.2
        yield Fault("E_DECK_UNKNOWN_CARD", key[:60], "there is no such card in the pack", {"key": key[:60]})


def _miscounted(deck: list[dict[str, Any]]) -> Iterator[Fault]:
    for key in sorted({entry["card"] for entry in deck if not _is_count(entry["count"])}):  # DI-7.3
        yield Fault("E_DECK_BAD_COUNT", key[:60], "a count is an integer from 1", {"key": key[:60]})


def _sums(cards: Cards, counts: Counter[str]) -> Iterator[Fault]:
    if (have := counts.total()) != SIZE:  # DI-7.4
        yield Fault("E_DECK_SIZE", "deck", f"a deck has exactly {SIZE} cards, this one {have}", {"have": have})
    for key in sorted(counts):
        if (have := counts[key]) > COPIES:  # DI-7.5, DI-9.25
            yield _too_many("E_DECK_COPIES", key, have, f"at most {COPIES} copies of a card")
    if (have := _of_rarity(cards, counts, "common")) < COMMONS:  # DI-7.6
        yield Fault("E_DECK_COMMONS", "deck", f"at least {COMMONS} common cards, not {have}", {"have": have})
    if (have := _of_rarity(cards, counts, "rare", "miraculous")) > RARES:  # DI-7.7
        text = f"at most {RARES} rare and miraculous cards together, not {have}"
        yield Fault("E_DECK_RARES", "deck", text, {"have": have})


def _miraculous(cards: Cards, counts: Counter[str]) -> Iterator[Fault]:
    for key in sorted(counts):
        if cards[key].rarity == "miraculous" and (have := counts[key]) > 1:  # DI-7.8
            yield _too_many("E_DECK_MIRACULOUS", key, have, "a miraculous card once")


def _too_many(code: str, key: str, have: int, limit: str) -> Fault:
    return Fault(code, key, f"{limit}, not {have}", {"key": key, "have": have})


def _of_rarity(cards: Cards, counts: Counter[str], *rarities: str) -> int:
    return sum(count for key, count in counts.items() if cards[key].rarity in rarities)
