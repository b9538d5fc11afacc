"""Attacks from declaration to end, and reactions (KN-4.12 to KN-4.28)."""

from __future__ import annotations

import pytest

from tests.engines.knights.table import Duel, knight, lay, pack_with, technique


def kinds(duel: Duel, *wanted: str) -> list[str]:
    return [event["event"] for event in duel.told(None, *wanted)]


def test_direct_attacks_need_a_way_and_open_no_window() -> None:
    """KN-4.12, I-32, KN-6.90."""
    duel = lay({1: "kappa", 2: "alpha"}, {1: "beta"}, b_support={1: "d3 down on 1"})
    duel.refused(0, "defenders_present", {"do": "attack", "knight": 2, "target": "direct"})
    duel.attack(0, 1, "direct")
    assert (duel.pvd, kinds(duel, "reaction_window", "coin_tossed", "damage_dealt")) == ((6, 5), [])


@pytest.mark.parametrize(("ce", "left"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 4), (8, 6), (10, 7), (15, 11), (20, 15)])
def test_the_defenders_quarter_is_rounded_to_the_nearest_halves_to_the_defender(ce: int, left: int) -> None:
    """KN-4.13, KN-4.21, I-11."""
    pack = pack_with(knight(stats=f"pv = 8\nce = {ce - 1}\nar = 0\npc = 2") + knight(id="wall", stats=WALL))
    duel = lay({1: "kk"}, {1: "wall defend"}, pack=pack)
    duel.attack(0, 1, 1)
    assert duel.strike() == (ce - 1, 0, left)


WALL = "pv = 40\nce = 1\nar = 0\npc = 1"


def test_effect_damage_and_counters_are_not_parried() -> None:
    """KN-4.13, KN-6.62, KN-6.80."""
    duel = lay({1: "alpha", 2: "beta"}, {1: "gamma defend"}, a_hand="o1")
    duel.play(0, "o1")
    assert duel.pv(1, 1) == 9


def test_an_attack_takes_its_stance_before_anything_else() -> None:
    """KN-4.15."""
    duel = lay({1: "alpha defend"}, {1: "beta"})
    duel.attack(0, 1, 1)
    assert kinds(duel)[:2] == ["stance_changed", "attack_declared"]
    (declared,) = duel.told(None, "attack_declared")
    assert (declared["kind"], declared["technique"], declared["targets"]) == ("acn", None, [{"seat": 1, "slot": 1}])


def test_what_a_declaration_triggers_comes_before_the_window() -> None:
    """KN-4.16, KN-4.17."""
    attacked = (
        'kind = "triggered", trigger = "attacked", '
        'effects = [{ op = "modify", stat = "ar", n = 3, duration = "attack" }]'
    )
    duel = lay({1: "alpha"}, {1: "kk"}, b_support={1: "t1 down on 1"}, pack=pack_with(knight(attacked)))
    duel.attack(0, 1, 1)
    assert kinds(duel)[-2:] == ["stat_changed", "reaction_window"]
    duel.act(1, "pass")
    assert (duel.strike(), duel.knight(1, 1)["ar"]) == ((7, 5, 3), 2)


def test_an_attack_whose_target_has_gone_comes_to_nothing_and_burns() -> None:
    """KN-4.18, KN-6.34."""
    flee = technique('react = [{ op = "remove", to = "hand", target = "host" }]', level='"D"')
    duel = lay({1: "alpha qmd"}, {1: "beta", 2: "gamma"}, b_support={1: "tt down on 1"}, pack=pack_with(flee))
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (kinds(duel, "damage_dealt"), duel.pv(0, 1), duel.pvd) == ([], 8, (6, 6))
    assert duel.told(None, "attack_ended")[0]["reason"] == "no_target"


