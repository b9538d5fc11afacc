"""The worked examples of the specification on set-up, drawing, intercession, friends, phases: X1 to X19, X33, X37."""

from __future__ import annotations

from typing import Any

import pytest

from engines import flow
from engines.patron.options import Options
from engines.patron.state import Ongoing
from engines.patron.words import Modifier
from engines.rules import Match
from tests.engines.patron.table import A, B, LoadedPatron, Patrons, core, kinds, lay, seat

DECK = dict(core().cards.decks[0].cards)
DOCUMENT = {"pack": "patron-core", "patron": core().cards.decks[0].patron, "cards": DECK}


def begun(*dice: int, **options: Any) -> Patrons:
    """Begin a match with two ready-made decks."""
    rules = LoadedPatron(*dice)
    match = Match(2, Options(**options), core().cards, (DOCUMENT, DOCUMENT))
    step = flow.begin(rules, match, pack="", key=bytes(32))
    scene = Patrons.__new__(Patrons)
    scene.rules, scene.match = rules, Match(2, match.options, match.pack)
    scene._stand(step)
    return scene


def test_x1_equal_start_rolls_are_rolled_again_and_the_higher_chooses() -> None:
    """X1 (PA-3.4, PA-3.5, PA-9.37)."""
    scene = begun(4, 3, 5, 2, 6, 2, 3, 3)
    assert [event["dice"] for event in scene.told(None, "start_roll")] == [[4, 3], [5, 2], [6, 2], [3, 3]]
    scene.prompted(A, "choose_first")
    assert [scene.size(seat, "hand") for seat in (A, B)] == [0, 0]
    scene.answer(A, {"do": "first", "seat": 1})
    drawn = [(event["seat"], event["count"]) for event in scene.told(None, "cards_drawn")]
    assert drawn == [(B, 7), (A, 7)]
    scene.prompted(B, "mulligan")


def test_x2_a_mulligan_changes_the_picked_cards_only() -> None:
    """X2 (PA-3.6, PA-9.36)."""
    scene = begun(first_seat=1)
    hand = scene.offered(B)
    scene.answer(B, *hand[:3])
    assert scene.told(A, "mulligan_done") == [{"event": "mulligan_done", "seat": B, "count": 3}]
    assert scene.told(A, "cards_drawn") == [{"event": "cards_drawn", "seat": B, "count": 3}]
    assert (scene.size(B, "hand"), scene.size(B, "deck")) == (7, 32)
    order = scene.keys(A, "deck")
    scene.answer(A)
    assert scene.keys(A, "deck") == order
    assert "deck_shuffled" not in kinds(scene.told(None))
    scene.refused(B, "no_prompt", hand[0])
    scene.refused(A, "no_prompt", hand[0])


def test_x3_the_first_player_draws_no_card_on_turn_one() -> None:
    """X3 (PA-4.3, PA-3.7, PA-9.4)."""
    scene = begun(first_seat=1)
    scene.answer(B)
    scene.answer(A)
    assert (scene.state.turn, scene.state.active, scene.state.phase) == (1, B, "intercession")
    assert (scene.size(B, "hand"), scene.size(B, "deck")) == (7, 32)
    scene.next_turn()
    assert (scene.state.turn, scene.state.active) == (2, A)
    assert (scene.size(A, "hand"), scene.size(A, "deck")) == (8, 31)


@pytest.mark.parametrize(("held", "then", "drawn"), [(2, 5, 3), (3, 4, 1), (0, 5, 5)])
def test_x4_a_small_hand_is_refilled_after_the_draw(held: int, then: int, drawn: int) -> None:
    """X4 (PA-4.3, PA-4.4, PA-9.5)."""
    scene = lay(b=seat(hand=" ".join(["novena"] * held)), phase="start")
    assert (scene.size(B, "hand"), scene.size(B, "deck")) == (then, 10 - drawn)


def test_x5_the_hand_limit_interrupts_an_effect() -> None:
    """X5 (PA-4.7, PA-4.18)."""
    scene = lay(a=seat(terra="benedict", hand=" ".join(["novena"] * 9)))
    scene.effect(A, "benedict")
    scene.prompted(A, "overflow")
    assert scene.size(A, "hand") == 11
    scene.answer(A, scene.offered(A)[0])
    scene.prompted(A, "discard")
    assert scene.size(A, "hand") == 10
    scene.answer(A, scene.offered(A)[0])
    assert scene.size(A, "hand") == 9
    assert scene.view(None)["used"]["0"] == [{"card": "benedict", "effect": 0}]
    scene.prompted(A, "effects")


