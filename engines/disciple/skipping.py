"""The event of a primitive that did nothing at all, for a public reason (DI-5.4)."""

from __future__ import annotations

from engines.disciple.activation import told
from engines.disciple.state import Game
from engines.disciple.truth import Frame
from engines.disciple.words import Effect


def skip(table: Game, frame: Frame, effect: Effect) -> bool:
    """Tell that a primitive did nothing; give False, which is its ``did``."""
    table.emit("effect_skipped", **told(frame), do=effect.__struct_config__.tag)
    return False
