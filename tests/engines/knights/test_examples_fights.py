"""The worked examples of the specification on fighting: X1 to X12, X14, X16 to X19, X33, X34, X39, X42 to X44."""

from __future__ import annotations

import pytest

from tests.engines.knights.table import Duel, lay


def coined(heads: bool, **table: object) -> Duel:
    """Lay a table again and again, each time with other chance, until its first coin falls as wanted."""
    for at in range(64):
        duel = lay({1: "alpha"}, {1: "beta evade"}, key=bytes([at]) * 32, **table)  # type: ignore[arg-type]
        duel.attack(0, 1, 1)
        (toss,) = duel.told(None, "coin_tossed")
        if (toss["result"] == "heads") == heads:
            return duel
    raise AssertionError("no such coin in 64 tosses")


@pytest.mark.parametrize(("rule", "pv"), [("plus1", 7), ("plain", 8)])
def test_x1_a_plain_attack_takes_ce_minus_ar_and_one_more(rule: str, pv: int) -> None:
    """X1 (KN-4.20, I-2)."""
    duel = lay({1: "alpha"}, {1: "alpha"}, acn_rule=rule)
    duel.attack(0, 1, 1)
    assert duel.strike() == (7, 5, 10 - pv)
    assert (duel.pv(1, 1), duel.knight(0, 1)["acted"]) == (pv, True)


@pytest.mark.parametrize(("rule", "pv"), [("plus1", 11), ("plain", 12)])
def test_x2_an_attack_below_the_armour_takes_one_or_under_the_plain_rule_nothing(rule: str, pv: int) -> None:
    """X2 (KN-4.20, KN-4.24)."""
    duel = lay({1: "beta"}, {1: "gamma"}, acn_rule=rule)
    duel.attack(0, 1, 1)
    assert duel.pv(1, 1) == pv
    assert [event["reason"] for event in duel.told(None, "attack_ended")] == ["hit"]


def test_x3_equal_values_take_one() -> None:
    """X3 (KN-4.20)."""
    duel = lay({1: "epsilon"}, {1: "beta"})
    duel.attack(0, 1, 1)
    assert duel.strike() == (3, 3, 1)


def test_x4_a_technique_turns_up_costs_cosmos_and_adds_its_bonus() -> None:
    """X4 (KN-4.15, KN-4.20, KN-5.7)."""
    duel = lay({1: "beta"}, {1: "alpha"}, a_support={1: "t2 down on 1"})
    duel.use(0, 1, 1)
    assert (duel.pc(0, 1), duel.strike(), duel.pv(1, 1)) == (2, (10, 5, 5), 5)
    assert duel.support(0) == ["t2", "", "", ""]
    assert duel.knight(0, 1)["acted"]


def test_x5_a_technique_without_enough_cosmos_fizzles_and_costs_the_action() -> None:
    """X5 (KN-4.28)."""
    duel = lay({1: "beta pc=3"}, {1: "alpha"}, a_support={1: "t2 down on 1"}, b_support={1: "t1 down on 1"})
    assert duel.view(0)["limits"]["support"]["1"]["fizzles"]
    duel.use(0, 1, 1)
    assert duel.told(None, "reaction_window", "attack_declared") == []
    assert (duel.pc(0, 1), duel.pv(1, 1), duel.support(0)[0]) == (3, 10, "t2")
    assert (duel.knight(0, 1)["acted"], duel.knight(0, 1)["stance"]) == (True, "attack")
    duel.refused(0, "already_acted", {"do": "attack", "knight": 1, "target": 1})


def test_x6_defending_takes_a_quarter_off_techniques_and_plain_attacks() -> None:
    """X6 (KN-4.13, KN-4.21)."""
    duel = lay({1: "beta", 2: "alpha"}, {1: "alpha defend"}, a_support={1: "t2 on 1"})
    duel.use(0, 1, 1)
    assert duel.pv(1, 1) == 6
    duel.attack(0, 2, 1)
    assert duel.pv(1, 1) == 4


def test_x7_a_rank_ability_counts_when_its_condition_holds() -> None:
    """X7 (KN-6.1, KN-6.3, KN-4.13)."""
    duel = lay({1: "alpha"}, {1: "zeta defend"})
    duel.attack(0, 1, 1)
    assert (duel.strike(), duel.pv(1, 1)) == ((7, 5, 2), 7)


def test_x8_heads_lets_a_plain_attack_on_an_evader_land_with_a_bonus() -> None:
    """X8 (KN-4.14, KN-4.19)."""
    duel = coined(True)
    assert (duel.strike(), duel.pv(1, 1), duel.knight(0, 1)["acted"]) == ((9, 3, 7), 1, True)


