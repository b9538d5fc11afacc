"""Actions, their errors in order, prompts and their defaults (KN-5)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.knights.explain import PARAMETERS, TEXTS
from engines.rules import Attempt
from tests.engines.knights.table import RULES, lay, occasion, pack_with, permanent, technique

END = {"do": "end_turn"}
FULL = dict.fromkeys((1, 2, 3, 4), "t1 on 1")
FOUR = {1: "alpha", 2: "beta", 3: "delta", 4: "eta"}


@pytest.mark.parametrize(
    "act",
    [
        {"do": "attack", "knight": 5, "target": 1}, {"do": "attack", "knight": True, "target": 1},
        {"do": "attack", "knight": 1},
        {"do": "attack", "knight": 1, "target": "left"}, {"do": "fly"}, {"do": "end_turn", "now": 1}, {}, {"do": 3},
        {"do": "play_technique", "card": "c1", "host": 1, "face": "sideways"},
        {"do": "activate", "source": {"knight": 1}},
        {"do": "activate", "source": {"helper": False}}, {"do": "activate", "source": "helper"},
        {"do": "play_knight", "card": 4, "slot": 1}, {"do": "use_technique", "slot": "1"},
    ],
)  # fmt: skip
def test_ill_formed_actions_are_bad_requests(act: dict[str, Any]) -> None:
    """KN-5.1."""
    lay({1: "alpha"}, {1: "beta"}).refused(0, "bad_request", act)


def test_whose_turn_it_is_comes_before_the_form() -> None:
    """KN-4.1."""
    lay({1: "alpha"}, {1: "beta"}).refused(1, "not_your_turn", {"do": "fly"})


def test_errors_of_playing_a_knight_in_order() -> None:
    """KN-5.1, KN-4.5."""
    barred = occasion('{ op = "restrict", what = ["knight"] }')
    duel = lay({1: "alpha", 3: "delta"}, {}, a_hand="alpha beta o4 oo", pack=pack_with(barred))
    held = {key: duel.card(0, key) for key in ("alpha", "beta", "o4")}
    duel.refused(0, "not_in_hand", {"do": "play_knight", "card": "zzz", "slot": 9 - 5})
    duel.refused(0, "wrong_kind", {"do": "play_knight", "card": held["o4"], "slot": 2})
    duel.refused(0, "duplicate_knight", {"do": "play_knight", "card": held["alpha"], "slot": 1})
    duel.refused(0, "slot_taken", {"do": "play_knight", "card": held["beta"], "slot": 1})
    duel.play(0, "oo")
    duel.refused(0, "restricted", {"do": "play_knight", "card": held["beta"], "slot": 1})


def test_a_full_field_and_a_reserved_slot_take_no_knight() -> None:
    """KN-5.1, KN-6.36, KN-2.3."""
    lay(FOUR, a_hand="gamma").refused(0, "knights_full", {"do": "play_knight", "card": "c5", "slot": 1})
    duel = lay({}, {2: "alpha"}, a_hand="o22", b_hand="beta")
    duel.play(0, "o22")
    duel.turns_on()
    duel.refused(1, "slot_taken", duel.playing(1, "beta", slot=2))
    duel.play(1, "beta", slot=1)
    (entered,) = duel.told(None, "knight_entered")
    assert (entered["seat"], entered["slot"], entered["card"]["card"]) == (1, 1, "beta")
    assert (duel.pv(1, 1), duel.pc(1, 1), duel.knight(1, 1)["stance"]) == (8, 6, "attack")


def test_errors_of_playing_a_technique_in_order() -> None:
    """KN-5.2, I-14, I-15."""
    duel = lay({1: "alpha", 2: "gamma"}, {}, a_hand="t1 d1", a_support={2: "t2 on 2"})
    duel.refused(0, "slot_taken", duel.playing(0, "t1", host=4, face="up", slot=2))
    duel.refused(0, "no_such_knight", duel.playing(0, "t1", host=4, face="up"))
    duel.refused(0, "not_a_user", duel.playing(0, "t1", host=2, face="up"))
    duel.play(0, "t1", host=1, face="up", slot=4)
    duel.play(0, "d1", host=1, face="down")
    assert duel.support(0, 0) == ["d1~", "t2", "", "t1"]
    full = lay({1: "alpha"}, a_hand="t1 o2", a_support=FULL)
    full.refused(0, "support_full", full.playing(0, "t1", host=1, face="up"))


def test_nothing_is_attached_to_a_lent_knight() -> None:
    """KN-5.2, KN-5.3, KN-6.36."""
    duel = lay({}, {1: "alpha"}, a_hand="o4 t1 b1")
    duel.play(0, "o4")
    duel.refused(0, "not_yours", duel.playing(0, "t1", host=1, face="up"))
    duel.refused(0, "not_yours", duel.playing(0, "b1", host=1))


def test_objects_ask_for_the_right_bearer() -> None:
    """KN-5.3."""
    ring = permanent("object", 'kind = "passive", effects = [{ op = "modify", stat = "ce", n = 2 }]')
    duel = lay({1: "alpha", 2: "gamma"}, a_hand="pp", pack=pack_with(f'{ring}host_filter = {{ rank = "gold" }}\n'))
    duel.refused(0, "not_a_user", duel.playing(0, "pp", host=1))
    duel.refused(0, "no_such_knight", duel.playing(0, "pp", host=3))
    duel.play(0, "pp", host=2)
    assert duel.knight(0, 2)["ce"] == 7
    assert not any(act["do"] == "discard_technique" for act in duel.offered(0))


def test_occasions_need_their_condition_and_a_target() -> None:
    """KN-5.4, KN-6.9, I-39."""
    never = occasion('{ op = "draw", n = 1 }', when='{ turn_no = { op = "<", n = 2 } }')
    duel = lay({1: "alpha"}, {}, a_hand="oo o1 o19 o17", pack=pack_with(never))
    duel.refused(0, "condition_not_met", duel.playing(0, "oo"))
    for key in ("o1", "o19", "o17"):
        duel.refused(0, "no_target", duel.playing(0, key))


def test_an_occasion_that_discards_needs_another_card() -> None:
    """KN-6.9."""
    pack = pack_with(occasion('{ op = "move_cards", from = "hand", to = "discard", pick = "choose" }'))
    duel = lay({1: "alpha"}, a_hand="oo", pack=pack)
    duel.refused(0, "no_target", duel.playing(0, "oo"))


def test_restricted_kinds_cannot_be_played() -> None:
    """KN-5.5, KN-5.8, KN-6.69."""
    stop = occasion(
        '{ op = "restrict", who = "foe", what = ["helper", "scenario", "technique"], duration = "my_next_turn" }'
    )
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="oo", b_hand="h1 s1 t1", pack=pack_with(stop))
    duel.play(0, "oo")
    duel.turns_on()
    duel.refused(1, "restricted", duel.playing(1, "h1"))
    duel.refused(1, "restricted", duel.playing(1, "s1"))
    duel.refused(1, "restricted", duel.playing(1, "t1", host=1, face="up"))


def test_errors_of_attacking_in_order() -> None:
    """KN-5.6, KN-5.23."""
    duel = lay({1: "alpha nse", 2: "beta"}, {1: "gamma"})
    duel.refused(0, "no_such_knight", {"do": "attack", "knight": 3, "target": 3})
    duel.refused(0, "cannot_attack", {"do": "attack", "knight": 1, "target": 3})
    duel.refused(0, "no_such_target", {"do": "attack", "knight": 2, "target": 3})


def test_errors_of_using_a_technique_in_order() -> None:
    """KN-5.7."""
    support = {1: "t1 on 1", 2: "b1 on 1", 3: "d2 on 1", 4: "t1 on 2"}
    duel = lay({1: "alpha", 2: "beta nse"}, {1: "gamma"}, a_support=support)
    duel.refused(0, "wrong_kind", {"do": "use_technique", "slot": 2})
    duel.refused(0, "not_usable", {"do": "use_technique", "slot": 3})
    duel.refused(0, "cannot_attack", {"do": "use_technique", "slot": 4, "target": 1})
    duel.act(0, "discard_technique", slot=1)
    duel.refused(0, "no_such_card", {"do": "use_technique", "slot": 1, "target": 1})


def test_an_area_technique_needs_somebody_in_reach() -> None:
    """KN-5.7, KN-10.1."""
    duel = lay({1: "gamma"}, {4: "beta"}, a_support={1: "t3 on 1"})
    duel.refused(0, "no_target", {"do": "use_technique", "slot": 1})


@pytest.mark.parametrize(
    ("reach", "slots"),
    [('"any"', [1, 2, 3, 4]), ('"front"', [2]), ('"flanks"', [1, 3]), ('"adjacent"', [1, 2, 3]), ("[4, 1]", [1, 4])],
)
def test_reach_is_counted_from_the_users_space_or_names_spaces(reach: str, slots: list[int]) -> None:
    """KN-10.1, KN-4.32, I-44."""
    pack = pack_with(technique(f'attack = {{ bonus = 1, reach = {reach}, select = "one" }}'))
    duel = lay({2: "alpha"}, FOUR, a_support={1: "tt on 2"}, pack=pack)
    assert [act["target"] for act in duel.offered(0) if act["do"] == "use_technique"] == slots


@pytest.mark.parametrize("word", ["defend", "evade"])
def test_errors_of_taking_a_stance(word: str) -> None:
    """KN-5.9, KN-5.10, KN-6.90."""
    stop = occasion(f'{{ op = "grant", keyword = "no_{word}", target = {{ pick = "choose", who = "ally" }} }}')
    duel = lay({1: "alpha", 2: "beta par"}, a_hand="oo", pack=pack_with(stop))
    duel.refused(0, "no_such_knight", {"do": word, "knight": 4})
    duel.refused(0, "incapacitated", {"do": word, "knight": 2})
    duel.play(0, "oo")
    duel.choose(0, (0, 1))
    duel.refused(0, f"cannot_{word}", {"do": word, "knight": 1})
    (other,) = {"defend", "evade"} - {word}
    duel.act(0, other, knight=1)
    assert duel.told(None, "stance_changed") == [
        {"event": "stance_changed", "knight": {"seat": 0, "slot": 1}, "stance": other}
    ]


def test_errors_of_activating_in_order() -> None:
    """KN-5.11, KN-6.4."""
    duel = lay({1: "alpha", 2: "zeta pc=1", 3: "eta pc=1", 4: "gamma"}, {1: "beta"})
    duel.refused(0, "no_such_card", {"do": "activate", "source": {"helper": True}})
    duel.refused(0, "not_usable", {"do": "activate", "source": {"knight": 1, "ability": 1}})
    duel.refused(0, "not_usable", {"do": "activate", "source": {"knight": 1, "ability": 3}})
    duel.refused(0, "cannot_pay", {"do": "activate", "source": {"knight": 2, "ability": 1}})
    act = {"do": "activate", "source": {"knight": 3, "ability": 1}}
    duel.answer(0, act)
    duel.refused(0, "use_limit", act)
    lay({}, a_hand="h1").refused(0, "no_such_knight", {"do": "activate", "source": {"knight": 3, "ability": 1}})


def test_a_helper_is_activated_in_any_turn_as_often_as_it_says() -> None:
    """KN-5.11, KN-6.1."""
    act = {"do": "activate", "source": {"helper": True}}
    duel = lay({1: "alpha pc=1"}, {1: "beta"}, a_helper="h2")
    duel.answer(0, act)
    assert duel.pc(0, 1) == 2
    duel.refused(0, "use_limit", act)
    lay({}, {1: "beta"}, a_helper="h2").refused(0, "no_target", act)
    lay({1: "alpha"}, a_helper="h1").refused(0, "not_usable", act)


def test_techniques_alone_can_be_given_up() -> None:
    """KN-5.12, I-18."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_support={1: "t1 down on 1", 2: "b1 on 1"})
    duel.refused(0, "wrong_kind", {"do": "discard_technique", "slot": 2})
    duel.refused(0, "no_such_card", {"do": "discard_technique", "slot": 3})
    duel.act(0, "discard_technique", slot=1)
    assert duel.told(None, "card_left")[0]["reason"] == "discarded"


