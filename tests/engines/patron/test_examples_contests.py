"""The worked examples of the specification on contests, milestones, decks: X20 to X32, X34 to X36, X38, X39."""

from __future__ import annotations

import pytest

from tests.engines.patron.table import RULES, A, B, fixture, kinds, lay, seat


def test_x20_the_other_seat_may_win_what_the_activator_lost() -> None:
    """X20 (PA-4.31, PA-4.35, PA-4.37, PA-4.38, PA-9.25, PA-9.41)."""
    a = seat("benedict", terra="francis_of_assisi", events="desert_temptation")
    scene = lay(a, seat("t_saint_3_temperance_1"), phase="events", active=B)
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 3, 3)
    assert (scene.checked()["total"], scene.checked()["success"]) == (8, False)
    scene.prompted(B, "contest")
    scene.roll(4, 4)
    scene.act(B, "attempt")
    assert scene.checked()["total"] == 9
    assert (scene.counter(B, "tokens"), scene.counter(A, "tokens")) == (1, 0)
    assert scene.keys(A, "discard") == "desert_temptation"
    assert (scene.size(B, "hand"), scene.size(A, "hand")) == (1, 1)
    assert [event["card"]["card"] for event in scene.told(None, "trigger_fired")] == ["francis_of_assisi"]


def test_x21_nobody_wins_and_the_activator_pays() -> None:
    """X21 (PA-4.31, PA-4.35)."""
    b = seat(terra="francis_of_assisi")
    scene = lay(seat("t_saint_3_hope_1", hand="novena t_grace", events="storm_at_sea"), b, phase="events")
    scene.activate(A, "e1", 3, 4)
    scene.act(B, "decline")
    assert "event_unwon" in kinds(scene.told(None))
    scene.prompted(A, "discard")
    scene.does(A, "discard", "t_grace")
    assert (scene.keys(A, "hand"), scene.size(B, "hand")) == ("novena", 0)
    empty = lay(seat("t_saint_3_hope_1", events="storm_at_sea"), b, phase="events")
    empty.activate(A, "e1", 3, 4)
    empty.act(B, "decline")
    assert empty.size(B, "hand") == 0
    empty.prompted(A, "events")


@pytest.mark.parametrize(
    ("a_dice", "b_dice", "winner"), [((2, 3), (5, 4), B), ((5, 3), (6, 5), A), ((3, 2), (3, 4), None)]
)
def test_x22_a_duel_is_won_by_the_higher_total(a_dice: tuple[int, int], b_dice: tuple[int, int], winner: int) -> None:
    """X22 (PA-4.33)."""
    a = seat("t_saint_3_prudence_3", events="disputation", deck=0)
    scene = lay(a, seat("t_saint_3_hope_1", deck=0), phase="events")
    scene.activate(A, "e1", *a_dice, *b_dice)
    assert [event["total"] for event in scene.told(None, "check_rolled")] == [sum(a_dice) + 3, sum(b_dice)]
    assert [scene.counter(side, "tokens") for side in (A, B)] == [int(winner == A), int(winner == B)]


def test_x23_a_solo_event_asks_nobody_else() -> None:
    """X23 (PA-4.32)."""
    scene = lay(seat("t_saint_3_faith_1", events="sudden_conversion"), phase="events")
    scene.activate(A, "e1", 3, 3)
    assert "event_unwon" in kinds(scene.told(None))
    scene.prompted(A, "events")


def test_x24_three_dice_are_summed_whatever_gives_an_advantage() -> None:
    """X24 (PA-4.22)."""
    for used in (False, True):
        a = seat("t_saint_3_justice_1", terra="joan_of_arc", events="before_the_judge")
        scene = lay(a, phase="effects")
        if used:
            scene.effect(A, "joan_of_arc")
        scene.go_to(A, "events")
        scene.activate(A, "e1", 4, 5, 3)
        told = scene.checked()
        assert (told["dice"], told["kept"], told["total"], told["success"]) == ([4, 5, 3], [4, 5, 3], 13, True)


def test_x25_an_advantage_lasts_for_the_turn() -> None:
    """X25 (PA-4.22, PA-6.8)."""
    scene = lay(seat("joan_of_arc", milestones=4, tokens=4), phase="effects")
    scene.effect(A, "joan_of_arc")
    scene.go_to(A, "milestones")
    scene.complete(A, 2, 5, 6)
    told = scene.checked()
    assert (told["dice"], sorted(told["kept"]), told["modifier"], told["total"]) == ([2, 5, 6], [5, 6], 3, 14)
    assert scene.outcome is not None
    assert scene.outcome.winners == (A,)
    later = lay(seat("joan_of_arc"), phase="effects")
    later.effect(A, "joan_of_arc")
    later.next_turn()
    assert later.view(None)["ongoing"] == []