def test_x8_tails_saves_the_evader() -> None:
    """X8 (KN-4.14, KN-4.19)."""
    duel = coined(False)
    assert duel.told(None, "attack_evaded") == [{"event": "attack_evaded", "target": {"seat": 1, "slot": 1}}]
    assert (duel.pv(1, 1), duel.knight(0, 1)["acted"]) == (8, True)


def test_x9_a_technique_hits_an_evader_without_a_coin() -> None:
    """X9 (KN-4.14, I-12)."""
    duel = lay({1: "alpha"}, {1: "beta evade"}, a_support={1: "t1 on 1"})
    duel.use(0, 1, 1)
    assert duel.told(None, "coin_tossed") == []
    assert (duel.strike(), duel.pv(1, 1), duel.pc(0, 1)) == ((10, 3, 7), 1, 6)


def test_x10_every_attacker_takes_one_divine_life_from_a_seat_without_knights() -> None:
    """X10 (KN-4.12)."""
    duel = lay({1: "alpha", 2: "delta"})
    duel.attack(0, 1, "direct")
    assert (duel.pvd, duel.told(None, "damage_dealt", "reaction_window")) == ((6, 5), [])
    duel.refused(0, "already_acted", {"do": "attack", "knight": 1, "target": "direct"})
    duel.attack(0, 2, "direct")
    assert duel.pvd == (6, 4)


def test_x11_a_frozen_knight_defends_its_seat() -> None:
    """X11 (KN-4.11)."""
    duel = lay({1: "alpha"}, {1: "beta cng"})
    duel.refused(0, "defenders_present", {"do": "attack", "knight": 1, "target": "direct"})


def test_x11_under_the_other_rule_a_frozen_knight_does_not_defend_but_can_be_hit() -> None:
    """X11 (KN-4.11, KN-5.22)."""
    duel = lay({1: "alpha", 2: "kappa"}, {1: "beta cng"}, defender_rule="able")
    assert {"do": "attack", "knight": 1, "target": 1} in duel.offered(0)
    duel.attack(0, 1, "direct")
    assert duel.pvd == (6, 5)


