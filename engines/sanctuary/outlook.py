"""What the bot expects of its table: the worth of a zoo, of putting a tile, of the cards' order. In tenths of a point.

Sees one seat's zones, as any player does. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from engines.sanctuary.counts import Site, open_areas
from engines.sanctuary.levels import fits_card
from engines.sanctuary.pack import shipped
from engines.sanctuary.placing import bare_arrows, place_fault, places_for
from engines.sanctuary.reading import hand_in, supported_in, tile_in, zoo_in
from engines.sanctuary.scoring import tile_points
from engines.sanctuary.terms import ANIMAL_CARDS, Card
from engines.sanctuary.tiles import Tile
from engines.sanctuary.words import Effect, Gain
from engines.sanctuary.zoo import Zoo

POINT = 10
MARKER = 15
SPACE = 3
ICON = 5
PROJECT = 4
READY = 4
RANGE = 12
FILLER = 10
EFFECTS = {"draw": 8, "take": 10, "gain": 15, "pouch": 12, "open_area": 14, "shift": 4, "reveal": 10, "relocate": 2}
ABILITY = 14
"""What things are worth: a point, a marker, a covered space, an icon of an open objective, each of two projects (an
upgrade needs them), a tile that could be played next, a position of the range, a tile of the hand that is used up,
effects, an ability that goes on."""


class Outlook:
    """One seat's table at one prompt."""

    def __init__(self, seat: int, zones: Mapping[str, Any]) -> None:
        self.seat = seat
        self.zones = zones
        self.zoo: Zoo = zoo_in(zones, seat, whole=True)
        self.lying = zones[f"seat_{seat}"]
        self.slots: list[Card] = [card["card"] for card in self.lying["cards"]]
        self.sides: dict[Card, int] = {card["card"]: card["side"] for card in self.lying["cards"]}
        self.sites = self.zoo.building_sites()

    @cached_property
    def hand(self) -> list[Tile]:
        return [tile_in(self.zones, tile) for tile in hand_in(self.zones, self.seat)]

    @cached_property
    def supported(self) -> list[str]:
        return supported_in(self.zones, self.seat)

    @cached_property
    def goals(self) -> list[str]:
        """Icons of objectives that this seat does not support yet."""
        return [icon for name, icon in self.zones["objectives"].items() if name not in self.supported]

    @cached_property
    def value(self) -> int:
        return self.worth(self.zoo)

    def worth(self, zoo: Zoo) -> int:
        """Value a zoo: its points, what it covers, how near it is to objectives."""
        groups = next(iter(shipped().values())).cards.group_scores
        points = sum(tile_points(zoo, groups, len(self.hand), len(self.supported)).values()) + open_areas(zoo)
        near = sum(min(5, zoo.icons(icon)) for icon in self.goals)
        projects = min(2, zoo.icons("project"))
        return POINT * points + SPACE * len(zoo.tops) + ICON * near + PROJECT * projects

    def put(self, tile: Tile, space: str) -> int:
        """Value putting a tile of the hand on a space, with its open areas and what it sets off."""
        areas = [] if tile.cover is not None else bare_arrows(self.zoo, tile, space)
        after = self.zoo.with_top(space, tile)
        for area in areas:
            after = after.with_top(area, None)
        gained = self.worth(after) - self.value - FILLER * len(areas)
        covered = self.zoo.tops.get(space)
        return gained + self.set_off(tile, covered) + self._bonuses([space, *areas]) + self._pair(tile, space)

    def set_off(self, tile: Tile, covered: Tile | None = None) -> int:
        """Value the effects and abilities of a tile."""
        effects = sum(self.effect(effect, covered) for effect in tile.effects)
        return effects + sum(ABILITY for _ in tile.abilities)

    def effect(self, effect: Effect, covered: Tile | None = None) -> int:
        if isinstance(effect, Gain) and effect.by_size is not None:
            large = covered is not None and covered.size == "large"
            return MARKER * ((effect.by_size.large if large else effect.by_size.small) or 0)
        n = getattr(effect, "n", 1)
        return EFFECTS[type(effect).__struct_config__.tag] * (n if isinstance(n, int) else 2)  # type: ignore[index]

    def _bonuses(self, spaces: Iterable[str]) -> int:
        taken = self.lying["bonus_taken"]
        effects = [self.zoo.ground.bonus(space) for space in spaces if space not in taken]
        return sum(self.effect(effect) for effect in effects if effect is not None)

    def _pair(self, tile: Tile, space: str) -> int:
        fresh = tile.species is not None and tile.species not in self.lying["pair_taken"]
        return MARKER if fresh and self.zoo.mates(space, tile) else 0

    def places(self, tile: Tile) -> list[str]:
        return places_for(tile, self.zoo, self.sites, len(self.hand) - 1, len(self.supported))

    def best(self, tile: Tile) -> int:
        """Value the best place for a tile now; if there is none, only half of what it promises."""
        values = [self.put(tile, space) for space in self.places(tile)]
        return max(values, default=(SPACE + self.set_off(tile)) // 2)

    def wish(self, tile: Tile) -> int:
        """Value having a tile in hand: what it would bring, less for what it still lacks."""
        if tile.kind == "building":
            possible = any(self._fits(tile, space) for space in self.sites)
            return self.best(tile) * 3 // 4 if possible else SPACE
        lacking = self.zoo.level(tile) - max(self.strengths(self.slots)[card] for card in self.cards_for(tile))
        mate = any(other.is_mate(tile) for other in (*self.hand, *self.zoo.tiles()))
        return self.best(tile) * (3 if lacking <= 0 else 2) // 4 + (POINT if mate else 0)

    def _fits(self, tile: Tile, space: str) -> bool:
        return place_fault(tile, Site(self.zoo, space, tile, len(self.hand), len(self.supported))) is None

    def cards_for(self, tile: Tile) -> list[Card]:
        """Give the cards that may play an animal or project."""
        if tile.kind == "project":
            return ["projects"]
        return [card for card in ANIMAL_CARDS if fits_card(tile, card)]

    def strengths(self, slots: Sequence[Card]) -> dict[Card, int]:
        return {card: slot + (self.sides[card] == 2) for slot, card in enumerate(slots, 1)}

    def prospects(self, used: Card, without: str = "") -> int:
        """Value the order of the cards after using one: tiles of the hand that could be played next."""
        slots = [used, *(card for card in self.slots if card != used)]
        strengths = self.strengths(slots)
        ready = 0
        for tile in self.hand:
            if tile.kind != "building" and tile.id != without:
                ready += any(self.zoo.level(tile) <= strengths[card] for card in self.cards_for(tile))
        return READY * ready + RANGE * strengths["projects"]

    def moved(self, start: str, to: str) -> int:
        """Value moving a stack."""
        tile = self.zoo.tops[start]
        bonus = self._bonuses([to]) + (self._pair(tile, to) if tile is not None else 0)
        return self.worth(self.zoo.without(start).with_top(to, tile)) - self.value + bonus