def test_x6_saints_are_paid_from_the_pool_one_by_one() -> None:
    """X6 (PA-4.8, PA-4.9)."""
    scene = lay(b=seat(hand="monica george benedict rose_of_lima", deck=0), phase="start", dice=(6, 4))
    assert scene.state.pool == 10
    for key, left in (("monica", 7), ("george", 4), ("benedict", 0)):
        scene.does(B, "play_saint", key)
        assert scene.state.pool == left
    scene.refused(B, "not_enough_points", scene.doing(B, "play_saint", "rose_of_lima"))


def test_x7_points_left_after_playing_saints_are_lost() -> None:
    """X7 (PA-4.12)."""
    scene = lay(a=seat(hand="t_saint_3_hope_1 t_saint_3_faith_2 t_saint_3_justice_1"), phase="intercession",
                shared={"pool": 10})  # fmt: skip
    for key in ("t_saint_3_hope_1", "t_saint_3_faith_2", "t_saint_3_justice_1"):
        scene.does(A, "play_saint", key)
    assert scene.state.pool == 1
    scene.refused(A, "cannot_store", {"do": "end_intercession", "store": True})
    scene.act(A, "end_intercession")
    assert (scene.state.pool, scene.counter(A, "stored"), scene.state.phase) == (None, 0, "friendship")


def test_x8_points_are_stored_up_to_six_and_spent_by_playing() -> None:
    """X8 (PA-4.8, PA-4.12, PA-9.9)."""
    scene = lay(a=seat(hand="t_saint_8_hope_1", deck=30), b=seat(deck=30), phase="intercession")
    for stored in (2, 4, 6):
        scene.act(A, "end_intercession")
        assert scene.counter(A, "stored") == stored
        scene.next_turn()
        scene.next_turn()
    scene.refused(A, "cannot_store", {"do": "end_intercession", "store": True})
    scene.act(A, "end_intercession")
    assert scene.counter(A, "stored") == 6
    scene.next_turn()
    scene.go_to(B, "recursion")
    scene.roll(2, 1)
    scene.act(B, "end_turn")
    assert scene.state.pool == 9
    scene.does(A, "play_saint", "t_saint_8_hope_1")
    assert scene.state.pool == 1
    scene.act(A, "end_intercession")
    assert scene.counter(A, "stored") == 0
    assert "stored_reset" in kinds(scene.told(None))


def test_x9_the_patron_is_played_like_any_saint() -> None:
    """X9 (PA-3.2, PA-4.9, PA-4.13, PA-9.1, PA-9.11)."""
    scene = lay(b=seat("thomas_aquinas", in_play=False, stored=2), phase="start", dice=(3, 3))
    assert scene.state.pool == 8
    scene.act(B, "play_patron")
    assert (scene.state.pool, scene.keys(B, "terra")) == (0, "thomas_aquinas")
    scene.refused(B, "patron_in_play", {"do": "play_patron"})
    scene.act(B, "end_intercession")
    assert scene.counter(B, "stored") == 0


def test_x10_a_saint_already_in_play_is_cycled_instead() -> None:
    """X10 (PA-4.11, PA-4.46, PA-9.7, PA-9.8)."""
    hand = "monica monica monica monica george"
    scene = lay(a=seat(terra="monica", hand=hand), b=seat(terra="george"), phase="intercession", shared={"pool": 9})
    scene.refused(A, "already_in_play", scene.doing(A, "play_saint", "monica"))
    scene.refused(A, "not_duplicate", scene.doing(A, "cycle_saint", "george"))
    scene.does(A, "cycle_saint", "monica")
    assert (scene.keys(A, "discard"), scene.size(A, "hand"), scene.counter(A, "cycled")) == ("monica", 5, 1)
    scene.does(A, "cycle_saint", "monica")
    scene.does(A, "cycle_saint", "monica")
    scene.refused(A, "cycle_limit", scene.doing(A, "cycle_saint", "monica"))


