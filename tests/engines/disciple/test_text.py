"""Card texts are made from the effects, and say all that the effects say."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engines.disciple.cards import Card
from engines.disciple.pack import shipped
from engines.disciple.text import branch_texts, rules_text
from engines.disciple.words import Ability
from tests.engines.disciple.table import fixture

PACK = shipped()["first_light"]
WORDS = [
    *("own", "enemy", "any", "here", "fire", "heart", "saint", "disciple", "deed", "owner", "random", "common"),
    *("hand", "deck_bottom", "deck_top", "discard", "up", "down", "travel", "work", "this_turn", "until_own_next_turn"),
    *(">=", "<=", "=", "react", "play_saint", "move_action", "flip_action", "move", "silence"),
    *("all", "self", "choose"),
]


def text_of(*abilities: dict[str, Any]) -> str:
    card = fixture().cards["t_b1"]
    return rules_text(msgspec.structs.replace(card, abilities=msgspec.convert(abilities, tuple[Ability, ...])))


@pytest.mark.parametrize("card", PACK.cards, ids=lambda card: card.key)
def test_printed_text_is_what_the_effects_say(card: Card) -> None:
    assert card.text == rules_text(card)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("thomas_aquinas", "Impulse: draw a card."),
        ("agnes_of_rome", ""),
        ("lawrence_of_rome", "Reaction - when the opponent lays a saint with a Fire symbol: turn it into a disciple."),
        ("martha_of_bethany", "Abundance: you may draw a card; if you did, discard a card."),
        ("brendan_the_navigator", "Pilgrim - whenever this turns into a disciple: move up to 2 of your cards."),
        ("benedict_of_nursia", "Your disciples in this column give one symbol more. The opponent cannot turn them."),
        ("works_of_mercy", "Choose one: draw 2 cards; or return up to 2 cards from your discard pile to your hand."),
        ("road_to_damascus", "Take one opposing card onto your side; then you may play one more card."),
    ],
)
def test_sample_cards_read_as_specified(key: str, text: str) -> None:  # DI-10.4
    assert PACK.cards[key].text == rules_text(PACK.cards[key]) == text


def test_sample_card_has_all_its_fields() -> None:  # DI-10.1, DI-10.4
    thomas = PACK.cards["thomas_aquinas"]
    assert (thomas.number, thomas.name, thomas.kind, thomas.rarity) == (3, "Thomas Aquinas", "saint", "uncommon")
    assert (thomas.symbols, thomas.tags) == (("book", "book"), ("learning",))
    assert (thomas.quote, thomas.artist, thomas.legal) == ("", "", "")


def spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Give every single word and number of card data, with the way to it."""
    if isinstance(value, dict | list):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from spots(part, (*path, step))
    elif value is not None and path[-1] != "trigger":
        yield path, value


