"""How a match ends (DI-8), and readings of the rulebook that no other test shows (DI-9)."""

from __future__ import annotations

import pytest

from engines.rules import Match
from tests.engines.disciple.table import RULES, deed, fixture, lay
from tests.engines.disciple.test_examples_turns import ALMOST, limited, wins


def test_after_the_result_nothing_is_possible() -> None:
    """DI-8.1."""
    scene = lay(side0=ALMOST, hand0="t_h1", hand1="")
    scene.play(0, "t_h1", "heart")
    assert wins(scene, 0, "virtues")
    for seat in (0, 1):
        scene.refused(seat, "E_GAME_OVER", {"do": "draw_card"})
    assert scene.view(None)["result"] == {"winner": 0, "reason": "virtues"}
    assert scene.outcome is not None
    assert (scene.outcome.ranks, scene.outcome.details) == ((1, 2), {"turns": 1, "first_seat": 0})


def test_a_win_needs_no_turn_of_the_winner() -> None:
    """DI-8.2, DI-9.3: seven or more, by the other seat's own doing."""
    side = {"book": "t_b3 t_b3 t_b2", "drop": "t_d3 t_d3 t_d1", "heart": "t_h3 t_h2 t_h2~"}
    scene = lay(side1=side, hand0="t_wake")
    scene.play(0, "t_wake")
    assert wins(scene, 1, "virtues")


def test_two_complete_columns_are_not_enough_nor_six_symbols_in_the_third() -> None:
    """DI-8.2, DI-2.9, DI-9.3."""
    scene = lay(side0=ALMOST, hand0="t_p1", hand1="")
    scene.play(0, "t_p1", "prayer")
    assert scene.outcome is None


def test_pending_abilities_are_not_carried_out_after_a_win() -> None:
    """DI-8.2: Abundance neither."""
    almost = {**ALMOST, "heart": "t_swap t_h3 t_h2"}
    scene = lay(side0=almost, hand0="t_h1", hand1="")
    scene.play(0, "t_h1", "heart")
    assert len(scene.told(None, "abundance_activated")) == 1
    assert scene.told(None, "ability_started") == []
    assert wins(scene, 0, "virtues")


def test_a_seat_loses_by_emptiness_in_the_other_seats_turn_too() -> None:
    """DI-8.4."""
    scene = lay(hand0="t_choice t_b1", hand1="t_d1", deck1="")
    scene.play(0, "t_choice")
    scene.act(0, "option", index=1)
    assert wins(scene, 0, "empty")


def test_both_empty_at_once_is_a_draw() -> None:
    """DI-8.5."""
    scene = lay(hand0="t_choice", deck0="", hand1="t_d1", deck1="")
    scene.play(0, "t_choice")
    scene.act(0, "option", index=1)
    assert wins(scene, None, "empty")
    assert scene.outcome is not None
    assert scene.outcome.ranks == (1, 1)


def test_a_last_card_that_wins_wins() -> None:
    """DI-8.5, DI-9.12: the win is looked at before the loss."""
    scene = lay(side0=ALMOST, hand0="t_h1", deck0="", hand1="")
    scene.play(0, "t_h1", "heart")
    assert wins(scene, 0, "virtues")


def test_no_seat_loses_in_the_middle_of_an_action() -> None:
    """DI-8.4, DI-9.12: while the window is open its hand and deck are empty."""
    scene = lay(hand0="t_draw", deck0="", discard0="t_b1", hand1="t_rback")
    scene.play(0, "t_draw", "book")
    assert scene.outcome is None
    scene.react(1, "t_rback", "fire")
    assert (scene.hand(0), scene.outcome) == ("t_draw", None)


@pytest.mark.parametrize("kind", ["main", "react", "may"])
def test_either_seat_may_concede_while_a_prompt_is_open(kind: str) -> None:
    """DI-8.6."""
    for seat in (0, 1):
        scene = lay(hand0="t_pilgrim t_b1")
        if kind != "main":
            scene.play(0, "t_pilgrim", "heart")
        if kind == "may":
            scene.act(1, "decline")
        scene.prompted(1 if kind == "react" else 0, kind)
        scene.resign(seat)
        assert wins(scene, 1 - seat, "concede")


def test_an_empty_deck_alone_is_no_loss_and_the_discard_stays_where_it_is() -> None:
    """DI-8.7."""
    scene = lay(hand0="t_choice t_b1", deck0="", discard0="t_b2 t_b3")
    scene.play(0, "t_choice")
    scene.act(0, "option", index=0)
    assert (scene.outcome, scene.discard(0)) == (None, "t_b2 t_b3 t_choice")


