"""The drawing for a terminal (KN-2.3 to KN-2.12, KN-5.50)."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import engines.knights
from engines.bots import random_picks
from engines.flow import begin, submit
from engines.knights import draw
from engines.knights.options import Options
from engines.knights.telling import SENTENCES
from engines.record import Choice
from engines.rules import Match
from engines.sight import see
from tests.engines.knights.table import RULES, Duel, lay

PACK = next(iter(RULES.packs().values()))


def table() -> Duel:
    return lay(
        {1: "damon-of-perseus acted", 3: "leandros-of-leo defend qmd"},
        {2: "erato-of-zephyros evade", 4: "theron-of-eridanus par"},
        a_support={1: "spear-of-dawn on 1", 2: "belt-of-arete on 3"}, b_support={4: "feathered-feint down on 2"},
        a_hand="two-scrolls strings-of-the-puppeteer", a_discard="bolt-from-the-blue", scenario="drowned-pillars@1",
        b_helper="melitta-the-healer", deities=("athena", "hades"), pack=PACK, a_deck="", b_deck="",
    )  # fmt: skip


def test_both_fields_lie_in_position_with_everything_that_counts() -> None:
    """KN-2.3, KN-2.4, KN-2.5, KN-2.6, KN-2.10, KN-2.11."""
    duel = table()
    drawn = draw.table(duel.view(0), 0)
    for words in (
        "PvD 6/6", "PvD 5/5", "helper: Melitta the Healer", "The Drowned Pillars (seat 1)", "s4 [face down]",
        "1 Damon of Perseus*", "Pv 20/20  Pc 10/10", "DEFENDS", "EVADES", "burnt", "paralysed 1", "Yomotsu of seat 0",
    ):  # fmt: skip
        assert words in drawn
    rows = drawn.splitlines()
    far, near = (next(at for at, row in enumerate(rows) if name in row) for name in ("Erato", "Damon"))
    assert far < near
    assert rows[near].index("Leandros") == rows[far].index("3 -") + 2
    assert "Two Scrolls [occasion]" in drawn


def test_the_other_seat_sees_it_from_its_side_and_spectators_see_no_hand() -> None:
    """KN-2.46."""
    duel = table()
    mine, public = draw.table(duel.view(1), 1), draw.table(duel.view(None), None)
    assert "Feathered Feint" in mine
    assert mine.index("Damon") < mine.index("Erato")
    assert "Feathered Feint" not in public
    assert "Two Scrolls [" not in public


def test_the_latest_damage_shows_how_it_came_about() -> None:
    """KN-4.20."""
    duel = lay({1: "damon-of-perseus"}, {1: "leandros-of-leo"}, pack=PACK, a_deck="", b_deck="")
    duel.attack(0, 1, 1)
    drawn = " ".join(draw.table(duel.view(None), None).split())
    assert "Damon of Perseus on Leandros of Leo (plain): attack 6 against armour 5 gives 2, damage 2" in drawn


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_longer_than_the_width(width: int) -> None:
    """KN-5.50."""
    for seat in (None, 0, 1):
        assert all(len(row) <= width for row in draw.table(table().view(seat), seat, width).splitlines())


def test_every_kind_of_event_has_a_sentence() -> None:
    """KN-5.50."""
    folder = Path(engines.knights.__file__).parent
    told = {kind for path in folder.glob("*.py") for kind in re.findall(r'emit\(\s*"(\w+)"', path.read_text())}
    told |= {"scenario_played", "helper_played"}
    assert told == SENTENCES.keys()


def test_whole_matches_can_be_told_and_every_option_has_words() -> None:
    """KN-5.50, KN-5.39."""
    decks = list(RULES.ready_decks(PACK).values())
    match = Match(2, Options(mulligan="once"), PACK.cards, (decks[0], decks[2]))
    rnd, said = Random(5), set()
    step = begin(RULES, match, pack=PACK.hash, key=bytes(32))
    while step.position.outcome is None:
        asked = next(one for one in step.position.asked if one.answer is None)
        seat = asked.prompt.seat
        zones = RULES.view(match, step.position.table.state, seat)
        said |= {draw.option(option.act, zones) for option in asked.prompt.options}
        picks = random_picks(seat, zones, asked.prompt, rnd)
        step = submit(RULES, match, step.record, [Choice(seat, asked.id, picks)])
        for eyes in (None, 0, 1):
            seen = see(RULES, step.position, eyes, step.events)
            lines = [draw.line(event, seen.zones) for event in seen.events]
            assert not any("{" in line or "None" in line for line in lines)
            assert draw.table(seen.zones, eyes)
    assert all(words and "{" not in words for words in said)


def test_a_card_of_another_pack_is_named_by_its_id() -> None:
    """KN-10.1."""
    zones: dict[str, Any] = lay({1: "alpha"}, {}, a_hand="o1").view(0)
    assert "Alpha" in draw.table(zones, 0)
