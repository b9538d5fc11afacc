"""What all knights in play are worth now: printed values, modifiers and passive abilities together (KN-6.3).

Knows state and printed cards, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engines.knights.cards import Card, Cards
from engines.knights.reading import Effective, Frame, Reading
from engines.knights.state import State
from engines.knights.terms import MOST_PV, MOST_STAT
from engines.knights.words import Ability, Effect, Grant, Modify, Restrict


class Survey(Struct, frozen=True):
    """The effective values, and what passives forbid each seat (KN-6.69)."""

    reading: Reading
    barred: tuple[set[str], set[str]]

    def keywords(self, number: int) -> set[str]:
        return self.reading.values[number].keywords

    def has(self, number: int, keyword: str) -> bool:
        return keyword in self.reading.values[number].keywords


def survey(cards: Cards, state: State) -> Survey:
    """Add everything up; passives read what is there without passives, so that none depends on another."""
    values = {number: _printed(cards[state.pieces[number].key]) for number in state.in_play()}
    for modifier in state.modifiers:
        _change(values[modifier.target.card], modifier.what, modifier.n, modifier.states)
    barred: tuple[set[str], set[str]] = (set(), set())
    found = list(passives(cards, state))
    if found:
        plain = Reading(cards, state, {number: _clamped(value.copy()) for number, value in values.items()})
        for frame, ability in found:
            if plain.holds(frame, ability.when):
                for op in ability.effects:
                    _apply(plain, values, barred, frame, op)
    for value in values.values():
        _clamped(value)
    return Survey(Reading(cards, state, values), barred)


def passives(cards: Cards, state: State) -> Iterator[tuple[Frame, Ability]]:
    """Give every passive ability in force, with whose it is (KN-6.1)."""
    for seat in (0, 1):
        deity = cards.deities.get(state.deity[seat])
        for ability in deity.bonus if deity else ():
            if ability.kind == "passive":
                yield Frame(seat), ability
    for number in on_field(state):
        piece = state.pieces[number]
        for at, ability in cards.passives(piece.key):
            if piece.up and in_force(cards, state, number, at):
                yield Frame(piece.side, state.mention(number)), ability


def on_field(state: State) -> Iterator[int]:
    """Give all cards on the field, in no order that a rule depends on."""
    yield from state.in_play()
    for row in (*state.support, state.helper, [state.scenario]):
        yield from (number for number in row if number is not None)


def in_force(cards: Cards, state: State, number: int, at: int) -> bool:
    """Say whether ability ``at`` of a card works: a devotion only under the right deity (KN-6.1, I-24)."""
    piece = state.pieces[number]
    return at != 3 or piece.zone != "knight" or state.deity[piece.side] == cards[piece.key].patron


def _printed(card: Card) -> Effective:
    return Effective(card.ce, card.ar, card.pv, card.pc)


def _change(value: Effective, what: str, n: int, states: tuple[str, ...]) -> None:
    if what in ("ce", "ar", "max_pv", "max_pc"):
        setattr(value, what, getattr(value, what) + n)
    else:
        value.keywords.add(what)
        value.immune.update(states)


def _apply(
    plain: Reading, values: dict[int, Effective], barred: tuple[set[str], set[str]], frame: Frame, op: Effect
) -> None:
    if isinstance(op, Restrict):
        barred[1 - frame.seat if op.who == "foe" else frame.seat].update(op.what)
    elif isinstance(op, Modify):
        n = plain.amount(frame, op.n, signed=True)
        for number in _targets(plain, frame, op) if n is not None else ():
            _change(values[number], op.stat, n or 0, ())
    elif isinstance(op, Grant):
        for number in _targets(plain, frame, op):
            _change(values[number], op.keyword, 0, op.states)


def _targets(plain: Reading, frame: Frame, op: Modify | Grant) -> list[int]:
    """Give the knights that a passive is about: no choice, no chance (KN-6.3)."""
    target = op.target
    if target is None:
        found = plain.refs(frame, "self" if plain.stand(frame) == (frame.source and frame.source.card) else "host")
    elif isinstance(target, str):
        found = plain.refs(frame, target)
    elif target.pick == "ref":
        assert target.ref is not None  # the form has it so
        found = [n for n in plain.refs(frame, target.ref) if plain.fits(n, target.filter, frame.seat)]
    elif target.pick == "all":
        found = plain.among(target, frame, frame.seat, frame.seat)
    else:
        found = plain.around(target, frame)
    return [number for number in found if number in plain.values]


def _clamped(value: Effective) -> Effective:
    """Keep values within their bounds, after adding everything up (section 2.2)."""
    value.ce = min(MOST_STAT, max(0, value.ce))
    value.ar = min(MOST_STAT, max(0, value.ar))
    value.max_pv = min(MOST_PV, max(1, value.max_pv))
    value.max_pc = min(MOST_STAT, max(0, value.max_pc))
    return value
