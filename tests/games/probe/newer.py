"""The rules of probe as a later release changes them: version 2, which goes on with matches of version 1.

Not registered beside version 1: tests/releases installs it as a later release would.
"""

from __future__ import annotations

from typing import Any

from engines.rules import Flow, Match, Table
from probe.rules import Probe
from probe.state import State


class ProbeNewer(Probe):
    """Probe that announces every step, and shows which edition it is."""

    version = 2
    reads = frozenset({1})

    def play(self, table: Table[State]) -> Flow[None]:
        table.emit("step", number=table.state.step)
        yield from super().play(table)

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        shown = super().view(match, state, seat)
        return shown | {"course": {**shown["course"], "edition": 2}}
