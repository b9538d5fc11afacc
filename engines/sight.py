"""What one audience sees of a position: events, zones, its own prompt, and for whom the table waits.

The single place through which anything of a match reaches a viewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from engines.flow import Asked, Position
from engines.rules import Event, Rules

Audience = int | None
"""A seat, or None: the public."""


class Waiting(Struct, frozen=True, omit_defaults=True):
    """Whom a match waits for, as everybody may know it: never the options."""

    seat: int
    kind: str
    about: dict[str, Any] = {}


class Seen(Struct, frozen=True):
    """All that one audience is given for one version of a match."""

    events: tuple[dict[str, Any], ...]
    zones: dict[str, Any]
    prompt: Asked | None
    waiting: tuple[Waiting, ...]


def see(rules: Rules[Any], position: Position, audience: Audience, events: Iterable[Event] = ()) -> Seen:
    """Show a position and the events that led to it to one audience."""
    return Seen(
        told_to(events, audience),
        rules.view(position.table.match, position.table.state, audience),
        position.of(audience),
        waiting(position),
    )


def see_all(rules: Rules[Any], position: Position, events: Iterable[Event] = ()) -> dict[Audience, Seen]:
    """Show the same to every audience, the public first; zones that look alike may be one object."""
    told = list(events)
    shown = rules.views(position.table.match, position.table.state)
    waits = waiting(position)
    public = told_to(told, None)
    alike = all(event.only is None and not event.secret for event in told)
    return {
        who: Seen(public if alike else told_to(told, who), zones, position.of(who), waits)
        for who, zones in shown.items()
    }


def told_to(events: Iterable[Event], audience: Audience) -> tuple[dict[str, Any], ...]:
    """Give the events that an audience is told of, as it is told of them."""
    told = (event.seen_by(audience) for event in events)
    return tuple(event for event in told if event is not None)


def waiting(position: Position) -> tuple[Waiting, ...]:
    """List the seats that have to answer. Offers are not waited for, held early answers still are."""
    return tuple(
        Waiting(asked.prompt.seat, asked.prompt.kind, asked.prompt.about)
        for asked in position.asked
        if asked.answer is None and not asked.prompt.optional
    )


def audiences(seats: int) -> tuple[Audience, ...]:
    """Give all audiences of a match, the public first."""
    return (None, *range(seats))
