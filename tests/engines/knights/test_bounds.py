"""However many cards a hand holds, a turn offers at most 512 answers, and ending it is always among them (KN-4.1)."""

from __future__ import annotations

import pytest

from protocol.prompt import MAX_OPTIONS
from tests.engines.knights.table import lay, pack_with, technique

FOUR = {1: "alpha", 2: "beta", 3: "delta", 4: "eta"}
ANYBODY = pack_with(technique('attack = { bonus = 1, reach = "any", select = "one" }'))


@pytest.mark.parametrize(("held", "names_spaces"), [(5, True), (20, False), (80, False)])
def test_support_spaces_are_named_as_long_as_that_is_not_too_much(held: int, names_spaces: bool) -> None:
    """KN-5.2, KN-4.1."""
    duel = lay(FOUR, a_hand="tt " * held, pack=ANYBODY)
    acts = duel.offered(0)
    assert len(acts) <= MAX_OPTIONS
    assert acts[-1] == {"do": "end_turn"}
    assert any("slot" in act for act in acts if act["do"] == "play_technique") == names_spaces
    duel.play(0, "tt", host=1, face="down")
    assert duel.support(0)[0] == "~"


def test_a_turn_of_many_draws_stays_within_its_fuel() -> None:
    """KN-6.70."""
    duel = lay({1: "alpha"}, a_hand="o2 " * 12, a_deck="o2 " * 40)
    for _ in range(20):
        duel.play(0, "o2")
        assert duel.position.table.fuel > 15_000
    assert len(duel.state.hand[0]) == 32
