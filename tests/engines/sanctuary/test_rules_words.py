"""The vocabulary, word by word: counts, effects, abilities, conditions, scores (SA-6)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.sanctuary.counts import Site, value
from engines.sanctuary.state import zoo_of
from engines.sanctuary.words import Count
from tests.engines.sanctuary.table import Zoos, lay, tile

CROWD = "C3:t2_bird_twice D3:t4_africa_predator E3:t1_australia_a D2:x01~ E2:t1_project_a G1:x02 G2:x03~"


def _count(t: Zoos, word: str, space: str, **fields: Any) -> int:
    site = Site(zoo_of(t.match, t.state, 0), space, None, len(t.table.seats[0].hand), len(t.table.seats[0].supported))
    return value(Count(count=word, **fields), site)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "space", "fields", "expected"),
    [
        ("zoo_icon", "C2", {"icon": "bird"}, 3),  # SA-6.1
        ("zoo_icon", "C2", {"icon": "animal"}, 3),
        ("adjacent_icon", "C2", {"icon": "bird"}, 2),  # SA-6.2
        ("adjacent_icon", "D3", {"icon": "predator"}, 0),
        ("adjacent_tile", "C2", {"icon": "bird"}, 1),  # SA-6.3
        ("adjacent_tile", "D3", {"icon": "small"}, 2),
        ("network", "C2", {"icon": "bird"}, 2),  # SA-6.4
        ("network", "B3", {"icon": "animal"}, 3),
        ("group", "B3", {"icon": "animal"}, 3),  # SA-6.5
        ("group", "A1", {"icon": "animal"}, 0),
        ("adjacent_open", "C2", {}, 2),  # SA-6.6: B2 is printed, D2 lies face down
        ("zoo_open", "C2", {}, 4),  # SA-6.7
        ("adjacent_variety", "D4", {"of": "class"}, 2),  # SA-6.8
        ("adjacent_variety", "D4", {"of": "both"}, 4),
        ("zoo_variety", "A1", {"of": "continent"}, 2),  # SA-6.9a
        ("zoo_variety", "A1", {"of": "both"}, 4),
        ("objectives", "A1", {}, 2),  # SA-6.9c
        ("river", "A1", {}, 2),  # SA-6.9d
        ("hand", "A1", {}, 3),  # SA-6.9e
    ],
)  # fmt: skip
def test_counts(word: str, space: str, fields: dict[str, str], expected: int) -> None:
    """SA-6.1 to SA-6.8, SA-6.9a, SA-6.9c, SA-6.9d, SA-6.9e."""
    t = lay(zoo0=CROWD, hand0="x11 x12 x13", ach0="2:ob_bird 3:ob_reptile")
    assert _count(t, word, space, **fields) == expected


def test_pairs_are_counted_where_both_lie_side_by_side() -> None:
    """SA-6.9b."""
    assert _count(lay(zoo0="C3:t1_mate_m D3:t1_mate_f"), "pairs", "A1") == 1
    assert _count(lay(zoo0="C3:t1_mate_m E3:t1_mate_f"), "pairs", "A1") == 0


def test_a_network_never_leads_through_its_own_space() -> None:
    """SA-6.4: a tile that lies adds its own icons once."""
    trail = tile(id="t_trail", icons=["bird"], score=[{"each": 1, "count": "network", "icon": "bird"}])
    t = lay(zoo0="D3:t_trail C3:t1_australia_a E3:t1_australia_b", extra=[trail])
    assert t.view(0)["seat_0"]["sheet"]["buildings"] == 3


def test_draw_goes_as_far_as_the_pile_and_counts_when_it_is_carried_out() -> None:
    """SA-6.11, SA-6.21: the hand is counted then, with a cap."""
    reader = tile(id="t_reader", effects=[{"do": "pouch", "max": 1}, {"do": "draw", "n": {"count": "hand", "cap": 2}}])
    for first, drawn in (("pouch", 1), ("draw", 2)):
        t = lay(phase="optional", hand0="t_reader x01 x02", extra=[reader])
        t.build(0, "t_reader", "D3")
        if first == "pouch":
            t.use(0, 1, {"do": "pouch", "tile": "x01"})
        t.use(0, 2)
        assert t.told(0, "tiles_drawn")[0]["count"] == drawn
    short = lay(phase="optional", hand0="t_reader x01 x02 x03", extra=[reader], pile="x21")
    short.build(0, "t_reader", "D3")
    short.use(0, 2)
    assert short.told(0, "tiles_drawn")[0]["count"] == 1


def test_a_counted_draw_of_nothing_cannot_be_carried_out() -> None:
    """SA-6.20."""
    reader = tile(id="t_reader", effects=[{"do": "draw", "n": {"count": "hand"}}])
    t = lay(phase="optional", hand0="t_reader", extra=[reader])
    t.build(0, "t_reader", "D3")
    assert [event["effect"] for event in t.told(None, "effect_skipped")] == [1]


def test_take_takes_what_matches_at_any_position() -> None:
    """SA-6.12."""
    shopper = tile(id="t_shopper", effects=[{"do": "take", "n": 2, "filter": "icon:bird"}])
    t = lay(
        phase="optional", hand0="t_shopper", extra=[shopper], display="x35 t1_bird x37 t1_australia_a - t2_bird_twice",
    )  # fmt: skip
    t.build(0, "t_shopper", "D3")
    whole = {"do": "resolve_effect", "effect": 1}
    t.refused(0, "too_many", whole | {"positions": [2, 4, 6]})
    t.refused(0, "too_few", whole | {"positions": []})
    t.refused(0, "position_empty", whole | {"positions": [5]})
    t.refused(0, "filter_mismatch", whole | {"positions": [1]})
    t.act(0, "resolve_effect", effect=1)
    t.refused(0, "too_few")
    t.refused(0, "filter_mismatch", {"do": "take", "position": 1})
    t.refused(0, "position_empty", {"do": "take", "position": 5})
    t.answer(0, {"do": "take", "position": 6}, {"do": "take", "position": 2})
    assert t.hand(0) == "t2_bird_twice t1_bird"


def test_gains_are_automatic_and_counted_at_once() -> None:
    """SA-6.13, SA-6.21."""
    centre = tile(
        id="t_centre",
        effects=[{"do": "gain", "marker": "conservation", "n": {"count": "zoo_variety", "of": "class", "cap": 2}}],
    )  # fmt: skip
    t = lay(phase="optional", hand0="t_centre", zoo0="C3:t1_bird B3:t1_reptile B4:t1_primate", extra=[centre])
    t.build(0, "t_centre", "D3")
    assert t.table.seats[0].conservation == 2
    nothing = lay(phase="optional", hand0="t_centre", extra=[centre])
    nothing.build(0, "t_centre", "D3")
    assert nothing.told(None, "markers_changed") == []


def test_pouch_pays_for_every_tile_discarded() -> None:
    """SA-6.14."""
    t = lay(hand0="an_saltwater_crocodile_m x01 x02 x03", zoo0="C3:x04", cards0="P F R W2")
    t.play(0, "water", "an_saltwater_crocodile_m", "C2", "x01", "x02")
    whole = {"do": "resolve_effect", "effect": 2}
    t.refused(0, "too_many", whole | {"tiles": ["x03", "x03", "x03"]})
    t.refused(0, "too_few", whole | {"tiles": []})
    t.refused(0, "not_in_hand", whole | {"tiles": ["x09"]})
    t.use(0, 2, {"do": "pouch", "tile": "x03"})
    assert (t.table.seats[0].pouch, t.discards()) == (1, "x03")


def test_several_open_areas_are_several_effects_from_the_pile() -> None:
    """SA-2.6, SA-6.15, SA-6.32: nobody sees what lies there; each triggers, a moved one does not."""
    digger = tile(id="t_digger", effects=[{"do": "open_area", "n": 2}])
    t = lay(phase="optional", hand0="t_digger", zoo0="C3:pr_ranger_school", extra=[digger])
    t.build(0, "t_digger", "D3")
    assert t.waiting() == [(1, "open_area"), (2, "open_area")]
    t.refused(0, "space_not_anchored", {"do": "resolve_effect", "effect": 1, "space": "A1"})
    t.act(0, "resolve_effect", effect=1)
    t.refused(0, "space_occupied", {"do": "place_area", "space": "C3"})
    t.act(0, "place_area", space="D2")
    assert t.zoo(0, "D2") == "x21!"
    assert "x21" not in str(t.told(0))
    assert "x21" not in str(t.view(0)["zoo_0"])
    t.prompted(0, "effects")


def test_a_shift_in_the_optional_phase_waits_at_once() -> None:
    """SA-6.16."""
    slide = tile(id="t_slide", effects=[{"do": "shift"}])
    t = lay(phase="optional", hand0="t_slide", extra=[slide])
    t.build(0, "t_slide", "D3")
    t.use(0, 1, {"do": "shift", "card": "forest"})
    assert t.cards(0) == "F P R W"


def test_relocation_takes_a_whole_stack_and_checks_it() -> None:
    """SA-6.18, SA-6.19."""
    arrow = tile(id="t_arrow", arrows=["N"])
    t = lay(
        phase="optional", hand0="t_mover x05", extra=[arrow], taken0="C2 E2 D1 B4 F4 A1 G1",
        zoo0="C3:t_arrow C2:x01~ B3:an_ring_tailed_lemur+pr_release_savanna E3:x02",
    )  # fmt: skip
    t.build(0, "t_mover", "D3")
    whole = {"do": "resolve_effect", "effect": 1}
    for start, to, code in (
        ("F3", "E2", "no_tile"), ("B2", "E2", "no_tile"), ("C3", "C3", "space_occupied"),
        ("C3", "B2", "space_occupied"),
        ("C3", "A1", "space_not_anchored"), ("C3", "D1", "space_not_anchored"), ("C3", "C1", "arrow_off_map"),
        ("C3", "E2", "open_area_missing"), ("C3", "D2", "open_area_missing"), ("C3", "Z1", "space_unknown"),
    ):  # fmt: skip
        t.refused(0, code, whole | {"from": start, "to": to})
    t.use(0, 1, {"do": "relocate", "from": "B3", "to": "E2"})
    assert t.zoo(0, "E2") == "an_ring_tailed_lemur+pr_release_savanna"
    assert t.told(1, "tile_relocated") == [
        {"event": "tile_relocated", "seat": 0, "from": "B3", "to": "E2", "tile": "pr_release_savanna"}
    ]
    assert t.waiting() == []


def test_a_moved_open_area_is_an_open_area_to_others() -> None:
    """SA-2.6, SA-5.5, SA-6.19."""
    t = lay(phase="optional", hand0="t_mover", zoo0="C3:x01~ E3:pr_ranger_school", taken0="C2")
    t.build(0, "t_mover", "D3")
    t.use(0, 1, {"do": "relocate", "from": "C3", "to": "D2"})
    assert t.told(0, "tile_relocated")[0]["tile"] == "x01"
    assert t.told(1, "tile_relocated")[0]["tile"] == "open area"
    assert t.waiting() == []  # SA-6.32: a moved one does not count


def test_reveal_keeps_in_the_order_picked() -> None:
    """SA-6.17: n is cut short by the pile, the rest goes to the discard in the order turned up."""
    seer = tile(id="t_seer", effects=[{"do": "reveal", "n": 5, "keep": 2}])
    t = lay(phase="optional", hand0="t_seer", extra=[seer], pile="x21 x22 x23")
    t.build(0, "t_seer", "D3")
    t.use(0, 1)
    t.refused(0, "too_few", {"do": "keep", "tile": "x21"})
    t.answer(0, {"do": "keep", "tile": "x23"}, {"do": "keep", "tile": "x21"})
    assert (t.hand(0), t.discards()) == ("x23 x21", "x22")


def test_abilities_of_support_and_pair() -> None:
    """SA-6.31, SA-6.33, SA-6.34."""
    t = lay(phase="optional", zoo0="C3:pr_ranger_school D3:t1_bird E3:t2_rock_bird")
    t.act(0, "support", objective="ob_bird", achievement=2)
    assert t.waiting() == [(1, "draw")]
    t = lay(hand0="t1_mate_f", zoo0="C3:pr_studbook D3:t1_mate_m", cards0="F P R W")
    t.play(0, "forest", "t1_mate_f", "D2")
    assert t.table.seats[0].conservation == 2
    t = lay(hand0="an_emu", zoo0="C3:t1_bird_guide_a", cards0="P F R W")
    t.play(0, "rock", "an_emu", "D3")
    assert t.waiting()[0] == (2, "draw")


def test_discounts_match_kinds_and_sizes_too() -> None:
    """SA-6.35."""
    cheap = tile(id="t_cheap", kind="project", abilities=[{"when": "discount", "icon": "large", "amount": 2}])
    t = lay(hand0="t4_africa_predator", zoo0="C3:t_cheap", cards0="P F R W", extra=[cheap])
    assert t.offers(0, "play_animal")[0] == {"do": "play_animal", "card": "forest", "tile": "t4_africa_predator"}


def test_conditions_have_three_forms() -> None:
    """SA-6.41."""
    houses = [
        tile(id="t_river", conditions=[{"on_river": True}]),
        tile(id="t_both", conditions=[{"count": "adjacent_tile", "icon": "bird", "min": 1}, {"on_river": True}]),
        tile(id="t_any", conditions=[{"any_of": [{"on_river": True}, {"count": "hand", "min": 9}]}]),
    ]
    t = lay(phase="optional", hand0="t_river t_both t_any", zoo0="B3:x01 B4:t1_bird", extra=houses)
    places = {}
    for name in ("t_river", "t_both", "t_any"):
        t = lay(phase="optional", hand0="t_river t_both t_any", zoo0="B3:x01 B4:t1_bird", extra=houses)
        t.act(0, "play_building", tile=name)
        places[name] = t.places(0)
    assert places == {"t_river": ["A2", "A3"], "t_both": ["A3"], "t_any": ["A2", "A3"]}


def test_scores_are_points_or_counts_with_a_cap_and_are_summed() -> None:
    """SA-6.42, SA-6.43, SA-6.46."""
    score = [{"points": 2}, {"each": 3, "count": "zoo_icon", "icon": "bird", "cap": 5}]
    t = lay(zoo0="D3:t_score C3:t2_bird_twice", extra=[tile(id="t_score", score=score)])
    assert t.view(0)["seat_0"]["sheet"]["buildings"] == 7
    petting = lay(zoo0="D3:t1_petting_a C3:t1_petting_b F3:t1_petting_c")
    assert petting.view(0)["seat_0"]["sheet"]["animals"] == 3 + 1


def test_an_objective_counts_its_icon_in_the_whole_zoo() -> None:
    """SA-6.45."""
    t = lay(
        phase="optional",
        zoo0="D3:x01 C3:x02 A1:x03",
        objectives=("ob_building", "ob_bird", "ob_africa", "ob_reptile", "ob_predator"),
    )
    assert [act["achievement"] for act in t.offers(0, "support")] == [2, 3]
