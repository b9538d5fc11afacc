"""The examination of a game: seeds in, report out. Puts the promises together and states none."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct

from engines.flow import MAX_CHOICES
from engines.record import encode
from engines.rules import Pack, Rules
from engines.testing import seams, secrecy, spots, wholes
from engines.testing.frames import all_frames
from engines.testing.report import Report
from engines.testing.setting import Setting, draw_setting
from engines.testing.walk import Walk, walk_on


class Effort(Struct, frozen=True):
    """How much is tried. ``shown``, ``heavy``: share of positions; ``whole``: of matches. ``pairs``: stretches each."""

    shown: float = 1.0
    heavy: float = 0.15
    whole: float = 1.0
    pairs: int = 6
    limit: int = MAX_CHOICES


BRIEF = Effort()
LONG = Effort(shown=0.1, heavy=0.005, whole=0.05, pairs=1)


def examine(
    rules: Rules[Any],
    *,
    seed: int = 0,
    matches: int = 10,
    options: Sequence[Any] | None = None,
    pack: Pack | None = None,
    effort: Effort = BRIEF,
) -> Report:
    """Play matches by chance and hold every promise of the contract against them.

    ``options``: Options structs to choose from (default: the game's default). ``pack``: only this one.
    A match is found again by ``seed`` and its number.
    """
    report = Report(rules.name)
    for promise in seams.SEAMS:
        report.keep(promise, "before any match", rules)
    for number in range(matches):
        chance = Random(f"{seed} {number}")
        setting = draw_setting(rules, chance, options or (rules.Options(),), pack)
        _examine_match(report, setting, chance, effort, f"seed {seed}, match {number}")
    return report


def _examine_match(report: Report, setting: Setting, chance: Random, effort: Effort, where: str) -> None:
    walk = Walk(setting)
    report.matches += 1
    plays_on = report.keep(_plays, where, walk, Random(chance.random()), effort.limit)
    report.choices += len(walk.choices)
    if walk.ended:
        report.ends[walk.last.position.outcome.reason] += 1  # type: ignore[union-attr]
    for at, step in enumerate(walk.steps):
        _examine_spot(report, spots.Spot(setting, step, chance), effort, f"{where}, input {at}")
    if walk.steps:
        for _ in range(effort.pairs):
            report.keep(secrecy.exchanges, where, walk, chance, report.exchanges)
        report.keep(secrecy.reshuffles, where, walk, chance, report.reshuffles)
    if chance.random() < effort.whole:
        report.keep(wholes.silence_ends_the_match, where, setting, effort.limit)
        report.keep(wholes.bots_end_the_match, where, setting, effort.limit)
        if plays_on:
            _examine_whole(report, walk, chance, effort, where)


def _plays(walk: Walk, chance: Random, limit: int) -> Sequence[str]:
    """Every prompt that is asked can be answered, to the end."""
    return list(wholes.the_match_ends(walk_on(walk, chance, limit=limit)))


def _examine_spot(report: Report, spot: spots.Spot, effort: Effort, where: str) -> None:
    for asked in spot.position.asked:
        report.asked[f"{asked.prompt.kind}/{asked.prompt.shape}"] += 1
    report.largest_record = max(report.largest_record, len(encode(spot.record)))
    promises = list(spots.LIGHT)
    if spot.chance.random() < effort.shown:
        promises += spots.SHOWN
    if spot.chance.random() < effort.heavy:
        promises += spots.HEAVY
    for promise in promises:
        report.keep(promise, where, spot)


def _examine_whole(report: Report, walk: Walk, chance: Random, effort: Effort, where: str) -> None:
    report.keep(wholes.ids_of_prompts_never_change_their_meaning, where, walk)
    report.keep(wholes.a_replay_gives_the_same_bytes, where, walk)
    report.keep(wholes.one_run_gives_the_same_bytes, where, walk)
    report.keep(wholes.going_on_gives_the_same_bytes, where, walk)
    for promise in (wholes.seats_may_go_at_any_moment, wholes.one_seat_may_go, wholes.a_rewind_goes_on):
        report.keep(promise, where, walk, chance, effort.limit)


def transcript(rules: Rules[Any], *, seed: int = 0, matches: int = 3, options: Sequence[Any] | None = None) -> str:
    """Give one digest of all bytes of some matches: equal in every process, whatever its hash seed."""
    digest = hashlib.sha256()
    for number in range(matches):
        chance = Random(f"{seed} {number}")
        walk = walk_on(Walk(draw_setting(rules, chance, options or (rules.Options(),))), chance)
        for step in walk.steps:
            digest.update(encode(step.record) + all_frames(rules, step.position, step.events))
    return digest.hexdigest()