def test_x12_a_destroyed_knight_takes_its_techniques_along() -> None:
    """X12 (KN-4.9, KN-4.10, KN-4.11, KN-2.35)."""
    duel = lay({1: "alpha"}, {1: "delta"}, b_support={1: "t4 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "pass")
    assert (duel.space(1, 1), duel.pile("discard", 1), duel.pvd) == ("", "delta t4", (6, 5))
    left = duel.told(None, "card_left")
    assert [(event["card"]["card"], event["reason"]) for event in left] == [("delta", "destroyed"), ("t4", "host_gone")]


def test_x14_the_second_seat_may_attack_at_once_with_a_knight_just_played() -> None:
    """X14 (KN-4.4, KN-4.5)."""
    duel = lay({}, {1: "delta"}, a_hand="beta", turn=2)
    duel.play(0, "beta", slot=1)
    duel.attack(0, 1, 1)
    assert (duel.strike(), duel.pvd) == ((4, 0, 5), (6, 5))


def test_x16_any_face_down_card_opens_the_window_with_nothing_but_pass_to_say() -> None:
    """X16 (KN-4.26, KN-2.43)."""
    duel = lay({1: "beta"}, {1: "alpha"}, b_support={1: "t1 down on 1"})
    duel.attack(0, 1, 1)
    assert duel.offered(1) == [{"do": "pass"}]
    assert duel.prompted(1, "reaction").hold_ms == 1500
    for eyes in (None, 0):
        assert duel.told(eyes, "reaction_window") == [{"event": "reaction_window", "seat": 1}]
    duel.act(1, "pass")
    assert duel.strike()[2] == 1


def test_x16_without_a_face_down_card_there_is_no_window() -> None:
    """X16 (KN-4.26)."""
    duel = lay({1: "beta"}, {1: "alpha"}, b_support={1: "t1 on 1"})
    duel.attack(0, 1, 1)
    assert duel.told(None, "reaction_window") == []
    assert duel.prompted(0, "main")


def test_x17_a_defensive_technique_helps_again_and_again_and_only_for_the_attack() -> None:
    """X17 (KN-4.26, KN-6.20, KN-6.77)."""
    duel = lay({1: "alpha", 2: "beta"}, {1: "gamma"}, b_support={1: "d1 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.pc(1, 1), duel.strike(), duel.support(1)[0], duel.knight(1, 1)["ar"]) == (8, (7, 10, 1), "d1", 6)
    duel.attack(0, 2, 1)
    duel.act(1, "react", slot=1)
    assert (duel.pc(1, 1), duel.strike(), duel.pv(1, 1), duel.knight(1, 1)["ar"]) == (6, (4, 10, 1), 10, 6)


def test_x18_a_counter_can_destroy_the_attacker_and_end_the_attack() -> None:
    """X18 (KN-6.80, KN-4.18)."""
    duel = lay({1: "beta pv=4"}, {1: "alpha"}, b_support={1: "d2 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.pc(1, 1), duel.strike()[2], duel.pvd, duel.pv(1, 1), duel.space(0, 1)) == (5, 7, (5, 6), 10, "")


def test_x19_attacker_and_target_fall_in_one_check_and_the_match_is_drawn() -> None:
    """X19 (KN-4.23, KN-4.9, KN-8.2)."""
    duel = lay({1: "beta pv=2 qmd"}, {1: "delta"}, pvd=(1, 1))
    duel.attack(0, 1, 1)
    assert duel.pvd == (0, 0)
    assert duel.outcome is not None
    assert (duel.outcome.winners, duel.outcome.reason, duel.outcome.details["points"]) == ((), "draw", [1, 1])


def test_x33_an_area_technique_hits_every_knight_in_reach() -> None:
    """X33 (KN-5.7, KN-10.1, KN-4.24)."""
    duel = lay(
        {1: "gamma"}, {1: "beta", 2: "alpha", 3: "delta"}, a_support={1: "t3 on 1"}, b_support={1: "t1 down on 1"}
    )
    duel.refused(0, "bad_target", {"do": "use_technique", "slot": 1, "target": 1})
    duel.use(0, 1)
    assert duel.told(None, "reaction_window") == [{"event": "reaction_window", "seat": 1}]
    duel.act(1, "pass")
    assert [duel.pv(1, slot) for slot in (1, 2, 3)] == [1, 5, 3]
    assert [list(duel.knight(1, slot)["states"]) for slot in (1, 2, 3)] == [["qmd"], ["qmd"], []]
    assert duel.pc(0, 1) == 4


def test_x34_a_technique_reaches_only_the_spaces_that_it_names() -> None:
    """X34 (KN-5.7)."""
    duel = lay({3: "delta"}, {1: "beta", 2: "alpha"}, a_support={1: "t4 on 3"})
    duel.refused(0, "out_of_reach", {"do": "use_technique", "slot": 1, "target": 1})
    duel.refused(0, "no_such_target", {"do": "use_technique", "slot": 1, "target": 3})
    duel.refused(0, "bad_target", {"do": "use_technique", "slot": 1})


def test_x39_a_scenario_adds_to_both_sides() -> None:
    """X39 (KN-6.3)."""
    duel = lay({1: "alpha"}, {1: "gamma"}, scenario="s1")
    duel.attack(0, 1, 1)
    assert duel.strike() == (8, 6, 3)


def test_x42_what_is_in_force_already_opens_no_window_and_cannot_be_used() -> None:
    """X42 (KN-6.23, KN-4.26)."""
    duel = lay({1: "alpha"}, {1: "beta"}, b_support={1: "d4 on 1"}, turn=4)
    duel.turns_on()
    duel.use(1, 1)
    duel.turns_on()
    assert duel.knight(1, 1)["ar"] == 4
    duel.attack(0, 1, 1)
    assert (duel.told(None, "reaction_window"), duel.strike()) == ([], (7, 4, 4))
    duel.turns_on()
    duel.refused(1, "not_usable", {"do": "use_technique", "slot": 1})


def test_x43_a_negated_attack_still_burns_the_attacker() -> None:
    """X43 (KN-4.18, KN-6.34, KN-6.78)."""
    duel = lay({1: "alpha pv=5 qmd"}, {1: "gamma", 2: "beta"}, b_support={1: "d3 down on 2"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.pc(1, 2), duel.pv(1, 1), duel.pv(0, 1)) == (5, 12, 3)
    assert [event["reason"] for event in duel.told(None, "attack_ended")] == ["negated"]


def test_x44_a_redirected_attack_hits_the_other_knight() -> None:
    """X44 (KN-6.79)."""
    duel = lay({1: "alpha"}, {1: "delta", 3: "gamma"}, b_support={1: "d5 down on 3"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.strike(), duel.pv(1, 3), duel.pc(1, 3), duel.pv(1, 1)) == ((7, 6, 2), 10, 8, 3)
