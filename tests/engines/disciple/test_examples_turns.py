"""The worked examples of the specification on counting, turns and ends: E1 to E13, E30, E31, E34 to E36, E38."""

from __future__ import annotations

from typing import Any

from engines import flow
from engines.rules import Match
from tests.engines.disciple.table import RULES, Disciples, fixture, lay

ALMOST = {"book": "t_b3 t_b3 t_b1", "drop": "t_d3 t_d3 t_d1", "heart": "t_h3 t_h3"}
DECK = [{"card": f"t_{letter}{n}", "count": 3} for letter in "bdfhp" for n in (1, 2)]


def played_on(scene: Disciples) -> bool:
    return scene.outcome is None


def test_e1_the_opening_deals_three_to_the_first_seat_and_four_to_the_other() -> None:
    """E1 (DI-3.5, DI-3.6, DI-2.3)."""
    match = Match(2, RULES.Options(first_seat=1), fixture().cards, (DECK, DECK))
    state = flow.begin(RULES, match, pack="", key=bytes(32)).position.table.state
    assert (len(state.hand[1]), len(state.hand[0]), len(state.deck[1]), len(state.deck[0])) == (3, 4, 27, 26)
    assert (state.turn, state.active, state.phase, state.first_seat) == (1, 1, "main", 1)
    assert (list(state.on_board()), state.discard, state.limbo) == ([], [[], []], None)


def test_e2_only_symbols_of_the_column_count() -> None:
    """E2 (DI-2.8, DI-9.5, DI-9.4)."""
    scene = lay(side0={"fire": "t_f2 t_fhp t_b1~"})
    assert [scene.symbols(0, column) for column in ("fire", "heart", "prayer", "book")] == [4, 0, 0, 0]


def test_e3_the_fire_column_of_the_rulebook_counts_three() -> None:
    """E3 (DI-2.8)."""
    assert lay(side0={"fire": "t_f2 t_f1"}).symbols(0, "fire") == 3


def test_e4_a_saint_in_a_wrong_column_counts_nothing_until_it_is_moved() -> None:
    """E4 (DI-2.8, DI-6.8, DI-9.20)."""
    scene = lay(side0={"heart": "t_f2~"}, hand0="t_wake t_d1")
    assert scene.symbols(0, "heart") == 1
    scene.play(0, "t_wake")
    assert (scene.side(0, "heart"), scene.symbols(0, "heart")) == ("t_f2", 0)
    scene.act(1, "draw_card")
    scene.act(0, "draw_card")
    card = scene.card("t_f2")
    scene.refused(0, "E_COLUMN_UNSUITABLE", {"do": "move_card", "card": card, "column": "prayer"})
    scene.act(0, "move_card", card=card, column="fire")
    assert (scene.symbols(0, "heart"), scene.symbols(0, "fire")) == (0, 2)


def test_e5_illegal_plays_change_nothing() -> None:
    """E5 (DI-5.2)."""
    scene = lay(hand0="t_bd t_choice")
    scene.refused(0, "E_COLUMN_UNSUITABLE", scene.playing(0, "t_bd", "fire"))
    scene.refused(0, "E_BAD_PARAM", scene.playing(0, "t_bd"))
    scene.refused(0, "E_BAD_PARAM", scene.playing(0, "t_choice", "book"))
    scene.refused(0, "E_UNKNOWN_CARD", scene.playing(1, "t_d1", "drop"))
    assert (scene.hand(0), scene.phase()) == ("t_bd t_choice", ("main", 0))


def test_e6_after_draw_and_move_the_turn_is_over() -> None:
    """E6 (DI-4.6, DI-4.2)."""
    scene = lay(side0={"book": "t_bd t_b1"})
    scene.act(0, "draw_card")
    assert scene.view(0)["hand"]["0"]["count"] == 2
    scene.act(0, "move_card", card=scene.card("t_bd"), column="drop")
    assert (scene.symbols(0, "book"), scene.symbols(0, "drop")) == (1, 1)
    assert scene.phase() == ("main", 1)
    scene.prompted(1, "main")


def test_e7_a_flipped_card_moves_in_the_next_turn() -> None:
    """E7 (DI-4.7, DI-9.7, DI-9.4)."""
    scene = lay(side0={"heart": "t_h2"})
    scene.act(0, "draw_card")
    card = scene.card("t_h2")
    scene.act(0, "flip_card", card=card)
    assert scene.symbols(0, "heart") == 1
    assert scene.phase() == ("main", 1)
    scene.act(1, "draw_card")
    scene.act(0, "draw_card")
    scene.act(0, "move_card", card=card, column="book")
    assert (scene.symbols(0, "book"), scene.symbols(0, "heart")) == (1, 0)


def test_e8_an_empty_hand_draws_two_instead_of_acting() -> None:
    """E8 (DI-4.4, DI-9.18)."""
    scene = lay(hand0="", deck0=5, step="start", active=1)
    assert (scene.hand(0), len(scene.state.deck[0])) == ("t_d1 t_d1", 3)
    scene.prompted(1, "main")
    assert [event["event"] for event in scene.told(None)] == [
        "turn_started", "drawn", "turn_ended", "turn_started",
    ]  # fmt: skip


def test_e9_one_card_left_is_drawn_and_saves_the_seat() -> None:
    """E9 (DI-4.4, DI-8.4, DI-9.18)."""
    scene = lay(hand0="", deck0="t_b1", step="start", active=1)
    assert (scene.hand(0), scene.deck(0)) == ("t_b1", "")
    assert played_on(scene)
    scene.prompted(1, "main")


