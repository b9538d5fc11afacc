"""Relay: the smallest game with work in it, to measure the service and not the rules.

Two seats take turns at writing one number into a board of 512 cells and 96 tags, about 2 KB of state. Shows all of
it to everybody, in zones of few cells, so that a frame has only what a move changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from engines.rules import (
    Attempt,
    Fault,
    Flow,
    Match,
    Outcome,
    Pace,
    Pack,
    PackError,
    Refusal,
    Rules,
    Table,
    number,
)  # fmt: skip

CELLS, VALUES, TAGS = 512, 256, 96
ROW, GROUP = 32, 12
ROWS = tuple((f"row{at // ROW:02}", slice(at, at + ROW)) for at in range(0, CELLS, ROW))
GROUPS = tuple((f"tags{at // GROUP}", slice(at, at + GROUP)) for at in range(0, TAGS, GROUP))
"""Zones, and which cells and tags they show."""
MOST_MOVES = 18_000
SOURCE = b'id = "plain"\ntitle = "Plain board"\ngame = "relay"\n'
CODES = {
    "over": "GAME_OVER", "no_prompt": "NOT_ASKED", "not_yours": "NOT_YOUR_TURN", "stale": "STALE", "held": "STALE",
}  # fmt: skip


class RelayOptions(Struct, frozen=True):
    """``moves``: after so many the match is over."""

    moves: int = 60


class Board(Struct):
    """``turn``: moves made so far. ``cells`` and ``tags``: what they wrote."""

    turn: int = 0
    cells: list[int] = []
    tags: list[int] = []


class Relay(Rules[Board]):
    """Seats 0 and 1 write in turn (RL-1.1), until ``moves`` moves are made (RL-1.2)."""

    name = "relay"
    title = "Relay"
    prefix = "RL"
    version = 1
    seats = (2, 2)
    State = Board
    Options: ClassVar[type[Struct]] = RelayOptions
    pace = Pace(decision_s=30)

    def packs(self) -> Mapping[str, Pack]:
        pack = self.read_pack(SOURCE)
        return {pack.id: pack}

    def read_pack(self, source: bytes) -> Pack:
        if source != SOURCE:
            raise PackError([Fault("not_plain", "pack", "relay has one pack, and no cards")])
        return Pack("plain", "Plain board", self.name, hashlib.sha256(source).hexdigest(), source, {})

    def option_faults(self, options: Any, seats: int) -> list[Fault]:
        good = 1 <= options.moves <= MOST_MOVES
        return [] if good else [Fault("out_of_range", "moves", f"1 to {MOST_MOVES}")]

    def setup(self, table: Table[Any]) -> Board:
        return Board(0, [0] * CELLS, list(range(TAGS)))

    def play(self, table: Table[Board]) -> Flow[None]:
        """Ask the seat whose turn it is for a number: cell * 256 + value (RL-1.1)."""
        state = table.state
        seat, turn = state.turn % 2, state.turn
        place = yield number(seat, "place", 0, CELLS * VALUES - 1, default=turn % CELLS * VALUES, rule="RL-1.1")
        cell, value = divmod(place, VALUES)
        state.cells[cell] = value
        state.tags[cell % TAGS] = turn
        state.turn = turn + 1
        table.emit("placed", seq=turn, turn=state.turn, seat=seat, x=cell, y=value)

    def view(self, match: Match, state: Board, seat: int | None) -> dict[str, Any]:
        cells, tags = state.cells, state.tags
        rows = {name: cells[part] for name, part in ROWS}
        return {"turn": state.turn, **rows, **{name: tags[part] for name, part in GROUPS}}

    def views(self, match: Match, state: Board) -> dict[int | None, dict[str, Any]]:
        return dict.fromkeys((None, 0, 1), self.view(match, state, None))

    def outcome(self, match: Match, state: Board, gone: Mapping[int, str]) -> Outcome | None:
        if gone:  # RL-1.3
            left = tuple(seat for seat in range(2) if seat not in gone)
            return Outcome(left, list(gone.values())[-1], tuple(1 if seat in left else 2 for seat in range(2)))
        return Outcome((), "moves", (1, 1)) if state.turn >= match.options.moves else None  # RL-1.2

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        code = CODES.get(attempt.why, "NOT_A_PLACE")
        return Refusal(code, "RL-1.1", "a move is one number from 0 to 131071, by the seat whose turn it is")

    def check(self, match: Match, state: Board) -> list[str]:
        sizes = len(state.cells) == CELLS and len(state.tags) == TAGS
        return [] if sizes and all(0 <= cell < VALUES for cell in state.cells) else ["the board has changed its form"]

    def secrets(self, match: Match, state: Board, seat: int | None) -> Mapping[str, Sequence[str]]:
        return {}

    def exchange(self, match: Match, state: Board, one: str, other: str) -> None:
        raise ValueError("relay hides nothing")
