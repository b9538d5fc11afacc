"""Answer what cards ask of the table: filters, refs, selections, values, conditions (KN-6.6 to KN-6.10, KN-6.40).

Knows state and printed cards, changes nothing and asks nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from engines.knights.cards import Cards
from engines.knights.conditions import Condition, Count, Filter, Reckoned, Selector, StatOf, StatTest, Value
from engines.knights.state import FIELD, Mention, Piece, State
from engines.knights.terms import COMPARE, AnyStat, FieldZone, Ref, Side


class Effective:
    """The values of one knight in play with all that changes them (KN-6.3)."""

    __slots__ = ("ar", "ce", "immune", "keywords", "max_pc", "max_pv")

    def __init__(self, ce: int, ar: int, max_pv: int, max_pc: int) -> None:
        self.ce, self.ar, self.max_pv, self.max_pc = ce, ar, max_pv, max_pc
        self.keywords: set[str] = set()
        self.immune: set[str] = set()

    def copy(self) -> Effective:
        twin = Effective(self.ce, self.ar, self.max_pv, self.max_pc)
        twin.keywords, twin.immune = set(self.keywords), set(self.immune)
        return twin


class Frame(Struct):
    """Whose effect runs, and what its refs mean (KN-6.6). ``source`` None: a deity's bonus of ``seat``.

    ``hit``: the one target that ``on_hit`` is about.
    """

    seat: int
    source: Mention | None = None
    chosen: list[Mention] = []
    event: Mention | None = None
    hit: Mention | None = None


class Reading:
    """The table as effects read it. ``values``: effective ones, or for passives those without passives (KN-6.3)."""

    __slots__ = ("cards", "state", "values")

    def __init__(self, cards: Cards, state: State, values: dict[int, Effective]) -> None:
        self.cards = cards
        self.state = state
        self.values = values

    def stat(self, number: int, stat: AnyStat) -> int:
        """Read a stat; off the field the printed one (KN-6.8)."""
        piece = self.state.pieces[number]
        if piece.knight is None:
            card = self.cards[piece.key]
            printed = {"pv": card.pv, "max_pv": card.pv, "pc": card.pc, "max_pc": card.pc, "ce": card.ce, "ar": card.ar}
            return printed[stat]
        value: int = getattr(piece.knight if stat in ("pv", "pc") else self.values[number], stat)
        return value

    def fits(self, number: int, wanted: Filter, eyes: int | None) -> bool:
        """Say whether a card matches. To ``eyes`` (None: the public) a face-down card is only that (KN-6.7, KN-6.8)."""
        tests = tests_of(wanted)
        if not tests:
            return True
        piece = self.state.pieces[number]
        if piece.zone == "support" and not piece.up and piece.owner != eyes:
            return all(name == "face" and values == ("down",) for name, values in tests)
        return all(self._passes(number, piece, name, values) for name, values in tests)

    def _passes(self, number: int, piece: Piece, name: str, values: tuple[Any, ...]) -> bool:
        if name in ON_FIELD:
            return piece.zone in FIELD and ON_FIELD[name](self, number, piece, values)
        if name == "stat":
            return self.compares(number, values[0])
        if name == "negation":
            return not self.fits(number, values[0], piece.owner)
        card = self.cards[piece.key]
        return getattr(card, "id" if name == "card" else name) in values

    def compares(self, number: int, test: StatTest | StatOf) -> bool:
        return COMPARE[test.op](self.stat(number, test.stat), test.n)

    def side_of(self, number: int) -> int:
        """Give whose card this is on the field: a knight's controller, else the owner (KN-6.1)."""
        piece = self.state.pieces[number]
        return piece.side if piece.zone == "knight" else piece.owner

    def lying(self, zone: FieldZone, first: int) -> Iterator[int]:
        """Give the cards of one zone in canonical order, ``first``'s side first (KN-5.39)."""
        state = self.state
        if zone == "scenario":
            yield from () if state.scenario is None else (state.scenario,)
            return
        rows = {"knight": state.knights, "support": state.support, "helper": [[one] for one in state.helper]}[zone]
        for seat in (first, 1 - first):
            yield from (number for number in rows[seat] if number is not None and number != state.resolving)

    def among(self, wanted: Selector | Count, frame: Frame, first: int, eyes: int | None) -> list[int]:
        """Give all matches of a selector, whatever it picks (KN-6.7)."""
        found = [n for n in self.lying(wanted.zone, first) if is_on(self.side_of(n), wanted.who, frame.seat)]
        return [number for number in found if self.fits(number, wanted.filter, eyes)]

    def around(self, selector: Selector, frame: Frame) -> list[int]:
        """Give the matches that face or stand beside the source or host knight (KN-6.7)."""
        knight = self.stand(frame)
        if knight is None:
            return []
        here = self.state.pieces[knight]
        near = []
        for number in self.among(selector, frame, frame.seat, frame.seat):
            piece = self.state.pieces[number]
            far, steps = piece.side != here.side, abs(piece.slot - here.slot)
            front = far and steps == 0
            if front if selector.pick == "front" else front or steps == 1:
                near.append(number)
        return near

    def stand(self, frame: Frame) -> int | None:
        """Give the knight at whose place an effect works: its source, or the source's host, while in play."""
        if frame.source is None or not self.state.lies(frame.source):
            return None
        piece = self.state.pieces[frame.source.card]
        return frame.source.card if piece.zone == "knight" else piece.host

    def refs(self, frame: Frame, ref: Ref) -> list[int]:
        """Give what a ref means now; nothing if it has gone (KN-6.6)."""
        state, attack = self.state, self.state.attack
        match ref:
            case "self":
                return self._lying(frame.source)
            case "host":
                stand = self.stand(frame)
                return [] if stand is None or frame.source is None or stand == frame.source.card else [stand]
            case "attacker":
                return self._lying(attack.attacker if attack else None)
            case "target":
                if frame.hit is not None:
                    return self._lying(frame.hit)
                return [m.card for m in attack.targets if state.lies(m)] if attack else []
            case "event":
                in_discard = frame.event is not None and state.pieces[frame.event.card].zone == "discard"
                return [frame.event.card] if in_discard and frame.event else self._lying(frame.event)
            case _:
                return [mention.card for mention in frame.chosen if state.lies(mention)]

    def _lying(self, mention: Mention | None) -> list[int]:
        return [mention.card] if mention is not None and self.state.lies(mention) else []

    def in_order(self, numbers: Sequence[int], first: int) -> list[int]:
        """Sort field cards canonically (KN-5.39)."""
        pieces = self.state.pieces
        return sorted(numbers, key=lambda n: (self.side_of(n) != first, ZONES.index(pieces[n].zone), pieces[n].slot))

    def amount(self, frame: Frame, value: Value, *, signed: bool = False) -> int | None:
        """Work a number out; None if it reads something that has gone (KN-6.6, KN-6.10)."""
        if isinstance(value, int):
            return value if signed else max(0, value)
        number = self._reckoned(frame, value)
        return number if number is None or signed else max(0, number)

    def _reckoned(self, frame: Frame, value: Reckoned) -> int | None:
        if value.count is not None:
            number = len(self.among(value.count, frame, frame.seat, None)) * value.times
            return number if value.max is None else min(number, value.max)
        assert value.stat is not None  # the form has it so
        assert value.of is not None
        found = self.refs(frame, value.of)
        if not found:
            return None
        first = found[0] if len(found) == 1 else self.in_order(found, frame.seat)[0]
        return self.stat(first, value.stat) * value.times // value.div

    def holds(self, frame: Frame, conditions: Sequence[Condition]) -> bool:
        """Say whether all conditions hold (KN-6.40)."""
        return all(self._is_true(frame, condition) for condition in conditions)

    def _is_true(self, frame: Frame, condition: Condition) -> bool:
        word = condition.word
        if word in OF_TABLE:
            return OF_TABLE[word](self, frame, condition)
        ref = condition.stat.of if condition.stat is not None else condition.of
        assert ref is not None  # the form has it so
        return any(self._is_so(number, condition) for number in self.refs(frame, ref))

    def _is_so(self, number: int, condition: Condition) -> bool:
        piece = self.state.pieces[number]
        knight = piece.knight
        if condition.stat is not None:
            return self.compares(number, condition.stat)
        if condition.matches is not None:
            return self.fits(number, condition.matches, None)
        if condition.slot is not None:
            slots = condition.slot if isinstance(condition.slot, tuple) else (condition.slot,)
            return piece.zone in FIELD and piece.slot in slots
        if knight is None:
            return False
        if condition.stance is not None:
            return knight.stance == condition.stance
        return bool(knight.states) if condition.state == "any" else condition.state in knight.states


