"""A node of the tests' own, and load against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from loadtest.own import UNHINDERED
from loadtest.result import Result
from loadtest.run import Show, run
from loadtest.scenario import Crowd, Match, Pace, Scenario
from loadtest.service import Target
from server.commands.load import BENCH
from server.commands.own_server import own_server
from tests.valkey import own_valkey, single_server  # noqa: F401 - fixtures

Load = Callable[..., Result]


@pytest.fixture(scope="session")
def node() -> Iterator[str]:
    """The address of a running service."""
    with own_server(**UNHINDERED) as url:
        yield url


def brief(**given: Any) -> Scenario:
    """Make a scenario of one room and a second or two."""
    fields: dict[str, Any] = {
        "match": Match("disciple", choices=20),
        "pace": Pace(ramp_s=0.1, duration_s=1.0),
        "crowd": Crowd(spectators=2),
        "answer_s": 1.0,
    }
    return Scenario(**{**fields, **given})


@pytest.fixture
def load() -> Load:
    """Run a scenario against an address: ``load(url, scenario)``."""

    def one(url: str, scenario: Scenario) -> Result:
        with closing(Target(url)) as target:
            return run(scenario, target, BENCH, Show(), bare=False)

    return one
