"""The bot greedy: what it does in plain positions, and that it beats chance (KN-10.4)."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.knights.bot import greedy
from engines.knights.options import Options
from engines.rules import Act
from engines.selfplay import Plan, play_matches
from tests.engines.knights.table import RULES, Duel, lay

PACK = next(iter(RULES.packs().values()))
SHIPPED: dict[str, Any] = {"pack": PACK, "a_deck": "two-scrolls " * 6, "b_deck": "two-scrolls " * 6}


def picked(duel: Duel, seat: int) -> list[Act]:
    prompt = duel.prompt(seat)
    assert prompt is not None
    picks = greedy(seat, duel.view(seat), prompt, Random(0))
    return list(prompt.acts(picks))


def test_it_strikes_where_a_knight_falls() -> None:
    """KN-5.6."""
    foes = {1: "kyra-of-monoceros", 2: "leandros-of-leo", 3: "bion-of-delphinus pv=2"}
    duel = lay({1: "damon-of-perseus"}, {2: foes[2], 3: foes[3]}, **SHIPPED)
    assert picked(duel, 0) == [{"do": "attack", "knight": 1, "target": 3}]


def test_it_takes_divine_life_when_nobody_defends() -> None:
    """KN-4.12."""
    duel = lay({1: "damon-of-perseus"}, {}, **SHIPPED)
    assert picked(duel, 0) == [{"do": "attack", "knight": 1, "target": "direct"}]


def test_it_brings_its_strongest_knight_first() -> None:
    """KN-5.1."""
    duel = lay({}, {1: "leandros-of-leo"}, a_hand="timon-of-lepus leandros-of-leo two-scrolls", **SHIPPED)
    (act,) = picked(duel, 0)
    assert (act["do"], act["card"]) == ("play_knight", duel.card(0, "leandros-of-leo"))


def test_it_uses_a_technique_that_it_can_pay_and_no_other() -> None:
    """KN-5.7, KN-4.28."""
    for pc, do in ((9, "use_technique"), (3, "attack")):
        field = {1: f"damon-of-perseus pc={pc}"}
        duel = lay(field, {1: "leandros-of-leo"}, a_support={1: "spear-of-dawn down on 1"}, **SHIPPED)
        assert picked(duel, 0)[0]["do"] == do


def test_it_discards_what_is_worth_least() -> None:
    """KN-5.38."""
    hand = "damon-of-perseus spear-of-dawn drowned-pillars two-scrolls forge-of-will libation leandros-of-leo "
    duel = lay({1: "dryas-of-vulpecula"}, {}, a_hand=hand + "drill-of-the-inner-flame bolt-from-the-blue", **SHIPPED)
    duel.act(0, "end_turn")
    assert picked(duel, 0) == [{"do": "discard", "card": duel.card(0, "drowned-pillars")}]


def test_it_sees_nothing_but_its_view_and_its_prompt() -> None:
    """KN-2.47."""
    duel = lay({1: "damon-of-perseus"}, {1: "leandros-of-leo"}, b_hand="two-scrolls", **SHIPPED)
    other = lay({1: "damon-of-perseus"}, {1: "leandros-of-leo"}, b_hand="omen-of-ruin", **SHIPPED)
    assert picked(duel, 0) == picked(other, 0)


def test_it_beats_chance() -> None:
    """KN-10.4."""
    plan = Plan(RULES, PACK, Options(), ("greedy", "random"), 20, 11)
    wins = [match.seated[seat] for match in play_matches(plan, lambda: 0) for seat in match.winners]
    assert wins.count(0) >= 0.7 * plan.matches


def test_matches_of_bots_end_by_divine_life_in_sensible_time() -> None:
    """KN-10.4, KN-8.6."""
    plan = Plan(RULES, PACK, Options(), ("greedy", "greedy"), 20, 12)
    played = list(play_matches(plan, lambda: 0))
    turns = sorted(match.turns or 0 for match in played)
    assert 8 <= turns[10] <= 30
    assert {match.reason for match in played} <= {"pvd", "draw"}
    assert all(match.broken == [] for match in played)
