"""Tiles in words: every text says exactly what the data of a tile does, as it is made from it (SA-10.1).

Knows no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engines.sanctuary.tiles import Tile
from engines.sanctuary.words import (
    Ability,
    Condition,
    Count,
    Discount,
    Draw,
    Effect,
    Gain,
    Number,
    OnOpenArea,
    OnPair,
    OnPlay,
    OpenArea,
    Pouch,
    Relocate,
    Reveal,
    Score,
    Shift,
    Simple,
    Take,
)

VARIETIES = {"class": "class", "continent": "continent", "both": "class or continent"}
MARKERS = {"conservation": "conservation marker", "pouch": "pouch marker"}


def tile_text(tile: Tile) -> str:
    """Say what a tile asks, does and scores, sentence by sentence; nothing for a plain one."""
    return " ".join([*_asked(tile), *_done(tile), *_scored(tile)])


def _asked(tile: Tile) -> Iterable[str]:
    if tile.cover is not None:
        yield f"Put it on top of an animal with {tile.cover}."
    for condition in tile.conditions:
        yield f"Only {condition_text(condition)}."


def _done(tile: Tile) -> Iterable[str]:
    for effect in tile.effects:
        yield f"{capital(effect_text(effect))}."
    for ability in tile.abilities:
        yield f"{capital(ability_text(ability))}."


def _scored(tile: Tile) -> Iterable[str]:
    if tile.score:
        yield f"{capital(' and '.join(map(score_text, tile.score)))}."


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def condition_text(condition: Condition | Simple) -> str:
    """Say what a building asks of its space: "next to 2 tiles with small"."""
    if isinstance(condition, Condition) and condition.any_of is not None:
        return " or ".join(map(condition_text, condition.any_of))
    if condition.on_river:
        return "on a river space"
    return f"with at least {condition.min} {_counted(condition, condition.min != 1)}"


def score_text(score: Score) -> str:
    """Say what a score gives: "2 points for each bird on a neighbour, 6 at most"."""
    if score.points is not None:
        return _some(score.points, "point")
    most = "" if score.cap is None else f", {score.cap} at most"
    return f"{_some(score.each or 0, 'point')} for each {_counted(score, False)}{most}"


def effect_text(effect: Effect) -> str:
    """Say what an effect does, as an order to the player."""
    return EFFECTS[type(effect)](effect)


def ability_text(ability: Ability) -> str:
    """Say what goes on as long as the tile lies in the zoo (SA-6.46)."""
    if isinstance(ability, Discount):
        return f"tiles with {ability.icon} are {_some(ability.amount, 'level')} lower"
    what = ", ".join(map(effect_text, ability.effects))
    if isinstance(ability, OnPlay):
        return f"whenever you play a tile with {ability.icon}: {what}"
    if isinstance(ability, OnOpenArea):
        return f"whenever you put an open area: {what}"
    return f"{'whenever you complete a pair' if isinstance(ability, OnPair) else 'whenever you support'}: {what}"


def _some(n: int, thing: str) -> str:
    return f"{n} {thing}{'' if n == 1 else 's'}"


def _draw(effect: Any) -> str:
    return f"draw {_number(effect.n, 'tile')}"


def _take(effect: Any) -> str:
    up_to = "" if effect.n == 1 else "up to "
    return f"take {up_to}{_some(effect.n, 'tile')}{_filtered(effect.filter)} from the display"


def _gain(effect: Any) -> str:
    marker = MARKERS[effect.marker]
    if effect.by_size is not None:
        small, large = effect.by_size.small, effect.by_size.large
        return f"gain {_some(small, marker)} for a small animal below, {large} for a large one"
    return f"gain {_number(effect.n, marker)}"


def _pouch(effect: Any) -> str:
    return f"discard up to {_some(effect.max, 'tile')} of your hand for a pouch marker each"


def _open_area(effect: Any) -> str:
    return f"put {_some(effect.n, 'open area')} from the pile"


def _reveal(effect: Any) -> str:
    return f"turn up {_some(effect.n, 'tile')} and keep {effect.keep}{_filtered(effect.filter)}"


EFFECTS: dict[type, Callable[[Any], str]] = {
    Draw: _draw,
    Take: _take,
    Gain: _gain,
    Pouch: _pouch,
    OpenArea: _open_area,
    Shift: lambda _: "move one of your cards to slot 1",
    Reveal: _reveal,
    Relocate: lambda _: "move one stack of your zoo",
}


def _number(n: Number, thing: str) -> str:
    if isinstance(n, int):
        return _some(n, thing)
    most = "" if n.cap is None else f", {n.cap} at most"
    return f"a {thing} for each {_counted(n, False)}{most}"


def _filtered(wanted: str) -> str:
    if wanted == "any":
        return ""
    if wanted.startswith("icon:"):
        return f" with {wanted.removeprefix('icon:')}"
    return f" that is {'an' if wanted == 'animal' else 'a'} {wanted}"


def _counted(word: Count | Condition | Simple | Score, several: bool) -> str:
    """Name what a count counts: "tile with bird next to it"."""
    s = "s" if several else ""
    of = VARIETIES.get(word.of or "", "")
    return {
        "zoo_icon": f"{word.icon} icon{s} in your zoo",
        "adjacent_icon": f"{word.icon} icon{s} next to it",
        "adjacent_tile": f"tile{s} with {word.icon} next to it",
        "network": f"{word.icon} icon{s} linked with it",
        "group": f"tile{s} of the largest {word.icon} group next to it",
        "adjacent_open": f"open area{s} next to it",
        "zoo_open": f"open area{s} of your map",
        "adjacent_variety": f"different {of} icon{s} next to it",
        "zoo_variety": f"different {of} icon{s} in your zoo",
        "pairs": f"pair{s} of your zoo",
        "objectives": f"objective{s} that you support",
        "river": f"river space{s} covered",
        "hand": f"other tile{s} in your hand",
    }[word.count or ""]
