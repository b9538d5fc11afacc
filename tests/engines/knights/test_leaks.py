"""Planted leaks, one of each kind that this game could have: each is caught, and the honest game is clean (KN-2).

The kinds: what lies under a face-down card; whether a reaction window opens; how long it stays open; the order of
a deck after a search; a coin before it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from engines.chance import Chance
from engines.flow import load, submit
from engines.knights import Knights
from engines.knights.state import State
from engines.record import Choice, encode
from engines.rules import Ask, Flow, Match, Pack, Prompt, Table
from engines.sight import audiences, see
from engines.testing import Effort, examine
from tests.engines.knights.table import Duel, fixture, lay

ONLY_SECRETS = Effort(shown=0, heavy=0, whole=0, pairs=12)
DECKS = [
    dict.fromkeys(["alpha", "beta", "delta", "epsilon", "d1", "d4", "d7", "t1", "t4", "o3", "b1", "o2", "h2"], 3)
    | {"o1": 1},
    dict.fromkeys(["zeta", "alpha", "beta", "iota", "d1", "d2", "d3", "d6", "t5", "o3", "o20", "b2", "h1"], 3)
    | {"s1": 1},
]


class Honest(Knights):
    """The game itself, with the fixture pack and decks full of techniques."""

    def packs(self) -> Mapping[str, Pack]:
        return {"fixture": fixture()}

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        return {str(at): {"name": str(at), "deity": "athena", "cards": deck} for at, deck in enumerate(DECKS)}

    def play(self, table: Table[Any]) -> Flow[None]:
        """Run the rules, with a hand on every question and on what follows an answer."""
        flow = super().play(table)
        answer: Any = None
        while True:
            told = len(table.events)
            try:
                ask = flow.send(answer)
            except StopIteration:
                self.meddle(table, told)
                return
            self.meddle(table, told)
            changed = self.change(table, ask)
            answer = ({"do": "pass"},) if changed is None else (yield changed)

    def change(self, table: Table[Any], ask: Ask) -> Ask | None:
        """Give the question as it is put, or None if it is not."""
        return ask

    def meddle(self, table: Table[Any], told: int) -> None:
        """Look at what was told since ``told`` events."""


def is_idle(ask: Ask) -> bool:
    """Say whether a window has nothing but silence in it: no hidden card can answer."""
    return isinstance(ask, Prompt) and ask.kind == "reaction" and len(ask.options) == 1


class FaceTeller(Honest):
    """Shows everybody the level of what lies face down."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        hidden = [state.pieces[n].key for row in state.support for n in row if n is not None and not state.pieces[n].up]
        return super().view(match, state, seat) | {"levels": [str(match.pack[key].level) for key in hidden]}


class PickyWindow(Honest):
    """Opens a window only if a card can answer."""

    def change(self, table: Table[Any], ask: Ask) -> Ask | None:
        return None if is_idle(ask) else ask


class HastyWindow(Honest):
    """Closes a window at once if no card can answer."""

    def change(self, table: Table[Any], ask: Ask) -> Ask | None:
        return msgspec.structs.replace(ask, hold_ms=0) if is_idle(ask) else ask


class DeckTeller(Honest):
    """Tells what lies on top after a search has shuffled."""

    def meddle(self, table: Table[Any], told: int) -> None:
        for event in table.events[told:]:
            if event.kind == "deck_shuffled":
                deck = table.state.deck[event.fields["seat"]]
                table.emit("on_top", card=table.state.pieces[deck[0]].key if deck else "")


class HostTeller(Honest):
    """Shows everybody for whom a face-down technique lies there."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        hosts = [state.pieces[n].host for row in state.support for n in row if n is not None]
        return super().view(match, state, seat) | {"hosts": hosts}


@pytest.mark.parametrize(
    ("leaky", "first"), [(FaceTeller, 1), (PickyWindow, 5), (HastyWindow, 1), (DeckTeller, 2), (HostTeller, 0)]
)
def test_a_planted_leak_is_caught(leaky: type[Honest], first: int) -> None:
    """KN-2.4, KN-2.34, KN-2.37, KN-2.43, KN-4.26. ``first``: a match in which it comes up, to be quick."""
    for seed in range(first, first + 12):
        report = examine(leaky(), seed=seed, matches=1, effort=ONLY_SECRETS)
        if report.faults:
            assert all(fault.startswith(("exchanges: ", "reshuffles: ")) for fault in report.faults)
            return
    raise AssertionError(f"{leaky.__name__} was not caught")


def test_the_honest_game_with_the_same_decks_is_clean() -> None:
    """KN-2.1 to KN-2.4, KN-2.30 to KN-2.47."""
    report = examine(Honest(), seed=1, matches=2, effort=ONLY_SECRETS)
    assert report.faults == []
    assert report.exchanges.conclusive > 20
    assert report.reshuffles.conclusive > 0


class EarlyCoin(Honest):
    """Lets the defending seat see the coin while it thinks about a reaction."""

    def change(self, table: Table[Any], ask: Ask) -> Ask | None:
        if not isinstance(ask, Prompt) or ask.kind != "reaction":
            return ask
        coming = Chance(table.chance.key, table.chance.counter).below(2, "coin: evade")
        return msgspec.structs.replace(ask, about={**ask.about, "coin": coming})


def frames_before_and_after(rules: Knights) -> tuple[set[bytes], set[bytes]]:
    """Give all frames that an attack on an evader leads to, under sixteen coins: before the answer, and after it."""
    duel: Duel = lay({1: "alpha"}, {1: "gamma evade"}, b_support={1: "d1 down on 1"})
    before, after = set(), set()
    for counter in range(16):
        record = msgspec.structs.replace(duel.record, counter=counter)
        opened = load(rules, duel.match, record)
        (asked,) = opened.asked
        attack = next(o.id for o in asked.prompt.options if o.act == {"do": "attack", "knight": 1, "target": 1})
        step = submit(rules, duel.match, record, [Choice(0, asked.id, (attack,))])
        before.add(encode([see(rules, step.position, one, step.events) for one in audiences(2)]))
        (window,) = step.position.asked
        step = submit(rules, duel.match, step.record, [Choice(1, window.id, ("1",))])
        after.add(encode([see(rules, step.position, one, step.events) for one in audiences(2)]))
    return before, after


def test_a_coin_is_unknown_until_it_is_shown() -> None:
    """KN-2.44, KN-4.19, KN-6.87."""
    before, after = frames_before_and_after(Honest())
    assert len(before) == 1
    assert len(after) == 2


def test_a_coin_that_is_known_early_is_caught() -> None:
    """KN-2.44."""
    before, _ = frames_before_and_after(EarlyCoin())
    assert len(before) == 2
