"""Every registered game keeps the contract (design: promises P5, P6, P8, P9)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines.flow import begin
from engines.registry import game
from engines.rules import Match, Rules
from engines.testing import BRIEF, LONG, examine

ROOT = Path(__file__).parents[2]
TRANSCRIPT = "import sys; from engines.registry import game; from engines.testing import transcript; print(transcript(game(sys.argv[1])))"  # noqa: E501


@pytest.fixture
def matches(request: pytest.FixtureRequest) -> int:
    return 10_000 if request.config.getoption("--long") else 5


def test_game_keeps_the_contract(game_name: str, matches: int) -> None:
    report = examine(game(game_name), seed=1, matches=matches, effort=LONG if matches > 100 else BRIEF)
    assert report.faults == []
    assert report.matches == matches
    assert sum(report.ends.values()) == matches
    assert report.exchanges.conclusive > report.exchanges.inconclusive or not _hides_anything(game(game_name))


def _hides_anything(rules: Rules[Any]) -> bool:
    """Tell whether a game has secrets at all."""
    pack = next(iter(rules.packs().values()))
    seats = rules.seats[0]
    decks = tuple(next(iter(rules.ready_decks(pack).values())) for _ in range(seats)) if rules.brings_decks else ()
    match = Match(seats, rules.Options(), pack.cards, decks)
    table = begin(rules, match, pack=pack.hash, key=bytes(32)).position.table
    return any(rules.secrets(table.match, table.state, None).values())


def test_same_inputs_give_the_same_bytes_in_every_process(game_name: str) -> None:
    assert len({_transcript(game_name, hash_seed) for hash_seed in ("0", "1", "31337")}) == 1


def _transcript(game_name: str, hash_seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", TRANSCRIPT, game_name]
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    assert len(ran.stdout.strip()) == 64
    return ran.stdout