def test_the_turn_limit_counts_both_seats_turns_and_may_end_in_a_draw() -> None:
    """DI-8.8, DI-4.2, DI-9.28: none at 0."""
    scene = lay(turn=40, turn_limit=40)
    scene.act(0, "draw_card")
    assert wins(scene, None, "turn_limit")
    scene = lay(turn=40, turn_limit=41)
    scene.act(0, "draw_card")
    assert scene.outcome is None
    scene = lay(turn=1000, turn_limit=0)
    scene.act(0, "draw_card")
    assert scene.outcome is None


def test_more_complete_columns_win_at_the_turn_limit() -> None:
    """DI-8.8: before any sum is looked at."""
    side0, side1 = {"book": "t_b3 t_b3 t_b1"}, {"drop": "t_d3 t_d3", "heart": "t_h3 t_h3", "fire": "t_f3 t_f3"}
    scene = lay(side0=side0, side1=side1, turn=40, turn_limit=40)
    scene.act(0, "draw_card")
    scene.stay_silent(0)
    assert wins(scene, 0, "turn_limit")
    assert limited().outcome is None


def test_symbols_above_seven_are_worth_nothing_at_the_turn_limit() -> None:
    """DI-8.8: 7 + 6 + 5 beat 7 + 5 + 5, though the column holds twelve."""
    side0 = {"book": "t_b3 t_b3 t_b1", "drop": "t_d3 t_d3", "fire": "t_f3 t_f2"}
    side1 = {"book": "t_b3 t_b3 t_b3 t_b3", "heart": "t_h3 t_h2", "prayer": "t_p3 t_p2"}
    scene = lay(side0=side0, side1=side1, turn=40, turn_limit=40)
    scene.act(0, "draw_card")
    scene.stay_silent(0)
    assert wins(scene, 0, "turn_limit")


def test_seats_that_are_gone_lose_and_two_gone_draw() -> None:
    """DI-8.9."""
    for why in ("timeout", "abandoned"):
        scene = lay()
        scene.resign(1, why)
        assert wins(scene, 0, why)
    state = lay().state
    both = RULES.outcome(Match(2, RULES.Options(), fixture().cards), state, {0: "abandoned", 1: "abandoned"})
    assert both is not None
    assert (both.winners, both.reason) == ((), "abandoned")


def test_the_service_is_told_the_pace_of_the_rules() -> None:
    """DI-8.9."""
    assert (RULES.pace.decision_s, RULES.pace.strikes, RULES.pace.absent_s) == (60, 3, 120)


def test_turning_up_is_never_a_turn_action() -> None:
    """DI-9.23."""
    scene = lay(side0={"book": "t_b1~"})
    scene.act(0, "draw_card")
    assert "flip_card" not in {act["do"] for act in scene.offered(0)}


def test_only_a_saint_may_be_reacted_to() -> None:
    """DI-9.15, DI-9.14."""
    scene = lay(hand0="t_haste t_b1", hand1="t_rhush")
    scene.play(0, "t_haste")
    assert scene.told(None, "reaction_opened") == []


def test_nobody_asks_for_a_mulligan_and_no_hand_is_too_large() -> None:
    """DI-9.24, DI-2.3."""
    scene = lay(hand0=" ".join(["t_b1"] * 12), deck0=3)
    scene.act(0, "draw_card")
    assert len(scene.state.hand[0]) == 13


def test_cards_are_the_same_if_their_key_is() -> None:
    """DI-9.25, DI-7.5."""
    faults = RULES.deck_faults(fixture(), [{"card": "t_b1", "count": 2}, {"card": "t_b1", "count": 2}])
    assert ("E_DECK_COPIES", {"key": "t_b1", "have": 4}) in [(fault.code, fault.details) for fault in faults]


def test_seven_symbols_and_three_columns_are_no_options() -> None:
    """DI-9.26: Classic mode only."""
    assert set(RULES.Options.__struct_fields__) == {
        "first_seat", "reaction_window", "empty_hand_rule", "simultaneous_win", "turn_limit",
    }  # fmt: skip


def test_any_card_may_be_the_own_one_unless_the_text_limits_it() -> None:
    """DI-9.20, DI-9.22."""
    pack = deed('{ do = "flip_down", target = { pick = "choose" } }')
    scene = lay(side0={"book": "t_b1"}, side1={"book": "t_b2"}, hand0="deed t_b1", pack=pack)
    scene.play(0, "deed")
    assert len(scene.offered(0)) == 2
    scene.refused(0, "E_CHOICE_COUNT")
