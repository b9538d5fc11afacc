"""Which card may play a tile (SA-4.10, SA-4.11). Looks and changes nothing."""

from __future__ import annotations

from engines.sanctuary.tiles import Tile


def fits_card(tile: Tile, card: str) -> bool:
    """Say whether an animal may be played by an animal card: that of its habitat, any if it has none (SA-1.5)."""
    return tile.habitat in (None, card)
