"""Abilities, refs, selectors, filters, values, durations, states, conditions, triggers.

KN-6.1 to KN-6.11, KN-6.20 to KN-6.24, KN-6.30 to KN-6.37, KN-6.40, KN-6.50.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.knights.table import Duel, knight, lay, occasion, pack_with, permanent

ME = 'target = { pick = "choose", who = "ally" }'
EACH = 'target = { pick = "all", who = "any" }'
PLUS = '{ op = "modify", stat = "ce", n = 1 }'
DRAWS = '{ op = "draw", n = 1 }'


def drew(duel: Duel) -> int:
    return len(duel.told(None, "card_drawn"))


def picked(selector: str, **table: Any) -> list[tuple[int, int]]:
    """Give which knights a selector reaches: by who has one Ce more after an occasion."""
    pack = pack_with(occasion(f'{{ op = "modify", stat = "ce", n = 9, target = {selector} }}'))
    duel = lay(
        **({"a": {1: "alpha", 2: "beta", 3: "gamma"}, "b": {2: "alpha", 4: "delta"}} | table), a_hand="oo", pack=pack
    )
    before = {(s, n + 1): k["ce"] for s in (0, 1) for n, k in enumerate(duel.view(None)["knights"][str(s)]) if k}
    duel.play(0, "oo")
    if duel.prompt(0) and duel.prompted(0, duel.prompt(0).kind).kind == "choose_targets":  # type: ignore[union-attr]
        duel.stay_silent(0)
    return [place for place, ce in before.items() if duel.knight(*place)["ce"] > ce]


def holds(condition: str, **table: Any) -> bool:
    """Say whether a condition holds: by whether an occasion may be played."""
    pack = pack_with(occasion(DRAWS, when=condition))
    duel = lay(**({"a": {1: "alpha"}, "b": {1: "beta"}} | table), a_hand="oo", pack=pack)
    return duel.playing(0, "oo") in duel.offered(0)


def test_a_knight_has_its_own_ability_its_ranks_and_its_patrons() -> None:
    """KN-6.1, I-24."""
    duel = lay({1: "zeta defend"}, {1: "zeta defend"}, deities=("athena", "hades"))
    assert [duel.knight(seat, 1)["ar"] for seat in (0, 1)] == [6, 5]


def test_effects_of_a_shared_scenario_are_its_owners() -> None:
    """KN-6.1, KN-6.50."""
    start = 'kind = "triggered", trigger = "turn_start", effects = [{ op = "draw", n = 1 }]'
    duel = lay({1: "alpha"}, {1: "beta"}, scenario="pp@1", pack=pack_with(permanent("scenario", start)))
    duel.turns_on()
    assert [event["seat"] for event in duel.told(None, "card_drawn")] == [1, 1]
    duel.turns_on()
    assert [event["seat"] for event in duel.told(None, "card_drawn")] == [0]


@pytest.mark.parametrize(("once", "second"), [("none", 3), ("turn", 2), ("game", 2)])
def test_once_limits_an_ability_to_the_turn_or_the_match(once: str, second: int) -> None:
    """KN-6.2."""
    on = f'kind = "triggered", trigger = "occasion_played", once = "{once}", effects = [{DRAWS}]'
    duel = lay({1: "alpha"}, a_hand="o20 o20 o20", a_helper="pp", pvd=(1, 6), pack=pack_with(permanent("helper", on)))
    duel.play(0, "o20")
    duel.play(0, "o20")
    assert len(duel.state.hand[0]) == second
    duel.turns_on(2)
    duel.play(0, "o20")
    assert drew(duel) == (0 if once == "game" else 1)


def test_passives_read_values_without_passives() -> None:
    """KN-6.3."""
    when = 'when = [{ stat = { stat = "ce", of = "self", op = "<", n = 5 } }]'
    own = f'kind = "passive", {when}, effects = [{{ op = "modify", stat = "ce", n = 3 }}]'
    duel = lay({1: "kk"}, {1: "alpha"}, a_hand="o5", pack=pack_with(knight(own)))
    assert duel.knight(0, 1)["ce"] == 7
    duel.play(0, "o5")
    assert duel.knight(0, 1)["ce"] == 5


def test_values_are_added_up_before_they_are_clamped() -> None:
    """KN-6.3."""
    pack = pack_with(
        permanent(
            "scenario",
            'kind = "passive", effects = [{ op = "modify", stat = "ar", n = -9, target = { pick = "all" } }]',
        )
    )
    duel = lay({1: "alpha"}, a_support={1: "b1 on 1"}, scenario="pp", pack=pack)
    assert duel.knight(0, 1)["ar"] == 0


def test_costs_are_paid_in_full_before_anything_happens() -> None:
    """KN-6.4."""
    own = f'kind = "activated", cost = {{ pc = 1, pv = 2, discard = 1, pvd = 1 }}, effects = [{DRAWS}]'
    act = {"do": "activate", "source": {"knight": 1, "ability": 1}}
    pack = pack_with(knight(own))
    for poor in ({"a": {1: "kk pc=0"}}, {"a": {1: "kk pv=2"}}, {"a_hand": ""}, {"pvd": (1, 6)}):
        table: dict[str, Any] = {"a": {1: "kk"}, "a_hand": "o1 t2"} | poor
        lay(**table, pack=pack).refused(0, "cannot_pay", act)
    duel = lay({1: "kk"}, a_hand="o1 t2", pack=pack)
    duel.answer(0, act)
    assert (duel.pc(0, 1), duel.pv(0, 1), duel.knight(0, 1)["acted"]) == (5, 6, True)
    duel.take(0, "o1")
    assert (duel.pvd, duel.pile("hand", 0), duel.pile("discard", 0)) == ((5, 6), "t2 t1", "o1")


def test_a_triggered_ability_is_tested_again_when_its_turn_comes() -> None:
    """KN-6.5."""
    on = (
        'kind = "triggered", trigger = "occasion_played", when = [{ zone = "hand", '
        'op = "<", n = 1 }], effects = [{ op = "draw", n = 1 }]'
    )
    tables = knight(on) + permanent("helper", on)
    duel = lay({1: "kk"}, a_hand="o20", a_helper="pp", pvd=(2, 6), pack=pack_with(tables))
    duel.play(0, "o20")
    assert drew(duel) == 1


def test_refs_to_what_has_gone_are_skipped() -> None:
    """KN-6.6."""
    effects = (f'{{ op = "damage", n = 9, {ME} }}', '{ op = "modify", stat = "ce", n = 1, target = "chosen" }', DRAWS)
    duel = lay({1: "alpha", 2: "beta"}, {1: "gamma"}, a_hand="oo", pack=pack_with(occasion(*effects)))
    duel.play(0, "oo")
    duel.choose(0, (0, 2))
    assert (duel.state.modifiers, drew(duel)) == ([], 1)


def test_attacker_and_target_mean_something_only_in_an_attack() -> None:
    """KN-6.6, KN-6.77."""
    effects = ('{ op = "damage", n = 2, target = "attacker" }', '{ op = "attack_mod", aa = 5, target = "target" }')
    duel = lay({1: "alpha"}, {1: "gamma"}, a_hand="oo", pack=pack_with(occasion(*effects)))
    duel.play(0, "oo")
    duel.attack(0, 1, 1)
    assert (duel.pv(0, 1), duel.strike()) == (10, (7, 6, 2))


@pytest.mark.parametrize(
    ("selector", "places"),
    [
        ('{ pick = "all" }', [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4)]),
        ('{ pick = "all", who = "ally" }', [(0, 1), (0, 2), (0, 3)]),
        ('{ pick = "all", who = "enemy", filter = { rank = "none" } }', [(1, 4)]),
        ('{ pick = "choose", who = "enemy" }', [(1, 2)]),
        ('{ pick = "choose", n = 2 }', [(0, 1), (0, 2)]),
        ('{ pick = "choose", n = 2, up_to = true }', []),
        ('{ pick = "all", filter = { card = ["alpha", "delta"] } }', [(0, 1), (1, 2), (1, 4)]),
        ('{ pick = "all", filter = { elite = true } }', [(0, 3)]),
        ('{ pick = "all", filter = { patron = "athena", not = { slot = 1 } } }', [(1, 2)]),
        ('{ pick = "all", filter = { stat = { stat = "pv", op = ">=", n = 10 } } }', [(0, 1), (0, 3), (1, 2)]),
        ('{ pick = "all", filter = { rarity = "E" } }', [(0, 3)]),
        ('{ pick = "all", filter = { reference = "beta" } }', [(0, 2)]),
        ('{ pick = "all", filter = { acted = true } }', []),
        ('{ pick = "all", filter = { kind = "knight", slot = [3, 4] } }', [(0, 3), (1, 4)]),
        ('{ pick = "all", filter = { face = "down" } }', []),
    ],
)  # fmt: skip
def test_selectors_and_filters(selector: str, places: list[tuple[int, int]]) -> None:
    """KN-6.7, KN-6.8."""
    assert picked(selector) == places


@pytest.mark.parametrize(
    ("wanted", "words", "found"),
    [
        ("damaged = true", "beta pv=3", True), ("damaged = false", "beta pv=3", False),
        ('stance = ["defend", "evade"]', "beta evade", True), ('stance = "attack"', "beta evade", False),
        ('state = "any"', "beta env", True), ('state = ["par", "env"]', "beta env", True),
        ('state = "par"', "beta env", False), ("acted = true", "beta acted", True),
        ("has_object = true", "beta", True), ("has_object = false", "beta", False),
    ],
)  # fmt: skip
def test_filters_on_how_a_knight_stands(wanted: str, words: str, found: bool) -> None:
    """KN-6.8."""
    selector = f'{{ pick = "all", who = "enemy", filter = {{ {wanted} }} }}'
    assert picked(selector, a={}, b={1: words}, b_support={1: "b1 on 1"}) == ([(1, 1)] if found else [])


def test_facing_and_adjacent_are_counted_from_the_source() -> None:
    """KN-6.7, KN-4.32."""
    for pick, places in (("front", [(1, 2)]), ("adjacent", [(0, 1), (0, 3), (1, 1), (1, 2), (1, 3)])):
        own = f'kind = "passive", effects = [{{ op = "modify", stat = "ce", n = 9, target = {{ pick = "{pick}" }} }}]'
        field = {1: "alpha", 2: "kk", 3: "beta", 4: "gamma"}
        foes = {1: "alpha", 2: "beta", 3: "delta", 4: "gamma"}
        duel = lay(field, foes, pack=pack_with(knight(own)))
        found = [(s, n) for s in (0, 1) for n in (1, 2, 3, 4) if duel.knight(s, n)["ce"] >= 11]
        assert found == places


def test_random_picks_without_replacement() -> None:
    """KN-6.7."""
    hit = picked('{ pick = "random", n = 2, who = "ally" }')
    assert len(set(hit)) == 2
    assert {place for place, _ in hit} == {0}


def test_the_foe_may_be_the_one_to_choose() -> None:
    """KN-6.7."""
    pack = pack_with(occasion('{ op = "destroy", target = { pick = "choose", who = "enemy", by = "foe" } }'))
    duel = lay({1: "alpha"}, {1: "beta", 2: "gamma"}, a_hand="oo", pack=pack)
    duel.play(0, "oo")
    assert duel.prompt(0) is None
    duel.choose(1, (1, 1))
    assert duel.space(1, 1) == ""


def test_face_down_cards_match_their_face_alone() -> None:
    """KN-6.7, KN-6.8."""
    seal = '{ op = "destroy", target = { pick = "all", who = "enemy", zone = "support", filter = { 0 } } }'
    for wanted, left in (('level = "D"', ["~", ""]), ('face = "down"', ["", "d1"]), ("not = { level = 1 }", ["~", ""])):
        pack = pack_with(occasion(seal.replace("{ 0 }", f"{{ {wanted} }}")))
        duel = lay({1: "beta"}, {1: "alpha"}, a_hand="oo", b_support={1: "d1 down on 1", 2: "d1 on 1"}, pack=pack)
        duel.play(0, "oo")
        assert duel.support(1)[:2] == left
    assert not holds('{ support = { level = "D" }, op = ">=", n = 1 }', a_support={1: "d1 down on 1"})
    assert holds('{ support = { level = "D" }, op = ">=", n = 1 }', a_support={1: "d1 on 1"})


def test_a_later_effect_without_a_match_is_skipped() -> None:
    """KN-6.9."""
    duel = lay(
        {1: "alpha"},
        {},
        a_hand="oo",
        pack=pack_with(occasion(DRAWS, '{ op = "damage", n = 1, target = { pick = "choose", who = "enemy" } }', DRAWS)),
    )
    duel.play(0, "oo")
    assert drew(duel) == 2


@pytest.mark.parametrize(
    ("value", "n"),
    [
        ("2", 2), ("{ count = {} }", 3), ('{ count = { who = "ally" }, times = 2 }', 4),
        ('{ count = { who = "ally" }, times = 3, max = 5 }', 5), ('{ count = { zone = "support" } }', 1),
        ('{ count = { zone = "support", filter = { face = "down" } } }', 1),
    ],
)  # fmt: skip
def test_numbers_are_fixed_or_counted(value: str, n: int) -> None:
    """KN-6.10."""
    pack = pack_with(occasion(f'{{ op = "draw", n = {value} }}'))
    duel = lay({1: "alpha", 2: "beta"}, {1: "gamma"}, a_hand="oo", a_support={2: "t1 down on 1"}, pack=pack)
    duel.play(0, "oo")
    assert drew(duel) == n


def test_numbers_are_read_off_a_knight_and_never_below_zero() -> None:
    """KN-6.10."""
    half = '{ op = "heal", n = { stat = "ce", of = "chosen", div = 2 }, target = "chosen" }'
    less = '{ op = "damage", n = { stat = "ce", of = "chosen", times = -1 }, target = "chosen" }'
    duel = lay({1: "alpha pv=1"}, a_hand="oo", pack=pack_with(occasion(f'{{ op = "heal", n = 0, {ME} }}', half, less)))
    duel.play(0, "oo")
    assert duel.pv(0, 1) == 4


def test_choices_from_a_deck_may_find_nothing_others_are_exact() -> None:
    """KN-6.11."""
    duel = lay({1: "alpha"}, a_hand="o3 o19", b_discard="t1 t2")
    duel.play(0, "o3")
    assert (duel.prompted(0, "choose_cards").least, duel.prompted(0, "choose_cards").most) == (0, 1)
    duel.answer(0)
    duel.play(0, "o19")
    assert duel.prompted(0, "choose_cards").least == 1


@pytest.mark.parametrize(
    ("condition", "table", "expected"),
    [
        ('{ turn = "mine" }', {}, True), ('{ turn = "theirs" }', {}, False),
        ('{ turn_no = { op = ">=", n = 5 } }', {}, True), ('{ turn_no = { op = ">", n = 5 } }', {}, False),
        ('{ deity = "poseidon" }', {}, True), ('{ deity = "hades", who = "foe" }', {}, False),
        ('{ scenario = "none" }', {}, True), ('{ scenario = "any" }', {"scenario": "s1"}, True),
        ('{ scenario = "s2" }', {"scenario": "s1"}, False), ('{ scenario = "s1" }', {"scenario": "s1@1"}, True),
        ('{ control = { rank = "bronze" }, op = "=", n = 1 }', {}, True),
        ('{ control = {}, who = "foe", op = ">", n = 1 }', {}, False),
        ('{ support = {}, who = "foe", op = ">=", n = 1 }', {"b_support": {1: "t1 down on 1"}}, True),
        ('{ zone = "deck", op = "<=", n = 5 }', {}, False),
        ('{ zone = "discard", who = "foe", op = "=", n = 2 }', {"b_discard": "t1 t2"}, True),
        ('{ pvd = { op = "<", n = 6 } }', {}, False),
        ('{ pvd = { op = "<", n = 6, who = "foe" } }', {"pvd": (6, 2)}, True),
        ('{ any = [{ turn = "theirs" }, { scenario = "none" }] }', {}, True),
        ('{ not = { turn = "mine" } }', {}, False),
        ('{ turn = "mine" }, { scenario = "any" }', {}, False),
    ],
)  # fmt: skip
def test_conditions_on_the_table(condition: str, table: dict[str, Any], expected: bool) -> None:
    """KN-6.40."""
    assert holds(condition, **table) == expected


@pytest.mark.parametrize(
    ("condition", "words", "expected"),
    [
        ('{ stat = { stat = "pv", of = "chosen", op = "<=", n = 4 } }', "beta pv=4", True),
        ('{ state = "env", of = "chosen" }', "beta", False), ('{ state = "any", of = "chosen" }', "beta qmd", True),
        ('{ stance = "evade", of = "chosen" }', "beta evade", True),
        ('{ slot = [2, 3], of = "chosen" }', "beta", False),
        ('{ slot = 1, of = "chosen" }', "beta", True),
        ('{ matches = { rank = "bronze" }, of = "chosen" }', "beta", True),
        ('{ stance = "evade", of = "event" }', "beta evade", False), ('{ attack = "acn" }', "beta", False),
    ],
)  # fmt: skip
def test_conditions_on_a_ref(condition: str, words: str, expected: bool) -> None:
    """KN-6.40, KN-6.6."""
    first = '{ op = "heal", n = 0, target = { pick = "choose", who = "enemy" } }'
    pack = pack_with(occasion(first, f'{{ op = "if", when = [{condition}], then = [{DRAWS}] }}'))
    duel = lay({1: "alpha"}, {1: words}, a_hand="oo", pack=pack)
    duel.play(0, "oo")
    assert drew(duel) == int(expected)


ATTACK = {"do": "attack", "knight": 1, "target": 1}


@pytest.mark.parametrize(
    ("trigger", "whose", "doing"),
    [
        ("turn_start", "enemy", "end"), ("turn_end", "ally", "end"), ("knight_entered", "ally", "knight"),
        ("attack_declared", "ally", "attack"), ("attacked", "enemy", "attack"), ("hit", "ally", "attack"),
        ("damaged", "enemy", "attack"), ("direct_hit", "ally", "direct"), ("knight_destroyed", "enemy", "kill"),
        ("technique_used", "any", "technique"), ("occasion_played", "ally", "occasion"),
        ("state_gained", "enemy", "state"),
    ],
)  # fmt: skip
def test_triggers_wake_those_whom_they_concern(trigger: str, whose: str, doing: str) -> None:
    """KN-6.50."""
    found = {}
    for other in (whose, *({"ally": ["enemy"], "enemy": ["ally"], "any": []}[whose])):
        on = (
            f'kind = "triggered", trigger = "{trigger}", whose = "{other}", effects = [{{ op = "change_pvd", n = -1 }}]'
        )
        duel = lay(
            {1: "alpha", 2: "kappa"}, {1: "gamma", 2: "delta"}, a_helper="pp", a_hand="beta o13 o20",
            a_support={1: "t1 on 1"}, pack=pack_with(permanent("helper", on)),
        )  # fmt: skip
        _do(duel, doing)
        found[other] = duel.pvd[0]
    assert found.pop(whose) == 5
    assert all(left == 6 for left in found.values())


def _do(duel: Duel, doing: str) -> None:
    match doing:
        case "end":
            duel.turns_on()
        case "knight":
            duel.play(0, "beta", slot=4)
        case "attack":
            duel.attack(0, 1, 1)
        case "direct":
            duel.attack(0, 2, "direct")
        case "kill":
            duel.attack(0, 1, 2)
        case "technique":
            duel.use(0, 1, 1)
        case "state":
            duel.play(0, "o13")
            duel.choose(0, (1, 1))
        case _:
            duel.play(0, "o20")


def test_played_and_destroyed_mean_this_card() -> None:
    """KN-6.50."""
    tables = knight(f'kind = "triggered", trigger = "played", effects = [{DRAWS}]')
    duel = lay({1: "alpha"}, a_hand="kk", pack=pack_with(tables))
    duel.play(0, "kk", slot=2)
    assert drew(duel) == 1


def test_evading_wakes_who_evaded() -> None:
    """KN-6.50, KN-4.19."""
    on = f'kind = "triggered", trigger = "evaded", effects = [{DRAWS}]'
    for at in range(64):
        duel = lay({1: "alpha"}, {1: "kk evade"}, key=bytes([at]) * 32, pack=pack_with(knight(on)))
        duel.attack(0, 1, 1)
        if duel.told(None, "attack_evaded"):
            assert drew(duel) == 1
            return
    raise AssertionError("no tails in 64 tosses")


def test_objects_wait_for_their_bearer() -> None:
    """KN-6.50."""
    on = f'kind = "triggered", trigger = "attacked", effects = [{DRAWS}]'
    tables = permanent("object", on)
    duel = lay({1: "alpha", 2: "beta"}, {1: "gamma", 2: "iota"}, b_support={1: "pp on 2"}, pack=pack_with(tables))
    duel.attack(0, 1, 2)
    assert drew(duel) == 1
