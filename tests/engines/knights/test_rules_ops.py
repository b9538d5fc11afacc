"""The ops, one by one (KN-6.61 to KN-6.87, KN-6.90)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.knights.table import Duel, knight, lay, occasion, pack_with, technique

FOE = 'target = { pick = "choose", who = "enemy" }'
ALLY = 'target = { pick = "choose", who = "ally" }'


def play(*effects: str, **table: Any) -> Duel:
    """Play an occasion with these effects. A1 = alpha, B1 = gamma unless said otherwise."""
    duel = lay(**({"a": {1: "alpha"}, "b": {1: "gamma"}, "a_hand": "oo"} | table), pack=pack_with(occasion(*effects)))
    duel.play(0, "oo")
    return duel


@pytest.mark.parametrize(("stat", "n", "value"), [("ce", 2, 9), ("ar", -9, 0), ("max_pv", 3, 13), ("max_pc", -3, 5)])
def test_modify(stat: str, n: int, value: int) -> None:
    """KN-6.61."""
    duel = play(f'{{ op = "modify", stat = "{stat}", n = {n}, {ALLY} }}')
    assert duel.knight(0, 1)[stat] == value
    assert duel.told(None, "stat_changed")[0]["amount"] == n


def test_damage_passes_armour_and_stance() -> None:
    """KN-6.62, KN-6.86."""
    duel = play('{ op = "damage", n = 4, target = { pick = "all" } }', b={1: "gamma defend"})
    assert (duel.pv(0, 1), duel.pv(1, 1)) == (6, 8)


def test_heal_and_change_pc_keep_their_bounds() -> None:
    """KN-6.63, KN-6.64."""
    duel = play(
        f'{{ op = "heal", n = 4, {ALLY} }}',
        f'{{ op = "change_pc", n = -5, {FOE} }}',
        a={1: "alpha pv=8"},
        b={1: "gamma pc=3"},
    )
    assert (duel.pv(0, 1), duel.pc(1, 1)) == (10, 0)


def test_change_pvd_of_either_seat() -> None:
    """KN-6.65."""
    duel = play('{ op = "change_pvd", who = "foe", n = -2 }', '{ op = "change_pvd", n = -1 }')
    assert duel.pvd == (5, 4)


def test_inflict_and_cure() -> None:
    """KN-6.66, KN-6.67."""
    duel = play(
        f'{{ op = "inflict", state = "par", turns = 2, {FOE} }}',
        f'{{ op = "cure", states = ["qmd"], {ALLY} }}',
        a={1: "alpha qmd env"},
    )
    assert (duel.knight(1, 1)["states"], duel.knight(0, 1)["states"]) == ({"par": 2}, {"env": 0})


@pytest.mark.parametrize(
    ("keyword", "act", "code"),
    [
        ("no_attack", {"do": "attack", "knight": 1, "target": 1}, "cannot_attack"),
        ("no_attack", {"do": "use_technique", "slot": 1, "target": 1}, "cannot_attack"),
        ("no_technique", {"do": "use_technique", "slot": 1, "target": 1}, "cannot_attack"),
        ("no_technique", {"do": "use_technique", "slot": 2}, "cannot_attack"),
        ("no_evade", {"do": "evade", "knight": 1}, "cannot_evade"),
        ("no_defend", {"do": "defend", "knight": 1}, "cannot_defend"),
    ],
)  # fmt: skip
def test_grant_keywords_that_forbid(keyword: str, act: dict[str, Any], code: str) -> None:
    """KN-6.68, KN-6.90."""
    duel = play(f'{{ op = "grant", keyword = "{keyword}", {ALLY} }}', a_support={1: "t1 on 1", 2: "d1 on 1"})
    duel.refused(0, code, act)


@pytest.mark.parametrize(("keyword", "stance"), [("no_evade", "evade"), ("no_defend", "defend")])
def test_a_forbidden_stance_is_left_at_once(keyword: str, stance: str) -> None:
    """KN-6.90, KN-4.9."""
    duel = play(f'{{ op = "grant", keyword = "{keyword}", {FOE} }}', b={1: f"gamma {stance}"})
    assert duel.knight(1, 1)["stance"] == "attack"


def test_who_may_not_react_is_not_offered_it() -> None:
    """KN-6.90, KN-4.26."""
    duel = play(f'{{ op = "grant", keyword = "no_react", {FOE} }}', b_support={1: "d1 down on 1"})
    duel.attack(0, 1, 1)
    assert duel.offered(1) == [{"do": "pass"}]


def test_a_guard_by_grant_draws_attacks() -> None:
    """KN-6.90, KN-5.20."""
    duel = play(f'{{ op = "grant", keyword = "guard", {FOE} }}', b={1: "gamma"})
    assert duel.knight(1, 1)["keywords"] == ["guard"]


def test_direct_by_grant_passes_defenders() -> None:
    """KN-6.90, KN-4.12."""
    duel = play(f'{{ op = "grant", keyword = "direct", {ALLY} }}')
    duel.attack(0, 1, "direct")
    assert duel.pvd == (6, 5)


def test_restrict_lasts_as_long_as_it_says() -> None:
    """KN-6.69."""
    duel = lay({1: "alpha"}, {1: "gamma"}, a_hand="o18", b_hand="o2")
    duel.play(0, "o18")
    duel.turns_on()
    duel.refused(1, "restricted", duel.playing(1, "o2"))
    duel.turns_on(2)
    duel.play(1, "o2")


def test_draw_of_either_seat() -> None:
    """KN-6.70."""
    duel = play('{ op = "draw", n = 2 }', '{ op = "draw", who = "foe", n = 1 }')
    assert [len(duel.state.hand[seat]) for seat in (0, 1)] == [2, 1]


def test_cards_always_go_to_their_owners_piles() -> None:
    """KN-6.71a, KN-6.36."""
    duel = lay({}, {1: "alpha"}, a_hand="o4 o21")
    duel.play(0, "o4")
    duel.play(0, "o21")
    assert (duel.pile("hand", 1), duel.space(1, 1)) == ("alpha", "")


def test_a_search_shuffles_first_if_the_card_stays_in_the_deck() -> None:
    """KN-6.71b, KN-2.37."""
    effect = (
        '{ op = "move_cards", from = "deck", to = "deck_top", pick = "choose", n = 2, filter = { kind = "technique" } }'
    )
    duel = play(effect, a_deck="o1 t1 o2 t2 o3")
    duel.take(0, "t1", "t2")
    assert [event["event"] for event in duel.told(None)][:2] == ["deck_shuffled", "cards_moved"]
    assert duel.pile("deck", 0).startswith("t2 t1 ")


def test_moves_by_a_filter_are_shown_others_are_not() -> None:
    """KN-6.71c, KN-2.41."""
    for more, shown in ((', filter = { kind = "technique" }', True), ("", False), (", reveal = true", True)):
        duel = play(f'{{ op = "move_cards", from = "deck", to = "hand", pick = "choose"{more} }}', a_deck="t1 t2")
        duel.take(0, "t2")
        told = [duel.told(eyes, "cards_moved")[0] for eyes in (None, 0, 1)]
        assert ["cards" in event for event in told] == [shown, True, shown]


def test_summoning_needs_an_empty_space_and_no_equal() -> None:
    """KN-6.71d."""
    four = {1: "alpha", 2: "beta", 3: "delta", 4: "eta"}
    full = play(
        '{ op = "draw", n = 1 }',
        '{ op = "move_cards", from = "discard", to = "field", pick = "choose" }',
        a=four,
        a_discard="gamma",
    )
    assert (full.prompted(0, "main").kind, full.pile("discard", 0)) == ("main", "gamma oo")
    duel = play(
        '{ op = "move_cards", from = "discard", to = "field", pick = "all" }',
        a={1: "beta", 2: "delta", 3: "eta"},
        a_discard="beta alpha t1 gamma",
    )
    assert (duel.space(0, 4), duel.pile("discard", 0)) == ("alpha", "beta t1 gamma oo")


def test_choosing_from_a_strange_hand_shows_it_to_the_chooser_alone() -> None:
    """KN-6.71e, KN-5.39."""
    effect = (
        '{ op = "move_cards", who = "foe", by = "me", from = "hand", '
        'to = "discard", pick = "choose", filter = { kind = "occasion" } }'
    )
    duel = play(effect, b_hand="t2 o5 o1")
    assert ([card["card"] for card in duel.view(0)["look"]], duel.offered_cards(0)) == (
        ["o1", "o5", "t2"],
        ["o1", "o5"],
    )
    assert (duel.view(1)["look"], duel.view(None)["look"]) == ([], [])
    duel.take(0, "o5")
    assert duel.pile("discard", 1) == "o5"


@pytest.mark.parametrize(("by", "asked"), [("me", 0), ("foe", 1)])
def test_move_cards_says_who_chooses(by: str, asked: int) -> None:
    """KN-6.71."""
    duel = play(
        f'{{ op = "move_cards", who = "foe", by = "{by}", from = "hand", to = "discard", pick = "choose" }}',
        b_hand="t1 t2",
    )
    assert duel.prompt(asked) is not None
    assert duel.prompt(1 - asked) is None


def test_destroy_fells_knights_and_discards_the_rest() -> None:
    """KN-6.72."""
    duel = play(
        '{ op = "destroy", target = { pick = "all", who = "enemy", zone = "support" } }',
        '{ op = "destroy", target = { pick = "all", zone = "scenario" } }',
        f'{{ op = "destroy", {FOE} }}',
        b_support={1: "t2 down on 1"},
        scenario="s1",
    )
    assert (duel.pile("discard", 1), duel.pile("discard", 0), duel.pvd) == ("t2 gamma", "s1 oo", (6, 5))


@pytest.mark.parametrize(
    ("to", "zone"), [("hand", "hand"), ("deck_top", "deck"), ("deck_bottom", "deck"), ("exile", "exile")]
)
def test_remove_is_no_destruction(to: str, zone: str) -> None:
    """KN-6.73, KN-2.40."""
    duel = play(f'{{ op = "remove", to = "{to}", {FOE} }}', b_deck="t1")
    where = {"deck_top": "gamma t1", "deck_bottom": "t1 gamma"}.get(to, "gamma")
    assert (duel.pile(zone, 1), duel.pvd, duel.told(None, "knight_destroyed")) == (where, (6, 6), [])


def test_a_swap_offers_only_knights_of_the_same_side() -> None:
    """KN-6.74."""
    duel = play(
        f'{{ op = "move_knight", mode = "swap", {ALLY}, with = {{ pick = "choose" }} }}',
        a={1: "alpha", 2: "beta", 4: "delta"},
    )
    duel.choose(0, (0, 1))
    assert [(act["seat"], act["slot"]) for act in duel.offered(0)] == [(0, 2), (0, 4)]
    duel.choose(0, (0, 4))
    assert (duel.space(0, 1), duel.space(0, 4)) == ("delta", "alpha")


def test_set_face_turns_up_what_lies_hidden() -> None:
    """KN-6.75, KN-2.36."""
    duel = play(
        '{ op = "set_face", face = "up", target = { pick = "choose", who = "enemy", zone = "support" } }',
        b_support={2: "d1 down on 1"},
    )
    assert (duel.support(1), duel.told(None, "technique_flipped")[0]["card"]["card"]) == (["", "d1", "", ""], "d1")


def test_peek_may_put_the_top_into_another_order() -> None:
    """KN-6.76, KN-5.34."""
    duel = play('{ op = "peek", who = "me", zone = "deck", n = 3, reorder = true }', a_deck="o1 o2 o3 o4")
    assert ([card["card"] for card in duel.view(0)["look"]], duel.view(1)["look"]) == (["o1", "o2", "o3"], [])
    duel.take(0, "o3", "o1", "o2")
    assert duel.pile("deck", 0) == "o3 o1 o2 o4"


def reacting(effects: str, **table: Any) -> Duel:
    pack = pack_with(technique(f'react = [{effects}]\nprotects = "ally"', level='"D"', cost=0))
    duel = lay(
        **({"a": {1: "alpha"}, "b": {1: "beta", 2: "gamma"}, "b_support": {1: "tt down on 2"}} | table), pack=pack
    )
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    return duel


def test_attack_mod_changes_every_target_unless_it_names_one() -> None:
    """KN-6.77."""
    assert reacting('{ op = "attack_mod", ar = 2, aa = -1 }').strike() == (6, 5, 2)
    assert reacting('{ op = "attack_mod", ar = 2, target = "host" }').strike() == (7, 3, 5)
    assert reacting('{ op = "attack_mod", damage = -9 }').strike() == (7, 3, 0)


def test_negate_attack_lets_nothing_land() -> None:
    """KN-6.78, KN-4.18."""
    duel = reacting('{ op = "negate_attack" }')
    assert (duel.pv(1, 1), duel.told(None, "damage_dealt")) == (8, [])


def test_redirect_moves_a_single_attack_and_no_other() -> None:
    """KN-6.79."""
    assert reacting('{ op = "redirect", target = "host" }').pv(1, 2) == 10
    pack = pack_with(technique('react = [{ op = "redirect", target = "host" }]\nprotects = "ally"', level='"D"'))
    duel = lay({1: "gamma"}, {1: "beta", 3: "zeta"}, a_support={1: "t3 on 1"}, b_support={1: "tt down on 3"}, pack=pack)
    duel.use(0, 1)
    duel.act(1, "react", slot=1)
    assert (duel.pv(1, 1), duel.pv(1, 3)) == (1, 9)


def test_counter_strikes_at_once_with_a_bonus() -> None:
    """KN-6.80."""
    duel = reacting('{ op = "counter", bonus = 4 }')
    assert duel.told(None, "damage_dealt")[0]["damage"] == 5
    assert duel.pv(0, 1) == 5


def test_ready_gives_the_action_back_and_leaves_the_stance() -> None:
    """KN-6.81."""
    duel = lay({1: "alpha"}, {1: "gamma"}, a_hand="o17")
    duel.act(0, "defend", knight=1)
    duel.play(0, "o17")
    assert (duel.knight(0, 1)["acted"], duel.knight(0, 1)["stance"]) == (False, "defend")
    duel.attack(0, 1, 1)


@pytest.mark.parametrize(("words", "stance"), [("beta", "evade"), ("beta nse", "attack")])
def test_set_stance_keeps_what_is_forbidden_off(words: str, stance: str) -> None:
    """KN-6.82."""
    assert play(f'{{ op = "set_stance", stance = "evade", {ALLY} }}', a={1: words}).knight(0, 1)["stance"] == stance


def test_a_coin_leads_to_one_of_two_lists() -> None:
    """KN-6.83, KN-6.87."""
    found = set()
    for at in range(32):
        duel = lay({1: "alpha"}, a_hand="o15 t1", key=bytes([at]) * 32)
        duel.play(0, "o15")
        heads = duel.told(None, "coin_tossed")[0]["result"] == "heads"
        found.add(heads)
        assert len(duel.told(None, "card_drawn")) == (2 if heads else 0)
        assert (duel.view(None)["pending"][0]["kind"] == "choose_cards") == (not heads)
    assert found == {True, False}


def test_the_foe_may_choose_the_branch() -> None:
    """KN-6.84, KN-5.35."""
    options = '[{ label = "a", effects = [{ op = "draw", n = 1 }] }, { label = "b", effects = [] }]'
    duel = play(f'{{ op = "choose_one", by = "foe", options = {options} }}')
    duel.act(1, "option", index=1, label="b")
    assert len(duel.state.hand[0]) == 0


@pytest.mark.parametrize(("n", "drawn"), [(6, 1), (7, 2)])
def test_if_takes_one_of_two_ways(n: int, drawn: int) -> None:
    """KN-6.85."""
    duel = play(
        f'{{ op = "if", when = [{{ pvd = {{ op = ">=", n = {n} }} }}], '
        f'then = [{{ op = "draw", n = 1 }}], else = [{{ op = "draw", n = 2 }}] }}'
    )
    assert len(duel.state.hand[0]) == drawn


def test_several_targets_are_treated_at_once() -> None:
    """KN-6.86, KN-4.9."""
    dies = (
        'kind = "triggered", trigger = "destroyed", effects = [{ op = "heal", '
        'n = 5, target = { pick = "all", who = "ally" } }]'
    )
    pack = pack_with(occasion('{ op = "damage", n = 3, target = { pick = "all", who = "enemy" } }') + knight(dies))
    duel = lay({1: "alpha"}, {1: "kk pv=3", 2: "beta pv=3"}, a_hand="oo", pack=pack)
    duel.play(0, "oo")
    assert ([duel.space(1, 1), duel.space(1, 2)], duel.pvd) == (["", ""], (6, 4))


def test_effect_lists_of_techniques_name_their_host() -> None:
    """KN-6.6, KN-6.7."""
    own = (
        'react = [{ op = "negate_attack" }]\nown = [{ op = "heal", '
        'n = 2 }, { op = "change_pc", n = 1, target = "host" }]'
    )
    duel = lay(
        {1: "alpha pv=5"}, {1: "beta"}, a_support={1: "tt on 1"}, pack=pack_with(technique(own, level='"D"', cost=2))
    )
    duel.use(0, 1)
    assert (duel.pv(0, 1), duel.pc(0, 1)) == (7, 7)