def test_e10_without_a_deck_there_is_nothing_to_draw_but_a_card_to_play() -> None:
    """E10 (DI-8.7, DI-9.13, DI-9.19)."""
    scene = lay(hand0="t_b1 t_b2", deck0="")
    scene.refused(0, "E_DECK_EMPTY", {"do": "draw_card"})
    scene.refused(0, "E_MUST_ACT", {"do": "pass_turn"})
    scene.play_through(0, "t_b1", "book")
    assert scene.side(0, "book") == "t_b1"
    assert played_on(scene)


def wins(scene: Disciples, winner: int | None, reason: str) -> bool:
    outcome = scene.outcome
    assert outcome is not None
    return (outcome.winners, outcome.reason) == (() if winner is None else (winner,), reason)


def test_e11_seven_symbols_in_three_columns_win_with_an_empty_hand() -> None:
    """E11 (DI-8.2, DI-2.9, DI-9.12)."""
    scene = lay(side0=ALMOST, hand0="t_h1")
    scene.play(0, "t_h1", "heart")
    assert played_on(scene)
    scene.act(1, "decline")
    assert wins(scene, 0, "virtues")
    assert scene.told(None)[-1] == {"event": "game_over", "winner": 0, "reason": "virtues"}


def test_e12_the_win_comes_before_the_saints_own_effect() -> None:
    """E12 (DI-8.2, DI-9.10)."""
    scene = lay(side0=ALMOST, hand0="t_pilgrim")
    scene.play_through(0, "t_pilgrim", "heart")
    assert wins(scene, 0, "virtues")
    assert scene.symbols(0, "heart") == 8
    assert scene.told(None, "ability_started") == []


def test_e13_a_reaction_prevents_the_win() -> None:
    """E13 (DI-4.12, DI-9.10)."""
    scene = lay(side0=ALMOST, hand0="t_h1", hand1="t_rback")
    scene.play(0, "t_h1", "heart")
    scene.react(1, "t_rback", "fire")
    assert played_on(scene)
    assert (scene.side(1, "fire"), scene.symbols(1, "fire")) == ("t_rback", 1)
    assert (scene.hand(0), scene.symbols(0, "heart")) == ("t_h1", 6)
    # seat 1's hand is empty at its start: it draws two, and seat 0 is asked again
    assert [event["turn"] for event in scene.told(None, "turn_ended")] == [1, 2]
    scene.prompted(0, "main")


def test_e30_whoever_has_neither_hand_nor_deck_loses() -> None:
    """E30 (DI-8.4)."""
    scene = lay(hand0="t_b1", deck0="")
    scene.play_through(0, "t_b1", "book")
    assert wins(scene, 1, "empty")


def test_e31_a_hand_refilled_before_the_quiet_point_saves_the_seat() -> None:
    """E31 (DI-8.4, DI-5.3): the deed itself lies in limbo meanwhile."""
    scene = lay(hand0="t_rescue", deck0="", discard0="t_b1")
    scene.play(0, "t_rescue")
    scene.prompted(0, "choose_cards")
    assert [card["card"] for card in scene.view(None)["limbo"]] == ["t_rescue"]
    scene.choose(0, "t_b1")
    assert played_on(scene)
    assert (scene.hand(0), scene.discard(0)) == ("t_b1", "t_rescue")


def test_e34_a_forbidden_column_leaves_only_passing() -> None:
    """E34 (DI-4.9, DI-6.14)."""
    scene = lay(side1={"fire": "t_wall"}, hand0="t_f1", deck0="")
    scene.refused(0, "E_FORBIDDEN", scene.playing(0, "t_f1", "fire"))
    scene.act(0, "pass_turn")
    scene.prompted(1, "main")
    scene = lay(side1={"fire": "t_wall"}, hand0="t_f1", deck0=1)
    scene.refused(0, "E_MUST_ACT", {"do": "pass_turn"})


def limited(**options: Any) -> Disciples:
    side0 = {"book": "t_b3 t_b3 t_b1", "drop": "t_d3 t_d3", "fire": "t_f3 t_f2"}
    side1 = {"book": "t_b3 t_b3 t_b3", "heart": "t_h3 t_h3", "prayer": "t_p3 t_p3"}
    return lay(side0=side0, side1=side1, turn=40, turn_limit=40, **options)


def test_e35_at_the_turn_limit_columns_and_then_capped_symbols_decide() -> None:
    """E35 (DI-8.8)."""
    scene = limited()
    scene.act(0, "draw_card")
    scene.act(0, "end_turn")
    assert wins(scene, 1, "turn_limit")


def test_e36_an_extra_play_follows_the_deed() -> None:
    """E36 (DI-4.8)."""
    scene = lay(hand0="t_haste t_b1")
    scene.play(0, "t_haste")
    assert (scene.hand(0), scene.phase()) == ("t_b1 t_d1", ("extra", 0))
    scene.refused(0, "E_WRONG_PHASE", {"do": "draw_card"})
    scene.play(0, "t_b1", "book")
    scene.prompted(1, "react")
    scene.act(1, "decline")
    assert scene.phase() == ("main", 1)
    assert scene.view(None)["turn"]["extra_plays"] == 0


def test_e38_a_dawn_draw_does_not_lift_the_empty_hand_rule() -> None:
    """E38 (DI-4.3, DI-4.4)."""
    scene = lay(side0={"prayer": "t_dawn"}, hand0="", deck0=5, step="start", active=1)
    scene.prompted(0, "may")
    scene.act(0, "yes")
    assert (len(scene.state.hand[0]), len(scene.state.deck[0])) == (3, 2)
    scene.prompted(1, "main")