def test_ending_the_turn_hands_it_over() -> None:
    """KN-5.13."""
    duel = lay({1: "alpha"})
    duel.answer(0, END)
    assert duel.told(1, "turn_ended") == [{"event": "turn_ended", "seat": 0, "turn": 5}]
    assert duel.prompted(1, "main")


def test_what_answers_no_open_question_is_refused() -> None:
    """KN-5.15."""
    duel = lay({1: "alpha", 2: "beta"}, a_hand="o5")
    duel.refused(0, "no_such_prompt", {"do": "yes"})
    duel.play(0, "o5")
    duel.refused(0, "bad_answer", {"do": "target", "seat": 1, "zone": "knight", "slot": 1})
    duel.refused(0, "bad_answer", {"do": "yes"})
    duel.refused(0, "no_such_prompt", {"do": "target", "seat": 0, "zone": "knight", "slot": 1}, stale=True)
    duel.refused(1, "not_your_prompt", {"do": "target", "seat": 0, "zone": "knight", "slot": 1})


def test_a_guard_in_reach_must_be_the_target() -> None:
    """KN-5.20."""
    duel = lay({1: "alpha", 2: "kappa", 4: "delta"}, {1: "iota", 4: "beta"}, a_support={1: "t4 on 4"})
    duel.refused(0, "guarded", {"do": "attack", "knight": 1, "target": 4})
    assert {"do": "use_technique", "slot": 1, "target": 4} in duel.offered(0)
    assert {"do": "attack", "knight": 2, "target": "direct"} in duel.offered(0)


