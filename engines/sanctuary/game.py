"""Sanctuary as the service sees it: the contract, fulfilled by the modules beside this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.rules import Attempt, Bot, Fault, Flow, Match, Outcome, Pace, Pack, Refusal, Rules, Table
from engines.sanctuary import check, ends, explain, pack, secrets, turn
from engines.sanctuary.bot import greedy
from engines.sanctuary.options import SEATS, Options, option_faults
from engines.sanctuary.setup import setup
from engines.sanctuary.state import Game
from engines.sanctuary.state import State as Laid
from engines.sanctuary.view import view, views


class Sanctuary(Rules[Laid]):
    """The rules of ``sanctuary``: one seat to five, all building zoos on maps of their own."""

    name = "sanctuary"
    title = "Sanctuary"
    prefix = "SA"
    version = 1
    seats = SEATS  # SA-3.1
    State = Laid
    Options = Options
    pace = Pace(decision_s=90, strikes=6, absent_s=180)  # SA-8.18: two silent turns are six expiries
    cut_on_resign = True  # SA-8.15
    bots: ClassVar[Mapping[str, Bot]] = {"greedy": greedy}

    def packs(self) -> Mapping[str, Pack]:
        return pack.shipped()

    def read_pack(self, source: bytes) -> Pack:
        return pack.read_pack(source)

    def option_faults(self, options: Any, seats: int) -> list[Fault]:
        known = [name for one in pack.shipped().values() for name in one.cards.objectives]
        return option_faults(options, seats, known)

    def setup(self, table: Table[Any]) -> Laid:
        return setup(table)

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
        return check.broken(match, state)

    def secrets(self, match: Match, state: Laid, seat: int | None) -> Mapping[str, Sequence[str]]:
        return secrets.secrets(state, seat)

    def exchange(self, match: Match, state: Laid, one: str, other: str) -> None:
        secrets.exchange(state, one, other)
