"""The Way of the Disciple as the service sees it: the contract, fulfilled by the modules beside this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.disciple import check, decks, ends, explain, pack, turn
from engines.disciple.bot import greedy
from engines.disciple.options import Options
from engines.disciple.setup import setup
from engines.disciple.state import Game
from engines.disciple.state import State as GameState
from engines.disciple.view import view, views
from engines.rules import Attempt, Bot, Fault, Flow, Match, Outcome, Pace, Pack, Refusal, Rules, Table


class Disciple(Rules[GameState]):
    """The rules of ``disciple``: two seats, Classic mode (DI-9.26)."""

    name = "disciple"
    title = "The Way of the Disciple"
    prefix = "DI"
    version = 1
    seats = (2, 2)
    State = GameState
    Options = Options
    pace = Pace(decision_s=60, strikes=3, absent_s=120)  # DI-8.9
    brings_decks = True
    bots: ClassVar[Mapping[str, Bot]] = {"greedy": greedy}

    def packs(self) -> Mapping[str, Pack]:
        return pack.shipped()

    def read_pack(self, source: bytes) -> Pack:
        return pack.read_pack(source)

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        return decks.ready_decks(pack.id)

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        # DI-3.2: the service begins no match before this is empty for both seats
        return decks.deck_faults(pack.cards, deck)

    def setup(self, table: Table[Any]) -> GameState:
        return setup(table)

    def play(self, table: Game) -> Flow[None]:
        return turn.play(table)

    def view(self, match: Match, state: GameState, seat: int | None) -> dict[str, Any]:
        return view(match, state, seat)

    def views(self, match: Match, state: GameState, seats: Sequence[int | None]) -> list[dict[str, Any]]:
        return views(match, state, seats)

    def outcome(self, match: Match, state: GameState, gone: Mapping[int, str]) -> Outcome | None:
        return ends.outcome(state, gone)

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        return explain.explain(view, attempt)

    def check(self, match: Match, state: GameState) -> list[str]:
        return check.broken(match.pack, state)

    def secrets(self, match: Match, state: GameState, seat: int | None) -> Mapping[str, Sequence[str]]:
        return check.secrets(state, seat)

    def exchange(self, match: Match, state: GameState, one: str, other: str) -> None:
        check.exchange(state, one, other)
