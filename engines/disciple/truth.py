"""Whether a condition holds, and whether an event saint fits a filter (DI-6.4, DI-6.10). Looks only."""

from __future__ import annotations

from msgspec import Struct

from engines.disciple.cards import Cards
from engines.disciple.conditions import (
    AllOf,
    AnyOf,
    ColumnCount,
    CompleteColumns,
    Condition,
    DeckCount,
    Did,
    DiscardCount,
    HandCount,
    InPlay,
    Not,
)
from engines.disciple.scopes import Standpoint, here, in_scope, seat_of, standpoint
from engines.disciple.state import Mention, State
from engines.disciple.statics import complete_columns
from engines.disciple.terms import EventFilter, Op


class Frame(Struct):
    """An ability that is being tested or resolved (DI-2.12). Lives between two checkpoints, never stored.

    ``same``: the cards that the last primitive treated (DI-6.6). ``did``: whether it did anything (DI-6.10).
    """

    seat: int
    source: Mention
    ability: int
    event: Mention | None = None
    same: tuple[Mention, ...] = ()
    did: bool = False

    def stand(self, state: State) -> Standpoint:
        """Give from where the ability sees the board now."""
        return standpoint(state, self.seat, self.source)


def compare(left: int, op: Op, right: int) -> bool:
    """Compare as a condition of a card does."""
    return left >= right if op == ">=" else left <= right if op == "<=" else left == right


def holds(cards: Cards, state: State, frame: Frame, condition: Condition) -> bool:
    """Test a condition as the ability's controller sees the table (DI-6.10)."""
    match condition.test:
        case AllOf(parts=parts):
            return all(holds(cards, state, frame, part) for part in parts)
        case AnyOf(parts=parts):
            return any(holds(cards, state, frame, part) for part in parts)
        case Not(part=part):
            return not holds(cards, state, frame, part)
        case Did():
            return frame.did
        case ColumnCount() as count:
            return _column_count(state, frame, count)
        case InPlay() as count:
            stand = frame.stand(state)
            found = sum(in_scope(cards, state, stand, count, number) for number in state.on_board())
            return compare(found, count.op, count.n)
        case HandCount() | DeckCount() | DiscardCount() | CompleteColumns() as count:
            return compare(_held(state, count, seat_of(count.who, frame.seat)), count.op, count.n)


def _column_count(state: State, frame: Frame, count: ColumnCount) -> bool:
    column = here(state, frame.stand(state)) if count.column == "here" else count.column
    if column is None:  # "here" of a source that is not on the board (DI-6.10)
        return False
    return compare(state.symbols[seat_of(count.side, frame.seat)][column], count.op, count.n)


def _held(state: State, count: HandCount | DeckCount | DiscardCount | CompleteColumns, seat: int) -> int:
    match count:
        case HandCount():
            return len(state.hand[seat])
        case DeckCount():
            return len(state.deck[seat])
        case DiscardCount():
            return len(state.discard[seat])
        case CompleteColumns():
            return complete_columns(state, seat)


def fits_event(cards: Cards, state: State, wanted: EventFilter | None, event: Mention | None) -> bool:
    """Say whether the event saint fits an ability's filter, all given keys together (DI-6.4)."""
    if wanted is None or event is None:
        return True
    printed = cards[event.key]
    return (
        wanted.column in (None, state.cards[event.card].column)
        and (wanted.symbol is None or wanted.symbol in printed.symbols)
        and (wanted.tag is None or wanted.tag in printed.tags)
    )
