"""Options as sentences: what each answer to a prompt would do.

Owns words for a terminal. Knows only what the audience sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.knights.naming import Zones, held, knight_at, name_of, whose


def option(act: Mapping[str, Any], zones: Zones) -> str:
    """Say what an option means."""
    word = act["do"]
    if word.startswith("play_"):
        return _playing(act, zones)
    if word in OPTIONS:
        return OPTIONS[word](act, zones)
    return SAID.get(word, str(word).replace("_", " ").capitalize())


SAID = {"end_turn": "End the turn", "pass": "Do not react", "keep": "Keep the hand", "redraw": "Redraw the hand"}


def _viewer(zones: Zones) -> str:
    return next((side for side in ("0", "1") if "cards" in zones["hand"][side]), "0")


def _own(slot: int, zones: Zones) -> str:
    return knight_at(zones, {"seat": int(_viewer(zones)), "slot": slot})


def _aim(target: int | str, zones: Zones) -> str:
    other = 1 - int(_viewer(zones))
    if target == "direct":
        return f"seat {other} directly"
    return f"{knight_at(zones, {'seat': other, 'slot': int(target)})} (space {target})"


def _playing(act: Mapping[str, Any], zones: Zones) -> str:
    where = f" in space {act['slot']}" if "slot" in act else ""
    host = f" for {_own(act['host'], zones)}" if "host" in act else ""
    face = f" face {act['face']}" if "face" in act else ""
    return f"Play {held(zones, act['card'])}{face}{host}{where}"


def _supporting(slot: int, zones: Zones) -> str:
    space = zones["support"][_viewer(zones)][slot - 1]
    return name_of(space["card"]) if space is not None and "card" in space else f"support {slot}"


def _using(act: Mapping[str, Any], zones: Zones) -> str:
    at = f" on {_aim(act['target'], zones)}" if "target" in act else ""
    codes = zones["limits"].get("support", {}).get(str(act["slot"]), {})
    weak = " (too little cosmos: nothing will happen)" if codes.get("fizzles") else ""
    return f"Use {_supporting(act['slot'], zones)}{at}{weak}"


def _activating(source: Mapping[str, Any], zones: Zones) -> str:
    if "helper" in source:
        return f"Use the helper {name_of(zones['helper'][_viewer(zones)]['card'])}"
    return f"Use ability {source['ability']} of {_own(source['knight'], zones)}"


def _target(act: Mapping[str, Any], zones: Zones) -> str:
    if act["zone"] == "knight":
        return f"{knight_at(zones, act)} ({whose(zones, act['seat'])} space {act['slot']})"
    if act["zone"] == "support":
        space = zones["support"][str(act["seat"])][act["slot"] - 1]
        card = name_of(space["card"]) if space is not None and "card" in space else "the face-down card"
        return f"{card} ({whose(zones, act['seat'])} support {act['slot']})"
    return f"{whose(zones, act['seat'])} {act['zone']}"


OPTIONS: dict[str, Callable[[Mapping[str, Any], Zones], str]] = {
    "attack": lambda act, zones: f"{_own(act['knight'], zones)} attacks {_aim(act['target'], zones)}",
    "use_technique": _using,
    "defend": lambda act, zones: f"{_own(act['knight'], zones)} defends",
    "evade": lambda act, zones: f"{_own(act['knight'], zones)} evades",
    "activate": lambda act, zones: _activating(act["source"], zones),
    "discard_technique": lambda act, zones: f"Discard {_supporting(act['slot'], zones)}",
    "react": lambda act, zones: f"React with {_supporting(act['slot'], zones)}",
    "target": lambda act, zones: f"Choose {_target(act, zones)}",
    "card": lambda act, zones: f"Choose {held(zones, act['card'])}",
    "discard": lambda act, zones: f"Discard {held(zones, act['card'])}",
    "slot": lambda act, zones: f"Into space {act['slot']}",
    "option": lambda act, zones: str(act["label"]),
    "choose_deity": lambda act, zones: f"Serve {act['deity'].title()}",
}
