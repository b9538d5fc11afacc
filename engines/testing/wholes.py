"""Promises that a whole match keeps. Each function is one promise and gives what breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engines.flow import MAX_CHOICES, Step, at_rest, load, rewind, submit, take_over
from engines.record import Choice, decode_record, encode, match_of
from engines.rules import Pack, Rules
from engines.testing.answers import REASONS, any_input, silence
from engines.testing.frames import all_frames
from engines.testing.setting import Setting
from engines.testing.walk import Walk, walk_on


def the_match_ends(walk: Walk) -> Iterator[str]:
    if not walk.ended:
        yield f"no end after {len(walk.choices)} choices"


def ids_of_prompts_never_change_their_meaning(walk: Walk) -> Iterator[str]:
    """Under one id there is one prompt, and the ids of a seat only grow."""
    seen: dict[tuple[int, int], bytes] = {}
    latest = [0] * walk.setting.match.seats
    for step in walk.steps:
        for asked in step.position.asked:
            seat = asked.prompt.seat
            known = seen.setdefault((seat, asked.id), encode(asked.prompt))
            if known != encode(asked.prompt):
                yield f"prompt {asked.id} of seat {seat} has changed"
            if (seat, asked.id) in seen and asked.id < latest[seat]:
                yield f"prompt {asked.id} of seat {seat} came after {latest[seat]}"
            latest[seat] = max(latest[seat], asked.id)


def a_replay_gives_the_same_bytes(walk: Walk) -> Iterator[str]:
    """New rules, the pack read again, all inputs once more: every record and every frame is as before."""
    twin = walk.setting.twin()
    step = twin.begin()
    for at, known in enumerate(walk.steps):
        if at:
            step = submit(twin.rules, twin.running, step.record, [walk.choices[at - 1]])
        if _bytes(walk.setting.rules, known) != _bytes(twin.rules, step):
            yield f"input {at} gives other bytes"
            return


def one_run_gives_the_same_bytes(walk: Walk) -> Iterator[str]:
    """All inputs taken in one go, without storing anything between, end as they did one by one."""
    setting = walk.setting
    beginning = setting.begin()
    if not walk.choices:
        return
    whole = submit(setting.rules, setting.running, beginning.record, walk.choices)
    events = [event for step in walk.steps[1:] for event in step.events]
    if encode(whole.record) != encode(walk.last.record):
        yield "the record differs"
    told = all_frames(setting.rules, whole.position, whole.events)
    if told != all_frames(setting.rules, walk.last.position, events):
        yield "the frames differ"


def going_on_gives_the_same_bytes(walk: Walk) -> Iterator[str]:
    """Each input taken by the run that the one before has left, none read anew: every step is as it was."""
    setting = walk.setting
    step = setting.begin()
    for at, choice in enumerate(walk.choices, 1):
        step = submit(setting.rules, setting.running, step.record, [choice], step.position)
        if _bytes(setting.rules, walk.steps[at]) != _bytes(setting.rules, step):
            yield f"input {at} gives other bytes when nothing is read anew"
            return


def _bytes(rules: Rules[Any], step: Step) -> bytes:
    return encode(step.record) + all_frames(rules, step.position, step.events)


def silence_ends_the_match(setting: Setting, limit: int) -> Iterator[str]:
    """Nobody ever answers: the defaults alone carry the match to its end."""
    walk = walk_on(Walk(setting), Random(0), lambda position, _: silence(position), limit)
    yield from the_match_ends(walk)


def bots_end_the_match(setting: Setting, limit: int) -> Iterator[str]:
    for bot in setting.rules.bots.values():

        def player(position: Any, chance: Random, bot: Any = bot) -> Choice:
            asked = next(a for a in position.asked if a.answer is None and not a.prompt.optional)
            seat = asked.prompt.seat
            zones = setting.rules.view(setting.running, position.table.state, seat)
            return Choice(seat, asked.id, bot(seat, zones, asked.prompt, chance))

        yield from the_match_ends(walk_on(Walk(setting), Random(0), player, limit))


def seats_may_go_at_any_moment(walk: Walk, chance: Random, limit: int) -> Iterator[str]:
    """Seats go one after the other; the match still ends, at once if two played, and with all gone at the latest."""
    setting = walk.setting
    at = chance.randrange(len(walk.steps))
    step = walk.steps[at]
    seats = chance.sample(range(setting.match.seats), setting.match.seats)
    for seat in seats:
        if step.position.outcome is not None:
            return
        if seat in step.position.table.gone:
            continue
        gone = Choice(seat, gone=chance.choice(REASONS))
        step = submit(setting.rules, setting.running, step.record, [gone])
        yield from setting.rules.check(setting.running, step.position.table.state)
        if setting.match.seats == 2 and step.position.outcome is None:
            yield "one of two has gone and the match goes on"
        if chance.random() < 1 / 2:
            step = _some_more(setting, step, chance, chance.randint(1, 8))
    if step.position.outcome is None:
        yield "all have gone and the match goes on"


def one_seat_may_go(walk: Walk, chance: Random, limit: int) -> Iterator[str]:
    """One seat goes; the others play to the end, and it is asked nothing more."""
    setting, step = walk.setting, chance.choice(walk.steps)
    if step.position.outcome is not None:
        return
    seat = chance.choice([seat for seat in range(setting.match.seats) if seat not in step.position.table.gone])
    gone = Choice(seat, gone=chance.choice(REASONS))
    after = Walk(setting, [submit(setting.rules, setting.running, step.record, [gone])])
    walk_on(after, chance, limit=limit)
    yield from the_match_ends(after)
    if any(one.position.of(seat) for one in after.steps):
        yield f"seat {seat} has gone and is asked"


def a_rewind_goes_on(walk: Walk, chance: Random, limit: int) -> Iterator[str]:
    """Taken over at rest or rewound to the checkpoint the match goes on, and no id of a prompt comes again.

    Offers that stood at the checkpoint and are made again unchanged keep theirs at rest.
    """
    setting, at = walk.setting, chance.randrange(len(walk.steps))
    given = {(a.prompt.seat, a.id) for step in walk.steps[: at + 1] for a in step.position.asked}
    before = walk.steps[at].record
    records = [rewind(setting.rules, before), *([take_over(setting.rules, before)] if at_rest(before) else [])]
    for record in records:
        position = load(setting.rules, setting.running, record)
        stood = {(offer.seat, offer.prompt) for offer in record.standing}
        if repeated := [a.id for a in position.asked if (a.prompt.seat, a.id) in given - stood]:
            yield f"prompts {repeated} come again"
        step = Step(record, [], position)
        yield from the_match_ends(walk_on(Walk(setting, [step]), chance, limit=limit))


def _some_more(setting: Setting, step: Step, chance: Random, most: int) -> Step:
    walk = walk_on(Walk(setting, [step]), chance, any_input, most)
    return walk.last


def continue_record(rules: Rules[Any], pack: Pack, raw: bytes, chance: Random, limit: int = MAX_CHOICES) -> Walk:
    """Decode a stored record and play it to its end; one of older rules is taken over first.

    Raises Diverged if the rules cannot go on from it.
    """
    record = decode_record(raw)
    if record.rules in rules.reads:
        record = (take_over if at_rest(record) else rewind)(rules, record)
    match = match_of(rules, record, pack)
    step = Step(record, [], load(rules, match, record))
    return walk_on(Walk(Setting(rules, pack, match, record.key), [step]), chance, limit=limit)
