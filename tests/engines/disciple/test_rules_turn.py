"""The course of a turn, the resolve loop and the reaction window (DI-4)."""

from __future__ import annotations

import pytest

from engines.disciple.reaction import HOLD_MS
from tests.engines.disciple.table import deed, lay, pack_with


def kinds(scene: object, audience: int | None = None) -> list[str]:
    return [event["event"] for event in scene.told(audience)]  # type: ignore[attr-defined]


def test_a_turn_is_one_action_of_its_phase() -> None:
    """DI-4.1, DI-4.2, DI-9.19: what belongs to another phase is refused."""
    scene = lay(side0={"heart": "t_h2"}, hand0="t_haste t_b1 t_b1")
    card = scene.card("t_h2")
    scene.refused(0, "E_WRONG_PHASE", {"do": "end_turn"})
    scene.refused(0, "E_WRONG_PHASE", {"do": "flip_card", "card": card})
    scene.refused(1, "E_NOT_YOUR_DECISION", {"do": "draw_card"})
    scene.act(0, "draw_card")
    assert scene.phase() == ("followup", 0)
    scene.refused(0, "E_WRONG_PHASE", {"do": "draw_card"})
    scene.refused(0, "E_WRONG_PHASE", scene.playing(0, "t_b1", "book"))
    scene.act(0, "end_turn")
    assert scene.phase() == ("main", 1)
    assert scene.view(None)["turn"]["turn"] == 2


def test_a_saint_is_laid_on_the_own_side_and_its_effect_is_part_of_the_action() -> None:
    """DI-4.5, DI-5.3."""
    scene = lay(hand0="t_draw", hand1="")
    scene.play(0, "t_draw", "book")
    assert (scene.side(0, "book"), scene.side(1, "book"), scene.hand(0)) == ("t_draw", "", "t_d1 t_d1")
    first = ["card_played", "counts", "ability_started", "drawn", "ability_ended", "turn_ended"]
    assert kinds(scene)[:6] == first


def test_a_deed_is_carried_out_and_discarded() -> None:
    """DI-5.3, DI-9.14, DI-4.5: through limbo, and no column is meant."""
    scene = lay(hand0="t_low t_b1 t_b1 t_b1")
    scene.play(0, "t_low")
    assert scene.discard(0) == "t_low"
    (event,) = scene.told(None, "discarded")
    assert (event["from"], event["to"]) == ({"zone": "limbo", "seat": 0}, {"zone": "discard", "seat": 0})


def test_without_a_move_or_flip_the_followup_ends_by_itself() -> None:
    """DI-4.6: which everybody can see."""
    scene = lay(side0={"book": "t_b1"})
    scene.act(0, "draw_card")
    assert scene.offered(0) == [{"do": "flip_card", "card": scene.card("t_b1")}, {"do": "end_turn"}]
    scene = lay(side1={"book": "t_bd"})
    scene.act(0, "draw_card")
    assert scene.phase() == ("main", 1)


def test_a_start_is_one_step_before_anything_is_resolved() -> None:
    """DI-4.3: lasting effects end, then the saints of the turn are activated, then the loop runs."""
    scene = lay(side0={"prayer": "t_dawn t_dawn"}, step="start", active=1)
    scene.prompted(0, "choose_trigger")
    assert kinds(scene) == ["turn_started"]
    assert [one["trigger"] for one in scene.view(None)["pending"]] == ["turn_start"] * 2


def test_a_boost_until_the_own_next_turn_ends_as_that_turn_starts() -> None:
    """DI-4.3, DI-6.19."""
    scene = lay(hand0="t_boost t_d1", hand1="t_d1")
    scene.play_through(0, "t_boost", "prayer")
    assert scene.symbols(0, "prayer") == 3
    scene.act(1, "draw_card")
    assert scene.symbols(0, "prayer") == 1
    assert kinds(scene)[-3:] == ["turn_started", "lasting_ended", "counts"]


