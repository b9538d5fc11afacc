"""The table as a bot sees it: its seat's zones, asked the questions that its judgement needs.

Knows zones and printed cards, no state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.patron.cards import Event, Milestone, Saint, effects_of, fits
from engines.patron.odds import chance, virtues_of
from engines.patron.pack import printed
from engines.patron.words import Act as OneUse

ENOUGH = 45  # PA-10.4: in a hundred


class Outlook:
    """One seat's view, with what is worked out from it."""

    def __init__(self, seat: int, zones: Mapping[str, Any]) -> None:
        self.zones = zones
        self.me, self.other = str(seat), str(1 - seat)
        self.patron: Mapping[str, Any] = zones["patron"][self.me]
        self.friend: str | None = zones["friend"][self.me]
        self.hand: list[Mapping[str, Any]] = zones["hand"][self.me]["cards"]

    def held(self, card: str) -> str:
        """Give the printed card of a hand card."""
        return str(next(one["card"] for one in self.hand if one["id"] == card))

    def cost(self, card: str) -> int:
        """Give what a hand card costs now; 0 if it is no saint."""
        return int(next(one.get("cost", 0) for one in self.hand if one["id"] == card))

    def is_saint(self, key: str) -> bool:
        return bool(self.zones["cards"][key]["kind"] == "saint")

    def found(self, card: str) -> str:
        """Give the printed card of anything that this seat can name."""
        return str(next(one["card"] for one in self._all() if one["id"] == card))

    def _all(self) -> Iterator[Mapping[str, Any]]:
        yield from self.hand
        yield from self.zones["look"]
        for seat in (self.me, self.other):
            for zone in ("terra", "graces", "discard"):
                yield from self.zones[zone][seat]

    def is_others(self, card: str) -> bool:
        """Say whether a card lies on the other seat's side."""
        return any(one["id"] == card for zone in ("terra", "graces") for one in self.zones[zone][self.other])

    def help_of(self, card: str | None) -> int:
        """Give what a saint adds to checks as a friend; nobody adds nothing."""
        return 0 if card is None else virtues_of(printed(self.found(card)))

    def spare(self, card: str) -> bool:
        """Say whether a hand card may go: the current and the next milestone do not need it (PA-10.4)."""
        key = printed(self.held(card))
        for milestone in self._milestones()[:2]:
            if milestone.discard is not None and key is not None and fits(key, milestone.discard.filter):
                matching = [one for one in self.hand if self._fits(one["card"], milestone)]
                if len(matching) <= milestone.discard.n:
                    return False
        return True

    def _fits(self, key: str, milestone: Milestone) -> bool:
        card = printed(key)
        return card is not None and milestone.discard is not None and fits(card, milestone.discard.filter)

    def _milestones(self) -> tuple[Milestone, ...]:
        card = printed(self.patron["card"])
        return card.milestones[self.patron["milestones"] :] if isinstance(card, Saint) else ()

    def worth_contesting(self, slot: str) -> bool:
        """Say whether to activate an event: known, and likely enough or the other is weak (PA-10.4)."""
        slots = [one for seat in (self.me, self.other) for one in self.zones["events"][seat]]
        key = next((one.get("card") for one in slots if one["slot"] == slot), None)
        event = printed(key) if key else None
        if not isinstance(event, Event):
            return False
        return not self.zones["patron"][self.other]["in_play"] or self._chance(event) >= ENOUGH

    def _chance(self, event: Event) -> int:
        modifier = max(self.zones["modifiers"][self.me][virtue] for virtue in event.virtues)
        bonus = event.bonus.n if event.bonus and event.bonus.who in ("self", "activator", "each") else 0
        exceed = self.zones["options"]["overcome_rule"] == "exceed"
        return chance(event.dice, event.number - min(6, modifier + bonus) + exceed)

    def has_more_to_do(self) -> bool:
        """Say whether effects, graces, events or milestones have anything left for this seat."""
        return self._has_cards_to_lay() or self._has_events() or self._has_effects() or self._is_near()

    def _has_cards_to_lay(self) -> bool:
        kinds = {"event", "grace"} if self.patron["in_play"] else {"event"}
        cards = self.zones["cards"]
        return any(cards[one["card"]]["kind"] in kinds and self.spare(one["id"]) for one in self.hand)

    def _has_events(self) -> bool:
        turn = self.zones["turn"]["turn"]
        slots = self.zones["events"][self.me]
        return any(one["set_turn"] < turn and self.worth_contesting(one["slot"]) for one in slots)

    def _has_effects(self) -> bool:
        """Say whether a saint in play has an effect left that its milestones allow."""
        for saint in self.zones["terra"][self.me]:
            shares = saint["id"] in (self.patron["id"], self.friend)
            count = self.patron["milestones"] if shares else 0
            card = printed(saint["card"])
            for index, effect in enumerate(effects_of(card) if card else ()):
                used = {"card": saint["card"], "effect": index} in self.zones["used"][self.me]
                if isinstance(effect, OneUse) and not used and effect.min_milestones <= count:
                    return True
        return False

    def _is_near(self) -> bool:
        """Say whether the current milestone can be completed."""
        return bool(self.patron["in_play"]) and not self.patron["unmet"] and self.zones["turn"]["pass_index"] == 0
