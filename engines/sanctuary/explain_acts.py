"""What is wrong with a single act, checked against the seat's view in the order of the rules (SA-5.3).

Judges by the same zoo code as the rules. An act that is right but spelled whole is ``bad_params``: it is asked in steps.
"""  # noqa: E501

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from engines.rules import Act, Prompt
from engines.sanctuary.counts import Site, all_hold
from engines.sanctuary.grid import SPACES
from engines.sanctuary.levels import fits_card
from engines.sanctuary.placing import arrow_fault, bare_arrows, cover_fault, move_fault, place_fault, space_fault
from engines.sanctuary.reading import (
    face_in,
    hand_in,
    pending_in,
    side_in,
    strength_in,
    supported_in,
    zoo_in,
)  # fmt: skip
from engines.sanctuary.terms import Card
from engines.sanctuary.tiles import Tile

View = Mapping[str, Any]
Found = tuple[str, dict[str, Any]]

FINE = "bad_params"


class Look:
    """What the seat sees of its own table."""

    def __init__(self, view: View, seat: int, prompt: Prompt) -> None:
        self.view = view
        self.seat = seat
        self.prompt = prompt
        self.zoo = zoo_in(view, seat)
        self.hand = Counter(hand_in(view, seat))
        self.supported = supported_in(view, seat)
        self.lying = view[f"seat_{seat}"]

    def site(self, tile: Tile, space: str) -> Site:
        return Site(self.zoo, space, tile, self.hand.total() - 1, len(self.supported))


def why_not(view: View, seat: int, prompt: Prompt, act: Act) -> Found:
    """Give the code of the first test that an act fails, and what the client may be told beside it."""
    look = Look(view, seat, prompt)
    if act["do"] == "upgrade":
        return _upgrade(look, act)
    test = TESTS.get(act["do"])
    return (test(look, act) if test else FINE), {}


def _take_tile(look: Look, act: Act) -> str:
    if act["position"] > strength_in(look.view, look.seat, "projects"):
        return "position_out_of_range"
    return "position_empty" if look.view["display"][act["position"] - 1] is None else FINE


def _draw_tiles(look: Look, act: Act) -> str:
    return "wrong_card" if act["card"] == "projects" else FINE


def _take_from_display(look: Look, act: Act) -> str:
    display, positions = look.view["display"], act["positions"]
    if len(positions) > side_in(look.view, look.seat, "projects"):
        return "too_many"
    if not positions and any(display):
        return "too_few"
    return "position_empty" if any(display[position - 1] is None for position in positions) else FINE


def _play_animal(look: Look, act: Act) -> str:
    if act["card"] == "projects":
        return "wrong_card"
    return _animal(look, act, act["card"], strength_in(look.view, look.seat, act["card"]))


def _play_second_animal(look: Look, act: Act) -> str:
    used = look.view["turn"]["used"]
    return _animal(look, act, used["card"], used["budget"])


def _animal(look: Look, act: Act, card: Card, strength: int) -> str:
    if not look.hand[act["tile"]]:
        return "not_in_hand"
    tile = face_in(look.view, act["tile"])
    if tile.kind != "animal":
        return "wrong_kind"
    if not fits_card(tile, card):
        return "habitat_mismatch"
    return "level_too_high" if look.zoo.level(tile) > strength else _where(look, act, tile)


def _play_project(look: Look, act: Act) -> str:
    if not look.hand[act["tile"]]:
        return "not_in_hand"
    tile = face_in(look.view, act["tile"])
    if tile.kind != "project":
        return "wrong_kind"
    strength = strength_in(look.view, look.seat, "projects")
    return "level_too_high" if look.zoo.level(tile) > strength else _where(look, act, tile)


def _play_building(look: Look, act: Act) -> str:
    if look.view["turn"]["stage"] != 0:
        return "step_closed"
    if not look.hand[act["tile"]]:
        return "not_in_hand"
    tile = face_in(look.view, act["tile"])
    return "wrong_kind" if tile.kind != "building" else _where(look, act, tile)


def _where(look: Look, act: Act, tile: Tile) -> str:
    """Test the space and the open areas; if no space is named, say why none will do."""
    if "space" not in act:
        return _nowhere(look, tile)
    space = act["space"]
    if tile.cover is not None:
        return cover_fault(look.zoo, tile, space) or FINE
    if (fault := space_fault(look.zoo, space)) is not None:
        return fault
    if not all_hold(tile, look.site(tile, space)):
        return "condition_unmet"
    return arrow_fault(look.zoo, tile, space) or _areas(look, act, tile, space)


def _areas(look: Look, act: Act, tile: Tile, space: str) -> str:
    """The rest of the OA-checks (SA-5.3)."""
    needed = bare_arrows(look.zoo, tile, space)
    given = {area["space"]: area["tile"] for area in act.get("open_areas", ())}
    if not set(needed) <= given.keys():
        return "open_area_missing"
    if not given.keys() <= set(needed):
        return "open_area_extra"
    left = look.hand - Counter([tile.id])
    return FINE if Counter(given.values()) <= left else "open_area_tile"


