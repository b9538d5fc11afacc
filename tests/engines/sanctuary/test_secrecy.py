"""The contract holds over all options, and every kind of leak that the game could have is found (SA-2.6 to SA-2.11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.rules import Act, Attempt, Flow, Match, Refusal, pick
from engines.sanctuary import Sanctuary
from engines.sanctuary.options import Options
from engines.sanctuary.state import Game, State, Trigger, atlas_of
from engines.testing import Effort, Report, examine
from tests.engines.sanctuary.table import RULES

PAIRED = Effort(shown=0, heavy=0, whole=0, pairs=6, limit=90)
OPTIONS = [
    Options(),
    Options(map="terraces", pile_copies=2, upgrade_mode="per_marker", starting_hand=2),
    Options(after_action="one", four_objectives_end="immediate", late_end_marker=0, solo_markers=3),
    Options(objectives=("ob_bird", "ob_asia", "ob_europe", "ob_large", "ob_africa"), first_seat=0, starting_hand=3),
]


class PileOrder(Sanctuary):
    """Shows the pile."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        return super().view(match, state, seat) | {"peek": [state.keys[number] for number in state.pile]}


class PileSorted(Sanctuary):
    """Shows how many tiles of the pile lie in alphabetical order."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        keys = [state.keys[number] for number in state.pile]
        return super().view(match, state, seat) | {"sorted": sum(map(str.__lt__, keys, keys[1:]))}


class OpenHand(Sanctuary):
    """Shows the kinds of tiles in the hands of others, counted."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        tiles = atlas_of(match)
        kinds = [sum(tiles[state.keys[n]].kind == "animal" for n in lying.hand) for lying in state.seats]
        return super().view(match, state, seat) | {"animals": kinds}


class FaceDown(Sanctuary):
    """Shows what lies face down in a zoo to everybody."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        down = [state.keys[laid.tile] for lying in state.seats for stack in lying.zoo.values() for laid in stack]
        return super().view(match, state, seat) | {"laid": down}


class FinalRound(Sanctuary):
    """Begins in the final round, with two tiles in the pile and the others in the discard."""

    def setup(self, table: Any) -> State:
        state = super().setup(table)
        count = table.match.seats
        state.discard, state.pile = state.pile[:-2], state.pile[-2:]
        state.trigger = Trigger((state.active - 1) % count, ("c2",))
        state.final_queue = [(state.active + step) % count for step in range(1, count - 1)]
        return state


class NewPile(FinalRound):
    """Tells what a reshuffle has brought."""

    def play(self, table: Game) -> Flow[None]:
        yield from super().play(table)
        if any(event.kind == "pile_reshuffled" for event in table.events) and table.state.pile:
            table.emit("brought", tiles=[table.state.keys[number] for number in table.state.pile])


class NextObjective(Sanctuary):
    """Shows an objective that was not revealed."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        return super().view(match, state, seat) | {"sixth": state.keys[state.unseen[0]]}


class TellingOption(Sanctuary):
    """Asks each seat in its turn something that depends on the hand of the next."""

    def play(self, table: Game) -> Flow[None]:
        state = table.state
        if state.phase == "take" and not state.pending:
            hand = state.seats[(state.active + 1) % table.match.seats].hand
            animals = [number for number in hand if state.keys[number].startswith("an_")]
            acts: list[Act] = [{"do": "nod", "times": times} for times in range(1 + len(animals))]
            yield pick(state.active, "take_tile", acts, rule="SA-4.1")
        yield from super().play(table)


class TellingDraw(Sanctuary):
    """Tells the number of letters of what was drawn."""

    def play(self, table: Game) -> Flow[None]:
        yield from super().play(table)
        for event in [event for event in table.events if event.kind == "tiles_drawn"]:
            tiles = next(iter(event.secret.values()))["tiles"]
            table.emit("sound", letters=sum(map(len, tiles)))


class TellingError(Sanctuary):
    """Names the top of the pile in its errors."""

    top = ""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        self.top = state.keys[state.pile[-1]] if state.pile else ""
        return super().view(match, state, seat)

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        refusal = super().explain(view, attempt)
        return Refusal(refusal.code, refusal.rule, f"{refusal.text} ({self.top})", refusal.details)


def test_the_contract_holds_over_all_options() -> None:
    """SA-2.7, SA-2.10, SA-2.11."""
    report = examine(
        RULES, seed=7, matches=3, options=OPTIONS, effort=Effort(shown=0.1, heavy=0.02, whole=0.4, pairs=2)
    )
    assert report.faults == []
    assert report.exchanges.conclusive > report.exchanges.inconclusive


LEAKS = [PileOrder, PileSorted, OpenHand, FaceDown, NextObjective, TellingOption, TellingDraw, TellingError]


@pytest.mark.parametrize("rules", LEAKS, ids=lambda rules: rules.__name__)
def test_every_kind_of_leak_is_found(rules: type[Sanctuary]) -> None:
    """SA-2.6, SA-2.7, SA-2.11: pile, hands, tiles face down, objectives, options, sizes, errors."""
    report = examine(rules(), seed=3, matches=4, options=OPTIONS[:2], effort=PAIRED)
    assert _leaked(report) != []


def test_a_leak_of_what_a_reshuffle_brought_is_found() -> None:
    """SA-2.2, SA-4.43: and nothing leaks where the final round begins honestly."""
    effort = Effort(shown=0, heavy=0, whole=0, pairs=1, limit=20)
    assert examine(FinalRound(), seed=3, matches=12, effort=effort).faults == []
    assert _leaked(examine(NewPile(), seed=3, matches=12, effort=effort)) != []


def test_nothing_leaks_without_a_leak() -> None:
    assert _leaked(examine(RULES, seed=3, matches=4, options=OPTIONS[:2], effort=PAIRED)) == []


def _leaked(report: Report) -> list[str]:
    """Give what was found out; that matches are cut short here is none of that."""
    return [fault for fault in report.faults if fault.startswith(("exchanges", "reshuffles"))]
