"""The course of a turn, attacks, reactions, triggers (KN-4), and how a match ends (KN-8)."""

from __future__ import annotations

import pytest

from engines.knights.turn import play
from engines.record import decode_state, encode
from tests.engines.knights.table import RULES, Duel, knight, lay, occasion, pack_with, permanent


def kinds(duel: Duel, *wanted: str) -> list[str]:
    return [event["event"] for event in duel.told(None, *wanted)]


def test_anything_goes_in_any_order_until_a_question_is_asked() -> None:
    """KN-4.1."""
    duel = lay({1: "alpha", 2: "beta"}, {1: "beta"}, a_hand="delta o5 t1")
    duel.attack(0, 1, 1)
    duel.play(0, "o5")
    duel.refused(0, "prompt_pending", {"do": "end_turn"})
    duel.refused(1, "prompt_pending", {"do": "end_turn"})
    duel.choose(0, (0, 2))
    duel.play(0, "delta", slot=3)
    duel.act(0, "defend", knight=2)
    duel.act(0, "end_turn")
    assert duel.state.active == 1


def test_a_turn_begins_with_counters_stances_poison_triggers_and_the_draw() -> None:
    """KN-4.2, KN-4.3, KN-6.21."""
    duel = lay({1: "alpha"}, {1: "beta env defend acted", 2: "gamma pv=5"}, b_helper="h1", a_hand="o18")
    duel.play(0, "o18")
    duel.act(0, "evade", knight=1)
    duel.turns_on()
    assert kinds(duel) == [
        "turn_ended", "turn_started", "stance_changed", "pv_changed", "trigger_resolved", "pv_changed", "pv_changed",
        "card_drawn",
    ]  # fmt: skip
    assert (duel.knight(1, 1)["stance"], duel.knight(1, 1)["acted"], duel.knight(0, 1)["stance"]) == (
        "attack", False, "evade",
    )  # fmt: skip
    assert (duel.pv(1, 1), duel.pv(1, 2)) == (8, 6)
    duel.turns_on()
    assert duel.state.restrictions == []


def test_a_restricted_draw_step_gives_no_card() -> None:
    """KN-4.2, KN-6.69."""
    pack = pack_with(occasion('{ op = "restrict", who = "foe", what = ["draw_step"], duration = { turns = 1 } }'))
    duel = lay({1: "alpha"}, a_hand="oo", pack=pack)
    duel.play(0, "oo")
    duel.turns_on()
    assert (len(duel.state.hand[1]), kinds(duel, "deck_empty")) == (0, [])


@pytest.mark.parametrize("turn", [1, 2])
def test_only_the_very_first_turn_has_no_fights(turn: int) -> None:
    """KN-4.4, I-7."""
    duel = lay({1: "eta"}, {1: "beta"}, a_support={1: "t4 on 1"}, a_hand="o2", a_helper="h2", turn=turn)
    done = {act["do"] for act in duel.offered(0)}
    fights = {"attack", "use_technique", "play_occasion"}
    assert (done & fights == set()) == (turn == 1)
    assert {"defend", "evade", "discard_technique", "end_turn"} <= done
    sources = [act["source"] for act in duel.offered(0) if act["do"] == "activate"]
    assert sources == ([{"helper": True}] if turn == 1 else [{"knight": 1, "ability": 1}, {"helper": True}])


def test_knights_put_into_play_by_effects_do_not_count() -> None:
    """KN-4.5, KN-6.71d."""
    duel = lay({}, a_hand="o8 beta", a_discard="alpha")
    duel.play(0, "o8")
    duel.act(0, "slot", slot=4)
    assert duel.told(None, "knight_entered")[0]["slot"] == 4
    duel.play(0, "beta", slot=1)
    assert (duel.space(0, 1), duel.space(0, 4)) == ("beta", "alpha")


def test_one_base_action_a_knight_and_turn() -> None:
    """KN-4.6."""
    duel = lay({1: "zeta", 2: "beta pv=1"}, {1: "alpha"}, a_support={1: "t5 on 1"})
    duel.act(0, "defend", knight=1)
    for act in (
        {"do": "attack", "knight": 1, "target": 1}, {"do": "evade", "knight": 1},
        {"do": "use_technique", "slot": 1, "target": 1}, {"do": "activate", "source": {"knight": 1, "ability": 1}},
    ):  # fmt: skip
        duel.refused(0, "already_acted", act)
    duel.turns_on(2)
    duel.attack(0, 1, 1)


