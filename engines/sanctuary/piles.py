"""Everything that moves between pile, display, discard and hands, and is told (SA-2.7 to SA-2.9, SA-4.42, SA-4.43).

A tile is told of where everybody may see it: before it enters a hand, after it has reached the discard.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.sanctuary.state import Game, keys_of


def refresh(table: Game) -> int:
    """Shuffle the discard into a new pile if the final round has begun and the pile is empty (SA-4.43).

    Checked after every atomic step, without telling; gives the size of the new pile, 0 if there is none.
    """
    state = table.state
    if state.trigger is None or state.pile or not state.discard:
        return 0
    state.pile, state.discard = state.discard, []  # the oldest first
    table.chance.shuffle(state.pile, "pile")
    return len(state.pile)


def tell_refreshed(table: Game, sizes: Iterable[int]) -> None:
    for size in sizes:
        if size:
            table.emit("pile_reshuffled", count=size)


def refresh_now(table: Game) -> None:
    """Check the pile and tell at once."""
    tell_refreshed(table, [refresh(table)])


def turn_up(table: Game, count: int) -> tuple[list[int], list[int]]:
    """Take up to ``count`` tiles from the pile, one at a time; give them, and the sizes of new piles meanwhile."""
    taken: list[int] = []
    sizes: list[int] = []
    while len(taken) < count and table.state.pile:
        table.spend()
        taken.append(table.state.pile.pop())
        sizes.append(refresh(table))
    return taken, sizes


def draw(table: Game, seat: int, count: int) -> None:
    """Draw into a hand as far as the pile goes; only the owner sees what (SA-2.7, SA-4.8)."""
    taken, sizes = turn_up(table, count)
    table.state.seats[seat].hand += taken
    seen = {seat: {"tiles": keys_of(table.state, taken)}}
    table.emit("tiles_drawn", seat=seat, count=len(taken), secret=seen)
    tell_refreshed(table, sizes)


def take(table: Game, seat: int, position: int, via: str) -> None:
    """Take a tile of the display into a hand: public at this moment (SA-2.7). The place stays empty (SA-4.5)."""
    state = table.state
    number = state.display[position - 1]
    assert number is not None  # only filled positions are offered
    table.emit("tile_taken", seat=seat, position=position, tile=state.keys[number], via=via)
    state.display[position - 1] = None
    state.seats[seat].hand.append(number)


def discard(table: Game, seat: int, numbers: list[int], reason: str) -> None:
    """Tell what has been put on the discard pile, face up, all at once (SA-2.9)."""
    state = table.state
    state.discard += numbers
    table.emit("tiles_discarded", seat=seat, tiles=keys_of(state, numbers), reason=reason)
    refresh_now(table)


def discard_from_hand(table: Game, seat: int, numbers: list[int], reason: str) -> None:
    """Discard tiles of a hand."""
    hand = table.state.seats[seat].hand
    for number in numbers:
        hand.remove(number)
    discard(table, seat, numbers, reason)


def slide(table: Game) -> None:
    """Close the gaps towards position 1 (SA-4.42)."""
    state = table.state
    left: list[int | None] = [number for number in state.display if number is not None]
    closed = left + [None] * (len(state.display) - len(left))
    if closed != state.display:
        state.display = closed
        table.emit("display_slid", display=display_of(table))


def fill(table: Game) -> None:
    """Fill empty positions from the lowest up, as far as the pile goes (SA-3.3, SA-4.42)."""
    state = table.state
    empty = [at for at, number in enumerate(state.display) if number is None]
    taken, sizes = turn_up(table, len(empty))
    for at, number in zip(empty, taken, strict=False):
        state.display[at] = number
    if taken:
        positions = [at + 1 for at in empty[: len(taken)]]
        table.emit("display_filled", positions=positions, tiles=keys_of(state, taken))
    tell_refreshed(table, sizes)


def display_of(table: Game) -> list[str | None]:
    """Give the ids on the display, position by position."""
    state = table.state
    return [None if number is None else state.keys[number] for number in state.display]
