"""Which triggered abilities an event wakes, and in which order they wait (KN-4.29, KN-6.50)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from engines.knights.bout import Board, Bout, Waiting
from engines.knights.reading import Frame, is_on
from engines.knights.state import Mention
from engines.knights.survey import in_force
from engines.knights.terms import Trigger
from engines.knights.words import Ability

OF_SEATS = ("turn_start", "turn_end", "occasion_played")
OWN = ("played", "destroyed")
Whose = Literal["self", "host", "ally", "enemy", "any"]
USUAL: dict[str, Whose] = {"knight": "self", "support": "host"}

Source = tuple[int, int | None, int, Ability]
"""Controller, card (None: the deity), number of the ability, the ability."""


def happen(bout: Bout, trigger: Trigger, event: int | None = None, *, side: int | None = None) -> None:
    """Queue what an event triggers. ``side``: whose event it is, by default the controller of the card ``event``."""
    seat = side if side is not None or event is None else bout.reading.side_of(event)
    mention = None if event is None else bout.state.mention(event)
    for controller, number, at, ability in _sources(bout, trigger):
        if _concerns(bout, ability, trigger, controller, number, event, seat):
            _enqueue(bout, trigger, controller, number, at, ability, mention)


def fall(bout: Bout, number: int, controller: int, slot: int) -> None:
    """Queue what the destruction of a knight triggers; it counts at the slot in which it stood (KN-4.29)."""
    state, mention = bout.state, bout.state.mention(number)
    own = [
        (controller, number, at, ability)
        for at, ability in bout.cards.triggered(state.pieces[number].key, "destroyed")
        if at != 3 or state.deity[controller] == bout.cards[state.pieces[number].key].patron
    ]
    waiting = False
    for source in _sources(bout, "knight_destroyed"):
        if own and not waiting and _is_after(bout, source, controller, slot):
            waiting = True
            for _, _, at, ability in own:
                _enqueue(bout, "destroyed", controller, number, at, ability, mention)
        seat, card, at, ability = source
        if _concerns(bout, ability, "knight_destroyed", seat, card, number, controller):
            _enqueue(bout, "knight_destroyed", seat, card, at, ability, mention)
    if own and not waiting:
        for _, _, at, ability in own:
            _enqueue(bout, "destroyed", controller, number, at, ability, mention)


def _is_after(bout: Bout, source: Source, controller: int, slot: int) -> bool:
    """Say whether a source comes after the place where a fallen knight stood."""
    seat, card, _, _ = source
    if seat != controller:
        return controller == bout.state.active
    if card is None:
        return False
    piece = bout.state.pieces[card]
    return piece.zone == "support" or (piece.zone == "knight" and piece.slot > slot)


def _sources(bout: Bout, trigger: Trigger) -> Iterator[Source]:
    """Give all abilities in force that wait for a trigger, in the order in which they queue (KN-4.29)."""
    state, cards = bout.state, bout.cards
    for seat in (state.active, 1 - state.active):
        deity = cards.deities.get(state.deity[seat])
        for at, ability in enumerate(deity.bonus if deity else ()):
            if ability.trigger == trigger:
                yield seat, None, at, ability
        scenario = state.scenario
        mine = [scenario] if scenario is not None and state.pieces[scenario].owner == seat else []
        for number in (*mine, state.helper[seat], *state.knights[seat], *state.support[seat]):
            if number is None or not state.pieces[number].up:
                continue
            for at, ability in cards.triggered(state.pieces[number].key, trigger):
                if in_force(cards, state, number, at):
                    yield seat, number, at, ability


def _concerns(
    bout: Bout, ability: Ability, trigger: Trigger, controller: int, number: int | None, event: int | None,
    side: int | None,
) -> bool:  # fmt: skip
    """Say whether an event is of the kind that an ability means with ``whose`` (KN-6.50)."""
    if trigger in OWN:
        return number == event
    whose = ability.whose or _usual(bout, trigger, number)
    if whose == "self":
        return number == event
    if whose == "host":
        return number is not None and event is not None and bout.state.pieces[number].host == event
    return side is not None and is_on(side, whose, controller)


def _usual(bout: Bout, trigger: Trigger, number: int | None) -> Whose:
    if number is None or trigger in OF_SEATS:
        return "ally"
    zone = bout.state.pieces[number].zone
    return USUAL.get(zone, "ally")


def _enqueue(
    bout: Bout, trigger: Trigger, seat: int, number: int | None, at: int, ability: Ability, event: Mention | None
) -> None:
    source = None if number is None else bout.state.mention(number)
    frame = Frame(seat, source, event=event)
    if may_use(bout, seat, source, at, ability) and bout.reading.holds(frame, ability.when):
        bout.queue.append(Waiting(trigger, seat, source, at, event))


def may_use(board: Board, seat: int, source: Mention | None, at: int, ability: Ability) -> bool:
    """Say whether ``once`` still permits an ability (KN-6.2)."""
    if ability.once == "none":
        return True
    turn, game = use_keys(seat, source, at)
    return turn not in board.state.used if ability.once == "turn" else game not in board.state.spent


def use(bout: Bout, seat: int, source: Mention | None, at: int, ability: Ability) -> None:
    """Count a use; those of a match stay with the card wherever it goes (KN-2.21)."""
    turn, game = use_keys(seat, source, at)
    if ability.once == "turn":
        bout.state.used[turn] = 1
    elif ability.once == "game":
        bout.state.spent[game] = 1


def use_keys(seat: int, source: Mention | None, at: int) -> tuple[str, str]:
    if source is None:
        return f"d{seat}:{at}", f"d{seat}:{at}"
    return f"{source.card}.{source.mark}:{at}", f"{source.card}:{at}"
