"""Patron as the service sees it: the contract, fulfilled by the modules beside this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.patron import check, decks, ends, explain, pack, secrets, turn
from engines.patron.bot import greedy
from engines.patron.options import Options
from engines.patron.setup import setup
from engines.patron.state import Game
from engines.patron.state import State as Laid
from engines.patron.view import view, views
from engines.rules import Attempt, Bot, Fault, Flow, Match, Outcome, Pace, Pack, Refusal, Rules, Table


class Patron(Rules[Laid]):
    """The rules of ``patron``: two seats, each with a deck of 40."""

    name = "patron"
    title = "Patron"
    prefix = "PA"
    version = 1
    seats = (2, 2)
    State = Laid
    Options = Options
    pace = Pace(decision_s=60, strikes=3, absent_s=120)  # PA-8.6
    brings_decks = True
    bots: ClassVar[Mapping[str, Bot]] = {"greedy": greedy}

    def packs(self) -> Mapping[str, Pack]:
        return pack.shipped()

    def read_pack(self, source: bytes) -> Pack:
        return pack.read_pack(source)

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        return decks.ready_decks(pack.cards)

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        return decks.deck_faults(pack.cards, deck)

    def setup(self, table: Table[Any]) -> Laid:
        return setup(table)

    def play(self, table: Game) -> Flow[None]:
        return turn.play(table)

    def view(self, match: Match, state: Laid, seat: int | None) -> dict[str, Any]:
        return view(match, state, seat)

    def views(self, match: Match, state: Laid) -> dict[int | None, dict[str, Any]]:
        return views(match, state)

    def outcome(self, match: Match, state: Laid, gone: Mapping[int, str]) -> Outcome | None:
        return ends.outcome(state, gone)

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        return explain.explain(view, attempt)

    def check(self, match: Match, state: Laid) -> list[str]:
        return check.broken(match.pack, state)

    def secrets(self, match: Match, state: Laid, seat: int | None) -> Mapping[str, Sequence[str]]:
        return secrets.secrets(match.pack, state, seat)

    def exchange(self, match: Match, state: Laid, one: str, other: str) -> None:
        secrets.exchange(state, one, other)
