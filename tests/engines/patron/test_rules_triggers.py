"""Conditions and triggers of cards (PA-6.3, PA-6.10, PA-6.11)."""

from __future__ import annotations

import pytest

from tests.engines.patron.table import A, B, grace, lay, pack_with, saint, seat, trigger
from tests.engines.patron.test_rules_ops import using


@pytest.mark.parametrize(
    ("cond", "holds"),
    [
        ('{ q = "patron", min = 1 }', True),
        ('{ q = "milestones", min = 1, max = 1 }', True),
        ('{ q = "tokens", max = 1 }', False),
        ('{ q = "stored", min = 3 }', True),
        ('{ q = "hand", min = 2, max = 2 }', True),
        ('{ q = "deck", max = 9 }', False),
        ('{ q = "discard_pile", min = 1 }', True),
        ('{ q = "events_set", min = 1 }', True),
        ('{ q = "graces", min = 1, filter = { virtue = "hope" } }', True),
        ('{ q = "graces", min = 2, filter = { virtue = "hope" } }', False),
        ('{ q = "saints", min = 2, filter = { role = "other" } }', True),
        ('{ q = "saints", min = 4 }', True),
        ('{ q = "saints", min = 5 }', False),
        ('{ q = "saints", max = 1, min = 1, filter = { role = "friend" } }', True),
        ('{ q = "events_won_turn", max = 0 }', True),
        ('{ q = "saints_played_turn", min = 1 }', False),
        ('{ q = "graces_played_turn", min = 2 }', True),
        ('{ q = "modifier", virtue = "hope", min = 3 }', True),
        ('{ q = "is_active", min = 1 }', True),
        ('{ q = "is_active", who = "opponent", min = 1 }', False),
        ('{ q = "tokens", who = "opponent", max = 0 }', True),
        ('{ all = [{ q = "patron", min = 1 }, { q = "tokens", min = 3 }] }', False),
        ('{ any = [{ q = "patron", min = 1 }, { q = "tokens", min = 3 }] }', True),
        ('{ not = { q = "tokens", min = 3 } }', True),
    ],
)
def test_a_condition_asks_the_table(cond: str, holds: bool) -> None:
    """PA-6.10, PA-6.13."""
    a = seat(
        "t_saint_3_hope_1",
        terra="benedict",
        friend="monica",
        graces="t_grace t_grace_hope",
        hand="novena famine",
        events="t_event_hope",
        discard="george",
        tokens=2,
        stored=3,
        milestones=1,
        graces_played_turn=2,
    )
    scene = using(f'{{ op = "if", cond = {cond}, then = [{{ op = "draw", n = 1 }}] }}', a=a)
    assert (scene.size(A, "hand") == 3) is holds


TRIGGERS = {
    "turn_start": 'by = "{by}",',
    "turn_end": 'by = "{by}",',
    "event_won": 'by = "{by}",',
    "event_lost": 'by = "{by}",',
    "milestone": 'by = "{by}",',
    "saint_played": 'by = "{by}",',
    "grace_played": 'by = "{by}",',
    "cycled": 'by = "{by}",',
}


@pytest.mark.parametrize(("by", "fires"), [("self", True), ("opponent", False), ("any", True)])
@pytest.mark.parametrize("on", TRIGGERS)
def test_a_trigger_minds_whose_doing_it_is(on: str, by: str, fires: bool) -> None:
    """PA-6.11."""
    watcher = saint("t_watcher", trigger(on, '{ op = "store", who = "self", n = 1 }', more=TRIGGERS[on].format(by=by)))
    phase = {
        "turn_end": "recursion",
        "turn_start": "start",
        "event_won": "events",
        "event_lost": "events",
        "milestone": "milestones",
        "saint_played": "intercession",
        "grace_played": "graces",
    }.get(on, "effects")
    a = seat(terra="t_watcher monica", hand="t_saint_1_hope_1 monica t_grace", events="t_event_hope", tokens=1, deck=20)
    shared = {"pool": 9} if phase == "intercession" else None
    scene = lay(a, phase=phase, active=B if phase == "start" else A, pack=pack_with(watcher), shared=shared)
    match on:
        case "turn_end":
            scene.act(A, "end_turn")
        case "event_won" | "event_lost":
            scene.activate(A, "e1", *((6, 6) if on == "event_won" else (1, 1)))
            if on == "event_lost":
                scene.act(B, "decline")
        case "milestone":
            scene.complete(A)
        case "saint_played":
            scene.does(A, "play_saint", "t_saint_1_hope_1")
        case "grace_played":
            scene.does(A, "play_grace", "t_grace")
        case "cycled":
            scene.does(A, "cycle_saint", "monica")
    assert scene.counter(A, "stored") == int(fires)


