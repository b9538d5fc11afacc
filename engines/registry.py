"""Which games there are, in which versions: those of this distribution and those that others install.

Another distribution adds a game by an entry point of group ``sanctum.engines`` that names a Rules class. Several
versions of a game may stand side by side, each by an entry point of its own: new rooms get the newest, a room that
is pinned to an older one is served by that one.
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
def editions() -> dict[str, dict[int, Rules[Any]]]:
    """Give all rules by game and version, each made once. Raises ValueError if two bear one name and version."""
    found: dict[str, dict[int, Rules[Any]]] = {}
    for kind in (*map(_load, BUILT_IN), *(entry.load() for entry in entry_points(group=GROUP))):
        rules = kind()
        if found.setdefault(rules.name, {}).setdefault(rules.version, rules) is not rules:
            raise ValueError(f"two games are called {rules.name!r} and have rules version {rules.version}")
    return found


@cache
def games() -> dict[str, Rules[Any]]:
    """Give the newest rules of each game, by name: those of new rooms."""
    return {name: versions[max(versions)] for name, versions in editions().items()}


def game(name: str) -> Rules[Any]:
    """Give the newest rules of one game. Raises UnknownGame, naming those there are."""
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"no game {name!r}; there are: {', '.join(sorted(games()))}") from None


def edition(name: str, version: int) -> Rules[Any] | None:
    """Give exactly one version of a game's rules, or None if it is not installed here."""
    return editions().get(name, {}).get(version)


def successor(name: str, version: int) -> Rules[Any] | None:
    """Give the newest installed rules that declare to continue matches of an older version, or None."""
    later = [rules for rules in editions().get(name, {}).values() if rules.version > version and version in rules.reads]
    return max(later, key=lambda rules: rules.version, default=None)


def _load(path: str) -> type[Rules[Any]]:
    module, _, attribute = path.partition(":")
    kind: type[Rules[Any]] = getattr(importlib.import_module(module), attribute)
    return kind