def test_who_cannot_be_aimed_at_is_spared_while_another_can() -> None:
    """KN-5.21, KN-6.90."""
    veil = occasion(
        '{ op = "grant", keyword = "untargetable", duration = { turns = 1 }, '
        'target = { pick = "choose", who = "any" } }'
    )
    duel = lay({1: "gamma"}, {1: "beta", 2: "alpha"}, a_hand="oo o6", a_support={1: "t3 on 1"}, pack=pack_with(veil))
    duel.play(0, "oo")
    duel.choose(0, (1, 1))
    duel.refused(0, "untargetable", {"do": "attack", "knight": 1, "target": 1})
    assert {"do": "use_technique", "slot": 1} in duel.offered(0)
    duel.play(0, "o6")
    duel.choose(0, (1, 2))
    duel.attack(0, 1, 1)


def test_who_cannot_move_may_be_attacked_or_passed_by() -> None:
    """KN-5.22."""
    duel = lay({1: "alpha"}, {1: "beta par"}, defender_rule="able")
    targets = [act["target"] for act in duel.offered(0) if act["do"] == "attack"]
    assert targets == [1, "direct"]


def test_field_cards_are_chosen_in_order_and_silence_takes_the_first() -> None:
    """KN-5.33, KN-5.39."""
    duel = lay({2: "alpha"}, {1: "beta", 3: "gamma"}, a_hand="o6")
    duel.play(0, "o6")
    assert [(act["seat"], act["slot"]) for act in duel.offered(0)] == [(0, 2), (1, 1), (1, 3)]
    duel.stay_silent(0)
    assert duel.space(0, 2) == ""


