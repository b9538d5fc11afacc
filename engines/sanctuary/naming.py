"""Names for people: of tiles, seats and effects, from what one audience sees. Knows no state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engines.sanctuary.pack import printed
from engines.sanctuary.reading import Zones, seats_in
from engines.sanctuary.text import effect_text
from engines.sanctuary.words import Effect


def name_of(zones: Zones, tile: str) -> str:
    """Name a tile; one of a pack that did not ship is named by its id."""
    known = printed(tile)
    if known is not None and known.face() == zones["tiles"].get(tile):
        return known.name
    return tile.partition("_")[2].replace("_", " ").capitalize() or tile


def names(zones: Zones, tiles: Iterable[str]) -> str:
    return ", ".join(name_of(zones, tile) for tile in tiles)


def viewer(zones: Zones) -> int | None:
    """Say whose eyes these are: the seat whose hand is open; None for a spectator."""
    return next((at for at in range(seats_in(zones)) if "tiles" in zones[f"hand_{at}"]), None)


def says(zones: Zones, seat: int, verb: str) -> str:
    """Begin a sentence with its verb: "You draw", "Seat 1 draws"."""
    if seat == viewer(zones):
        return f"You {verb}"
    return f"Seat {seat} {verb}{'es' if verb.endswith(('s', 'sh', 'ch')) else 's'}"


def says_effect(zones: Zones, waiting: Mapping[str, Any]) -> str:
    """Say what an effect does, and where it comes from."""
    effect: Effect = msgspec.convert(waiting["what"], Effect)
    source = waiting["source"]
    where = name_of(zones, source) if source in zones["tiles"] else source
    return f"{effect_text(effect)} ({where})"
