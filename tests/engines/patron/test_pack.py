"""Packs: their form, every fault by card and field, and what the shipped one holds (PA-10, PA-6.14)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from engines.patron import terms
from engines.patron.cards import AnyCard, Event, Grace, Saint, effects_of
from engines.patron.phrases import condition
from engines.patron.terms import VIRTUES, Condition, Filter
from engines.patron.text import milestone_text, text_of
from engines.patron.words import Act, AnyOp, Lasting, Triggered
from engines.rules import PackError
from tests.engines.patron.table import RULES, core, fixture

CARDS = list(core().cards)
SAINTS = [card for card in CARDS if isinstance(card, Saint)]
GRACES = [card for card in CARDS if isinstance(card, Grace)]
EVENTS = [card for card in CARDS if isinstance(card, Event)]
TREE = tomllib.loads(core().source.decode())
SCORES = {2: 3, 3: 4, 4: 5, 5: 4, 6: 3, 7: 2, 8: 2, 9: 1}
NUMBERS = {7: 4, 8: 6, 9: 6, 10: 5, 11: 2, 13: 1}
OPS = [str(kind.__struct_config__.tag) for kind in get_args(AnyOp)]


def words_of(node: Any) -> Iterator[tuple[str, Any]]:
    """Give every key and plain value of a card's table, at any depth."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key, value if isinstance(value, str | int) else None
            yield from words_of(value)
    elif isinstance(node, list):
        for part in node:
            yield from words_of(part)


