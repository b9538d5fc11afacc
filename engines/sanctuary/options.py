"""What a room may set before a match (SA-3.12), and which settings do not go together. Knows no rule of play.

The pack is the room's choice, not an option; so is how often a seat may stay silent (SA-8.18).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engines.rules import Fault

SEATS = (1, 5)
OBJECTIVES = 5


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """All options, all public; there are no others (SA-7.41).

    ``objectives``: five ids in the order in which they lie, or by lot.
    """

    map: Literal["riverside", "terraces"] = "riverside"
    pile_copies: Literal[1, 2] = 1
    first_seat: Literal["random", 0, 1, 2, 3, 4] = "random"
    starting_hand: Annotated[int, Meta(ge=0, le=3)] = 0
    objectives: Literal["random"] | tuple[str, ...] = "random"
    after_action: Literal["each", "one"] = "each"
    upgrade_mode: Literal["all_four", "per_marker"] = "all_four"
    four_objectives_end: Literal["extra_turn", "immediate"] = "extra_turn"
    late_end_marker: Literal[5, 0] = 5
    solo_markers: Annotated[int, Meta(ge=3, le=8)] = 5


def option_faults(options: Options, seats: int, known: Collection[str]) -> list[Fault]:
    """List what is wrong with well-typed options, sorted by code. ``known``: ids of the pack's objectives."""
    return sorted(_faults(options, seats, known), key=lambda fault: (fault.code, fault.where))


def _faults(options: Options, seats: int, known: Collection[str]) -> Iterator[Fault]:
    if not SEATS[0] <= seats <= SEATS[1]:  # SA-7.44
        yield Fault("option_seats", "seats", f"{seats} seats are not from {SEATS[0]} to {SEATS[1]}")
    if options.first_seat != "random" and options.first_seat >= seats:  # SA-7.42
        yield Fault("option_value", "first_seat", f"there is no seat {options.first_seat}")
    if options.objectives == "random":
        return
    chosen = options.objectives
    if len(chosen) != OBJECTIVES or len(set(chosen)) != OBJECTIVES or not set(chosen) <= set(known):  # SA-7.43
        yield Fault("option_objectives", "objectives", f"that is not {OBJECTIVES} different objectives of the pack")
