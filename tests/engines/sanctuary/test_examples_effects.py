"""Worked examples E-16 to E-28 and E-42 to E-45: effects, pairs, releases, objectives, what is seen."""

from __future__ import annotations

from tests.engines.sanctuary.table import lay, tile


def _croc(order: str) -> str:
    """Play the crocodile of E-16 and settle its effects in one order; give what is left."""
    t = lay(hand0="an_saltwater_crocodile_m x01 x02 x03", zoo0="C3:x04", cards0="P F R W2")
    t.play(0, "water", "an_saltwater_crocodile_m", "C2", "x01", "x02")
    assert t.zoo(0, "D2") == "x01~"
    assert t.zoo(0, "D3") == "x02~"
    assert t.waiting() == [(1, "draw"), (2, "pouch")]
    if order == "pouch first":
        t.use(0, 2, {"do": "pouch", "tile": "x03"})
        t.use(0, 1)
    else:
        t.use(0, 1)
        t.use(0, 2, {"do": "pouch", "tile": "x03"}, {"do": "pouch", "tile": "x21"})
    return f"{t.table.seats[0].pouch} {len(t.table.seats[0].hand)}"


def test_e16_effects_are_settled_in_any_order() -> None:
    """E-16: SA-4.25, SA-4.30, SA-4.32."""
    assert _croc("pouch first") == "1 1"
    assert _croc("draw first") == "2 0"


def test_e17_a_pair_gives_a_marker_at_once_beside_all_else() -> None:
    """E-17: SA-4.28, SA-4.31."""
    t = lay(hand0="an_snow_leopard_f", zoo0="D3:an_snow_leopard_m D2:x01~", cards0="P F R W")
    t.play(0, "rock", "an_snow_leopard_f", "C2")
    assert t.table.seats[0].conservation == 1
    assert t.waiting() == [(1, "draw"), (2, "draw")]
    assert [one["source"] for one in t.view(1)["effects"]["pending"]] == ["C2", "an_snow_leopard_f"]


def test_e18_a_pair_may_come_together_by_relocation_but_only_once() -> None:
    """E-18: SA-4.28, SA-6.19."""
    again = tile(id="t_again", effects=[{"do": "relocate"}, {"do": "relocate"}])
    t = lay(phase="optional", hand0="t_mover", zoo0="C3:t1_mate_m E3:t1_mate_f", taken0="D1 C2 E2")
    t.build(0, "t_mover", "E2")
    assert t.table.seats[0].conservation == 0
    t.use(0, 1, {"do": "relocate", "from": "E3", "to": "D3"})
    assert t.table.seats[0].conservation == 1
    assert t.table.seats[0].pair_taken == ["mates"]
    t = lay(phase="optional", hand0="t_again", zoo0="C3:t1_mate_m D3:t1_mate_f", pairs0="mates", extra=[again])
    t.build(0, "t_again", "E3")
    t.use(
        0,
        1,
        {"do": "relocate", "from": "D3", "to": "F4"},
    )
    t.use(0, t.waiting()[0][0], {"do": "relocate", "from": "F4", "to": "D3"})
    assert t.table.seats[0].conservation == 0


def test_e19_with_two_copies_a_pair_needs_both_sexes_and_pays_once() -> None:
    """E-19: SA-4.28."""
    t = lay(
        hand0="t1_mate_m t1_mate_f t1_mate_f", zoo0="D3:t1_mate_m", cards0="F P R W", options={"pile_copies": 2},
        pile="", display="",
    )  # fmt: skip
    t.play(0, "forest", "t1_mate_m", "D2")
    assert t.table.seats[0].conservation == 0
    t = lay(
        hand0="t1_mate_f t1_mate_f", zoo0="D3:t1_mate_m D2:t1_mate_m", cards0="F2 P R W", options={"pile_copies": 2},
        pile="", display="",
    )  # fmt: skip
    t.play(0, "forest", "t1_mate_f", "C3")
    assert t.table.seats[0].conservation == 1
    t.second(0, "t1_mate_f", "E3")
    assert t.table.seats[0].conservation == 1


def test_e20_an_ongoing_ability_sees_its_own_tile_and_takes_from_anywhere() -> None:
    """E-20: SA-4.4, SA-4.35."""
    t = lay(hand0="pr_reptile_curator", cards0="F R W P")
    t.project(0, "pr_reptile_curator", "D3")
    assert t.waiting() == [(1, "take")]
    t.use(0, 1, {"do": "take", "position": 6})
    assert t.hand(0) == "x40"