def test_extra_plays_are_used_one_by_one_and_the_rest_vanishes() -> None:
    """DI-4.8."""
    scene = lay(hand0="t_haste t_haste t_b1", deck0="t_b1 t_b1 t_b1")
    scene.play(0, "t_haste")
    scene.play(0, "t_haste")
    assert scene.view(None)["turn"]["extra_plays"] == 1
    scene.play_through(0, "t_b1", "book")
    assert scene.phase() == ("main", 1)
    scene = lay(hand0="t_haste t_b1", deck0=5)
    scene.play(0, "t_haste")
    scene.act(0, "end_turn")
    assert scene.phase() == ("main", 1)
    assert scene.view(None)["turn"]["extra_plays"] == 0


def test_the_extra_phase_is_skipped_with_an_empty_hand_only() -> None:
    """DI-4.8: a hand that cannot be played is asked all the same."""
    one_more = deed('{ do = "extra_play", n = 1 }')
    scene = lay(hand0="deed", pack=one_more)
    scene.play(0, "deed")
    assert scene.phase() == ("main", 1)
    scene = lay(hand0="deed t_f1", side1={"fire": "t_wall"}, pack=one_more)
    scene.play(0, "deed")
    scene.prompted(0, "extra")
    assert scene.offered(0) == [{"do": "end_turn"}]


def test_no_more_than_nine_extra_plays_are_kept() -> None:
    """DI-4.8, DI-2.6."""
    scene = lay(hand0="deed deed t_b1", pack=deed('{ do = "extra_play", n = 9 }', '{ do = "extra_play", n = 1 }'))
    scene.play(0, "deed")
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["extra_play"]
    scene.play(0, "deed")
    assert scene.view(None)["turn"]["extra_plays"] == 9


def test_the_empty_hand_rule_ends_the_turn_even_with_extra_plays() -> None:
    """DI-4.4, DI-4.8, DI-9.18."""
    eager = pack_with(t_eager='{ trigger = "turn_start", effect = [ { do = "extra_play", n = 1 } ] }')
    scene = lay(side0={"book": "t_eager"}, hand0="", step="start", active=1, pack=eager)
    assert scene.phase() == ("main", 1)
    assert len(scene.state.hand[0]) == 2


def test_without_the_empty_hand_rule_a_turn_begins_as_always() -> None:
    """DI-4.4, DI-3.1."""
    scene = lay(hand0="", step="start", active=1, empty_hand_rule=False)
    assert scene.offered(0) == [{"do": "draw_card"}]


def test_a_turn_ends_in_the_order_of_the_rules() -> None:
    """DI-4.10: turn_end abilities, then what lasts for this turn, then the turn is over."""
    scene = lay(side0={"drop": "t_dusk"}, hand0="t_draw t_b1", hand1="t_rhush")
    scene.play(0, "t_draw", "book")
    scene.react(1, "t_rhush")
    after = kinds(scene)[kinds(scene).index("ability_ended") + 1 :]
    assert after[:6] == ["discarded", "ability_started", "milled", "ability_ended", "lasting_ended", "turn_ended"]
    assert len(scene.state.discard[1]) == 2


def test_what_begins_as_the_turn_fades_lasts_through_the_next_one() -> None:
    """DI-4.10, DI-6.19: a boost that Abundance gives when a curse ends belongs to the next turn."""
    effects = '{ do = "boost", target = { pick = "self" }, n = 2, duration = "this_turn" }'
    pack = pack_with(
        t_glow=f'{{ trigger = "abundance", effect = [ {effects} ] }}',
        deed='{ trigger = "play", effect = [ { do = "boost", target = { pick = "all", side = "own" }, n = -1, '
        'duration = "this_turn" } ] }',
    )
    scene = lay(side0={"book": "t_glow t_b3 t_b3"}, hand0="deed t_b1", hand1="t_d1 t_d1", pack=pack)
    scene.play(0, "deed")
    assert scene.phase() == ("main", 1)
    assert scene.symbols(0, "book") == 9
    scene.act(1, "draw_card")
    assert scene.symbols(0, "book") == 7


