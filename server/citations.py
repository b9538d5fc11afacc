"""Which rules of a game are decided nowhere or shown nowhere: rule ids in its RULES.md, its code and its tests.

Reads files and nothing else; knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

_STATED = re.compile(r"^(?:- )?\*\*([A-Z]+-\d+(?:\.\d+)+[a-z]?)\*\*", re.MULTILINE)
_CITED = re.compile(r"\b([A-Z]+-\d+\.)(\d+(?:\.\d+)*[a-z]?)(?: to \1(\d+))?")
_CODE = (".py", ".toml", ".js")


class Citations(Struct, frozen=True):
    """Rule ids. ``uncited``: by no code. ``unshown``: by no test. ``unknown``: cited, but of no rule."""

    rules: tuple[str, ...]
    uncited: tuple[str, ...]
    unshown: tuple[str, ...]
    unknown: tuple[str, ...]


def citations(game_folder: Path, tests_folder: Path, rules_md: Path) -> Citations:
    """Compare the rules with the code of a game and with its tests. ``A-1.2 to A-1.5`` cites all four.

    ``A-1.2.3`` cites point 3 of rule ``A-1.2``, unless it is a rule of its own.
    """
    rules = tuple(dict.fromkeys(_STATED.findall(rules_md.read_text(encoding="utf-8"))))
    prefixes = {rule.partition("-")[0] for rule in rules}
    known = set(rules)
    code = {_rule_of(cited, known) for cited in _cited(p for p in _files(game_folder) if tests_folder not in p.parents)}
    tests = {_rule_of(cited, known) for cited in _cited(_files(tests_folder))}
    unknown = sorted(rule for rule in (code | tests) - set(rules) if rule.partition("-")[0] in prefixes)
    return Citations(
        rules,
        tuple(rule for rule in rules if rule not in code),
        tuple(rule for rule in rules if rule not in tests),
        tuple(unknown),
    )


def _rule_of(cited: str, rules: set[str]) -> str:
    """Give the rule that a point belongs to; what belongs to none stays as it is."""
    rule = cited
    while rule not in rules and rule.count(".") > 1:
        rule = rule.rpartition(".")[0]
    return rule if rule in rules else cited


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in _CODE)


def _cited(paths: Iterable[Path]) -> set[str]:
    return {
        rule for path in paths for match in _CITED.finditer(path.read_text(encoding="utf-8")) for rule in _each(match)
    }


def _each(match: re.Match[str]) -> list[str]:
    section, first, last = match.groups()
    if last is None or not first.isdigit():
        return [section + first]
    return [f"{section}{number}" for number in range(int(first), int(last) + 1)]
