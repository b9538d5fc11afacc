"""Promises that hold at every position of a match. Each function is one promise and gives what breaks it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, get_args

import msgspec
from msgspec import Struct

from engines.chance import Chance
from engines.flow import Illegal, Position, Step, hold, load, submit
from engines.record import Choice, Record, decode_record, encode
from engines.rules import Attempt, Match, Refusal, Rules, Why
from engines.sight import Audience, audiences, see, see_all
from engines.testing.answers import answer, any_answer, legal_answers
from engines.testing.frames import MOST_BYTES, all_frames, difference, unplain
from engines.testing.setting import Setting
from engines.testing.wrong import garbage, wrong_choices
from protocol.prompt import Act, Option, fault_in, picks_of

MOST_RECORD_BYTES = 1024 * 1024
MOST_ORDERS = 6
MOST_OPTIONS_TRIED = 6


class Spot(Struct):
    """A position in a walk: the step that led to it, and what chance to try things with."""

    setting: Setting
    step: Step
    chance: Random

    @property
    def rules(self) -> Rules[Any]:
        rules: Rules[Any] = self.setting.rules
        return rules

    @property
    def match(self) -> Match:
        return self.setting.running

    @property
    def position(self) -> Position:
        return self.step.position

    @property
    def record(self) -> Record:
        return self.step.record

    def submit(self, *choices: Choice) -> Step:
        return submit(self.rules, self.match, self.record, choices)


def no_invariant_is_broken(spot: Spot) -> Iterator[str]:
    yield from spot.rules.check(spot.match, spot.position.table.state)


def prompts_are_well_formed(spot: Spot) -> Iterator[str]:
    for asked in spot.position.asked:
        prompt = asked.prompt
        if len({option.id for option in prompt.options}) != len(prompt.options):
            yield f"{prompt.kind}: two options have one id"
        meanings = [msgspec.json.encode(option.act, order="deterministic") for option in prompt.options]
        yield from (f"{prompt.kind}: two options mean {act!r}" for act, n in Counter(meanings).items() if n > 1)
        if prompt.rule and not _names_rule(spot.rules, prompt.rule):
            yield f"{prompt.kind}: {prompt.rule!r} is no rule id"


def _names_rule(rules: Rules[Any], rule: str) -> bool:
    return re.fullmatch(rf"{rules.prefix}-\d+(\.\d+)*[a-z]?", rule) is not None


def frames_can_travel(spot: Spot) -> Iterator[str]:
    for audience in audiences(spot.match.seats):
        seen = msgspec.to_builtins(see(spot.rules, spot.position, audience, spot.step.events))
        yield from unplain(seen, f"frame of {audience}")
        if len(encode(seen)) > MOST_BYTES:
            yield f"the frame of {audience} has {len(encode(seen))} bytes"
    yield from unplain(msgspec.to_builtins(spot.position.outcome), "outcome")


def all_at_once_see_what_each_sees(spot: Spot) -> Iterator[str]:
    """What a game makes once for several audiences is what each gets alone: only that is looked through for leaks."""
    together = see_all(spot.rules, spot.position, spot.step.events)
    for who in audiences(spot.match.seats):
        alone, seen = see(spot.rules, spot.position, who, spot.step.events), together[who]
        if found := difference(msgspec.to_builtins(alone), msgspec.to_builtins(seen)):
            yield f"{who} sees something else when all look at once: {found}"


def the_record_is_small(spot: Spot) -> Iterator[str]:
    if (size := len(encode(spot.record))) > MOST_RECORD_BYTES:
        yield f"the record has {size} bytes"


def looking_changes_nothing(spot: Spot) -> Iterator[str]:
    """Viewing, checking and asking for the outcome are pure."""
    table, rules = spot.position.table, spot.rules
    before, shown = encode(table.state), all_frames(rules, spot.position, ())
    rules.check(spot.match, table.state)
    rules.outcome(spot.match, table.state, table.gone)
    if all_frames(rules, spot.position, ()) != shown:
        yield "the same position looks different the second time"
    if encode(table.state) != before:
        yield "looking changed the state"


def cold_is_hot(spot: Spot) -> Iterator[str]:
    """A record that was stored and read by another process goes on as if nothing had been between."""
    if spot.position.outcome is not None:
        return
    choice, twin = _some_choice(spot), spot.setting.twin()
    cold = submit(twin.rules, twin.running, decode_record(encode(spot.record)), [choice])
    yield from _compared(spot, spot.submit(choice), cold, "after reading it anew")
    shown = all_frames(twin.rules, load(twin.rules, twin.running, spot.record), ())
    if shown != all_frames(spot.rules, spot.position, ()):
        yield "the position looks different when it is read anew"


def submitting_changes_no_argument(spot: Spot) -> Iterator[str]:
    if spot.position.outcome is not None:
        return
    before = _fingerprint(spot.match), encode(spot.record)
    spot.submit(_some_choice(spot))
    if (_fingerprint(spot.match), encode(spot.record)) != before:
        yield "a choice changed the record, the options or the pack"


def every_offered_answer_is_accepted(spot: Spot) -> Iterator[str]:
    for asked in spot.position.asked if spot.position.outcome is None else ():
        for picks in legal_answers(asked.prompt, spot.chance, MOST_OPTIONS_TRIED):
            if asked.answer is not None or (fault := fault_in(asked.prompt, picks)) is None:
                yield from _accepted(spot, answer(asked, picks))
            else:
                yield f"{asked.prompt.kind}: {picks} is offered and {fault}"


def _accepted(spot: Spot, choice: Choice) -> Iterator[str]:
    if spot.position.of(choice.seat) is None:
        return
    try:
        step = spot.submit(choice)
    except Exception as error:
        yield f"{choice} is offered and raised {type(error).__name__}: {error}"
    else:
        yield from spot.rules.check(spot.match, step.position.table.state)


def foreign_answers_are_refused(spot: Spot) -> Iterator[str]:
    before = encode(spot.record)
    for choice in wrong_choices(spot.position, spot.match.seats, spot.chance):
        try:
            spot.submit(choice)
        except Illegal as illegal:
            prompt = illegal.asked.prompt if illegal.asked else None
            yield from _explained(spot, choice.seat, illegal.why, choice.picks, prompt_acts(prompt, choice))
        else:
            yield f"{choice} was accepted"
    if encode(spot.record) != before:
        yield "a refused choice changed the record"


def prompt_acts(prompt: Any, choice: Choice) -> tuple[Act, ...]:
    """Give the meaning of those picks that mean anything."""
    options: dict[str, Option] = {option.id: option for option in prompt.options} if prompt else {}
    return tuple(options[str(pick)].act for pick in choice.picks if pick in options)


def every_refusal_is_explained(spot: Spot) -> Iterator[str]:
    for seat in range(spot.match.seats):
        asked = spot.position.of(seat)
        prompt = asked.prompt if asked else None
        for acts in garbage(prompt, spot.chance):
            if prompt is None or picks_of(prompt, acts) is None:
                yield from _explained(spot, seat, "illegal" if prompt else "not_yours", (), acts)
        for why in get_args(Why):
            yield from _explained(spot, seat, why, prompt.default if prompt else (), ())


def _explained(spot: Spot, seat: int, why: Any, picks: Any, acts: Any) -> Iterator[str]:
    audience: Audience = seat if 0 <= seat < spot.match.seats else None
    asked = spot.position.of(audience)
    if audience is None:
        return  # who has no seat is answered by the service
    zones = spot.rules.view(spot.match, spot.position.table.state, audience)
    attempt = Attempt(seat, why, asked.prompt if asked else None, acts, picks)
    try:
        refusal = spot.rules.explain(zones, attempt)
    except Exception as error:
        yield f"explain raised {type(error).__name__}: {error} for {attempt}"
        return
    if not isinstance(refusal, Refusal) or not refusal.code or not refusal.text:
        yield f"{refusal!r} does not say why {attempt}"
    elif not _names_rule(spot.rules, refusal.rule):
        yield f"refusal {refusal.code} names no rule: {refusal.rule!r}"
    else:
        yield from unplain(refusal.details, f"refusal {refusal.code}")


def arrival_order_changes_nothing(spot: Spot) -> Iterator[str]:
    """Several seats asked at once: answers are private until all are in, whichever comes first."""
    waiting = [asked for asked in spot.position.asked if asked.answer is None]
    if spot.position.outcome is not None or len(waiting) < 2 or not _all_have_to_answer(spot):
        return
    choices = [answer(asked, any_answer(asked.prompt, spot.chance)) for asked in waiting]
    reached = set()
    for one in _orders(choices, spot.chance):
        record = spot.record
        for choice in one:
            step = submit(spot.rules, spot.match, record, [choice])
            if choice is not one[-1]:
                yield from _tells_nothing(spot, step)
            record = step.record
        reached.add(encode(_unordered(record)) + all_frames(spot.rules, step.position, step.events))
    if len(reached) > 1:
        yield f"{choices} lead to {len(reached)} different positions"


def _orders(choices: list[Choice], chance: Random) -> list[tuple[Choice, ...]]:
    """Give all orders of up to three, and some of more."""
    if len(choices) <= 3:
        return list(permutations(choices))
    return [tuple(choices), *(tuple(chance.sample(choices, len(choices))) for _ in range(MOST_ORDERS))]


def _all_have_to_answer(spot: Spot) -> bool:
    """Say whether this is a question to all, not to whoever is first."""
    if any(asked.prompt.optional for asked in spot.position.asked):
        return False
    first = next(asked for asked in spot.position.asked if asked.answer is None)
    after = spot.submit(answer(first, first.prompt.default)).position
    return [(a.id, a.prompt.seat) for a in after.asked] == [(a.id, a.prompt.seat) for a in spot.position.asked]


def _tells_nothing(spot: Spot, step: Step) -> Iterator[str]:
    if step.events:
        yield "an answer was told before all were in"
    for audience in audiences(spot.match.seats):
        old = spot.rules.view(spot.match, spot.position.table.state, audience)
        if encode(spot.rules.view(spot.match, step.position.table.state, audience)) != encode(old):
            yield f"{audience} sees something of an answer before all are in"


def _unordered(record: Record) -> Record:
    return msgspec.structs.replace(record, choices=tuple(sorted(record.choices, key=encode)))


def early_answers_show_nowhere(spot: Spot) -> Iterator[str]:
    """An answer kept for its time leaves all frames as they are."""
    for asked in spot.position.asked if spot.position.outcome is None else ():
        if asked.prompt.hold_ms and asked.answer is None:
            kept = hold(spot.position, answer(asked, any_answer(asked.prompt, spot.chance)))
            position = load(spot.rules, spot.match, decode_record(encode(kept)))
            if all_frames(spot.rules, position, ()) != all_frames(spot.rules, spot.position, ()):
                yield f"{asked.prompt.kind}: an early answer can be seen"


def bots_answer_legally(spot: Spot) -> Iterator[str]:
    for name, bot in spot.rules.bots.items():
        for asked in spot.position.asked if spot.position.outcome is None else ():
            seat, prompt, seed = asked.prompt.seat, asked.prompt, spot.chance.random()
            zones = spot.rules.view(spot.match, spot.position.table.state, seat)
            before = encode(zones)
            picks = bot(seat, zones, prompt, Random(seed))
            if (fault := fault_in(prompt, picks)) is not None:
                yield f"bot {name} answers {prompt.kind} with {picks}: {fault}"
            if bot(seat, zones, prompt, Random(seed)) != picks or encode(zones) != before:
                yield f"bot {name} answers {prompt.kind} otherwise the second time, or changes what it sees"


def _some_choice(spot: Spot) -> Choice:
    asked = spot.chance.choice([asked for asked in spot.position.asked if asked.answer is None])
    return answer(asked, any_answer(asked.prompt, spot.chance))


def _compared(spot: Spot, one: Step, other: Step, when: str) -> Iterator[str]:
    if encode(one.record) != encode(other.record):
        yield f"the record differs {when}"
    if all_frames(spot.rules, one.position, one.events) != all_frames(spot.rules, other.position, other.events):
        yield f"the frames differ {when}"


def _fingerprint(match: Match) -> bytes:
    return msgspec.msgpack.encode(match, enc_hook=_innards, order="deterministic")


def _innards(value: Any) -> Any:
    if isinstance(value, Chance):
        raise TypeError("chance is no part of a match")
    return dict(value) if hasattr(value, "keys") else getattr(value, "__dict__", repr(type(value)))


LIGHT = (no_invariant_is_broken, prompts_are_well_formed, the_record_is_small)
SHOWN = (frames_can_travel, all_at_once_see_what_each_sees)
HEAVY = (
    looking_changes_nothing, cold_is_hot, submitting_changes_no_argument,
    every_offered_answer_is_accepted,
    foreign_answers_are_refused, every_refusal_is_explained, arrival_order_changes_nothing,
    early_answers_show_nowhere, bots_answer_legally,
)  # fmt: skip
