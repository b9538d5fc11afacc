"""Worked examples E-01 to E-15 and E-29 to E-34: taking, acting, placing, optional steps, end of turn."""

from __future__ import annotations

from engines.sanctuary.state import Trigger
from tests.engines.sanctuary.table import lay

FINAL = Trigger(1, ("c2",))


def test_e01_the_first_take_is_within_the_range_of_the_projects_card() -> None:
    """E-01: SA-4.2, SA-4.4."""
    t = lay(phase="take")
    t.refused(0, "position_out_of_range", {"do": "take_tile", "position": 2})
    t.take(0, 1)
    assert t.hand(0) == "x35"
    assert t.display() == "- x36 x37 x38 x39 x40"
    assert t.cards(0) == "P F R W"
    t.prompted(0, "choose_action")


def test_e02_side_two_of_the_projects_card_reaches_position_five_and_never_six() -> None:
    """E-02: SA-4.6."""
    t = lay(phase="take", cards0="F R W P2")
    assert t.prompted(0, "take_tile").about == {"range": 5, "positions": [1, 2, 3, 4, 5, 6]}
    t.refused(0, "position_out_of_range", {"do": "take_tile", "position": 6})
    t.take(0, 5)
    assert t.hand(0) == "x39"


def test_e03_an_empty_position_cannot_be_taken_and_an_empty_display_skips_the_step() -> None:
    """E-03: SA-4.3, SA-4.43."""
    t = lay(phase="take", cards0="F R W P", display="x35 x36", pile="", trigger=FINAL, seats=3, queue=[2])
    t.refused(0, "position_empty", {"do": "take_tile", "position": 3})
    t.take(0, 2)
    assert t.hand(0) == "x36"
    empty = lay(phase="start", display="", pile="", trigger=FINAL, seats=3, queue=[2])
    assert empty.table.phase == "action"
    empty.prompted(0, "choose_action")


def test_e04_drawing_two_tiles_moves_the_card_to_slot_one() -> None:
    """E-04: SA-4.7, SA-4.15."""
    t = lay()
    t.act(0, "draw_tiles", card="rock")
    assert t.hand(0) == "x21 x22"
    assert t.cards(0) == "R P F W"
    assert t.table.phase == "optional"
    t.prompted(0, "optional_step")


def test_e05_the_used_card_moves_also_if_it_is_leftmost_already() -> None:
    """E-05: SA-4.15."""
    t = lay()
    t.act(0, "draw_tiles", card="water")
    assert t.cards(0) == "W P F R"
    t = lay()
    t.act(0, "take_from_display", positions=[6])
    assert t.cards(0) == "P F R W"
    (moved,) = t.told(1, "card_moved")
    assert (moved["card"], moved["from_slot"]) == ("projects", 1)


def test_e06_the_projects_card_takes_one_tile_or_two_or_what_is_there() -> None:
    """E-06: SA-4.7, SA-4.8."""
    given = {"display": "- x36", "pile": "", "trigger": FINAL, "seats": 3, "queue": [2]}
    t = lay(cards0="P2 F R W", **given)
    t.refused(0, "too_few", {"do": "take_from_display", "positions": []})
    t.refused(0, "position_empty", {"do": "take_from_display", "positions": [2, 3]})
    t.act(0, "take_from_display", positions=[2])
    assert t.hand(0) == "x36"
    t = lay(**given)
    t.refused(0, "too_many", {"do": "take_from_display", "positions": [2, 3]})
    t = lay(**given | {"display": ""})
    t.act(0, "take_from_display", positions=[])
    assert t.hand(0) == ""
    assert t.cards(0) == "P F R W"


