"""What an audience is given, as bytes that can be compared, and whether it may travel at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engines.flow import Position
from engines.record import encode
from engines.rules import Attempt, Event, Rules
from engines.sight import Audience, audiences, see
from engines.testing.wrong import FIXED_ACTS

MOST_BYTES = 62 * 1024
"""A frame on the wire has at most 64 KiB; the service adds its own part."""
LARGEST_INT = 2**53


def frame(rules: Rules[Any], position: Position, events: Sequence[Event], audience: Audience) -> dict[str, Any]:
    """Give all that an audience learns from one version: what it sees, how its errors read, when windows close."""
    seen = see(rules, position, audience, events)
    return {
        "seen": msgspec.to_builtins(seen),
        "outcome": msgspec.to_builtins(position.outcome),
        "holds": [a.prompt.hold_ms for a in position.asked if a.answer is None and not a.prompt.optional],
        "refusals": _refusals(rules, position, audience, seen.zones),
    }


def _refusals(rules: Rules[Any], position: Position, audience: Audience, zones: dict[str, Any]) -> list[Any]:
    """Give what a seat is told about some acts that never fit."""
    if audience is None:
        return []
    asked = position.of(audience)
    prompt = asked.prompt if asked else None
    why = "illegal" if asked else "not_yours"
    attempts = [Attempt(audience, why, prompt, (act,)) for act in FIXED_ACTS]  # type: ignore[arg-type]
    return [msgspec.to_builtins(rules.explain(zones, attempt)) for attempt in attempts]


def all_frames(rules: Rules[Any], position: Position, events: Sequence[Event]) -> bytes:
    """Give the frames of all audiences as bytes, the public first."""
    seats = position.table.match.seats
    return encode([msgspec.to_builtins(see(rules, position, one, events)) for one in audiences(seats)])


def unplain(value: Any, at: str = "") -> Iterator[str]:
    """Name every part of a frame that some client could not read."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                yield f"{at}: key {key!r} is not a string"
            yield from unplain(inner, f"{at}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from unplain(inner, f"{at}[{index}]")
    elif isinstance(value, int) and abs(value) > LARGEST_INT:
        yield f"{at}: {value} is too large for a client's number"
    elif value is not None and not isinstance(value, (str, int)):
        yield f"{at}: {value!r} is of type {type(value).__name__}"


def difference(left: Any, right: Any, at: str = "") -> str:
    """Name the first place where two frames differ, with both values; empty if they are equal byte for byte."""
    if encode(left) == encode(right):
        return ""
    if isinstance(left, dict) and isinstance(right, dict) and list(left) == list(right):
        return next((found for key in left if (found := difference(left[key], right[key], f"{at}.{key}"))), "")
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)) and len(left) == len(right):
        pairs = enumerate(zip(left, right, strict=True))
        return next((found for i, (one, other) in pairs if (found := difference(one, other, f"{at}[{i}]"))), "")
    return f"{at}: {left!r:.200} against {right!r:.200}"
