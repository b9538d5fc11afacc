"""Which facts are hidden from whom (SA-2.5a to SA-2.7, SA-3.5), for those who test that they stay so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engines.sanctuary.state import State

SOON = 4
"""So many tiles of the pile are soon drawn."""


def secrets(state: State, seat: int | None) -> Mapping[str, Sequence[str]]:
    """Name what a seat may not know: pile, other hands, face-down tiles not its own; objectives nobody will see.

    A slot is the number of a tile or objective, which never changes and is never shown. ``near`` names once more
    those tiles that matter soonest, so that exchanges among them are not rare.
    """
    out = [*_in_hands(state, seat), *_face_down(state, seat)]
    groups = {"tiles": [*state.pile, *out], "near": [*state.pile[-SOON:], *out], "objectives": state.unseen}
    return {name: [str(number) for number in sorted(numbers)] for name, numbers in groups.items()}


def _in_hands(state: State, seat: int | None) -> Iterator[int]:
    for at, lying in enumerate(state.seats):
        if at != seat:
            yield from lying.hand


def _face_down(state: State, seat: int | None) -> Iterator[int]:
    """Give open areas: from the pile nobody knows them, from a hand their owner alone (SA-2.6)."""
    for at, lying in enumerate(state.seats):
        for stack in lying.zoo.values():
            for laid in stack:
                if not laid.up and (at != seat or laid.source == "pile"):
                    yield laid.tile


def exchange(state: State, one: str, other: str) -> None:
    """Exchange what two hidden tiles or objectives are, and nothing else of them."""
    first, second = int(one), int(other)
    keys = state.keys
    keys[first], keys[second] = keys[second], keys[first]