def test_e07_the_level_must_not_be_above_the_strength_and_discounts_lower_it() -> None:
    """E-07: SA-4.9, SA-4.11."""
    animal = "t3_forest_primate_asia"
    t = lay(hand0=animal)
    t.refused(0, "level_too_high", {"do": "play_animal", "card": "forest", "tile": animal, "space": "C3"})
    t.refused(0, "level_too_high", {"do": "play_animal", "card": "forest", "tile": animal})
    t = lay(hand0=animal, zoo0="D3:pr_partner_zoo_asia")
    t.play(0, "forest", animal, "C3")
    assert t.zoo(0, "C3") == animal
    assert t.told(1, "tile_placed")[0]["level"] == 2


def test_e08_a_tile_does_not_discount_itself() -> None:
    """E-08: SA-4.9."""
    t = lay(hand0="pr_partner_zoo_asia")
    t.refused(0, "level_too_high", {"do": "play_project", "tile": "pr_partner_zoo_asia", "space": "D3"})
    t.act(0, "draw_tiles", card="forest")
    assert t.cards(0) == "F P R W"


def test_e09_discounts_add_up_and_never_go_below_zero() -> None:
    """E-09: SA-4.9, SA-4.13."""
    first, second = "t2_rock_asia_predator", "t2_rock_europe_herbivore"
    t = lay(hand0=f"{first} {second}", zoo0="D3:pr_partner_zoo_asia C3:t2_rock_guide", cards0="R2 P F W")
    t.play(0, "rock", first, "E3")
    assert t.table.used is not None
    assert t.table.used.budget == 2
    assert t.prompted(0, "second_animal").about == {"card": "rock", "budget": 2}
    t.second(0, second, "D2")
    assert t.zoo(0, "D2") == second
    assert t.table.phase == "optional"


def test_e10_an_animal_of_undefined_habitat_goes_with_any_animal_card() -> None:
    """E-10: SA-4.10."""
    t = lay(hand0="an_emu t2_forest_bird", cards0="P R F W")
    t.refused(0, "habitat_mismatch", {"do": "play_animal", "card": "rock", "tile": "t2_forest_bird", "space": "C3"})
    t.refused(0, "wrong_kind", {"do": "play_project", "tile": "an_emu", "space": "C3"})
    t.refused(0, "wrong_card", {"do": "play_animal", "card": "projects", "tile": "an_emu", "space": "C3"})
    t.play(0, "rock", "an_emu", "C3")
    assert t.zoo(0, "C3") == "an_emu"


def test_e11_the_rest_of_the_strength_is_the_budget_of_a_second_animal() -> None:
    """E-11: SA-4.13, SA-4.16."""
    t = lay(hand0="t3_forest_bird t2_forest_bird t1_forest_bird", cards0="P W F2 R")
    t.play(0, "forest", "t3_forest_bird", "D3")
    assert t.table.phase == "second"
    t.refused(0, "level_too_high", {"do": "play_second_animal", "tile": "t2_forest_bird", "space": "C3"})
    assert t.offers(0, "play_second_animal") == [{"do": "play_second_animal", "tile": "t1_forest_bird"}]
    t.act(0, "end_action")
    assert t.cards(0) == "F2 P W R"
    t.prompted(0, "optional_step")


def test_e12_a_tile_gained_by_the_first_animal_may_be_the_second() -> None:
    """E-12: SA-4.13, SA-4.22."""
    t = lay(hand0="an_snow_leopard_f x01", cards0="P F W R2", pile="t2_rock_bird x21")
    t.play(0, "rock", "an_snow_leopard_f", "E3", "x01")
    assert t.zoo(0, "F3") == "x01~"
    assert t.waiting() == [(1, "draw")]
    t.use(0, 1)
    assert t.prompted(0, "second_animal").about == {"card": "rock", "budget": 2}
    t.second(0, "t2_rock_bird", "D3")
    assert t.zoo(0, "D3") == "t2_rock_bird"
    declined = lay(hand0="an_snow_leopard_f x01", cards0="P F W R2", pile="t2_rock_bird x21")
    declined.play(0, "rock", "an_snow_leopard_f", "E3", "x01")
    declined.decline(0, 1)
    assert declined.hand(0) == ""
    declined.prompted(0, "optional_step")