def test_x11_patron_friend_and_graces_add_up_to_six_at_most() -> None:
    """X11 (PA-4.23, PA-4.24, PA-9.15)."""
    scene = lay(a=seat("thomas_aquinas", friend="francis_of_assisi", graces="gift_of_counsel ardent_charity"))
    found = [scene.modifier(A, virtue) for virtue in ("prudence", "charity", "faith", "justice")]
    assert found == [6, 4, 5, 4]


def test_x12_without_a_patron_in_play_nothing_is_added() -> None:
    """X12 (PA-4.23, PA-4.34, PA-9.13)."""
    lasting = Ongoing(1, "novena", A, A, Modifier(virtue="all", n=2), "game", 1)
    a = seat("thomas_aquinas", in_play=False, events="storm_at_sea")
    scene = lay(a, phase="events", shared={"ongoing": [lasting]})
    scene.activate(A, "e1", 3, 4)
    told = scene.checked()
    assert (told["modifier"], told["parts"], told["total"], told["success"]) == (0, [], 7, False)


def test_x13_a_friend_adds_virtues_and_shares_milestones() -> None:
    """X13 (PA-4.16, PA-4.17, PA-4.23)."""
    assert lay(a=seat("george", terra="joan_of_arc")).modifier(A, "fortitude") == 2
    for milestones, number in ((1, 10), (0, 11)):
        a = seat("george", friend="joan_of_arc", milestones=milestones, events="persecution")
        scene = lay(a, phase="events")
        assert scene.modifier(A, "fortitude") == 5
        scene.activate(A, "e1", 6, 6)
        assert (scene.checked()["printed"], scene.checked()["number"]) == (11, number)


def test_x14_a_former_friend_stops_sharing() -> None:
    """X14 (PA-4.14, PA-4.16, PA-9.17, PA-9.19)."""
    a = seat("george", friend="teresa_of_avila", terra="monica", milestones=2, stored=0)
    scene = lay(a, phase="friendship")
    scene.does(A, "set_friend", "monica")
    assert scene.counter(A, "stored") == 2
    scene.refused(A, "friend_used", scene.doing(A, "set_friend", "teresa_of_avila"))
    scene.next_turn()
    scene.go_to(B, "recursion")
    scene.roll(3, 3)
    scene.act(B, "end_turn")
    (rolled,) = scene.told(None, "intercession_rolled")
    assert (rolled["bonus"], rolled["stored"], rolled["pool"]) == (0, 2, 8)
    scene.go_to(A, "friendship")
    scene.refused(A, "is_patron", scene.doing(A, "set_friend", "george"))


def test_x15_a_stone_stays_for_the_whole_match() -> None:
    """X15 (PA-4.18, PA-9.20)."""
    a = seat(hand="teresa_of_avila", used=["teresa_of_avila#0"])
    scene = lay(a, phase="intercession", shared={"pool": 9})
    scene.does(A, "play_saint", "teresa_of_avila")
    scene.go_to(A, "effects")
    for index, code in ((0, "effect_used"), (1, "not_act"), (2, "no_such_effect")):
        scene.refused(A, code, scene.doing(A, "activate_effect", "teresa_of_avila", effect=index))


def test_x16_graces_need_the_patron_and_the_own_turn() -> None:
    """X16 (PA-4.20, PA-9.21)."""
    hand = "novena t_grace daily_rosary"
    absent = lay(a=seat(in_play=False, hand=hand), phase="graces")
    absent.refused(A, "no_patron", absent.doing(A, "play_grace", "novena"))
    scene = lay(a=seat(hand=hand), b=seat(hand=hand), phase="graces")
    scene.refused(B, "not_your_turn", scene.doing(B, "play_grace", "novena"))
    for key in hand.split():
        scene.does(A, "play_grace", key)
    assert scene.keys(A, "graces") == hand


