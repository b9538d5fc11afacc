"""A match about to be examined: its rules, pack, options and key, all drawn from one seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct

from engines.flow import Step, begin
from engines.rules import Match, Pack, Rules


class Setting(Struct, frozen=True):
    """All that ``begin`` needs. ``match.decks`` are there only for that."""

    rules: Any
    pack: Pack
    match: Match
    key: bytes

    def begin(self) -> Step:
        """Begin the match; every call begins the same one."""
        return begin(self.rules, self.match, pack=self.pack.hash, key=self.key)

    @property
    def running(self) -> Match:
        """The facts of the match once it has begun: without decks."""
        return Match(self.match.seats, self.match.options, self.match.pack, (), self.match.holds)

    def twin(self) -> Setting:
        """Make the same setting from nothing: new rules, the pack read again."""
        rules = type(self.rules)()
        pack = rules.read_pack(self.pack.source)
        match = self.match
        return Setting(rules, pack, Match(match.seats, match.options, pack.cards, match.decks, match.holds), self.key)


def draw_setting(rules: Rules[Any], chance: Random, options: Sequence[Any], pack: Pack | None = None) -> Setting:
    """Draw number of seats, pack, options, decks and key. ``options``: those to choose from."""
    pack = pack or chance.choice(list(rules.packs().values()))
    seats, chosen = _seats_and_options(rules, chance, options)
    decks: tuple[Any, ...] = ()
    if rules.brings_decks:
        ready = list(rules.ready_decks(pack).values())
        decks = tuple(chance.choice(ready) for _ in range(seats))
    return Setting(rules, pack, Match(seats, chosen, pack.cards, decks), chance.randbytes(32))


def _seats_and_options(rules: Rules[Any], chance: Random, options: Sequence[Any]) -> tuple[int, Any]:
    for _ in range(100):
        seats, chosen = chance.randint(*rules.seats), chance.choice(list(options))
        if not rules.option_faults(chosen, seats):
            return seats, chosen
    raise ValueError(f"{rules.name} takes none of the options for any number of seats")