def test_e13_arrows_point_at_open_areas_and_nothing_else() -> None:
    """E-13: SA-4.22."""
    t = lay(hand0="an_snow_leopard_m x01", zoo0="D2:x02 E1:x03", cards0="P F W R")
    t.act(0, "play_animal", card="rock", tile="an_snow_leopard_m")
    t.refused(0, "arrow_off_map", {"do": "place", "tile": "an_snow_leopard_m", "space": "D1"})
    assert "D1" not in t.places(0)
    t = lay(hand0="an_saltwater_crocodile_m x01 x02", zoo0="D2:x03", cards0="P F R W2")
    t.refused(
        0, "arrow_blocked",
        {"do": "play_animal", "card": "water", "tile": "an_saltwater_crocodile_m", "space": "C3",
         "open_areas": [{"space": "D3", "tile": "x01"}]},
    )  # fmt: skip
    t.act(0, "draw_tiles", card="water")
    t.prompted(0, "optional_step")


def test_e14_a_printed_open_area_satisfies_an_arrow() -> None:
    """E-14: SA-4.22, SA-4.24."""
    t = lay(hand0="an_snow_leopard_f x01", zoo0="A3:x02", cards0="P F W R")
    whole = {"do": "play_animal", "card": "rock", "tile": "an_snow_leopard_f", "space": "A2"}
    t.refused(0, "open_area_extra", whole | {"open_areas": [{"space": "B2", "tile": "x01"}]})
    t.play(0, "rock", "an_snow_leopard_f", "A2")
    assert t.hand(0) == "x01"
    assert t.waiting() == [(1, "draw")]


def test_e15_a_zoo_grows_from_the_entrance() -> None:
    """E-15: SA-4.20, SA-4.21."""
    t = lay(hand0="t1_bird", cards0="F P R W")
    t.act(0, "play_animal", card="forest", tile="t1_bird")
    for space, code in (("C2", "space_not_anchored"), ("B2", "space_occupied"), ("D4", "space_unknown")):
        t.refused(0, code, {"do": "place", "tile": "t1_bird", "space": space})
    assert t.places(0) == ["C3", "D3", "E3"]
    t.act(0, "place", tile="t1_bird", space="E3")
    assert t.zoo(0, "E3") == "t1_bird"


def test_e29_later_steps_close_earlier_ones() -> None:
    """E-29: SA-4.36."""
    birds = "C3:t1_australia_a D3:t1_australia_b"
    ready = "E3:t1_project_a E2:t1_project_b B3:t1_forest_a B4:t1_forest_b A3:t1_forest_c C2:t1_reptile D2:t1_primate"
    t = lay(phase="optional", hand0="x01", zoo0=f"{birds} {ready}", ach0="3:ob_reptile")
    t.act(0, "support", objective="ob_bird", achievement=2)
    t.refused(0, "step_closed", {"do": "play_building", "tile": "x01", "space": "D1"})
    t.refused(0, "step_closed", {"do": "support", "objective": "ob_predator", "achievement": 4})
    assert t.prompted(0, "optional_step").about == {"stage": 2, "open": ["upgrade"]}
    t.act(0, "upgrade", card="forest")
    t.finish(0)
    t = lay(phase="optional", hand0="x01", zoo0=f"{birds} {ready}", ach0="3:ob_reptile")
    t.build(0, "x01", "D1")
    t.decline(0, 1)  # the bonus of D1
    t.act(0, "support", objective="ob_bird", achievement=2)
    t.act(0, "upgrade", card="forest")
    t.finish(0)
    assert t.table.active == 1


def test_e30_in_mode_one_the_turn_goes_on_after_a_single_step() -> None:
    """E-30: SA-4.37."""
    t = lay(phase="optional", hand0="x01", options={"after_action": "one"})
    t.build(0, "x01", "C3")
    assert t.table.active == 1
    t.prompted(1, "take_tile")
    assert [event["event"] for event in t.told(1, "optional_finished")] == ["optional_finished"]


