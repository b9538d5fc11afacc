"""A zoo as a map of hexes in plain text: seven columns, three lines a hex and a rule between. Knows no state."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from engines.sanctuary.grid import COLUMNS, ENTRANCE, RIVER, rows
from engines.sanctuary.maps import Ground
from engines.sanctuary.reading import ground_in, tile_in
from engines.sanctuary.text import effect_text
from engines.sanctuary.tiles import Tile

Zones = Mapping[str, Any]

CELL = 13
HEIGHT = 4
HALF = HEIGHT // 2
SIGNS = {
    "forest": "Fo", "rock": "Ro", "water": "Wa", "predator": "pr", "herbivore": "he", "primate": "pm", "bird": "bi",
    "reptile": "re", "petting": "pe", "africa": "AF", "americas": "AM", "asia": "AS", "australia": "AU",
    "europe": "EU",
}  # fmt: skip
SHORT = {"gain": "+conserv.", "draw": "draw", "take": "take", "shift": "shift", "pouch": "pouch"}


def zoo_rows(zones: Zones, seat: int) -> list[str]:
    """Draw a zoo: columns B, D and F stand half a hex higher (SA-2.1)."""
    canvas = [[" " * CELL for _ in COLUMNS] for _ in range(HEIGHT * 4 + 1)]
    for at, column in enumerate(COLUMNS):
        top = 0 if rows(column) == 4 else HALF
        for row in range(1, rows(column) + 1):
            for line, text in enumerate(_hexagon(zones, seat, f"{column}{row}")):
                canvas[top + (row - 1) * HEIGHT + line][at] = text.ljust(CELL)[:CELL]
        canvas[top + rows(column) * HEIGHT][at] = "-" * CELL
    return [" ".join(row).rstrip() for row in canvas]


def _hexagon(zones: Zones, seat: int, space: str) -> list[str]:
    """Draw one hex: its name with marks, then what lies there in two or three short lines."""
    if space == ENTRANCE:
        return ["D4".ljust(CELL, "-"), "  ENTRANCE", "", ""]
    stack = zones[f"zoo_{seat}"].get(space)
    mark = "~" if space in RIVER else ""
    if stack is None:
        return [f"{space}{mark}".ljust(CELL, "-"), *_bare(ground_in(zones), space, zones, seat)]
    top = stack[-1]
    if top["face"] == "down":
        lines = _in_two(f"({tile_in(zones, top['tile']).name})" if "tile" in top else "")
        return [f"{space}{mark}".ljust(CELL, "-"), "open area", *lines]
    tile = tile_in(zones, top["tile"])
    name, more = _in_two(tile.name.replace(" (male)", "").replace(" (female)", ""))
    head = f"{space}{mark}{_kind(tile)}".ljust(CELL, "-")
    below = f"on {tile_in(zones, stack[0]['tile']).name}" if len(stack) > 1 else more
    return [head, name, below[:CELL], signs(tile)[:CELL]]


def _in_two(name: str) -> tuple[str, str]:
    """Break a name into two lines that fit a hex."""
    lines = [*textwrap.wrap(name, CELL), "", ""]
    return lines[0], lines[1]


def _bare(ground: Ground, space: str, zones: Zones, seat: int) -> list[str]:
    if space in ground.printed:
        return ["open area", "(printed)", ""]
    bonus = ground.bonus(space)
    if bonus is None or space in zones[f"seat_{seat}"]["bonus_taken"]:
        return ["", "", ""]
    words = effect_text(bonus)
    return [f"* {SHORT.get(words.split()[0], words.split()[0])}", "", ""]


def _kind(tile: Tile) -> str:
    """Mark kind, level, and sex of a pair: " a3m"."""
    sex = tile.sex if tile.sex in ("m", "f") else ""
    return f" {tile.kind[0]}{tile.level or ''}{sex} "


def signs(tile: Tile) -> str:
    """Abbreviate the listed icons of a tile: "Fo pr EU"."""
    return " ".join(SIGNS[icon] for icon in tile.icons if icon in SIGNS)