def test_cards_of_a_pile_are_chosen_and_silence_takes_the_first() -> None:
    """KN-5.34, KN-5.39."""
    duel = lay({1: "alpha"}, a_hand="o19", b_discard="o2 t1 o1")
    duel.play(0, "o19")
    assert duel.offered_cards(0) == ["o2", "t1", "o1"]
    duel.stay_silent(0)
    assert duel.pile("exile", 1) == "o2"


FEW = '{ label = "a", when = [{ pvd = { op = "<", n = 3 } }], effects = [{ op = "draw", n = 3 }] }'
REST = '{ label = "b", effects = [{ op = "draw", n = 1 }] }, { label = "c", effects = [] }'
CHOICE = f'{{ op = "choose_one", options = [{FEW}, {REST}] }}'


def test_open_branches_are_offered_and_silence_takes_the_lowest() -> None:
    """KN-5.35, KN-6.84."""
    duel = lay({1: "alpha"}, a_hand="oo", pack=pack_with(occasion(CHOICE)))
    duel.play(0, "oo")
    assert [act["index"] for act in duel.offered(0)] == [1, 2]
    duel.stay_silent(0)
    assert duel.pile("hand", 0) == "t1"


def test_a_space_is_chosen_and_silence_takes_the_lowest() -> None:
    """KN-5.36."""
    duel = lay({2: "beta"}, a_hand="o8", a_discard="alpha")
    duel.play(0, "o8")
    assert [act["slot"] for act in duel.offered(0)] == [1, 3, 4]
    duel.stay_silent(0)
    assert duel.space(0, 1) == "alpha"


