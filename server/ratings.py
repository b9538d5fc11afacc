"""What a match does to the ratings of those who played it. Pure: knows no room, no Redis and no time.

The model is Plackett–Luce of Weng and Lin (2011) as the library openskill has it: any number of seats, draws included.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce

_model = PlackettLuce()
_SCALE, _START = 40.0, 1_000.0
_FINE = 1_000


class Rating(Struct, frozen=True, array_like=True):
    """How good an account is at a game: ``mu`` is likely, give or take ``sigma``. ``name``: at its last match."""

    name: str
    mu: float = _model.mu
    sigma: float = _model.sigma
    matches: int = 0

    @property
    def shown(self) -> int:
        """Give what is shown: three ``sigma`` below ``mu``, so all but surely no less; 1000 before the first match."""
        return round(self._ordinal())

    @property
    def points(self) -> int:
        """Give what leaderboards are sorted by: finer than what is shown."""
        return round(_FINE * self._ordinal())

    def _ordinal(self) -> float:
        return float(self.mu - 3 * self.sigma) * _SCALE + _START


_decoder = msgspec.msgpack.Decoder(Rating)


def decode_rating(raw: bytes) -> Rating:
    return _decoder.decode(raw)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Give the ratings after a match. ``ranks``: one each, 1 is best, equal ones have drawn."""
    teams = [[_model.rating(rating.mu, rating.sigma)] for rating in before]
    after = _model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(old.name, new.mu, new.sigma, old.matches + 1) for old, (new,) in zip(before, after, strict=True)]