def test_the_loop_resolves_one_ability_at_a_time_and_drops_those_whose_source_left() -> None:
    """DI-4.15, DI-4.14, DI-4.11."""
    scene = lay(side0={"heart": "t_host"}, hand0="t_bottom", hand1="")
    scene.play(0, "t_bottom", "drop")
    scene.act(0, "trigger", pending=1)
    scene.choose(0, "t_host")
    (dropped,) = scene.told(None, "ability_dropped")
    assert dropped["source"]["card"] == "t_host"
    assert len(scene.state.hand[0]) == 2  # the two of the empty hand rule, two turns later; none of t_host


def test_a_source_that_left_and_came_back_is_another_one() -> None:
    """DI-4.14, DI-2.2: its ability of before is dropped."""
    effects = '{ do = "return_hand", target = { pick = "choose", side = "own", other = true } }, '
    effects += '{ do = "put", from = "hand", face = "up" }'
    pack = pack_with(t_cycle=f'{{ trigger = "enter", effect = [ {effects} ] }}')
    scene = lay(side0={"heart": "t_host"}, hand0="t_cycle t_d1", hand1="", pack=pack)
    scene.play(0, "t_cycle", "book")
    scene.act(0, "trigger", pending=1)
    scene.choose(0, "t_host")
    assert (scene.side(0, "heart"), scene.hand(0)) == ("t_host", "t_d1")
    assert [event["source"]["card"] for event in scene.told(None, "ability_dropped")] == ["t_host"]


def test_a_source_that_was_only_flipped_still_carries_out() -> None:
    """DI-4.14: the saint that entered was turned down by the other seat's ability before its own came."""
    scene = lay(side1={"fire": "t_watch"}, hand0="t_draw t_d1", active=0)
    scene.play_through(0, "t_draw", "book")
    assert len(scene.state.hand[0]) == 3
    scene.act(1, "yes")
    assert scene.side(0, "book") == "t_draw~"


def test_conditions_are_tested_at_activation_only() -> None:
    """DI-4.14: the hand has grown by the time the ability is carried out."""
    poor = '{ trigger = "ally_enter", when = { hand_count = { who = "own", op = "<=", n = 1 } }, '
    poor += 'effect = [ { do = "draw", who = "own", n = 1 } ] }'
    scene = lay(side0={"book": "t_poor"}, hand0="t_draw t_d1", hand1="", pack=pack_with(t_poor=poor))
    scene.play(0, "t_draw", "book")
    scene.act(0, "trigger", pending=1)
    assert len(scene.state.hand[0]) == 1 + 2 + 1
    scene = lay(side0={"book": "t_poor"}, hand0="t_draw t_d1 t_d1", hand1="", pack=pack_with(t_poor=poor))
    scene.play(0, "t_draw", "book")
    assert len(scene.state.hand[0]) == 2 + 2


def test_the_active_seats_abilities_come_first() -> None:
    """DI-4.13, DI-9.9: the other seat's was activated first and still waits."""
    scene = lay(side0={"heart": "t_host"}, side1={"fire": "t_watch"}, hand0="t_b1 t_b1")
    scene.play_through(0, "t_b1", "book")
    scene.prompted(1, "may")
    assert [event["source"]["card"] for event in scene.told(None, "ability_started")] == ["t_host", "t_watch"]


def test_the_window_opens_for_what_everybody_can_see_only() -> None:
    """DI-4.12, DI-9.17: not with the option off, and not against a `forbid react`, the played saint's own included."""
    scene = lay(hand0="t_b1 t_b1", hand1="t_rback", reaction_window="off")
    scene.play(0, "t_b1", "book")
    assert "reaction_opened" not in kinds(scene)
    hush = '{ trigger = "static", static = [ { do = "forbid", who = "enemy", what = "react" } ] }'
    scene = lay(hand0="t_hush t_b1", hand1="t_rback", pack=pack_with(t_hush=hush))
    scene.play(0, "t_hush", "book")
    assert "reaction_opened" not in kinds(scene)
    assert scene.phase() == ("main", 1)


