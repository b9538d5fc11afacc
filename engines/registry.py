"""Which games there are: those of this distribution and those that others install.

Another distribution adds a game by an entry point of group ``sanctum.engines`` that names a Rules class.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from engines.rules import Rules

GROUP = "sanctum.engines"
BUILT_IN: tuple[str, ...] = (
    "engines.disciple:Disciple",
    "engines.knights:Knights",
    "engines.patron:Patron",
    "engines.sanctuary:Sanctuary",
)


class UnknownGame(LookupError):
    """No game of that name is installed."""


@cache
def games() -> dict[str, Rules[Any]]:
    """Give all games by name, each made once. Raises ValueError if two bear one name."""
    found: dict[str, Rules[Any]] = {}
    for kind in (*map(_load, BUILT_IN), *(entry.load() for entry in entry_points(group=GROUP))):
        rules = kind()
        if found.setdefault(rules.name, rules) is not rules:
            raise ValueError(f"two games are called {rules.name!r}")
    return found


def game(name: str) -> Rules[Any]:
    """Give one game. Raises UnknownGame, naming those there are."""
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"no game {name!r}; there are: {', '.join(sorted(games()))}") from None


def _load(path: str) -> type[Rules[Any]]:
    module, _, attribute = path.partition(":")
    kind: type[Rules[Any]] = getattr(importlib.import_module(module), attribute)
    return kind
