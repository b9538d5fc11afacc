"""A match that nobody holds any more is gone at once: rooms that are forgotten must not wait for a collection."""

from __future__ import annotations

import gc

import pytest

from engines.flow import begin
from engines.registry import games
from engines.rules import Match, Table

GAMES = games()


def _tables() -> int:
    return sum(isinstance(each, Table) for each in gc.get_objects())


@pytest.mark.parametrize("name", GAMES)
def test_a_match_that_is_dropped_is_gone_without_a_collection(name: str) -> None:
    rules = GAMES[name]
    pack = next(iter(rules.packs().values()))
    seats = max(2, rules.seats[0])
    ready = list(rules.ready_decks(pack).values())[:1] if rules.brings_decks else []
    gc.collect()
    gc.disable()
    try:
        before = _tables()
        match = Match(seats, rules.Options(), pack.cards, tuple(ready * seats))
        step = begin(rules, match, pack=pack.hash, key=bytes(32))
        assert _tables() == before + 1
        del step
        assert _tables() == before
    finally:
        gc.enable()
