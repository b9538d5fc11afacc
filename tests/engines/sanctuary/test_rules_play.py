"""How turns are played: phases, placing, effects collected and settled, prompts, errors and events (SA-4, SA-5)."""

from __future__ import annotations

import pytest

from engines.record import encode
from engines.rules import Attempt
from engines.sanctuary.spelling import ANSWERS
from engines.sanctuary.state import Trigger
from engines.sight import waiting
from tests.engines.sanctuary.table import RULES, lay, tile

LATE = Trigger(1, ("c2",))


def test_one_seat_decides_and_waiting_effects_come_first() -> None:
    """SA-4.1, SA-4.33."""
    t = lay(hand0="an_emu t1_bird", zoo0="D3:t1_bird_guide_a", cards0="P F W R")
    t.refused(1, "not_your_turn", {"do": "take_tile", "position": 1})
    t.play(0, "rock", "an_emu", "C3")
    t.prompted(0, "effects")
    t.refused(0, "wrong_phase", {"do": "finish_turn"})
    t.decline(0, 2)
    t.decline(0, 1)
    t.prompted(0, "optional_step")


def test_effects_that_cannot_be_carried_out_wait_for_one_that_can() -> None:
    """SA-4.33, SA-6.20: when none can, all are dropped, the lowest number first."""
    t = lay(
        hand0="t2_forest_bird", zoo0="D3:t1_bird_guide_a E3:t1_bird_guide_b", cards0="P F R W", pile="x21", display=""
    )
    t.play(0, "forest", "t2_forest_bird", "D2")
    t.use(0, 2)
    assert t.hand(0) == "x21"
    assert [event["effect"] for event in t.told(None, "effect_skipped")] == [1]
    t.prompted(0, "optional_step")
    t = lay(hand0="t2_forest_bird", zoo0="D3:t1_bird_guide_a E3:t1_bird_guide_b", cards0="P F R W", pile="", display="")
    t.play(0, "forest", "t2_forest_bird", "D2")
    assert [event["effect"] for event in t.told(1, "effect_skipped")] == [1, 2]


def test_an_effect_that_is_impossible_can_only_be_declined() -> None:
    """SA-4.32, SA-6.20."""
    both = tile(id="t_both", effects=[{"do": "draw", "n": 1}, {"do": "shift"}])
    t = lay(phase="optional", hand0="t_both", pile="", display="x35", extra=[both])
    t.build(0, "t_both", "C3")
    t.refused(0, "effect_impossible", {"do": "resolve_effect", "effect": 1})
    t.refused(0, "effect_unknown", {"do": "resolve_effect", "effect": 9})
    t.refused(0, "effect_unknown", {"do": "decline_effect", "effect": 9})
    t.decline(0, 1)
    t.use(0, 2, {"do": "shift", "card": "water"})
    assert t.cards(0) == "W P F R"


def test_nothing_has_happened_before_the_last_answer_of_an_act() -> None:
    """SA-4.12: the tile, its open areas, then the effects."""
    t = lay(hand0="an_saltwater_crocodile_m x01 x02", zoo0="C3:x03", cards0="P F R W2")
    before = encode(t.state)
    t.act(0, "play_animal", card="water", tile="an_saltwater_crocodile_m")
    t.act(0, "place", tile="an_saltwater_crocodile_m", space="C2")
    assert encode(t.state) == before
    assert t.told(1) == []
    assert t.prompted(0, "open_area").about == {}
    t.refused(0, "open_area_tile", {"do": "put_open_area", "space": "D2", "tile": "x09"})
    t.refused(0, "open_area_extra", {"do": "put_open_area", "space": "D3", "tile": "x01"})
    t.act(0, "put_open_area", space="D2", tile="x02")
    t.refused(0, "open_area_tile", {"do": "put_open_area", "space": "D3", "tile": "x02"})
    assert encode(t.state) == before
    t.act(0, "put_open_area", space="D3", tile="x01")
    assert (t.zoo(0, "D2"), t.zoo(0, "D3")) == ("x02~", "x01~")
    kinds = [event["event"] for event in t.told(1)]
    assert kinds == ["tile_placed", "open_area_placed", "open_area_placed", "placement_bonus", *["effect_pending"] * 2]
    assert "tile" not in t.told(1, "open_area_placed")[0]
    assert t.told(0, "open_area_placed")[0]["tile"] == "x02"


