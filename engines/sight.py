"""What one audience sees of a position: events, zones, its own prompt, and for whom the table waits.

The single place through which anything of a match reaches a viewer.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def see(rules: Rules[Any], position: Position, audience: Audience, events: Sequence[Event] = ()) -> Seen:
    """Show a position and the events that led to it to one audience."""
    return see_all(rules, position, (audience,), events)[0]


def see_all(
    rules: Rules[Any], position: Position, everybody: Sequence[Audience], events: Sequence[Event] = ()
) -> list[Seen]:
    """Show a position, and the events that led to it, to several audiences."""
    waits = waiting(position)
    views = rules.views(position.table.match, position.table.state, everybody)
    return [
        Seen(_told(events, who), zones, position.of(who), waits) for who, zones in zip(everybody, views, strict=True)
    ]


def _told(events: Sequence[Event], audience: Audience) -> tuple[dict[str, Any], ...]:
    return tuple(told for event in events if (told := event.seen_by(audience)) is not None)


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
