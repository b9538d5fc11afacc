"""What is in force: statics of cards in play and lasting operations, for one seat (PA-4.19, PA-6.6, PA-6.9).

Owns reading them, conditions included. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from engines.patron.cards import Cards
from engines.patron.state import Ongoing, State, suits
from engines.patron.terms import VIRTUES, Action, Condition, Virtue, Who
from engines.patron.words import Effect, Lasting, Modifier, Restrict

CAP = 6  # PA-4.23
H = TypeVar("H", bound=Lasting)


class Frame(Struct, frozen=True):
    """Whose instruction is carried out, and who is who in it (PA-6.2, PA-4.38).

    ``card``: number of the card, ``id`` and ``key`` as everybody knew it when it began.
    """

    card: int
    key: str
    id: str
    controller: int
    activator: int | None = None
    winner: int | None = None
    loser: int | None = None


class Part(Struct, frozen=True):
    """One addend of a modifier or number, for a player to check (PA-4.23). ``source``: where it comes from."""

    source: str
    card: str
    n: int
    ongoing: int | None = None


def seats_of(state: State, frame: Frame, who: Who) -> Sequence[int]:
    """Give the seats that a word names; none for a role that nobody has (PA-6.2)."""
    match who:
        case "self":
            return (frame.controller,)
        case "opponent":
            return (1 - frame.controller,)
        case "active":
            return (state.active,)
        case "each":
            return (state.active, 1 - state.active)
        case _:
            seat = {"winner": frame.winner, "loser": frame.loser, "activator": frame.activator}[who]
            return () if seat is None else (seat,)


def frame_of(state: State, number: int) -> Frame:
    """Make the frame of a card's own effects."""
    card = state.cards[number]
    return Frame(number, card.key, card.id, card.owner)


def works(cards: Cards, state: State, number: int, effect: Effect) -> bool:
    """Say whether an effect of a card in play holds or fires now (PA-4.18, PA-4.19)."""
    return (
        effect.min_milestones <= state.milestones_of(number)
        and in_place(state, number, effect)
        and holds(cards, state, frame_of(state, number), effect.cond)
    )


def in_place(state: State, number: int, effect: Effect) -> bool:
    """Say whether a saint is where its effect wants it (PA-6.1 ``where``)."""
    return effect.where == "any" or state.role(number) in effect.where.split("_or_")


def in_force(cards: Cards, state: State, seat: int, kind: type[H]) -> Iterator[tuple[H, Part, Ongoing | None]]:
    """Give all operations of one kind that apply to a seat: statics by entry into play, then lasting ones."""
    for number in _bearing(cards, state, kind):
        for static in cards.statics(state.key(number), kind):
            hold = static.hold
            assert isinstance(hold, kind)
            frame = frame_of(state, number)
            if seat in seats_of(state, frame, hold.who or "self") and works(cards, state, number, static):
                yield hold, Part("effect", frame.key, getattr(hold, "n", 0)), None
    for lasting in state.ongoing:
        if lasting.seat == seat and isinstance(lasting.effect, kind):
            effect = lasting.effect
            yield effect, Part("ongoing", lasting.card, getattr(effect, "n", 0), lasting.id), lasting


def _bearing(cards: Cards, state: State, kind: type[Lasting]) -> list[int]:
    """Give the cards in play that print a static of a kind, by entry into play."""
    found = [
        number
        for side in state.sides
        for number in (*side.terra, *side.graces)
        if cards.statics(state.cards[number].key, kind)
    ]
    return sorted(found, key=lambda number: state.cards[number].entered) if len(found) > 1 else found


def modifier_parts(cards: Cards, state: State, seat: int, virtue: Virtue) -> list[Part]:
    """Give what a seat adds to its dice for a virtue, part by part, without the event's bonus (PA-4.23, PA-9.13)."""
    parts = [
        Part(source, state.key(number), n)
        for source, number in _sources(state, seat)
        if (n := cards.worth(state.key(number), virtue))
    ]
    if state.sides[seat].in_play:
        for effect, part, _ in in_force(cards, state, seat, Modifier):
            if counts_for(effect, virtue):
                parts.append(part)
    return parts


def _sources(state: State, seat: int) -> Iterator[tuple[str, int]]:
    """Give the cards whose printed virtues count: none at all without the patron in play (PA-4.23, PA-4.34).

    Patron and friend count in either seat's turn (PA-4.17).
    """
    side = state.sides[seat]
    if side.in_play:
        yield "patron", side.patron
        if side.friend is not None:
            yield "friend", side.friend
        for number in side.graces:
            yield "grace", number


def counts_for(effect: Modifier, virtue: Virtue) -> bool:
    """Say whether a modifier counts for a virtue; charity counts for every one, once (PA-4.24, PA-9.15)."""
    return effect.virtue in (virtue, "charity", "all")


def modifier(cards: Cards, state: State, seat: int, virtue: Virtue) -> int:
    """Give the modifier without an event's bonus: the sum, never above +6 (PA-4.23, PA-9.14, PA-9.40)."""
    return min(CAP, sum(part.n for part in modifier_parts(cards, state, seat, virtue)))


def modifiers(cards: Cards, state: State, seat: int) -> dict[str, int]:
    """Give the modifiers of a seat for all virtues at once."""
    sources = [state.key(number) for _, number in _sources(state, seat)]
    effects = [effect for effect, _, _ in in_force(cards, state, seat, Modifier)] if sources else []
    return {
        virtue: min(
            CAP,
            sum(cards.worth(key, virtue) for key in sources) + sum(e.n for e in effects if counts_for(e, virtue)),
        )
        for virtue in VIRTUES
    }


def restricted(cards: Cards, state: State, seat: int) -> frozenset[Action]:
    """Give what a seat may not do by action (PA-6.6 ``restrict``)."""
    return frozenset(effect.action for effect, _, _ in in_force(cards, state, seat, Restrict))


def holds(cards: Cards, state: State, frame: Frame, condition: Condition | None) -> bool:
    """Test a condition (PA-6.10); no condition holds."""
    if condition is None:
        return True
    if condition.q is None:
        return _combined(cards, state, frame, condition)
    seats = seats_of(state, frame, condition.who)
    if not seats:
        return False  # PA-6.10: nobody has the role
    value = _queried(cards, state, seats[0], condition)
    above = condition.min is None or value >= condition.min
    return above and (condition.max is None or value <= condition.max)


def _combined(cards: Cards, state: State, frame: Frame, condition: Condition) -> bool:
    if condition.all:
        return all(holds(cards, state, frame, part) for part in condition.all)
    if condition.any:
        return any(holds(cards, state, frame, part) for part in condition.any)
    return not holds(cards, state, frame, condition.inverse)


def _queried(cards: Cards, state: State, seat: int, condition: Condition) -> int:
    side = state.sides[seat]
    match condition.q:
        case "patron":
            return int(side.in_play)
        case "is_active":
            return int(state.active == seat)
        case "hand":
            return len(side.hand)
        case "deck":
            return len(side.deck)
        case "discard_pile":
            return len(side.discard)
        case "events_set":
            return len(side.events)
        case "graces":
            return sum(suits(cards, state, number, condition.filter) for number in side.graces)
        case "saints":
            return sum(suits(cards, state, number, condition.filter) for number in side.terra)
        case "modifier":
            assert condition.virtue is not None  # the word's own check
            return modifier(cards, state, seat, condition.virtue)
        case name:
            value: int = getattr(side, str(name))
            return value