def test_a_release_goes_on_an_animal_only() -> None:
    """SA-4.14, SA-6.44."""
    t = lay(hand0="pr_release_savanna", zoo0="D3:t1_africa_a C3:t1_bird", cards0="F R P W")
    t.act(0, "play_project", tile="pr_release_savanna")
    assert t.places(0) == ["D3"]
    t.refused(0, "cover_mismatch", {"do": "place", "tile": "pr_release_savanna", "space": "C3"})
    t.refused(0, "space_unknown", {"do": "place", "tile": "pr_release_savanna", "space": "Z9"})
    t.act(0, "place", tile="pr_release_savanna", space="D3")
    assert t.table.seats[0].conservation == 2


def test_a_covered_tile_loses_its_ability_and_a_satisfied_arrow_is_not_checked_again() -> None:
    """SA-4.23, SA-4.35."""
    guide = tile(
        id="t_guide", kind="animal", icons=["africa", "primate"], arrows=["N"],
        abilities=[{"when": "on_play", "icon": "bird", "effects": [{"do": "draw", "n": 1}]}],
    )  # fmt: skip
    t = lay(hand0="pr_release_savanna t1_bird", zoo0="D3:t_guide D2:x01~ C3:x02", cards0="F R P W", extra=[guide])
    t.project(0, "pr_release_savanna", "D3")
    assert t.zoo(0, "D2") == "x01~"
    t.finish(0)
    t.pass_turn(1)
    t.take(0)
    t.play(0, "rock", "t1_bird", "E3")
    assert t.waiting() == []


def test_open_areas_cover_anchor_and_serve_any_number_of_arrows() -> None:
    """SA-4.24, SA-4.29: putting one is not playing."""
    t = lay(hand0="an_snow_leopard_m an_snow_leopard_f", zoo0="D2:x01~", cards0="P F W R", taken0="C2")
    t.act(0, "play_animal", card="rock", tile="an_snow_leopard_m")
    assert {"C2", "D1"} & set(t.places(0)) == {"C2"}  # anchored by D2; an arrow of D1 would point off the map
    t.act(0, "place", tile="an_snow_leopard_m", space="D3")
    assert t.zoo(0, "D3") == "an_snow_leopard_m"
    t = lay(hand0="an_snow_leopard_f", zoo0="D2:x01~ D3:an_snow_leopard_m", cards0="P F W R", taken0="C2")
    t.play(0, "rock", "an_snow_leopard_f", "C2")
    assert t.hand(0) == ""
    house = tile(id="t_house", arrows=["N"], abilities=[{"when": "on_play", "icon": "building", "effects": []}])
    t = lay(phase="optional", hand0="t_house x05", zoo0="D3:x01", extra=[house], taken0="E2")
    t.build(0, "t_house", "E3", "x05")
    assert t.zoo(0, "E2") == "x05~"
    assert t.waiting() == []


def test_the_bonus_of_a_space_is_got_once_even_if_it_is_declined() -> None:
    """SA-4.25."""
    t = lay(phase="optional", hand0="x01 t_mover", zoo0="C3:x02")
    t.build(0, "x01", "C2")
    assert t.told(1, "placement_bonus") == [{"event": "placement_bonus", "seat": 0, "space": "C2"}]
    t.decline(0, 1)
    assert t.table.seats[0].bonus_taken == ["C2"]
    moved = lay(phase="optional", hand0="t_mover", zoo0="C2:x02 C3:x03", taken0="C2")
    moved.build(0, "t_mover", "D3")
    moved.use(0, 1, {"do": "relocate", "from": "C2", "to": "D2"})
    assert moved.waiting() == []