def test_x17_a_grace_that_is_not_overcome_was_not_played() -> None:
    """X17 (PA-4.20, PA-4.22, PA-9.22)."""
    scene = lay(a=seat("benedict", hand="ardent_charity ardent_charity"), phase="graces")
    scene.roll(3, 3)
    scene.does(A, "play_grace", "ardent_charity")
    assert kinds(scene.told(B)) == ["card_moved", "check_rolled", "grace_failed"]
    assert (scene.keys(A, "discard"), scene.counter(A, "graces_played_turn")) == ("ardent_charity", 0)
    scene.roll(4, 3)
    scene.does(A, "play_grace", "ardent_charity")
    assert (scene.keys(A, "graces"), scene.counter(A, "graces_played_turn")) == ("ardent_charity", 1)
    assert (scene.modifier(A, "justice"), scene.modifier(A, "temperance")) == (1, 3)


def test_x18_an_event_stays_face_down_for_a_turn() -> None:
    """X18 (PA-4.26, PA-4.45)."""
    scene = lay(a=seat(hand="storm_at_sea"), phase="events", turn=5)
    scene.does(A, "set_event", "storm_at_sea")
    scene.refused(A, "not_ready", {"do": "activate_event", "slot": "e1"})
    scene.go_to(A, "recursion")
    scene.act(A, "repeat_phases")
    scene.go_to(A, "events")
    scene.refused(A, "not_ready", {"do": "activate_event", "slot": "e1"})
    scene.next_turn()
    scene.go_to(B, "events")
    scene.refused(A, "no_priority", {"do": "activate_event", "slot": "e1"})
    scene.act(B, "pass_priority")
    assert {"do": "activate_event", "slot": "e1"} in scene.offered(A)


def test_x19_seats_alternate_until_two_passes_in_a_row() -> None:
    """X19 (PA-4.27, PA-4.28, PA-9.27)."""
    plain = "t_event_hope"
    scene = lay(a=seat(events=f"{plain} {plain}"), b=seat(events=plain), phase="events", active=B, turn=6)
    scene.activate(B, "e3", 6, 6)
    assert (scene.state.priority, scene.state.passes) == (A, 0)
    scene.activate(A, "e1", 6, 6)
    assert (scene.state.priority, scene.state.passes) == (B, 0)
    scene.act(B, "pass_priority")
    assert (scene.state.priority, scene.state.passes) == (A, 1)
    scene.activate(A, "e2", 6, 6)
    assert (scene.state.priority, scene.state.passes) == (B, 0)
    scene.act(B, "pass_priority")
    passed = [(event["seat"], event["auto"]) for event in scene.told(None, "priority_passed")]
    assert passed == [(B, False), (A, True)]
    assert (scene.state.phase, scene.state.priority) == ("milestones", None)


@pytest.mark.parametrize(("deck_out", "hand", "deck", "discard"), [("reshuffle", 5, 4, 0), ("none", 3, 0, 6)])
def test_x33_an_empty_deck_is_refilled_from_the_discard_pile(deck_out: str, hand: int, deck: int, discard: int) -> None:
    """X33 (PA-4.6, PA-9.34)."""
    b = seat(hand="novena novena", deck=1, discard=" ".join(["t_grace"] * 6))
    scene = lay(b=b, phase="start", deck_out=deck_out)
    assert [scene.size(B, zone) for zone in ("hand", "deck", "discard")] == [hand, deck, discard]


def test_x33_a_seat_that_cannot_draw_may_lose() -> None:
    """X33 (PA-4.6, PA-8.4)."""
    b = seat(hand="novena novena", deck=1, discard=" ".join(["t_grace"] * 6))
    scene = lay(b=b, phase="start", deck_out="lose")
    assert scene.outcome is not None
    assert (scene.outcome.winners, scene.outcome.reason) == ((A,), "deck_out")


def test_x37_errors_come_in_their_order() -> None:
    """X37 (PA-5.1)."""
    activate = {"do": "activate_event", "slot": "e1"}
    scene = lay(a=seat(terra="benedict", hand=" ".join(["novena"] * 9)), b=seat(events="storm_at_sea"))
    scene.effect(A, "benedict")
    scene.prompted(A, "overflow")
    scene.refused(B, "prompt_pending", activate)
    scene.refused(B, "not_your_prompt", {"do": "discard", "card": "c1"})
    graces = lay(b=seat(events="storm_at_sea"), phase="graces")
    graces.refused(B, "not_your_turn", activate)
    graces.act(A, "end_phase")
    graces.refused(B, "no_priority", activate)
