"""The closed vocabulary of tiles, as typed data: counts, effects, abilities, conditions, scores (SA-6).

Owns the form alone: what a word does is in the modules that carry it out, what is out of bounds in ``pack_rules``.
A duration is an instant, or as long as the tile lies in the zoo; there is no other (SA-6.46).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engines.sanctuary.terms import Counter, Icon, Variety

CountWord = Literal[
    "zoo_icon", "adjacent_icon", "adjacent_tile", "network", "group", "adjacent_open", "zoo_open", "adjacent_variety",
    "zoo_variety", "pairs", "objectives", "river", "hand",
]  # fmt: skip
Filter = Literal[
    "any", "animal", "building", "project",
    "icon:forest", "icon:rock", "icon:water",
    "icon:predator", "icon:herbivore", "icon:primate", "icon:bird", "icon:reptile", "icon:petting",
    "icon:africa", "icon:americas", "icon:asia", "icon:australia", "icon:europe",
    "icon:animal", "icon:building", "icon:project", "icon:small", "icon:large",
]  # fmt: skip

WITH_ICON = frozenset(("zoo_icon", "adjacent_icon", "adjacent_tile", "network", "group"))
WITH_VARIETY = frozenset(("adjacent_variety", "zoo_variety"))


class _Word(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One word of the vocabulary."""


class Count(_Word, frozen=True, kw_only=True):
    """A number read off the zoo: min(count, ``cap``) (SA-6.1 to SA-6.8, SA-6.9a to SA-6.9e)."""

    count: CountWord
    icon: Icon | None = None
    of: Variety | None = None
    cap: int | None = None


Number: TypeAlias = int | Count


class Draw(_Word, frozen=True, tag_field="do", tag="draw"):
    """SA-6.11."""

    n: Number


class Take(_Word, frozen=True, tag_field="do", tag="take"):
    """SA-6.12."""

    n: int
    filter: Filter = "any"


class BySize(_Word, frozen=True):
    """Markers by the size of the animal that is covered."""

    small: int | None = None
    large: int | None = None


class Gain(_Word, frozen=True, tag_field="do", tag="gain"):
    """SA-6.13: ``n``, or with ``cover`` ``by_size``."""

    marker: Counter
    n: Number | None = None
    by_size: BySize | None = None


class Pouch(_Word, frozen=True, tag_field="do", tag="pouch"):
    """SA-6.14."""

    max: int


class OpenArea(_Word, frozen=True, tag_field="do", tag="open_area"):
    """SA-6.15."""

    n: int


class Shift(_Word, frozen=True, tag_field="do", tag="shift"):
    """SA-6.16."""


class Reveal(_Word, frozen=True, tag_field="do", tag="reveal"):
    """SA-6.17."""

    n: int
    keep: int
    filter: Filter = "any"


class Relocate(_Word, frozen=True, tag_field="do", tag="relocate"):
    """SA-6.18."""


Effect: TypeAlias = Draw | Take | Gain | Pouch | OpenArea | Shift | Reveal | Relocate
Effects: TypeAlias = tuple[Effect, ...]


class OnPlay(_Word, frozen=True, tag_field="when", tag="on_play"):
    """SA-6.31."""

    icon: Icon
    effects: Effects


class OnOpenArea(_Word, frozen=True, tag_field="when", tag="on_open_area"):
    """SA-6.32."""

    effects: Effects


class OnPair(_Word, frozen=True, tag_field="when", tag="on_pair"):
    """SA-6.33."""

    effects: Effects


class OnSupport(_Word, frozen=True, tag_field="when", tag="on_support"):
    """SA-6.34."""

    effects: Effects


class Discount(_Word, frozen=True, tag_field="when", tag="discount"):
    """SA-6.35."""

    icon: Icon
    amount: int


Ability: TypeAlias = OnPlay | OnOpenArea | OnPair | OnSupport | Discount


class Simple(_Word, frozen=True, kw_only=True):
    """A condition without alternatives: a count of at least ``min``, or the river (SA-6.41)."""

    count: CountWord | None = None
    icon: Icon | None = None
    of: Variety | None = None
    min: int | None = None
    on_river: bool | None = None


class Condition(_Word, frozen=True, kw_only=True):
    """What a building asks of its space and zoo; with ``any_of`` nothing else (SA-6.41)."""

    count: CountWord | None = None
    icon: Icon | None = None
    of: Variety | None = None
    min: int | None = None
    on_river: bool | None = None
    any_of: tuple[Simple, ...] | None = None


class Score(_Word, frozen=True, kw_only=True):
    """``points``, or ``each`` for every one of a count, ``cap`` points at most (SA-6.42)."""

    points: int | None = None
    each: int | None = None
    count: CountWord | None = None
    icon: Icon | None = None
    of: Variety | None = None
    cap: int | None = None
