"""Checks, modifiers and contests (PA-4.22 to PA-4.24, PA-4.30 to PA-4.39, PA-6.7, PA-6.8)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.patron.checking import resolve_dice
from engines.patron.terms import DiceRule
from tests.engines.patron.table import (
    A,
    B,
    Patrons,
    act,
    event,
    grace,
    kinds,
    lay,
    pack_with,
    saint,
    seat,
    static,
    trigger,
)

LASTING = '{{ op = "{op}", who = "self", {words}, duration = "{duration}" }}'


def gifted(op: str, words: str, duration: str = "next") -> str:
    """Write a saint whose one-use effect begins a lasting operation."""
    return saint("t_gifted", act(LASTING.format(op=op, words=words, duration=duration)))


def with_effect(pack: Any, *, events: str = "t_event_hope t_event_hope", patron: str = "t_saint_3_faith_1") -> Patrons:
    """Lay a table on which the effect of ``t_gifted`` was just used, in the phase of events."""
    scene = lay(seat(patron, terra="t_gifted", events=events, deck=20), pack=pack)
    scene.effect(A, "t_gifted")
    scene.go_to(A, "events")
    return scene


@pytest.mark.parametrize(
    ("rules", "dice"),
    [
        ([], (2, "all")), (["one"], (1, "all")), (["three"], (3, "all")), (["one", "three"], (2, "all")),
        (["advantage"], (3, "high")), (["disadvantage"], (3, "low")), (["advantage", "disadvantage"], (2, "all")),
        (["advantage", "advantage", "disadvantage"], (3, "high")), (["one", "advantage"], (1, "all")),
        (["three", "disadvantage"], (3, "all")), (["one", "three", "advantage"], (3, "high")),
    ],
)  # fmt: skip
def test_dice_are_two_unless_a_card_says_otherwise(rules: list[DiceRule], dice: tuple[int, str]) -> None:
    """PA-4.22, PA-6.7."""
    assert resolve_dice(rules) == dice


def test_a_check_tells_every_part_of_its_sum() -> None:
    """PA-4.22, PA-4.23, PA-5.7, PA-9.14."""
    pack = pack_with(event("t_bonus", 'bonus = { who = "self", n = 2 }', '["faith"]', 9))
    a = seat("thomas_aquinas", friend="francis_of_assisi", graces="infused_faith ardent_charity", events="t_bonus")
    scene = lay(a, phase="events", pack=pack)
    scene.activate(A, "e1", 1, 2)
    told = scene.checked()
    assert [(part["source"], part["card"], part["n"]) for part in told["parts"]] == [
        ("patron", "thomas_aquinas", 2), ("friend", "francis_of_assisi", 2), ("grace", "infused_faith", 1),
        ("grace", "ardent_charity", 1), ("event", "t_bonus", 2),
    ]  # fmt: skip
    assert (told["modifier_sum"], told["cap"], told["modifier"]) == (8, 6, 6)
    assert (told["dice"], told["keep"], told["kept"], told["total"]) == ([1, 2], "all", [1, 2], 9)
    assert (told["printed"], told["number_parts"], told["number"], told["rule"], told["success"]) == (
        9, [], 9, "reach", True,
    )  # fmt: skip
    assert scene.view(None)["last_check"] | {"event": "check_rolled"} == told


def test_there_is_no_bound_below() -> None:
    """PA-4.23, PA-9.14, PA-9.40."""
    heavy = saint("t_heavy", static("modifier", 'virtue = "all", n = -9'))
    assert lay(seat("t_heavy"), pack=pack_with(heavy)).modifier(A, "hope") == -9
    light = saint("t_light", static("modifier", 'virtue = "all", n = 30'))
    assert lay(seat("t_light"), pack=pack_with(light)).modifier(A, "hope") == 6


@pytest.mark.parametrize(("virtue", "hope", "charity"), [("hope", 2, 0), ("charity", 2, 2), ("all", 2, 2)])
def test_charity_counts_for_every_virtue_once(virtue: str, hope: int, charity: int) -> None:
    """PA-4.24, PA-9.15, PA-9.16."""
    giver = grace("t_giver", static("modifier", f'virtue = "{virtue}", n = 2'))
    scene = lay(seat("george", graces="t_giver"), pack=pack_with(giver))
    assert (scene.modifier(A, "hope"), scene.modifier(A, "charity")) == (hope, charity)


def test_saints_beside_patron_and_friend_add_nothing() -> None:
    """PA-4.23, PA-4.17."""
    scene = lay(seat("t_saint_3_hope_3", terra="monica", friend="t_saint_5_hope_1"))
    assert scene.modifier(A, "hope") == 4


def test_one_of_several_virtues_is_chosen_before_the_roll() -> None:
    """PA-4.22, PA-5.5."""
    scene = lay(seat("t_saint_3_hope_2", events="famine"), phase="events")
    scene.act(A, "activate_event", slot="e1")
    prompt = scene.prompted(A, "virtue")
    assert [option.act["virtue"] for option in prompt.options] == ["justice", "hope"]
    assert prompt.default == ("2",)
    scene.roll(2, 2)
    scene.act(A, "virtue", virtue="justice")
    assert (scene.checked()["virtue"], scene.checked()["modifier"]) == ("justice", 1)


@pytest.mark.parametrize(("rule", "success"), [("reach", True), ("exceed", False)])
def test_a_number_is_reached_or_exceeded(rule: str, success: bool) -> None:
    """PA-4.22, PA-9.12."""
    scene = lay(seat("t_saint_3_faith_1", events="t_event_hope"), phase="events", overcome_rule=rule)
    scene.activate(A, "e1", 4, 4)
    assert (scene.checked()["success"], scene.checked()["rule"]) == (success, rule)


def test_a_number_is_at_least_two() -> None:
    """PA-4.22."""
    pack = pack_with(gifted("number", 'n = -30, on = "event"', "game"))
    scene = with_effect(pack)
    scene.activate(A, "e1", 1, 1)
    assert (scene.checked()["number"], scene.checked()["success"]) == (2, True)


@pytest.mark.parametrize(
    ("reason", "numbers"), [("event", [7, 8]), ("any", [7, 8]), ("grace", [8, 8]), ("milestone", [8, 8])]
)
def test_a_number_for_the_next_check_is_used_once_by_what_it_is_for(reason: str, numbers: list[int]) -> None:
    """PA-6.8, PA-6.6."""
    scene = with_effect(pack_with(gifted("number", f'n = -1, on = "{reason}"')))
    seen = []
    for slot in ("e1", "e2"):
        scene.activate(A, slot, 6, 6)
        seen.append(scene.checked()["number"])
    assert seen == numbers
    assert bool(scene.view(None)["ongoing"]) is (numbers == [8, 8])


@pytest.mark.parametrize(("virtue", "left"), [("hope", 0), ("charity", 0), ("all", 0), ("faith", 1)])
def test_a_modifier_for_the_next_check_is_used_by_one_it_counts_in(virtue: str, left: int) -> None:
    """PA-6.8, PA-4.23."""
    scene = with_effect(pack_with(gifted("modifier", f'virtue = "{virtue}", n = 2')))
    scene.activate(A, "e1", 6, 6)
    assert scene.checked()["modifier"] == (0 if left else 2)
    assert len(scene.view(None)["ongoing"]) == left


def test_a_modifier_waits_for_a_patron_in_play() -> None:
    """PA-6.8, PA-4.23, PA-9.13, PA-4.34."""
    pack = pack_with(gifted("modifier", 'virtue = "all", n = 2'))
    scene = lay(seat(in_play=False, terra="t_gifted", events="t_event_hope"), pack=pack)
    scene.effect(A, "t_gifted")
    scene.go_to(A, "events")
    scene.activate(A, "e1", 6, 6)
    assert (scene.checked()["modifier"], len(scene.view(None)["ongoing"])) == (0, 1)


def test_dice_for_the_next_check_are_used_even_if_they_change_nothing() -> None:
    """PA-6.8, PA-4.22."""
    pack = pack_with(gifted("dice", 'rule = "advantage", on = "check"'), event("t_three", "dice = 3", '["hope"]', 9))
    scene = with_effect(pack, events="t_three")
    scene.activate(A, "e1", 3, 3, 3)
    assert (scene.checked()["kept"], scene.view(None)["ongoing"]) == ([3, 3, 3], [])


def test_dice_for_intercession_change_the_next_roll_and_not_the_last() -> None:
    """PA-6.7, PA-6.8, PA-4.8."""
    relic = grace("t_relic", trigger("played", LASTING.format(
        op="dice", words='rule = "three", on = "intercession"', duration="next")))  # fmt: skip
    scene = lay(seat(hand="t_relic"), phase="graces", pack=pack_with(relic))
    scene.does(A, "play_grace", "t_relic")
    scene.next_turn()
    assert scene.view(None)["ongoing"] != []
    scene.go_to(B, "recursion")
    scene.roll(2, 3, 4)
    scene.act(B, "end_turn")
    (rolled,) = scene.told(None, "intercession_rolled")
    assert (rolled["dice"], rolled["pool"], scene.view(None)["ongoing"]) == ([2, 3, 4], 9, [])


def test_a_saint_that_is_paid_for_uses_up_the_next_score() -> None:
    """PA-6.8, PA-4.10."""
    cheap = saint("t_cheap", trigger("turn_start", LASTING.format(
        op="score", words='n = -2, filter = { virtue = "hope" }', duration="next")))  # fmt: skip
    b = seat("t_cheap", hand="t_saint_3_faith_1 t_saint_5_hope_1 t_saint_6_hope_1", deck=0)
    scene = lay(b=b, phase="start", pack=pack_with(cheap), dice=(6, 6))
    scene.does(B, "play_saint", "t_saint_3_faith_1")
    assert scene.state.pool == 9
    scene.does(B, "play_saint", "t_saint_5_hope_1")
    assert (scene.state.pool, scene.view(None)["ongoing"]) == (6, [])
    scene.does(B, "play_saint", "t_saint_6_hope_1")
    assert scene.state.pool == 0


def test_a_round_ends_at_the_controllers_next_turn() -> None:
    """PA-6.8, PA-4.2, PA-6.9."""
    scene = lay(seat("benedict", events="works_of_mercy"), seat("t_saint_3_hope_1"), phase="events", turn=5)
    scene.activate(A, "e1", 1, 1)
    scene.roll(6, 6)
    scene.act(B, "attempt")
    assert (scene.modifier(B, "charity"), scene.modifier(B, "hope")) == (1, 2)
    scene.next_turn()
    assert scene.modifier(B, "charity") == 1
    scene.next_turn()
    assert scene.modifier(B, "charity") == 0


def test_what_lasts_for_the_game_outlives_its_card_and_adds_up() -> None:
    """PA-6.8, PA-6.9."""
    lasting = '{ op = "modifier", who = "self", virtue = "hope", n = 1, duration = "game" }'
    away = '{ op = "remove", who = "self", zone = "saint", filter = { id = "t_guest" } }'
    guest = saint("t_guest", act(lasting, lasting, away))
    scene = lay(seat("george", terra="t_guest"), pack=pack_with(guest))
    scene.effect(A, "t_guest")
    assert (scene.keys(A, "terra"), scene.keys(A, "discard")) == ("george", "t_guest")
    assert [(one["id"], one["seat"], one["duration"]) for one in scene.view(None)["ongoing"]] == [
        (1, A, "game"), (2, A, "game"),
    ]  # fmt: skip
    scene.next_turn()
    scene.next_turn()
    assert scene.modifier(A, "hope") == 2


def test_an_event_with_one_die_is_rolled_with_one() -> None:
    """PA-10.2, PA-4.22."""
    scene = lay(seat("t_saint_3_hope_3", events="t_one"), phase="events",
                pack=pack_with(event("t_one", "dice = 1", '["hope"]', 7)))  # fmt: skip
    scene.activate(A, "e1", 4)
    assert (scene.checked()["dice"], scene.checked()["total"], scene.checked()["success"]) == ([4], 7, True)


@pytest.mark.parametrize(
    ("who", "a", "b"),
    [("self", 1, 0), ("opponent", 0, 1), ("active", 0, 1), ("activator", 1, 0), ("each", 1, 1)],
)
def test_a_bonus_is_for_whom_it_names(who: str, a: int, b: int) -> None:
    """PA-4.23, PA-10.2, PA-6.2."""
    pack = pack_with(event("t_bonus", f'mode = "duel"\nbonus = {{ who = "{who}", n = 1 }}', '["hope"]', 12))
    scene = lay(seat(events="t_bonus"), phase="events", active=B, pack=pack)
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 1, 1, 1, 1)
    assert [told["modifier"] for told in scene.told(None, "check_rolled")] == [a, b]


@pytest.mark.parametrize(("mode", "rolls"), [("trial", 1), ("solo", 1), ("duel", 2)])
def test_an_event_without_a_mode_is_contested_as_agreed(mode: str, rolls: int) -> None:
    """PA-4.30 to PA-4.33, PA-9.25."""
    scene = lay(seat(events="t_event_hope"), phase="events", default_event_mode=mode)
    scene.activate(A, "e1", *[1, 1] * rolls)
    assert len(scene.told(None, "check_rolled")) == rolls
    assert (scene.prompt(B) is not None) is (mode == "trial")


def test_the_second_seat_need_not_contest() -> None:
    """PA-9.44, PA-4.31."""
    scene = lay(seat(events="t_event_hope"), phase="events")
    scene.activate(A, "e1", 1, 1)
    assert scene.prompted(B, "contest").default == ("1",)
    scene.act(B, "decline")
    assert [scene.counter(side, "tokens") for side in (A, B)] == [0, 0]
    assert scene.keys(A, "discard") == "t_event_hope"


@pytest.mark.parametrize("in_play", [True, False])
def test_tokens_are_won_with_and_without_a_patron(in_play: bool) -> None:
    """PA-4.36, PA-9.28, PA-4.34."""
    scene = lay(seat("t_saint_3_hope_3", in_play=in_play, events="t_event_hope"), phase="events")
    scene.activate(A, "e1", 6, 6)
    assert (scene.counter(A, "tokens"), scene.checked()["modifier"]) == (1, 3 if in_play else 0)


def test_a_contest_settles_token_card_effects_and_triggers_in_this_order() -> None:
    """PA-4.35, PA-4.38, PA-9.41."""
    glad = saint("t_glad", trigger("event_won", '{ op = "store", who = "self", n = 1 }', more='by = "any",'))
    pack = pack_with(glad, event("t_rich", 'on_win = [{ op = "tokens", who = "winner", n = 1 }]', '["hope"]'))
    scene = lay(seat(events="t_rich"), seat(terra="t_glad"), phase="events", pack=pack)
    scene.activate(A, "e1", 6, 6)
    assert kinds(scene.told(None))[:6] == [
        "event_revealed", "check_rolled", "event_won", "tokens_changed", "trigger_fired", "stored_changed",
    ]  # fmt: skip
    assert scene.keys(A, "discard") == "t_rich"


def test_who_rolled_and_did_not_win_has_lost() -> None:
    """PA-4.35, PA-6.11."""
    sad = saint("t_sad", trigger("event_lost", '{ op = "store", who = "self", n = 1 }'))
    for answer, stored in (("attempt", 1), ("decline", 0)):
        scene = lay(seat(events="t_event_hope"), seat(terra="t_sad"), phase="events", pack=pack_with(sad))
        scene.activate(A, "e1", 1, 1)
        scene.roll(*([1, 1] if answer == "attempt" else []))
        scene.act(B, answer)
        assert scene.counter(B, "stored") == stored


def test_an_instruction_for_a_role_that_nobody_has_is_skipped() -> None:
    """PA-4.38, PA-6.2, PA-6.10."""
    loser = '{ q = "hand", who = "loser", min = 0 }'
    draws = ['{ op = "draw", who = "self", n = 2 }', '{ op = "draw", who = "self", n = 1 }']
    ops = [
        '{ op = "draw", who = "winner", n = 1 }',
        f'{{ op = "if", cond = {loser}, then = [{draws[0]}], else = [{draws[1]}] }}',
        f'{{ op = "if", cond = {{ not = {loser} }}, then = [{{ op = "store", who = "self", n = 1 }}] }}',
    ]
    lines = f"on_fail = [{', '.join(ops)}]"
    scene = lay(seat(events="t_lost"), phase="events", pack=pack_with(event("t_lost", lines)))
    scene.activate(A, "e1", 1, 1)
    scene.act(B, "decline")
    assert (scene.size(A, "hand"), scene.size(B, "hand"), scene.counter(A, "stored")) == (1, 0, 1)


def test_the_rest_of_a_contest_lapses_when_the_match_ends() -> None:
    """PA-4.39, PA-8.3, PA-8.4."""
    scene = lay(seat(events="t_event_hope"), phase="events")
    scene.activate(A, "e1", 1, 1)
    scene.resign(B)
    assert scene.outcome is not None
    assert (scene.outcome.winners, scene.outcome.reason, scene.counter(A, "tokens")) == ((A,), "concede", 0)
    last = lay(seat(events="desert_temptation", deck=0), phase="events", deck_out="lose")
    last.activate(A, "e1", 6, 6)
    assert last.outcome is not None
    assert (last.outcome.winners, last.outcome.reason) == ((B,), "deck_out")
    assert last.keys(A, "discard") == "desert_temptation"


@pytest.mark.parametrize(("reading", "legal"), [("owner", False), ("any", True)])
def test_whose_events_may_be_activated(reading: str, legal: bool) -> None:
    """PA-4.26, PA-9.24."""
    scene = lay(b=seat(events="t_event_hope"), phase="events", event_activation=reading)
    act = {"do": "activate_event", "slot": "e1"}
    assert (act in scene.offered(A)) is legal
    if not legal:
        scene.refused(A, "not_your_event", act)
        return
    scene.activate(A, "e1", 6, 6)
    assert (scene.counter(A, "tokens"), scene.keys(B, "discard")) == (1, "t_event_hope")


@pytest.mark.parametrize(("reading", "first"), [("activator", A), ("active", B)])
def test_who_rolls_first(reading: str, first: int) -> None:
    """PA-4.30, PA-9.26."""
    scene = lay(seat(events="t_event_hope"), phase="events", active=B, event_first=reading)
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 1, 1)
    assert scene.checked()["seat"] == first