def test_e21_an_ability_triggers_once_a_tile_however_often_it_shows_the_icon() -> None:
    """E-21: SA-4.34."""
    t = lay(hand0="t2_bird_twice", zoo0="D3:t1_bird_guide_a E3:t1_bird_guide_b", cards0="P F R W")
    t.play(0, "rock", "t2_bird_twice", "C3")
    assert t.waiting() == [(1, "draw"), (2, "draw")]
    assert [one["source"] for one in t.view(0)["effects"]["pending"]] == ["t1_bird_guide_a", "t1_bird_guide_b"]


def test_e22_what_a_release_covers_counts_for_nothing() -> None:
    """E-22: SA-4.27, SA-8.11."""
    t = lay(hand0="pr_release_savanna", zoo0="C2:an_ring_tailed_lemur", cards0="F R P W")
    before = t.view(0)["seat_0"]["sheet"]
    assert (before["animals"], before["animal_tiles"]) == (1, 1)
    t.project(0, "pr_release_savanna", "C2")
    assert t.zoo(0, "C2") == "an_ring_tailed_lemur+pr_release_savanna"
    after = t.view(0)["seat_0"]["sheet"]
    assert (after["animals"], after["projects"], after["animal_tiles"]) == (0, 2, 0)
    assert t.table.seats[0].conservation == 2
    assert t.table.seats[0].bonus_taken == []
    assert t.told(1, "tile_placed")[0]["covered"] == "an_ring_tailed_lemur"


def test_e23_a_release_goes_on_an_animal_with_the_icon_and_nothing_else() -> None:
    """E-23: SA-4.27."""
    zoo = "C3:t_africa_house D3:t4_africa_predator E3:an_ring_tailed_lemur+pr_release_moor"
    moor = tile(id="pr_release_moor", kind="project", cover="africa")
    t = lay(hand0="pr_release_savanna", zoo0=zoo, cards0="F R P W", extra=[moor])
    for space in ("C3", "E3", "D2"):
        t.refused(0, "cover_mismatch", {"do": "play_project", "tile": "pr_release_savanna", "space": space})
    t.act(0, "play_project", tile="pr_release_savanna")
    assert t.places(0) == ["D3"]
    t.act(0, "place", tile="pr_release_savanna", space="D3")
    assert t.table.seats[0].conservation == 3


def test_e24_the_own_icon_of_a_building_does_not_link_a_group() -> None:
    """E-24: SA-4.26, SA-6.5."""
    walk = "bu_canopy_walk"
    t = lay(phase="optional", hand0=walk, zoo0="C3:t1_forest_a D3:t1_forest_b E3:t1_forest_c")
    t.build(0, walk, "D2")
    assert t.waiting() == [(1, "open_area")]
    t = lay(phase="optional", hand0=walk, zoo0="C3:t1_forest_a E3:t1_forest_b")
    t.refused(0, "condition_unmet", {"do": "play_building", "tile": walk, "space": "D3"})
    t.refused(0, "condition_unmet", {"do": "play_building", "tile": walk})


def test_e25_a_network_reaches_as_far_as_the_icon_goes() -> None:
    """E-25: SA-6.4."""
    zoo = "C3:t1_australia_a B3:t1_australia_b E2:t1_australia_c F4:t1_australia_d"
    t = lay(phase="optional", hand0="bu_outback_trail x01", zoo0=zoo)
    t.build(0, "bu_outback_trail", "D3")
    assert t.view(0)["seat_0"]["sheet"]["buildings"] == 6
    t = lay(zoo0=f"{zoo} D3:bu_outback_trail E3:t1_australia_e")
    assert t.view(0)["seat_0"]["sheet"]["buildings"] == 10


def test_e26_missing_icons_are_paid_with_conservation_markers() -> None:
    """E-26: SA-4.38."""
    t = lay(phase="optional", zoo0="C3:t1_australia_a D3:t1_australia_b E3:t1_australia_c", cons0=2)
    t.act(0, "support", objective="ob_bird", achievement=5)
    assert t.table.seats[0].conservation == 0
    assert t.table.seats[0].achievements["5"] == "ob_bird"
    assert t.view(1)["seat_0"]["sheet"]["achievements"] == 14
    (told,) = t.told(None, "objective_supported")
    assert (told["icons"], told["spent"]) == (3, 2)


def test_e27_markers_alone_support_nothing() -> None:
    """E-27: SA-4.38."""
    t = lay(phase="optional", cons0=5)
    t.refused(0, "no_real_icon", {"do": "support", "objective": "ob_reptile", "achievement": 2})
    t = lay(phase="optional", zoo0="C3:t1_reptile", cons0=2)
    t.refused(0, "not_enough_icons", {"do": "support", "objective": "ob_reptile", "achievement": 4})
    t.act(0, "support", objective="ob_reptile", achievement=3)
    assert t.table.seats[0].conservation == 0


