"""Answers to a prompt that must be refused, and acts that mean nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engines.flow import Asked, Position
from engines.record import Choice
from engines.testing.answers import answer
from protocol.prompt import Act, Pick, Prompt, bounds, fault_in

FOREIGN = "no such option"
JUNK: tuple[Any, ...] = (None, True, -1, 10**6, "", "nonsense", [], [1], {}, {"do": "pass"})
FIXED_ACTS: tuple[Act, ...] = ({}, {"do": "nonsense"}, {"do": 1, "card": []}, {"number": 10**6}, {"card": "zzzzzz"})
"""Wrong acts that are always the same, for comparing what is said about them."""


def wrong_choices(position: Position, seats: int, chance: Random) -> Iterator[Choice]:
    """Give choices of every kind that the runner has to refuse."""
    for seat in (-1, *range(seats), seats):
        if (asked := position.of(seat)) is None:
            yield from (Choice(seat, at, ("1",)) for at in (0, 1, 2))
        else:
            yield from (Choice(seat, stale, asked.prompt.default) for stale in (asked.id - 1, asked.id + 1, 0))
            yield from wrong_answers(asked, chance)


def wrong_answers(asked: Asked, chance: Random) -> Iterator[Choice]:
    """Give answers under the right id that do not fit the prompt."""
    prompt = asked.prompt
    candidates = _wrong_numbers(prompt) if prompt.shape == "number" else _wrong_picks(prompt, chance)
    yield from (answer(asked, picks) for picks in candidates if fault_in(prompt, picks) is not None)


def _wrong_numbers(prompt: Prompt) -> list[tuple[Pick, ...]]:
    low, high = prompt.least, prompt.most
    return [(), (low - 1,), (high + 1,), (low, low), (str(low),), (True,), (FOREIGN,)]


def _wrong_picks(prompt: Prompt, chance: Random) -> list[tuple[Pick, ...]]:
    ids: tuple[Pick, ...] = tuple(option.id for option in prompt.options)
    least, most = bounds(prompt)
    size = max(least, 1)
    mixed = list(chance.sample(ids, min(size, len(ids))))
    return [
        ids[: least - 1] if least else (FOREIGN,), (*ids, *ids)[: most + 1], (FOREIGN,) * size, (1,) * size,
        (*mixed[:-1], FOREIGN), ids[:1] * max(size, 2), _one_group(prompt),
    ]  # fmt: skip


def _one_group(prompt: Prompt) -> tuple[Pick, ...]:
    """Give two options of one group, if there are two."""
    for option in prompt.options:
        together = [other.id for other in prompt.options if option.group and other.group == option.group]
        if len(together) > 1:
            return tuple(together[:2])
    return (FOREIGN,)


def garbage(prompt: Prompt | None, chance: Random) -> Iterator[tuple[Act, ...]]:
    """Give acts as careless or hostile clients might spell them: missing keys, other types, too many."""
    yield ()
    yield from ((act,) for act in FIXED_ACTS)
    yield ({str(chance.choice(JUNK)): chance.choice(JUNK) for _ in range(3)},)
    for option in chance.sample(prompt.options, min(4, len(prompt.options))) if prompt else ():
        yield ({**option.act, "extra": chance.choice(JUNK)},)
        yield (option.act, option.act)
        for key in option.act:
            yield ({name: value for name, value in option.act.items() if name != key},)
            yield ({**option.act, key: chance.choice(JUNK)},)
