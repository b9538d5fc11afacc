"""Every option of a match changes what it says, and every interpretation with an option is shown in each reading."""

from __future__ import annotations

import msgspec
import pytest

from engines.knights.decks import deck_faults
from engines.knights.options import Options, option_faults
from tests.engines.knights.table import DECK, RULES, Duel, fixture, lay, opened


def choose_deities(duel: Duel) -> None:
    for seat in (0, 1):
        if duel.prompt(seat) is not None:
            duel.stay_silent(seat)


@pytest.mark.parametrize(("rule", "plain", "technique"), [("plus1", 1, 1), ("plain", 0, 0)])
def test_acn_rule_decides_the_least_damage(rule: str, plain: int, technique: int) -> None:
    """KN-4.20, I-2, I-3."""
    duel = lay({1: "delta", 2: "epsilon"}, {1: "gamma"}, a_support={1: "t4 on 1", 2: "t4 on 2"}, acn_rule=rule)
    duel.attack(0, 2, 1)
    assert duel.strike()[2] == plain
    duel.use(0, 1, 1)
    assert duel.strike()[2] == technique


@pytest.mark.parametrize(("rule", "damage"), [("plus1", 1), ("plain", 0)])
def test_acn_rule_decides_the_least_a_counter_takes(rule: str, damage: int) -> None:
    """KN-6.80, I-2."""
    duel = lay({1: "gamma"}, {1: "iota"}, b_support={1: "d2 down on 1"}, a_hand="b1", acn_rule=rule)
    duel.play(0, "b1", host=1)
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert [event["damage"] for event in duel.told(None, "damage_dealt") if event["how"] == "counter"] == [damage]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (Options(), []),
        (Options(deck_min=41), ["deck_too_small"]),
        (Options(deck_min=30, deck_max=39), ["deck_too_large"]),
        (Options(max_knights=8), ["knight_limit"]),
    ],
)
def test_deck_sizes_and_knights_are_limited_by_options(options: Options, codes: list[str]) -> None:
    """KN-7.1, KN-7.2, KN-7.5, I-4, I-21."""
    assert [fault.code for fault in deck_faults(fixture().cards, DECK, options)] == codes


@pytest.mark.parametrize(("most", "codes"), [(1, []), (0, ["elite_limit"])])
def test_elites_are_limited_by_an_option(most: int, codes: list[str]) -> None:
    """KN-7.6, I-21."""
    deck = {**DECK, "cards": {**DECK["cards"], "gamma": 1}}
    assert [fault.code for fault in deck_faults(fixture().cards, deck, Options(max_elite=most))] == codes


@pytest.mark.parametrize(("costs", "left"), [(True, 5), (False, 6)])
def test_a_destroyed_knight_costs_divine_life_or_not(costs: bool, left: int) -> None:
    """KN-4.11, I-5."""
    duel = lay({1: "alpha"}, {1: "delta"}, destroy_costs_pvd=costs)
    duel.attack(0, 1, 1)
    assert (duel.space(1, 1), duel.pvd) == ("", (6, left))


@pytest.mark.parametrize(("rule", "legal"), [("any", False), ("able", True)])
def test_who_cannot_move_defends_or_not(rule: str, legal: bool) -> None:
    """KN-4.11, I-9."""
    duel = lay({1: "alpha"}, {1: "beta par"}, defender_rule=rule)
    assert ({"do": "attack", "knight": 1, "target": "direct"} in duel.offered(0)) == legal


@pytest.mark.parametrize(("scope", "damage"), [("attacks", 5), ("acn", 7)])
def test_defence_helps_against_techniques_or_not(scope: str, damage: int) -> None:
    """KN-4.13, I-11."""
    duel = lay({1: "alpha"}, {1: "beta defend"}, a_support={1: "t1 on 1"}, defend_scope=scope)
    duel.use(0, 1, 1)
    assert duel.strike()[2] == damage
    plain = lay({1: "alpha"}, {1: "beta defend"}, defend_scope=scope)
    plain.attack(0, 1, 1)
    assert plain.strike()[2] == 4


@pytest.mark.parametrize(("scope", "tossed"), [("acn", 0), ("attacks", 2)])
def test_evaders_are_tossed_for_under_techniques_or_not(scope: str, tossed: int) -> None:
    """KN-4.14, I-12."""
    duel = lay({1: "gamma"}, {1: "beta evade", 2: "alpha evade"}, a_support={1: "t3 on 1"}, evade_scope=scope)
    duel.use(0, 1)
    coins = duel.told(None, "coin_tossed")
    assert [coin["target"]["slot"] for coin in coins] == [1, 2][:tossed]
    bonus = 2 if tossed else 0
    hits = duel.told(None, "damage_dealt")
    assert len(hits) == (sum(coin["result"] == "heads" for coin in coins) if tossed else 2)
    assert all(hit["aa"] == 10 + bonus for hit in hits)


