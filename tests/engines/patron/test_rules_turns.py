"""Phases, intercession, friends, effects, graces and priority (PA-4.1 to PA-4.29, PA-4.45, PA-4.50 to PA-4.52)."""

from __future__ import annotations

import pytest

from tests.engines.patron.table import A, B, act, grace, kinds, lay, pack_with, saint, seat, trigger


def test_phases_follow_each_other_whether_or_not_there_is_anything_to_do() -> None:
    """PA-4.1, PA-4.5, PA-4.29, PA-4.45, PA-9.33."""
    scene = lay(phase="start", dice=(3, 3))
    seen = [scene.state.phase]
    while scene.state.turn == 6:
        scene.stay_silent(B) if scene.prompt(B) else scene.stay_silent(A)
        seen += [event["phase"] for event in scene.told(None, "phase_entered")]
    first = ["intercession", "friendship", "effects", "graces", "events", "milestones", "recursion"]
    assert seen == [*first, "intercession"]
    scene.go_to(A, "recursion")
    scene.act(A, "repeat_phases")
    seen = [scene.state.phase]
    for _ in range(4):
        scene.stay_silent(A)
        seen += [event["phase"] for event in scene.told(None, "phase_entered")]
    assert seen == ["effects", "graces", "events", "milestones", "intercession"]
    assert scene.state.turn == 8


@pytest.mark.parametrize("passes", [0, 1, 3])
def test_the_late_phases_are_repeated_as_often_as_agreed(passes: int) -> None:
    """PA-4.45, PA-9.33."""
    scene = lay(phase="milestones", recursion_passes=passes)
    for number in range(passes):
        scene.act(A, "end_phase")
        scene.act(A, "repeat_phases")
        assert scene.state.pass_index == number + 1
        scene.go_to(A, "milestones")
    scene.act(A, "end_phase")
    assert (scene.state.turn, scene.state.active) == (6, B)


def test_a_turn_may_end_in_the_milestones_phase() -> None:
    """PA-4.1, PA-4.52."""
    scene = lay(phase="milestones")
    scene.act(A, "end_turn")
    assert (scene.state.turn, scene.state.active, scene.state.phase) == (6, B, "intercession")
    assert kinds(scene.told(None))[:2] == ["turn_ended", "turn_started"]


def test_counters_of_both_seats_begin_anew_with_each_turn() -> None:
    """PA-4.2, PA-2.5."""
    used = {"cycled": 2, "friend_acted": True, "milestone_tried": True, "events_won_turn": 1, "saints_played_turn": 1,
            "graces_played_turn": 1}  # fmt: skip
    scene = lay(seat(**used), seat(**used), phase="start")
    for side in (A, B):
        assert [scene.counter(side, name) for name in used] == [0, False, False, 0, 0, 0]


def test_what_happens_at_the_start_of_a_turn_comes_after_the_refill_and_before_the_roll() -> None:
    """PA-4.5, PA-4.4."""
    scene = lay(b=seat(graces="daily_rosary"), phase="start")
    order = kinds(scene.told(None))
    assert order[-3:] == ["cards_drawn", "phase_entered", "intercession_rolled"]
    assert "trigger_fired" in order
    assert scene.size(B, "hand") == 6


def test_a_seat_with_enough_cards_is_not_refilled_before_turn_two() -> None:
    """PA-4.3, PA-4.4, PA-9.4."""
    scene = lay(a=seat(hand="novena"), phase="start", turn=0)
    assert (scene.state.turn, scene.state.active, scene.size(A, "hand")) == (1, A, 1)


def test_eleven_cards_are_too_many_however_they_come() -> None:
    """PA-4.7, PA-9.6."""
    hand = " ".join(["novena"] * 10)
    scene = lay(a=seat(terra="monica", hand=hand, discard="george"))
    scene.effect(A, "monica")
    scene.does(A, "take", "george")
    scene.prompted(A, "overflow")
    scene.does(A, "discard", "george")
    assert (scene.size(A, "hand"), scene.keys(A, "discard")) == (10, "george")
    turn = lay(b=seat(hand=hand), phase="start")
    turn.prompted(B, "overflow")
    turn.stay_silent(B)
    assert turn.state.phase == "intercession"


RELIC = saint("t_pilgrim", act('{ op = "intercession", who = "self", n = -20, duration = "next" }'))


