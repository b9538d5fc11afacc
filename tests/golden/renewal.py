"""Renews and checks golden playthroughs.

Matches are played by chance and by bots, some seats go; of many matches a few are kept that together show every
prompt, event and end that the many have shown. Records of rules that can still be read are left as they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from engines.flow import Position, submit
from engines.record import Choice, decode_record, encode
from engines.registry import game, games
from engines.rules import Rules
from engines.testing.answers import REASONS, any_choice, silence
from engines.testing.setting import Setting, draw_setting
from engines.testing.walk import Player, Walk, walk_on
from tests.golden.options import options_of
from tests.golden.playthrough import FEWEST, FOLDER, MOST_BYTES, lines_of, playthroughs, records, replayed

SPARE_BYTES = 2_000
CANDIDATES, BY_BOTS = 90, range(180, 190)
"""So many matches are played in every style, then these by bots alone: some are short enough to be kept whole."""
MOST_KEPT = 12


class Candidate:
    """A match that was played, what it shows, and its lines."""

    def __init__(self, walk: Walk) -> None:
        self.walk = _short(walk)
        self.lines = list(lines_of(walk.setting, self.walk.choices))
        self.size = sum(len(line.encode()) + 1 for line in self.lines)
        self.shows = set(_shown(self.walk))


def _short(walk: Walk) -> Walk:
    """Leave out the end of a match that is too long for a file."""
    sizes = accumulate(len(line.encode()) + 1 for line in lines_of(walk.setting, walk.choices))
    fitting = sum(size < MOST_BYTES - SPARE_BYTES for size in sizes) - 2
    return Walk(walk.setting, walk.steps[: fitting + 1], walk.choices[:fitting])


def _shown(walk: Walk) -> Iterator[str]:
    for step in walk.steps:
        yield from (f"prompt {asked.prompt.kind} {asked.prompt.shape}" for asked in step.position.asked)
        yield from (f"event {event.kind}" for event in step.events)
    for step, choice in zip(walk.steps, walk.choices, strict=False):
        yield from _taken(step.position, choice)
    if walk.last.position.outcome is not None:
        yield f"end {walk.last.position.outcome.reason}"
    yield f"seats {walk.setting.match.seats}"


def _taken(position: Position, choice: Choice) -> Iterator[str]:
    """Name what was done: each act that was picked, and how many."""
    asked = position.of(choice.seat)
    if asked is None or choice.gone or asked.prompt.shape == "number":
        return
    yield from (f"act {asked.prompt.kind} {act.get('do')}" for act in asked.prompt.acts(choice.picks))
    yield f"picks {asked.prompt.kind} {min(len(choice.picks), 2)}"


def _player(rules: Rules[Any], style: str) -> Player:
    if style == "chance":
        return any_choice
    if style == "silence":
        return lambda position, _: silence(position)
    bot = rules.bots[style]

    def ask(position: Position, chance: Random) -> Choice:
        asked = next(a for a in position.asked if a.answer is None and not a.prompt.optional)
        seat, table = asked.prompt.seat, position.table
        zones = rules.view(table.match, table.state, seat)
        return Choice(seat, asked.id, bot(seat, zones, asked.prompt, chance))

    return ask


def _played(rules: Rules[Any], number: int) -> Walk:
    """Play match ``number``: by chance, by bots, or both in turn; in every third some seats go."""
    chance = Random(f"golden {number}")
    setting = draw_setting(rules, chance, options_of(rules), next(iter(rules.packs().values())))
    bots = list(rules.bots) or ["chance"]
    styles = chance.choices(bots if number >= CANDIDATES else ["chance", "silence", *rules.bots], k=2)
    players = [_player(rules, style) for style in styles]
    walk = walk_on(Walk(setting), chance, lambda position, draw: draw.choice(players)(position, draw))
    return _with_losses(walk, chance) if number < CANDIDATES and number % 3 == 0 else walk


def _with_losses(walk: Walk, chance: Random) -> Walk:
    """Play the same beginning, then let a seat go, and another some choices later."""
    setting: Setting = walk.setting
    for _ in range(chance.randint(1, max(1, setting.match.seats - 1))):
        at = chance.randrange(len(walk.steps) - 1)
        walk = Walk(setting, walk.steps[: at + 1], walk.choices[:at])
        left = [seat for seat in range(setting.match.seats) if seat not in walk.last.position.table.gone]
        gone = Choice(chance.choice(left), gone=chance.choice(REASONS))
        walk.steps.append(submit(setting.rules, setting.running, walk.last.record, [gone]))
        walk.choices.append(gone)
        walk_on(walk, chance)
    return walk


def _chosen(candidates: list[Candidate]) -> list[Candidate]:
    """Keep matches that show something new, the most at the least size first; at least five."""
    chosen: list[Candidate] = []
    shown: set[str] = set()
    left = list(candidates)
    while left and len(chosen) < MOST_KEPT:
        best = max(left, key=lambda one: (len(one.shows - shown), one.walk.ended, -one.size))
        if best.shows <= shown and len(chosen) >= FEWEST:
            break
        left.remove(best)
        chosen.append(best)
        shown |= best.shows
    missed = set.union(*(one.shows for one in candidates)) - shown
    print(f"  {len(chosen)} matches show {len(shown)} things" + (f"; not shown: {sorted(missed)}" if missed else ""))
    return chosen


def renew(name: str) -> None:
    """Write the playthroughs of a game anew, and records of the present rules."""
    rules, folder = game(name), FOLDER / name
    (folder / "records").mkdir(parents=True, exist_ok=True)
    (folder / "packs").mkdir(exist_ok=True)
    for path in playthroughs(name):
        path.unlink()
    for path in records(name):
        if decode_record(path.read_bytes()).rules not in rules.reads:
            path.unlink()
    for number, one in enumerate(_chosen([Candidate(_played(rules, at)) for at in (*range(CANDIDATES), *BY_BOTS)]), 1):
        (folder / f"{number:04}.jsonl").write_text("\n".join(one.lines) + "\n", encoding="utf-8")
        _keep_record(one.walk, folder, number)
    _keep_for_ever(folder, rules.version)
    wanted = {decode_record(path.read_bytes()).pack[:16] for path in records(name)}
    for path in (folder / "packs").iterdir():
        if path.stem not in wanted:
            path.unlink()


def _keep_record(walk: Walk, folder: Path, number: int) -> None:
    """Keep the record that has most choices pending, which is hardest to go on from."""
    open_steps = [step for step in walk.steps if step.position.outcome is None]
    record = max(open_steps, key=lambda step: (len(step.record.choices), step.record.total)).record
    (folder / "records" / f"v{walk.setting.rules.version}-{number:04}.bin").write_bytes(encode(record))
    (folder / "packs" / f"{record.pack[:16]}.toml").write_bytes(walk.setting.pack.source)


def _keep_for_ever(folder: Path, version: int) -> None:
    """Keep a record as the first of its rules version, unless there is one."""
    kept = folder / "kept" / f"v{version}.bin"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes((folder / "records" / f"v{version}-0001.bin").read_bytes())


def check(name: str) -> bool:
    """Say whether all playthroughs of a game replay to the same lines."""
    good = len(playthroughs(name)) >= FEWEST
    for path in playthroughs(name):
        lines = path.read_text(encoding="utf-8").splitlines()
        if replayed(lines) != lines:
            print(f"  {path.name} differs")
            good = False
    return good


def main() -> int:
    """Read the command line; gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", choices=sorted(games()))
    parser.add_argument("--check", action="store_true", help="change nothing, fail if something would differ")
    asked = parser.parse_args()
    good = True
    for name in [asked.game] if asked.game else sorted(games()):
        print(name)
        if asked.check:
            good = check(name) and good
        else:
            renew(name)
    return 0 if good else 1
