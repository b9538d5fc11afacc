"""How matches end beyond the examples: end check, markers, reasons, leaving, termination (SA-8)."""

from __future__ import annotations

from engines.sanctuary.scoring import ranks
from engines.sanctuary.state import Sheet, Trigger
from tests.engines.sanctuary.table import RULES, Zoos, lay
from tests.engines.sanctuary.test_examples_ends import HOUSES, THREE

LATE = Trigger(0, ("c2",))


def test_c1_and_c2_are_looked_at_for_the_active_seat_at_the_end_of_its_turn() -> None:
    """SA-8.1, SA-8.8: the turn in which the fourth objective is supported goes on."""
    t = lay(phase="optional", zoo0=HOUSES, ach0=THREE, ach1=f"{THREE} 5:ob_predator")
    t.act(0, "support", objective="ob_building", achievement=5)
    assert t.table.trigger is None
    t.prompted(0, "optional_step")
    t.finish(0)
    assert t.table.trigger == Trigger(0, ("c1",))
    other = lay(phase="optional", ach1=f"{THREE} 5:ob_predator")
    other.finish(0)
    assert other.table.trigger is None


def test_there_is_one_end_marker_a_seat_and_one_of_ten_a_match() -> None:
    """SA-8.6: with `late_end_marker` = 0 a late finisher gets none."""
    for late, points in ((5, 5), (0, 0)):
        t = lay(
            phase="optional", active=1, zoo1=HOUSES, ach1=THREE, trigger=LATE, end0=10,
            options={"late_end_marker": late},
        )  # fmt: skip
        t.act(1, "support", objective="ob_building", achievement=5)
        t.finish(1)
        assert t.table.seats[1].end_marker == points
        assert t.outcome is not None


def test_immediate_also_ends_a_final_round() -> None:
    """SA-8.7: seats that are still in the queue lose their turn, and the reason is that of who ended it."""
    t = lay(
        seats=3, phase="optional", active=1, zoo1=HOUSES, ach1=THREE, trigger=LATE, queue=[2], end0=10,
        options={"four_objectives_end": "immediate"},
    )  # fmt: skip
    t.act(1, "support", objective="ob_building", achievement=5)
    t.finish(1)
    assert t.outcome is not None
    assert t.outcome.reason == "c1"
    assert [seat.end_marker for seat in t.table.seats] == [10, 5, 0]


def test_the_end_is_told_with_sheets_ranks_and_reason() -> None:
    """SA-8.12, SA-8.13, SA-8.14."""
    t = lay(phase="optional", display="- x36", pile="", zoo1="D3:an_emu")
    t.finish(0)
    (told,) = t.told(None, "match_ended")
    assert (told["reason"], told["winners"], told["ranks"]) == ("c3", [1], [2, 1])
    assert told["sheets"][1]["animals"] == 2
    assert set(told["sheets"][0]) == {
        "animals", "buildings", "projects", "open_areas", "achievements", "pouch", "conservation", "end_marker",
        "solo", "total", "animal_tiles",
    }  # fmt: skip


def test_who_has_left_ranks_below_all_the_earlier_the_lower() -> None:
    """SA-8.16."""
    sheets = [Sheet(total=50), Sheet(total=90), Sheet(total=80), Sheet(total=10)]
    assert ranks(sheets, [1, 2]) == (1, 4, 3, 2)
    t = lay(seats=4, phase="optional", zoo1="D3:an_emu", zoo2="D3:t1_bird")
    t.resign(2)
    t.resign(1)
    t.resign(3)
    assert t.outcome is not None
    assert (t.outcome.winners, t.outcome.reason, t.outcome.ranks) == ((0,), "last_seat", (1, 3, 4, 2))


def test_the_last_of_several_seats_wins_at_once() -> None:
    """SA-8.17: in solo a concession is a loss."""
    t = lay()
    t.resign(0)
    assert t.outcome is not None
    assert (t.outcome.winners, t.outcome.reason) == ((1,), "last_seat")
    solo = lay(seats=1, solo_left=5)
    solo.resign(0)
    assert solo.outcome is not None
    assert (solo.outcome.winners, solo.outcome.reason) == ((), "conceded")