def test_points_of_intercession_are_never_below_zero() -> None:
    """PA-4.8, PA-6.8."""
    scene = lay(a=seat(terra="t_pilgrim"), pack=pack_with(RELIC))
    scene.effect(A, "t_pilgrim")
    scene.next_turn()
    scene.next_turn()
    assert scene.state.pool == 0
    assert scene.view(None)["ongoing"] == []


def test_a_score_is_at_least_one() -> None:
    """PA-4.10."""
    cheap = saint("t_cheap", '{ kind = "static", op = "score", n = -9 }')
    scene = lay(a=seat(terra="t_cheap", hand="t_saint_8_hope_1"), phase="intercession", pack=pack_with(cheap))
    assert scene.view(A)["hand"]["0"]["cards"][0]["cost"] == 1


def test_a_saint_put_into_play_in_the_phase_counts_but_not_one_of_the_other_seat() -> None:
    """PA-4.13, PA-4.12, PA-9.42."""
    host = saint(
        "t_host", '{ kind = "trigger", on = "saint_played", do = [{ op = "put_saint", who = "each", max_score = 9 }] }'
    )
    a = seat(terra="t_host", hand="t_saint_1_hope_1 t_saint_2_hope_1")
    scene = lay(a, seat(hand="t_saint_3_hope_1"), phase="intercession", pack=pack_with(host), shared={"pool": 1})
    scene.does(A, "play_saint", "t_saint_1_hope_1")
    scene.does(A, "take", "t_saint_2_hope_1")
    scene.does(B, "take", "t_saint_3_hope_1")
    assert scene.state.saints_this_phase == 2
    assert [scene.counter(side, "saints_played_turn") for side in (A, B)] == [2, 1]


def test_storing_looks_at_the_phase_and_not_at_the_turn() -> None:
    """PA-9.42, PA-4.12."""
    scene = lay(a=seat(terra="teresa_of_avila", hand="t_saint_1_hope_1", stored=2))
    scene.effect(A, "teresa_of_avila")
    scene.does(A, "take", "t_saint_1_hope_1")
    assert (scene.counter(A, "stored"), scene.counter(A, "saints_played_turn")) == (2, 1)


@pytest.mark.parametrize(("store", "stored"), [(True, 4), (None, 4), (False, 2)])
def test_storing_is_optional_and_done_by_default(store: bool | None, stored: int) -> None:
    """PA-4.12, PA-9.10, PA-5.6."""
    scene = lay(a=seat(stored=2), phase="intercession")
    scene.act(A, "end_intercession", **({} if store is None else {"store": store}))
    assert scene.counter(A, "stored") == stored


@pytest.mark.parametrize(("reading", "stored"), [("on_play", 0), ("never", 4)])
def test_stored_points_are_lost_by_playing_or_kept(reading: str, stored: int) -> None:
    """PA-4.12, PA-9.9."""
    a = seat(stored=4, hand="t_saint_1_hope_1")
    scene = lay(a, phase="intercession", shared={"pool": 4}, stored_reset=reading)
    scene.does(A, "play_saint", "t_saint_1_hope_1")
    scene.act(A, "end_intercession")
    assert scene.counter(A, "stored") == stored


def test_there_is_no_friend_without_the_patron_in_play() -> None:
    """PA-4.14, PA-9.18."""
    scene = lay(a=seat(in_play=False, terra="monica"), phase="friendship")
    scene.refused(A, "no_patron", scene.doing(A, "set_friend", "monica"))


def test_the_friend_is_another_saint_in_play() -> None:
    """PA-4.14, PA-4.15."""
    scene = lay(a=seat("george", friend="monica", hand="benedict"), phase="friendship")
    scene.refused(A, "already_friend", scene.doing(A, "set_friend", "monica"))
    scene.refused(A, "is_patron", scene.doing(A, "set_friend", "george"))
    scene.refused(A, "not_in_terra", scene.doing(A, "set_friend", "benedict"))
    assert scene.offered(A) == [{"do": "end_phase"}]


def test_the_friend_counts_in_the_other_seats_turn_as_well() -> None:
    """PA-4.17, PA-4.16."""
    scene = lay(seat("george", friend="joan_of_arc", milestones=2), active=B)
    assert scene.modifier(A, "fortitude") == 5


