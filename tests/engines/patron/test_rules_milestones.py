"""Milestones, progress and the end of a match (PA-4.40 to PA-4.44, PA-5.4, PA-6.12, PA-8)."""

from __future__ import annotations

import pytest

from engines.record import Choice
from engines.rules import Attempt
from tests.engines.patron.table import A, B, act, event, kinds, lay, pack_with, saint, seat, trigger


def asking(first: str, *rest: str) -> object:
    """Read the fixture pack and a saint ``t_patron`` with these first milestones."""
    return pack_with(saint("t_patron", milestones=" ; ".join([first, *rest])))


def test_milestones_are_completed_in_order_and_several_in_one_phase() -> None:
    """PA-4.40, PA-9.31."""
    scene = lay(seat("t_saint_3_hope_1", tokens=3), phase="milestones")
    for number in (1, 2, 3):
        scene.complete(A)
        assert scene.told(None, "milestone_completed")[0]["number"] == number
    assert scene.refused(A, "milestone_unmet", {"do": "complete_milestone"}).details == {"unmet": ["tokens"]}


def test_a_milestone_is_completed_in_its_phase_with_the_patron_in_play() -> None:
    """PA-4.40, PA-9.31, PA-9.40."""
    lay(seat(tokens=3)).refused(A, "wrong_phase", {"do": "complete_milestone"})
    lay(seat(tokens=3, in_play=False), phase="milestones").refused(A, "no_patron", {"do": "complete_milestone"})


def test_tokens_won_before_the_patron_came_pay_for_its_milestones() -> None:
    """PA-4.43, PA-9.28, PA-9.29."""
    scene = lay(seat("t_saint_3_hope_1", in_play=False, tokens=1), phase="intercession", shared={"pool": 3})
    scene.act(A, "play_patron")
    scene.go_to(A, "milestones")
    scene.complete(A)
    assert scene.counter(A, "tokens") == 0


@pytest.mark.parametrize(
    ("needs", "laid", "unmet"),
    [
        ("{ tokens = 2 }", {"tokens": 1}, ["tokens"]),
        ("{ graces = { n = 2 } }", {"graces": "t_grace"}, ["graces"]),
        ('{ graces = { n = 1, filter = { virtue = "hope" } } }', {"graces": "t_grace"}, ["graces"]),
        ('{ discard = { n = 1, filter = { kind = "saint" } } }', {"hand": "novena"}, ["discard"]),
        ('{ state = { q = "hand", max = 1 } }', {"hand": "novena famine"}, ["state"]),
        ('{ progress = { on = "event_won", n = 2 } }', {"progress": 1}, ["progress"]),
        (
            '{ tokens = 1, discard = { n = 1 }, progress = { on = "event_won", n = 1 } }',
            {},
            ["tokens", "discard", "progress"],
        ),
    ],
)
def test_every_requirement_must_hold(needs: str, laid: dict[str, object], unmet: list[str]) -> None:
    """PA-6.12, PA-4.41."""
    scene = lay(seat("t_patron", **laid), phase="milestones", pack=asking(needs))  # type: ignore[arg-type]
    assert scene.refused(A, "milestone_unmet", {"do": "complete_milestone"}).details == {"unmet": unmet}


def test_the_state_is_tested_before_anything_is_paid() -> None:
    """PA-6.12, PA-4.41."""
    pack = asking(
        '{ tokens = 1, discard = { n = 1 }, state = { all = [{ q = "tokens", min = 1 }, { q = "hand", min = 1 }] } }'
    )
    scene = lay(seat("t_patron", tokens=1, hand="novena"), phase="milestones", pack=pack)
    scene.complete(A)
    scene.does(A, "pay_card", "novena")
    assert (scene.counter(A, "tokens"), scene.size(A, "hand")) == (0, 0)
    assert scene.told(None, "milestone_completed")[0]["tokens_paid"] == 1


def test_a_payment_is_named_even_if_there_is_no_choice() -> None:
    """PA-5.4, PA-2.6."""
    needs = '{ discard = { n = 1, filter = { kind = "saint" } } }'
    for hand in ("monica novena", "monica george"):
        scene = lay(seat("t_patron", hand=hand), phase="milestones", pack=asking(needs))
        scene.complete(A)
        assert list(scene.prompted(A, "pay_discard").about) == ["source"]


