"""The worked examples on turns, states, possession, cards and ends: X13, X15, X20 to X32, X35 to X38, X40, X41."""

from __future__ import annotations

import pytest

from engines.knights.decks import deck_faults
from engines.knights.options import Options
from tests.engines.knights.table import Duel, fixture, lay

STANCES = [{"do": "attack", "knight": 1, "target": 1}, {"do": "defend", "knight": 1}, {"do": "evade", "knight": 1}]


def loses_its_turn(duel: Duel, seat: int) -> bool:
    for act in STANCES:
        duel.refused(seat, "incapacitated", act)
    return True


def test_x13_the_first_turn_has_no_attack_and_no_occasion() -> None:
    """X13 (KN-4.4, KN-4.5)."""
    duel = lay(a_hand="alpha beta o1 t1 b1 h1 s1", b={1: "beta"}, turn=1)
    duel.play(0, "alpha", slot=1)
    duel.refused(0, "knight_already_played", duel.playing(0, "beta", slot=2))
    duel.refused(0, "first_turn", {"do": "attack", "knight": 1, "target": 1})
    duel.refused(0, "first_turn", duel.playing(0, "o1"))
    duel.play(0, "t1", host=1, face="down")
    duel.refused(0, "first_turn", {"do": "use_technique", "slot": 1, "target": 1})
    duel.play(0, "b1", host=1)
    duel.play(0, "h1")
    duel.play(0, "s1")
    duel.act(0, "defend", knight=1)
    assert duel.knight(0, 1)["stance"] == "defend"


def test_x15_no_two_equal_knights_on_a_side() -> None:
    """X15 (KN-4.30)."""
    duel = lay({1: "alpha"}, {1: "alpha"}, a_hand="alpha")
    duel.refused(0, "duplicate_knight", duel.playing(0, "alpha", slot=2))


@pytest.mark.parametrize(("scope", "offered"), [("side", True), ("both", False)])
def test_x15_an_equal_knight_of_the_foe_matters_only_under_the_other_option(scope: str, offered: bool) -> None:
    """X15 (KN-4.30, I-19)."""
    duel = lay({}, {1: "alpha"}, a_hand="alpha", duplicate_scope=scope)
    assert (duel.playing(0, "alpha", slot=2) in duel.offered(0)) == offered


def test_x20_paralysis_costs_the_next_own_turn() -> None:
    """X20 (KN-6.30, KN-6.31)."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o13")
    duel.play(0, "o13")
    duel.turns_on()
    assert loses_its_turn(duel, 1)
    duel.turns_on()
    assert duel.knight(1, 1)["states"] == {}
    duel.turns_on()
    duel.act(1, "defend", knight=1)


def test_x21_paralysis_received_in_the_own_turn_costs_the_whole_next_one() -> None:
    """X21 (KN-6.30, KN-4.7)."""
    duel = lay({1: "alpha"}, {1: "epsilon", 2: "beta"}, b_support={1: "d7 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.knight(0, 1)["states"], duel.strike(), duel.pvd) == ({"par": 1}, (7, 2, 6), (6, 5))
    duel.turns_on()
    assert duel.knight(0, 1)["states"] == {"par": 1}
    duel.turns_on()
    duel.refused(0, "incapacitated", {"do": "attack", "knight": 1, "target": 2})
    duel.turns_on()
    assert duel.knight(0, 1)["states"] == {}
    duel.turns_on()
    duel.attack(0, 1, 2)


def test_x22_a_frozen_knight_loses_three_turns() -> None:
    """X22 (KN-6.33, KN-4.11)."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o11")
    duel.play(0, "o11")
    for left in (2, 1, 0):
        duel.refused(0, "defenders_present", {"do": "attack", "knight": 1, "target": "direct"})
        duel.turns_on()
        assert loses_its_turn(duel, 1)
        duel.turns_on()
        assert duel.knight(1, 1)["states"] == ({"cng": left} if left else {})


def test_x23_poison_destroys_before_the_draw() -> None:
    """X23 (KN-4.2, KN-6.32)."""
    duel = lay({1: "alpha"}, {1: "delta pv=1 env"})
    duel.turns_on()
    assert (duel.space(1, 1), duel.pvd) == ("", (6, 5))
    order = [event["event"] for event in duel.told(None, "knight_destroyed", "card_drawn")]
    assert order == ["knight_destroyed", "card_drawn"]


