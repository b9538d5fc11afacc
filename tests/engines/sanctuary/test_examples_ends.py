"""Worked examples E-35 to E-41 and E-46 to E-48: the final round, exhaustion, scoring, leaving, solo, silence."""

from __future__ import annotations

from engines.sanctuary.scoring import ranks
from engines.sanctuary.state import Sheet, Trigger
from tests.engines.sanctuary.table import Zoos, lay, tile

THREE = "2:ob_bird 3:ob_reptile 4:ob_africa"
HOUSES = "C3:t_africa_house D3:x01 E3:x02 D2:x03 D1:x04"
"""Five buildings, so that ``ob_building`` can be supported with 5."""

FULL = {
    "A1": "x11", "A2": "x12", "A3": "x13", "B1": "x14", "B3": "x15", "B4": "x16", "C1": "x17", "C2": "x18",
    "C3": "x19", "D1": "x20", "D2": "x05", "D3": "x06", "E1": "x07", "E2": "x08", "E3": "x09", "F1": "x10",
    "F3": "x31", "F4": "x32", "G1": "x33", "G2": "x34",
}  # fmt: skip
"""Every space of the map but G3, where nothing but the last tile is missing."""


def _nearly_full() -> str:
    return " ".join(f"{space}:{name}" for space, name in FULL.items())


def _all_bonuses() -> str:
    return "A1 G1 C2 E2 D1 B4 F4"


def _supports_the_fourth(t: Zoos, seat: int) -> None:
    t.act(seat, "support", objective="ob_building", achievement=5)


def _three(**options: str) -> Zoos:
    """Lay E-35: seat 1 is about to support its fourth objective, seat 0 lacks one space."""
    return lay(
        seats=3, active=1, phase="optional", zoo1=HOUSES, ach1=THREE, zoo0=_nearly_full(), hand0="t1_bird",
        taken0=_all_bonuses(), options=options, cards0="F R W P",
    )  # fmt: skip


def test_e35_the_others_play_one_more_turn_and_late_finishers_take_five_points() -> None:
    """E-35: SA-8.2, SA-8.5."""
    t = _three()
    _supports_the_fourth(t, 1)
    t.finish(1)
    assert t.table.seats[1].end_marker == 10
    assert t.told(None, "end_triggered")[0]["final_queue"] == [2, 0]
    assert t.told(None, "end_triggered")[0]["reasons"] == ["c1"]
    t.pass_turn(2)
    t.take(0)
    t.play(0, "forest", "t1_bird", "G3")
    t.finish(0)
    assert [seat.end_marker for seat in t.table.seats] == [5, 10, 0]
    assert t.outcome is not None
    assert t.outcome.reason == "c1"
    assert [seat.turns for seat in t.table.seats] == [1, 0, 1]


def test_e36_with_immediate_the_fourth_objective_ends_the_match_at_once() -> None:
    """E-36: SA-8.7."""
    t = _three(four_objectives_end="immediate")
    _supports_the_fourth(t, 1)
    t.finish(1)
    assert t.outcome is not None
    assert t.outcome.reason == "c1"
    assert [seat.end_marker for seat in t.table.seats] == [0, 10, 0]
    filled = lay(
        seats=3, active=0, phase="action", zoo0=_nearly_full(), hand0="t1_bird", taken0=_all_bonuses(),
        options={"four_objectives_end": "immediate"}, cards0="F R W P",
    )  # fmt: skip
    filled.play(0, "forest", "t1_bird", "G3")
    filled.finish(0)
    assert filled.outcome is None
    assert filled.told(1, "end_triggered")[0]["final_queue"] == [1, 2]


def test_e37_an_empty_pile_alone_ends_the_match_at_once() -> None:
    """E-37: SA-8.3."""
    t = lay(phase="optional", display="- x36 x37 x38 x39 x40", pile="x21")
    t.finish(0)
    assert t.pile() == ""
    assert t.display() == "x36 x37 x38 x39 x40 x21"
    assert t.outcome is not None
    assert t.outcome.reason == "c3"
    assert [seat.end_marker for seat in t.table.seats] == [0, 0]


def test_e38_the_trigger_wins_over_exhaustion_and_the_discards_come_back() -> None:
    """E-38: SA-8.2, SA-8.4."""
    t = lay(
        phase="optional", zoo0=HOUSES, ach0=THREE, display="- - x37 x38 x39 x40", pile="x21",
        discard="x22 x23 x24 x25 x26 x27 x28",
    )  # fmt: skip
    _supports_the_fourth(t, 0)
    t.finish(0)
    assert t.outcome is None
    assert t.table.active == 1
    assert len(t.table.pile) == 6
    assert "-" not in t.display().split()
    assert t.discards() == ""
    assert t.told(None, "pile_reshuffled") == [{"event": "pile_reshuffled", "count": 7}]
    t.pass_turn(1)
    assert t.outcome is not None


def test_e39_an_empty_pile_is_reshuffled_between_two_draws() -> None:
    """E-39: SA-4.43."""
    t = lay(pile="x21", discard="x22 x23 x24 x25", trigger=Trigger(1, ("c2",)), seats=3, queue=[2])
    t.act(0, "draw_tiles", card="rock")
    assert len(t.table.seats[0].hand) == 2
    assert t.hand(0).startswith("x21")
    assert len(t.table.pile) == 3
    assert t.discards() == ""
    kinds = [event["event"] for event in t.told(1)]
    assert kinds[:2] == ["tiles_drawn", "pile_reshuffled"]