def test_the_payment_is_named_before_the_check_and_kept_if_it_fails() -> None:
    """PA-4.44, PA-5.4."""
    needs = '{ tokens = 1, discard = { n = 1 }, check = { virtues = ["hope"], number = 9 } }'
    scene = lay(seat("t_patron", tokens=1, hand="novena famine"), phase="milestones", pack=asking(needs))
    scene.complete(A)
    scene.roll(2, 2)
    scene.does(A, "pay_card", "novena")
    assert kinds(scene.told(None)) == ["check_rolled", "milestone_failed"]
    assert (scene.counter(A, "tokens"), scene.keys(A, "hand")) == (1, "novena famine")
    scene.refused(A, "milestone_tried", {"do": "complete_milestone"})


def test_a_check_that_succeeds_lets_the_next_be_tried() -> None:
    """PA-4.44, PA-9.32."""
    check = '{ check = { virtues = ["hope"], number = 7 } }'
    scene = lay(seat("t_patron"), phase="milestones", pack=asking(check, check))
    scene.complete(A, 4, 4)
    scene.complete(A, 4, 4)
    assert scene.view(None)["patron"]["0"]["milestones"] == 2


def test_a_failed_check_bars_only_milestones_with_a_check() -> None:
    """PA-4.44, PA-9.32."""
    scene = lay(seat("t_saint_3_hope_1", tokens=1, milestone_tried=True), phase="milestones")
    scene.complete(A)
    assert scene.view(None)["patron"]["0"]["milestones"] == 1


def progress_after(on: str, filtered: str = "", **laid: object) -> int:
    """Do a thing of every kind in A's turn and say how often it counted."""
    more = f", filter = {filtered}" if filtered else ""
    pack = pack_with(
        saint("t_patron", milestones=f'{{ progress = {{ on = "{on}", n = 9{more} }} }}'),
        saint("t_user", act('{ op = "store", n = 1 }')),
    )
    a = seat(
        "t_patron",
        terra="t_user monica",
        hand="t_saint_1_hope_1 t_grace_hope t_event_hope monica",
        events="t_event_faith",
    )
    scene = lay(a, phase="intercession", pack=pack, shared={"pool": 1})
    scene.does(A, "play_saint", "t_saint_1_hope_1")
    scene.does(A, "cycle_saint", "monica")
    scene.go_to(A, "effects")
    scene.effect(A, "t_user")
    scene.go_to(A, "graces")
    scene.does(A, "play_grace", "t_grace_hope")
    scene.go_to(A, "events")
    scene.does(A, "set_event", "t_event_hope")
    scene.activate(A, "e1", 6, 6)
    progress: int = scene.view(A)["patron"]["0"]["progress"]
    return progress


@pytest.mark.parametrize(
    ("on", "fits", "not_so"),
    [
        ("event_won", '{ virtue = "faith" }', '{ virtue = "hope" }'),
        ("saint_played", "{ max_score = 1 }", "{ min_score = 2 }"),
        ("grace_played", '{ virtue = "hope" }', '{ virtue = "faith" }'),
        ("effect_activated", '{ role = "other" }', '{ role = "friend" }'),
        ("event_set", '{ id = "t_event_hope" }', "{ legendary = true }"),
        ("check_passed", '{ virtue = "faith" }', '{ virtue = "hope" }'),
        ("card_cycled", '{ trait = "widow" }', '{ trait = "monk" }'),
    ],
)
def test_progress_counts_what_the_milestone_asks_for(on: str, fits: str, not_so: str) -> None:
    """PA-6.12, PA-4.42, PA-6.13."""
    assert [progress_after(on), progress_after(on, fits), progress_after(on, not_so)] == [1, 1, 0]


def test_events_won_in_the_own_turn_are_not_won_off_turn() -> None:
    """PA-6.12."""
    assert progress_after("event_won_off_turn") == 0