def test_x24_denial_of_senses_ends_evasion_and_forbids_attacks() -> None:
    """X24 (KN-6.35, KN-5.10)."""
    duel = lay({1: "alpha"}, {1: "beta evade"}, a_hand="o12")
    duel.play(0, "o12")
    assert duel.knight(1, 1)["stance"] == "attack"
    duel.attack(0, 1, 1)
    assert (duel.told(None, "coin_tossed"), duel.strike()) == ([], (7, 3, 5))
    duel.turns_on()
    duel.refused(1, "cannot_attack", {"do": "attack", "knight": 1, "target": 1})
    duel.refused(1, "cannot_evade", {"do": "evade", "knight": 1})
    duel.act(1, "defend", knight=1)


def test_x25_a_possessed_knight_fights_for_a_turn_and_goes_home() -> None:
    """X25 (KN-6.36, KN-4.12)."""
    duel = lay({1: "beta"}, {2: "alpha"}, a_hand="o4")
    duel.play(0, "o4")
    assert (duel.space(0, 2), duel.space(1, 2)) == ("alpha", "reserved")
    duel.attack(0, 2, "direct")
    assert duel.pvd == (6, 5)
    duel.turns_on()
    assert (duel.space(0, 2), duel.space(1, 2), duel.knight(1, 2)["stance"]) == ("", "alpha", "attack")


def test_x26_the_possessor_pays_for_a_possessed_knight_that_falls() -> None:
    """X26 (KN-6.36, KN-4.11, I-46)."""
    duel = lay({2: "delta"}, {1: "gamma", 2: "alpha pv=3"}, a_hand="o4", b_support={1: "d2 down on 1"})
    duel.play(0, "o4")
    duel.choose(0, (1, 2))
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert (duel.strike()[2], duel.pvd, duel.pile("discard", 1), duel.space(1, 2)) == (3, (5, 6), "alpha", "")


