"""What the table holds, who sees it and how a match begins (PA-2, PA-3)."""

from __future__ import annotations

from typing import Any

import pytest

from engines import flow
from engines.patron.options import Options
from engines.record import Choice, decode_record, encode
from engines.rules import Match
from engines.sight import waiting
from tests.engines.patron.table import A, B, LoadedPatron, core, kinds, lay, pack_with, saint, seat
from tests.engines.patron.test_examples_turns import DECK, DOCUMENT, begun


def test_exactly_one_seat_has_to_act_at_any_moment() -> None:
    """PA-2.1."""
    scene = lay(a=seat(hand="t_event_hope"), b=seat(events="t_event_hope"), phase="events")
    assert [one.seat for one in waiting(scene.position)] == [A]
    scene.act(A, "pass_priority")
    assert [one.seat for one in waiting(scene.position)] == [B]
    scene.activate(B, "e1", 1, 1)
    assert [(one.seat, one.kind) for one in waiting(scene.position)] == [(A, "contest")]


def test_a_match_goes_on_from_its_stored_bytes_in_the_middle_of_a_check() -> None:
    """PA-2.2."""
    scene = lay(a=seat(hand="pilgrimage"), phase="graces")
    scene.does(A, "play_grace", "pilgrimage")
    scene.prompted(A, "virtue")
    record = decode_record(encode(scene.record))
    choice = [Choice(A, scene.position.of(A).id, ("1",))]  # type: ignore[union-attr]
    steps = [flow.submit(LoadedPatron(3, 4), scene.match, one, choice) for one in (record, scene.record)]
    assert len({encode(step.record) for step in steps}) == 1
    assert [event.kind for event in steps[0].events] == [event.kind for event in steps[1].events]


def test_dice_are_told_to_all_and_shuffles_to_nobody() -> None:
    """PA-2.3, PA-3.3."""
    scene = begun(6, 2, 3, 3)
    told = scene.told(None)
    assert kinds(told)[:3] == ["match_started", "deck_shuffled", "deck_shuffled"]
    assert [set(event) for event in scene.told(A, "deck_shuffled")] == [{"event", "seat"}] * 2
    assert [event["seat"] for event in scene.told(A, "deck_shuffled")] == [A, B]
    assert told == scene.told(A) == scene.told(B)


def test_a_patron_lies_face_up_in_its_place_and_the_rest_is_the_deck() -> None:
    """PA-3.2, PA-9.2, PA-7.1."""
    scene = begun(6, 2, 3, 3)
    for key in ("0", "1"):
        patron = scene.view(None)["patron"][key]
        assert (patron["card"], patron["in_play"], patron["milestones"]) == ("augustine", False, 0)
        assert scene.view(None)["deck"][key] == 39
        assert scene.view(None)["terra"][key] == []
    assert scene.view(None)["turn"]["active"] is None


def test_a_given_first_seat_is_neither_rolled_for_nor_chosen() -> None:
    """PA-3.4, PA-3.5, PA-3.7."""
    scene = begun(first_seat=1)
    assert scene.told(None, "start_roll") == []
    scene.prompted(B, "mulligan")
    scene.stay_silent(B)
    scene.stay_silent(A)
    assert (scene.state.turn, scene.state.active) == (1, B)


def test_an_illegal_deck_is_refused_before_the_match() -> None:
    """PA-3.1, PA-7.2."""
    deck = {**DOCUMENT, "cards": {**DECK, "storm_at_sea": 9}}
    faults = LoadedPatron().deck_faults(core(), deck)
    assert {fault.code for fault in faults} == {"deck_size", "too_many_copies"}


def test_both_seats_may_play_the_same_deck() -> None:
    """PA-7.4, PA-2.4."""
    match = Match(2, Options(), core().cards, (DOCUMENT, DOCUMENT))
    state = flow.begin(LoadedPatron(), match, pack="", key=bytes(32)).position.table.state
    assert [len(side.deck) for side in state.sides] == [39, 39]


def test_a_hand_is_its_owners_and_a_count_to_others() -> None:
    """PA-2.5."""
    scene = lay(a=seat(hand="novena famine", events="storm_at_sea", discard="monica"))
    mine, others = scene.view(A), scene.view(B)
    assert [card["card"] for card in mine["hand"]["0"]["cards"]] == ["novena", "famine"]
    assert others["hand"]["0"] == {"count": 2} == scene.view(None)["hand"]["0"]
    assert mine["events"]["0"] == [{"slot": "e1", "set_turn": 4, "card": "storm_at_sea"}]
    assert others["events"]["0"] == [{"slot": "e1", "set_turn": 4}]
    assert [card["card"] for card in others["discard"]["0"]] == ["monica"]
    assert others["deck"]["0"] == 10


def test_what_belongs_to_both_is_public() -> None:
    """PA-2.6."""
    scene = lay(phase="events", recursion_passes=3)
    zones = scene.view(None)
    assert zones["turn"] == {
        "turn": 5, "active": A, "first_seat": A, "phase": "events", "pass_index": 0, "pool": None,
        "saints_this_phase": 0, "priority": A, "passes": 0,
    }  # fmt: skip
    assert zones["options"]["recursion_passes"] == 3
    assert (zones["asking"], zones["resolving"], zones["ongoing"]) == (None, [], [])