def test_an_effect_works_in_the_turn_its_saint_came_and_for_nothing_too() -> None:
    """PA-4.18, PA-6.4."""
    scene = lay(a=seat(hand="monica"), phase="intercession", shared={"pool": 3})
    scene.does(A, "play_saint", "monica")
    scene.go_to(A, "effects")
    scene.effect(A, "monica")  # the discard pile is empty
    assert scene.view(None)["used"]["0"] == [{"card": "monica", "effect": 0}]


def test_an_effect_needs_its_milestones_its_place_and_its_condition() -> None:
    """PA-4.18, PA-6.1, PA-4.16."""
    rich = saint("t_rich", act('{ op = "draw", n = 1 }', more='cond = { q = "tokens", min = 1 },'))
    scene = lay(seat("george", terra="rose_of_lima t_rich thomas_aquinas", milestones=3), pack=pack_with(rich))
    scene.refused(A, "wrong_place", scene.doing(A, "activate_effect", "rose_of_lima", effect=0))
    scene.refused(A, "condition_unmet", scene.doing(A, "activate_effect", "t_rich", effect=0))
    scene.refused(A, "milestones_too_few", scene.doing(A, "activate_effect", "thomas_aquinas", effect=0))
    scene.effect(A, "george", 1)
    assert scene.modifier(A, "hope") == 2


def test_a_grace_has_the_milestones_of_its_seat() -> None:
    """PA-4.19."""
    ripe = grace("t_ripe", '{ kind = "static", min_milestones = 2, op = "modifier", virtue = "hope", n = 2 }')
    for milestones, hope in ((1, 0), (2, 2)):
        assert lay(a=seat(graces="t_ripe", milestones=milestones), pack=pack_with(ripe)).modifier(A, "hope") == hope


def test_continuous_effects_are_tested_anew_each_time() -> None:
    """PA-4.19, PA-4.23."""
    proud = saint(
        "t_proud", '{ kind = "static", cond = { q = "tokens", min = 1 }, op = "modifier", virtue = "hope", n = 3 }'
    )
    scene = lay(a=seat("t_proud", events="t_event_faith"), phase="events", pack=pack_with(proud))
    assert scene.modifier(A, "hope") == 0
    scene.activate(A, "e1", 6, 6)
    assert scene.modifier(A, "hope") == 3


def test_graces_stay_after_the_turn() -> None:
    """PA-4.21."""
    scene = lay(a=seat(hand="t_grace_hope"), phase="graces")
    scene.does(A, "play_grace", "t_grace_hope")
    scene.next_turn()
    scene.next_turn()
    assert (scene.keys(A, "graces"), scene.modifier(A, "hope")) == ("t_grace_hope", 1)


def test_a_grace_that_is_overcome_is_public_at_once() -> None:
    """PA-4.20, PA-5.7."""
    scene = lay(a=seat(hand="pilgrimage"), phase="graces")
    scene.does(A, "play_grace", "pilgrimage")
    assert [card["card"] for card in scene.view(None)["resolving"]] == ["pilgrimage"]
    assert scene.view(None)["hand"]["0"]["count"] == 0
    scene.roll(6, 6)
    scene.act(A, "virtue", virtue="fortitude")
    assert (scene.view(None)["resolving"], scene.counter(A, "tokens")) == ([], 1)


def test_only_the_active_seat_sets_and_cycles() -> None:
    """PA-4.25, PA-5.3."""
    b = seat(hand="storm_at_sea monica", terra="monica", events="t_event_hope")
    scene = lay(seat(hand="famine", events="t_event_hope"), b, phase="events")
    scene.refused(B, "not_your_turn", scene.doing(B, "set_event", "storm_at_sea"))
    scene.refused(B, "not_your_turn", scene.doing(B, "cycle_saint", "monica"))
    scene.act(A, "pass_priority")
    assert scene.state.priority == B
    scene.refused(B, "not_your_turn", scene.doing(B, "set_event", "storm_at_sea"))
    scene.refused(A, "no_priority", scene.doing(A, "set_event", "famine"))
    assert {act["do"] for act in scene.offered(B)} == {"activate_event", "pass_priority"}