def _nowhere(look: Look, tile: Tile) -> str:
    """Say what is wrong on the first space that comes nearest to being right."""
    if tile.cover is not None:
        return FINE if any(cover_fault(look.zoo, tile, space) is None for space in SPACES) else "cover_mismatch"
    sites = look.zoo.building_sites()
    faults = [place_fault(tile, look.site(tile, space)) for space in sites]
    return FINE if None in faults else next((fault for fault in faults if fault), "space_not_anchored")


def _place(look: Look, act: Act) -> str:
    """Test a space for the tile that is being played; the options name it."""
    tile = look.prompt.options[0].act["tile"]
    if act["tile"] != tile:
        return FINE
    printed = face_in(look.view, tile)
    return place_fault(printed, look.site(printed, act["space"])) or FINE


def _put_open_area(look: Look, act: Act) -> str:
    """Test the tile for one space under an arrow; the options name the space."""
    if act["space"] != look.prompt.options[0].act["space"]:
        return "open_area_extra"
    offered = [option.act["tile"] for option in look.prompt.options]
    return FINE if act["tile"] in offered else "open_area_tile"


def _resolve_effect(look: Look, act: Act) -> str:
    waiting = pending_in(look.view, act["effect"])
    if waiting is None:
        return "effect_unknown"
    if not any(option.act == {"do": "resolve_effect", "effect": act["effect"]} for option in look.prompt.options):
        return "effect_impossible"
    return _used_on(look, waiting["what"], act)


def _used_on(look: Look, effect: Mapping[str, Any], act: Act) -> str:
    """Test what an effect is to be used on, if that is spelled too."""
    match effect["do"]:
        case "take" if "positions" in act:
            return _positions(look, effect, act["positions"])
        case "pouch" if "tiles" in act:
            return _pouched(look, effect["max"], act["tiles"])
        case "open_area" if "space" in act:
            return _place_area(look, act)
        case "shift" if "card" in act:
            return _shift(look, act)
        case "relocate" if {"from", "to"} <= act.keys():
            return _relocate(look, act)
        case _:
            return FINE


def _positions(look: Look, effect: Mapping[str, Any], positions: list[int]) -> str:
    if len(positions) > effect["n"]:
        return "too_many"
    if not positions:
        return "too_few"
    taken = [look.view["display"][position - 1] for position in positions]
    if None in taken:
        return "position_empty"
    wanted = effect.get("filter", "any")
    return FINE if all(face_in(look.view, tile).matches(wanted) for tile in taken) else "filter_mismatch"


def _pouched(look: Look, most: int, tiles: list[str]) -> str:
    if len(tiles) > most:
        return "too_many"
    if not tiles:
        return "too_few"
    return FINE if Counter(tiles) <= look.hand else "not_in_hand"


def _decline_effect(look: Look, act: Act) -> str:
    return FINE if pending_in(look.view, act["effect"]) else "effect_unknown"


def _place_area(look: Look, act: Act) -> str:
    return space_fault(look.zoo, act["space"]) or FINE


def _shift(look: Look, act: Act) -> str:
    return "no_change" if look.lying["cards"][0]["card"] == act["card"] else FINE


def _relocate(look: Look, act: Act) -> str:
    return move_fault(look.zoo, act["from"], act["to"], look.hand.total(), len(look.supported)) or FINE


def _support(look: Look, act: Act) -> str:
    """SA-4.38, in the order of SA-5.3."""
    objective, needed = act["objective"], act["achievement"]
    if look.view["turn"]["stage"] > 1:
        return "step_closed"
    if objective not in look.view["objectives"]:
        return "objective_unknown"
    if objective in look.supported:
        return "objective_already_supported"
    if look.lying["achievements"][str(needed)] is not None:
        return "achievement_used"
    real = look.zoo.icons(look.view["objectives"][objective])
    if not real:
        return "no_real_icon"
    return "not_enough_icons" if real + look.lying["conservation"] < needed else FINE


def _upgrade(look: Look, act: Act) -> Found:
    """SA-4.39: the unmet conditions are listed."""
    marker = act.get("marker")
    if marker is None and look.view["turn"]["upgrades"]:
        return "upgrade_limit", {}
    if side_in(look.view, look.seat, act["card"]) == 2:
        return "already_upgraded", {}
    if marker in look.lying["upgrade_used"]:
        return "marker_used", {}
    unmet = [name for name in look.zoo.unmet(len(look.supported)) if marker in (None, name)]
    return ("upgrade_condition_unmet", {"unmet": unmet}) if unmet else (FINE, {})


TESTS: dict[str, Callable[[Look, Act], str]] = {
    "take_tile": _take_tile,
    "draw_tiles": _draw_tiles,
    "take_from_display": _take_from_display,
    "play_animal": _play_animal,
    "play_second_animal": _play_second_animal,
    "play_project": _play_project,
    "play_building": _play_building,
    "place": _place,
    "put_open_area": _put_open_area,
    "resolve_effect": _resolve_effect,
    "decline_effect": _decline_effect,
    "place_area": _place_area,
    "shift": _shift,
    "relocate": _relocate,
    "support": _support,
}