def test_nothing_counts_before_the_patron_is_in_play_nor_its_own_entry() -> None:
    """PA-4.42."""
    a = seat("monica", in_play=False, hand="t_saint_1_hope_1 t_saint_2_hope_1")
    scene = lay(a, phase="intercession", shared={"pool": 9})
    scene.does(A, "play_saint", "t_saint_1_hope_1")
    scene.act(A, "play_patron")
    assert scene.view(None)["patron"]["0"]["progress"] == 0
    scene.does(A, "play_saint", "t_saint_2_hope_1")
    assert scene.view(None)["patron"]["0"]["progress"] == 1


def test_progress_that_would_name_a_face_down_card_is_its_seats_alone() -> None:
    """PA-2.5, PA-2.7, PA-4.42."""
    plain = asking('{ progress = { on = "event_set", n = 2 } }')
    telling = asking('{ progress = { on = "event_set", n = 2, filter = { virtue = "hope" } } }')
    for pack, public in ((plain, 1), (telling, None)):
        scene = lay(seat("t_patron", hand="t_event_hope"), phase="events", pack=pack)
        scene.does(A, "set_event", "t_event_hope")
        assert [scene.view(audience)["patron"]["0"]["progress"] for audience in (A, B, None)] == [1, public, public]


def test_the_fifth_milestone_ends_all_that_is_open() -> None:
    """PA-8.1, PA-8.2, PA-6.11."""
    glad = saint("t_glad", trigger("milestone", '{ op = "draw", who = "self", n = 1 }'))
    for milestones, drawn in ((3, 1), (4, 0)):
        a = seat("t_saint_3_hope_1", terra="t_glad", milestones=milestones, tokens=1)
        scene = lay(a, phase="milestones", pack=pack_with(glad))
        scene.complete(A)
        assert (scene.size(A, "hand"), scene.outcome is not None) == (drawn, milestones == 4)
    assert scene.told(None, "game_over") == [{"event": "game_over", "winner": A, "reason": "milestones"}]
    assert [asked for asked in scene.position.asked if asked.answer is None] == []


def test_a_seat_may_resign_at_any_time() -> None:
    """PA-8.3, PA-8.6, PA-8.7."""
    for why, reason in (("resigned", "concede"), ("timeout", "timeout"), ("abandoned", "abandoned")):
        scene = lay(seat(terra="benedict", hand=" ".join(["novena"] * 9)))
        scene.effect(A, "benedict")
        scene.resign(B, why)
        assert scene.outcome is not None
        assert (scene.outcome.winners, scene.outcome.reason) == ((A,), reason)
    assert scene.view(B)["hand"]["0"] == {"count": 11}
    assert scene.rules.explain(scene.view(B), Attempt(B, "over", None, ({"do": "end_phase"},))).code == "game_over"


def test_the_better_patron_wins_the_last_turn() -> None:
    """PA-8.5, PA-8.8."""
    scene = lay(seat(milestones=1, tokens=9), seat(milestones=2), phase="recursion", turn=100)
    scene.act(A, "end_turn")
    assert scene.outcome is not None
    assert (scene.outcome.winners, scene.outcome.ranks, scene.outcome.details["turns"]) == ((B,), (2, 1), 100)


def test_silence_is_answered_by_defaults() -> None:
    """PA-5.6, PA-8.6, PA-5.5."""
    silence = {
        "intercession": "end_intercession",
        "friendship": "end_phase",
        "effects": "end_phase",
        "graces": "end_phase",
        "events": "pass_priority",
        "milestones": "end_phase",
        "recursion": "end_turn",
    }
    a = seat(terra="monica", hand="novena famine george monica", tokens=1, events="t_event_hope")
    for phase, do in silence.items():
        scene = lay(a, phase=phase)
        prompt = scene.prompted(A, phase)
        assert [one["do"] for one in prompt.acts(prompt.default)] == [do]
    pack = pack_with(event("t_two", virtues='["faith", "hope"]'))
    scene = lay(seat("t_saint_3_hope_2", events="t_two"), phase="events", pack=pack)
    scene.act(A, "activate_event", slot="e1")
    virtue = scene.prompted(A, "virtue")
    assert virtue.acts(virtue.default) == ({"do": "virtue", "virtue": "hope"},)


def test_a_choice_for_a_seat_that_is_not_asked_changes_nothing() -> None:
    """PA-5.1."""
    scene = lay()
    assert scene.position.of(B) is None
    assert Choice(B).picks == ()
    scene.refused(B, "not_your_turn", {"do": "end_phase"})
