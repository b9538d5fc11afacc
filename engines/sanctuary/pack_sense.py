"""What may be wrong with tiles as tiles, and with a pack as a whole (SA-7.1, SA-7.4 to SA-7.20).

Owns the checks that need more than one field or more than one tile. Knows no state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engines.rules import Fault
from engines.sanctuary.pack_words import (
    ability_faults,
    condition_faults,
    effect_faults,
    score_faults,
    word_faults,
)  # fmt: skip
from engines.sanctuary.terms import CLASSES, CONTINENTS, HABITATS, KINDS, SIZES
from engines.sanctuary.tiles import Objective, Tile

FEWEST_TILES = 90
MOST_TILES = 200
"""So many tiles still fit into the view that tells a client what they are."""
FEWEST_OBJECTIVES = 5
FEWEST_ICONS = 8
MOST_ARROWS = 3


def all_tile_faults(tiles: Iterable[Tile]) -> Iterator[Fault]:
    for tile in tiles:
        for fault in tile_faults(tile):
            yield Fault(fault.code, f"{tile.id}: {fault.where}", fault.text)


def tile_faults(tile: Tile) -> Iterator[Fault]:
    """List what is wrong with one tile that can be read."""
    yield from _kind_faults(tile)
    yield from _icon_faults(tile)
    if tile.kind == "project" and tile.arrows:  # SA-7.10
        yield Fault("pack_arrows", "arrows", "a project has no arrows")
    if len(set(tile.arrows)) < len(tile.arrows) or len(tile.arrows) > MOST_ARROWS:
        yield Fault("pack_arrows", "arrows", f"at most {MOST_ARROWS} arrows, all different")
    if tile.cover is not None and (tile.kind != "project" or tile.cover in KINDS):  # SA-7.14
        yield Fault("pack_cover_kind", "cover", "only a project covers, and by an icon that is no kind")
    yield from _word_faults(tile)


def _kind_faults(tile: Tile) -> Iterator[Fault]:
    """Check which fields a kind has (SA-7.4, SA-7.5, SA-7.13)."""
    if tile.kind == "animal":
        for field in ("species", "sex"):
            if getattr(tile, field) is None:
                yield Fault("pack_missing_field", field, f"an animal has a `{field}`")
    elif tile.species is not None or tile.sex is not None:
        yield Fault("pack_unknown_field", "species", f"a {tile.kind} has neither `species` nor `sex`")
    if tile.kind == "building":
        if tile.level is not None:
            yield Fault("pack_level_range", "level", "a building has no level")
    elif tile.level is None:
        yield Fault("pack_missing_field", "level", f"{tile.kind}s have a level")
    elif not 1 <= tile.level <= 5:
        yield Fault("pack_level_range", "level", f"level {tile.level} is not from 1 to 5")
    if tile.conditions and tile.kind != "building":
        yield Fault("pack_condition_kind", "conditions", "only a building has conditions")


def _icon_faults(tile: Tile) -> Iterator[Fault]:
    """Check habitats, classes, continents and what is implied (SA-7.6 to SA-7.9)."""
    if any(icon in (*KINDS, *SIZES) for icon in tile.icons):
        yield Fault("pack_implied_icon", "icons", "kind and size are implied and not listed")
    if tile.kind != "animal":
        return
    if sum(icon in HABITATS for icon in tile.icons) > 1:
        yield Fault("pack_habitat", "icons", "an animal has one habitat at most")
    if len({icon for icon in tile.icons if icon in CLASSES}) != 1:
        yield Fault("pack_class", "icons", "an animal has one class")
    if len({icon for icon in tile.icons if icon in CONTINENTS}) > 1:
        yield Fault("pack_continent", "icons", "an animal has one continent at most")


def _word_faults(tile: Tile) -> Iterator[Fault]:
    covers = tile.cover is not None
    for at, effect in enumerate(tile.effects):
        yield from _under(f"effects[{at}]", effect_faults(effect, covers=covers))
        yield from _under(f"effects[{at}]", word_faults(effect))
    for at, ability in enumerate(tile.abilities):
        yield from _under(f"abilities[{at}]", ability_faults(ability))
    for at, condition in enumerate(tile.conditions):
        yield from _under(f"conditions[{at}]", condition_faults(condition))
    for at, score in enumerate(tile.score):
        yield from _under(f"score[{at}]", score_faults(score))


def _under(where: str, faults: Iterable[Fault]) -> Iterator[Fault]:
    for fault in faults:
        yield Fault(fault.code, f"{where}.{fault.where}", fault.text)


def pack_faults(
    tile_ids: Sequence[str], tiles: Sequence[Tile], objective_ids: Sequence[str], objectives: Sequence[Objective]
) -> Iterator[Fault]:
    """List what is wrong with a pack as a whole. ``*_ids``: also of what cannot be read otherwise."""
    for ids in (tile_ids, objective_ids):
        for name, times in Counter(ids).items():
            if times > 1:  # SA-7.1
                yield Fault("pack_id_duplicate", f"{name[:60]}: id", f"{times} things have this id")
    if not FEWEST_TILES <= len(tile_ids) <= MOST_TILES:  # SA-7.18
        code = "pack_too_small" if len(tile_ids) < FEWEST_TILES else "pack_too_large"
        yield Fault(code, "tile", f"{len(tile_ids)} tiles are not from {FEWEST_TILES} to {MOST_TILES}")
    if len(objective_ids) < FEWEST_OBJECTIVES:  # SA-7.19
        yield Fault("pack_objectives", "objective", f"fewer than {FEWEST_OBJECTIVES} objectives")
    icons = Counter(icon for tile in tiles for icon in tile.all_icons)
    for objective in objectives:
        if icons[objective.icon] < FEWEST_ICONS:  # SA-7.20
            yield Fault("pack_objective_icons", f"{objective.id}: icon", f"{objective.icon} is there too rarely")
    yield from _species_faults(tiles)


def _species_faults(tiles: Sequence[Tile]) -> Iterator[Fault]:
    """Check that each species is one tile, or a pair with the same icons (SA-7.11, SA-7.12)."""
    species: dict[str, list[Tile]] = {}
    for tile in tiles:
        if tile.species is not None and tile.sex is not None:
            species.setdefault(tile.species, []).append(tile)
    for name, members in species.items():
        sexes = sorted(str(tile.sex) for tile in members)
        if sexes not in (["n"], ["f", "m"]):
            yield Fault("pack_pair", f"{name}: sex", "a species is one tile of sex n, or one m and one f")
        elif len({tuple(sorted(tile.icons)) for tile in members}) > 1:
            yield Fault("pack_pair_icons", f"{name}: icons", "the two of a pair have the same icons")
