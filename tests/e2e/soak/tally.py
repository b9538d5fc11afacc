"""What a soak comes to. Knows the figures and which of them are bad, not how they are found."""

from __future__ import annotations

import sys

from msgspec import Struct

RSS_GROWTH_PCT = 20.0


class Tally(Struct):
    """All figures. ``commands``: those that were told ok, each once however often it was sent.

    ``lost``: told ok, but not among the inputs of the match. ``doubled``: had its effect twice, or two outcomes.
    ``gaps``: a version missing, doubled or never reached in a stream. ``divergences``: other bytes than the match
    makes, or an answer that nobody should get. ``rss_growth_pct``: of a node that lived on, after its warm-up.
    """

    commands: int = 0
    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    divergences: int = 0
    unverified_replays: int = 0
    rss_growth_pct: float = 0.0

    def add(self, other: Tally) -> None:
        """Take over what was counted elsewhere."""
        self.commands += other.commands
        self.lost += other.lost
        self.doubled += other.doubled
        self.gaps += other.gaps
        self.divergences += other.divergences
        self.unverified_replays += other.unverified_replays
        self.rss_growth_pct = max(self.rss_growth_pct, other.rss_growth_pct)

    @property
    def faultless(self) -> bool:
        """Say whether every promise was kept; memory is judged apart, because a short run only warms up."""
        return not (self.lost or self.doubled or self.gaps or self.divergences or self.unverified_replays)


def tell(text: str) -> None:
    """Say on stderr what happens; stdout is for the figures."""
    sys.stderr.write(f"soak: {text}\n")
    sys.stderr.flush()