def test_who_cannot_move_keeps_its_stance_and_passives_but_cannot_react() -> None:
    """KN-4.7, I-48."""
    duel = lay({1: "alpha"}, {1: "zeta par defend"}, b_support={1: "d3 down on 1"}, a_hand="o1")
    assert (duel.knight(1, 1)["stance"], duel.knight(1, 1)["ar"]) == ("defend", 5)
    duel.attack(0, 1, 1)
    assert duel.offered(1) == [{"do": "pass"}]
    duel.act(1, "pass")
    duel.turns_on()
    duel.refused(1, "incapacitated", {"do": "activate", "source": {"knight": 1, "ability": 1}})


def test_a_turn_ends_with_triggers_discards_durations_fading_and_going_home() -> None:
    """KN-4.8, KN-6.22, KN-6.30."""
    draws = 'kind = "triggered", trigger = "turn_end", effects = [{ op = "draw", n = 1 }]'
    pack = pack_with(permanent("helper", draws, id="hh"))
    duel = lay({1: "eta", 2: "beta par"}, {2: "alpha"}, a_hand="o4 t1 t1 t1 t1 t1 t1 t1 t1", a_helper="hh", pack=pack)
    duel.act(0, "activate", source={"knight": 1, "ability": 1})
    duel.play(0, "o4")
    duel.act(0, "end_turn")
    assert kinds(duel) == ["turn_ended", "trigger_resolved", "card_drawn"]
    assert (duel.knight(0, 1)["ce"], duel.knight(0, 2)["states"]) == (7, {"par": 1})
    duel.stay_silent(0)
    assert (duel.knight(0, 1)["ce"], duel.knight(0, 2)["states"], duel.space(1, 2)) == (5, {}, "alpha")
    assert kinds(duel)[-2:] == ["turn_started", "card_drawn"]


def test_all_knights_without_life_fall_together() -> None:
    """KN-4.9, KN-6.86, KN-4.29, I-33."""
    duel = lay({1: "beta pv=2", 2: "theta pv=1"}, {1: "delta pv=2", 3: "alpha"}, a_hand="o7")
    duel.play(0, "o7")
    fallen = [(event["card"]["card"], event["controller"]) for event in duel.told(None, "knight_destroyed")]
    assert fallen == [("beta", 0), ("theta", 0), ("delta", 1)]
    assert duel.pvd == (4, 5)


def test_a_match_that_is_over_drops_what_waits() -> None:
    """KN-4.9, KN-8.1."""
    pack = pack_with(occasion('{ op = "change_pvd", who = "foe", n = -9 }', '{ op = "draw", n = 1 }'))
    duel = lay({1: "alpha"}, a_hand="oo", pack=pack)
    duel.play(0, "oo")
    assert (kinds(duel, "card_drawn"), duel.outcome and duel.outcome.reason) == ([], "pvd")
    assert duel.outcome is not None
    assert (duel.outcome.winners, duel.outcome.ranks) == ((0,), (1, 2))


def test_a_knight_that_leaves_in_any_way_takes_its_cards_along_for_nothing() -> None:
    """KN-4.10, KN-6.73."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o21", b_support={1: "t1 down on 1", 3: "b1 on 1"})
    duel.play(0, "o21")
    duel.choose(0, (1, 1))
    assert (duel.pile("discard", 1), duel.pvd, duel.support(1)) == ("t1 b1", (6, 6), [""] * 4)


def test_triggers_queue_by_seat_then_scenario_helper_knights_and_support() -> None:
    """KN-4.29."""
    on = 'kind = "triggered", trigger = "occasion_played", whose = "any", effects = [{ op = "draw", n = 1 }]'
    tables = knight(on) + knight(on, id="kb") + permanent("scenario", on, id="ss") + permanent("helper", on, id="hh")
    pack = pack_with(tables + permanent("object", on, id="ob"))
    duel = lay(
        {2: "kk"},
        {1: "kb"},
        a_support={1: "ob on 2"},
        a_helper="hh",
        scenario="ss@1",
        a_hand="o20",
        pvd=(2, 6),
        pack=pack,
    )
    duel.play(0, "o20")
    assert [event["source"]["card"] for event in duel.told(None, "trigger_resolved")] == ["hh", "kk", "ob", "ss", "kb"]


def test_a_trigger_whose_source_has_gone_is_dropped() -> None:
    """KN-4.29."""
    hurt = (
        'kind = "triggered", trigger = "occasion_played", whose = "any", '
        'effects = [{ op = "damage", n = 8, target = { pick = "all" } }]'
    )
    duel = lay({1: "kk"}, {1: "kb", 2: "gamma"}, a_hand="o2", pack=pack_with(knight(hurt) + knight(hurt, id="kb")))
    duel.play(0, "o2")
    assert len(duel.told(None, "trigger_resolved")) == 1
    assert duel.pv(1, 2) == 4


def test_a_destroyed_knights_own_trigger_still_works() -> None:
    """KN-4.29, KN-6.50."""
    duel = lay({1: "alpha"}, {1: "theta"})
    duel.attack(0, 1, 1)
    assert (duel.pv(0, 1), kinds(duel, "knight_destroyed", "trigger_resolved")) == (
        8, ["knight_destroyed", "trigger_resolved"],
    )  # fmt: skip


def test_an_endless_chain_stops_at_two_hundred() -> None:
    """KN-4.29."""
    echo = 'kind = "triggered", trigger = "state_gained", whose = "any", effects = [{0}]'
    cure = '{ op = "cure", states = "all", target = "event" }, { op = "inflict", state = "env", target = "event" }'
    duel = lay({1: "kk"}, {1: "alpha"}, a_hand="o10", pack=pack_with(knight(echo.replace("{0}", cure))))
    duel.play(0, "o10")
    assert len(duel.told(None, "trigger_resolved")) == 200
    assert kinds(duel)[-1] == "resolution_limit"


def test_a_possessed_knights_owner_may_not_play_its_equal() -> None:
    """KN-4.30, KN-6.36."""
    duel = lay({}, {1: "alpha"}, a_hand="o22", b_hand="alpha")
    duel.play(0, "o22")
    duel.turns_on()
    duel.refused(1, "duplicate_knight", duel.playing(1, "alpha", slot=2))


def test_a_match_is_plain_data_between_actions() -> None:
    """KN-4.31."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_support={1: "t1 down on 1"}, a_hand="o5")
    raw = encode(duel.state)
    assert encode(decode_state(RULES, raw)) == raw
    assert play.__module__ == "engines.knights.turn"


