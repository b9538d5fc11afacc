"""Watching a game's shuffles and secrets, and making a shuffle go otherwise. Knows no game."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any

from msgspec import Struct

from engines.chance import Chance
from engines.rules import Event, Flow, Rules, Table
from engines.sight import Audience


class Shuffle(Struct, frozen=True):
    """A shuffle made in step ``step``, when ``counter`` draws had been made, that gave ``items``."""

    step: int
    counter: int
    items: tuple[Any, ...]


class Swap(Struct, frozen=True):
    """Let the shuffle at ``counter`` end with two places exchanged."""

    counter: int
    one: int
    other: int


class Spied:
    """Rules as they are, but with their shuffles noted and perhaps one of them changed.

    With a ``viewer``, ``hidden`` is what was secret from it whenever something was told: a rule that shows a card
    and hides it again within one step does not list it among the secrets while it tells of it.
    """

    def __init__(self, rules: Rules[Any], swap: Swap | None = None, viewer: Audience | str = "nobody") -> None:
        self.rules = rules
        self.swap = swap
        self.viewer = viewer
        self.shuffled: dict[int, tuple[Any, ...]] = {}
        self.hidden: set[str] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def setup(self, table: Table[Any]) -> Any:
        self._spy(table)
        return self.rules.setup(table)

    def play(self, table: Table[Any]) -> Flow[None]:
        self._spy(table)
        return self.rules.play(table)

    def glance(self, table: Table[Any]) -> None:
        """Note what the viewer may not know at this moment."""
        if isinstance(self.viewer, str) or table.state is None:
            return
        found = slots_in(self.rules.secrets(table.match, table.state, self.viewer))
        self.hidden = found if self.hidden is None else self.hidden & found

    def _spy(self, table: Table[Any]) -> None:
        if not isinstance(table.chance, _Stirred):
            table.chance = _Stirred(table.chance, self)
            table.events = _Watched(table, self)


def slots_in(groups: Mapping[str, Sequence[str]]) -> set[str]:
    return {slot for slots in groups.values() for slot in slots}


class _Watched(list[Event]):
    """The events of a table, with a glance at what is hidden as each is told."""

    def __init__(self, table: Table[Any], spied: Spied) -> None:
        super().__init__(table.events)
        self.table = table
        self.spied = spied

    def append(self, event: Event) -> None:
        super().append(event)
        self.spied.glance(self.table)


class _Stirred(Chance):
    __slots__ = ("spied",)

    def __init__(self, chance: Chance, spied: Spied) -> None:
        super().__init__(chance.key, chance.counter)
        self.spend = chance.spend
        self.spied = spied

    def shuffle(self, items: MutableSequence[Any], label: str) -> None:
        at = self.counter
        super().shuffle(items, label)
        if at == self.counter:
            return
        self.spied.shuffled[at] = tuple(items)
        swap = self.spied.swap
        if swap is not None and swap.counter == at:
            items[swap.one], items[swap.other] = items[swap.other], items[swap.one]
