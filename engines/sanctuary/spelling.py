"""How acts are spelled: which answer which prompt, and with which parameters (SA-5.1). Knows no view.

An act may also be spelled whole, as the rules name it (with space and open areas, or with what an effect is used
on); such an act matches no option, but what is wrong with it can be told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.rules import Act
from engines.sanctuary.terms import ACHIEVEMENTS, CARDS, DISPLAY, MARKERS

ANSWERS: dict[str, tuple[str, ...]] = {
    "take_tile": ("take_tile",),
    "choose_action": ("play_animal", "play_project", "draw_tiles", "take_from_display"),
    "second_animal": ("play_second_animal", "end_action"),
    "place": ("place",),
    "open_area": ("put_open_area",),
    "effects": ("resolve_effect", "decline_effect"),
    "take_tiles": ("take",),
    "pouch_tiles": ("pouch",),
    "place_area": ("place_area",),
    "shift_card": ("shift",),
    "relocate": ("relocate",),
    "pick_revealed": ("keep",),
    "optional_step": ("play_building", "support", "upgrade", "finish_turn"),
    "discard_to_limit": ("discard",),
}
"""What answers each kind of prompt (SA-4.1, SA-5.4)."""

KNOWN = frozenset(do for acts in ANSWERS.values() for do in acts)

NEEDS: dict[str, tuple[str, ...]] = {
    "take_tile": ("position",), "play_animal": ("card", "tile"), "play_project": ("tile",), "draw_tiles": ("card",),
    "take_from_display": ("positions",), "play_second_animal": ("tile",), "place": ("tile", "space"),
    "put_open_area": ("space", "tile"), "resolve_effect": ("effect",), "decline_effect": ("effect",),
    "take": ("position",), "pouch": ("tile",),
    "place_area": ("space",), "shift": ("card",), "relocate": ("from", "to"), "keep": ("tile",),
    "play_building": ("tile",), "support": ("objective", "achievement"), "upgrade": ("card",), "discard": ("tile",),
}  # fmt: skip
MAY_HAVE: dict[str, tuple[str, ...]] = {
    "play_animal": ("space", "open_areas"), "play_project": ("space",), "play_second_animal": ("space", "open_areas"),
    "play_building": ("space", "open_areas"), "pouch": ("copy",), "keep": ("copy",),
    "discard": ("copy",), "resolve_effect": ("positions", "tiles", "space", "card", "from", "to"),
    "upgrade": ("marker",),
}  # fmt: skip


def is_well_formed(act: Act) -> bool:
    """Say whether an act of a known kind has its parameters, no others, and each of its type."""
    needs, more = NEEDS.get(act["do"], ()), MAY_HAVE.get(act["do"], ())
    given = act.keys() - {"do"}
    return set(needs) <= given <= {*needs, *more} and all(TYPES[name](act[name]) for name in given)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_position(value: Any) -> bool:
    return type(value) is int and 1 <= value <= DISPLAY


def _are_positions(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_position, value)) and len(set(value)) == len(value)


def _are_tiles(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_text, value))


def _are_areas(value: Any) -> bool:
    """Say whether this is a list of {space, tile}, no space twice."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, dict) for one in value):
        return False
    if not all(one.keys() == {"space", "tile"} and all(map(_is_text, one.values())) for one in value):
        return False
    return len({one["space"] for one in value}) == len(value)


def _among(words: tuple[Any, ...]) -> Callable[[Any], bool]:
    return lambda value: any(type(value) is type(word) and value == word for word in words)


TYPES: dict[str, Callable[[Any], bool]] = {
    "position": _is_position, "positions": _are_positions, "card": _among(CARDS), "tile": _is_text,
    "tiles": _are_tiles, "space": _is_text, "open_areas": _are_areas, "effect": _is_whole, "from": _is_text,
    "to": _is_text, "objective": _is_text, "achievement": _among(tuple(ACHIEVEMENTS)), "marker": _among(MARKERS),
    "copy": _is_whole,
}  # fmt: skip