def test_only_effects_move_knights() -> None:
    """KN-4.32, KN-6.74."""
    step = occasion('{ op = "move_knight", mode = "to_empty", target = { pick = "choose", who = "ally" } }')
    duel = lay({1: "alpha", 2: "beta", 4: "delta"}, {1: "gamma"}, a_hand="oo", pack=pack_with(step))
    assert not any(act["do"].startswith("move") for act in duel.offered(0))
    duel.play(0, "oo")
    duel.choose(0, (0, 2))
    assert (duel.space(0, 2), duel.space(0, 3)) == ("", "beta")


def test_nothing_empty_loses_a_match() -> None:
    """KN-8.3."""
    duel = lay({}, {1: "beta"}, a_deck="", b_deck="")
    duel.turns_on(2)
    assert duel.outcome is None


@pytest.mark.parametrize(("why", "reason"), [("resigned", "concede"), ("timeout", "timeout"), ("abandoned", "abandon")])
def test_who_goes_loses_for_the_reason_of_its_going(why: str, reason: str) -> None:
    """KN-5.14, KN-8.4, KN-8.5."""
    duel = lay({1: "alpha"}, {1: "beta"})
    duel.resign(0, why)
    assert duel.outcome is not None
    assert (duel.outcome.winners, duel.outcome.reason) == ((1,), reason)


def test_both_gone_is_a_draw_and_before_the_first_turn_nothing_counts() -> None:
    """KN-8.5."""
    duel = lay({1: "alpha"}, {1: "beta"})
    both = RULES.outcome(duel.match, duel.state, {0: "abandoned", 1: "abandoned"})
    assert both is not None
    assert (both.winners, both.reason, both.details["points"]) == ((), "abandon", [1, 1])
    early = lay({}, {}, turn=0)
    void = RULES.outcome(early.match, early.state, {0: "abandoned"})
    assert void is not None
    assert (void.winners, void.reason, void.details["points"]) == ((), "void", [0, 0])


def test_the_service_is_told_how_long_a_seat_may_think() -> None:
    """KN-8.5."""
    assert (RULES.pace.decision_s, RULES.pace.strikes, RULES.pace.absent_s) == (90, 3, 120)
    prompt = lay({1: "alpha"}).prompted(0, "main")
    assert prompt.acts(prompt.default) == ({"do": "end_turn"},)


def test_the_result_names_winner_reason_turns_life_and_points() -> None:
    """KN-8.7."""
    duel = lay({1: "alpha"}, {}, pvd=(6, 1))
    duel.attack(0, 1, "direct")
    assert duel.outcome is not None
    assert duel.outcome.details == {"turns": 5, "first_seat": 0, "pvd": [6, 0], "points": [3, 0]}
    assert duel.told(None, "match_over") == [
        {"event": "match_over", "winner": 0, "reason": "pvd", **duel.outcome.details}
    ]


def test_after_the_end_everything_is_refused_and_hands_stay_hidden() -> None:
    """KN-8.8."""
    duel = lay({1: "alpha"}, {}, pvd=(6, 1), b_hand="o1")
    duel.attack(0, 1, "direct")
    duel.refused(0, "match_over", {"do": "end_turn"})
    assert (duel.view(0)["hand"]["1"], duel.view(None)["turn"]["phase"]) == ({"count": 1}, "over")
