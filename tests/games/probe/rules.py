"""Probe as a game of the engine contract. Puts the other modules together and decides nothing but how matches end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engines.rules import Attempt, Fault, Flow, Match, Outcome, Pace, Pack, Refusal, Rules, Table
from probe import bot, packs, view
from probe.explain import explain
from probe.play import STEPS, play
from probe.state import BOUNDS, LEAKS, MOST_STEPS
from probe.state import Options as ProbeOptions
from probe.state import State as ProbeState
from probe.table import set_up


class Probe(Rules[ProbeState]):
    """One to five seats, cards from a common pack."""

    name = "probe"
    title = "Probe"
    prefix = "PR"
    version = 1
    seats = (1, 5)
    State = ProbeState
    Options = ProbeOptions
    pace = Pace(decision_s=20, strikes=3, absent_s=60)
    bots = {"eager": bot.eager, "idle": bot.idle}  # noqa: RUF012 - the contract makes it a ClassVar

    def __init__(self) -> None:
        self.glimpsed = ""

    def packs(self) -> Mapping[str, Pack]:
        return {name: packs.read_pack(source, self.name) for name, source in packs.shipped().items()}

    def read_pack(self, source: bytes) -> Pack:
        return packs.read_pack(source, self.name)

    def option_faults(self, options: Any, seats: int) -> list[Fault]:
        """Check options, also together: PR-2.5."""
        faults = [Fault("unknown_step", "plan", name) for name in options.plan if name not in STEPS]
        if not 1 <= len(options.plan) * options.laps <= MOST_STEPS:
            faults.append(Fault("steps", "plan", f"a match has 1 to {MOST_STEPS} steps"))
        if options.leak not in ("", *LEAKS):
            faults.append(Fault("unknown_leak", "leak", options.leak))
        if "stray" in options.plan and seats < 2:
            faults.append(Fault("too_few_seats", "plan", "stray needs two seats"))
        within = {name: low <= getattr(options, name) <= high for name, (low, high) in BOUNDS.items()}
        return faults + [Fault("out_of_range", name, f"{BOUNDS[name]}") for name, good in within.items() if not good]

    def setup(self, table: Table[Any]) -> ProbeState:
        return set_up(table)

    def play(self, table: Table[ProbeState]) -> Flow[None]:
        return play(table)

    def view(self, match: Match, state: ProbeState, seat: int | None) -> dict[str, Any]:
        if match.options.leak == "error":
            self.glimpsed = next((state.faces[deck[0]] for deck in state.decks if deck), "")
        return view.view(match, state, seat)

    def outcome(self, match: Match, state: ProbeState, gone: Mapping[int, str]) -> Outcome | None:
        left = tuple(seat for seat in range(match.seats) if seat not in gone)
        if gone and len(left) <= (1 if match.seats > 1 else 0):  # PR-2.3
            ranks = tuple(1 if seat in left else 2 for seat in range(match.seats))
            return Outcome(left, list(gone.values())[-1], ranks)
        best = max(state.scores)
        if best < match.options.target and state.step < len(match.options.plan) * match.options.laps:
            return None
        winners = tuple(seat for seat, points in enumerate(state.scores) if points == best)  # PR-2.2
        ranks = tuple(1 + sum(other > points for other in state.scores) for points in state.scores)
        reason = "target" if best >= match.options.target else "points"
        return Outcome(winners, reason, ranks, {"points": list(state.scores)})

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        refusal = explain(view, attempt)
        if not self.glimpsed:
            return refusal
        return Refusal(refusal.code, refusal.rule, f"{refusal.text} ({self.glimpsed})")  # PR-6.1

    def check(self, match: Match, state: ProbeState) -> list[str]:
        slots = Counter(slot for zone in (*state.decks, *state.hands, state.pile) for slot in zone)
        broken = [f"card {slot} lies in {slots[slot]} places" for slot in range(len(state.faces)) if slots[slot] != 1]
        if Counter(state.faces) != Counter(state.stock):
            broken.append("cards have changed")
        return broken + [f"score {points}" for points in state.scores if points < 0]

    def secrets(self, match: Match, state: ProbeState, seat: int | None) -> Mapping[str, Sequence[str]]:
        return view.secrets(match, state, seat, by_owner=self.brings_decks)

    def exchange(self, match: Match, state: ProbeState, one: str, other: str) -> None:
        view.exchange(state, one, other)


class ProbeCut(Probe):
    """Probe where a seat that goes cuts the step short: PR-2.4."""

    name = "probe_cut"
    title = "Probe, cut short"
    cut_on_resign = True


class ProbeDecks(Probe):
    """Probe where seats bring their decks: PR-1.2, PR-7."""

    name = "probe_decks"
    title = "Probe with decks"
    brings_decks = True

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        return packs.ready_decks(pack)

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        return packs.deck_faults(pack, deck)
