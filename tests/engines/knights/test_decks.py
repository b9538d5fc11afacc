"""What makes a deck legal, and what a pack must keep (KN-7)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.knights.decks import MAX_ENTRIES, deck_faults, deck_warnings, listed
from engines.knights.options import Options
from engines.rules import PackError
from tests.engines.knights.table import DECK, RULES, fixture, occasion, permanent, technique

COUNTS: dict[str, Any] = DECK["cards"]  # type: ignore[assignment]


def faults(counts: dict[str, Any], deity: str = "poseidon") -> list[tuple[str, str]]:
    deck = {"name": "d", "deity": deity, "cards": counts}
    return [(fault.code, fault.where) for fault in deck_faults(fixture().cards, deck, Options())]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, []),
        ({"o1": 2}, [("deck_too_small", "deck")]),
        (dict.fromkeys(["o3", "o6", "o7", "o8", "o10", "o11", "o12"], 3), [("deck_too_large", "deck")]),
        ({"nobody": 1}, [("unknown_card", "nobody")]),
        ({"o3": 0}, [("bad_count", "o3")]),
        ({"o3": True}, [("bad_count", "o3")]),
        ({"o3": 1.5}, [("bad_count", "o3")]),
        ({"t3": 3}, [("copy_limit", "t3")]),
        ({"gamma": 2}, [("copy_limit", "gamma")]),
        (dict.fromkeys(["epsilon", "zeta", "theta"], 3), [("knight_limit", "deck")]),
        ({"x1": 1}, [("trophy_in_deck", "x1")]),
    ],
)
def test_violations_of_a_deck(more: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    """KN-7.1 to KN-7.5, KN-7.8, I-4, I-22."""
    assert faults(COUNTS | more) == expected


def test_a_deck_needs_a_knight_and_nothing_else_in_particular() -> None:
    """KN-7.7, KN-7.11."""
    counts = {f"o{n}": 3 for n in range(1, 15) if n != 4}
    assert faults(counts | {"o15": 1}) == [("no_knights", "deck")]
    assert faults(counts | {"alpha": 1}) == []


def test_a_deck_names_a_deity_of_the_pack() -> None:
    """KN-7.9."""
    assert faults(COUNTS, "zeus") == [("unknown_deity", "zeus")]


def test_a_card_may_set_its_own_limit() -> None:
    """KN-7.4."""
    source = (
        fixture().source
        + occasion('{ op = "draw", n = 1 }').replace('rarity = "C"', 'rarity = "E"\nlimit = 3').encode()
    )
    cards = RULES.read_pack(source).cards
    deck = {"name": "d", "deity": "poseidon", "cards": COUNTS | {"oo": 3}}
    assert deck_faults(cards, deck, Options()) == []


@pytest.mark.parametrize(
    "junk",
    [None, 3, [], {}, {"deity": "athena"}, {"deity": 1, "cards": {}}, {"deity": "athena", "cards": {1: 2}},
     {"deity": "athena", "cards": {}, "more": 1},
     {"deity": "athena", "cards": {str(n): 1 for n in range(MAX_ENTRIES + 1)}}],
)  # fmt: skip
def test_what_is_no_deck_is_one_fault(junk: Any) -> None:
    """KN-3.1."""
    assert [fault.code for fault in RULES.deck_faults(fixture(), junk)] == ["bad_deck"]


def test_the_order_of_typing_never_matters() -> None:
    """KN-3.1."""
    backwards = {"name": "d", "deity": "poseidon", "cards": dict(reversed(COUNTS.items()))}
    assert listed(fixture().cards, backwards) == listed(fixture().cards, DECK)


def test_oddities_are_warnings() -> None:
    """KN-7.12."""
    odd = {"name": "d", "deity": "hades", "cards": {"delta": 3, "t1": 1, "t4": 2, "d4": 1}}
    warned = deck_warnings(fixture().cards, odd)
    assert [(one.code, one.where) for one in warned] == [("orphan_technique", "t1"), ("no_patron_match", "deck")]
    assert deck_warnings(fixture().cards, {"name": "d", "deity": "athena", "cards": {"alpha": 1, "t1": 1}}) == []


def broken(source: bytes) -> list[tuple[str, str]]:
    with pytest.raises(PackError) as caught:
        RULES.read_pack(source)
    return [(fault.code, fault.where) for fault in caught.value.faults]


def adding(table: str) -> list[tuple[str, str]]:
    return broken(fixture().source + b"\n" + table.encode())


PLAIN = '[[card]]\nid = "xx"\nkind = "{}"\nname = "xx"\nrarity = "E"\ntext = ""\n'
KNIGHT = (
    '[[card]]\nid = "kk"\nkind = "knight"\nname = "kk"\nreference = "x"\nrank = "{rank}"\nrarity = "C"\ntext = ""\n'
    "pv = 8\nce = 4\nar = 2\npc = 6\n{more}\n"
)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (occasion('{ op = "explode" }'), [("unknown_word", "card oo: effects[0].op")]),
        (occasion('{ op = "draw", n = 1, colour = "red" }'), [("unknown_word", "card oo: effects[0].colour")]),
        (occasion('{ op = "draw" }'), [("bad_field", "card oo: effects[0].n")]),
        (occasion('{ op = "heal", n = 1 }'), [("missing_target", "card oo: effects")]),
        (occasion('{ op = "draw", n = 1 }', when="{ }"), [("bad_field", "card oo: when[0]")]),
        (occasion('{ op = "draw", n = 1 }', when='{ turn = "mine", scenario = "any" }'),
         [("bad_field", "card oo: when[0]")]),
        (occasion('{ op = "draw", n = 1 }', when="{ control = {} }"), [("bad_field", "card oo: when[0]")]),
        (occasion('{ op = "draw", n = 1 }', when='{ deity = "zeus" }'), [("unresolved", "oo: deity")]),
        (occasion('{ op = "draw", n = 1 }', id="o1"), [("double_id", "card o1: id")]),
        (technique('own = []', level='"D"'), [("bad_technique", "card tt: level")]),
        (technique('own = [{ op = "heal", n = 1 }]'), [("bad_technique", "card tt: level")]),
        (technique('attack = { bonus = 1, fixed = 2, '
'reach = "any", select = "one" }'), [("bad_field", "card tt: attack")]),
        (permanent("helper", 'kind = "activated", effects = [{ op = "draw", n = 1 }]'),
         [("endless_ability", "card pp: ability[0]")]),
        (permanent("helper", ('kind = "activated", cost = { pc = 1 }, '
'effects = [{ op = "draw", n = 1 }]')), [("bad_cost", "card pp: ability[0].cost")]),
        (permanent("object", 'kind = "activated", once = "turn", effects = [{ op = "draw", n = 1 }]'),
         [("bad_ability", "card pp: ability[0].kind")]),
        (permanent("scenario", 'kind = "passive", effects = [{ op = "draw", n = 1 }]'),
         [("bad_passive", "card pp: ability[0].effects[0]")]),
        (permanent("object", 'kind = "passive", effects = [{ op = "modify", stat = "ce", n = 1, duration = "turn" }]'),
         [("bad_passive", "card pp: ability[0].effects[0].duration")]),
        (permanent("object", ('kind = "passive", effects = [{ op = "modify", '
'stat = "ce", n = 1, target = { pick = "random" } }]')),
         [("bad_passive", "card pp: ability[0].effects[0].target.pick")]),
        (permanent("object", ('kind = "passive", when = [{ pvd = { op = "<", n = 2 } '
'}], effects = [{ op = "modify", stat = "max_pv", n = 1 }]')),
         [("bad_passive", "card pp: ability[0].effects[0]")]),
        (KNIGHT.format(rank="gold", more=""), [("not_elite", "card kk: elite")]),
        (KNIGHT.format(rank="tin", more=""), [("unresolved", "card kk: rank")]),
        (KNIGHT.format(rank="none", more='patron = "zeus"'), [("unresolved", "kk: patron")]),
        (KNIGHT.format(rank="none", more="cost = 2"), [("wrong_field", "card kk: cost")]),
        (KNIGHT.format(rank="none", more="limit = 4"), [("bad_field", "card kk: limit")]),
        (PLAIN.format("trophy") + 'effects = [{ op = "draw", n = 1 }]', [("wrong_field", "card xx: effects")]),
        (PLAIN.format("helper"), [("missing_field", "card xx: ability")]),
        ('[[deck]]\nname = "bad"\ndeity = "athena"\ncards = { alpha = 3 }', [("deck_too_small", "deck bad: deck")]),
        ("[rumour]\nx = 1\n", [("bad_pack", "rumour")]),
    ],
)  # fmt: skip
def test_a_pack_is_refused_by_card_and_field(table: str, expected: list[tuple[str, str]]) -> None:
    """KN-7.13, KN-6.1, KN-6.3, KN-6.4, KN-6.7, KN-10.1."""
    assert adding(table) == expected


def test_all_faults_of_a_pack_are_told_at_once() -> None:
    """KN-7.13."""
    tables = technique("attack = 3") + occasion('{ op = "explode" }') + occasion('{ op = "draw", n = 99 }', id="ox")
    assert [where.partition(":")[0] for _, where in adding(tables)] == ["card tt", "card oo", "card ox"]


def test_a_pack_that_is_no_test_needs_seven_deities_of_middling_life() -> None:
    """KN-7.13, KN-11.0, I-23."""
    assert fixture().cards.deities.keys() == {"athena", "hades", "poseidon"}
    assert broken(fixture().source.replace(b"test = true", b"")) == [("few_deities", "deity")]
    strong = fixture().source.replace(b"test = true", b"").replace(b"pvd = 6", b"pvd = 20")
    assert ("bad_pvd", "deity") in broken(strong)