def test_triggers_about_this_very_card() -> None:
    """PA-6.11, PA-6.3."""
    ops = '{ op = "store", who = "self", n = 1 }'
    herald = saint("t_herald", trigger("played", ops), trigger("friend_set", ops), trigger("saint_played", ops))
    pack = pack_with(herald)
    scene = lay(seat(hand="t_herald t_saint_1_hope_1"), phase="intercession", pack=pack, shared={"pool": 9})
    scene.does(A, "play_saint", "t_herald")
    assert scene.counter(A, "stored") == 1
    scene.does(A, "play_saint", "t_saint_1_hope_1")
    assert scene.counter(A, "stored") == 2
    scene.go_to(A, "friendship")
    scene.does(A, "set_friend", "t_herald")
    assert scene.counter(A, "stored") == 1  # the two were lost by playing


@pytest.mark.parametrize(("limit", "stored"), [(1, 1), (2, 2), (3, 3)])
def test_a_trigger_fires_so_many_times_a_turn(limit: int, stored: int) -> None:
    """PA-6.3."""
    watcher = saint("t_watcher", trigger("grace_played", '{ op = "store", n = 1 }', more=f"limit = {limit},"))
    a = seat(terra="t_watcher", hand="t_grace t_grace_hope t_grace_faith t_grace_justice")
    scene = lay(a, phase="graces", pack=pack_with(watcher))
    for key in a.hand.split():
        scene.does(A, "play_grace", key)
    assert scene.counter(A, "stored") == stored


def test_a_trigger_whose_demands_fail_uses_up_nothing() -> None:
    """PA-6.3, PA-4.19."""
    watcher = saint(
        "t_watcher", trigger("grace_played", '{ op = "store", n = 1 }', more='cond = { q = "graces", min = 2 },')
    )
    scene = lay(seat(terra="t_watcher", hand="t_grace t_grace_hope"), phase="graces", pack=pack_with(watcher))
    scene.does(A, "play_grace", "t_grace")
    assert scene.counter(A, "stored") == 0
    scene.does(A, "play_grace", "t_grace_hope")
    assert scene.counter(A, "stored") == 1


def test_triggers_of_one_moment_come_by_seat_then_by_entry_then_by_effect() -> None:
    """PA-6.3."""
    ops = '{ op = "tokens", who = "self", n = 1 }'
    late, early = (
        saint(f"t_{word}", *[trigger("event_won", ops, more='by = "any",')] * 2) for word in ("late", "early")
    )
    a = seat(terra="t_early", graces="t_wise", events="t_event_hope")
    wise = grace("t_wise", trigger("event_won", ops, more='by = "any",'))
    scene = lay(a, seat(terra="t_late"), phase="events", active=B, pack=pack_with(late, early, wise))
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 6, 6)
    fired = [(told["card"]["card"], told["effect"]) for told in scene.told(None, "trigger_fired")]
    assert fired == [("t_late", 0), ("t_late", 1), ("t_early", 0), ("t_early", 1), ("t_wise", 0)]


def test_a_trigger_is_done_even_if_its_card_has_gone() -> None:
    """PA-6.3."""
    ops = '{ op = "store", who = "self", n = 1 }'
    first = saint(
        "t_first",
        trigger("grace_played", '{ op = "remove", who = "self", zone = "saint", filter = { id = "t_second" } }'),
    )
    second = saint("t_second", trigger("grace_played", ops))
    scene = lay(seat(terra="t_first t_second", hand="t_grace"), phase="graces", pack=pack_with(first, second))
    scene.does(A, "play_grace", "t_grace")
    assert ("t_second" in scene.keys(A, "terra"), scene.counter(A, "stored")) == (False, 1)


def test_a_full_hand_interrupts_and_the_instruction_goes_on() -> None:
    """PA-4.7, PA-6.4."""
    scene = using(
        '{ op = "draw", who = "opponent", n = 2 }', '{ op = "store", n = 1 }', b=seat(hand=" ".join(["novena"] * 10))
    )
    for _ in range(2):
        scene.prompted(B, "overflow")
        scene.stay_silent(B)
    assert (scene.size(B, "hand"), scene.size(B, "deck"), scene.counter(A, "stored")) == (10, 8, 1)
