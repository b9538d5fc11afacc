"""The pack that ships: what it has to hold, that every word is used, that texts say what the data does (KN-10.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from engines.knights import Knights
from engines.knights.cards import Card, Cards
from engines.knights.conditions import NEEDS, Condition, Filter, Selector
from engines.knights.decks import deck_faults, deck_warnings, states_of
from engines.knights.options import Options
from engines.knights.terms import STATES, Keyword, Pick, Ref, Trigger, Turns
from engines.knights.text import branch_label, deity_text, rank_text, rules_text
from engines.knights.words import Ability, ChooseOne, Effect, Grant, Inflict, MoveCards, Op, effects_in

PACK = next(iter(Knights().packs().values()))
CARDS: Cards = PACK.cards
SAMPLES = {
    "lysandra-of-lyra": "Ability, 2 Pc: an allied knight recovers 3 Pv and is cured of poison and burns.",
    "nikandros-of-orion": "His plain attacks cannot be evaded while a scenario is in play.",
    "falling-plume": "+3 attack, any enemy.",
    "frost-lattice": "+4 attack, the facing enemy only; freezes on a coin.",
    "rain-of-perseids": "+5 attack on the facing enemy and its neighbours; burns each.",
    "shell-of-the-crab": "Attacked: +4 armour against that attack. In your turn: +2 armour until your next turn.",
    "stinging-reply": "Attacked: strikes back with +2 and poisons the attacker.",
    "drill-of-the-inner-flame": "Search your deck for a technique, reveal it and take it.",
    "greaves-of-hephaestus": "+2 armour; the bearer cannot be paralysed.",
    "melitta-the-healer": "At the start of your turn each of your damaged knights recovers 1 Pv.",
    "drowned-pillars": "Marine knights of both sides have +1 Ce and +1 Ar.",
    "laurel-of-the-first-games": "Awarded to the winner of a season. Cannot be played.",
    "strings-of-the-puppeteer": "If you have fewer than 4 knights: possess an enemy knight for this turn.",
}
"""The texts that the specification prints."""

BANDS = {
    "bronze": ((7, 10), (3, 5), (2, 4), (5, 8)), "silver": ((9, 12), (4, 6), (3, 5), (7, 10)),
    "gold": ((13, 17), (7, 9), (5, 7), (10, 14)), "none": ((6, 9), (2, 4), (1, 3), (3, 5)),
    **dict.fromkeys(("marine", "specter", "angel", "einherjar"), ((9, 14), (4, 7), (3, 6), (7, 11))),
}  # fmt: skip


def of(kind: str) -> list[Card]:
    return [card for card in CARDS if card.kind == kind]


def parts(value: Any) -> Iterator[Any]:
    """Give every struct inside a value."""
    if isinstance(value, tuple):
        for part in value:
            yield from parts(part)
    elif isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from parts(getattr(value, name))


def users(find: Callable[[Any], Iterator[str]]) -> dict[str, set[str]]:
    """Give, for every word, the cards on which it stands."""
    found: dict[str, set[str]] = {}
    for card in CARDS:
        for part in parts(card):
            for word in find(part):
                found.setdefault(word, set()).add(card.id)
    return found


def lists_of(card: Card) -> list[tuple[Effect, ...]]:
    return [
        card.effects,
        card.on_use,
        card.on_hit,
        card.react,
        card.own,
        *(ability.effects for ability in card.abilities),
    ]


def ops_of(card: Card) -> list[Effect]:
    return [op for effects in lists_of(card) for op in effects_in(effects)]


def test_deities_and_ranks() -> None:
    """KN-10.3, KN-10.4."""
    life = {god.id: god.pvd for god in CARDS.deities.values()}
    assert life == {"athena": 6, "poseidon": 6, "hades": 5, "artemis": 6, "apollo": 6, "helios": 7, "odin": 6}
    assert list(CARDS.ranks) == ["bronze", "silver", "gold", "marine", "specter", "angel", "einherjar", "none"]
    kinds = {rank.id: rank.ability.kind if rank.ability else None for rank in CARDS.ranks.values()}
    assert kinds["none"] is None
    assert set(kinds.values()) == {"passive", "triggered", "activated", None}
    assert (CARDS.deities["apollo"].rules.opening_hand, CARDS.deities["helios"].rules.hand_limit) == (6, 7)
    assert all(god.devotion for god in CARDS.deities.values())


def test_knights() -> None:
    """KN-10.4."""
    knights = of("knight")
    assert Counter(knight.rank for knight in knights) == {
        "bronze": 10, "silver": 8, "gold": 6, "marine": 5, "specter": 5, "angel": 2, "einherjar": 2, "none": 2,
    }  # fmt: skip
    assert Counter(knight.rank for knight in knights if knight.elite) == {
        "gold": 6,
        "marine": 1,
        "specter": 1,
        "angel": 1,
    }
    patrons = Counter(knight.patron for knight in knights)
    assert patrons.keys() == CARDS.deities.keys()
    assert min(patrons.values()) >= 4
    kinds = Counter(knight.abilities[0].kind if knight.abilities else "none" for knight in knights)
    assert min(kinds["passive"], kinds["triggered"], kinds["activated"]) >= 10
    assert kinds["none"] >= 4
    assert sum(ability.action is False for knight in knights for ability in knight.abilities) >= 3
    assert sum(n > 1 for n in Counter(knight.reference for knight in knights).values()) == 2


def test_knights_keep_the_bands_of_their_rank() -> None:
    """KN-10.4."""
    for knight in of("knight"):
        values = (knight.pv, knight.ce, knight.ar, knight.pc)
        assert all(low <= n <= high for n, (low, high) in zip(values, BANDS[knight.rank or ""], strict=True)), knight.id


def test_techniques() -> None:
    """KN-10.4."""
    techniques = of("technique")
    assert Counter(card.level for card in techniques) == {1: 10, 2: 8, 3: 6, "D": 10}
    reactions = [{type(op).__name__ for op in card.react} for card in techniques if card.level == "D"]
    assert sum("Counter" in ops for ops in reactions) >= 3
    assert sum(bool(ops & {"AttackMod", "Modify"}) for ops in reactions) >= 4
    assert any("NegateAttack" in ops for ops in reactions)
    assert any("Redirect" in ops for ops in reactions)
    assert any(getattr(op, "duration", "") == "while_source" for card in techniques for op in card.react)
    assert sum(card.protects == "ally" for card in techniques) >= 2
    assert sum(bool(card.own) for card in techniques) >= 5
    assert sum(len(_users(card)) >= 2 for card in techniques) >= 8
    assert all(_users(card) for card in techniques)
    blows = [card.attack for card in techniques if card.attack is not None]
    reaches = {blow.reach if isinstance(blow.reach, str) else "spaces" for blow in blows}
    assert reaches == {"any", "front", "adjacent", "flanks", "spaces"}
    assert sum(blow.select == "all" for blow in blows) >= 2
    assert [sum(blow.fixed is not None for blow in blows), sum(blow.ignore_armor for blow in blows)] == [1, 1]


def _users(card: Card) -> list[str]:
    deck = {"name": "", "deity": "athena", "cards": {card.id: 1}}
    fitting = []
    for knight in of("knight"):
        warned = deck_warnings(CARDS, deck | {"cards": {card.id: 1, knight.id: 1}})
        if not any(one.code == "orphan_technique" for one in warned):
            fitting.append(knight.id)
    return fitting


def test_techniques_keep_the_bands_of_their_level() -> None:
    """KN-10.4."""
    costs: dict[Any, tuple[int, int]] = {1: (1, 3), 2: (3, 5), 3: (6, 9), "D": (1, 4)}
    bonuses: dict[Any, tuple[int, int]] = {1: (2, 3), 2: (4, 6), 3: (5, 9)}
    for card in of("technique"):
        low, high = costs[card.level]
        assert low <= (card.cost or 0) <= high, card.id
        if card.attack is not None and card.attack.bonus is not None:
            low, high = bonuses[card.level]
            assert low <= card.attack.bonus <= (6 if card.attack.select == "all" else high), card.id


def _moves(who: str, source: str, to: str) -> Callable[[Effect], bool]:
    return lambda op: isinstance(op, MoveCards) and (op.who, op.source, op.to) == (who, source, to)


def _op(name: str, **fields: Any) -> Callable[[Effect], bool]:
    return lambda op: type(op).__struct_config__.tag == name and all(getattr(op, f) == v for f, v in fields.items())


@pytest.mark.parametrize(
    "deed",
    [
        _moves("me", "discard", "hand"), _moves("me", "discard", "field"), _moves("foe", "hand", "discard"),
        _moves("foe", "deck", "discard"), _moves("foe", "discard", "exile"), _op("modify", duration="permanent"),
        _op("damage"), _op("change_pvd", who="me"), _op("change_pvd", who="foe"), _op("draw", who="me"), _op("cure"),
        _op("ready"), _op("move_knight", mode="swap"), _op("remove", to="hand"), _op("destroy"),
        _op("set_face", face="up"), _op("peek"), _op("restrict", who="foe"), *(_op("inflict", state=s) for s in STATES),
    ],
)  # fmt: skip
def test_occasions_do_everything_that_they_have_to(deed: Callable[[Effect], bool]) -> None:
    """KN-10.4."""
    assert any(deed(op) for card in of("occasion") for op in ops_of(card))


def test_occasions_search_and_all_kinds_have_their_number() -> None:
    """KN-10.4."""
    wanted = [
        op.wanted
        for card in of("occasion")
        for op in ops_of(card)
        if isinstance(op, MoveCards) and op.source == "deck" and op.pick == "choose"
    ]
    assert sum(filter_.kind == "technique" for filter_ in wanted) >= 3
    assert any(filter_.kind == "knight" for filter_ in wanted)
    assert Counter(card.kind for card in CARDS) == {
        "knight": 40, "technique": 34, "occasion": 30, "object": 12, "helper": 8, "scenario": 7, "trophy": 3,
    }  # fmt: skip
    assert sum(ability.kind == "activated" for card in of("helper") for ability in card.abilities) >= 2
    ranks = {
        f.rank for card in of("scenario") for part in parts(card) if isinstance(part, Filter) for f in [part] if f.rank
    }
    assert ranks == CARDS.ranks.keys() - {"none"}


def test_five_ready_decks_are_legal_and_of_the_usual_shape() -> None:
    """KN-10.4, KN-7.12."""
    decks = Knights().ready_decks(PACK)
    assert len(decks) == 5
    for deck in decks.values():
        assert deck_faults(CARDS, deck, Options()) == []
        assert deck_warnings(CARDS, deck) == []
        kinds: Counter[str] = Counter()
        for key, count in deck["cards"].items():
            kinds[CARDS[key].kind] += count
        assert 40 <= kinds.total() <= 44
        assert 10 <= kinds["knight"] <= 12
        assert 13 <= kinds["occasion"] <= 15
        assert 8 <= kinds["technique"] <= 9
        assert (kinds["object"], kinds["helper"], kinds["scenario"]) == (3, 3, 3)


def test_one_ready_deck_is_legal_with_two_states() -> None:
    """KN-10.4, KN-7.10."""
    decks = Knights().ready_decks(PACK).values()
    assert any(not deck_faults(CARDS, deck, Options(state_set="beta")) for deck in decks)
    assert states_of(CARDS, CARDS["rain-of-perseids"]) == {"qmd"}


def _ops(part: Any) -> Iterator[str]:
    if isinstance(part, Op):
        yield str(type(part).__struct_config__.tag)


def _conditions(part: Any) -> Iterator[str]:
    if isinstance(part, Condition):
        yield part.word


def _triggers(part: Any) -> Iterator[str]:
    if isinstance(part, Ability) and part.trigger:
        yield part.trigger


def _durations(part: Any) -> Iterator[str]:
    if isinstance(part, Op) and (duration := getattr(part, "duration", None)) is not None:
        yield "turns" if isinstance(duration, Turns) or duration == "turn" else duration


@pytest.mark.parametrize(
    ("find", "words"),
    [
        (_ops, [str(kind.__struct_config__.tag) for kind in get_args(Effect)]), (_conditions, list(NEEDS)),
        (_triggers, list(get_args(Trigger))),
        (_durations, ["attack", "my_next_turn", "turns", "while_source", "permanent"]),
    ],
)  # fmt: skip
def test_every_primitive_trigger_condition_and_duration_stands_on_two_cards(
    find: Callable[[Any], Iterator[str]], words: list[str]
) -> None:
    """KN-10.4, KN-6.40, KN-6.50."""
    found = users(find)
    assert {word: len(found.get(word, ())) for word in words if len(found.get(word, ())) < 2} == {}
    assert found.keys() <= set(words)


def _keywords(part: Any) -> Iterator[str]:
    if isinstance(part, Grant):
        yield part.keyword


def _states(part: Any) -> Iterator[str]:
    if isinstance(part, Inflict):
        yield part.state


def _refs(part: Any) -> Iterator[str]:
    for name in ("of", "ref", "target", "partner"):
        if isinstance(value := getattr(part, name, None), str):
            yield value


def _picks(part: Any) -> Iterator[str]:
    if isinstance(part, Selector):
        yield part.pick


@pytest.mark.parametrize(
    ("find", "words"),
    [(_keywords, get_args(Keyword)), (_states, STATES), (_refs, get_args(Ref)), (_picks, get_args(Pick))],
)
def test_every_keyword_state_ref_and_pick_mode_is_used(
    find: Callable[[Any], Iterator[str]], words: tuple[str, ...]
) -> None:
    """KN-10.4, KN-6.90."""
    assert set(words) - users(find).keys() == set()


def test_the_samples_of_the_specification_are_there_word_for_word() -> None:
    """KN-10.4."""
    assert {key: CARDS[key].text for key in SAMPLES} == SAMPLES


def test_every_other_text_says_what_the_data_does() -> None:
    """KN-10.1."""
    others = [card for card in CARDS if card.id not in SAMPLES]
    assert {card.id: card.text for card in others} == {card.id: rules_text(card) for card in others}
    assert {rank.id: rank.text for rank in CARDS.ranks.values()} == {r.id: rank_text(r) for r in CARDS.ranks.values()}
    assert {god.id: god.text for god in CARDS.deities.values()} == {g.id: deity_text(g) for g in CARDS.deities.values()}


def test_branches_are_labelled_with_what_they_do() -> None:
    """KN-6.84."""
    for card in CARDS:
        for op in ops_of(card):
            for branch in op.options if isinstance(op, ChooseOne) else ():
                assert branch.label == branch_label(branch.effects, card.kind)


def test_every_text_reads_as_english() -> None:
    """KN-10.1."""
    for card in CARDS:
        text = rules_text(card)
        assert text == " ".join(text.split())
        assert not text or ((text[0].isupper() or text[0] in "+0123456789") and text.endswith("."))
        assert "None" not in text
        assert "_" not in text


def test_the_pack_is_its_source() -> None:
    """KN-10.1."""
    again = Knights().read_pack(PACK.source)
    assert [msgspec.to_builtins(card) for card in again.cards] == [msgspec.to_builtins(card) for card in CARDS]
