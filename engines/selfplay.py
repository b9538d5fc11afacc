"""Bots play a game against each other: what balance, bounds and speed look like over many matches.

Owns running matches through the runner of choices and adding up what happened. Pure: a caller brings the
clock and draws the progress bar. Knows no particular game.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from engines.bots import bots_of
from engines.chance import bot_seed, parts
from engines.flow import MAX_CHOICES, LimitReached, Position, Step, begin, submit
from engines.record import Choice, decode_record, encode
from engines.rules import MAX_FUEL, Bot, Match, Outcome, Pack, Rules
from engines.sight import audiences, see

MOST_BROKEN = 20

Clock = Callable[[], int]
"""Nanoseconds from any fixed moment."""


class UnknownBot(LookupError):
    """The game has no bot of that name."""


class Plan(Struct, frozen=True):
    """What is to be played. ``bots``: names, one a seat; ``random`` plays every game."""

    rules: Any
    pack: Pack | None
    options: Any
    bots: tuple[str, ...]
    matches: int
    seed: int


class Played(Struct):
    """One match. ``seated``: for every seat the place of its bot in the plan. ``took``: nanoseconds of each submit.

    ``turns`` and ``first_seat`` are what the game tells in its outcome's details, None if it tells nothing.
    """

    seated: tuple[int, ...]
    choices: int = 0
    winners: tuple[int, ...] = ()
    reason: str = ""
    turns: int | None = None
    first_seat: int | None = None
    broken: list[str] = []
    took: list[int] = []
    max_options: int = 0
    max_fuel: int = 0
    max_frame: int = 0
    max_record: int = 0


class Spread(Struct):
    """Where the middle nine tenths of some numbers lie."""

    p05: int
    median: int
    p95: int


class Won(Struct):
    """How many matches a bot has won, shared wins included."""

    bot: str
    matches: int


class Figures(Struct):
    """What many matches came to. Sizes in bytes; ``choices_per_s`` counts time in submit only, not the bots' own.

    ``unfinished``: matches that ran into the bound on choices. ``broken``: the first broken invariants.
    ``first_seat_share``: wins of the first seat among matches with one winner, in thousandths.
    """

    game: str
    matches: int
    choices: int
    choices_per_s: int
    unfinished: int
    broken: list[str]
    turns: Spread | None
    first_seat_share: int | None
    wins: list[Won]
    ends: dict[str, int]
    max_options: int
    max_fuel: int
    max_frame: int
    max_record: int
    submit_p99_us: int


def bot_of(rules: Rules[Any], name: str) -> Bot:
    """Give a game's bot by name. Raises UnknownBot, naming those there are."""
    known = bots_of(rules)
    if name not in known:
        raise UnknownBot(f"{rules.name} has no bot {name!r}; there are: {', '.join(sorted(known))}")
    return known[name]


