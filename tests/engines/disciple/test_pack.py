"""The loader of packs, and the pack that ships (DI-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engines.disciple.cards import Card, Cards
from engines.disciple.conditions import Condition
from engines.disciple.pack import printed, read_pack, shipped
from engines.disciple.terms import VIRTUES
from engines.disciple.words import Effect, Modifier, Put, Recover, effects_in
from engines.rules import PackError
from tests.engines.disciple.table import fixture

HEAD = '[pack]\nid = "p"\ntitle = "P"\nedition = ""\ngame = "disciple"\nschema = 1\n'
SAINT = {
    "key": '"a"',
    "number": "1",
    "name": '"A"',
    "kind": '"saint"',
    "rarity": '"common"',
    "symbols": '["book"]',
    "tags": "[]",
    "text": '""',
    "quote": '""',
    "artist": '""',
    "legal": '""',
}
DEED = {name: value for name, value in SAINT.items() if name != "symbols"} | {"kind": '"deed"'}


def card(*abilities: str, without: str = "", like: dict[str, str] = SAINT, **fields: str) -> str:
    lines = [f"{name} = {value}" for name, value in (like | fields).items() if name != without]
    return "\n".join(["[[card]]", *lines, f"ability = [ {', '.join(abilities)} ]"])


def faults(*cards: str, head: str = HEAD) -> list[tuple[str, str]]:
    """Give the faults of a pack of these cards: code and place."""
    try:
        read_pack("\n".join([head, *cards]).encode())
    except PackError as error:
        return [(fault.code, fault.where) for fault in error.faults]
    return []


def ability(trigger: str, effect: str = '{ do = "draw", who = "own", n = 1 }', more: str = "") -> str:
    return f'{{ trigger = "{trigger}", effect = [ {effect} ]{more} }}'


def first_light() -> Cards:
    cards: Cards = shipped()["first_light"].cards
    return cards


def saints() -> list[Card]:
    return [card for card in first_light() if card.is_saint]


def effects() -> list[Effect]:
    return [effect for card in first_light() for ability in card.abilities for effect in effects_in(ability.effect)]


def modifiers() -> list[Modifier]:
    return [modifier for card in first_light() for modifier in first_light().statics(card.key)]


def test_sound_cards_have_no_faults() -> None:
    assert faults(card(ability("enter")), card(ability("play"), like=DEED, key='"b"', number="2")) == []


def test_fault_of_the_head_is_named_by_its_field() -> None:  # DI-10.1
    head = HEAD.replace('"disciple"', '"chess"').replace("schema = 1", "schema = 2\nlanguage = 1")
    assert faults(card(), head=head) == [
        ("E_PACK_KEY", "pack.game"),
        ("E_PACK_KEY", "pack.schema"),
        ("E_PACK_KEY", "pack.language"),
    ]


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (card(without="key"), ("E_PACK_KEY", "card[0]: key")),
        (card(key='"Agnes of Rome"'), ("E_PACK_KEY", "Agnes of Rome: key")),
        (card(number="0"), ("E_PACK_KEY", "a: number")),
        (card(colour='"red"'), ("E_PACK_KEY", "a: colour")),
        (card(tags='["glory"]'), ("E_PACK_KEY", "a: tags[0]")),
        (card(tags='["work", "life", "place"]'), ("E_PACK_KEY", "a: tags")),
        (card(rarity='"mythic"'), ("E_PACK_RARITY", "a: rarity")),
        (card(kind='"relic"'), ("E_PACK_KIND", "a: kind")),
        (card(symbols='["sword"]'), ("E_PACK_SYMBOLS", "a: symbols[0]")),
        (card(symbols='["book", "book", "book", "book"]'), ("E_PACK_SYMBOLS", "a: symbols")),
        (card(symbols="[]"), ("E_PACK_SYMBOLS", "a: symbols")),
        (card(without="symbols"), ("E_PACK_SYMBOLS", "a: symbols")),
        (card(like=DEED, symbols='["book"]'), ("E_PACK_SYMBOLS", "a: symbols")),
    ],
)
def test_fault_of_a_card_is_named_by_card_and_field(broken: str, fault: tuple[str, str]) -> None:  # DI-10.1, DI-10.2
    assert faults(broken) == [fault]


def test_keys_and_numbers_are_unique() -> None:  # DI-10.1
    assert faults(card(), card()) == [("E_PACK_KEY", "a: key"), ("E_PACK_KEY", "1: number")]


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        (card(ability("arrive")), "a: ability[0].trigger"),
        (card(ability("play")), "a: ability[0].trigger"),
        (card(ability("enter"), like=DEED), "a: ability[0].trigger"),
        (card(ability("reaction"), ability("enter")), "a: ability"),
        (card(ability("reaction"), ability("reaction")), "a: ability"),
        (card(ability("play"), ability("play"), like=DEED), "a: ability"),
    ],
)
def test_wrong_trigger_is_named(broken: str, place: str) -> None:  # DI-10.2
    assert faults(broken) == [("E_PACK_TRIGGER", place)]


def test_reaction_goes_with_other_abilities() -> None:  # DI-10.2
    assert faults(card(ability("reaction"), ability("abundance"))) == []
    assert faults(card(ability("reaction"), ability("play"), like=DEED)) == []


DRAW = "ability[0].effect[0]"


@pytest.mark.parametrize(
    ("effect", "place"),
    [
        ('{ do = "fly" }', f"{DRAW}.do"),
        ('{ do = "draw", who = "own" }', f"{DRAW}.n"),
        ('{ do = "draw", who = "own", n = 1, from = "deck" }', f"{DRAW}.from"),
        ('{ do = "draw", who = "all", n = 1 }', f"{DRAW}.who"),
        ('{ do = "draw", who = "own", n = 0 }', f"{DRAW}.n"),
        ('{ do = "recover", min = 2, max = 1, to = "hand" }', DRAW),
        ('{ do = "peek", what = "hand", n = 2 }', DRAW),
        ('{ do = "peek", what = "deck_top" }', DRAW),
        ('{ do = "put", from = "hand", face = "up", filter = { kind = "deed" } }', DRAW),
        ('{ do = "if", cond = { did = false }, then = [ { do = "scry", n = 1 } ] }', f"{DRAW}.cond"),
        (
            '{ do = "if", cond = { did = true, not = { did = true } }, then = [ { do = "scry", n = 1 } ] }',
            f"{DRAW}.cond",
        ),
        ('{ do = "if", cond = { did = true }, then = [] }', f"{DRAW}.then"),
        ('{ do = "repeat", times = 2, effect = [ { do = "scry" } ] }', f"{DRAW}.effect[0].n"),
        ('{ do = "choose_one", by = "own", options = [ [ { do = "scry", n = 1 } ] ] }', f"{DRAW}.options"),
    ],
)
def test_wrong_effect_is_named_by_its_place(effect: str, place: str) -> None:  # DI-10.2
    assert faults(card(ability("enter", effect))) == [("E_PACK_EFFECT", f"a: {place}")]


@pytest.mark.parametrize(
    ("effect", "place"),
    [
        ('{ do = "flip_up", target = { side = "own" } }', f"{DRAW}.target.pick"),
        ('{ do = "flip_up", target = { pick = "some" } }', f"{DRAW}.target.pick"),
        ('{ do = "flip_up", target = { pick = "choose", min = 2 } }', f"{DRAW}.target"),
        ('{ do = "flip_up", target = { pick = "choose", weight = 2 } }', f"{DRAW}.target.weight"),
        ('{ do = "flip_up", target = { pick = "event" } }', "ability[0].effect"),
        ('{ do = "if", cond = { in_play = { face = "x", op = "=", n = 1 } }, then = [ { do = "scry", n = 1 } ] }',
         f"{DRAW}.cond.in_play.face"),
    ],
)  # fmt: skip
def test_wrong_target_is_named_by_its_place(effect: str, place: str) -> None:  # DI-10.2
    assert faults(card(ability("enter", effect))) == [("E_PACK_TARGET", f"a: {place}")]


def test_event_saint_is_known_where_there_is_one() -> None:  # DI-6.4
    flip = '{ do = "flip_down", target = { pick = "event" } }'
    assert [faults(card(ability(trigger, flip))) for trigger in ("reaction", "ally_enter", "enemy_enter")] == [[]] * 3


def test_filter_needs_an_event() -> None:  # DI-6.4
    assert faults(card(ability("enter", more=', filter = { symbol = "fire" }'))) == [
        ("E_PACK_EFFECT", "a: ability[0].filter")
    ]


@pytest.mark.parametrize(
    "static",
    [
        '{ trigger = "static" }',
        '{ trigger = "static", optional = true, static = [ { do = "forbid", who = "own", what = "react" } ] }',
        '{ trigger = "static", effect = [ { do = "scry", n = 1 } ] }',
        '{ trigger = "static", static = [ { do = "forbid", who = "own", what = "react" } ], when = { did = true } }',
    ],
)
def test_static_ability_has_modifiers_and_nothing_else(static: str) -> None:  # DI-6.1
    assert faults(card(static)) == [("E_PACK_EFFECT", "a: ability[0].static")]


def test_modifiers_belong_to_static_abilities() -> None:  # DI-6.1
    modifier = ', static = [ { do = "forbid", who = "own", what = "react" } ]'
    assert faults(card(ability("enter", more=modifier))) == [("E_PACK_EFFECT", "a: ability[0].effect")]
    assert faults(card('{ trigger = "enter" }')) == [("E_PACK_EFFECT", "a: ability[0].effect")]


def test_reacting_is_forbidden_everywhere_or_not_at_all() -> None:  # DI-6.14
    react = '{ trigger = "static", static = [ { do = "forbid", who = "enemy", what = "react", column = "here" } ] }'
    assert faults(card(react)) == [("E_PACK_EFFECT", "a: ability[0].static[0]")]


def test_all_faults_are_reported_card_by_card() -> None:  # DI-10.2
    first = card(ability("enter", '{ do = "draw", who = "me", n = 99 }'), ability("play"), rarity='"odd"', symbols="[]")
    second = card(ability("leave", '{ do = "move", to = "here" }'), key='"b"', number="2", kind='"saintly"')
    assert faults(first, second, 'extra = "?"') == [
        ("E_PACK_RARITY", "a: rarity"),
        ("E_PACK_EFFECT", "a: ability[0].effect[0].who"),
        ("E_PACK_EFFECT", "a: ability[0].effect[0].n"),
        ("E_PACK_SYMBOLS", "a: symbols"),
        ("E_PACK_TRIGGER", "a: ability[1].trigger"),
        ("E_PACK_KIND", "b: kind"),
        ("E_PACK_TARGET", "b: ability[0].effect[0].target"),
        ("E_PACK_KEY", "b: extra"),
    ]


def test_what_is_no_pack_at_all_is_one_fault() -> None:
    assert faults("[[card") == [("E_PACK_KEY", "pack")]
    assert faults('card = "none"') != []
    assert faults(head="[pack]") == [
        *(("E_PACK_KEY", f"pack.{name}") for name in ("id", "title", "edition", "game", "schema")),
        ("E_PACK_KEY", "card"),
    ]


def test_condition_is_a_table_with_one_key() -> None:  # DI-6.10
    nested = {"all": [{"did": True}, {"not": {"hand_count": {"who": "own", "op": "<=", "n": 2}}}]}
    assert msgspec.convert(nested, Condition).all_of is not None
    with pytest.raises(msgspec.ValidationError, match="exactly one key"):
        msgspec.convert({}, Condition)


def test_cards_are_in_canonical_order() -> None:  # DI-3.3
    cards = fixture().cards
    assert [card.key for card in cards][:4] == ["t_b1", "t_b2", "t_b3", "t_d1"]
    assert cards.in_order(["t_rise", "t_d1", "t_b1", "t_d1"]) == ["t_b1", "t_d1", "t_d1", "t_rise"]
    assert len(cards) == 51


def test_fixture_has_the_numbers_of_its_table() -> None:  # DI-10.8
    cards = fixture().cards
    assert [card.number for card in cards] == list(range(1, 52))
    assert [cards[key].number for key in ("t_bd", "t_mir", "t_draw", "t_rise")] == [16, 19, 20, 51]
    assert cards["t_fhp"].symbols == ("fire", "heart", "prayer")
    assert [ability.trigger for ability in cards["t_pilgrim"].abilities] == ["enter", "flip_down"]


def test_lasting_mark_is_borne_by_abilities_that_may_work_again() -> None:  # DI-6.20, DI-10.3
    marked = {card.key for card in fixture().cards if card.has_lasting_mark}
    assert {"t_pilgrim", "t_abdraw", "t_teach", "t_dawn", "t_last", "t_rise"} <= marked
    assert marked.isdisjoint({"t_b1", "t_draw", "t_rback", "t_rhush", "t_haste"})


def test_printed_card_is_known_by_its_key() -> None:
    assert printed("t_b1") is None
    assert printed("agnes_of_rome") is first_light()["agnes_of_rome"]


# What ships (DI-10.5)


def test_pack_has_fifty_cards_in_their_places() -> None:  # DI-10.5
    assert [card.number for card in first_light()] == list(range(1, 51))
    leading = ["book"] * 9 + ["drop"] * 9 + ["fire"] * 9 + ["heart"] * 9 + ["prayer"] * 8
    assert [card.symbols[0] for card in first_light() if card.is_saint] == leading
    assert [card.kind for card in first_light()][44:] == ["deed"] * 6


def test_pack_has_its_rarities() -> None:  # DI-10.5
    assert Counter(card.rarity for card in first_light()) == {"common": 20, "uncommon": 14, "rare": 11, "miraculous": 5}


def test_pack_has_its_symbols() -> None:  # DI-10.5
    sizes = Counter(len(card.symbols) for card in saints())
    assert 14 <= sizes[1] <= 18
    assert 20 <= sizes[2] <= 24
    assert 4 <= sizes[3] <= 8
    symbols = Counter(symbol for card in saints() for symbol in card.symbols)
    assert all(14 <= symbols[virtue] <= 20 for virtue in VIRTUES)


def test_pack_has_its_abilities() -> None:  # DI-10.5
    assert 10 <= sum(not card.abilities for card in saints()) <= 12
    counts = Counter(ability.trigger for card in first_light() for ability in card.abilities)
    least = {"enter": 8, "abundance": 6, "reaction": 5, "flip_down": 4, "flip_up": 2, "moved": 2, "leave": 2}
    least |= {"ally_enter": 2, "enemy_enter": 2, "turn_start": 2, "turn_end": 2, "static": 3, "play": 1}
    assert {trigger: counts[trigger] for trigger in least if counts[trigger] < least[trigger]} == {}


def test_reactions_are_mostly_of_fire() -> None:  # DI-10.5
    reacting = [card for card in first_light() if first_light().abilities(card.key, "reaction")]
    assert sum(card.symbols[:1] == ("fire",) for card in reacting) >= 3
    assert sum(not card.is_saint for card in reacting) >= 1


def test_cards_without_ability_have_two_or_three_symbols() -> None:  # DI-10.6
    for card in saints():
        if not card.abilities:
            assert (len(card.symbols), len(set(card.symbols)), card.rarity) in {
                (2, 1, "common"),
                (2, 2, "common"),
                (3, 3, "uncommon"),
                (3, 1, "rare"),
            }


def leaves(value: Any) -> Iterator[tuple[str, Any]]:
    """Give every word of card data with the field it stands in."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from [(name, part)] if isinstance(part, str) else leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from leaves(part)


