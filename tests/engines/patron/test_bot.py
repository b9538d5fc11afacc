"""The greedy bot plays as it is meant to, sees its own seat only, and beats chance (PA-10.4)."""

from __future__ import annotations

from random import Random

import pytest

from engines.bots import random_picks
from engines.patron.bot import greedy
from engines.patron.odds import chance, gain, virtues_of, worth
from engines.patron.words import Draw, Store, Tokens
from engines.selfplay import Plan, figures, play_matches
from tests.engines.patron.table import RULES, A, B, Patrons, Seat, core, lay, seat


def chosen(scene: Patrons, side: int = A) -> list[str]:
    """Let the bot answer, and give what it did."""
    prompt = scene.prompt(side)
    assert prompt is not None
    acts = prompt.acts(greedy(side, scene.view(side), prompt, Random(0)))
    return [act["do"] for act in acts]


@pytest.mark.parametrize(
    ("phase", "laid", "does"),
    [
        ("intercession", seat("monica", in_play=False, hand="t_saint_1_hope_1"), "play_patron"),
        ("intercession", seat("thomas_aquinas", in_play=False, hand="monica"), "end_intercession"),
        ("intercession", seat("george", hand="monica"), "play_saint"),
        ("friendship", seat("george", terra="monica"), "set_friend"),
        ("friendship", seat("george", friend="thomas_aquinas", terra="monica"), "end_phase"),
        ("effects", seat("george", terra="monica"), "activate_effect"),
        ("graces", seat("george", hand="novena"), "play_grace"),
        ("events", seat("george", hand="famine"), "set_event"),
        ("events", seat("george", events="persecution"), "pass_priority"),
        ("events", seat("t_saint_3_hope_3", events="sudden_conversion"), "activate_event"),
        ("milestones", seat("george", tokens=2), "complete_milestone"),
        ("milestones", seat("george", used=["george#0"]), "end_turn"),
        ("milestones", seat("george", hand="novena"), "end_phase"),
        ("recursion", seat("george", hand="novena"), "repeat_phases"),
        ("recursion", seat("george", used=["george#0"]), "end_turn"),
        ("graces", seat("george", hand="monica", terra="monica"), "cycle_saint"),
        ("graces", seat("francis_of_assisi", hand="novena famine"), "end_phase"),
    ],
)  # fmt: skip
def test_greedy_takes_what_is_to_be_had(phase: str, laid: Seat, does: str) -> None:
    """PA-10.4."""
    scene = lay(laid, phase=phase, shared={"pool": 4} if phase == "intercession" else None)
    assert chosen(scene) == [does]


def test_greedy_contests_whatever_it_knows_when_the_other_has_no_patron() -> None:
    """PA-10.4."""
    scene = lay(seat("george", events="persecution"), seat(in_play=False), phase="events")
    assert chosen(scene) == ["activate_event"]


def test_greedy_answers_every_question_with_what_is_worth_most() -> None:
    """PA-10.4."""
    scene = lay(seat("george", friend="rose_of_lima"))
    scene.effect(A, "rose_of_lima")
    prompt = scene.prompted(A, "option")
    assert prompt.acts(greedy(A, scene.view(A), prompt, Random(0))) == ({"do": "option", "index": 0},)
    lost = lay(seat(events="t_event_hope"), phase="events")
    lost.activate(A, "e1", 1, 1)
    assert chosen(lost, B) == ["attempt"]


def test_the_worth_of_things() -> None:
    """PA-10.4."""
    assert [chance(2, need) for need in (2, 7, 12, 13)] == [100, 58, 2, 0]
    assert gain((Draw(n=2), Tokens(n=1), Store(n=-1))) == 9
    assert worth("thomas_aquinas") > worth("rose_of_lima") > 0
    assert worth("a_card_of_another_pack") == 5
    assert virtues_of(None) == 0


def test_greedy_beats_chance() -> None:
    """PA-10.4."""
    plan = Plan(RULES, core(), RULES.Options(), ("greedy", "random"), 12, 7)
    found = figures(plan, list(play_matches(plan, lambda: 0)))
    assert found.broken == []
    assert found.unfinished == 0
    assert found.wins[0].matches >= 10
    assert found.turns is not None


def test_a_bot_of_chance_plays_to_the_end() -> None:
    """PA-10.4."""
    plan = Plan(RULES, core(), RULES.Options(), ("random", "random"), 2, 7)
    found = figures(plan, list(play_matches(plan, lambda: 0)))
    assert (found.matches, found.unfinished, found.broken) == (2, 0, [])
    scene = lay()
    prompt = scene.prompt(A)
    assert prompt is not None
    assert random_picks(A, {}, prompt, Random(1)) == ("1",)