def play_matches(plan: Plan, clock: Clock, limit: int = MAX_CHOICES) -> Iterator[Played]:
    """Play the matches of a plan, one at a time. The same plan plays the same matches.

    After each share of the matches the bots move on by one seat and meet the same pairings of decks again.
    """
    names, rules = plan.bots, plan.rules
    bots = [bot_of(rules, name) for name in names]
    share = -(-plan.matches // len(names))
    for at in range(plan.matches):
        turn, place = divmod(at, share)
        seated = tuple((seat + turn) % len(names) for seat in range(len(names)))
        key = hashlib.sha256(parts("selfplay", plan.seed, at)).digest()
        yield _Running(plan, key, [bots[i] for i in seated], clock).play(seated, _decks(plan, place), limit)


def figures(plan: Plan, matches: Sequence[Played]) -> Figures:
    """Add up what was played."""
    took = sorted(time for match in matches for time in match.took)
    alone = [match for match in matches if len(match.winners) == 1 and match.first_seat is not None]
    firsts = sum(match.winners == (match.first_seat,) for match in alone)
    won = Counter(match.seated[seat] for match in matches for seat in match.winners)
    return Figures(
        game=plan.rules.name,
        matches=len(matches),
        choices=sum(match.choices for match in matches),
        choices_per_s=len(took) * 10**9 // max(1, sum(took)),
        unfinished=sum(not match.reason for match in matches),
        broken=[text for match in matches for text in match.broken][:MOST_BROKEN],
        turns=_spread([match.turns for match in matches if match.turns is not None]),
        first_seat_share=1000 * firsts // len(alone) if alone else None,
        wins=[Won(bot, won[at]) for at, bot in enumerate(plan.bots)],
        ends=dict(sorted(Counter(match.reason or "unfinished" for match in matches).items())),
        max_options=max((match.max_options for match in matches), default=0),
        max_fuel=max((match.max_fuel for match in matches), default=0),
        max_frame=max((match.max_frame for match in matches), default=0),
        max_record=max((match.max_record for match in matches), default=0),
        submit_p99_us=_at(took, 99) // 1000 if took else 0,
    )


def _decks(plan: Plan, place: int) -> tuple[Any, ...]:
    """Give every seat a ready-made deck so that, match by match, all pairings come up."""
    if not plan.rules.brings_decks:
        return ()
    ready = list(plan.rules.ready_decks(plan.pack).values())
    at = plan.seed + place
    return tuple(ready[at // len(ready) ** seat % len(ready)] for seat in range(len(plan.bots)))


class _Running:
    """One match being played and measured."""

    def __init__(self, plan: Plan, key: bytes, bots: Sequence[Bot], clock: Clock) -> None:
        self.rules: Rules[Any] = plan.rules
        self.pack: Pack | None = plan.pack
        self.match = Match(len(bots), plan.options, plan.pack.cards if plan.pack else None, holds=False)
        self.key = key
        self.bots = bots
        self.clock = clock

    def play(self, seated: tuple[int, ...], decks: tuple[Any, ...], limit: int) -> Played:
        played = Played(seated)
        bringing = msgspec.structs.replace(self.match, decks=decks)
        step = begin(self.rules, bringing, pack=self.pack.hash if self.pack else "", key=self.key)
        self._note(played, step)
        while step.position.outcome is None and played.choices < limit:
            choice = self._choice(step.position)
            stored = encode(step.record)
            before = self.clock()
            try:
                step = submit(self.rules, self.match, decode_record(stored), [choice])
            except LimitReached:
                return played
            played.took.append(self.clock() - before)
            played.choices += 1
            self._note(played, step)
        return _finished(played, step.position.outcome)

    def _choice(self, position: Position) -> Choice:
        """Let the bots answer: offers are put to their seats first, and may be left."""
        unanswered = [asked for asked in position.asked if asked.answer is None]
        for asked in sorted(unanswered, key=lambda asked: not asked.prompt.optional):
            seat = asked.prompt.seat
            zones = self.rules.view(position.table.match, position.table.state, seat)
            picks = self.bots[seat](seat, zones, asked.prompt, Random(bot_seed(self.key, seat, asked.id)))
            if picks or not asked.prompt.optional:
                return Choice(seat, asked.id, picks)
        raise RuntimeError("a match that is not over waits for nobody")

    def _note(self, played: Played, step: Step) -> None:
        """Keep the largest of everything, and what is broken."""
        position = step.position
        table = position.table
        frames = (see(self.rules, position, audience, step.events) for audience in audiences(self.match.seats))
        played.max_frame = max(played.max_frame, *(len(encode(frame)) for frame in frames))
        played.max_record = max(played.max_record, len(encode(step.record)))
        played.max_fuel = max(played.max_fuel, MAX_FUEL - table.fuel)
        played.max_options = max([played.max_options, *(len(asked.prompt.options) for asked in position.asked)])
        for broken in self.rules.check(table.match, table.state):
            played.broken.append(f"key {self.key.hex()[:8]}, after choice {played.choices}: {broken}")


def _finished(played: Played, outcome: Outcome | None) -> Played:
    if outcome is not None:
        played.reason = outcome.reason
        played.winners = outcome.winners
        played.turns = outcome.details.get("turns")
        played.first_seat = outcome.details.get("first_seat")
    return played


def _spread(numbers: Sequence[int]) -> Spread | None:
    ranked = sorted(numbers)
    return Spread(_at(ranked, 5), _at(ranked, 50), _at(ranked, 95)) if ranked else None


def _at(ranked: Sequence[int], percent: int) -> int:
    """Give the number below which ``percent`` in a hundred lie; ``ranked`` is sorted and not empty."""
    return ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]