def test_x26_tokens_are_paid_and_the_fifth_milestone_wins() -> None:
    """X26 (PA-4.41, PA-8.1, PA-9.30)."""
    scene = lay(seat("teresa_of_avila", milestones=3, tokens=5), phase="milestones")
    scene.complete(A)
    assert (scene.counter(A, "tokens"), scene.view(None)["patron"]["0"]["milestones"]) == (2, 4)
    last = lay(seat("benedict", milestones=4, tokens=5), phase="milestones")
    last.complete(A)
    assert last.counter(A, "tokens") == 0
    assert last.outcome is not None
    assert (last.outcome.winners, last.outcome.reason) == ((A,), "milestones")
    last.refused(A, "game_over", {"do": "end_phase"})


def test_x27_a_milestone_counts_in_both_turns_but_is_shown_in_the_own() -> None:
    """X27 (PA-4.40, PA-4.42, PA-9.31)."""
    a = seat("joan_of_arc", milestones=3)
    scene = lay(a, seat("t_saint_3_hope_1", events="persecution"), phase="events", active=B, turn=6)
    scene.activate(B, "e1", 1, 1)
    scene.roll(6, 6)
    scene.act(A, "attempt")
    assert (scene.view(None)["patron"]["0"]["progress"], scene.counter(A, "tokens")) == (1, 2)
    scene.refused(A, "not_your_turn", {"do": "complete_milestone"})
    scene.next_turn()
    scene.go_to(A, "milestones")
    scene.complete(A)
    assert scene.view(None)["patron"]["0"]["milestones"] == 4


def test_x28_progress_begins_anew_but_tokens_and_graces_stay() -> None:
    """X28 (PA-4.42, PA-4.43, PA-4.41, PA-9.29)."""
    hand = "storm_at_sea disputation famine t_event_hope"
    scene = lay(seat("george", milestones=1, tokens=1, hand=hand), phase="events")
    for key in hand.split()[:3]:
        scene.does(A, "set_event", key)
    scene.go_to(A, "milestones")
    scene.complete(A, 6, 6)
    assert scene.view(None)["patron"]["0"]["progress"] == 0
    refusal = scene.refused(A, "milestone_unmet", {"do": "complete_milestone"})
    assert refusal.details == {"unmet": ["progress"]}
    graces = "novena t_grace t_grace_hope t_grace_faith daily_rosary"
    thomas = lay(seat("thomas_aquinas", tokens=2, graces=graces), phase="milestones")
    thomas.complete(A)
    thomas.complete(A)
    assert (thomas.counter(A, "tokens"), thomas.keys(A, "graces")) == (0, graces)
    end = lay(seat("thomas_aquinas", tokens=4, milestones=4, graces=graces), phase="milestones")
    end.complete(A)
    assert end.outcome is not None


def test_x29_a_failed_milestone_is_tried_once_a_turn() -> None:
    """X29 (PA-4.44, PA-9.32)."""
    scene = lay(seat("teresa_of_avila", milestones=1, tokens=2), phase="milestones")
    scene.complete(A, 4, 3)
    assert scene.told(None, "milestone_failed") == [{"event": "milestone_failed", "seat": A, "number": 2}]
    assert scene.counter(A, "tokens") == 2
    scene.refused(A, "milestone_tried", {"do": "complete_milestone"})
    scene.act(A, "end_phase")
    scene.act(A, "repeat_phases")
    scene.go_to(A, "milestones")
    scene.refused(A, "milestone_tried", {"do": "complete_milestone"})
    scene.next_turn()
    scene.next_turn()
    scene.go_to(A, "milestones")
    assert {"do": "complete_milestone"} in scene.offered(A)


def test_x30_what_a_milestone_lacks_is_named() -> None:
    """X30 (PA-5.2, PA-6.12)."""
    scene = lay(seat("thomas_aquinas", milestones=3, tokens=2, terra="monica"), phase="milestones")
    refusal = scene.refused(A, "milestone_unmet", {"do": "complete_milestone"})
    assert refusal.details == {"unmet": ["tokens", "state"]}


def test_x31_a_milestone_is_paid_exactly() -> None:
    """X31 (PA-5.4)."""
    scene = lay(seat("francis_of_assisi", hand="novena t_grace famine monica george"), phase="milestones")
    scene.complete(A)
    first, second = (scene.doing(A, "pay_card", key) for key in ("famine", "novena"))
    scene.refused(A, "bad_payment", first)
    scene.refused(A, "bad_payment", first, first)
    scene.answer(A, first, second)
    assert (scene.size(A, "hand"), scene.keys(A, "discard")) == (3, "famine novena")
    assert scene.view(None)["patron"]["0"]["milestones"] == 1
    poor = lay(seat("francis_of_assisi", hand="novena"), phase="milestones")
    refusal = poor.refused(A, "milestone_unmet", {"do": "complete_milestone"})
    assert refusal.details == {"unmet": ["discard"]}


