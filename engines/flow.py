"""Run one choice: the only code that knows that rules are generators.

Pure: same arguments, same record, events and prompts, byte for byte. A refused choice, a rule that raises
and a lost race leave the old record as it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from engines.chance import REWIND_STRIDE, Chance, Handles
from engines.record import Choice, Record, Standing, decode_state, encode
from engines.rules import MAX_FUEL, AnyOf, Ask, Event, Match, Outcome, Prompt, Resigned, Rules, Table, Why
from protocol.prompt import MAX_OPTIONS, Act, Pick, fault_in

MAX_PENDING = 200
MAX_CHOICES = 20_000
PROMPTS_PER_REWIND = HANDLES_PER_REWIND = (MAX_PENDING + 1) * MAX_FUEL


class Illegal(ValueError):
    """A choice does not answer an open prompt. Nothing has happened."""

    def __init__(self, why: Why, asked: Asked | None) -> None:
        super().__init__(why)
        self.why = why
        self.asked = asked


class Diverged(RuntimeError):
    """Stored choices no longer fit the rules: they were recorded under other rules, or the bytes are bad."""


class LimitReached(RuntimeError):
    """A match has more choices since its checkpoint, or altogether, than any honest match."""


class RuleFault(RuntimeError):
    """A rule broke the contract (asked nobody, too many options, an illegal default)."""


class Asked(Struct):
    """A prompt with the id under which its seat answers. ``answer`` is set once picked and not yet used."""

    id: int
    prompt: Prompt
    answer: tuple[Pick, ...] | None = None


class Position(Struct):
    """A match as it stands: the table, the open prompts, how it ended (or None), and its record.

    ``run``: what can go on from here without reading the record again; None once it has.
    """

    table: Table[Any]
    asked: tuple[Asked, ...]
    outcome: Outcome | None
    record: Record
    run: _Run | None = None

    def of(self, seat: int | None) -> Asked | None:
        """Give the prompt that a seat has yet to answer, or None."""
        for asked in self.asked:
            if asked.prompt.seat == seat and asked.answer is None:
                return asked
        return None


class Step(Struct):
    """What one input did."""

    record: Record
    events: list[Event]
    position: Position


def begin(rules: Rules[Any], match: Match, *, pack: str, key: bytes) -> Step:
    """Set a match up and run it to its first prompts. ``match.decks`` are used here and forgotten."""
    seats = range(match.seats)
    table: Table[Any] = Table(match, None, Chance(key), Handles(key, [0] * (match.seats + 1)))
    table.state = rules.setup(table)
    record = Record(
        rules.name, rules.version, pack, match.seats, encode(match.options), key, encode(table.state),
        table.chance.counter, tuple(table.handles.counters), tuple(0 for _ in seats), holds=match.holds,
    )  # fmt: skip
    table.match = msgspec.structs.replace(match, decks=())
    run = _Run(rules, table, record)
    run.start()
    return run.step()


def load(rules: Rules[Any], match: Match, record: Record) -> Position:
    """Bring a record back to life. Raises Diverged if its choices do not fit the rules."""
    return _rerun(rules, match, record).position()


def submit(
    rules: Rules[Any], match: Match, record: Record, choices: Sequence[Choice], warm: Position | None = None
) -> Step:
    """Take one or more choices. The first must fit; a later one whose prompt has gone is left out.

    Seats that go at the same moment go together: see ``together``. ``warm``: a position of this very record, which
    is used up whatever happens: its run goes on, so that the record need not be read and run again.
    Raises Illegal (nothing happened), LimitReached, or whatever a broken rule raises.
    """
    run = _taken(warm, record) or _rerun(rules, match, record)
    run.table.events.clear()
    for at, choice in enumerate(choices):
        run.table.fuel = MAX_FUEL
        if at == 0 or run.fits(choice):
            run.take_new(choice)
    return run.step()


def together(gone: Sequence[Choice]) -> list[Choice]:
    """Let seats that go do so at the same moment: the order in which they are named decides nothing."""
    return [msgspec.structs.replace(choice, joint=at < len(gone) - 1) for at, choice in enumerate(gone)]


def hold(position: Position, choice: Choice) -> Record:
    """Keep an early answer to a held prompt until its time. Raises Illegal; the first valid answer is final."""
    refuse(position, choice)
    record = position.record
    if any((kept.seat, kept.prompt) == (choice.seat, choice.prompt) for kept in record.held):
        raise Illegal("held", position.of(choice.seat))
    return msgspec.structs.replace(record, held=(*record.held, choice))


def at_rest(record: Record) -> bool:
    """Tell whether nobody has chosen anything since the checkpoint; early answers that wait are not yet chosen."""
    return not record.choices


def take_over(rules: Rules[Any], record: Record) -> Record:
    """Let newer rules go on from a record at rest: no choice is lost. Prompts are asked anew, under new ids.

    Early answers to held prompts are forgotten, since what they answered is asked again.
    """
    return msgspec.structs.replace(_with_new_ids(rules, record), standing=record.standing)


def rewind(rules: Rules[Any], record: Record) -> Record:
    """Go back to the checkpoint under these rules, with fresh chance, so that no seen draw can be used.

    Seats that have gone since stay gone. No id of a prompt and no handle that was given out since comes again.
    """
    counter = (record.counter // REWIND_STRIDE + 1) * REWIND_STRIDE
    gone = (*record.gone, *((choice.seat, choice.gone) for choice in record.choices if choice.gone))
    return msgspec.structs.replace(_with_new_ids(rules, record), counter=counter, gone=gone)


def _with_new_ids(rules: Rules[Any], record: Record) -> Record:
    return msgspec.structs.replace(
        record, rules=rules.version, handles=tuple(n + HANDLES_PER_REWIND for n in record.handles),
        asked=tuple(n + PROMPTS_PER_REWIND for n in record.asked), standing=(), choices=(), held=(),
    )  # fmt: skip


def refuse(position: Position, choice: Choice) -> None:
    """Raise Illegal unless a choice answers the open prompt of its seat."""
    asked = position.of(choice.seat)
    if position.outcome is not None:
        raise Illegal("over", None)
    if asked is None:
        raise Illegal("not_yours" if position.asked else "no_prompt", None)
    if asked.id != choice.prompt:
        raise Illegal("stale", asked)
    if (fault := fault_in(asked.prompt, choice.picks)) is not None:
        raise Illegal(fault, asked)


def _taken(warm: Position | None, record: Record) -> _Run | None:
    """Take the run out of a position, if it is one of this record and still has it."""
    if warm is None or warm.run is None or warm.record != record:
        return None
    run, warm.run = warm.run, None
    return run


def _rerun(rules: Rules[Any], match: Match, record: Record) -> _Run:
    table = Table(
        match, decode_state(rules, record.base), Chance(record.key, record.counter),
        Handles(record.key, record.handles), dict(record.gone),
    )  # fmt: skip
    run = _Run(rules, table, record)
    run.start()
    for choice in record.choices:
        table.fuel = MAX_FUEL
        try:
            run.take(choice)
        except Illegal as illegal:
            raise Diverged(
                f"the stored answer to prompt {choice.prompt} of seat {choice.seat} does not fit: {illegal.why}"
            ) from illegal
    if tuple(run.choices) != record.choices:
        raise Diverged("stored choices run past the next checkpoint")
    return run


class _Run:
    """One match being run: the rule generator, the prompts it waits for, and the record as it grows."""

    def __init__(self, rules: Rules[Any], table: Table[Any], record: Record) -> None:
        self.rules = rules
        self.table = table
        self.record = record
        self.flow = rules.play(table)
        self.ask: Ask = ()
        self.asked: tuple[Asked, ...] = ()
        self.counts = list(record.asked)
        self.standing = {offer.seat: offer for offer in record.standing}
        self.outcome: Outcome | None = None
        self.choices: list[Choice] = []

    def start(self) -> None:
        """Run from the checkpoint to the first prompts, unless the match is over."""
        self.outcome = self.rules.outcome(self.table.match, self.table.state, self.table.gone)
        if self.outcome is None:
            self._pump(partial(next, self.flow))

    def position(self) -> Position:
        asked = () if self.outcome else self.asked
        return Position(self.table, asked, self.outcome, self.record, self)

    def step(self) -> Step:
        open_now = {(asked.prompt.seat, asked.id) for asked in self.position().asked}
        held = tuple(kept for kept in self.record.held if (kept.seat, kept.prompt) in open_now)
        self.record = msgspec.structs.replace(self.record, choices=tuple(self.choices), held=held)
        return Step(self.record, list(self.table.events), self.position())

    def fits(self, choice: Choice) -> bool:
        if choice.gone:
            return self.outcome is None and choice.seat not in self.table.gone
        try:
            refuse(self.position(), choice)
        except Illegal:
            return False
        return True

    def take_new(self, choice: Choice) -> None:
        """Take a choice that is not in the record yet, within the bounds of a match."""
        if self.record.total >= MAX_CHOICES:
            raise LimitReached(f"a match has at most {MAX_CHOICES} choices")
        if len(self.choices) >= MAX_PENDING and not choice.gone:
            raise LimitReached(f"one action has at most {MAX_PENDING} choices")
        held = tuple(kept for kept in self.record.held if kept.seat != choice.seat)
        self.record = msgspec.structs.replace(self.record, held=held, total=self.record.total + 1)
        self.take(choice)

    def take(self, choice: Choice) -> None:
        if choice.gone:
            self._lose_seat(choice)
            return
        refuse(self.position(), choice)
        self.choices.append(choice)
        asked = self.position().of(choice.seat)
        assert asked is not None  # refuse() has looked
        asked.answer = choice.picks
        if (step := self._resumption(asked)) is not None:
            self._pump(step)

    def _lose_seat(self, choice: Choice) -> None:
        if self.outcome is not None or choice.seat in self.table.gone:
            raise Illegal("over", None)
        if not 0 <= choice.seat < self.record.seats:
            raise Illegal("not_yours", None)
        self.choices.append(choice)
        self.table.gone[choice.seat] = choice.gone
        self.asked = tuple(a for a in self.asked if not (a.prompt.optional and a.prompt.seat == choice.seat))
        if choice.joint:
            return
        self.outcome = self.rules.outcome(self.table.match, self.table.state, self.table.gone)
        if self.outcome is None and (step := self._forced()) is not None:
            self._pump(step)

    def _pump(self, step: Callable[[], Ask]) -> None:
        """Run rule code until somebody who is still there has to answer, or the match is over."""
        following: Callable[[], Ask] | None = step
        while following is not None:
            try:
                ask = following()
            except StopIteration:
                self._rest()
                if self.outcome is not None:
                    return
                self.flow = self.rules.play(self.table)
                following = partial(next, self.flow)
                continue
            self._offer(ask)
            following = self._forced()

    def _rest(self) -> None:
        """Move the checkpoint on: no action is half done."""
        table = self.table
        self.table.spend()
        self.asked = ()
        self.choices = []
        self.record = msgspec.structs.replace(
            self.record, base=encode(table.state), counter=table.chance.counter,
            handles=tuple(table.handles.counters), asked=tuple(self.counts),
            standing=tuple(self.standing.values()), gone=tuple(table.gone.items()), choices=(),
        )  # fmt: skip
        self.outcome = self.rules.outcome(table.match, table.state, table.gone)

    def _offer(self, ask: Ask) -> None:
        prompts = (ask,) if isinstance(ask, Prompt) else ask.prompts if isinstance(ask, AnyOf) else ask
        present = [p for p in prompts if not (p.optional and p.seat in self.table.gone)]
        if not any(not prompt.optional for prompt in present):
            raise RuleFault("a rule asked nobody who has to answer")
        if not isinstance(ask, AnyOf) and any(prompt.optional for prompt in prompts):
            raise RuleFault("a rule made an offer where everybody has to answer")
        if len({prompt.seat for prompt in present}) != len(present):
            raise RuleFault("a rule asked one seat twice at once")
        self.ask = ask
        self.asked = tuple(map(self._number, present))
        self.standing = {}

    def _number(self, prompt: Prompt) -> Asked:
        """Give a prompt its id: the old one if the same offer still stood, else the seat's next."""
        self.table.spend(1 + len(prompt.options))
        if len(prompt.options) > MAX_OPTIONS:
            raise RuleFault(
                f"prompt {prompt.kind} has {len(prompt.options)} options, at most {MAX_OPTIONS} are allowed"
            )
        if (fault := fault_in(prompt, prompt.default)) is not None:
            raise RuleFault(f"prompt {prompt.kind} has an illegal default: {fault}")
        if prompt.hold_ms and not self.table.match.holds:
            prompt = msgspec.structs.replace(prompt, hold_ms=0)
        offer = self.standing.get(prompt.seat)
        if offer is not None and offer.digest == _digest(prompt):
            return Asked(offer.prompt, prompt)
        self.counts[prompt.seat] += 1
        return Asked(self.counts[prompt.seat], prompt)

    def _forced(self) -> Callable[[], Ask] | None:
        """Answer for seats that are gone; give how the rule goes on, or None if it has to wait."""
        for asked in self.asked:
            if asked.prompt.seat in self.table.gone and asked.answer is None and not asked.prompt.optional:
                if self.rules.cut_on_resign and isinstance(self.ask, Prompt):
                    return partial(self.flow.throw, Resigned(asked.prompt.seat))
                asked.answer = asked.prompt.default
                if (step := self._resumption(asked)) is not None:
                    return step
        return None

    def _resumption(self, latest: Asked) -> Callable[[], Ask] | None:
        """Give how the rule goes on with the answers in hand, or None if some are still missing."""
        if isinstance(self.ask, AnyOf):
            self.standing = {
                a.prompt.seat: Standing(a.prompt.seat, a.id, _digest(a.prompt)) for a in self.asked if a.answer is None
            }
            return partial(self.flow.send, (latest.prompt.seat, _meaning(latest)))
        if any(asked.answer is None for asked in self.asked):
            return None
        answers = tuple(map(_meaning, self.asked))
        return partial(self.flow.send, answers[0] if isinstance(self.ask, Prompt) else answers)


def _meaning(asked: Asked) -> tuple[Act, ...] | int:
    picks = asked.answer
    assert picks is not None  # only answered prompts are used
    return int(picks[0]) if asked.prompt.shape == "number" else asked.prompt.acts(picks)


def _digest(prompt: Prompt) -> bytes:
    return hashlib.blake2b(encode(prompt), digest_size=8).digest()
