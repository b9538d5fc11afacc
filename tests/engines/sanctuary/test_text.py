"""Texts of tiles say what their data does (SA-10.1)."""

from __future__ import annotations

import pytest

from engines.sanctuary.pack import shipped
from engines.sanctuary.text import ability_text, effect_text, tile_text
from engines.sanctuary.words import BySize, Count, Gain, OnOpenArea, OpenArea, Pouch, Relocate, Reveal, Take

ATLAS = shipped()["wild_atlas"].cards


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        ("an_snow_leopard_m", "6 points."),
        ("an_merino_sheep", ""),
        ("an_shoebill", "Turn up 3 tiles and keep 1 that is an animal. 3 points."),
        ("an_ring_tailed_lemur", "1 point and 1 point for each primate icon next to it."),
        ("pr_release_savanna", "Put it on top of an animal with africa. Gain 2 conservation markers for a small animal "
         "below, 3 for a large one. 2 points."),
        ("pr_reptile_curator", "Whenever you play a tile with reptile: take 1 tile from the display. 1 point for each "
         "reptile icon in your zoo."),
        ("pr_partner_zoo_asia", "Tiles with asia are 1 level lower. 1 point."),
        ("pr_studbook", "Whenever you complete a pair: gain 1 conservation marker. 3 points for each pair of your zoo, "
         "9 at most."),
        ("bu_outback_trail", "Only with at least 1 tile with australia next to it. 2 points for each australia icon "
         "linked with it."),
        ("bu_boat_landing", "Only on a river space. 1 point for each river space covered."),
        ("bu_discovery_hall", "Only with at least 5 different continent icons in your zoo or with at least 5 different "
         "class icons in your zoo. Move one stack of your zoo. 5 points."),
        ("pr_university", "Draw a tile for each other tile in your hand, 2 at most. Whenever you support: gain 1 pouch "
         "marker. Whenever you put an open area: draw 1 tile. 3 points for each objective that you support."),
    ],
)  # fmt: skip
def test_text_of_a_tile(tile: str, text: str) -> None:
    """SA-10.1."""
    assert tile_text(ATLAS[tile]) == text


def test_every_tile_with_data_has_words_for_each_part() -> None:
    for tile in ATLAS:
        sentences = tile_text(tile).count(".")
        parts = len(tile.conditions) + len(tile.effects) + len(tile.abilities) + bool(tile.score) + bool(tile.cover)
        assert sentences == parts, tile.id


def test_every_effect_has_words() -> None:
    assert effect_text(Take(2, "icon:bird")) == "take up to 2 tiles with bird from the display"
    assert effect_text(Pouch(2)) == "discard up to 2 tiles of your hand for a pouch marker each"
    assert effect_text(OpenArea(2)) == "put 2 open areas from the pile"
    assert effect_text(Reveal(3, 1)) == "turn up 3 tiles and keep 1"
    assert effect_text(Relocate()) == "move one stack of your zoo"
    assert effect_text(Gain("pouch", Count(count="pairs"))) == "gain a pouch marker for each pair of your zoo"
    sized = Gain("conservation", by_size=BySize(2, 3))
    assert effect_text(sized).endswith("for a small animal below, 3 for a large one")
    assert ability_text(OnOpenArea((Pouch(1),))).startswith("whenever you put an open area: discard up to 1 tile")
