"""Knights of the Constellations: a game of the engine contract."""

from engines.knights.game import Knights

__all__ = ["Knights"]
