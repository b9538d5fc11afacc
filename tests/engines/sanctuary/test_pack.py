"""The shipped pack, and everything that may be wrong with a pack or a map (SA-7, SA-10)."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import chain
from typing import Any, get_args

import msgspec
import pytest

from engines.rules import PackError
from engines.sanctuary.maps import map_faults, read_maps, shipped_maps
from engines.sanctuary.pack import read_pack, shipped
from engines.sanctuary.terms import CLASSES, CONTINENTS, HABITATS
from engines.sanctuary.tiles import Atlas, Tile
from engines.sanctuary.words import CountWord, Discount, Draw, Gain, Pouch, Reveal, Take
from tests.engines.sanctuary.table import fixture

WHOLE = shipped()["wild_atlas"]
ATLAS: Atlas = WHOLE.cards
SOURCE = fixture().source.decode()


def _of(kind: str) -> list[Tile]:
    return [tile for tile in ATLAS if tile.kind == kind]


def test_the_pack_has_its_distribution_of_animals() -> None:
    """SA-10.1."""
    animals = _of("animal")
    assert len(ATLAS.tiles) == 135
    assert len(animals) == 70
    by_class = Counter(next(icon for icon in tile.icons if icon in CLASSES) for tile in animals)
    assert by_class == {"predator": 14, "herbivore": 14, "primate": 12, "bird": 14, "reptile": 10, "petting": 6}
    pairs = Counter(next(icon for icon in tile.icons if icon in CLASSES) for tile in animals if tile.sex == "m")
    assert pairs == {"predator": 5, "herbivore": 5, "primate": 4, "bird": 4, "reptile": 4}
    assert Counter(tile.habitat for tile in animals) == {"forest": 20, "rock": 20, "water": 18, None: 12}
    continents = Counter(icon for tile in animals for icon in tile.icons if icon in CONTINENTS)
    assert continents == {"africa": 14, "americas": 14, "asia": 14, "australia": 10, "europe": 12}
    assert Counter(tile.level for tile in animals) == {1: 8, 2: 22, 3: 22, 4: 12, 5: 6}
    twice = [tile for tile in animals if len(set(tile.icons)) < len(tile.icons)]
    doubled = Counter(next(icon for icon in tile.icons if tile.icons.count(icon) == 2) for tile in twice)
    assert doubled == {"petting": 2, "bird": 1, "herbivore": 1}
    assert {tile.sex for tile in twice} == {"n"}


def test_the_pack_has_its_distribution_of_arrows() -> None:
    """SA-10.1."""
    animals = _of("animal")
    assert Counter((len(tile.arrows), tile.level) for tile in animals if tile.arrows) == {
        (1, 2): 3, (1, 3): 9, (1, 4): 7, (2, 4): 5, (2, 5): 4, (3, 5): 2,
    }  # fmt: skip
    directions = Counter(chain.from_iterable(tile.arrows for tile in animals))
    assert sum(directions.values()) == 43
    assert all(5 <= directions[direction] <= 9 for direction in ("N", "NE", "SE", "S", "SW", "NW"))
    assert sorted(len(tile.arrows) for tile in _of("building"))[-4:] == [0, 1, 1, 1]


def test_the_pack_has_its_distribution_of_effects_and_scores_of_animals() -> None:
    """SA-10.1."""
    animals = _of("animal")
    effects = [effect for tile in animals for effect in tile.effects]
    words = Counter(type(effect).__struct_config__.tag for effect in effects)
    assert words == {"draw": 10, "take": 8, "gain": 6, "pouch": 5, "shift": 5, "open_area": 3, "reveal": 3}
    assert max(len(tile.effects) for tile in animals) == 1
    assert all(effect.n == 1 for effect in effects if isinstance(effect, (Draw, Take)))
    assert sum(effect.filter != "any" for effect in effects if isinstance(effect, Take)) == 3
    assert all((effect.marker, effect.n) == ("conservation", 1) for effect in effects if isinstance(effect, Gain))
    assert {effect.max for effect in effects if isinstance(effect, Pouch)} == {1, 2}
    assert all((effect.n, effect.keep) == (3, 1) for effect in effects if isinstance(effect, Reveal))
    counted = [tile for tile in animals if any(score.each for score in tile.score)]
    assert len(counted) == 14
    fixed = [tile for tile in animals if tile.score and tile not in counted]
    bounds = {1: (1, 2), 2: (2, 3), 3: (3, 5), 4: (6, 7), 5: (9, 10)}
    for tile in fixed:
        low, high = bounds[tile.level or 0]
        assert low <= (tile.score[0].points or 0) <= high, tile.id
    assert [tile.icons[0] for tile in animals if not tile.score] == ["petting"] * 6


def test_the_pack_has_its_distribution_of_projects() -> None:
    """SA-10.1."""
    projects = _of("project")
    assert len(projects) == 30
    assert Counter(tile.level for tile in projects) == {2: 9, 3: 11, 4: 8, 5: 2}
    whens = Counter(type(ability).__struct_config__.tag for tile in projects for ability in tile.abilities)
    assert whens == {"on_play": 7, "discount": 9, "on_pair": 2, "on_support": 2, "on_open_area": 2}
    discounts = [one for tile in projects for one in tile.abilities if isinstance(one, Discount)]
    assert Counter(one.icon for one in discounts) == dict.fromkeys((*HABITATS, *CONTINENTS, "large"), 1)
    covers = [tile.cover for tile in projects if tile.cover]
    assert sorted(covers) == sorted((*CONTINENTS, *(icon for icon in CLASSES if icon != "petting")))
    assert sum(tile.icons == (name,) for name in CLASSES for tile in projects) == 6


def test_the_pack_has_its_distribution_of_buildings() -> None:
    """SA-10.1."""
    buildings = _of("building")
    assert len(buildings) == 35
    asked = Counter(
        "any_of" if one.any_of else "on_river" if one.on_river else one.count
        for tile in buildings
        for one in tile.conditions
    )
    assert asked == {
        "adjacent_tile": 5 + 6 + 4 + 2 + 1, "group": 3, "adjacent_variety": 5 + 1, "on_river": 2, "river": 1,
        "any_of": 2, "adjacent_open": 1, "zoo_open": 1, "hand": 1,
    }  # fmt: skip
    assert all(len(tile.conditions) == 1 for tile in buildings)
    trails = [tile for tile in buildings if any(score.count == "network" for score in tile.score)]
    assert sorted(score.icon or "" for tile in trails for score in tile.score) == sorted(CONTINENTS)


def test_objectives_and_their_icons() -> None:
    """SA-10.1."""
    assert [one.icon for one in ATLAS.objectives.values()] == [
        *CLASSES, "africa", "americas", "asia", "australia", "europe", "building", "project", "large",
    ]  # fmt: skip
    assert sum(tile.all_icons.count("petting") for tile in ATLAS) == 9


def test_every_word_is_used_by_two_tiles_at_least() -> None:
    """SA-10.1: counts, effects, abilities, conditions and scores; maps count too."""
    used: Counter[str] = Counter()
    trees = [*tomllib.loads(WHOLE.source.decode())["tile"], *map(msgspec.to_builtins, shipped_maps().values())]
    for tree in trees:
        used.update({*_words(tree)})
    counts = set(get_args(CountWord))
    effects = {"draw", "take", "gain", "pouch", "open_area", "shift", "reveal", "relocate"}
    abilities = {"on_play", "on_open_area", "on_pair", "on_support", "discount"}
    forms = {"on_river", "any_of", "points", "each", "cap", "by_size", "cover", "arrows"}
    for word in counts | effects | abilities | forms:
        assert used[word] >= 2, word


def _words(tree: Any) -> list[str]:
    if isinstance(tree, dict):
        named = [tree[key] for key in ("count", "do", "when") if isinstance(tree.get(key), str)]
        return [*tree, *named, *chain.from_iterable(map(_words, tree.values()))]
    return [word for part in tree for word in _words(part)] if isinstance(tree, (list, tuple)) else []


def test_the_printed_samples_are_in_the_pack_as_they_are_in_the_fixture() -> None:
    """SA-10.1, SA-10.2."""
    samples = [tile for tile in fixture().cards if tile.id[:3] in ("an_", "pr_", "bu_")]
    mates = {"an_saltwater_crocodile_f"}
    assert len(samples) == 18
    assert all(ATLAS[tile.id] == tile for tile in samples if tile.id not in mates)
    species = {tile.species for tile in _of("animal")}
    assert len(species) == 48
    assert all("_" in (name or "") for name in species)


def _codes(source: str) -> list[str]:
    with pytest.raises(PackError) as raised:
        read_pack(source.encode())
    return [fault.code for fault in raised.value.faults]


def _with(**fields: Any) -> str:
    """Give the fixture pack and one more tile, spelled field by field."""
    rows = {"kind": '"building"', "name": '"t"'} | fields
    if rows["kind"] == '"animal"':
        rows = {"species": '"odd"', "sex": '"n"', "level": "1", "icons": '["bird"]'} | rows
    if rows["kind"] == '"project"':
        rows = {"level": "1"} | rows
    lines = [f"{name} = {value}" for name, value in rows.items() if value is not None]
    return f'{SOURCE}\n[[tile]]\nid = "t_odd"\n' + "\n".join(lines) + "\n"


ANIMAL, PROJECT = '"animal"', '"project"'


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"colour": '"red"'}, ["pack_unknown_field"]),  # SA-7.2
        ({"kind": '"plant"'}, ["pack_unknown_word"]),  # SA-7.3
        ({"icons": '["sand"]'}, ["pack_unknown_word"]),
        ({"effects": '[{ do = "dance" }]'}, ["pack_unknown_word"]),
        ({"abilities": '[{ when = "never", effects = [] }]'}, ["pack_unknown_word"]),
        ({"score": '[{ each = 1, count = "stars" }]'}, ["pack_unknown_word"]),
        ({"arrows": '["UP"]'}, ["pack_unknown_word"]),
        ({"effects": '[{ do = "take", n = 1, filter = "icon:sand" }]'}, ["pack_unknown_word"]),
        ({"name": None}, ["pack_missing_field"]),  # SA-7.4
        ({"kind": ANIMAL, "species": None, "sex": None}, ["pack_missing_field"] * 2),
        ({"kind": PROJECT, "level": None}, ["pack_missing_field"]),
        ({"effects": '[{ do = "gain", marker = "pouch" }]'}, ["pack_missing_field"]),
        ({"score": '[{ each = 1, count = "zoo_icon" }]'}, ["pack_missing_field"]),
        ({"score": '[{ each = 1, count = "pairs", icon = "bird" }]'}, ["pack_unknown_field"]),
        ({"score": "[{ each = 1 }]"}, ["pack_missing_field"]),
        ({"score": '[{ points = 1, each = 1, count = "pairs" }]'}, ["pack_missing_field"]),
        ({"conditions": '[{ count = "pairs" }]'}, ["pack_missing_field"]),
        ({"conditions": "[{ any_of = [] }]"}, ["pack_missing_field"]),
        ({"conditions": "[{ on_river = false }]"}, ["pack_unknown_word"]),
        ({"level": "1"}, ["pack_level_range"]),  # SA-7.5
        ({"kind": PROJECT, "level": "6"}, ["pack_level_range"]),
        ({"kind": ANIMAL, "icons": '["bird", "rock", "water"]'}, ["pack_habitat"]),  # SA-7.6
        ({"kind": ANIMAL, "icons": '["rock"]'}, ["pack_class"]),  # SA-7.7
        ({"kind": ANIMAL, "icons": '["bird", "reptile"]'}, ["pack_class"]),
        ({"kind": ANIMAL, "icons": '["bird", "asia", "africa"]'}, ["pack_continent"]),  # SA-7.8
        ({"icons": '["building"]'}, ["pack_implied_icon"]),  # SA-7.9
        ({"icons": '["small"]'}, ["pack_implied_icon"]),
        ({"kind": PROJECT, "arrows": '["N"]'}, ["pack_arrows"]),  # SA-7.10
        ({"arrows": '["N", "N"]'}, ["pack_arrows"]),
        ({"arrows": '["N", "S", "NE", "SE"]'}, ["pack_arrows"]),
        ({"kind": ANIMAL, "sex": '"m"'}, ["pack_pair"]),  # SA-7.11
        ({"kind": PROJECT, "conditions": "[{ on_river = true }]"}, ["pack_condition_kind"]),  # SA-7.13
        ({"cover": '"bird"'}, ["pack_cover_kind"]),  # SA-7.14
        ({"kind": PROJECT, "cover": '"animal"'}, ["pack_cover_kind"]),
        ({"effects": '[{ do = "gain", marker = "pouch", by_size = { small = 1, large = 2 } }]'}, ["pack_by_size"]),
        ({"kind": PROJECT, "cover": '"bird"',
          "effects": '[{ do = "gain", marker = "pouch", by_size = { large = 1 } }]'},
         ["pack_by_size"]),  # SA-7.15
        ({"effects": '[{ do = "draw", n = 0 }]'}, ["pack_number"]),  # SA-7.16
        ({"effects": '[{ do = "pouch", max = 0 }]'}, ["pack_number"]),
        ({"effects": '[{ do = "reveal", n = 1, keep = 2 }]'}, ["pack_number"]),
        ({"effects": '[{ do = "draw", n = { count = "pairs", cap = 0 } }]'}, ["pack_number"]),
        ({"score": "[{ points = -1 }]"}, ["pack_number"]),
        ({"abilities": '[{ when = "discount", icon = "bird", amount = 0 }]'}, ["pack_number"]),
        ({"conditions": '[{ any_of = [{ count = "pairs", min = 0 }] }]'}, ["pack_number"]),
        ({"abilities": '[{ when = "on_open_area", effects = [{ do = "open_area", n = 1 }] }]'},
         ["pack_ability_loop"]),  # SA-7.17
    ],
)  # fmt: skip
def test_every_fault_of_a_tile_has_its_code(fields: dict[str, Any], codes: list[str]) -> None:
    """SA-7.2 to SA-7.17."""
    assert _codes(_with(**fields)) == codes


def test_all_faults_are_told_together_sorted_by_code_and_place() -> None:
    """SA-7.1 to SA-7.17: each names tile and field."""
    with pytest.raises(PackError) as raised:
        read_pack(_with(level="7", colour='"red"', icons='["sand"]', effects='[{ do = "draw", n = "x" }]').encode())
    assert [(fault.code, fault.where) for fault in raised.value.faults] == [
        ("pack_number", "t_odd: effects[0].n"),
        ("pack_unknown_field", "t_odd: colour"),
        ("pack_unknown_word", "t_odd: icons[0]"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ('id = "x40"', 'id = "x39"', ["pack_id_duplicate"]),  # SA-7.1
        ('id = "ob_forest"', 'id = "ob_bird"', ["pack_id_duplicate"]),
        ('sex = "f"\nicons = ["water", "reptile"', 'sex = "f"\nicons = ["rock", "reptile"',
         ["pack_pair_icons"]),  # SA-7.12
        ('icon = "forest"', 'icon = "asia"', ["pack_objective_icons"]),  # SA-7.20
        ("[1, 3, 6, 10, 15, 21]", "[1, 3, 2]", ["pack_group_table"]),  # SA-7.21
        ("[1, 3, 6, 10, 15, 21]", "[]", ["pack_group_table"]),
        ("[1, 3, 6, 10, 15, 21]", "[-1, 3]", ["pack_group_table"]),
        ("version = 1", "version = 1\nauthor = 3", ["pack_unknown_field"]),
    ],
)  # fmt: skip
def test_every_fault_of_a_pack_has_its_code(old: str, new: str, codes: list[str]) -> None:
    """SA-7.1, SA-7.12, SA-7.20, SA-7.21."""
    assert old in SOURCE
    assert _codes(SOURCE.replace(old, new, 1)) == codes


def test_a_pack_is_neither_too_small_nor_too_large() -> None:
    """SA-7.18, SA-7.19."""
    head, *tiles = SOURCE.split("[[tile]]")
    assert "pack_too_small" in _codes("[[tile]]".join([head, *tiles[:80]]))
    many = [f'\nid = "y{n}"\nkind = "building"\nname = "y"\n' for n in range(100)]
    assert _codes("[[tile]]".join([head, *tiles, *many])) == ["pack_too_large"]
    few = head.split("[[objective]]")
    assert "pack_objectives" in _codes("[[objective]]".join(few[:4]) + "[[tile]]" + "[[tile]]".join(tiles))


def test_nothing_is_wrong_with_the_shipped_maps() -> None:
    """SA-2.5, SA-10.1."""
    assert list(shipped_maps()) == ["riverside", "terraces"]
    for ground in shipped_maps().values():
        assert map_faults(msgspec.to_builtins(ground)) == []


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"printed": ["Z1"]}, ["map_space"]),  # SA-7.31
        ({"printed": ["D4"]}, ["map_space"]),
        ({"bonuses": [{"space": "D4", "effect": {"do": "shift"}}]}, ["map_space"]),
        ({"printed": ["A1"], "bonuses": [{"space": "A1", "effect": {"do": "shift"}}]},
         ["map_bonus_on_open"]),  # SA-7.32
        ({"printed": ["C3", "D3", "E3"]}, ["map_entrance"]),  # SA-7.33
        ({"bonuses": [{"space": "A1", "effect": {"do": "dance"}}]}, ["map_effect"]),  # SA-7.34
        ({"bonuses": [{"space": "A1", "effect": {"do": "draw", "n": 0}}]}, ["map_effect"]),
        ({"bonuses": [{"space": "A1", "effect": {"do": "draw", "n": {"count": "zoo_icon"}}}]}, ["map_effect"]),
        ({"printed": ["Z1"], "bonuses": [{"space": "Z2", "effect": {"do": "pouch", "max": 0}}]},
         ["map_space", "map_space", "map_effect"]),
    ],
)  # fmt: skip
def test_every_fault_of_a_map_has_its_code(fields: dict[str, Any], codes: list[str]) -> None:
    """SA-7.31 to SA-7.34."""
    assert [fault.code for fault in map_faults({"id": "odd"} | fields)] == codes


def test_a_file_of_maps_names_every_fault_by_map_and_field() -> None:
    """SA-7.31, SA-7.33."""
    source = '[[map]]\nid = "odd"\nprinted = ["C3", "D3", "E3", "Z1"]\n'
    with pytest.raises(PackError) as raised:
        read_maps(source.encode())
    assert [(fault.code, fault.where) for fault in raised.value.faults] == [
        ("map_entrance", "odd: printed"),
        ("map_space", "odd: printed"),
    ]
    with pytest.raises(PackError):
        read_maps(b"")