def test_e40_ties_go_to_more_animals_and_are_shared_after_that() -> None:
    """E-40: SA-8.13, SA-8.14."""
    assert ranks([Sheet(total=61, animal_tiles=8), Sheet(total=61, animal_tiles=9)], []) == (2, 1)
    level = [Sheet(total=61, animal_tiles=8), Sheet(total=61, animal_tiles=8), Sheet(total=60, animal_tiles=12)]
    assert ranks(level, []) == (1, 1, 3)
    zoos = {"zoo0": "D3:an_emu", "zoo1": "D3:t1_bird"}
    t = lay(phase="optional", display="- x36", pile="", cons1=1, **zoos)
    t.finish(0)
    assert t.outcome is not None
    assert t.outcome.winners == (0, 1)
    assert t.outcome.ranks == (1, 1)
    covered = lay(
        phase="optional", display="- x36", pile="", cons1=1, zoo1="D3:t1_bird",
        zoo0="D3:an_ring_tailed_lemur+pr_release_savanna",
    )  # fmt: skip
    covered.finish(0)
    assert covered.outcome is not None
    assert covered.outcome.winners == (1,)


def test_e41_the_sum_of_the_score_sheet() -> None:
    """E-41: SA-8.10."""
    worth = [
        tile(id="t_animal", kind="animal", icons=["bird"], score=[{"points": 24}]),
        tile(id="t_building", score=[{"points": 11}]),
        tile(id="t_project", kind="project", score=[{"points": 9}]),
    ]
    zoo = (
        "C3:t1_petting_a B3:t1_petting_b B4:t1_petting_c D3:t_animal E3:t_building F4:t_project A1:x01~ A2:x02~ A3:x03!"
    )
    t = lay(zoo0=zoo, pouch0=3, cons0=1, end0=10, ach0="2:ob_bird 4:ob_africa 5:ob_reptile", extra=worth)
    sheet = t.view(None)["seat_0"]["sheet"]
    assert [sheet[part] for part in ("animals", "buildings", "projects", "open_areas")] == [30, 11, 9, 5]
    assert [sheet[part] for part in ("achievements", "pouch", "conservation", "end_marker")] == [28, 6, 2, 10]
    assert sheet["total"] == 101


def test_e46_a_concession_cuts_the_turn_off() -> None:
    """E-46: SA-8.15."""
    t = lay(
        seats=3, hand0="an_snow_leopard_f x01 x02", zoo0="C3:x03", cards0="P F R W", display="- x36 x37 x38 x39 x40"
    )
    t.play(0, "rock", "an_snow_leopard_f", "C2", "x01")
    assert t.waiting() == [(1, "draw"), (2, "draw")]
    t.resign(0)
    assert t.waiting() == []
    assert t.display() == "x36 x37 x38 x39 x40 x21"
    assert t.table.seats[0].status == "conceded"
    assert t.table.active == 1
    t.prompted(1, "take_tile")
    for seat in (1, 2, 1):
        assert t.table.active == seat
        t.pass_turn(seat)
    while t.outcome is None:
        t.pass_turn(t.table.active)
    assert t.outcome.ranks[0] == 3
    assert t.view(1)["hand_0"] == {"count": 1}


def _solo(turn_no: int, solo_left: int, **given: object) -> Zoos:
    return lay(seats=1, phase="optional", turn_no=turn_no, solo_left=solo_left, **given)  # type: ignore[arg-type]


def test_e47_solo_is_won_by_the_trigger_and_lost_by_the_last_marker() -> None:
    """E-47: SA-8.20, SA-8.21, SA-8.22."""
    t = _solo(4, 5)
    t.finish(0)
    assert t.table.solo_left == 4
    assert t.discards() == "x35"
    ready = {"zoo0": HOUSES, "ach0": THREE}
    won = _solo(18, 1, **ready)
    _supports_the_fourth(won, 0)
    won.finish(0)
    assert won.outcome is not None
    assert (won.outcome.reason, won.outcome.winners) == ("won", (0,))
    assert [won.table.seats[0].sheet.end_marker, won.table.seats[0].sheet.solo] == [10, 5]
    late = _solo(20, 1, **ready)
    _supports_the_fourth(late, 0)
    late.finish(0)
    assert late.outcome is not None
    assert late.outcome.reason == "won"
    assert [late.table.seats[0].sheet.end_marker, late.table.seats[0].sheet.solo] == [10, 0]
    lost = _solo(20, 1)
    lost.finish(0)
    assert lost.outcome is not None
    assert (lost.outcome.reason, lost.outcome.winners) == ("lost", ())
    assert lost.table.seats[0].sheet.end_marker == 0


def test_e48_silence_takes_draws_and_finishes() -> None:
    """E-48: SA-8.18."""
    t = lay(seats=3, phase="take", cards0="P R F W")
    t.stay_silent(0)
    assert t.told(1, "tile_taken")[0]["position"] == 1
    t.stay_silent(0)
    assert t.cards(0) == "R P F W"
    t.stay_silent(0)
    assert t.table.active == 1
    t.resign(0, "abandoned")
    t.take(1)
    assert t.table.seats[0].status == "abandoned"
    assert t.told(None, "seat_abandoned") == [{"event": "seat_abandoned", "seat": 0}]
    t.pass_turn(1)
    assert t.table.active == 2