def test_an_attacker_that_changes_sides_strikes_nobody() -> None:
    """KN-4.18, KN-6.36."""
    duel = lay({1: "beta"}, {1: "zeta"}, b_support={1: "d6 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (kinds(duel, "damage_dealt"), duel.space(1, 2), duel.space(0, 1)) == ([], "beta", "reserved")
    duel.turns_on()
    duel.act(1, "end_turn")
    assert (duel.space(0, 1), duel.space(1, 2)) == ("beta", "")


def test_who_pierces_evasion_needs_no_coin_and_has_no_bonus() -> None:
    """KN-4.19, KN-6.90."""
    pierce = 'kind = "passive", effects = [{ op = "grant", keyword = "pierce_evade" }]'
    duel = lay({1: "kk"}, {1: "beta evade"}, pack=pack_with(knight(pierce)))
    duel.attack(0, 1, 1)
    assert (kinds(duel, "coin_tossed"), duel.strike()) == ([], (4, 3, 2))


def test_who_pierces_defence_ignores_the_quarter() -> None:
    """KN-4.21, KN-6.90."""
    pierce = 'kind = "passive", effects = [{ op = "grant", keyword = "pierce_defend" }]'
    duel = lay({1: "kk"}, {1: "delta defend"}, pack=pack_with(knight(pierce)))
    duel.attack(0, 1, 1)
    assert duel.strike() == (4, 0, 5)


def test_techniques_may_ignore_armour_or_take_a_fixed_amount() -> None:
    """KN-4.20, I-43."""
    duel = lay({1: "alpha", 2: "zeta"}, {1: "gamma"}, a_support={1: "t6 on 1", 2: "t5 on 2"})
    duel.use(0, 1, 1)
    assert duel.strike() == (8, 6, 8)
    duel.use(0, 2, 1)
    assert duel.strike()[2] == 4


def test_percentages_come_before_additions_and_after_the_quarter() -> None:
    """KN-4.22, I-47, KN-6.77."""
    react = 'react = [{ op = "attack_mod", damage = 1 }, { op = "attack_mod", percent = 50 }]'
    pack = pack_with(technique(react, level='"D"'))
    duel = lay({1: "alpha"}, {1: "delta defend"}, b_support={1: "tt down on 1"}, pack=pack)
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert duel.strike() == (7, 0, 4)
    assert duel.view(None)["strikes"][-1]["raw"] == 8


def test_burning_costs_in_the_step_of_the_blow_even_if_everybody_evades() -> None:
    """KN-4.23, KN-6.34."""
    for at in range(64):
        duel = lay({1: "alpha qmd"}, {1: "beta evade"}, key=bytes([at]) * 32)
        duel.attack(0, 1, 1)
        assert duel.pv(0, 1) == 8
        if kinds(duel, "attack_evaded"):
            return
    raise AssertionError("no tails in 64 tosses")


def test_effects_of_a_hit_follow_even_if_the_attacker_has_fallen_or_nothing_was_lost() -> None:
    """KN-4.24."""
    duel = lay({1: "epsilon pv=2 qmd"}, {1: "gamma"}, a_support={1: "t4 on 1"}, acn_rule="plain")
    duel.use(0, 1, 1)
    assert (duel.space(0, 1), duel.strike()[2], duel.knight(1, 1)["states"]) == ("", 0, {"par": 1})


def test_what_lasts_for_an_attack_ends_with_it() -> None:
    """KN-4.25, KN-6.20."""
    burst = (
        'kind = "triggered", trigger = "attack_declared", '
        'effects = [{ op = "modify", stat = "ce", n = 3, duration = "attack" }]'
    )
    duel = lay({1: "kk"}, {1: "alpha"}, pack=pack_with(knight(burst)))
    duel.attack(0, 1, 1)
    assert (duel.strike(), duel.knight(0, 1)["ce"], duel.state.modifiers) == ((7, 5, 3), 4, [])


def test_reactions_need_a_covered_host_with_cosmos_that_can_move() -> None:
    """KN-4.26, KN-5.32, KN-6.90."""
    support = {1: "d1 down on 1", 2: "d3 down on 2", 3: "d1 down on 3"}
    duel = lay({1: "beta"}, {1: "alpha", 2: "zeta", 3: "gamma pc=1"}, b_support=support)
    duel.attack(0, 1, 1)
    assert duel.offered(1) == [{"do": "pass"}, {"do": "react", "slot": 1}, {"do": "react", "slot": 2}]
    prompt = duel.prompted(1, "reaction")
    assert (prompt.default, prompt.hold_ms) == (("1",), 1500)
    duel.stay_silent(1)
    assert kinds(duel)[:1] == ["reaction_passed"]


def test_an_open_technique_that_is_eligible_opens_the_window_alone() -> None:
    """KN-4.26."""
    duel = lay({1: "beta", 2: "alpha"}, {1: "gamma pc=2", 2: "zeta"}, b_support={1: "d1 on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert duel.pc(1, 1) == 0
    duel.attack(0, 2, 1)
    assert kinds(duel, "reaction_window") == []


def test_a_reaction_neither_spends_the_action_nor_changes_the_stance() -> None:
    """KN-4.26, I-16."""
    duel = lay({1: "beta"}, {1: "gamma defend"}, b_support={1: "d1 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.knight(1, 1)["stance"], duel.knight(1, 1)["acted"]) == ("defend", False)


def test_a_defensive_technique_used_in_the_own_turn_is_no_attack() -> None:
    """KN-4.27, I-17, KN-6.21."""
    duel = lay({1: "alpha qmd"}, {1: "beta"}, a_support={1: "d1 down on 1"}, b_support={1: "t1 down on 1"})
    duel.refused(0, "bad_target", {"do": "use_technique", "slot": 1, "target": 1})
    duel.use(0, 1)
    assert kinds(duel, "attack_declared", "reaction_window") == []
    assert (duel.pv(0, 1), duel.pc(0, 1), duel.knight(0, 1)["ar"], duel.knight(0, 1)["acted"]) == (10, 6, 7, True)
    duel.turns_on()
    assert duel.knight(0, 1)["ar"] == 7
    duel.turns_on()
    assert duel.knight(0, 1)["ar"] == 5


def test_a_fizzling_technique_stays_in_play_and_says_so() -> None:
    """KN-4.28, I-13, I-18."""
    duel = lay({1: "alpha pc=0 defend"}, {1: "beta"}, a_support={1: "d1 on 1"})
    duel.use(0, 1)
    (told,) = duel.told(None, "technique_fizzled")
    assert (told["pc"], duel.support(0)[0], duel.knight(0, 1)["stance"], duel.knight(0, 1)["acted"]) == (
        0, "d1", "attack", True,
    )  # fmt: skip