@pytest.mark.parametrize(("answer", "drawn"), [("yes", 1), ("no", 0), (None, 0)])
def test_an_optional_ability_asks_and_silence_is_no(answer: str | None, drawn: int) -> None:
    """KN-5.37, KN-6.5."""
    may = 'kind = "triggered", trigger = "occasion_played", optional = true, effects = [{ op = "draw", n = 1 }]'
    duel = lay({1: "alpha"}, a_hand="o20", a_helper="pp", pvd=(2, 6), pack=pack_with(permanent("helper", may)))
    duel.play(0, "o20")
    duel.stay_silent(0) if answer is None else duel.act(0, answer)
    assert len(duel.told(None, "card_drawn")) == drawn


def test_excess_cards_are_discarded_and_silence_gives_the_newest() -> None:
    """KN-5.38, KN-4.8, I-20."""
    duel = lay({1: "alpha"}, a_hand="o1 o2 o3 o5 o6 o7 o8 o9 t1 t2")
    duel.answer(0, END)
    duel.stay_silent(0)
    assert duel.pile("discard", 0) == "t1 t2"


def test_a_choice_that_is_none_is_not_asked() -> None:
    """KN-5.40."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o5 o1")
    duel.play(0, "o5")
    duel.play(0, "o1")
    assert (duel.knight(0, 1)["ce"], duel.pv(1, 1)) == (8, 5)


SEAL = (
    '{ op = "destroy", target = { pick = "choose", who = "ally", '
    'zone = "support", filter = { level = "D" }, up_to = true } }'
)


@pytest.mark.parametrize("down", ["t1", "d1"])
def test_where_hidden_cards_could_be_chosen_the_seat_is_always_asked(down: str) -> None:
    """KN-5.40, KN-2.4."""
    duel = lay({1: "alpha"}, a_hand="oo", a_support={1: f"{down} down on 1"}, pack=pack_with(occasion(SEAL)))
    duel.play(0, "oo")
    assert duel.prompted(0, "choose_targets")
    assert len(duel.offered(0)) == (1 if down == "d1" else 0)


DROP = '{ op = "move_cards", from = "hand", to = "discard", pick = "choose", n = 1, filter = { kind = "knight" } }'


@pytest.mark.parametrize("held", ["t1", "beta"])
def test_a_choice_in_a_hand_is_always_asked(held: str) -> None:
    """KN-5.40."""
    pack = pack_with(occasion('{ op = "draw", n = 1 }', DROP))
    duel = lay({1: "alpha"}, a_hand=f"oo {held}", pack=pack)
    duel.play(0, "oo")
    assert len(duel.offered(0)) == (1 if held == "beta" else 0)
    duel.stay_silent(0)
    assert duel.told(None, "cards_moved")[0]["n"] == (1 if held == "beta" else 0)


def test_a_search_is_asked_even_if_it_finds_nothing() -> None:
    """KN-5.40, KN-6.11."""
    duel = lay({1: "alpha"}, a_hand="o3", a_deck="o1 o2")
    duel.play(0, "o3")
    assert (duel.offered(0), duel.prompted(0, "choose_cards").most) == ([], 0)
    duel.answer(0)
    assert [event["event"] for event in duel.told(1)][:2] == ["cards_moved", "deck_shuffled"]


def test_events_tell_everybody_the_public_part() -> None:
    """KN-5.50."""
    duel = lay({1: "alpha"}, a_hand="o2")
    duel.play(0, "o2")
    public, drawer = duel.told(None), duel.told(0)
    assert [event["event"] for event in public] == [event["event"] for event in drawer]
    assert all(event.items() >= told.items() for event, told in zip(drawer, public, strict=True))


def test_every_error_names_its_rule_and_every_action_its_parameters() -> None:
    """KN-5.1 to KN-5.13."""
    assert all(rule.startswith("KN-") and text.endswith(".") for rule, text in TEXTS.values())
    assert {word for word in PARAMETERS if word.startswith("play_")} == {
        f"play_{kind}" for kind in ("knight", "technique", "object", "occasion", "scenario", "helper")
    }


def test_explaining_needs_nothing_but_the_view() -> None:
    """KN-2.47."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="t1")
    attempt = Attempt(0, "illegal", duel.prompt(0), ({"do": "attack", "knight": 1, "target": 4},))
    refusal = RULES.explain(duel.view(0), attempt)
    assert (refusal.code, refusal.rule) == ("no_such_target", "KN-5.23")
