"""What all tests share: the test games are installed, here and in every process that a test starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

GAMES = str(Path(__file__).parent / "games")

sys.path.insert(0, GAMES)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [GAMES, os.environ.get("PYTHONPATH", "")]))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="play 10,000 matches of every game")


REAL_TIME = ("tests/e2e/", "tests/loadtest/", "tests/page/", "tests/server/")
"""Where tests wait for real processes, sockets and stores. What fails there is run once more; the report says so."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A long run takes as long as it takes; on a machine that stalls, real time gets a second look."""
    for item in items:
        if config.getoption("--long"):
            item.add_marker(pytest.mark.timeout(0))
        if item.nodeid.startswith(REAL_TIME):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give ``game_name`` every registered game in turn."""
    if "game_name" in metafunc.fixturenames:
        from engines.registry import games

        metafunc.parametrize("game_name", sorted(games()))