def test_the_window_is_held_for_a_fixed_time_whatever_is_held_in_the_hand() -> None:
    """DI-4.12: the engine never declines by itself."""
    for hand in ("t_d1", "t_rback"):
        scene = lay(hand0="t_b1", hand1=hand)
        scene.play(0, "t_b1", "book")
        prompt = scene.prompted(1, "react")
        assert (prompt.hold_ms, prompt.acts(prompt.default)) == (HOLD_MS, ({"do": "decline"},))


def test_a_reaction_is_one_card_without_a_chain() -> None:
    """DI-4.12, DI-9.15: no window opens for the reacting saint, and a second reaction is not asked for."""
    scene = lay(hand0="t_b1 t_rback", hand1="t_rback t_rback")
    scene.play(0, "t_b1", "book")
    scene.react(1, "t_rback", "fire")
    assert kinds(scene).count("reaction_opened") == 0
    assert scene.phase() == ("main", 1)
    assert scene.hand(1) == "t_rback"


def test_a_reacting_saint_is_seen_entering_and_may_be_forbidden_a_column() -> None:
    """DI-4.12, DI-6.14."""
    scene = lay(side0={"fire": "t_wall"}, hand0="t_b1 t_b1", hand1="t_rback t_rhush")
    scene.play(0, "t_b1", "book")
    assert [act["do"] for act in scene.offered(1)] == ["decline", "react"]  # the deed; no column is open to the saint
    scene = lay(side0={"fire": "t_watch"}, hand0="t_b1 t_b1", hand1="t_rback")
    scene.play(0, "t_b1", "book")
    scene.react(1, "t_rback", "fire")
    scene.prompted(0, "may")
    scene.act(0, "yes")
    assert scene.side(1, "fire") == "t_rback~"


def test_a_played_saint_that_lies_face_down_does_not_enter() -> None:
    """DI-4.12, DI-9.16."""
    scene = lay(side0={"heart": "t_host"}, hand0="t_fhp t_d1", hand1="t_rdown")
    scene.play(0, "t_fhp", "fire")
    scene.react(1, "t_rdown", "fire")
    assert (scene.side(0, "fire"), scene.hand(0)) == ("t_fhp~", "t_d1")


def test_a_silenced_saint_is_still_seen_entering() -> None:
    """DI-4.12: only its own abilities are lost."""
    scene = lay(side0={"heart": "t_host"}, hand0="t_draw t_d1", hand1="t_rhush")
    scene.play(0, "t_draw", "book")
    scene.react(1, "t_rhush")
    assert scene.hand(0) == "t_d1 t_d1"


def test_a_reaction_card_may_be_played_like_any_other() -> None:
    """DI-9.15: its reaction then does nothing."""
    scene = lay(side1={"book": "t_b1"}, hand0="t_rback t_rhush", hand1="")
    scene.play(0, "t_rback", "fire")
    assert kinds(scene).count("ability_started") == 0
    assert scene.side(1, "book") == "t_b1"


@pytest.mark.parametrize("step", ["main", "extra"])
def test_the_opponent_may_react_to_every_saint_that_is_played(step: str) -> None:
    """DI-4.12: as an action or an extra play."""
    scene = lay(hand0="t_haste t_b1 t_b1")
    if step == "extra":
        scene.play(0, "t_haste")
    scene.play(0, "t_b1", "book")
    scene.prompted(1, "react")


def test_only_the_active_seats_saints_start_and_end_a_turn() -> None:
    """DI-4.3, DI-4.10, DI-6.3."""
    scene = lay(side0={"prayer": "t_dawn~"}, side1={"prayer": "t_dawn", "drop": "t_dusk"}, step="start", active=1)
    assert scene.phase() == ("main", 0)
    scene.act(0, "draw_card")
    scene.act(0, "end_turn")
    scene.prompted(1, "may")
    assert scene.state.discard == [[], []]
