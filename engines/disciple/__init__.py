"""The game ``disciple``: The Way of the Disciple. RULES.md lists its rules by id."""

from engines.disciple.game import Disciple

__all__ = ["Disciple"]
