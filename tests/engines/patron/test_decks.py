"""What makes a deck legal (PA-7)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.patron.decks import listed
from tests.engines.patron.table import RULES, core

DECK = {
    "augustine": 1, "dominic": 2, "anthony_of_padua": 2, "clare": 1, "bernadette": 2, "lucy": 2, "rose_of_lima": 2,
    "gift_of_counsel": 3, "infused_faith": 2, "ardent_charity": 1, "novena": 2, "holy_wisdom": 1, "daily_rosary": 2,
    "disputation": 3, "storm_at_sea": 3, "heresy": 3, "council": 3, "tomb_of_the_martyrs": 2, "dark_night": 2,
}  # fmt: skip
GOOD: dict[str, Any] = {"pack": "patron-core", "patron": "thomas_aquinas", "cards": DECK}


def codes(**change: Any) -> list[str]:
    return [fault.code for fault in RULES.deck_faults(core(), GOOD | change)]


def with_cards(**cards: Any) -> dict[str, Any]:
    """Change counts of the legal deck; 0 leaves a card out."""
    return {key: count for key, count in (DECK | cards).items() if count != 0}


def test_the_ready_decks_are_legal() -> None:
    """PA-7.1, PA-7.2."""
    decks = RULES.ready_decks(core())
    assert list(decks) == ["The School", "The Banner", "Lady Poverty", "The Rule"]
    assert [RULES.deck_faults(core(), deck) for deck in decks.values()] == [[]] * 4


@pytest.mark.parametrize(
    "deck",
    [None, [], {}, {**GOOD, "more": 1}, {**GOOD, "patron": 3}, {**GOOD, "cards": []}, {"pack": "x", "patron": "y"}],
)
def test_what_is_no_deck_is_told_alone(deck: Any) -> None:
    """PA-7.2."""
    assert [fault.code for fault in RULES.deck_faults(core(), deck)] == ["malformed_deck"]


def test_another_pack_is_told_alone() -> None:
    """PA-7.2."""
    assert codes(pack="other", patron="nobody") == ["unknown_pack"]


@pytest.mark.parametrize("count", [0, -1, True, "3", 1.5, None])
def test_a_count_is_a_number_of_cards(count: Any) -> None:
    """PA-7.2."""
    faults = RULES.deck_faults(core(), GOOD | {"cards": DECK | {"storm_at_sea": count}})
    assert [fault.code for fault in faults] == ["bad_count", "deck_size", "too_few_events"]
    assert (faults[0].details["card"], faults[1].details) == ("storm_at_sea", {"found": 37, "limit": 40})


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"cards": with_cards(lucy=1)}, ["deck_size"]),
        ({"cards": with_cards(lucy=1, thomas_aquinas=1)}, ["patron_in_deck"]),
        ({"patron": "novena"}, ["patron_in_deck", "patron_not_saint"]),
        ({"cards": with_cards(heresy=0, lucy=3, rose_of_lima=3, novena=3)}, ["too_few_events"]),
        ({"cards": with_cards(lucy=4, rose_of_lima=0)}, ["too_many_copies"]),
        ({"cards": with_cards(augustine=3, rose_of_lima=0)}, ["too_many_copies"]),
        ({"patron": "nobody", "cards": with_cards(lucy=1, nobody=1)}, ["patron_in_deck", "unknown_card"]),
        ({"cards": with_cards(nobody=4, rose_of_lima=0, lucy=0)}, ["unknown_card"]),
    ],
)  # fmt: skip
def test_every_violation_is_told(change: dict[str, Any], expected: list[str]) -> None:
    """PA-7.2, PA-9.43."""
    assert codes(**change) == expected


@pytest.mark.parametrize("patron", ["rose_of_lima", "peter", "monica"])
def test_any_saint_may_be_patron(patron: str) -> None:
    """PA-7.3, PA-9.3."""
    cards = with_cards(**{patron: 0}) if patron in DECK else dict(DECK)
    missing = 39 - sum(cards.values())
    cards = cards | {"scholastica": missing} if missing else cards
    assert codes(patron=patron, cards=cards) == []


def test_a_deck_needs_neither_saints_nor_graces() -> None:
    """PA-7.3, PA-9.43."""
    events = [card.id for card in core().cards if card.kind == "event"]
    assert codes(cards=dict.fromkeys(events[:13], 3)) in ([], ["too_many_copies"])
    ordinary = [card.id for card in core().cards if card.kind == "event" and not card.legendary]
    assert codes(cards=dict.fromkeys(ordinary[:13], 3)) == []


def test_the_order_in_which_a_list_was_typed_never_matters() -> None:
    """PA-3.2."""
    turned = GOOD | {"cards": dict(reversed(DECK.items()))}
    assert listed(core().cards, turned) == listed(core().cards, GOOD)
    assert len(listed(core().cards, GOOD)) == 39
