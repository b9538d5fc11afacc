"""The table can be read in a terminal: plain, at most 100 columns, everything that an audience sees."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engines.flow import begin, submit
from engines.record import Choice, encode
from engines.rules import Match
from engines.sanctuary import draw
from engines.sanctuary.options import Options
from engines.sanctuary.spelling import ANSWERS
from engines.sight import see
from tests.engines.sanctuary.table import RULES, lay


def test_the_table_shows_display_objectives_zoos_cards_and_points() -> None:
    t = lay(
        zoo0="D3:an_snow_leopard_m D2:x01~ C3:an_ring_tailed_lemur+pr_release_savanna", hand0="an_emu",
        cards0="P F2 R W", cons0=2, ach0="5:ob_bird", display="an_shoebill - x37",
    )  # fmt: skip
    drawn = draw.table(t.view(0), 0)
    for words in (
        "Seat 0 (you)", "1. projects (1)", "2. forest II (3)", "conservation 2", "achievements left 2 3 4",
        "bird - seat 0: 5", "1. Shoebill [animal 3: Wa bi AF]", "2. -", "Snow leopard", "D3 a4m", "open area",
        "(printed)", "ENTRANCE", "on Ring-taile", "* +conserv.", "Emu [animal 2: bi AU]",
    ):  # fmt: skip
        assert words in drawn, words
    other = draw.table(t.view(1), 1)
    assert "Emu" not in other
    assert "(x01)" not in other.lower()


def test_a_client_sees_the_same_table_as_the_service() -> None:
    zones = lay(zoo0="D3:an_snow_leopard_m C3:an_ring_tailed_lemur", hand0="an_emu", display="an_shoebill").view(0)
    over_the_wire = msgspec.msgpack.decode(encode(zones))
    assert draw.table(over_the_wire, 0) == draw.table(zones, 0)


def test_a_zoo_is_a_map_of_hexes() -> None:
    rows = draw.table(lay().view(0), 0).splitlines()
    top = next(at for at, row in enumerate(rows) if "B1---" in row)
    assert rows[top].split() == ["B1-----------", "D1-----------", "F1-----------"]
    assert rows[top + 2].split()[0].startswith("A1~")


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_everything_that_happens_can_be_told(seats: int) -> None:
    pack = next(iter(RULES.packs().values()))
    match = Match(seats, Options(upgrade_mode="per_marker", map="terraces"), pack.cards)
    step = begin(RULES, match, pack=pack.hash, key=bytes([seats] * 32))
    chance = Random(seats)
    while step.position.outcome is None and step.record.total < 400:
        (asked,) = step.position.asked
        seat = asked.prompt.seat
        zones = see(RULES, step.position, seat).zones
        for option in asked.prompt.options:
            assert draw.option(option.act, zones)
        bot = RULES.bots["greedy"] if chance.random() < 0.7 else None
        picks = bot(seat, zones, asked.prompt, chance) if bot else asked.prompt.default
        step = submit(RULES, match, step.record, [Choice(seat, asked.id, picks)])
        for audience in (None, 0):
            seen = see(RULES, step.position, audience, step.events)
            for event in seen.events:
                assert draw.line(event, seen.zones) or event["event"] == "display_slid"
        if step.record.total % 25 == 0:
            drawn = draw.table(see(RULES, step.position, 0).zones, 0)
            assert max(map(len, drawn.splitlines())) <= 100
    assert draw.table(see(RULES, step.position, None).zones, None)


def test_every_act_has_words_of_its_own() -> None:
    t = lay(hand0="an_emu", zoo0="D3:t1_bird_guide_a", cards0="P F W R")
    zones = t.view(0)
    acts = {
        "put_open_area": {"space": "C3", "tile": "an_emu"}, "pouch": {"tile": "an_emu", "copy": 2},
        "keep": {"tile": "an_emu"}, "discard": {"tile": "an_emu"},
        "place_area": {"space": "A1"}, "relocate": {"from": "A1", "to": "A2"},
        "upgrade": {"card": "rock", "marker": "projects"}, "take_from_display": {"positions": []},
    }  # fmt: skip
    said = {do: draw.option({"do": do, **fields}, zones) for do, fields in acts.items()}
    assert len(set(said.values())) == len(said)
    assert said["pouch"] == "Into the pouch: Emu (copy 2)"
    assert said["take_from_display"] == "Take nothing with the projects card"
    assert draw.option({"do": "end_action"}, zones) == "End action"
    assert {do for acts in ANSWERS.values() for do in acts} >= set(said)
