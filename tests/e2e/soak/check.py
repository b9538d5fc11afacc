"""A match after its end: what was told ok is among its inputs, once, and every frame is one that it makes.

Runs in a process of its own, so that it takes nothing from the load. Knows replays, no sockets.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from server.replay import input_of, read, verify
from server.state import Play, Prepare
from tests.conftest import GAMES
from tests.e2e.soak.tally import Tally, tell

assert GAMES  # the test games are installed, in this process too


class Told(Struct, frozen=True):
    """A command of a seat that was told ok, and the version that it made. ``prompt``: None for ``ready``."""

    seat: int
    v: int
    prompt: int | None = None
    picks: tuple[str | int, ...] = ()


class Played(Struct):
    """All that is known of one match from outside. ``commands``: told ok. ``seen``: recordings, line by line."""

    room: str
    commands: int
    told: list[Told]
    breaks: list[str]
    oddities: list[str]
    doubled: int
    seen: list[str]


def check(played: Played, replay: bytes | None) -> Tally:
    """Count what is wrong with a match. ``replay``: None if it could not be had."""
    tally = Tally(played.commands, 0, played.doubled, len(played.breaks), len(played.oddities))
    for text in (*played.breaks, *played.oddities):
        tell(text)
    if replay is None:
        tally.unverified_replays = 1
        tell(f"room {played.room}: no replay")
        return tally
    _count_effects(played, replay, tally)
    verdict = verify(read(replay), played.seen)
    if verdict.difference is not None:
        tell(f"room {played.room}, {verdict.difference.where}: {verdict.difference.text}")
        if "recorded" in verdict.difference.text:
            tally.divergences += 1
        else:
            tally.unverified_replays += 1
    return tally


def _count_effects(played: Played, replay: bytes, tally: Tally) -> None:
    effects: list[Told] = []
    for given in read(replay).inputs:
        done = input_of(given)
        if isinstance(done, Prepare) and done.ready:
            effects.append(Told(done.seat, given.v))
        elif isinstance(done, Play):
            effects += [Told(each.seat, given.v, each.prompt, each.picks) for each in done.choices if not each.gone]
    lost = set(played.told) - set(effects)
    twice = [key for key, times in Counter((each.seat, each.prompt) for each in effects).items() if times > 1]
    for what, found in (("is lost", lost), ("was done twice", twice)):
        for each in found:
            tell(f"room {played.room}: {each} {what}")
    tally.lost += len(lost)
    tally.doubled += len(twice)
