"""The grid that all maps share: seven columns of hexes, the entrance, the river (SA-2.1 to SA-2.4).

Knows no map and no tile. Directions are those of the map: tiles are never turned (SA-2.4).
"""

from __future__ import annotations

from typing import Literal

Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]

COLUMNS = "ABCDEFG"
ENTRANCE = "D4"
STEPS: dict[Direction, tuple[int, int]] = {
    "N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1),
}  # fmt: skip
"""Each direction in doubled coordinates (SA-2.2)."""


def rows(column: str) -> int:
    """Give how many hexes a column has: four in B, D and F, three in the others (SA-2.1)."""
    return 4 if column in "BDF" else 3


def _place(hexagon: str) -> tuple[int, int]:
    """Give the doubled coordinates of a hex; B, D and F begin half a hex higher (SA-2.2)."""
    column, row = hexagon[0], int(hexagon[1])
    return COLUMNS.index(column), 2 * row - (2 if rows(column) == 4 else 1)


HEXES = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, rows(column) + 1))
SPACES = tuple(hexagon for hexagon in HEXES if hexagon != ENTRANCE)
"""The 23 spaces in the order in which the rules name them: A1, A2, … G3."""

RIVER = frozenset(("A1", "A2", "A3", "G1", "G2", "G3"))

_AT = {_place(hexagon): hexagon for hexagon in HEXES}


def _neighbour(hexagon: str, direction: Direction) -> str | None:
    (x, y), (dx, dy) = _place(hexagon), STEPS[direction]
    return _AT.get((x + dx, y + dy))


TOWARDS: dict[str, dict[Direction, str | None]] = {
    hexagon: {direction: _neighbour(hexagon, direction) for direction in STEPS} for hexagon in HEXES
}
"""The neighbour in each direction; None: off the map. The entrance is among them (SA-2.3)."""

AROUND: dict[str, tuple[str, ...]] = {
    hexagon: tuple(other for other in towards.values() if other is not None) for hexagon, towards in TOWARDS.items()
}
"""All neighbours on the map, the entrance included."""
