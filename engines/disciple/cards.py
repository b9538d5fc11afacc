"""The cards of a pack: what is printed on each, looked up by key, in canonical order.

Owns what follows from the printed card alone. Knows no state: where a card lies is not its business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta, Struct

from engines.disciple.terms import CardFilter, Kind, Rarity, Tag, Trigger, Virtue
from engines.disciple.words import Ability, Modifier

Line = Annotated[str, Meta(max_length=400)]


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"abilities": "ability"}):
    """One printed card (DI-10.1). ``symbols``: in printed order, the first is the leading virtue; deeds have none."""

    key: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
    number: Annotated[int, Meta(ge=1, le=9999)]
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    kind: Kind
    rarity: Rarity
    symbols: Annotated[tuple[Virtue, ...], Meta(max_length=3)] = ()
    tags: Annotated[tuple[Tag, ...], Meta(max_length=2)] = ()
    text: Line
    quote: Line
    artist: Line
    legal: Line
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=3)] = ()

    @property
    def is_saint(self) -> bool:
        return self.kind == "saint"

    @property
    def has_lasting_mark(self) -> bool:
        """Say whether an ability can work again while the card lies in play (DI-6.20, DI-10.3)."""
        return any(ability.trigger not in ("enter", "play", "reaction") for ability in self.abilities)

    def suits(self, virtue: Virtue) -> bool:
        """Say whether a column is suitable for this card face up (DI-2.10)."""
        return virtue in self.symbols

    def fits(self, wanted: CardFilter) -> bool:
        """Say whether this card in a hand, deck or discard fits a filter."""
        return (
            wanted.kind in (None, self.kind)
            and wanted.rarity in (None, self.rarity)
            and (wanted.symbol is None or wanted.symbol in self.symbols)
            and (wanted.tag is None or wanted.tag in self.tags)
        )


class Cards:
    """All cards of a pack. Iterates over the cards by number, then key (DI-3.3)."""

    __slots__ = ("_abilities", "_by_key", "_place", "_statics", "edition", "id", "title")

    def __init__(self, pack: str, title: str, edition: str, cards: Iterable[Card]) -> None:
        self.id = pack
        self.title = title
        self.edition = edition
        self._by_key = {card.key: card for card in sorted(cards, key=lambda card: (card.number, card.key))}
        self._place = {key: place for place, key in enumerate(self._by_key)}
        self._abilities: dict[tuple[str, Trigger], tuple[tuple[int, Ability], ...]] = {}
        for card in self._by_key.values():
            for at, ability in enumerate(card.abilities):
                earlier = self._abilities.get((card.key, ability.trigger), ())
                self._abilities[card.key, ability.trigger] = (*earlier, (at, ability))
        self._statics = {
            card.key: tuple(modifier for ability in card.abilities for modifier in ability.static) for card in self
        }

    def __getitem__(self, key: str) -> Card:
        return self._by_key[key]

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def __iter__(self) -> Iterator[Card]:
        return iter(self._by_key.values())

    def __len__(self) -> int:
        return len(self._by_key)

    def abilities(self, key: str, trigger: Trigger) -> tuple[tuple[int, Ability], ...]:
        """Give a card's abilities of one trigger in printed order, each with its place on the card."""
        return self._abilities.get((key, trigger), ())

    def statics(self, key: str) -> tuple[Modifier, ...]:
        """Give the static modifiers of a card in printed order (DI-6.14)."""
        return self._statics[key]

    def place(self, key: str) -> int:
        """Give a card's place in canonical order, for sorting: 0 is the lowest number."""
        return self._place[key]

    def in_order(self, keys: Iterable[str]) -> list[str]:
        """Sort card keys canonically, copies next to each other (DI-3.3)."""
        return sorted(keys, key=self._place.__getitem__)
