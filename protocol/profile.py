"""What a value may be on the wire, in either encoding: kinds, whole numbers, depth and lengths.

Owns the bounds; knows neither the encodings (codec.py) nor any message.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

MAX_DEPTH = 16
MAX_ITEMS = 1024
MAX_VALUES = 4096
MAX_INT = 2**53 - 1

_PLAIN = frozenset({str, bool, type(None)})


class Misfit(Struct):
    """What is wrong with a value. ``bound``: it is too deep or too long, rather than of a wrong kind."""

    text: str
    bound: bool = False
    path: tuple[str | int, ...] = ()

    @property
    def where(self) -> str:
        """Spell the path to the fault: ``act.cards[2]``."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step[:64]}" for step in self.path)
        return "".join(steps).removeprefix(".")


def misfit(value: Any) -> Misfit | None:
    """Say what in a value may not travel, or None: floats, large integers, keys that are not text, depth, length.

    Bytes may only be a field of the message itself, because JSON spells them as text.
    """
    return _look(value, 1, [MAX_VALUES])


def _look(value: Any, depth: int, left: list[int]) -> Misfit | None:
    kind = type(value)
    if kind in _PLAIN:
        return None
    if kind is int:
        return None if -MAX_INT <= value <= MAX_INT else Misfit("an integer beyond 2^53-1")
    if kind is dict:
        return _too_much(value, depth, left) or _look_at_map(value, depth, left)
    if kind is list or kind is tuple:
        return _too_much(value, depth, left) or _look_at_list(value, depth, left)
    if kind is bytes:
        return None if depth == 2 else Misfit("bytes inside a value")
    return Misfit("a float" if kind is float else "a value of a kind that this protocol does not have")


def _too_much(value: Any, depth: int, left: list[int]) -> Misfit | None:
    if depth > MAX_DEPTH:
        return Misfit(f"deeper than {MAX_DEPTH}", bound=True)
    if len(value) > MAX_ITEMS:
        return Misfit(f"more than {MAX_ITEMS} items", bound=True)
    left[0] -= len(value)
    return Misfit(f"more than {MAX_VALUES} values", bound=True) if left[0] < 0 else None


def _look_at_map(value: dict[Any, Any], depth: int, left: list[int]) -> Misfit | None:
    for key, item in value.items():
        if type(key) is not str:
            return Misfit("a key that is not text")
        if type(item) not in _PLAIN and (found := _look(item, depth + 1, left)) is not None:
            return _behind(key, found)
    return None


def _look_at_list(value: list[Any] | tuple[Any, ...], depth: int, left: list[int]) -> Misfit | None:
    for at, item in enumerate(value):
        if type(item) not in _PLAIN and (found := _look(item, depth + 1, left)) is not None:
            return _behind(at, found)
    return None


def _behind(step: str | int, found: Misfit) -> Misfit:
    found.path = (step, *found.path)
    return found