@pytest.mark.parametrize("bonus", [0, 2, 5])
def test_heads_adds_the_bonus_of_the_option(bonus: int) -> None:
    """KN-4.14, I-12."""
    for at in range(64):
        duel = lay({1: "alpha"}, {1: "gamma evade"}, evade_bonus=bonus, key=bytes([at]) * 32)
        duel.attack(0, 1, 1)
        if duel.told(None, "coin_tossed")[0]["result"] == "heads":
            assert duel.strike() == (7 + bonus, 6, 2 + bonus)
            return
    raise AssertionError("no heads in 64 tosses")


@pytest.mark.parametrize(("scope", "legal"), [("side", True), ("both", False)])
def test_equal_knights_are_judged_by_side_or_by_the_whole_field(scope: str, legal: bool) -> None:
    """KN-4.30, I-19."""
    duel = lay({}, {1: "alpha"}, a_hand="alpha", duplicate_scope=scope)
    assert (duel.playing(0, "alpha", slot=1) in duel.offered(0)) == legal


@pytest.mark.parametrize(("states", "found"), [("full", {"cng": 3}), ("beta", {})])
def test_only_two_states_exist_under_beta(states: str, found: dict[str, int]) -> None:
    """KN-6.30, I-31."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o11 o10", state_set=states)
    duel.play(0, "o11")
    assert duel.knight(1, 1)["states"] == found
    duel.play(0, "o10")
    assert "env" in duel.knight(1, 1)["states"]


@pytest.mark.parametrize(("states", "codes"), [("full", []), ("beta", ["state_not_available"] * 2)])
def test_under_beta_no_deck_holds_what_inflicts_other_states(states: str, codes: list[str]) -> None:
    """KN-7.10, I-31."""
    counts = {"alpha": 3, "beta": 3, "t3": 2, "o11": 1, "o10": 3, "o13": 3}
    counts |= dict.fromkeys(["o1", "o2", "o5", "o9", "o20", "o16", "d1", "d4", "d3"], 3)
    deck = {"name": "d", "deity": "hades", "cards": counts}
    found = deck_faults(fixture().cards, deck, Options(state_set=states))  # type: ignore[arg-type]
    assert [(fault.code, fault.where) for fault in found] == list(zip(codes, ["o11", "t3"], strict=False))


@pytest.mark.parametrize(("choice", "kinds"), [("pregame", ["choose_deity"] * 2), ("deck", ["main"])])
def test_deities_are_chosen_or_those_of_the_decks(choice: str, kinds: list[str]) -> None:
    """KN-3.2."""
    duel = opened(DECK, {**DECK, "deity": "hades"}, deity_choice=choice)
    assert [one["kind"] for one in duel.view(None)["pending"]] == kinds
    choose_deities(duel) if choice == "pregame" else None
    assert duel.state.deity == ["poseidon", "hades"]


@pytest.mark.parametrize(("starter", "seats"), [("seat0", {0}), ("seat1", {1}), ("random", {0, 1})])
def test_the_starter_is_fixed_or_cast_by_lot(starter: str, seats: set[int]) -> None:
    """KN-3.4, I-36."""
    found = {opened(deity_choice="deck", starter=starter, key=bytes([at]) * 32).state.starter for at in range(16)}
    assert found == seats


@pytest.mark.parametrize(("rule", "kinds"), [("none", ["main"]), ("once", ["mulligan"] * 2)])
def test_a_hand_may_be_redrawn_once_or_not(rule: str, kinds: list[str]) -> None:
    """KN-3.8, I-35."""
    duel = opened(deity_choice="deck", mulligan=rule)
    assert [one["kind"] for one in duel.view(None)["pending"]] == kinds


@pytest.mark.parametrize("most", [20, 100])
def test_the_last_turn_is_that_of_the_option(most: int) -> None:
    """KN-8.6, I-34."""
    duel = lay({1: "alpha"}, {1: "beta"}, turn=most - 1, max_turns=most)
    duel.turns_on()
    assert duel.outcome is None
    duel.turns_on()
    assert duel.outcome is not None
    assert (duel.outcome.reason, duel.outcome.details["turns"]) == ("turn_limit", most)


@pytest.mark.parametrize("points", [3, 7])
def test_the_winner_gets_the_points_of_the_option(points: int) -> None:
    """KN-8.7, I-37."""
    duel = lay({1: "alpha"}, {}, pvd=(6, 1), win_points=points)
    duel.attack(0, 1, "direct")
    assert duel.outcome is not None
    assert duel.outcome.details["points"] == [points, 0]


def test_unknown_options_and_values_are_refused() -> None:
    """KN-9.2."""
    for wrong in ({"acn_rule": "minus1"}, {"evade_bonus": 6}, {"max_turns": 10}, {"colour": "red"}, {"deck_min": 20}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)


def test_deck_bounds_have_to_fit_together() -> None:
    """KN-9.2."""
    (fault,) = option_faults(Options(deck_min=50, deck_max=45))
    assert (fault.code, fault.where) == ("bad_option", "deck_max")
    assert RULES.option_faults(Options(), 2) == []
