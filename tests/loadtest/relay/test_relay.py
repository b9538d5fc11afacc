"""Relay keeps the contract of games, and does what its rules say."""

from __future__ import annotations

from typing import Any

from engines.chance import Chance, Handles
from engines.rules import Attempt, Match, Table
from engines.testing import BRIEF, examine
from loadtest.relay.game import CELLS, SOURCE, TAGS, VALUES, Relay, RelayOptions


def _table(moves: int) -> Table[Any]:
    table: Table[Any] = Table(Match(2, RelayOptions(moves), None), None, Chance(bytes(32)), Handles(bytes(32), {}))
    table.state = Relay().setup(table)
    return table


def _move(table: Table[Any], place: int) -> int:
    """Make the next move; give the seat that was asked."""
    asked = Relay().play(table)
    prompt: Any = next(asked)
    try:
        asked.send(place)
    except StopIteration:
        return int(prompt.seat)
    raise AssertionError("one move is one prompt")


def test_seats_write_in_turn() -> None:
    """RL-1.1."""
    table = _table(10)
    assert [_move(table, place) for place in (0, 7 * VALUES + 9, CELLS * VALUES - 1)] == [0, 1, 0]
    assert (table.state.cells[7], table.state.cells[CELLS - 1]) == (9, VALUES - 1)
    assert table.state.tags[7] == 1
    assert Relay().check(table.match, table.state) == []


def test_match_is_over_after_its_moves_and_nobody_has_won() -> None:
    """RL-1.2."""
    table = _table(2)
    _move(table, 0)
    assert Relay().outcome(table.match, table.state, {}) is None
    _move(table, 0)
    outcome = Relay().outcome(table.match, table.state, {})
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((), "moves")


def test_who_resigns_has_lost() -> None:
    """RL-1.3."""
    outcome = Relay().outcome(_table(2).match, _table(2).state, {0: "resigned"})
    assert outcome is not None
    assert (outcome.winners, outcome.ranks) == ((1,), (2, 1))


def test_a_move_changes_few_zones() -> None:
    table, relay = _table(10), Relay()
    before = relay.view(table.match, table.state, None)
    _move(table, 40 * VALUES + 3)
    after = relay.view(table.match, table.state, None)
    assert {name for name in after if after[name] != before[name]} == {"turn", "row01", "tags3"} - (
        {"tags3"} if table.state.tags[40 % TAGS] == 40 else set()
    )


def test_other_packs_and_lengths_are_refused() -> None:
    relay = Relay()
    assert relay.read_pack(SOURCE).id == "plain"
    assert relay.option_faults(RelayOptions(0), 2) != []
    assert relay.option_faults(RelayOptions(), 2) == []


def test_refusal_names_the_rule() -> None:
    assert Relay().explain({}, Attempt(0, "not_yours", None)).code == "NOT_YOUR_TURN"
    assert Relay().explain({}, Attempt(0, "illegal", None)).rule == "RL-1.1"


def test_contract_is_kept() -> None:
    report = examine(Relay(), seed=1, matches=1, effort=BRIEF)
    assert report.faults == []
