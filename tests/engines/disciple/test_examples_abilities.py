"""The worked examples of the specification on reactions, Abundance and effects: E14 to E29, E32, E33, E37."""

from __future__ import annotations

import pytest

from tests.engines.disciple.table import RULES, Disciples, fixture, lay
from tests.engines.disciple.test_examples_turns import wins


def test_e14_a_reaction_must_fit_its_filter() -> None:
    """E14 (DI-6.4)."""
    scene = lay(hand0="t_fhp", hand1="t_rdown")
    scene.play(0, "t_fhp", "heart")
    assert scene.offered(1) == [{"do": "decline"}]
    scene.refused(1, "E_CHOICE_ILLEGAL", {"do": "react", "card": scene.card("t_rdown", 1), "column": "fire"})
    scene = lay(hand0="t_fhp", hand1="t_rdown")
    scene.play(0, "t_fhp", "fire")
    scene.react(1, "t_rdown", "fire")
    assert (scene.side(0, "fire"), scene.symbols(0, "fire")) == ("t_fhp~", 1)


def test_e15_a_silenced_saint_does_not_carry_out_its_effect() -> None:
    """E15 (DI-6.8, DI-4.12.5, DI-9.16)."""
    scene = lay(hand0="t_draw t_b1", hand1="t_rhush")
    scene.play(0, "t_draw", "book")
    scene.react(1, "t_rhush")
    assert scene.discard(1) == "t_rhush"
    assert (scene.hand(0), scene.symbols(0, "book")) == ("t_b1", 1)


def test_e16_an_empty_hand_opens_no_window() -> None:
    """E16 (DI-4.12.1)."""
    scene = lay(hand0="t_b1 t_b1", hand1="")
    scene.play(0, "t_b1", "book")
    assert scene.told(None, "reaction_opened") == []


def test_e17_the_window_opens_without_a_reaction_card_and_tells_nothing() -> None:
    """E17 (DI-4.12.1, DI-9.17)."""
    scene = lay(hand0="t_b1")
    scene.play(0, "t_b1", "book")
    scene.prompted(1, "react")
    assert scene.told(None, "reaction_opened") == [{"event": "reaction_opened", "seat": 1}]
    scene.act(1, "decline")
    kinds = [event["event"] for event in scene.told(None)]
    assert kinds[0] == "reaction_declined"
    assert "card_played" not in kinds


def test_e18_a_deed_opens_no_window() -> None:
    """E18 (DI-4.12.2)."""
    scene = lay(hand0="t_choice", hand1="t_rback")
    scene.play(0, "t_choice")
    assert scene.offered(0) == [{"do": "option", "index": 0}, {"do": "option", "index": 1}]
    scene.prompted(0, "choose_option")
    scene.act(0, "option", index=0)
    assert (scene.hand(0), scene.discard(0)) == ("t_d1 t_d1", "t_choice")
    assert scene.told(None, "reaction_opened") == []


SIX = {"book": "t_abdraw t_b3 t_b2"}


def test_e19_abundance_is_activated_at_seven_and_carried_out_after_the_window() -> None:
    """E19 (DI-6.11)."""
    scene = lay(side0=SIX, hand0="t_b1")
    scene.play(0, "t_b1", "book")
    (event,) = scene.told(None, "abundance_activated")
    assert event["source"]["card"] == "t_abdraw"
    assert scene.hand(0) == ""
    scene.act(1, "decline")
    assert scene.hand(0) == "t_d1"


def test_e20_abundance_waits_for_the_saints_own_effect() -> None:
    """E20 (DI-4.11, DI-4.13, DI-6.13)."""
    scene = lay(side0=SIX, hand0="t_draw")
    scene.play(0, "t_draw", "book")
    scene.act(1, "decline")
    assert [event["source"]["card"] for event in scene.told(None, "ability_started")] == ["t_draw", "t_abdraw"]
    assert [event["n"] for event in scene.told(None, "drawn")] == [2, 1]
    assert len(scene.state.hand[0]) == 3


def test_e21_the_eighth_symbol_activates_only_the_card_that_brings_it() -> None:
    """E21 (DI-6.11)."""
    scene = lay(side0={"book": "t_b3 t_b3 t_b1"}, hand0="t_abdraw")
    scene.play_through(0, "t_abdraw", "book")
    assert scene.hand(0) == "t_d1"
    scene = lay(side0={"book": "t_b3 t_b3 t_abdraw"}, hand0="t_abdraw")
    scene.play(0, "t_abdraw", "book")
    (event,) = scene.told(None, "abundance_activated")
    assert event["source"]["id"] == scene.view(None)["book"]["0"][3]["id"]