def test_others_learn_the_candidates_of_a_question_only_if_all_can_see_them() -> None:
    """PA-2.6, PA-5.5."""
    scene = lay(a=seat(events="storm_at_sea", hand="novena famine"), phase="events")
    scene.activate(A, "e1", 1, 1)
    (contest,) = waiting(scene.position)
    assert contest.about["candidates"] == [{"do": "attempt"}, {"do": "decline"}]
    assert scene.view(None)["asking"] == {"seat": B, "kind": "contest"}
    scene.act(B, "decline")
    (discard,) = waiting(scene.position)
    assert (discard.kind, list(discard.about)) == ("discard", ["source"])
    assert scene.view(None)["asking"] == {"seat": A, "kind": "discard"}


def test_a_card_gets_a_new_name_with_every_arrival_in_a_hand() -> None:
    """PA-2.4, PA-2.7."""
    scene = lay(a=seat(terra="monica", discard="george"))
    before = scene.id_of(A, "george")
    scene.effect(A, "monica")
    scene.does(A, "take", "george")
    assert scene.held(A, "george") != before
    (moved,) = scene.told(B, "card_moved")
    assert moved["card"] == {"card": "george"}
    (own,) = scene.told(A, "card_moved")
    assert own["card"] == {"card": "george", "id": scene.held(A, "george")}


def test_an_event_set_face_down_shows_a_slot_and_comes_to_light_when_activated() -> None:
    """PA-2.7, PA-4.25, PA-4.30, PA-5.7."""
    scene = lay(a=seat(hand="storm_at_sea"), phase="events")
    scene.does(A, "set_event", "storm_at_sea")
    assert scene.told(B, "event_set") == [{"event": "event_set", "seat": A, "slot": "e1"}]
    assert scene.told(A, "event_set")[0]["card"] == {"card": "storm_at_sea"}
    scene.next_turn()
    scene.go_to(B, "events")
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 6, 6)
    (revealed,) = scene.told(None, "event_revealed")
    assert (revealed["slot"], revealed["owner"], revealed["card"]["card"]) == ("e1", A, "storm_at_sea")


def test_slots_are_never_used_again() -> None:
    """PA-2.4, PA-9.23."""
    scene = lay(a=seat(events="t_event_hope", hand="t_event_hope t_event_faith t_event_justice"), phase="events")
    scene.activate(A, "e1", 6, 6)
    for key in ("t_event_hope", "t_event_faith", "t_event_justice"):
        scene.does(A, "set_event", key)
    assert [slot["slot"] for slot in scene.view(B)["events"]["0"]] == ["e2", "e3", "e4"]


PEEK = saint("t_seer", '{ kind = "act", do = [{ op = "peek", who = "opponent", what = "event" }] }',
             '{ kind = "act", do = [{ op = "peek", who = "opponent", what = "hand" }] }')  # fmt: skip


def test_a_peeked_slot_stays_known_to_whoever_was_shown_it() -> None:
    """PA-2.5, PA-2.7, PA-6.5."""
    b = seat(events="storm_at_sea famine", hand="novena benedict")
    scene = lay(seat(terra="t_seer"), b, pack=pack_with(PEEK))
    scene.effect(A, "t_seer", 0)
    scene.act(A, "target", slot="e2")
    assert scene.told(A, "peeked")[0]["cards"] == ["famine"]
    assert "cards" not in scene.told(None, "peeked")[0]
    assert scene.view(A)["events"]["1"] == [
        {"slot": "e1", "set_turn": 4},
        {"slot": "e2", "set_turn": 4, "card": "famine"},
    ]
    assert "card" not in scene.view(None)["events"]["1"][1]
    scene.effect(A, "t_seer", 1)
    assert scene.told(A, "peeked")[0]["cards"] == ["benedict", "novena"]
    assert scene.told(B, "peeked") == [{"event": "peeked", "seat": A, "whose": B, "what": "hand"}]
    assert scene.view(A)["hand"]["1"] == {"count": 2}


def test_trigger_uses_are_told_by_cards_that_all_can_see() -> None:
    """PA-2.5, PA-6.3."""
    scene = lay(a=seat("thomas_aquinas", hand="novena"), phase="graces")
    scene.does(A, "play_grace", "novena")
    uses = scene.counter(A, "trigger_uses")
    assert [(one["id"] == scene.id_of(A, "thomas_aquinas"), one["effect"], one["uses"]) for one in uses] == [
        (False, 0, 1), (True, 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("zone", ["hand", "deck"])
def test_an_exchange_of_hidden_faces_shows_nothing_to_the_other_seat(zone: str) -> None:
    """PA-2.5, PA-2.7."""
    views: list[Any] = []
    for first, second in (("novena", "famine"), ("famine", "novena")):
        a = seat(**{zone: f"{first} {second}"})
        views.append([lay(a).view(audience) for audience in (B, None)])
    assert views[0] == views[1]
