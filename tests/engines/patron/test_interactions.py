"""Rules that meet: stones, shared milestones, repeated phases, cycling and stored points in one turn."""

from __future__ import annotations

import msgspec
import pytest

from engines.patron.options import Options
from tests.engines.patron.table import A, B, act, grace, lay, pack_with, saint, seat, trigger


def test_a_milestone_of_the_first_pass_opens_the_friends_effect_in_the_second() -> None:
    """PA-4.16, PA-4.18, PA-4.45."""
    scene = lay(seat("t_saint_3_hope_1", friend="george", milestones=2, tokens=1))
    scene.refused(A, "milestones_too_few", scene.doing(A, "activate_effect", "george", effect=1))
    scene.go_to(A, "milestones")
    scene.complete(A)
    scene.act(A, "end_phase")
    scene.act(A, "repeat_phases")
    scene.effect(A, "george", 1)
    assert scene.modifier(A, "hope") == 3
    scene.refused(A, "effect_used", scene.doing(A, "activate_effect", "george", effect=1))


def test_a_friend_that_is_removed_stops_sharing_and_its_stone_stays() -> None:
    """PA-4.16, PA-4.18, PA-4.19, PA-9.20."""
    thief = saint("t_thief", act('{ op = "remove", who = "opponent", zone = "saint", to = "hand" }'))
    a = seat("t_saint_3_hope_1", friend="teresa_of_avila", milestones=2, used=["teresa_of_avila#0"])
    scene = lay(a, seat(terra="t_thief"), active=B, pack=pack_with(thief))
    scene.effect(B, "t_thief")
    assert scene.view(None)["friend"]["0"] is None
    scene.go_to(B, "recursion")
    scene.roll(6, 6)
    scene.act(B, "end_turn")
    (rolled,) = scene.told(None, "intercession_rolled")
    assert (rolled["bonus"], rolled["pool"]) == (0, 12)
    scene.does(A, "play_saint", "teresa_of_avila")
    scene.go_to(A, "effects")
    scene.refused(A, "effect_used", scene.doing(A, "activate_effect", "teresa_of_avila", effect=0))


def test_cycling_is_limited_over_all_passes_of_a_turn() -> None:
    """PA-4.45, PA-4.46."""
    scene = lay(seat(terra="monica", hand="monica monica monica monica"), phase="graces")
    scene.does(A, "cycle_saint", "monica")
    scene.go_to(A, "recursion")
    scene.does(A, "cycle_saint", "monica")
    scene.act(A, "repeat_phases")
    scene.does(A, "cycle_saint", "monica")
    scene.refused(A, "cycle_limit", scene.doing(A, "cycle_saint", "monica"))


def test_points_stored_by_a_trigger_after_the_phase_count_in_the_next_roll() -> None:
    """PA-4.8, PA-4.12, PA-4.14, PA-9.42."""
    scene = lay(seat("george", terra="monica", deck=30), seat(deck=30), phase="intercession")
    scene.act(A, "end_intercession")
    scene.does(A, "set_friend", "monica")
    assert scene.counter(A, "stored") == 4
    scene.next_turn()
    scene.go_to(B, "recursion")
    scene.roll(1, 1)
    scene.act(B, "end_turn")
    assert scene.state.pool == 6


def test_cycling_in_the_recursion_phase_fires_and_counts() -> None:
    """PA-4.46, PA-4.42, PA-6.11."""
    keeper = saint(
        "t_keeper", trigger("cycled", '{ op = "store", who = "self", n = 1 }', more="limit = 2,"),
        milestones='{ progress = { on = "card_cycled", n = 2 } }',
    )  # fmt: skip
    scene = lay(seat("t_keeper", terra="monica", hand="monica monica"), phase="recursion", pack=pack_with(keeper))
    scene.does(A, "cycle_saint", "monica")
    scene.does(A, "cycle_saint", "monica")
    assert (scene.counter(A, "stored"), scene.view(None)["patron"]["0"]["progress"]) == (2, 2)
    scene.act(A, "repeat_phases")
    scene.go_to(A, "milestones")
    scene.complete(A)
    assert scene.view(None)["patron"]["0"]["milestones"] == 1


def test_a_trigger_is_limited_over_all_passes_of_a_turn() -> None:
    """PA-4.45, PA-6.3."""
    pack = pack_with(saint("t_host", trigger("grace_played", '{ op = "store", who = "self", n = 1 }')))
    scene = lay(seat(terra="t_host", hand="t_grace t_grace_hope"), phase="graces", pack=pack)
    scene.does(A, "play_grace", "t_grace")
    scene.go_to(A, "recursion")
    scene.act(A, "repeat_phases")
    scene.go_to(A, "graces")
    scene.does(A, "play_grace", "t_grace_hope")
    assert scene.counter(A, "stored") == 1


def test_a_stone_taken_away_lets_the_effect_be_used_in_the_same_turn() -> None:
    """PA-4.18, PA-4.20, PA-4.45, PA-6.5."""
    renewal = grace("t_renewal", trigger("played", '{ op = "refresh", who = "self" }'))
    scene = lay(seat(terra="monica", hand="t_renewal", discard="george benedict"), pack=pack_with(renewal))
    scene.effect(A, "monica")
    scene.does(A, "take", "george")
    scene.go_to(A, "graces")
    scene.does(A, "play_grace", "t_renewal")
    assert scene.view(None)["used"]["0"] == []
    scene.go_to(A, "recursion")
    scene.act(A, "repeat_phases")
    scene.effect(A, "monica")
    scene.does(A, "take", "benedict")
    assert scene.keys(A, "hand") == "george benedict"


def test_everything_works_before_the_patron_has_come() -> None:
    """PA-4.18, PA-4.25, PA-4.36, PA-4.46, PA-9.13, PA-9.18."""
    a = seat(
        "thomas_aquinas",
        in_play=False,
        terra="monica",
        hand="monica famine novena",
        events="t_event_hope",
        discard="george",
    )
    scene = lay(a, phase="effects")
    scene.effect(A, "monica")
    scene.does(A, "take", "george")
    scene.does(A, "cycle_saint", "monica")
    scene.go_to(A, "graces")
    scene.refused(A, "no_patron", scene.doing(A, "play_grace", "novena"))
    scene.go_to(A, "events")
    scene.does(A, "set_event", "famine")
    scene.activate(A, "e1", 5, 4)
    assert (scene.counter(A, "tokens"), scene.checked()["modifier"]) == (1, 0)
    scene.go_to(A, "milestones")
    scene.refused(A, "no_patron", {"do": "complete_milestone"})
    scene.act(A, "end_turn")
    assert scene.state.active == B


def test_two_seats_may_have_the_same_saint_and_patron() -> None:
    """PA-4.11, PA-9.8, PA-7.4."""
    scene = lay(seat("monica", hand="george"), seat("monica", terra="george"), phase="intercession", shared={"pool": 9})
    scene.does(A, "play_saint", "george")
    assert scene.keys(A, "terra") == scene.keys(B, "terra") == "monica george"


@pytest.mark.parametrize(
    "options",
    [{"overcome_rule": "maybe"}, {"recursion_passes": 10}, {"max_turns": -1}, {"first_seat": 2}, {"dice": 3}],
)
def test_an_unknown_option_is_refused(options: dict[str, object]) -> None:
    """PA-9.12, PA-9.33, PA-9.35, PA-3.4."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)
    assert msgspec.convert({"deck_out": "lose", "first_seat": 0}, Options).max_turns == 100