def test_phases_that_end_otherwise_have_no_end_phase() -> None:
    """PA-5.3, PA-5.2."""
    lay(phase="events").refused(A, "wrong_phase", {"do": "end_phase"})
    lay(phase="intercession").refused(A, "wrong_phase", {"do": "end_phase"})


def test_the_other_seat_is_passed_by_itself_and_the_active_seat_never() -> None:
    """PA-4.28."""
    scene = lay(phase="events")
    scene.prompted(A, "events")
    scene.act(A, "pass_priority")
    assert [(one["seat"], one["auto"]) for one in scene.told(None, "priority_passed")] == [(A, False), (B, True)]
    assert scene.state.phase == "milestones"


def test_a_restricted_seat_is_passed_by_itself() -> None:
    """PA-4.28, PA-6.6."""
    gag = saint("t_gag", '{ kind = "static", op = "restrict", who = "opponent", action = "activate_event" }')
    scene = lay(seat(terra="t_gag"), seat(events="t_event_hope"), phase="events", pack=pack_with(gag))
    assert scene.view(B)["restricted"]["1"] == ["activate_event"]
    scene.act(A, "pass_priority")
    assert scene.state.phase == "milestones"


def test_setting_and_cycling_leave_priority_and_passes_alone() -> None:
    """PA-4.27, PA-4.46."""
    a = seat(hand="t_event_hope monica", terra="monica")
    scene = lay(a, seat(events="t_event_hope"), phase="events")
    scene.does(A, "set_event", "t_event_hope")
    scene.does(A, "cycle_saint", "monica")
    assert (scene.state.priority, scene.state.passes) == (A, 0)


@pytest.mark.parametrize(
    "phase", ["intercession", "friendship", "effects", "graces", "events", "milestones", "recursion"]
)
def test_a_saint_may_be_cycled_in_every_phase_of_the_own_turn(phase: str) -> None:
    """PA-4.46, PA-9.7."""
    scene = lay(a=seat(hand="monica", terra="monica"), phase=phase)
    scene.does(A, "cycle_saint", "monica")
    assert kinds(scene.told(None)) == ["hand_discarded", "card_cycled", "cards_drawn"]
    assert scene.counter(A, "cycled") == 1


def test_nothing_is_cycled_when_there_is_nothing_to_draw() -> None:
    """PA-4.46, PA-4.6."""
    for deck_out, refused in (("none", True), ("lose", True), ("reshuffle", False)):
        scene = lay(a=seat(hand="monica", terra="monica", deck=0), deck_out=deck_out)
        if refused:
            scene.refused(A, "deck_empty", scene.doing(A, "cycle_saint", "monica"))
        else:
            scene.does(A, "cycle_saint", "monica")
            assert scene.size(A, "hand") == 1


def test_the_end_of_a_turn_comes_before_what_lasts_for_it_ends() -> None:
    """PA-4.50, PA-6.8."""
    evening = saint(
        "t_evening",
        act('{ op = "modifier", who = "self", virtue = "hope", n = 3, duration = "turn" }'),
        trigger("turn_end", '{ op = "tokens", n = 1 }', more='cond = { q = "modifier", virtue = "hope", min = 3 },'),
    )
    scene = lay(a=seat("t_evening"), pack=pack_with(evening))
    scene.effect(A, "t_evening")
    scene.next_turn()
    assert (scene.counter(A, "tokens"), scene.modifier(A, "hope")) == (1, 0)


def test_the_active_seats_turn_end_triggers_are_first() -> None:
    """PA-4.50, PA-6.3."""
    words = trigger("turn_end", '{ op = "store", who = "self", n = 1 }', more='by = "any",')
    both = [saint("t_a", words), saint("t_b", words)]
    scene = lay(seat(terra="t_a"), seat(terra="t_b"), phase="recursion", active=B, pack=pack_with(*both))
    scene.act(B, "end_turn")
    assert [event["seat"] for event in scene.told(None, "trigger_fired")] == [B, A]


@pytest.mark.parametrize(("max_turns", "ends"), [(5, True), (6, False), (0, False)])
def test_the_match_is_decided_after_the_last_turn(max_turns: int, ends: bool) -> None:
    """PA-4.51, PA-9.35, PA-8.5."""
    scene = lay(phase="recursion", turn=5, max_turns=max_turns)
    scene.act(A, "end_turn")
    assert (scene.outcome is not None) is ends