def tables_of(node: Any, key: str) -> Iterator[dict[str, Any]]:
    """Give every table that stands under a key, at any depth."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key and isinstance(value, dict):
                yield value
            yield from tables_of(value, key)
    elif isinstance(node, list):
        for part in node:
            yield from tables_of(part, key)


def cards_using(key: str, value: Any = ...) -> int:
    """Count the cards of the shipped pack on which a key (with a value) stands."""
    tables = [table for kind in ("saint", "grace", "event") for table in TREE[kind]]
    return sum(any(name == key and value in (..., found) for name, found in words_of(table)) for table in tables)


def test_the_pack_has_its_numbers_of_cards() -> None:
    """PA-10.3."""
    assert (len(SAINTS), len(GRACES), len(EVENTS), len(CARDS)) == (24, 16, 24, 64)
    assert [sum(card.legendary for card in kind) for kind in (SAINTS, GRACES, EVENTS)] == [6, 3, 3]
    assert Counter(saint.score for saint in SAINTS) == SCORES
    assert Counter(event.number for event in EVENTS) == NUMBERS


@pytest.mark.parametrize("saint", SAINTS, ids=lambda card: card.id)
def test_a_saint_keeps_the_measure(saint: Saint) -> None:
    """PA-10.3."""
    weight = sum(value * (2 if virtue == "charity" else 1) for virtue, value in saint.virtues.items())
    assert weight <= 2 + saint.score // 2
    tokens = [milestone.tokens or 0 for milestone in saint.milestones]
    assert 8 <= sum(tokens) <= 12
    assert tokens[0] <= 2
    assert tokens[4] >= 3
    assert 1 <= tokens.count(0) <= 2
    checks = [milestone.check for milestone in saint.milestones if milestone.check]
    assert len(checks) <= 2
    assert sum(milestone.check is not None for milestone in saint.milestones[:4]) <= 1
    assert all(9 <= check.number <= 12 for check in checks)
    assert len(saint.effects) <= 3


@pytest.mark.parametrize("saint", SAINTS, ids=lambda card: card.id)
def test_no_milestone_can_lock_its_seat_out(saint: Saint) -> None:
    """PA-10.3."""
    for at, milestone in enumerate(saint.milestones):
        assert milestone.graces is None or milestone.graces.n <= 5
        assert milestone.discard is None or milestone.discard.n <= 2
        if milestone.progress is not None:
            finite = milestone.progress.on in ("saint_played", "grace_played", "effect_activated")
            assert milestone.progress.n <= (2 if finite else 3)
            assert at < 2 or not finite


def test_virtues_are_spread() -> None:
    """PA-10.3."""
    saints, graces = (Counter(virtue for card in kind for virtue in card.virtues) for kind in (SAINTS, GRACES))
    tests = Counter(virtue for event in EVENTS for virtue in event.virtues)
    for virtue in VIRTUES:
        assert saints[virtue] >= 3
        assert graces[virtue] >= 1
        assert tests[virtue] >= (2 if virtue == "charity" else 3)
    assert (saints["charity"], graces["charity"] <= 2) == (3, True)


def test_events_are_of_all_kinds() -> None:
    """PA-10.3."""
    modes = Counter(event.mode for event in EVENTS)
    assert modes["duel"] >= 4
    assert modes["solo"] >= 3
    assert modes[None] >= 14
    assert sum(len(event.virtues) == 2 for event in EVENTS) >= 3
    assert sum(event.bonus is not None for event in EVENTS) >= 3
    assert {event.dice for event in EVENTS} == {1, 2, 3}
    assert [event.dice for event in EVENTS if event.number == 13] == [3]


def test_effects_are_of_all_kinds() -> None:
    """PA-10.3."""
    assert sum(any(isinstance(effect, Act) for effect in saint.effects) for saint in SAINTS) >= 18
    effects = [effect for card in CARDS for effect in effects_of(card)]
    assert sum(effect.min_milestones >= 1 for effect in effects) >= 6
    assert sum(effect.where != "any" for effect in effects) >= 4
    for key in ("tokens", "graces", "discard", "state", "progress", "check"):
        assert sum(any(getattr(one, key) for one in saint.milestones) for saint in SAINTS) >= 6


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("op", op) for op in OPS),
        *(("q", query) for query in get_args(terms.Query)),
        *(("duration", duration) for duration in get_args(terms.Duration)),
        *(("who", who) for who in get_args(terms.Who)),
        *(("kind", kind) for kind in ("act", "static", "trigger")),
        *((key, ...) for key in ("all", "any", "not", "cond")),
    ],
)
def test_every_word_of_the_vocabulary_is_on_two_cards(key: str, value: Any) -> None:
    """PA-10.3, PA-6.14."""
    assert cards_using(key, value) >= 2


@pytest.mark.parametrize("on", get_args(terms.On))
def test_every_trigger_is_on_two_cards(on: str) -> None:
    """PA-10.3, PA-6.11."""
    effects = [(card.id, effect) for card in CARDS for effect in effects_of(card)]
    assert len({card for card, effect in effects if isinstance(effect, Triggered) and effect.on == on}) >= 2


@pytest.mark.parametrize("on", get_args(terms.Occurrence))
def test_every_occurrence_is_on_two_cards(on: str) -> None:
    """PA-10.3, PA-6.12."""
    assert sum(any(one.progress and one.progress.on == on for one in saint.milestones) for saint in SAINTS) >= 2


@pytest.mark.parametrize("key", Filter.__struct_fields__)
def test_every_filter_is_on_two_cards(key: str) -> None:
    """PA-10.3, PA-6.13."""
    cards = [table for kind in ("saint", "grace", "event") for table in TREE[kind]]
    assert sum(any(key in wanted for wanted in tables_of(table, "filter")) for table in cards) >= 2


def test_the_vocabulary_has_its_size() -> None:
    """PA-6.14, PA-6.5, PA-6.6, PA-9.16."""
    assert (len(OPS), len(set(OPS))) == (23, 23)
    assert sum(issubclass(kind, Lasting) for kind in get_args(AnyOp)) == 6
    sizes = [len(get_args(words)) for words in (terms.On, terms.Query, terms.Duration, terms.Occurrence, terms.Who)]
    assert sizes == [10, 15, 4, 8, 7]
    assert (len(Filter.__struct_fields__), len(VIRTUES)) == (8, 7)


def test_the_fixed_entries_are_shipped_as_given() -> None:
    """PA-10.5."""
    given = tomllib.loads(fixture().source.decode())
    for kind, count in (("saint", 8), ("grace", 8), ("event", 8)):
        assert TREE[kind][:count] == given[kind][:count]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_the_text_of_a_card_is_what_it_does(card: AnyCard) -> None:
    """PA-10.1, PA-10.2."""
    assert card.text in ("", text_of(card))
    fixed = any(card.id == table["id"] for kind in ("saint", "grace", "event") for table in TREE[kind][:8])
    assert bool(card.text) is not fixed


def test_texts_name_every_word_that_is_there() -> None:
    """PA-10.2."""
    cards = core().cards
    assert text_of(cards["before_the_judge"]) == (
        "Three dice are rolled. If it is won: if the loser has at least 1 face-down event (then: the winner puts 1 "
        "face-down event of the loser into the owner's hand / otherwise: the winner draws 1 card)."
    )
    assert [milestone_text(one) for one in cards.saint("george").milestones] == [
        "pay 2 tokens",
        "pass a check on fortitude 10",
        "set 3 events",
        "pay 4 tokens",
        "pay 4 tokens; you have at least 3 graces and you have at least 3 saints in play",
    ]
    assert condition(Condition(q="is_active", max=0)) == "it is not your turn"


@pytest.mark.parametrize("deck", core().cards.decks, ids=lambda deck: deck.id)
def test_ready_decks_are_balanced(deck: Any) -> None:
    """PA-10.3, PA-10.1."""
    kinds = Counter(core().cards[key].kind for key, count in deck.cards.items() for _ in range(count))
    assert 15 <= kinds["event"] <= 18
    assert 9 <= kinds["saint"] <= 13
    assert 9 <= kinds["grace"] <= 13
    assert len({one.patron for one in core().cards.decks}) == 4


def faults_of(source: str) -> list[tuple[str, str]]:
    with pytest.raises(PackError) as raised:
        RULES.read_pack(source.encode())
    return [(fault.where, fault.text) for fault in raised.value.faults]


HEAD = '[pack]\nid = "x"\nname = "X"\nversion = 1\nruleset = "patron"\ntraits = ["monk"]\n'
NINE = "[{ tokens = 1 }, { tokens = 1 }, { tokens = 1 }, { tokens = 1 }, { tokens = 1 }]"
SAINT = f'[[saint]]\nid = "s"\nname = "S"\nscore = 3\ntraits = []\nvirtues = {{}}\nmilestones = {NINE}\n'


def event_with(*lines: str, virtues: str = '["hope"]', number: int = 8) -> str:
    first = f'[[event]]\nid = "e"\nname = "E"\nvirtues = {virtues}\nnumber = {number}'
    return "\n".join([first, *lines, ""])


def saint_with(effect: str) -> str:
    return f"{HEAD}{SAINT}effects = [{effect}]\n"


ON_ITSELF = '{ q = "modifier", virtue = "hope", min = 1 }'


@pytest.mark.parametrize(
    ("effect", "where"),
    [
        ('{ kind = "act", do = [] }', "s: effects[0].do"),
        ('{ kind = "spell", do = [] }', "s: effects[0].kind"),
        ('{ kind = "act", do = [{ op = "fly" }] }', "s: effects[0].do[0].op"),
        ('{ kind = "act", do = [{ op = "draw", n = 0 }] }', "s: effects[0].do[0].n"),
        ('{ kind = "act", do = [{ op = "draw", n = 1, m = 2 }] }', "s: effects[0].do[0].m"),
        ('{ kind = "act", do = [{ op = "draw", who = "winner", n = 1 }] }', "s: effects[0].do[0].who"),
        ('{ kind = "act", do = [{ op = "draw", n = 1, who = "nobody" }] }', "s: effects[0].do[0].who"),
        ('{ kind = "act", do = [{ op = "peek" }] }', "s: effects[0].do[0].who"),
        ('{ kind = "act", do = [{ op = "tokens", n = 0 }] }', "s: effects[0].do[0]"),
        ('{ kind = "act", do = [{ op = "modifier", virtue = "hope", n = 1 }] }', "s: effects[0].do[0].duration"),
        (
            '{ kind = "act", do = [{ op = "restrict", action = "play_grace", duration = "next" }] }',
            "s: effects[0].do[0]",
        ),
        ('{ kind = "act", do = [{ op = "choose", options = [[]] }] }', "s: effects[0].do[0].options"),
        ('{ kind = "act", do = [{ op = "pay", cost = {}, then = [] }] }', "s: effects[0].do[0].cost"),
        (
            '{ kind = "act", do = [{ op = "remove", who = "self", zone = "event", filter = {} }] }',
            "s: effects[0].do[0]",
        ),
        (
            '{ kind = "act", do = [{ op = "remove", who = "self", zone = "saint", chooser = "each" }] }',
            "s: effects[0].do[0]",
        ),
        ('{ kind = "static", op = "draw", n = 1 }', "s: effects[0].op"),
        ('{ kind = "static", op = "intercession", n = 1, duration = "turn" }', "s: effects[0].duration"),
        ('{ kind = "static", op = "intercession", n = 1, who = "loser" }', "s: effects[0].who"),
        (
            f'{{ kind = "static", cond = {ON_ITSELF}, op = "modifier", virtue = "all", n = 1 }}',
            "s: effects[0].cond",
        ),
        (
            '{ kind = "static", cond = { q = "tokens", who = "winner", min = 1 }, op = "intercession", n = 1 }',
            "s: effects[0].cond.who",
        ),
        (
            '{ kind = "static", cond = { q = "tokens", who = "each", min = 1 }, op = "intercession", n = 1 }',
            "s: effects[0].cond",
        ),
        ('{ kind = "static", cond = { q = "tokens" }, op = "intercession", n = 1 }', "s: effects[0].cond"),
        (
            '{ kind = "static", cond = { q = "tokens", min = 1, virtue = "hope" }, op = "intercession", n = 1 }',
            "s: effects[0].cond",
        ),
        (
            '{ kind = "static", cond = { q = "tokens", min = 1, filter = {} }, op = "intercession", n = 1 }',
            "s: effects[0].cond",
        ),
        ('{ kind = "static", cond = {}, op = "intercession", n = 1 }', "s: effects[0].cond"),
        (
            '{ kind = "static", cond = { all = [{ q = "tokens", min = 1 }], min = 1 }, op = "intercession", n = 1 }',
            "s: effects[0].cond",
        ),
        ('{ kind = "trigger", on = "moon", do = [{ op = "draw", n = 1 }] }', "s: effects[0].on"),
        ('{ kind = "trigger", on = "played", limit = 4, do = [{ op = "draw", n = 1 }] }', "s: effects[0].limit"),
        ('{ kind = "act", do = [{ op = "recover", filter = { trait = "pirate" } }] }', "s: filter.trait"),
        ('{ kind = "act", where = "moon", do = [{ op = "draw", n = 1 }] }', "s: effects[0].where"),
    ],
)
def test_a_fault_is_named_by_card_and_field(effect: str, where: str) -> None:
    """PA-6.14, PA-6.1, PA-6.2, PA-6.5, PA-6.6, PA-6.10, PA-10.2."""
    assert [place for place, _ in faults_of(saint_with(effect))] == [where]


def test_all_faults_of_a_pack_are_told_together() -> None:
    """PA-6.14, PA-10.1, PA-10.2."""
    grace = '[[grace]]\nid = "S"\nname = ""\nvirtues = { luck = 1 }\n'
    virtues = '["hope", "faith", "charity"]'
    event = event_with("dice = 4", 'bonus = { who = "self", n = 9 }', virtues=virtues, number=30)
    found = [where for where, _ in faults_of(f"{HEAD}extra = 1\n{SAINT}{SAINT}{grace}{event}[[relic]]\nid = 'r'\n")]
    assert found == [
        "relic",
        "pack.extra",
        "s: id",
        "S: id",
        "S: name",
        "S: virtues",
        "e: virtues",
        "e: number",
        "e: dice",
        "e: bonus.n",
    ]


@pytest.mark.parametrize(
    ("more", "where"),
    [
        (
            '[[grace]]\nid = "g"\nname = "G"\nvirtues = {}\neffects = [{ kind = "act", do = [] }]\n',
            "g: effects[0].kind",
        ),
        (
            '[[grace]]\nid = "g"\nname = "G"\nvirtues = {}\n'
            'effects = [{ kind = "static", where = "patron", op = "intercession", n = 1 }]\n',
            "g: effects[0].where",
        ),
        ('[[deck]]\nid = "d"\nname = "D"\npatron = "s"\ncards = {}\n', "d: deck"),
        (
            '[[event]]\nid = "e"\nname = "E"\nvirtues = ["hope"]\nnumber = 8\nbonus = { who = "self", n = 0 }\n',
            "e: bonus",
        ),
    ],
)
def test_other_cards_and_decks_are_tested_too(more: str, where: str) -> None:
    """PA-10.1, PA-10.2, PA-4.20."""
    assert where in [place for place, _ in faults_of(HEAD + SAINT + more)]


@pytest.mark.parametrize(
    "milestones", ["[]", NINE.replace("tokens = 1", "tokens = 0", 1), NINE.replace("tokens = 1", "", 1)]
)
def test_milestones_are_five_and_demand_something(milestones: str) -> None:
    """PA-10.2, PA-6.12."""
    assert faults_of(HEAD + SAINT.replace(NINE, milestones))


def test_event_lists_may_name_the_contest_roles() -> None:
    """PA-6.2, PA-10.6."""
    event = event_with('on_win = [{ op = "draw", who = "winner", n = 1 }]')
    assert len(RULES.read_pack((HEAD + SAINT + event).encode()).cards) == 2
    assert len(fixture().cards) > 24