def test_e31_an_upgrade_needs_all_four_conditions_once_a_turn() -> None:
    """E-31: SA-4.39."""
    lacking = "C3:t1_forest_a C2:t1_forest_b B3:t1_forest_c D3:t1_bird E3:t1_reptile D2:t1_project_a D1:t1_project_b"
    t = lay(phase="optional", zoo0=lacking, ach0="2:ob_bird")
    refusal = t.refused(0, "upgrade_condition_unmet", {"do": "upgrade", "card": "forest"})
    assert refusal.details == {"unmet": ["classes"]}
    t = lay(phase="optional", zoo0=f"{lacking} E2:t1_primate", ach0="2:ob_bird")
    t.act(0, "upgrade", card="forest")
    assert t.cards(0) == "P F2 R W"
    assert t.table.seats[0].upgrade_used == ["objective"]
    t.refused(0, "upgrade_limit", {"do": "upgrade", "card": "rock"})
    t.finish(0)
    t.pass_turn(1)
    t.take(0)
    t.act(0, "draw_tiles", card="rock")
    t.act(0, "upgrade", card="rock")
    assert t.table.seats[0].upgrade_used == ["objective", "projects"]


def test_e32_per_marker_every_marker_has_its_own_condition() -> None:
    """E-32: SA-4.39."""
    zoo = "C3:t1_forest_a C2:t1_forest_b B3:t1_forest_c D3:t1_project_a E3:t1_project_b"
    t = lay(phase="optional", zoo0=zoo, options={"upgrade_mode": "per_marker"})
    t.act(0, "upgrade", card="rock", marker="projects")
    t.refused(0, "marker_used", {"do": "upgrade", "card": "forest", "marker": "projects"})
    t.refused(0, "already_upgraded", {"do": "upgrade", "card": "rock", "marker": "habitat"})
    t.refused(0, "upgrade_condition_unmet", {"do": "upgrade", "card": "forest", "marker": "classes"})
    t.refused(0, "bad_params", {"do": "upgrade", "card": "forest"})
    t.act(0, "upgrade", card="water", marker="habitat")
    assert t.cards(0) == "P F R2 W2"
    t.prompted(0, "optional_step")


def test_e33_what_is_above_the_limit_is_discarded_exactly() -> None:
    """E-33: SA-4.41."""
    t = lay(phase="optional", hand0="x01 x02 x03 x04 x05 x06 x07 x08 x09")
    t.finish(0)
    assert t.prompted(0, "discard_to_limit").about == {"count": 3}
    t.refused(0, "hand_count", {"do": "discard", "tile": "x01"}, {"do": "discard", "tile": "x02"})
    t.answer(0, *({"do": "discard", "tile": name} for name in ("x02", "x09", "x01")))
    assert t.hand(0) == "x03 x04 x05 x06 x07 x08"
    assert t.discards() == "x02 x09 x01"
    assert t.table.active == 1


def test_e34_the_display_slides_and_is_filled_at_the_end_of_the_turn() -> None:
    """E-34: SA-4.5, SA-4.42."""
    t = lay(phase="optional", display="x35 - x37 x38 - x40", pile="x21 x22 x23")
    t.finish(0)
    assert t.display() == "x35 x37 x38 x40 x21 x22"
    (filled,) = t.told(None, "display_filled")
    assert (filled["positions"], filled["tiles"]) == ([5, 6], ["x21", "x22"])
    assert t.pile() == "x23"


def test_e34_a_position_emptied_during_the_turn_stays_empty() -> None:
    """SA-4.5: tiles never slide in a turn."""
    t = lay(phase="take", cards0="F P R W")
    t.take(0, 1)
    assert t.display().startswith("- x36")
    t.act(0, "take_from_display", positions=[3])
    assert t.display() == "- x36 - x38 x39 x40"
