"""The coin (KN-6.87)."""

from __future__ import annotations

from typing import Any

from engines.knights.bout import Bout


def toss(bout: Bout, why: str, **about: Any) -> bool:
    """Toss a fair coin at the moment that it is shown; heads is true (KN-2.44, KN-6.87)."""
    heads = bout.table.chance.below(2, f"coin: {why}") == 0
    bout.emit("coin_tossed", why=why, result="heads" if heads else "tails", **about)
    return heads
