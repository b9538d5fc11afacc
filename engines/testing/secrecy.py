"""Non-interference: what a viewer may not know changes nothing that reaches it.

Two runs of one stretch of a match are compared. They differ in two hidden contents exchanged at its beginning,
or in a hidden shuffle that went otherwise. The same inputs are given by meaning; every frame of the viewer must
be equal, byte for byte. If an input means nothing in the other run, or a hidden thing comes to light there, the
trial says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engines.flow import Position, Step, load, submit
from engines.record import Choice, Record, decode_state, encode
from engines.sight import Audience, audiences
from engines.testing.chances import Shuffle, Spied, Swap, slots_in
from engines.testing.frames import difference, frame
from engines.testing.report import Trials
from engines.testing.setting import Setting
from engines.testing.walk import Walk, at_rest
from protocol.prompt import fault_in, picks_of

HORIZON = 12
MOST_PAIRS = 6


class Lost(Exception):
    """The other run cannot be compared any further."""


class Stretch(Struct):
    """Steps ``first``..``last`` of a walk, as one viewer sees them. ``slots``: hidden all the time, by group."""

    walk: Walk
    first: int
    last: int
    viewer: Audience
    slots: dict[str, list[str]]

    @property
    def setting(self) -> Setting:
        return self.walk.setting

    def frames(self, *, first_events: bool) -> list[dict[str, Any]]:
        """Give what the viewer got; if asked for, with the events that led to the first step."""
        steps = self.walk.steps[self.first : self.last + 1]
        return [
            frame(self.setting.rules, step.position, step.events if at or first_events else (), self.viewer)
            for at, step in enumerate(steps)
        ]


def exchanges(walk: Walk, chance: Random, trials: Trials) -> Iterator[str]:
    """Exchange two hidden contents at a checkpoint and play on from there."""
    stretch = _drawn_stretch(walk, chance, walk.checkpoint(chance.randrange(len(walk.steps))))
    setting, resting = walk.setting, walk.steps[stretch.first].record
    expected = stretch.frames(first_events=False)
    for one, other in _pairs(stretch, resting, chance):
        state = decode_state(setting.rules, resting.base)
        setting.rules.exchange(setting.running, state, one, other)
        if broken := setting.rules.check(setting.running, state):
            yield f"exchanging {one} and {other} breaks an invariant: {broken}"
            return
        record = replace(at_rest(resting), base=encode(state))
        rules = Spied(setting.rules, viewer=stretch.viewer)
        beginning = Step(record, [], load(rules, setting.running, record))  # type: ignore[arg-type]
        yield from _compare(stretch, beginning, rules, {one, other}, expected, trials)


def reshuffles(walk: Walk, chance: Random, trials: Trials) -> Iterator[str]:
    """Let two cards change places in one hidden shuffle, so that a name that follows a card gives itself away."""
    for shuffle in chance.sample(walk.shuffles, min(2, len(walk.shuffles))):
        stretch = _drawn_stretch(walk, chance, shuffle.step)
        for swap, moved in _swaps(stretch, shuffle, chance):
            rules = Spied(walk.setting.rules, swap, stretch.viewer)
            expected = stretch.frames(first_events=True)
            yield from _compare(stretch, _other_beginning(stretch, rules), rules, moved, expected, trials)


def _drawn_stretch(walk: Walk, chance: Random, first: int) -> Stretch:
    last = min(first + chance.randint(1, HORIZON), len(walk.steps) - 1)
    viewer = chance.choice(audiences(walk.setting.match.seats))
    groups = [_secrets(walk.setting, step.position, viewer) for step in walk.steps[first : last + 1]]
    always = set.intersection(*map(slots_in, groups), *_hidden_in_telling(walk, first, last, viewer))
    slots = {group: [slot for slot in slots if slot in always] for group, slots in groups[0].items()}
    return Stretch(walk, first, last, viewer, slots)


def _hidden_in_telling(walk: Walk, first: int, last: int, viewer: Audience) -> list[set[str]]:
    """Run the stretch once more, for what stayed hidden while events were told."""
    spied = Spied(walk.setting.rules, viewer=viewer)
    for at in range(max(first - 1, 0), last):
        submit(spied, walk.setting.running, walk.steps[at].record, [walk.choices[at]])  # type: ignore[arg-type]
    return [] if spied.hidden is None else [spied.hidden]


def _secrets(setting: Setting, position: Position, viewer: Audience) -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = setting.rules.secrets(setting.running, position.table.state, viewer)
    return found


def _pairs(stretch: Stretch, record: Record, chance: Random) -> Iterator[tuple[str, str]]:
    """Draw pairs of one group that differ, so that exchanging them is a change at all."""
    rules, match = stretch.setting.rules, stretch.setting.running
    groups = [slots for slots in stretch.slots.values() if len(slots) > 1]
    found = 0
    for _ in range(4 * MOST_PAIRS if groups else 0):
        one, other = chance.sample(chance.choice(groups), 2)
        state = decode_state(rules, record.base)
        rules.exchange(match, state, one, other)
        if encode(state) != record.base and found < MOST_PAIRS:
            found += 1
            yield one, other


def _swaps(stretch: Stretch, shuffle: Shuffle, chance: Random) -> Iterator[tuple[Swap, set[str]]]:
    """Draw places of a shuffle whose cards stay hidden; only lists of what ``secrets`` names can be judged."""
    for slots in stretch.slots.values():
        places = [at for at, item in enumerate(shuffle.items) if str(item) in slots]
        if len(places) > 1:
            one, other = chance.sample(places, 2)
            yield Swap(shuffle.counter, one, other), {str(shuffle.items[one]), str(shuffle.items[other])}


def _other_beginning(stretch: Stretch, rules: Spied) -> Step:
    """Run to the step of the shuffle, which goes otherwise."""
    walk, first = stretch.walk, stretch.first
    setting = walk.setting
    if first == 0:
        return Setting(rules, setting.pack, setting.match, setting.key).begin()
    record = walk.steps[first - 1].record
    return submit(rules, setting.running, record, [walk.choices[first - 1]])  # type: ignore[arg-type]


def _compare(
    stretch: Stretch, step: Step, rules: Spied, slots: set[str], expected: list[dict[str, Any]], trials: Trials
) -> Iterator[str]:
    try:
        for at, known in enumerate(expected):
            if at:
                step = _same_input(stretch, stretch.first + at - 1, step, rules)
            hidden = slots_in(_secrets(stretch.setting, step.position, stretch.viewer))
            if not slots <= (hidden if rules.hidden is None else hidden & rules.hidden):
                raise Lost
            found = difference(known, frame(stretch.setting.rules, step.position, step.events, stretch.viewer))
            if found:
                yield f"{stretch.viewer} can tell {sorted(slots)} apart after input {stretch.first + at}: {found}"
                break
    except Lost:
        trials.inconclusive += 1
    else:
        trials.conclusive += 1


def _same_input(stretch: Stretch, at: int, step: Step, rules: Spied) -> Step:
    """Give the input ``at`` of the walk to the other run, by its meaning."""
    choice, known = stretch.walk.choices[at], stretch.walk.steps[at].position
    other = _translated(choice, known, step.position)
    return submit(rules, stretch.setting.running, step.record, [other])  # type: ignore[arg-type]


def _translated(choice: Choice, known: Position, position: Position) -> Choice:
    if choice.gone:
        return choice
    asked, other = known.of(choice.seat), position.of(choice.seat)
    assert asked is not None  # the walk has taken this choice
    if other is None or other.prompt.kind != asked.prompt.kind:
        raise Lost
    picks: Any = choice.picks
    if asked.prompt.shape != "number":
        picks = picks_of(other.prompt, asked.prompt.acts(choice.picks))
    if picks is None or fault_in(other.prompt, picks) is not None:
        raise Lost
    return Choice(choice.seat, other.id, picks)