def test_e28_more_icons_than_needed_are_fine_and_one_seat_supports_once() -> None:
    """E-28: SA-4.38."""
    zoo = "C3:t1_australia_a D3:t1_australia_b E3:t1_australia_c D2:t1_australia_d B4:t1_australia_e"
    t = lay(phase="optional", zoo0=zoo, zoo1="D3:t2_bird_twice", cons0=1)
    t.act(0, "support", objective="ob_bird", achievement=3)
    assert t.table.seats[0].conservation == 1
    t.finish(0)
    t.take(1)
    t.act(1, "draw_tiles", card="rock")
    t.act(1, "support", objective="ob_bird", achievement=2)
    t.finish(1)
    t.take(0)
    t.act(0, "draw_tiles", card="rock")
    t.refused(0, "objective_already_supported", {"do": "support", "objective": "ob_bird", "achievement": 2})


def test_e42_what_is_drawn_is_shown_to_its_owner_alone() -> None:
    """E-42: SA-2.7, SA-2.10."""
    t = lay()
    t.act(0, "draw_tiles", card="rock")
    (own,), (other,), (public,) = (t.told(audience, "tiles_drawn") for audience in (0, 1, None))
    assert own == {"event": "tiles_drawn", "seat": 0, "count": 2, "tiles": ["x21", "x22"]}
    assert other == public == {"event": "tiles_drawn", "seat": 0, "count": 2}
    assert t.view(1)["pile"] == t.view(None)["pile"] == 8
    assert t.view(1)["hand_0"] == {"count": 2}


def test_e43_a_shift_waits_until_the_used_card_has_moved() -> None:
    """E-43: SA-4.15, SA-6.16."""
    t = lay(hand0="an_emu", cards0="P F W R")
    t.act(0, "play_animal", card="water", tile="an_emu")
    t.act(0, "place", tile="an_emu", space="C3")
    assert t.cards(0) == "W P F R"
    assert t.waiting() == [(1, "shift")]
    t.refused(0, "no_change", {"do": "resolve_effect", "effect": 1, "card": "water"})
    t.act(0, "resolve_effect", effect=1)
    t.refused(0, "no_change", {"do": "shift", "card": "water"})
    t.act(0, "shift", card="rock")
    assert t.cards(0) == "R W P F"
    t.prompted(0, "optional_step")


def test_e44_a_building_takes_its_conditions_along() -> None:
    """E-44: SA-4.26, SA-6.19."""
    zoo = "A3:bu_boat_landing B3:x01 D3:x02"
    t = lay(phase="optional", hand0="t_mover", zoo0=f"{zoo} F3:x03", taken0="C2 E2 B4 G1")
    t.build(0, "t_mover", "E3")
    t.act(0, "resolve_effect", effect=1)
    assert {"do": "relocate", "from": "A3", "to": "G3"} in t.offered(0)
    t.refused(0, "condition_unmet", {"do": "relocate", "from": "A3", "to": "B4"})
    t.act(0, "relocate", **{"from": "A3", "to": "G3"})
    assert t.zoo(0, "G3") == "bu_boat_landing"
    t = lay(phase="optional", hand0="t_mover", zoo0=zoo)
    t.build(0, "t_mover", "E3")
    t.act(0, "resolve_effect", effect=1)
    t.refused(0, "space_not_anchored", {"do": "relocate", "from": "A3", "to": "G3"})


def test_e45_all_see_what_is_revealed_and_what_is_kept() -> None:
    """E-45: SA-2.8, SA-6.17."""
    given = {"hand0": "an_shoebill", "cards0": "P F W R"}
    t = lay(pile="t1_bird x21 t1_primate x22", **given)
    t.play(0, "water", "an_shoebill", "C3")
    t.use(0, 1)
    assert t.told(None, "tiles_revealed")[0]["tiles"] == ["t1_bird", "x21", "t1_primate"]
    assert t.prompted(0, "pick_revealed").about == {"tiles": ["t1_bird", "x21", "t1_primate"], "keep": 1}
    t.refused(0, "filter_mismatch", {"do": "keep", "tile": "x21"})
    t.refused(0, "too_many", {"do": "keep", "tile": "t1_bird"}, {"do": "keep", "tile": "t1_primate"})
    t.act(0, "keep", tile="t1_primate")
    assert t.hand(0) == "t1_primate"
    assert t.discards() == "t1_bird x21"
    assert t.told(1, "tile_kept") == [{"event": "tile_kept", "seat": 0, "tile": "t1_primate"}]
    t = lay(pile="x23 t1_bird x21 x22", **given)
    t.play(0, "water", "an_shoebill", "C3")
    t.use(0, 1)
    assert t.hand(0) == "t1_bird"
    assert t.discards() == "x23 x21"
    t.prompted(0, "optional_step")