def test_effects_are_collected_in_one_order_and_numbered_over_the_match() -> None:
    """SA-4.30, SA-4.31: bonus, bonuses of open areas, own effects, pair, on_play, on_open_area, on_pair."""
    m = tile(id="t_m", kind="animal", icons=["bird"], sex="m", species="both")
    f = tile(
        id="t_f", kind="animal", icons=["bird"], sex="f", species="both", arrows=["SE"],
        effects=[{"do": "gain", "marker": "pouch", "n": 1}, {"do": "reveal", "n": 1, "keep": 1}],
    )  # fmt: skip
    keeper = tile(
        id="t_keeper", kind="project",
        abilities=[
            {"when": "on_pair", "effects": [{"do": "draw", "n": 1}]},
            {"when": "on_open_area", "effects": [{"do": "pouch", "max": 1}]},
            {"when": "on_play", "icon": "animal", "effects": [{"do": "take", "n": 1}]},
        ],
    )  # fmt: skip
    t = lay(hand0="t_f x01", zoo0="D2:t_m D3:t_keeper", cards0="P W R F", extra=[m, f, keeper])
    t.play(0, "forest", "t_f", "D1", "x01")
    assert t.waiting() == [(1, "take"), (2, "reveal"), (3, "take"), (4, "pouch"), (5, "draw")]
    t = lay(hand0="t_f x01", zoo0="D2:t_m D3:t_keeper", cards0="P W R F", extra=[m, f, keeper])
    t.play(0, "forest", "t_f", "D1", "x01")
    sources = [one["source"] for one in t.view(1)["effects"]["pending"]]
    assert sources == ["D1", "t_f", "t_keeper", "t_keeper", "t_keeper"]
    assert t.table.seats[0].conservation == 1
    assert t.table.seats[0].pouch == 1
    assert [event["reason"] for event in t.told(None, "markers_changed")] == ["effect", "pair"]


def test_abilities_trigger_in_the_order_of_spaces() -> None:
    """SA-4.30: A1, A2 and so on, the new tile included."""
    t = lay(hand0="pr_reptile_curator", zoo0="C3:t1_bird_guide_a E3:t1_bird_guide_b", cards0="F R W P")
    t.project(0, "pr_reptile_curator", "D3")
    assert [one["source"] for one in t.view(0)["effects"]["pending"]] == ["pr_reptile_curator"]
    t = lay(hand0="t1_bird", zoo0="E3:t1_bird_guide_a C3:t1_bird_guide_b", cards0="P F R W")
    t.play(0, "forest", "t1_bird", "D3")
    assert [one["source"] for one in t.view(0)["effects"]["pending"]] == ["t1_bird_guide_b", "t1_bird_guide_a"]


def test_the_end_of_a_turn_has_its_order() -> None:
    """SA-4.40, SA-4.44: limit, slide, fill, check, next seat."""
    t = lay(
        seats=3,
        active=2,
        phase="optional",
        hand2="x01 x02 x03 x04 x05 x06 x07",
        display="- x36",
        pile="x21 x22 x23 x24 x25 x26",
    )
    t.finish(2)
    assert t.display().startswith("- x36")
    t.act(2, "discard", tile="x01")
    assert [event["event"] for event in t.told(None)] == [
        "tiles_discarded", "display_slid", "display_filled", "turn_started",
    ]  # fmt: skip
    assert t.table.active == 0


def test_a_seat_that_is_gone_is_passed_over() -> None:
    """SA-4.44, SA-8.16."""
    t = lay(seats=3, phase="optional")
    t.resign(1)
    t.finish(0)
    assert t.table.active == 2
    t.refused(1, "seat_inactive", {"do": "take_tile", "position": 1})


