"""The game ``patron``: the saint card game. RULES.md lists its rules by id."""

from engines.patron.game import Patron

__all__ = ["Patron"]
