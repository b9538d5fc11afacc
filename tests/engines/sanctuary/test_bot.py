"""The bot answers every kind of prompt from its zones alone, and beats chance."""

from __future__ import annotations

from random import Random

import pytest

from engines.sanctuary.bot import greedy
from engines.sanctuary.offers import open_steps
from engines.sanctuary.options import Options
from engines.selfplay import Plan, figures, play_matches
from protocol.prompt import fault_in
from tests.engines.sanctuary.table import RULES, Zoos, lay


def _answer(t: Zoos, seat: int = 0) -> list[dict[str, object]]:
    prompt = t.prompt(seat)
    assert prompt is not None
    picks = greedy(seat, t.view(seat), prompt, Random(1))
    assert fault_in(prompt, picks) is None
    return list(prompt.acts(picks))


def test_it_takes_the_tile_that_completes_a_pair() -> None:
    t = lay(phase="take", zoo0="D3:t1_mate_m", display="x35 t1_mate_f x36", cards0="F R P W")
    assert _answer(t) == [{"do": "take_tile", "position": 2}]


def test_it_plays_what_scores_most() -> None:
    t = lay(hand0="an_emu an_shoebill", cards0="P F R W", zoo0="D3:x01")
    assert _answer(t) == [{"do": "play_animal", "card": "water", "tile": "an_shoebill"}]
    t.act(0, "play_animal", card="water", tile="an_shoebill")
    assert _answer(t)[0]["do"] == "place"


def test_it_parts_with_what_is_of_least_use() -> None:
    t = lay(phase="optional", hand0="an_emu x01 an_shoebill t1_bird t2_forest_bird t1_reptile an_snow_leopard_m")
    t.finish(0)
    assert _answer(t) == [{"do": "discard", "tile": "x01"}]


def test_it_supports_with_as_many_icons_as_it_has() -> None:
    birds = "C3:t1_australia_a D3:t1_australia_b E3:t1_australia_c D2:t1_australia_d"
    t = lay(phase="optional", zoo0=birds)
    assert _answer(t) == [{"do": "support", "objective": "ob_bird", "achievement": 4}]
    assert open_steps(t.position.table) == ["play_building", "support", "upgrade"]


def test_it_moves_nothing_without_gain() -> None:
    t = lay(phase="optional", hand0="t_mover", zoo0="C3:x01")
    t.build(0, "t_mover", "D3")
    assert _answer(t) == [{"do": "decline_effect", "effect": 1}]


@pytest.mark.parametrize("options", [Options(), Options(map="terraces", upgrade_mode="per_marker", pile_copies=2)])
def test_it_beats_chance(options: Options) -> None:
    pack = next(iter(RULES.packs().values()))
    plan = Plan(RULES, pack, options, ("greedy", "random"), 10, 5)
    found = figures(plan, list(play_matches(plan, lambda: 0)))
    assert (found.broken, found.unfinished) == ([], 0)
    assert found.wins[0].matches >= 8
    assert found.max_options <= 512