@pytest.mark.parametrize(
    ("do", "extra"),
    [
        ("take_tile", {}), ("take_tile", {"position": 7}), ("take_tile", {"position": True}),
        ("take_tile", {"position": "1"}), ("take_tile", {"position": 1, "rotation": 0}), ("dance", {}), (3, {}),
    ],
)  # fmt: skip
def test_an_act_of_the_wrong_form_is_refused(do: object, extra: dict[str, object]) -> None:
    """SA-2.4, SA-5.1: no act carries a rotation."""
    lay(phase="take").refused(0, "bad_params", {"do": do, **extra})


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"do": "draw_tiles", "card": "projects"}, "wrong_card"),
        ({"do": "draw_tiles", "card": "sand"}, "bad_params"),
        ({"do": "take_from_display", "positions": [1, 1]}, "bad_params"),
        ({"do": "take_from_display", "positions": [0]}, "bad_params"),
        ({"do": "take_from_display", "positions": 1}, "bad_params"),
        ({"do": "play_animal", "card": "rock", "tile": "t1_primate"}, "not_in_hand"),
        ({"do": "play_animal", "card": "rock", "tile": "x01"}, "wrong_kind"),
        ({"do": "play_animal", "card": "rock", "tile": "t1_bird", "open_areas": [1]}, "bad_params"),
        ({"do": "play_animal", "card": "rock", "tile": "t1_bird", "open_areas": [{"space": "C3"}]}, "bad_params"),
        ({"do": "play_animal", "card": "rock", "tile": "t1_bird", "space": "C3",
          "open_areas": [{"space": "C2", "tile": "x01"}]}, "open_area_extra"),
        ({"do": "play_animal", "card": "rock", "tile": "t1_bird", "space": "C3"}, "bad_params"),
        ({"do": "play_project", "tile": "zebra"}, "not_in_hand"),
        ({"do": "support", "objective": "ob_bird", "achievement": 2}, "wrong_phase"),
    ],
)  # fmt: skip
def test_the_first_test_that_fails_names_the_error(act: dict[str, object], code: str) -> None:
    """SA-5.2, SA-5.3: state and chance stay as they are."""
    lay(hand0="t1_bird x01").refused(0, code, act)


def test_open_areas_are_tested_in_their_order() -> None:
    """SA-5.3: missing, extra, then the tile."""
    t = lay(hand0="an_snow_leopard_f x01 x02", cards0="P F W R")
    whole = {"do": "play_animal", "card": "rock", "tile": "an_snow_leopard_f", "space": "E3"}
    t.refused(0, "open_area_missing", whole)
    both = [{"space": "F3", "tile": "x01"}, {"space": "E2", "tile": "x02"}]
    t.refused(0, "open_area_extra", whole | {"open_areas": both})
    t.refused(0, "open_area_tile", whole | {"open_areas": [{"space": "F3", "tile": "an_snow_leopard_f"}]})
    poor = lay(hand0="an_snow_leopard_f", cards0="P F W R")
    poor.refused(0, "open_area_missing", {"do": "play_animal", "card": "rock", "tile": "an_snow_leopard_f"})


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"do": "support", "objective": "ob_zebra", "achievement": 2}, "objective_unknown"),
        ({"do": "support", "objective": "ob_reptile", "achievement": 2}, "objective_already_supported"),
        ({"do": "support", "objective": "ob_bird", "achievement": 3}, "achievement_used"),
        ({"do": "support", "objective": "ob_bird", "achievement": 6}, "bad_params"),
        ({"do": "play_building", "tile": "t1_bird"}, "wrong_kind"),
        ({"do": "play_building", "tile": "x09"}, "not_in_hand"),
        ({"do": "play_building", "tile": "x01", "space": "A1"}, "space_not_anchored"),
        ({"do": "upgrade", "card": "rock", "marker": "projects"}, "bad_params"),
    ],
)  # fmt: skip
def test_optional_steps_are_tested_in_their_order(act: dict[str, object], code: str) -> None:
    """SA-5.3."""
    t = lay(phase="optional", hand0="t1_bird x01", zoo0="D3:t2_bird_twice", ach0="3:ob_reptile")
    t.refused(0, code, act)


def test_errors_of_the_table_come_first() -> None:
    """SA-5.1, SA-5.6: over, unknown seat, then the turn; an answer to an earlier prompt is stale."""
    t = lay(phase="optional", display="- x36", pile="")
    t.finish(0)
    assert RULES.explain(t.view(0), Attempt(0, "over", None)).code == "match_over"
    t = lay(phase="take")
    assert RULES.explain(t.view(None), Attempt(7, "not_yours", None)).code == "unknown_seat"
    t.refused(0, "stale_version", {"do": "take_tile", "position": 1}, stale=True)


def test_every_kind_of_prompt_tells_others_only_what_is_public() -> None:
    """SA-2.11, SA-5.4: kind, seat and public fields, never the options or their number."""
    t = lay(hand0="an_emu", cards0="P F W R")
    (asked,) = waiting(t.position)
    assert (asked.seat, asked.kind) == (0, "choose_action")
    assert asked.about == {"cards": {"forest": 2, "rock": 4, "water": 3, "projects": 1}}
    t.act(0, "play_animal", card="rock", tile="an_emu")
    (asked,) = waiting(t.position)
    assert (asked.kind, asked.about) == ("place", {})
    assert t.prompt(1) is None


