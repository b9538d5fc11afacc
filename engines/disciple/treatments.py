"""The primitives that treat cards on the board, one after the other (DI-6.7, DI-6.8)."""

from __future__ import annotations

from engines.disciple import changes
from engines.disciple.skipping import skip
from engines.disciple.state import Game, Lasting
from engines.disciple.targets import Aim, aim, open_to
from engines.disciple.truth import Frame
from engines.disciple.words import (
    Boost,
    DiscardCard,
    FlipDown,
    FlipUp,
    Move,
    ReturnBottom,
    ReturnHand,
    Silence,
    SwitchSide,
    Targeted,
)
from engines.rules import Flow


def treat(table: Game, frame: Frame, effect: Targeted) -> Flow[bool]:
    """Treat the chosen cards in order; one that is no longer open to it is passed over (DI-6.7, DI-6.16)."""
    aims = yield from aim(table, frame, effect)
    state = table.state
    chosen = [(one, state.mention(one.number)) for one in aims]
    treated = []
    for one, mention in chosen:
        if state.lies(mention) and one.column in open_to(table, frame, effect, one.number):
            table.spend()
            _carry_out(table, frame, effect, one)
            treated.append(mention)
    frame.same = tuple(treated)
    return bool(treated) or skip(table, frame, effect)


def _carry_out(table: Game, frame: Frame, effect: Targeted, one: Aim) -> None:
    number, by = one.number, frame.seat
    match effect:
        case Move():
            assert one.column is not None  # the goals of a move are columns
            changes.move(table, number, one.column, by)
        case FlipDown():
            changes.flip(table, number, False, by)
        case FlipUp():
            changes.flip(table, number, True, by)
        case ReturnHand():
            changes.to_hand(table, number, by)
        case ReturnBottom():
            changes.to_deck_bottom(table, number, by)
        case DiscardCard():
            changes.to_discard(table, number, by)
        case SwitchSide():
            changes.switch_side(table, number, by)
        case Silence(duration=duration):
            changes.add_lasting(table, Lasting("silence", number, duration, by))
        case Boost(duration=duration, n=n):
            changes.add_lasting(table, Lasting("boost", number, duration, by, n))
