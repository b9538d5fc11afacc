"""The words of the rules: icons, kinds, cards, markers, phases. Closed sets; knows no tile and no state (SA-1)."""

from __future__ import annotations

from typing import Literal, get_args

Habitat = Literal["forest", "rock", "water"]
Class = Literal["predator", "herbivore", "primate", "bird", "reptile", "petting"]
Continent = Literal["africa", "americas", "asia", "australia", "europe"]
Kind = Literal["animal", "building", "project"]
Size = Literal["small", "large"]
Icon = Literal[
    "forest", "rock", "water",
    "predator", "herbivore", "primate", "bird", "reptile", "petting",
    "africa", "americas", "asia", "australia", "europe",
    "animal", "building", "project",
    "small", "large",
]  # fmt: skip
"""SA-1.2: habitats, classes, continents, kinds, sizes. An animal without a habitat has no icon for that (SA-1.5)."""

Card = Literal["forest", "rock", "water", "projects"]
Marker = Literal["objective", "projects", "habitat", "classes"]
Counter = Literal["conservation", "pouch"]
Sex = Literal["m", "f", "n"]
Variety = Literal["class", "continent", "both"]
Phase = Literal["start", "take", "action", "second", "optional", "limit", "end", "over"]
Status = Literal["active", "conceded", "abandoned"]

HABITATS: tuple[Habitat, ...] = get_args(Habitat)
CLASSES: tuple[Class, ...] = get_args(Class)
CONTINENTS: tuple[Continent, ...] = get_args(Continent)
KINDS: tuple[Kind, ...] = get_args(Kind)
SIZES: tuple[Size, ...] = get_args(Size)
ICONS: tuple[Icon, ...] = get_args(Icon)
CARDS: tuple[Card, ...] = get_args(Card)
ANIMAL_CARDS: tuple[Card, ...] = ("forest", "rock", "water")
MARKERS: tuple[Marker, ...] = get_args(Marker)
COUNTERS: tuple[Counter, ...] = get_args(Counter)
VARIETIES: dict[str, frozenset[str]] = {
    "class": frozenset(CLASSES),
    "continent": frozenset(CONTINENTS),
    "both": frozenset((*CLASSES, *CONTINENTS)),
}

DISPLAY = 6
HAND_LIMIT = 6
ACHIEVEMENTS = {2: 4, 3: 7, 4: 10, 5: 14}
"""Icons needed → points (SA-8.10)."""