def is_on(side: int, who: Side, seat: int) -> bool:
    """Say whether a side is the one that a word of the controller ``seat`` means."""
    return who == "any" or (side == seat) == (who == "ally")


@lru_cache(maxsize=4096)
def tests_of(wanted: Filter) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Give the keys that a filter sets, each with the values that match."""
    named = ((name, getattr(wanted, name)) for name in wanted.__struct_fields__)
    return tuple((name, value if isinstance(value, tuple) else (value,)) for name, value in named if value is not None)


def is_public(wanted: Filter) -> bool:
    """Say whether a filter asks nothing that a face-down card hides."""
    return all(name == "face" for name, _ in tests_of(wanted))


ZONES = ("knight", "support", "helper", "scenario", "deck", "hand", "discard", "exile")

Test = Callable[[Reading, int, Piece, tuple[Any, ...]], bool]
ON_FIELD: dict[str, Test] = {
    "stance": lambda _, n, piece, values: piece.knight is not None and piece.knight.stance in values,
    "state": lambda _, n, piece, values: (
        piece.knight is not None
        and (bool(piece.knight.states) if values == ("any",) else any(s in piece.knight.states for s in values))
    ),
    "acted": lambda _, n, piece, values: piece.knight is not None and piece.knight.acted in values,
    "face": lambda _, n, piece, values: ("up" if piece.up else "down") in values,
    "slot": lambda _, n, piece, values: piece.slot in values,
    "has_object": lambda reading, n, piece, values: (
        piece.knight is not None
        and any(reading.cards[reading.state.pieces[o].key].kind == "object" for o in reading.state.linked(n)) in values
    ),
    "damaged": lambda reading, n, piece, values: (
        piece.knight is not None and (piece.knight.pv < reading.values[n].max_pv) in values
    ),
}


def _counted(count: int, condition: Condition) -> bool:
    assert condition.op is not None  # the form has it so
    assert condition.n is not None
    return COMPARE[condition.op](count, condition.n)


def _seat(frame: Frame, who: str | None) -> int:
    return 1 - frame.seat if who == "foe" else frame.seat


def _scenario(reading: Reading, frame: Frame, condition: Condition) -> bool:
    lying = reading.state.scenario
    if condition.scenario in ("any", "none"):
        return (lying is None) == (condition.scenario == "none")
    return lying is not None and reading.state.pieces[lying].key == condition.scenario


def _number(zone: FieldZone, wanted: Filter) -> Callable[[Reading, Frame, Condition], bool]:
    return lambda reading, frame, condition: _counted(
        len(reading.among(Count("enemy" if condition.who == "foe" else "ally", zone, wanted), frame, frame.seat, None)),
        condition,
    )


OF_TABLE: dict[str, Callable[[Reading, Frame, Condition], bool]] = {
    "turn": lambda r, f, c: (r.state.active == f.seat) == (c.turn == "mine"),
    "turn_no": lambda r, f, c: c.turn_no is not None and COMPARE[c.turn_no.op](r.state.turn, c.turn_no.n),
    "deity": lambda r, f, c: r.state.deity[_seat(f, c.who)] == c.deity,
    "scenario": _scenario,
    "control": lambda r, f, c: c.control is not None and _number("knight", c.control)(r, f, c),
    "support": lambda r, f, c: c.support is not None and _number("support", c.support)(r, f, c),
    "zone": lambda r, f, c: c.zone is not None and _counted(len(getattr(r.state, c.zone)[_seat(f, c.who)]), c),
    "pvd": lambda r, f, c: c.pvd is not None and COMPARE[c.pvd.op](r.state.pvd[_seat(f, c.pvd.who)], c.pvd.n),
    "attack": lambda r, f, c: r.state.attack is not None and r.state.attack.kind == c.attack,
    "any": lambda r, f, c: any(r.holds(f, (one,)) for one in c.any or ()),
    "negation": lambda r, f, c: c.negation is not None and not r.holds(f, (c.negation,)),
}
