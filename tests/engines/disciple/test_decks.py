"""What makes a deck legal, and the decks that ship (DI-7)."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from engines.disciple.decks import deck_faults, listed, ready_decks
from engines.disciple.pack import shipped
from tests.engines.disciple.table import RULES, fixture

CARDS = fixture().cards
PLAIN = {"t_b1": 3, "t_b2": 3, "t_d1": 3, "t_d2": 3, "t_f1": 3, "t_f2": 3, "t_h1": 3, "t_h2": 3, "t_p1": 3, "t_p2": 3}


def deck(**counts: Any) -> list[dict[str, Any]]:
    return [{"card": key, "count": count} for key, count in counts.items() if count]


def faults(entries: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(fault.code, fault.details) for fault in deck_faults(CARDS, entries)]


def test_plain_deck_is_legal() -> None:  # DI-7.1
    assert faults(deck(**PLAIN)) == []


def test_every_violation_is_reported_in_order() -> None:  # E32, DI-7.1, DI-7.9
    assert faults(deck(t_b1=4, t_mir=2, t_rare=11, t_f3=14, t_zzz=1)) == [
        ("E_DECK_UNKNOWN_CARD", {"key": "t_zzz"}),
        ("E_DECK_SIZE", {"have": 31}),
        ("E_DECK_COPIES", {"key": "t_b1", "have": 4}),
        ("E_DECK_COPIES", {"key": "t_f3", "have": 14}),
        ("E_DECK_COPIES", {"key": "t_rare", "have": 11}),
        ("E_DECK_COMMONS", {"have": 4}),
        ("E_DECK_RARES", {"have": 13}),
        ("E_DECK_MIRACULOUS", {"key": "t_mir", "have": 2}),
    ]


def test_unknown_cards_are_reported_once_by_key_and_count_nowhere() -> None:  # DI-7.2, DI-7.9
    entries = [*deck(**PLAIN), *deck(zed=1, abe=2), *deck(zed=4)]
    assert faults(entries) == [("E_DECK_UNKNOWN_CARD", {"key": "abe"}), ("E_DECK_UNKNOWN_CARD", {"key": "zed"})]


@pytest.mark.parametrize("count", [0, -1, True, 1.0, "3", None, [], 10**9])
def test_count_is_an_integer_from_one(count: Any) -> None:  # DI-7.3, DI-7.9
    entries = [*deck(**(PLAIN | {"t_b1": 0})), {"card": "t_b1", "count": count}]
    assert faults(entries) == [("E_DECK_BAD_COUNT", {"key": "t_b1"}), ("E_DECK_SIZE", {"have": 27})]


def test_card_listed_twice_is_added_up() -> None:  # DI-7.3
    split = [*deck(**(PLAIN | {"t_b1": 2})), *deck(t_b1=1)]
    assert faults(split) == []
    assert faults([*split, *deck(t_b1=1)]) == [
        ("E_DECK_SIZE", {"have": 31}),
        ("E_DECK_COPIES", {"key": "t_b1", "have": 4}),
    ]


def test_unknown_card_with_a_bad_count_violates_both() -> None:  # DI-7.2, DI-7.3
    assert [code for code, _ in faults([*deck(**PLAIN), {"card": "zed", "count": -3}])] == [
        "E_DECK_UNKNOWN_CARD",
        "E_DECK_BAD_COUNT",
    ]


@pytest.mark.parametrize(("t_bd", "have"), [(0, 27), (2, 29), (4, 31)])
def test_deck_has_exactly_thirty_cards(t_bd: int, have: int) -> None:  # DI-7.4
    entries = deck(**(PLAIN | {"t_b1": 0}), t_bd=min(t_bd, 3), t_home=max(0, t_bd - 3))
    assert faults(entries) == [("E_DECK_SIZE", {"have": have})]


def test_three_copies_are_allowed_and_four_are_not() -> None:  # DI-7.5, DI-9.25
    assert faults(deck(**(PLAIN | {"t_b1": 4, "t_b2": 2}))) == [("E_DECK_COPIES", {"key": "t_b1", "have": 4})]


def test_five_commons_are_enough_and_four_are_not() -> None:  # DI-7.6
    uncommon = dict.fromkeys(["t_b3", "t_d3", "t_f3", "t_h3", "t_p3", "t_fhp", "t_draw", "t_bottom"], 3)
    assert faults(deck(**uncommon, t_rback=1, t_b1=3, t_b2=2)) == []
    assert faults(deck(**uncommon, t_rback=2, t_b1=3, t_b2=1)) == [("E_DECK_COMMONS", {"have": 4})]


def test_ten_rares_are_allowed_and_eleven_are_not() -> None:  # DI-7.7
    most = PLAIN | {"t_p1": 0, "t_p2": 0, "t_h2": 0, "t_h1": 2}
    assert faults(deck(**most, t_rare=3, t_wall=3, t_steal=3, t_mir=1)) == []
    over = most | {"t_h1": 1}
    assert faults(deck(**over, t_rare=3, t_wall=3, t_steal=3, t_mir=1, t_teach=1)) == [("E_DECK_RARES", {"have": 11})]


def test_miraculous_card_comes_once() -> None:  # DI-7.8
    assert faults(deck(**(PLAIN | {"t_b1": 2}), t_mir=1)) == []
    assert faults(deck(**(PLAIN | {"t_b1": 1}), t_mir=2)) == [("E_DECK_MIRACULOUS", {"key": "t_mir", "have": 2})]


def test_four_copies_of_a_miraculous_card_violate_two_rules() -> None:  # DI-7.9
    assert [code for code, _ in faults(deck(**(PLAIN | {"t_b1": 0, "t_b2": 2}), t_mir=4))] == [
        "E_DECK_COPIES",
        "E_DECK_MIRACULOUS",
    ]


@pytest.mark.parametrize(
    "entries",
    [None, "t_b1", 7, {"t_b1": 3}, [3], [["t_b1", 3]], [{"card": "t_b1"}], [{"card": 1, "count": 1}],
     [{"card": "t_b1", "count": 1, "foil": True}], deck(t_b1=1) * 301],
)  # fmt: skip
def test_what_is_no_deck_is_one_fault(entries: Any) -> None:  # DI-7.1
    assert [fault.code for fault in deck_faults(CARDS, entries)] == ["E_DECK_SHAPE"]


def test_game_tests_decks_against_the_pack_of_the_match() -> None:  # DI-7.2
    assert RULES.deck_faults(fixture(), deck(**PLAIN)) == []
    assert len(RULES.deck_faults(shipped()["first_light"], deck(**PLAIN))) == len(PLAIN) + 2


def test_order_of_typing_does_not_matter() -> None:  # DI-3.3
    entries = deck(t_p1=1, t_b2=2, t_b1=1)
    assert listed(CARDS, entries) == listed(CARDS, entries[::-1]) == ["t_b1", "t_b2", "t_b2", "t_p1"]


# What ships (DI-10.5)


def test_ready_decks_are_legal() -> None:  # DI-10.5
    cards = shipped()["first_light"].cards
    decks = ready_decks("first_light")
    assert len(decks) == 4
    assert [fault for entries in decks.values() for fault in deck_faults(cards, entries)] == []


def test_ready_decks_go_with_their_pack_only() -> None:
    assert RULES.ready_decks(shipped()["first_light"]) == ready_decks("first_light")
    assert RULES.ready_decks(fixture()) == {}


def test_ready_decks_are_of_three_virtues_but_one_of_five() -> None:  # DI-10.5
    cards = shipped()["first_light"].cards
    tables = tomllib.loads((files("engines.disciple") / "pack" / "decks.toml").read_text())["deck"]
    assert sorted(len(table["virtues"]) for table in tables) == [3, 3, 3, 5]
    for table in tables:
        keys = listed(cards, table["cards"])
        symbols = [symbol for key in keys for symbol in cards[key].symbols]
        assert all(set(cards[key].symbols) & set(table["virtues"]) for key in keys if cards[key].is_saint)
        assert all(symbols.count(virtue) >= 7 for virtue in table["virtues"])