def test_leaving_off_turn_changes_nothing_but_the_queue() -> None:
    """SA-8.15: an empty queue ends the match after the turn in progress."""
    t = lay(seats=3, phase="optional", active=1, trigger=LATE, queue=[2], hand2="x01")
    t.resign(2)
    assert t.outcome is None
    t.prompted(1, "optional_step")
    t.finish(1)
    assert t.table.final_queue == []
    assert t.outcome is not None
    assert t.outcome.reason == "c2"


def test_a_turn_cut_off_looks_at_the_pile_alone() -> None:
    """SA-8.15: c1 and c2 are not looked at; in the final round an empty queue ends the match at once."""
    full = lay(seats=3, phase="optional", zoo0=HOUSES, ach0=THREE)
    full.act(0, "support", objective="ob_building", achievement=5)
    full.resign(0)
    assert full.table.trigger is None
    assert full.table.active == 1
    empty = lay(seats=3, phase="optional", display="- x36", pile="x21")
    empty.resign(0)
    assert empty.outcome is not None
    assert empty.outcome.reason == "c3"
    last = lay(seats=3, phase="optional", active=2, trigger=LATE)
    last.resign(2)
    assert last.outcome is not None
    assert last.outcome.reason == "c2"


def test_a_turn_cut_off_discards_what_was_turned_up_and_keeps_what_was_done() -> None:
    """SA-8.15: also between tile and place, where nothing has happened yet."""
    t = lay(seats=3, hand0="an_shoebill", pile="t1_bird t1_primate t1_reptile x21", cards0="P F W R")
    t.play(0, "water", "an_shoebill", "C3")
    t.use(0, 1)
    t.prompted(0, "pick_revealed")
    t.resign(0)
    assert t.discards() == "t1_bird t1_primate t1_reptile"
    assert t.zoo(0, "C3") == "an_shoebill"
    half = lay(seats=3, hand0="t1_bird")
    half.act(0, "play_animal", card="rock", tile="t1_bird")
    half.resign(0)
    assert half.hand(0) == "t1_bird"
    assert half.table.active == 1


def test_seats_that_go_together_leave_the_rest_to_play() -> None:
    """SA-8.15, SA-8.16."""
    t = lay(seats=4, phase="take")
    t.resign(1, "timeout")
    t.resign(0, "abandoned")
    assert t.table.active == 2
    assert [seat.status for seat in t.table.seats] == ["abandoned", "abandoned", "active", "active"]


def test_the_service_bears_two_silent_turns() -> None:
    """SA-8.18, SA-8.19: three prompts a turn; for a match that is stopped the rules know no result."""
    assert RULES.pace.strikes == 6
    assert lay().outcome is None


def test_every_silent_match_ends() -> None:
    """SA-8.9: a turn takes a tile, and the pile does not grow before the trigger."""
    t = lay(pile=" ".join(f"x{n:02}" for n in range(1, 21)), phase="take")
    turns = _silent(t)
    assert t.outcome is not None
    assert t.outcome.reason == "c3"
    assert turns <= 20


def _silent(t: Zoos) -> int:
    while t.outcome is None:
        t.pass_turn(t.table.active)
    return t.table.turn_no


def test_solo_turns_a_marker_every_fourth_turn_only() -> None:
    """SA-8.20, SA-8.21, SA-8.22: an empty pile loses too."""
    t = lay(seats=1, phase="optional", turn_no=5, solo_left=5, display="- x36 x37")
    t.finish(0)
    assert (t.table.solo_left, t.discards()) == (5, "x36")
    lost = lay(seats=1, phase="optional", turn_no=5, solo_left=5, display="x36", pile="x21")
    lost.finish(0)
    assert lost.outcome is not None
    assert (lost.outcome.reason, lost.outcome.details["reasons"]) == ("lost", ["c3"])
    assert lost.table.seats[0].sheet.solo == 25