def test_every_word_of_the_vocabulary_is_used() -> None:  # DI-10.5
    words = {(name, word) for card in first_light() for name, word in leaves(msgspec.to_builtins(card.abilities))}
    primitives = (
        "draw discard mill recover scry search peek move flip_down flip_up return_hand return_bottom discard_card "
        "switch_side put silence boost extra_play"
    )
    assert {("do", word) for word in f"{primitives} if choose_one repeat symbol_bonus protect forbid".split()} <= words
    assert {("pick", word) for word in ("choose", "all", "self", "event", "same")} <= words
    assert {("side", word) for word in ("any", "own", "enemy")} <= words
    assert {("duration", word) for word in ("this_turn", "until_own_next_turn")} <= words
    assert {
        ("what", word) for word in ("play_saint", "react", "move_action", "flip_action", "hand", "deck_top")
    } <= words
    assert {("by", word) for word in ("own", "enemy")} <= words
    assert {("choose", word) for word in ("owner", "random")} <= words


def test_every_condition_is_used() -> None:  # DI-10.5
    used = {
        name
        for card in first_light()
        for name, given in _tables(msgspec.to_builtins(card.abilities))
        if given not in (None, (), [])
    }
    assert {
        "column_count", "hand_count", "deck_count", "discard_count", "in_play", "complete_columns", "did", "all", "any",
        "not",
    } <= used  # fmt: skip


def _tables(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for part in parts:
        yield from _tables(part)


def test_cards_come_into_play_from_everywhere_and_back_to_both_places() -> None:  # DI-10.5
    puts = [effect for effect in effects() if isinstance(effect, Put)]
    assert {effect.source for effect in puts} == {"hand", "discard", "deck_top"}
    assert {effect.face for effect in puts} == {"up", "down"}
    assert {effect.to for effect in effects() if isinstance(effect, Recover)} == {"hand", "deck_bottom"}


def test_every_modifier_is_used() -> None:  # DI-10.5
    assert Counter(str(modifier.__struct_config__.tag) for modifier in modifiers()).keys() == {
        "symbol_bonus",
        "protect",
        "forbid",
    }