def test_e22_a_seat_orders_its_own_abundance() -> None:
    """E22 (DI-4.13)."""
    scene = lay(side0={"book": "t_abdraw t_abdisc t_b3 t_b1"}, hand0="t_b1", hand1="t_d1 t_d2")
    scene.play_through(0, "t_b1", "book")
    scene.prompted(0, "choose_trigger")
    assert scene.offered(0) == [{"do": "trigger", "pending": 1}, {"do": "trigger", "pending": 2}]
    scene.act(0, "trigger", pending=2)
    scene.choose(1, "t_d2")
    assert (scene.discard(1), scene.hand(0)) == ("t_d2", "t_d1")


def test_e23_an_activated_abundance_is_carried_out_though_the_count_has_dropped() -> None:
    """E23 (DI-4.12, DI-4.14)."""
    scene = lay(side0=SIX, hand0="t_b1", hand1="t_rback t_d1")
    scene.play(0, "t_b1", "book")
    scene.react(1, "t_rback", "fire")
    assert (scene.symbols(0, "book"), scene.hand(0)) == (6, "t_b1 t_d1")


def test_e24_two_swap_saints_stop_after_three_times_each() -> None:
    """E24 (DI-6.12, DI-9.8, DI-8.10)."""
    scene = lay(side0={"heart": "t_swap t_swap~ t_h3"}, hand0="t_h2")
    scene.play(0, "t_h2", "heart")
    first, second = (card["id"] for card in scene.view(None)["heart"]["0"][:2])
    activated = scene.told(None, "abundance_activated")
    scene.act(1, "decline")
    activated += scene.told(None, "abundance_activated")
    assert [event["source"]["id"] for event in activated] == [first, second] * 3
    assert (scene.side(0, "heart"), scene.symbols(0, "heart")) == ("t_swap t_swap~ t_h3 t_h2", 7)


def with_pilgrim(book: str) -> Disciples:
    scene = lay(side1={"book": book}, hand0="t_pilgrim")
    scene.play_through(0, "t_pilgrim", "heart")
    scene.prompted(0, "may")
    return scene


def test_e25_may_is_asked_and_no_leaves_the_saint() -> None:
    """E25 (DI-6.5)."""
    scene = with_pilgrim("t_b1")
    scene.act(0, "no")
    assert (scene.side(0, "heart"), scene.symbols(0, "heart")) == ("t_pilgrim", 2)


def test_e25_an_effect_without_candidates_asks_nothing() -> None:
    """E25 (DI-6.5, DI-5.6, DI-6.3)."""
    scene = with_pilgrim("t_b1")
    scene.act(0, "yes")
    assert (scene.side(0, "heart"), scene.symbols(0, "heart")) == ("t_pilgrim~", 1)
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["move"]
    assert scene.phase() == ("main", 1)


def test_e26_up_to_two_opposing_cards_are_moved_where_they_may_go() -> None:
    """E26 (DI-6.6, DI-6.17)."""
    scene = with_pilgrim("t_bd t_b1~")
    scene.act(0, "yes")
    prompt = scene.prompted(0, "choose_moves")
    assert (prompt.least, prompt.most) == (0, 2)
    bd, b1 = scene.card("t_bd"), scene.card("t_b1")
    columns = {name: [act["column"] for act in scene.offered(0) if act["card"] == name] for name in (bd, b1)}
    assert columns == {bd: ["drop"], b1: ["drop", "fire", "heart", "prayer"]}
    scene.refused(0, "E_CHOICE_ILLEGAL", {"do": "move", "card": bd, "column": "fire"})
    twice = [{"do": "move", "card": b1, "column": column} for column in ("fire", "drop")]
    scene.refused(0, "E_CHOICE_DUPLICATE", *twice)
    scene.answer(0, {"do": "move", "card": b1, "column": "fire"}, {"do": "move", "card": bd, "column": "drop"})
    assert (scene.side(1, "fire"), scene.side(1, "drop"), scene.side(1, "book")) == ("t_b1~", "t_bd", "")


def test_e26_none_may_be_moved() -> None:
    """E26 (DI-6.6)."""
    scene = with_pilgrim("t_bd t_b1~")
    scene.act(0, "yes")
    scene.answer(0)
    assert scene.side(1, "book") == "t_bd t_b1~"


