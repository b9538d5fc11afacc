"""Engines are pure, and no step of a rule is called without being run (design: engines)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flowcheck import forgotten_flows, impurities, read_package

ROOT = Path(__file__).parents[2]
MAY_DRAW = ("bot", "bots", "selfplay", "outlook")
FOR_TESTS = ("probe.driver", "probe.planted")


def _sources() -> dict[str, str]:
    probe = read_package(ROOT / "tests" / "games" / "probe", "probe")
    return read_package(ROOT / "engines", "engines") | {k: v for k, v in probe.items() if k not in FOR_TESTS}


def _may_draw(module: str) -> bool:
    return module.startswith("engines.testing") or module.rpartition(".")[2] in MAY_DRAW


@pytest.mark.parametrize("module", sorted(_sources()))
def test_module_of_an_engine_is_pure(module: str) -> None:
    assert impurities(_sources()[module], may_draw=_may_draw(module)) == []


def test_every_step_of_a_rule_is_run() -> None:
    assert forgotten_flows(_sources()) == []


@pytest.mark.parametrize(
    "line",
    [
        "import time", "import os.path", "from datetime import datetime", "import random", "from random import choice",
        "import asyncio", "import logging", "import socket", "print(1)", "open('pack')", "x = hash('a')", "x = id(x)",
        "async def play(): ...", "from os import environ", "x = Random(1)", "eval('1')",
        "def f():\n    global x",
    ],
)  # fmt: skip
def test_impure_line_is_found(line: str) -> None:
    assert len(impurities(line)) == 1


@pytest.mark.parametrize(
    "line", ["from random import Random", "import hashlib", "x = card.id(3)", "import tomllib", "def reopen(): ..."]
)
def test_pure_line_passes(line: str) -> None:
    assert impurities(line) == []


def test_only_bots_make_chance_of_their_own() -> None:
    assert impurities("x = Random(1)", may_draw=True) == []


STEPS = """
from engines.rules import Flow
def _draw(table) -> Flow[None]:
    yield from ()
def _ask(table):
    picks = yield table
    return picks
def _count(table):
    return 1
def _names(table) -> Iterator[str]:
    yield "a"
TABLE: dict[str, Callable[[object], Flow[None]]] = {"draw": _draw}
class Game:
    def play(self, table) -> Flow[None]:
        yield from _draw(table)
"""
OTHER = "from game import steps\nfrom game.steps import _ask as ask, TABLE\n"


@pytest.mark.parametrize(
    "body",
    [
        "yield from _draw(table)", "picks = yield from _ask(table)", "return _draw(table)", "_count(table)",
        "for name in _names(table): yield name", "yield from (_draw(table) if table else _ask(table))",
        "yield from TABLE['draw'](table)", "yield from optional(table, _draw(table))",
        "yield from run(step=_draw(table))", "yield from optional(lambda: _draw(table))", "unknown(table)",
    ],
)  # fmt: skip
def test_step_that_is_run_passes(body: str) -> None:
    assert forgotten_flows({"game.steps": f"{STEPS}def rule(table):\n    {body}\n"}) == []


@pytest.mark.parametrize(
    "body",
    [
        "_draw(table)", "picks = _ask(table)", "if _ask(table): yield", "yield _draw(table)", "TABLE['draw'](table)",
        "later = [_draw(table)]", "yield from (_draw(table) or ())", "assert _ask(table)",
        "yield from () if _ask(table) else _draw(table)", "_draw(table).close()",
    ],
)  # fmt: skip
def test_step_that_is_not_run_is_found(body: str) -> None:
    found = forgotten_flows({"game.steps": f"{STEPS}def rule(table):\n    {body}\n"})
    assert len(found) == 1
    assert "is called and not run" in found[0]


@pytest.mark.parametrize("call", ["steps._draw(table)", "ask(table)", "TABLE['draw'](table)"])
def test_step_of_another_module_that_is_not_run_is_found(call: str) -> None:
    sources = {"game.steps": STEPS, "game.cards": f"{OTHER}def rule(table):\n    {call}\n"}
    assert len(forgotten_flows(sources)) == 1


def test_method_that_is_not_run_is_found() -> None:
    source = f"{STEPS}    def turn(self, table):\n        self.play(table)\n        yield from self.play(table)\n"
    assert len(forgotten_flows({"game.steps": source})) == 1


def test_function_of_the_same_name_elsewhere_is_not_mistaken_for_a_step() -> None:
    sources = {"game.steps": STEPS, "game.zones": "def _draw(zone):\n    return zone\n\nx = _draw(3)\n"}
    assert forgotten_flows(sources) == []


def test_parameter_that_is_a_step_has_to_be_run() -> None:
    rule = "def rule(table, step: Callable[[object], Flow[None]]):\n    {}step(table)\n"
    assert forgotten_flows({"game.steps": STEPS + rule.format("yield from ")}) == []
    assert len(forgotten_flows({"game.steps": STEPS + rule.format("")})) == 1