def test_x32_graces_that_are_consumed_are_named() -> None:
    """X32 (PA-4.41, PA-5.4)."""
    graces = "novena t_grace t_grace_hope t_grace_faith daily_rosary"
    scene = lay(seat("francis_of_assisi", milestones=4, tokens=4, graces=graces), phase="milestones")
    scene.complete(A)
    prompt = scene.prompted(A, "pay_graces")
    assert (prompt.least, prompt.most) == (3, 3)
    named = [scene.doing(A, "pay_card", key) for key in graces.split()]
    scene.refused(A, "bad_payment", *named[:4])
    scene.answer(A, *named[:3])
    assert (scene.keys(A, "graces"), scene.counter(A, "tokens")) == ("t_grace_faith daily_rosary", 0)
    assert scene.keys(A, "discard") == "novena t_grace t_grace_hope"
    assert scene.outcome is not None


def test_x34_all_violations_of_a_deck_are_told_in_order() -> None:
    """X34 (PA-7.2)."""
    cards = {"thomas_aquinas": 1, "storm_at_sea": 4, "persecution": 3, "famine": 3, "monica": 3, "nobody": 2}
    deck = {"pack": "patron-test", "patron": "thomas_aquinas", "cards": cards}
    faults = RULES.deck_faults(fixture(), deck)
    found = [(fault.code, fault.details.get("card"), fault.details.get("found")) for fault in faults]
    assert found == [
        ("deck_size", None, 17), ("patron_in_deck", "thomas_aquinas", None), ("too_few_events", None, 10),
        ("too_many_copies", "persecution", 3), ("too_many_copies", "storm_at_sea", 4),
        ("unknown_card", "nobody", None),
    ]  # fmt: skip
    assert [fault.details["limit"] for fault in faults if fault.code == "too_many_copies"] == [2, 3]


@pytest.mark.parametrize(("tokens", "winners"), [((2, 4), (B,)), ((4, 2), (A,)), ((3, 3), ())])
def test_x35_the_last_turn_is_decided_by_milestones_then_tokens(tokens: tuple[int, int], winners: tuple[int]) -> None:
    """X35 (PA-8.5, PA-8.8, PA-4.51)."""
    a, b = (seat(milestones=3, tokens=count) for count in tokens)
    scene = lay(a, b, phase="recursion", turn=100)
    scene.act(A, "end_turn")
    assert scene.outcome is not None
    assert (scene.outcome.winners, scene.outcome.reason) == (winners, "max_turns")
    assert scene.told(None, "game_over")[0]["winner"] == (winners[0] if winners else "draw")


def test_x36_a_search_shows_the_others_only_what_is_found() -> None:
    """X36 (PA-2.7, PA-6.5)."""
    a = seat("thomas_aquinas", milestones=1, deck="famine novena monica holy_relic")
    scene = lay(a)
    scene.effect(A, "thomas_aquinas")
    prompt = scene.prompted(A, "cards")
    named = {card["id"]: card["card"] for card in scene.view(A)["look"]}
    assert [named[option.act["card"]] for option in prompt.options] == ["holy_relic", "novena"]
    assert (scene.view(B)["look"], prompt.about) == ([], {"source": {"id": "c1", "card": "thomas_aquinas"}})
    scene.does(A, "take", "novena")
    (moved,) = scene.told(B, "card_moved")
    assert (moved["from"], moved["to"], moved["card"]) == ("deck", "hand", {"card": "novena"})
    assert "deck_shuffled" in kinds(scene.told(B))
    none = lay(a)
    none.effect(A, "thomas_aquinas")
    none.answer(A)
    assert kinds(none.told(B)) == ["deck_shuffled"]
    assert none.size(A, "deck") == 4


def test_x38_the_active_seat_may_contest_first() -> None:
    """X38 (PA-4.30, PA-9.26)."""
    scene = lay(seat(events="storm_at_sea"), phase="events", active=B, event_first="active")
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 6, 6)
    assert (scene.checked()["seat"], scene.counter(B, "tokens")) == (B, 1)
    other = lay(seat(events="storm_at_sea"), phase="events", active=B, event_first="active")
    other.act(B, "pass_priority")
    other.activate(A, "e1", 1, 1)
    other.prompted(A, "contest")


def test_x39_a_grace_works_before_others_take_notice_of_it() -> None:
    """X39 (PA-4.20, PA-6.3)."""
    deck = "monica george famine novena t_grace"
    scene = lay(seat("thomas_aquinas", hand="gift_of_counsel", deck=deck), phase="graces")
    scene.does(A, "play_grace", "gift_of_counsel")
    scene.does(A, "take", "george")
    assert scene.keys(A, "hand") == "george novena"
    assert scene.keys(A, "deck") == "t_grace monica famine"
    assert [event["card"]["card"] for event in scene.told(None, "trigger_fired")] == ["thomas_aquinas"]
