"""The cards of a pack: what is printed on each, looked up by id (PA-10.2).

Owns what follows from the printed card alone. Knows no state: where a card lies is not its business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from engines.patron.terms import (
    VIRTUES,
    Condition,
    Count,
    Filter,
    Id,
    Kind,
    Mode,
    Occurrence,
    Score,
    Target,
    Virtue,
    Virtues,
    Word,
)
from engines.patron.words import Act, AnyOp, Lasting, Static, Triggered, ops_in

Line = Annotated[str, Meta(max_length=600)]
Printed = dict[Virtue, Annotated[int, Meta(ge=1, le=3)]]


class GracesNeeded(Word, frozen=True, omit_defaults=True):
    n: Count
    filter: Filter | None = None
    consume: bool = False


class DiscardNeeded(Word, frozen=True, omit_defaults=True):
    n: Count
    filter: Filter | None = None


class Progress(Word, frozen=True, omit_defaults=True):
    on: Occurrence
    n: Count
    filter: Filter | None = None


class Test(Word, frozen=True, omit_defaults=True):
    """A check as cards print it: one of the virtues against the number."""

    virtues: Virtues
    number: Target


class Milestone(Word, frozen=True, omit_defaults=True):
    """Requirements that must all hold, at least one (PA-6.12)."""

    tokens: Count | None = None
    graces: GracesNeeded | None = None
    discard: DiscardNeeded | None = None
    state: Condition | None = None
    progress: Progress | None = None
    check: Test | None = None

    def __post_init__(self) -> None:
        if not any((self.tokens, self.graces, self.discard, self.state, self.progress, self.check)):
            raise ValueError("a milestone has at least one requirement")


class Card(Word, frozen=True, kw_only=True):
    """What every card prints."""

    kind: ClassVar[Kind]
    id: Id
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    legendary: bool = False
    text: Line = ""


class Saint(Card, frozen=True, kw_only=True):
    kind: ClassVar[Kind] = "saint"
    score: Score
    traits: tuple[Id, ...]
    virtues: Printed
    milestones: Annotated[tuple[Milestone, ...], Meta(min_length=5, max_length=5)]
    effects: Annotated[tuple[Act | Static | Triggered, ...], Meta(max_length=3)] = ()


class Grace(Card, frozen=True, kw_only=True):
    kind: ClassVar[Kind] = "grace"
    virtues: Printed
    overcome: Test | None = None
    effects: Annotated[tuple[Static | Triggered, ...], Meta(max_length=2)] = ()


class Bonus(Word, frozen=True):
    who: Literal["self", "opponent", "active", "activator", "each"]
    n: Annotated[int, Meta(ge=-3, le=3)]

    def __post_init__(self) -> None:
        if self.n == 0:
            raise ValueError("a bonus is not 0")


class Event(Card, frozen=True, kw_only=True):
    kind: ClassVar[Kind] = "event"
    virtues: Annotated[tuple[Virtue, ...], Meta(min_length=1, max_length=2)]
    number: Target
    mode: Mode | None = None
    dice: Annotated[int, Meta(ge=1, le=3)] = 2
    bonus: Bonus | None = None
    on_win: tuple[AnyOp, ...] = ()
    on_fail: tuple[AnyOp, ...] = ()


AnyCard = Saint | Grace | Event


class ReadyDeck(Word, frozen=True, kw_only=True):
    """A ready-made deck as a pack prints it (PA-10.1)."""

    id: Id
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    patron: Id
    cards: dict[str, int]


class Cards:
    """All cards of a pack by id, in the order of the file, and its ready-made decks."""

    __slots__ = ("_by_id", "_statics", "_triggers", "_worth", "decks", "id", "title", "traits")

    def __init__(
        self, pack: str, title: str, traits: Iterable[str], cards: Iterable[AnyCard], decks: Iterable[ReadyDeck]
    ) -> None:
        self.id = pack
        self.title = title
        self.traits = tuple(traits)
        self.decks = tuple(decks)
        self._by_id: dict[str, AnyCard] = {card.id: card for card in cards}
        self._statics: dict[tuple[str, type[Lasting]], tuple[Static, ...]] = {}
        self._triggers: dict[str, tuple[tuple[int, Triggered], ...]] = {}
        self._worth = {(card.id, virtue): worth_of(card, virtue) for card in self for virtue in VIRTUES}
        for card in self:
            for effect in effects_of(card):
                if isinstance(effect, Static):
                    place = (card.id, type(effect.hold))
                    self._statics[place] = (*self._statics.get(place, ()), effect)
            triggers = ((at, e) for at, e in enumerate(effects_of(card)) if isinstance(e, Triggered))
            self._triggers[card.id] = tuple(triggers)

    def __getitem__(self, key: str) -> AnyCard:
        return self._by_id[key]

    def __contains__(self, key: object) -> bool:
        return key in self._by_id

    def __iter__(self) -> Iterator[AnyCard]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def saint(self, key: str) -> Saint:
        """Give a card that is known to be a saint."""
        card = self._by_id[key]
        assert isinstance(card, Saint)
        return card

    def statics(self, key: str, kind: type[Lasting]) -> tuple[Static, ...]:
        """Give a card's statics of one kind in printed order."""
        return self._statics.get((key, kind), ())

    def worth(self, key: str, virtue: Virtue) -> int:
        """Give what a card adds to a check on a virtue: as printed, charity standing in for every other (PA-4.24)."""
        return self._worth[key, virtue]

    def all_triggers(self, key: str) -> tuple[tuple[int, Triggered], ...]:
        """Give a card's triggers in printed order, each with its index among the effects."""
        return self._triggers[key]


def effects_of(card: AnyCard) -> tuple[Act | Static | Triggered, ...]:
    """Give the effects of a saint or grace; an event has none (PA-6.1)."""
    return () if isinstance(card, Event) else card.effects


def lists_of(card: AnyCard) -> Iterator[AnyOp]:
    """Give every operation of a card at any depth, statics included."""
    if isinstance(card, Event):
        yield from ops_in((*card.on_win, *card.on_fail))
        return
    for effect in effects_of(card):
        yield from (effect.hold,) if isinstance(effect, Static) else ops_in(effect.do)


def worth_of(card: AnyCard, virtue: Virtue) -> int:
    """Add up a printed virtue and, for another one, printed charity; an event adds nothing (PA-4.23, PA-4.24)."""
    if isinstance(card, Event):
        return 0
    wild = card.virtues.get("charity", 0) if virtue != "charity" else 0
    return card.virtues.get(virtue, 0) + wild


def fits(card: AnyCard, wanted: Filter | None) -> bool:
    """Say whether a printed card fits all of a filter but ``role`` (PA-6.13)."""
    if wanted is None:
        return True
    return (
        wanted.kind in (None, card.kind)
        and wanted.id in (None, card.id)
        and wanted.legendary in (None, card.legendary)
        and (wanted.virtue is None or wanted.virtue in card.virtues)
        and (wanted.trait is None or (isinstance(card, Saint) and wanted.trait in card.traits))
        and _fits_score(card, wanted)
    )


def _fits_score(card: AnyCard, wanted: Filter) -> bool:
    """Compare printed scores; a card without one fails (PA-6.13)."""
    if wanted.min_score is None and wanted.max_score is None:
        return True
    if not isinstance(card, Saint):
        return False
    return (wanted.min_score or 0) <= card.score <= (wanted.max_score or card.score)
