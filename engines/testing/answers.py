"""Answers to a prompt that must be accepted: drawn by chance, at every bound."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engines.flow import Asked, Position
from engines.record import Choice
from protocol.prompt import Option, Pick, Prompt, bounds, fault_in

LOSS = 1 / 100
REASONS = ("resigned", "timeout", "abandoned")


def any_answer(prompt: Prompt, chance: Random) -> tuple[Pick, ...]:
    """Draw a legal answer; one in six is the default."""
    return prompt.default if chance.random() < 1 / 6 else _drawn(prompt, chance)


def any_choice(position: Position, chance: Random) -> Choice:
    """Answer one of the open prompts, offers less often than questions."""
    unanswered = [asked for asked in position.asked if asked.answer is None]
    asked = chance.choices(unanswered, [1 if one.prompt.optional else 3 for one in unanswered])[0]
    return answer(asked, any_answer(asked.prompt, chance))


def any_input(position: Position, chance: Random) -> Choice:
    """Answer a prompt; now and then a seat goes instead, as long as others play on without it."""
    left = [seat for seat in range(position.table.match.seats) if seat not in position.table.gone]
    if len(left) > 2 and chance.random() < LOSS:
        return Choice(chance.choice(left), gone=chance.choice(REASONS))
    return any_choice(position, chance)


def answer(asked: Asked, picks: tuple[Pick, ...]) -> Choice:
    return Choice(asked.prompt.seat, asked.id, picks)


def silence(position: Position) -> Choice:
    """Give what the clock would answer to the first question that has to be answered."""
    asked = next(one for one in position.asked if one.answer is None and not one.prompt.optional)
    return answer(asked, asked.prompt.default)


def legal_answers(prompt: Prompt, chance: Random, most: int) -> Iterator[tuple[Pick, ...]]:
    """Give the default, then up to ``most`` answers: every option once, fewest and most picks, both ends."""
    yield prompt.default
    if prompt.shape == "number":
        yield from ((prompt.least,), (prompt.most,), (chance.randint(prompt.least, prompt.most),))
        return
    if prompt.shape == "order":
        ids = tuple(option.id for option in prompt.options)
        yield from (ids, ids[::-1], tuple(chance.sample(ids, len(ids))))
        return
    for option in chance.sample(prompt.options, min(most, len(prompt.options))):
        yield from _with(prompt, option, chance)


def _with(prompt: Prompt, option: Option, chance: Random) -> Iterator[tuple[Pick, ...]]:
    """Give an answer that contains one option: with as few picks as may be, and with as many."""
    if prompt.most < 1:
        return
    rest = [other for other in prompt.options if other is not option]
    chance.shuffle(rest)
    for count in {max(prompt.least, 1), prompt.most}:
        picks = _compatible([option, *rest], count)
        if fault_in(prompt, picks) is None:
            yield picks


def _drawn(prompt: Prompt, chance: Random) -> tuple[Pick, ...]:
    if prompt.shape == "number":
        return (chance.randint(prompt.least, prompt.most),)
    low, high = bounds(prompt)
    picks = _compatible(chance.sample(prompt.options, len(prompt.options)), chance.randint(low, high))
    return picks if fault_in(prompt, picks) is None else prompt.default


def _compatible(options: list[Option], count: int) -> tuple[Pick, ...]:
    """Take up to ``count`` options from the left, no two of one group."""
    taken: list[Pick] = []
    groups: set[str] = set()
    for option in options:
        if len(taken) < count and not (option.group and option.group in groups):
            taken.append(option.id)
            groups.add(option.group)
    return tuple(taken)
