"""The game ``sanctuary``. RULES.md lists its rules by id and decides where its origins are silent (SA-0.1)."""

from engines.sanctuary.game import Sanctuary

__all__ = ["Sanctuary"]
