"""What one audience's zones say, in the terms of the rules: zoos, hands, cards, tiles. For refusals, bots and drawing.

Knows no state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engines.sanctuary.maps import Ground, shipped_maps
from engines.sanctuary.pack import printed
from engines.sanctuary.terms import Card
from engines.sanctuary.tiles import Tile
from engines.sanctuary.zoo import Zoo

Zones = Mapping[str, Any]


def seats_in(zones: Zones) -> int:
    """Give the number of seats."""
    at = 0
    while f"hand_{at}" in zones:
        at += 1
    return at


def ground_in(zones: Zones) -> Ground:
    return shipped_maps()[zones["options"]["map"]]


def face_in(zones: Zones, tile: str) -> Tile:
    """Give a tile as the view tells of it: without its name, scores and effects."""
    return msgspec.convert({"id": tile, "name": tile, **zones["tiles"][tile]}, Tile)


def tile_in(zones: Zones, tile: str) -> Tile:
    """Give a whole tile if it is of a shipped pack, else what the view tells of it."""
    known = printed(tile)
    return known if known is not None and known.face() == zones["tiles"].get(tile) else face_in(zones, tile)


def zoo_in(zones: Zones, seat: int, *, whole: bool = False) -> Zoo:
    """Give a seat's zoo. ``whole``: with the scores and effects of tiles, as far as they are known."""
    read = tile_in if whole else face_in
    stacks = zones[f"zoo_{seat}"]
    tops = {
        space: read(zones, stack[-1]["tile"]) if stack[-1]["face"] == "up" else None for space, stack in stacks.items()
    }
    return Zoo(ground_in(zones), tops)


def hand_in(zones: Zones, seat: int) -> list[str]:
    """Give the ids of a seat's own hand; of another's nothing is known."""
    hand: list[str] = zones[f"hand_{seat}"].get("tiles", [])
    return hand


def strength_in(zones: Zones, seat: int, card: Card) -> int:
    """Give the strength of a card (SA-4.6)."""
    return next(int(one["strength"]) for one in zones[f"seat_{seat}"]["cards"] if one["card"] == card)


def side_in(zones: Zones, seat: int, card: Card) -> int:
    return next(int(one["side"]) for one in zones[f"seat_{seat}"]["cards"] if one["card"] == card)


def supported_in(zones: Zones, seat: int) -> list[str]:
    """Give the objectives that a seat supports."""
    return [name for name in zones[f"seat_{seat}"]["achievements"].values() if name is not None]


def pending_in(zones: Zones, number: Any) -> Mapping[str, Any] | None:
    """Give a waiting effect by its number."""
    found: Mapping[str, Any] | None = next(
        (one for one in zones["effects"]["pending"] if one["effect"] == number), None
    )
    return found
