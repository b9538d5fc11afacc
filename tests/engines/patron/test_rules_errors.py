"""Every error and the order in which they are looked for (PA-5.1 to PA-5.5)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.patron.explain import TEXTS
from engines.rules import Attempt
from tests.engines.patron.table import A, B, lay, seat

SLOT = {"do": "activate_event", "slot": "e1"}


@pytest.mark.parametrize(
    "act",
    [
        {},
        {"do": "fly"},
        {"do": 3},
        {"do": "play_saint"},
        {"do": "play_saint", "card": 3},
        {"do": "end_phase", "card": "c1"},
        {"do": "activate_effect", "card": "c1", "effect": "0"},
        {"do": "activate_effect", "card": "c1", "effect": True},
        {"do": "end_intercession", "store": 1},
        {"do": "virtue", "virtue": "patience"},
        {"do": "system_forfeit", "seat": 0},
    ],
)
def test_what_has_no_form_is_malformed_whoever_says_it(act: dict[str, Any]) -> None:
    """PA-5.1, PA-8.6."""
    scene = lay()
    scene.refused(A, "malformed", act)
    scene.refused(B, "malformed", act)


def test_the_form_comes_before_the_end_and_the_end_before_all_else() -> None:
    """PA-5.1, PA-8.7."""
    scene = lay(seat("t_saint_3_hope_1", milestones=4, tokens=1), phase="milestones")
    scene.complete(A)
    view = scene.view(B)
    told = [
        scene.rules.explain(view, Attempt(B, "over", None, (act,))).code for act in ({"do": "fly"}, {"do": "end_phase"})
    ]
    assert told == ["malformed", "game_over"]


def test_an_answer_without_a_question_is_no_answer() -> None:
    """PA-5.1."""
    scene = lay()
    for side in (A, B):
        scene.refused(side, "no_prompt", {"do": "option", "index": 0})


def test_a_question_that_is_no_longer_open_is_named() -> None:
    """PA-5.2, PA-5.1."""
    scene = lay()
    scene.stay_silent(A)
    scene.refused(A, "bad_prompt", {"do": "end_phase"}, stale=True)
    asked = lay(seat(events="t_event_hope"), phase="events")
    asked.activate(A, "e1", 1, 1)
    asked.refused(B, "bad_prompt", {"do": "attempt"}, stale=True)


def test_a_pick_that_does_not_fit_is_refused() -> None:
    """PA-5.5, PA-5.2."""
    scene = lay(seat(terra="benedict", hand="novena famine"))
    scene.effect(A, "benedict")
    mine = scene.doing(A, "discard", "novena")
    for acts in (
        (),
        (mine, scene.doing(A, "discard", "famine")),
        (mine, mine),
        ({"do": "discard", "card": "zz"},),
        ({"do": "attempt"},),
    ):
        scene.refused(A, "bad_pick", *acts)


def test_turn_comes_before_phase_and_phase_before_priority() -> None:
    """PA-5.1, PA-5.3."""
    a, b = seat(hand="monica famine", events="t_event_hope"), seat(hand="monica")
    graces = lay(a, b, phase="graces")
    graces.refused(B, "not_your_turn", graces.doing(B, "play_saint", "monica"))
    graces.refused(A, "wrong_phase", graces.doing(A, "play_saint", "monica"))
    graces.refused(A, "wrong_phase", SLOT)
    events = lay(a, seat(events="t_event_hope"), phase="events")
    events.act(A, "pass_priority")
    events.refused(A, "no_priority", SLOT)
    events.refused(A, "no_priority", events.doing(A, "set_event", "famine"))
    events.refused(A, "wrong_phase", events.doing(A, "play_saint", "monica"))


def test_errors_of_playing() -> None:
    """PA-5.2, PA-4.9, PA-4.11."""
    a = seat(hand="monica novena t_saint_9_hope_1", terra="monica")
    scene = lay(a, phase="intercession", shared={"pool": 2})
    scene.refused(A, "not_in_hand", {"do": "play_saint", "card": scene.id_of(A, "monica")})
    scene.refused(A, "wrong_kind", scene.doing(A, "play_saint", "novena"))
    scene.refused(A, "already_in_play", scene.doing(A, "play_saint", "monica"))
    scene.refused(A, "not_enough_points", scene.doing(A, "play_saint", "t_saint_9_hope_1"))
    waiting = lay(seat(in_play=False), phase="intercession", shared={"pool": 2})
    waiting.refused(A, "not_enough_points", {"do": "play_patron"})


def test_errors_of_graces_and_events() -> None:
    """PA-5.2, PA-4.20, PA-4.26."""
    a = seat(hand="monica novena famine")
    graces = lay(a, phase="graces")
    graces.refused(A, "not_in_hand", {"do": "play_grace", "card": "zz"})
    graces.refused(A, "wrong_kind", graces.doing(A, "play_grace", "monica"))
    events = lay(a, seat(events="t_event_hope"), phase="events")
    events.refused(A, "not_in_hand", {"do": "set_event", "card": "zz"})
    events.refused(A, "wrong_kind", events.doing(A, "set_event", "novena"))
    events.refused(A, "unknown_slot", {"do": "activate_event", "slot": "e9"})
    events.refused(A, "not_your_event", SLOT)
    events.does(A, "set_event", "famine")
    events.refused(A, "not_ready", {"do": "activate_event", "slot": "e2"})


def test_errors_of_effects() -> None:
    """PA-5.2, PA-4.18."""
    scene = lay(seat("george", terra="joan_of_arc", used=["joan_of_arc#0"], hand="monica"))
    for key, index, code in (
        ("monica", 0, "not_in_terra"),
        ("joan_of_arc", 2, "no_such_effect"),
        ("joan_of_arc", -1, "no_such_effect"),
        ("joan_of_arc", 1, "not_act"),
        ("joan_of_arc", 0, "effect_used"),
        ("george", 1, "milestones_too_few"),
    ):
        scene.refused(A, code, scene.doing(A, "activate_effect", key, effect=index))


def test_errors_of_cycling_in_their_order() -> None:
    """PA-5.2, PA-4.46."""
    spent = lay(seat(cycled=3))
    spent.refused(A, "cycle_limit", {"do": "cycle_saint", "card": "zz"})
    scene = lay(seat(hand="novena george"))
    scene.refused(A, "not_in_hand", {"do": "cycle_saint", "card": "zz"})
    scene.refused(A, "wrong_kind", scene.doing(A, "cycle_saint", "novena"))
    scene.refused(A, "not_duplicate", scene.doing(A, "cycle_saint", "george"))


def test_two_acts_are_no_turn() -> None:
    """PA-5.1."""
    lay().refused(A, "malformed", {"do": "end_phase"}, {"do": "end_phase"})


def test_a_refusal_names_its_rule_and_says_nothing_of_what_is_hidden() -> None:
    """PA-5.1, PA-2.7."""
    told = []
    for hand in ("novena famine", "monica george"):
        scene = lay(b=seat(hand=hand, events=hand.split()[1] if "famine" in hand else "storm_at_sea"), phase="events")
        told.append(
            [
                scene.refused(A, "not_your_event", SLOT),
                scene.refused(A, "not_in_hand", {"do": "set_event", "card": "zz"}),
            ]
        )
    assert told[0] == told[1]
    assert all(rule.startswith("PA-") and text for rule, text in TEXTS.values())
