"""The bot ``greedy``: does what adds most to its own table at once, and draws otherwise.

Sees its own zones and its prompt, as any player does. Knows no state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engines.rules import Act, Pick, Prompt
from engines.sanctuary.outlook import EFFECTS, MARKER, POINT, Outlook
from engines.sanctuary.reading import pending_in, tile_in
from engines.sanctuary.terms import ACHIEVEMENTS

Judge = Callable[[Outlook, Prompt, Act], int]

DRAW = 22
TAKE = 18
BUILD = 50
"""What two tiles of the pile are worth, what one of the display is beyond a quarter of its own worth, and what a
building must be worth to be built at once: less means waiting for a better place."""


def greedy(seat: int, zones: Mapping[str, Any], prompt: Prompt, rnd: Random) -> tuple[Pick, ...]:
    """Answer with the options that look best: as few as must be, more as long as they are worth it."""
    outlook, judge = Outlook(seat, zones), JUDGES[prompt.kind]
    values = {option.id: judge(outlook, prompt, option.act) for option in prompt.options}
    ranked = sorted(prompt.options, key=lambda option: -values[option.id])
    wanted = [option for at, option in enumerate(ranked) if at < prompt.least or values[option.id] > 0]
    return tuple(option.id for option in wanted[: prompt.most])


def _named(outlook: Outlook, act: Act) -> int:
    return outlook.wish(tile_in(outlook.zones, act["tile"]))


def _taken(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Value a tile of the display."""
    return outlook.wish(tile_in(outlook.zones, outlook.zones["display"][act["position"] - 1]))


def _action(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    match act["do"]:
        case "play_animal":
            played = outlook.best(tile_in(outlook.zones, act["tile"]))
            return played + outlook.prospects(act["card"], act["tile"])
        case "play_project":
            return outlook.best(tile_in(outlook.zones, act["tile"])) + outlook.prospects("projects", act["tile"])
        case "draw_tiles":
            return DRAW + outlook.prospects(act["card"])
        case _:
            display = outlook.zones["display"]
            tiles = [tile_in(outlook.zones, display[position - 1]) for position in act["positions"]]
            gained = sum(TAKE + outlook.wish(tile) // 4 for tile in tiles)
            return gained + outlook.prospects("projects")


def _second(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return 1 if act["do"] == "end_action" else outlook.best(tile_in(outlook.zones, act["tile"]))


def _placed(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return outlook.put(tile_in(outlook.zones, act["tile"]), act["space"])


def _spared(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Value parting with a tile: the least useful goes first."""
    return -_named(outlook, act)


def _pouched(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Two points for a tile, if it is not worth more in the hand."""
    return 2 * POINT - _named(outlook, act) // 2


def _area(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return outlook.worth(outlook.zoo.with_top(act["space"], None)) - outlook.value


def _kept(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return _named(outlook, act)


def _shifted(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return outlook.prospects(act["card"])


def _relocated(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return outlook.moved(act["from"], act["to"])


def _effect(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Settle whatever is of use; a relocation is declined, as it seldom gains anything."""
    if act["do"] == "decline_effect":
        return 1
    waiting = pending_in(outlook.zones, act["effect"])
    word: str = "" if waiting is None else waiting["what"]["do"]
    if word == "relocate":
        return 0
    return 0 if word == "pouch" and len(outlook.hand) <= 1 else int(EFFECTS.get(word, 0))


def _optional(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    match act["do"]:
        case "play_building":
            return outlook.best(tile_in(outlook.zones, act["tile"])) - BUILD
        case "support":
            real: int = outlook.zoo.icons(outlook.zones["objectives"][act["objective"]])
            spent: int = max(0, act["achievement"] - real)
            return POINT * ACHIEVEMENTS[act["achievement"]] - MARKER * spent - 3 * POINT
        case "upgrade":
            return 3 * POINT
        case _:
            return 1


JUDGES: dict[str, Judge] = {
    "take_tile": _taken,
    "choose_action": _action,
    "second_animal": _second,
    "place": _placed,
    "open_area": _spared,
    "effects": _effect,
    "take_tiles": _taken,
    "pouch_tiles": _pouched,
    "place_area": _area,
    "shift_card": _shifted,
    "relocate": _relocated,
    "pick_revealed": _kept,
    "optional_step": _optional,
    "discard_to_limit": _spared,
}
