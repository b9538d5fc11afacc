"""Knights of the Constellations as the service sees it: the contract, fulfilled by the modules beside this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.knights import check, decks, ends, explain, pack, pregame, turn
from engines.knights.bot import greedy
from engines.knights.bout import Board, Game
from engines.knights.options import Options as Chosen
from engines.knights.options import option_faults
from engines.knights.state import State as Laid
from engines.knights.view import view, views
from engines.rules import Attempt, Bot, Fault, Flow, Match, Outcome, Pace, Pack, Refusal, Rules, Table


class Knights(Rules[Laid]):
    """The rules of ``knights``: two seats, one deck each."""

    name = "knights"
    title = "Knights of the Constellations"
    prefix = "KN"
    version = 1
    seats = (2, 2)
    State = Laid
    Options = Chosen
    pace = Pace(decision_s=90, strikes=3, absent_s=120)  # KN-8.5
    brings_decks = True
    bots: ClassVar[Mapping[str, Bot]] = {"greedy": greedy}

    def packs(self) -> Mapping[str, Pack]:
        return pack.shipped()

    def read_pack(self, source: bytes) -> Pack:
        return pack.read_pack(source)

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        return decks.ready_decks(pack.cards)

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        return decks.deck_faults(pack.cards, deck, Chosen())

    def option_faults(self, options: Any, seats: int) -> list[Fault]:
        return option_faults(options)

    def setup(self, table: Table[Any]) -> Laid:
        return pregame.setup(table)

    def play(self, table: Game) -> Flow[None]:
        return turn.play(table)

    def view(self, match: Match, state: Laid, seat: int | None) -> dict[str, Any]:
        return view(match, state, seat)

    def views(self, match: Match, state: Laid) -> dict[int | None, dict[str, Any]]:
        return views(match, state)

    def outcome(self, match: Match, state: Laid, gone: Mapping[int, str]) -> Outcome | None:
        return ends.outcome(match, state, gone)

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        return explain.explain(view, attempt)

    def check(self, match: Match, state: Laid) -> list[str]:
        return check.broken(Board(match, state))

    def secrets(self, match: Match, state: Laid, seat: int | None) -> Mapping[str, Sequence[str]]:
        return check.secrets(Board(match, state), seat)

    def exchange(self, match: Match, state: Laid, one: str, other: str) -> None:
        check.exchange(state, one, other)