def test_e27_must_returns_even_the_saint_itself() -> None:
    """E27 (DI-9.20, DI-9.22, DI-5.6)."""
    scene = lay(hand0="t_bottom")
    scene.play_through(0, "t_bottom", "drop")
    assert scene.deck(0).split()[-1] == "t_bottom"
    assert scene.side(0, "drop") == ""
    scene = lay(side1={"heart": "t_h2"}, hand0="t_bottom")
    scene.play_through(0, "t_bottom", "drop")
    prompt = scene.prompted(0, "choose_cards")
    assert (len(prompt.options), prompt.least, prompt.most) == (2, 1, 1)


def test_e28_a_stolen_card_counts_for_its_side_and_returns_to_its_owner() -> None:
    """E28 (DI-9.2, DI-2.11, DI-2.4)."""
    scene = lay(side1={"prayer": "t_p3"}, hand0="t_steal", hand1="t_home")
    scene.play_through(0, "t_steal", "prayer")
    assert scene.side(0, "prayer") == "t_steal t_p3"
    assert [card["owner"] for card in scene.view(None)["prayer"]["0"]] == [0, 1]
    assert (scene.symbols(0, "prayer"), scene.symbols(1, "prayer")) == (4, 0)
    scene.play(1, "t_home")
    scene.choose(1, "t_p3")
    assert (scene.hand(1), scene.side(0, "prayer")) == ("t_p3", "t_steal")


@pytest.mark.parametrize(("option", "active", "winner"), [("active", 0, 0), ("active", 1, 1), ("draw", 0, None)])
def test_e29_both_complete_three_columns_at_once(option: str, active: int, winner: int | None) -> None:
    """E29 (DI-8.3, DI-9.11)."""
    side = {"book": "t_b3 t_b3 t_b1", "drop": "t_d3 t_d3 t_d1", "heart": "t_h3 t_h2 t_h2~"}
    scene = lay(side0=side, side1=side, hand0="t_wake", hand1="t_wake", active=active, simultaneous_win=option)
    scene.play(active, "t_wake")
    assert (scene.symbols(0, "heart"), scene.symbols(1, "heart")) == (7, 7)
    assert wins(scene, winner, "virtues")


def test_e32_every_fault_of_a_deck_is_reported() -> None:
    """E32 (DI-7.1, DI-3.2)."""
    counts = {"t_b1": 4, "t_mir": 2, "t_rare": 11, "t_f3": 14, "t_zzz": 1}
    faults = RULES.deck_faults(fixture(), [{"card": key, "count": n} for key, n in counts.items()])
    assert [(fault.code, fault.details) for fault in faults] == [
        ("E_DECK_UNKNOWN_CARD", {"key": "t_zzz"}),
        ("E_DECK_SIZE", {"have": 31}),
        ("E_DECK_COPIES", {"key": "t_b1", "have": 4}),
        ("E_DECK_COPIES", {"key": "t_f3", "have": 14}),
        ("E_DECK_COPIES", {"key": "t_rare", "have": 11}),
        ("E_DECK_COMMONS", {"have": 4}),
        ("E_DECK_RARES", {"have": 13}),
        ("E_DECK_MIRACULOUS", {"key": "t_mir", "have": 2}),
    ]


def test_e33_protected_cards_are_no_candidates_but_the_protector_is() -> None:
    """E33 (DI-6.14, DI-6.15)."""
    scene = lay(side1={"drop": "t_guard t_d2"}, hand0="t_bottom")
    scene.play_through(0, "t_bottom", "drop")
    assert {act["card"] for act in scene.offered(0)} == {scene.card("t_bottom"), scene.card("t_guard")}


def test_e37_ally_and_enemy_abilities_follow_in_order() -> None:
    """E37 (DI-4.13, DI-6.2)."""
    scene = lay(side0={"heart": "t_host"}, side1={"fire": "t_watch"}, hand0="t_draw")
    scene.play_through(0, "t_draw", "book")
    waiting = [(one["seat"], one["source"]["card"]) for one in scene.view(None)["pending"]]
    assert waiting == [(0, "t_draw"), (0, "t_host"), (1, "t_watch")]
    scene.prompted(0, "choose_trigger")
    scene.act(0, "trigger", pending=2)
    assert len(scene.state.hand[0]) == 3
    scene.prompted(1, "may")
    scene.act(1, "yes")
    assert scene.side(0, "book") == "t_draw~"
