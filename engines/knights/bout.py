"""A match while an action is being carried out: the table, with what is worked out of it and what waits.

Owns the queue of triggers and the memory of effective values. Between two actions there is nothing in it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from engines.knights.cards import Cards
from engines.knights.options import Options
from engines.knights.reading import Frame, Reading
from engines.knights.state import Mention, Pending, State
from engines.knights.survey import Survey, survey
from engines.rules import Act, Flow, Match, Prompt, Table

Game = Table[State]


class Over(Exception):
    """The match has ended: whatever was being done is dropped (KN-4.9)."""


class Waiting(Struct, frozen=True):
    """A triggered ability in the queue (KN-4.29). ``source`` None: bonus ``at`` of the deity of ``seat``."""

    trigger: str
    seat: int
    source: Mention | None
    at: int
    event: Mention | None


class Board:
    """A table as it lies, with what is worked out of it. Enough to say what may be done."""

    __slots__ = ("_survey", "cards", "options", "state")

    def __init__(self, match: Match, state: State) -> None:
        self.state = state
        self.cards: Cards = match.pack
        self.options: Options = match.options
        self._survey: Survey | None = None

    @property
    def survey(self) -> Survey:
        """Give what knights are worth now; worked out anew after every change."""
        if self._survey is None:
            self._survey = survey(self.cards, self.state)
        return self._survey

    @property
    def reading(self) -> Reading:
        return self.survey.reading

    def touch(self) -> None:
        """Say that the table has changed."""
        self._survey = None


class Bout(Board):
    """One run of the rules from a checkpoint on."""

    __slots__ = ("queue", "resolved", "table")

    def __init__(self, table: Game) -> None:
        super().__init__(table.match, table.state)
        self.table = table
        self.queue: deque[Waiting] = deque()
        self.resolved = 0

    def emit(self, kind: str, /, **fields: Any) -> None:
        self.table.emit(kind, **fields)

    def name_public(self, number: int) -> None:
        """Give a card that comes to light its public id: they count up."""
        self.state.public_ids += 1
        self.state.pieces[number].id = f"c{self.state.public_ids}"

    def about(self, frame: Frame) -> Act:
        """Say what a prompt is about: the card, public from the moment that it acts, or the deity."""
        if frame.source is None:
            return {"deity": self.state.deity[frame.seat]}
        return {"source": {"card": self.state.pieces[frame.source.card].key}}


def ask(bout: Bout, prompt: Prompt) -> Flow[tuple[Act, ...]]:
    """Ask one seat; that it is asked, and what kind of thing, is public while it thinks (KN-2.15, KN-2.42)."""
    bout.state.pending = [Pending(prompt.seat, prompt.kind)]
    answer: tuple[Act, ...] = yield prompt
    bout.state.pending = []
    return answer


def ask_both(bout: Bout, prompts: Sequence[Prompt]) -> Flow[tuple[tuple[Act, ...], ...]]:
    """Ask both seats at once; answers stay private until both are in (KN-3.2, KN-3.8)."""
    bout.state.pending = [Pending(prompt.seat, prompt.kind) for prompt in prompts]
    answers: tuple[tuple[Act, ...], ...] = yield tuple(prompts)
    bout.state.pending = []
    return answers