def test_optional_is_asked_even_if_nothing_but_finishing_is_possible() -> None:
    """SA-2.11, SA-4.36."""
    t = lay()
    t.act(0, "draw_tiles", card="rock")
    assert t.prompted(0, "optional_step").about == {"stage": 0, "open": ["play_building", "support", "upgrade"]}
    assert [act for act in t.offered(0) if act["do"] != "play_building"] == [{"do": "finish_turn"}]


def test_one_place_alone_is_asked_all_the_same() -> None:
    """SA-2.11."""
    t = lay(
        hand0="t1_bird", zoo0="C3:x01 E3:x02 C2:x03 B3:x04 B4:x05 E2:x06 F3:x07 F4:x08 D2:x09 D1:x10", cards0="F P R W"
    )
    t.act(0, "play_animal", card="forest", tile="t1_bird")
    t.prompted(0, "place")


def test_options_are_all_legal_acts_of_the_asked_seat() -> None:
    """SA-5.7: each tile and card, with every place asked next; a tile without open areas to give is not listed."""
    t = lay(hand0="an_emu t2_forest_bird t1_project_a an_saltwater_crocodile_m", cards0="P F R W2")
    plays = [(act["do"], act.get("card"), act.get("tile")) for act in t.offered(0) if "tile" in act]
    assert plays == [
        ("play_animal", "forest", "an_emu"), ("play_animal", "forest", "t2_forest_bird"),
        ("play_animal", "rock", "an_emu"),
        ("play_animal", "water", "an_emu"), ("play_animal", "water", "an_saltwater_crocodile_m"),
        ("play_project", None, "t1_project_a"),
    ]  # fmt: skip
    assert len(t.offers(0, "take_from_display")) == 6
    assert len(t.offers(0, "draw_tiles")) == 3
    assert set(ANSWERS) >= {"take_tile", "choose_action", "place", "effects", "optional_step"}


def test_side_two_of_the_projects_card_takes_two_in_any_order() -> None:
    """SA-4.7: one or two."""
    t = lay(cards0="P2 F R W", display="x35 x36 x37")
    lists = [act["positions"] for act in t.offers(0, "take_from_display")]
    assert lists == [[1], [2], [3], [1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]]
    t.act(0, "take_from_display", positions=[3, 1])
    assert t.hand(0) == "x37 x35"
    assert [event["via"] for event in t.told(1, "tile_taken")] == ["action", "action"]


def test_whole_lists_are_told_before_the_new_pile_that_they_cause() -> None:
    """SA-5.5, SA-4.43: tiles of one pouch go together, then the pile is made anew."""
    t = lay(
        phase="optional", hand0="t_pouch x01 x02", pile="", discard="", display="x35", trigger=LATE, seats=3, queue=[2],
        extra=[tile(id="t_pouch", effects=[{"do": "pouch", "max": 2}])],
    )  # fmt: skip
    t.build(0, "t_pouch", "C3")
    t.use(0, 1, {"do": "pouch", "tile": "x02"}, {"do": "pouch", "tile": "x01"})
    kinds = [event["event"] for event in t.told(None)]
    assert kinds == ["effect_resolved", "tiles_discarded", "pile_reshuffled", "markers_changed"]
    assert len(t.table.pile) == 2
    assert t.table.seats[0].pouch == 2


def test_everybody_gets_as_many_events_in_the_same_order() -> None:
    """SA-2.11, SA-5.5."""
    t = lay(hand0="an_snow_leopard_f x01", cards0="P F W R")
    t.play(0, "rock", "an_snow_leopard_f", "E3", "x01")
    assert [event["event"] for event in t.told(0)] == [event["event"] for event in t.told(None)]


def test_equal_inputs_give_equal_matches() -> None:
    """SA-5.6."""
    records = []
    for _ in range(2):
        t = lay(pile="x21", discard="x22 x23 x24 x25", trigger=LATE, seats=3, queue=[2])
        t.act(0, "draw_tiles", card="rock")
        t.finish(0)
        records.append(encode(t.record))
    assert records[0] == records[1]
