"""Conditions on cards: what an ability tests before or while it runs (DI-6.10).

Owns their form, decoded from TOML as it stands. Knows no state and tests nothing.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.disciple.terms import Near, Number, Op, Scope, Who, Word


class ColumnCount(Word, frozen=True):
    side: Who
    column: Near
    op: Op
    n: Number


class HandCount(Word, frozen=True):
    who: Who
    op: Op
    n: Number


class DeckCount(Word, frozen=True):
    who: Who
    op: Op
    n: Number


class DiscardCount(Word, frozen=True):
    who: Who
    op: Op
    n: Number


class InPlay(Scope, frozen=True):
    op: Op
    n: Number


class CompleteColumns(Word, frozen=True):
    who: Who
    op: Op
    n: Number


class Did(Word, frozen=True):
    """The last primitive of this ability did anything at all (DI-6.10)."""


class AllOf(Word, frozen=True):
    parts: tuple[Condition, ...]


class AnyOf(Word, frozen=True):
    parts: tuple[Condition, ...]


class Not(Word, frozen=True):
    part: Condition


Test: TypeAlias = (
    ColumnCount | HandCount | DeckCount | DiscardCount | InPlay | CompleteColumns | Did | AllOf | AnyOf | Not
)


class Condition(Word, frozen=True, rename={"all_of": "all", "any_of": "any", "not_": "not"}):
    """A condition as TOML spells it: a table with exactly one key (DI-6.10). Rule code looks at ``test`` only."""

    column_count: ColumnCount | None = None
    hand_count: HandCount | None = None
    deck_count: DeckCount | None = None
    discard_count: DiscardCount | None = None
    in_play: InPlay | None = None
    complete_columns: CompleteColumns | None = None
    did: bool | None = None
    all_of: Annotated[tuple[Condition, ...], Meta(min_length=1, max_length=6)] | None = None
    any_of: Annotated[tuple[Condition, ...], Meta(min_length=1, max_length=6)] | None = None
    not_: Condition | None = None

    def __post_init__(self) -> None:
        given = [value for value in msgspec.structs.astuple(self) if value is not None]
        if len(given) != 1 or self.did is False:
            raise ValueError("a condition is a table with exactly one key; `did` is only ever true")

    @property
    def test(self) -> Test:
        """Give the one thing that is tested, for ``match``."""
        if self.did:
            return Did()
        if self.all_of is not None:
            return AllOf(parts=self.all_of)
        if self.any_of is not None:
            return AnyOf(parts=self.any_of)
        if self.not_ is not None:
            return Not(part=self.not_)
        counted = (
            self.column_count, self.hand_count, self.deck_count, self.discard_count, self.in_play,
            self.complete_columns,
        )  # fmt: skip
        return next(count for count in counted if count is not None)
