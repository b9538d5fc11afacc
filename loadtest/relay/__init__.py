"""The game ``relay``: the smallest game with work in it. RULES.md lists its rules by id."""

from loadtest.relay.game import Relay

__all__ = ["Relay"]
