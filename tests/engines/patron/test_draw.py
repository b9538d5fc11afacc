"""The table as text: everything of the match can be read, in lines that fit (PA-2.5, PA-4.23, PA-5.7, PA-9.39)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.bots import random_picks
from engines.patron.draw import line, option, table
from engines.patron.telling import SENTENCES
from engines.record import Choice
from engines.sight import audiences, see
from engines.testing.setting import draw_setting
from engines.testing.walk import Walk, walk_on
from tests.engines.patron.table import RULES, A, B, lay, seat


def drawn_match(seed: int) -> Walk:
    chance = Random(seed)
    setting = draw_setting(RULES, chance, [RULES.Options()])
    bot = RULES.bots["greedy"]

    def player(position: Any, draw: Random) -> Choice:
        asked = next(asked for asked in position.asked if asked.answer is None)
        side = asked.prompt.seat
        zones = RULES.view(setting.running, position.table.state, side)
        return Choice(side, asked.id, (bot if side else random_picks)(side, zones, asked.prompt, draw))

    return walk_on(Walk(setting), chance, player)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_match_can_be_read_by_everybody(seed: int) -> None:
    """PA-5.7, PA-2.5."""
    told: set[str] = set()
    for step in drawn_match(seed).steps:
        for audience in audiences(2):
            seen = see(RULES, step.position, audience, step.events)
            assert all(len(row) <= 100 for row in table(seen.zones, audience).splitlines())
            for event in seen.events:
                assert event["event"] in SENTENCES
                assert line(event, seen.zones)[-1] in ".!-"
                told.add(event["event"])
            if seen.prompt is not None:
                assert all(option(one.act, seen.zones) for one in seen.prompt.prompt.options)
    assert len(told) > 20


def test_a_table_shows_patron_friend_graces_events_tokens_and_the_last_check() -> None:
    """PA-2.5, PA-9.39, PA-4.23."""
    a = seat(
        "thomas_aquinas",
        friend="francis_of_assisi",
        graces="infused_faith ardent_charity",
        milestones=1,
        tokens=3,
        stored=2,
        events="storm_at_sea",
        hand="novena",
        used=["francis_of_assisi#0"],
    )
    scene = lay(a, seat("joan_of_arc", in_play=False, progress=1, events="famine"), phase="events")
    scene.activate(A, "e1", 1, 2)
    text = " ".join(table(scene.view(A), A).split())
    for words in (
        "Turn 5, seat 0 is active, events, seat 1 has priority",
        "tokens 4 stored 2",
        "Thomas Aquinas [*....] 1 of 5 milestones",
        "Milestone 2: have 3 graces",
        "Francis of Assisi (friend) (effect 1 used)",
        "Graces: Infused Faith; Ardent Charity",
        "e2 face down (set in turn 4)",
        "Joan of Arc [.....] 0 of 5 milestones, waits in its place (costs 7)",
        "You roll 1+2 +2 (patron Thomas Aquinas) +2 (friend Francis of Assisi) +1 (grace Infused Faith)",
        "Novena [grace]",
    ):
        assert words in text, words
    assert "Famine" not in text
    assert "Famine" in table(scene.view(B), B)
    assert "Novena" not in table(scene.view(None), None)


def test_a_check_is_told_with_parts_cap_number_and_outcome() -> None:
    """PA-4.22, PA-4.23, PA-5.7."""
    a = seat(
        "george", friend="joan_of_arc", graces="ardent_charity gift_of_fortitude", milestones=1, events="persecution"
    )
    scene = lay(a, phase="events")
    scene.activate(A, "e1", 1, 2)
    (told,) = scene.told(B, "check_rolled")
    assert line(told, scene.view(B)) == (
        "Seat 0 rolls 1+2 +2 (patron George) +3 (friend Joan of Arc) +1 (grace Ardent Charity) "
        "+1 (grace Gift of Fortitude), at most +6, = 9 against at least 11 -1 (effect of Joan of Arc) = 10 "
        "(Persecution, fortitude): failure."
    )


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ({"do": "end_intercession", "store": False}, "End intercession without storing"),
        ({"do": "play_patron"}, "Play your patron"),
        ({"do": "activate_event", "slot": "e1"}, "Activate e1 (Storm at Sea)"),
        ({"do": "target", "slot": "e2"}, "Choose e2 of seat 1"),
        ({"do": "virtue", "virtue": "hope"}, "Hope"),
        ({"do": "option", "index": 1}, "Take choice 2"),
        ({"do": "first", "seat": 1}, "Seat 1 begins"),
        ({"do": "decline"}, "Decline"),
        ({"do": "take", "card": "gone"}, "Take a card"),
    ],
)
def test_an_option_says_what_it_means(act: dict[str, Any], said: str) -> None:
    """PA-5.2, PA-5.5."""
    scene = lay(seat(events="storm_at_sea"), seat(events="famine"), phase="events")
    assert option(act, scene.view(A)) == said


def test_an_event_that_is_not_known_is_told_by_its_name() -> None:
    """PA-5.7."""
    assert line({"event": "bell_rung"}, lay().view(A)) == "Bell rung."
