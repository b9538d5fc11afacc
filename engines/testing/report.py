"""What an examination found. Knows no promise and no game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct, field

MOST_FAULTS = 6


class Trials(Struct):
    """How many paired runs said something, and how many could not."""

    conclusive: int = 0
    inconclusive: int = 0


class Report(Struct):
    """Figures and faults of an examination. A fault names the promise, what happened, and where to find it again.

    ``exchanges``: runs with two hidden contents exchanged. ``reshuffles``: runs with a hidden shuffle that went
    otherwise. ``asked``: prompts by kind and shape. ``ends``: matches by reason. ``cut_short``: how many faults
    are not kept, because six of their promise are.
    """

    game: str
    matches: int = 0
    choices: int = 0
    faults: list[str] = []
    exchanges: Trials = field(default_factory=Trials)
    reshuffles: Trials = field(default_factory=Trials)
    asked: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    largest_record: int = 0
    cut_short: int = 0

    def blame(self, promise: str, text: str, where: str) -> None:
        """Keep a fault, up to a bound for each promise."""
        if sum(fault.startswith(f"{promise}: ") for fault in self.faults) < MOST_FAULTS:
            self.faults.append(f"{promise}: {text} [{self.game}, {where}]")
        else:
            self.cut_short += 1

    def keep(self, promise: Callable[..., Iterable[str]], where: str, *given: object) -> bool:
        """Try one promise; what it raises is a fault too. Gives whether it was kept."""
        before = len(self.faults) + self.cut_short
        try:
            for text in promise(*given):
                self.blame(promise.__name__, text, where)
        except Exception as error:
            self.blame(promise.__name__, f"raised {type(error).__name__}: {error}", where)
        return len(self.faults) + self.cut_short == before
