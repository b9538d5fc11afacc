"""What is true of every reachable state (SA-1, SA-2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from engines.rules import Match
from engines.sanctuary.grid import SPACES
from engines.sanctuary.scoring import sheet_of
from engines.sanctuary.state import State, atlas_of, ground_of, zoo_of
from engines.sanctuary.terms import CARDS, DISPLAY, MARKERS


def broken(match: Match, state: State) -> list[str]:
    """List broken invariants; empty in every reachable state."""
    return [
        *_misplaced(match, state),
        *_misbuilt(match, state),
        *_miscounted(match, state),
        *_in_disorder(match, state),
    ]


def _places(state: State) -> Iterator[int]:
    yield from state.pile
    yield from state.discard
    yield from state.revealed
    yield from (number for number in state.display if number is not None)
    yield from state.objectives
    yield from state.unseen
    for seat in state.seats:
        yield from seat.hand
        yield from (laid.tile for stack in seat.zoo.values() for laid in stack)


def _misplaced(match: Match, state: State) -> Iterator[str]:
    """Every tile and objective lies in exactly one place, and none has become another."""
    if sorted(_places(state)) != list(range(len(state.keys))):
        yield "tiles or objectives do not lie in one place each"
    atlas = atlas_of(match)
    there = Counter([*(tile.id for tile in atlas for _ in range(match.options.pile_copies)), *atlas.objectives])
    if Counter(state.keys) != there:
        yield "the tiles of the match are not those of its pack"
    if len(state.display) != DISPLAY:
        yield f"the display has {len(state.display)} positions"


def _misbuilt(match: Match, state: State) -> Iterator[str]:
    """Stacks lie on spaces; only releases lie on something, and that is an animal (SA-4.20, SA-4.27)."""
    atlas, printed = atlas_of(match), ground_of(match).printed
    for at, seat in enumerate(state.seats):
        for space, stack in seat.zoo.items():
            if space not in SPACES or space in printed or not stack:
                yield f"seat {at} has a stack on {space}"
            for below, above in pairwise(stack):
                cover = atlas[state.keys[above.tile]].cover
                under = atlas[state.keys[below.tile]]
                if not (below.up and above.up and cover and under.kind == "animal" and under.shows(cover)):
                    yield f"seat {at} has an impossible stack on {space}"


def _miscounted(match: Match, state: State) -> Iterator[str]:
    atlas = atlas_of(match)
    for at, seat in enumerate(state.seats):
        if min(seat.conservation, seat.pouch) < 0 or seat.end_marker not in (0, 5, 10):
            yield f"seat {at} has impossible markers"
        if sheet_of(zoo_of(match, state, at), atlas.group_scores, seat, state.solo_left) != seat.sheet:
            yield f"the score sheet of seat {at} is wrong"
    if sum(seat.end_marker == 10 for seat in state.seats) > 1:  # SA-8.6
        yield "two seats have the 10-point end marker"


def _in_disorder(match: Match, state: State) -> Iterator[str]:
    for at, seat in enumerate(state.seats):
        if sorted(seat.slots) != sorted(CARDS) or not set(seat.sides.values()) <= {1, 2}:
            yield f"seat {at} has the cards {seat.slots}"
        if len(set(seat.upgrade_used)) != len(seat.upgrade_used) or not set(seat.upgrade_used) <= set(MARKERS):
            yield f"seat {at} has used the markers {seat.upgrade_used}"
        if len(set(seat.supported)) != len(seat.supported) or not set(seat.supported) <= set(state.shown()):
            yield f"seat {at} supports {seat.supported}"
    numbers = [waiting.number for waiting in (*state.pending, *state.deferred)]
    if len(set(numbers)) != len(numbers) or any(number > state.effect_seq for number in numbers):
        yield f"waiting effects are numbered {numbers}"
    if bool(state.revealed) != (state.reveal is not None):
        yield "tiles are turned up without an effect, or the other way round"