def changed(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    other = copy.deepcopy(value)
    inner = other
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return other


def others(word: Any) -> list[Any]:
    if isinstance(word, bool):
        return [not word]
    return [word + 1, word + 2] if isinstance(word, int) else [other for other in WORDS if other != word]


def silent(abilities: Any, path: tuple[Any, ...]) -> bool:
    """Say whether a word means nothing: "may" of a static ability; how many cards, where none are chosen (DI-5.6)."""
    inner = abilities
    for step in path[:-1]:
        inner = inner[step]
    if path[-1] == "optional":
        return bool(inner["trigger"] == "static")
    return path[-1] in ("min", "max") and inner.get("pick", "choose") != "choose"


def variants(abilities: Any) -> Iterator[tuple[tuple[Any, ...], Any, tuple[Ability, ...]]]:
    """Change one word or number at a time, wherever the outcome is card data still."""
    for path, word in spots(abilities):
        for other in () if silent(abilities, path) else others(word):
            try:
                yield path, other, msgspec.convert(changed(abilities, path, other), tuple[Ability, ...])
            except msgspec.ValidationError:
                continue


@pytest.mark.parametrize("pack", [PACK, fixture()], ids=["first_light", "fixture"])
def test_text_changes_with_every_word_of_the_effects(pack: Any) -> None:
    tried, unsaid = 0, []
    for card in pack.cards:
        for path, other, new in variants(msgspec.json.decode(msgspec.json.encode(card.abilities))):
            tried += 1
            if rules_text(msgspec.structs.replace(card, abilities=new)) == rules_text(card):
                unsaid.append((card.key, path, other))
    assert unsaid == []
    assert tried > 200


def test_triggers_all_read_differently() -> None:
    draw = [{"do": "draw", "who": "own", "n": 1}]
    triggers = [
        "enter",
        "flip_down",
        "flip_up",
        "moved",
        "leave",
        "abundance",
        "ally_enter",
        "enemy_enter",
        "turn_start",
        "turn_end",
        "reaction",
        "play",
    ]
    assert len({text_of({"trigger": trigger, "effect": draw}) for trigger in triggers}) == len(triggers)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ({"pick": "choose"}, "any card"),
        ({"pick": "choose", "other": True, "face": "saint"}, "any other saint"),
        ({"pick": "choose", "side": "own"}, "one of your cards"),
        ({"pick": "choose", "side": "own", "other": True, "min": 0, "max": 3}, "up to 3 of your other cards"),
        ({"pick": "choose", "side": "enemy", "face": "disciple", "column": "here"},
         "one opposing disciple in this column"),
        ({"pick": "choose", "side": "enemy", "min": 2, "max": 2}, "2 opposing cards"),
        ({"pick": "choose", "min": 1, "max": 2, "symbol": "fire"}, "1 to 2 cards with a Fire symbol of either side"),
        ({"pick": "choose", "min": 0, "tag": "work"}, "up to one card with the patronage work of either side"),
        ({"pick": "all", "side": "own", "face": "saint"}, "all your saints"),
        ({"pick": "all", "face": "saint", "column": "fire"}, "all saints in the Fire column"),
        ({"pick": "self"}, "this"),
        ({"pick": "self", "face": "saint", "column": "fire"}, "this (if it is a saint and lies in the Fire column)"),
    ],
)  # fmt: skip
def test_targets_are_named_as_people_say(target: dict[str, Any], said: str) -> None:
    text = text_of({"trigger": "enter", "effect": [{"do": "silence", "target": target, "duration": "this_turn"}]})
    assert text == f"Impulse: silence {said} this turn."


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"hand_count": {"who": "own", "op": "<=", "n": 2}}, "you have 2 or fewer cards in hand"),
        ({"deck_count": {"who": "enemy", "op": "=", "n": 1}}, "the opponent's deck has exactly 1 card"),
        ({"complete_columns": {"who": "enemy", "op": ">=", "n": 1}}, "the opponent has at least one complete column"),
        ({"in_play": {"face": "disciple", "op": ">=", "n": 3}}, "there are 3 or more disciples in play"),
        ({"not": {"did": True}}, "you did not"),
        ({"not": {"discard_count": {"who": "own", "op": ">=", "n": 1}}}, "your discard pile has no card"),
        ({"not": {"any": [{"did": True}, {"hand_count": {"who": "own", "op": ">=", "n": 5}}]}},
         "you did not and you have fewer than 5 cards in hand"),
        ({"not": {"all": [{"did": True}, {"hand_count": {"who": "own", "op": "<=", "n": 5}}]}},
         "you did not or you have more than 5 cards in hand"),
    ],
)  # fmt: skip
def test_conditions_are_said_as_people_say_them(condition: dict[str, Any], said: str) -> None:
    text = text_of({"trigger": "enter", "when": condition, "effect": [{"do": "scry", "n": 1}]})
    assert text.startswith(f"Impulse: if {said}, look at")


def test_may_stands_before_an_order_only() -> None:
    draws = {"do": "draw", "who": "enemy", "n": 1}
    assert text_of({"trigger": "enter", "optional": True, "effect": [draws]}) == (
        "Impulse: you may have this happen: the opponent draws a card."
    )


def test_cards_treated_before_are_named_by_their_number() -> None:
    boost = {"do": "boost", "n": 1, "target": {"pick": "same"}, "duration": "this_turn"}
    for most, pronoun in ((1, "it"), (2, "them")):
        move = {"do": "move", "to": "here", "target": {"pick": "choose", "max": most}}
        text = text_of({"trigger": "enter", "effect": [move, boost]})
        assert text.endswith(f"; then let {pronoun} give one symbol more this turn.")


def test_branches_are_worded_one_by_one() -> None:
    assert branch_texts(PACK.cards["works_of_mercy"]) == [
        "draw 2 cards",
        "return up to 2 cards from your discard pile to your hand",
    ]
    assert branch_texts(PACK.cards["agnes_of_rome"]) == []