def test_x27_an_occasion_needs_a_free_support_space() -> None:
    """X27 (KN-5.4, KN-5.12)."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o2", a_support=dict.fromkeys((1, 2, 3, 4), "t1 on 1"))
    duel.refused(0, "support_full", duel.playing(0, "o2"))
    duel.act(0, "discard_technique", slot=3)
    duel.play(0, "o2", slot=3)
    assert [event["slot"] for event in duel.told(None, "occasion_played")] == [3]
    assert (duel.support(0), duel.pile("hand", 0), duel.pile("discard", 0)) == (
        ["t1", "t1", "", "t1"],
        "t1 t1",
        "t1 o2",
    )


def test_x28_one_object_a_knight() -> None:
    """X28 (KN-5.3, KN-4.10)."""
    duel = lay({1: "beta", 2: "alpha"}, {1: "gamma"}, a_hand="b1 o6", a_support={1: "b1 on 1"})
    assert duel.knight(0, 1)["ar"] == 5
    duel.refused(0, "already_equipped", duel.playing(0, "b1", host=1))
    duel.play(0, "b1", host=2)
    assert duel.knight(0, 2)["ar"] == 7
    duel.play(0, "o6")
    duel.choose(0, (0, 1))
    assert duel.pile("discard", 0) == "beta b1 o6"


def test_x29_a_new_scenario_or_helper_replaces_the_old_one() -> None:
    """X29 (KN-5.5, KN-5.8)."""
    duel = lay({1: "beta"}, {1: "gamma"}, a_hand="s2 h2", a_helper="h1", scenario="s1@1")
    duel.play(0, "s2")
    duel.play(0, "h2")
    assert (duel.pile("discard", 1), duel.pile("discard", 0), duel.pvd) == ("s1", "h1", (6, 6))


def test_x30_a_seat_discards_down_to_its_limit_only_at_the_end_of_its_turn() -> None:
    """X30 (KN-4.8, KN-5.38)."""
    duel = lay({1: "beta"}, {1: "gamma"}, a_hand="t1 t2 t3 t4 t5 t6 d1 d2 d3 d4")
    duel.act(0, "end_turn")
    assert (duel.prompted(0, "discard").least, duel.prompted(0, "discard").most) == (2, 2)
    offered = duel.offered(0)
    duel.refused(0, "bad_answer", offered[0])
    duel.refused(0, "bad_answer", *offered[:3])
    duel.take(0, "t2", "d4", do="discard")
    assert (duel.pile("discard", 0), duel.pile("hand", 0)) == ("t2 d4", "t1 t3 t4 t5 t6 d1 d2 d3")


def test_x31_an_empty_deck_costs_nothing() -> None:
    """X31 (KN-4.2, KN-8.3)."""
    duel = lay({1: "beta"}, {1: "gamma"}, b_deck="")
    duel.turns_on()
    assert duel.told(None, "deck_empty", "card_drawn") == [{"event": "deck_empty", "seat": 1}]
    assert duel.outcome is None


def test_x32_all_violations_of_a_deck_are_named_in_order() -> None:
    """X32 (KN-7.1, KN-7.4, KN-7.8, KN-7.9)."""
    counts = {
        "t1": 4,
        "gamma": 2,
        "x1": 1,
        **dict.fromkeys(["alpha", "beta", "delta", "o1", "o2", "o5", "o9", "o20", "b1", "b2"], 3),
        "h1": 2,
    }
    found = deck_faults(fixture().cards, {"name": "d", "deity": "zeus", "cards": counts}, Options())
    assert [(fault.code, fault.details) for fault in found] == [
        ("copy_limit", {"card": "gamma", "limit": 1, "found": 2}),
        ("copy_limit", {"card": "t1", "limit": 3, "found": 4}),
        ("deck_too_small", {"limit": 40, "found": 39}),
        ("trophy_in_deck", {"card": "x1"}),
        ("unknown_deity", {"card": "zeus"}),
    ]


@pytest.mark.parametrize(("mine", "winners"), [(2, (1,)), (3, ())])
def test_x35_the_last_turn_is_decided_by_life_then_by_knights(mine: int, winners: tuple[int, ...]) -> None:
    """X35 (KN-8.6)."""
    knights = {1: "alpha", 2: "beta", 3: "delta"}
    duel = lay({slot: key for slot, key in knights.items() if slot <= mine}, knights, pvd=(4, 4), turn=100)
    duel.act(0, "end_turn")
    assert duel.outcome is not None
    assert (duel.outcome.reason, duel.outcome.winners) == ("turn_limit", winners)


def test_x36_while_a_question_is_open_only_its_answer_counts() -> None:
    """X36 (KN-4.1, KN-5.15, KN-8.4, KN-8.7)."""
    duel = lay({1: "beta"}, {1: "alpha"}, b_support={1: "t1 down on 1"})
    duel.attack(0, 1, 1)
    duel.refused(0, "prompt_pending", {"do": "end_turn"})
    duel.refused(0, "not_your_prompt", {"do": "pass"})
    duel.resign(1)
    assert duel.outcome is not None
    assert (duel.outcome.winners, duel.outcome.reason, duel.outcome.details["points"]) == ((0,), "concede", [3, 0])


def test_x37_a_devotion_works_for_the_controllers_deity_only() -> None:
    """X37 (KN-6.1, I-24)."""
    duel = lay({1: "beta"}, {1: "alpha"}, a_hand="o4", deities=("poseidon", "athena"))
    assert duel.knight(1, 1)["ar"] == 6
    duel.play(0, "o4")
    assert duel.knight(0, 2)["ar"] == 5


def test_x38_a_search_shows_the_seeker_the_matches_by_card_and_the_foe_what_was_taken() -> None:
    """X38 (KN-2.37, KN-6.11)."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o3", a_deck="t2 alpha t1 o1 t1")
    duel.play(0, "o3")
    assert duel.offered_cards(0) == ["t1", "t1", "t2"]
    assert (duel.prompted(0, "choose_cards").least, duel.view(1)["look"], duel.view(None)["look"]) == (0, [], [])
    assert [event["event"] for event in duel.told(1)] == ["occasion_played", "search_started"]
    duel.take(0, "t2")
    moved = {"event": "cards_moved", "seat": 0, "from": "deck", "to": "hand", "n": 1, "cards": [{"card": "t2"}]}
    assert duel.told(1, "cards_moved", "deck_shuffled") == [moved, {"event": "deck_shuffled", "seat": 0}]


def test_x40_an_ability_is_a_base_action() -> None:
    """X40 (KN-5.11, KN-4.6)."""
    duel = lay({1: "zeta pv=9 pc=5", 2: "beta pv=4"}, {1: "alpha"})
    duel.act(0, "activate", source={"knight": 1, "ability": 1})
    duel.choose(0, (0, 2))
    assert (duel.pc(0, 1), duel.pv(0, 2)) == (3, 7)
    duel.refused(0, "already_acted", {"do": "evade", "knight": 1})


def test_x41_a_free_ability_leaves_the_action_and_ends_with_the_turn() -> None:
    """X41 (KN-4.6, KN-6.22)."""
    duel = lay({1: "eta"}, {1: "alpha"})
    duel.act(0, "activate", source={"knight": 1, "ability": 1})
    assert (duel.pc(0, 1), duel.knight(0, 1)["ce"]) == (5, 7)
    duel.attack(0, 1, 1)
    assert duel.strike() == (7, 5, 3)
    duel.turns_on()
    assert duel.knight(0, 1)["ce"] == 5
