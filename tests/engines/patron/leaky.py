"""Rules that betray what is hidden, one way each, for showing that it is found out. Knows nothing of how."""

from __future__ import annotations

from typing import Any

from engines.patron import Patron
from engines.patron.state import State, cards_of
from engines.rules import Attempt, Event, Flow, Match, Prompt, Refusal, Table
from protocol.prompt import Option


class FaceUp(Patron):
    """Shows everybody the card under a face-down event."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        zones = super().view(match, state, seat)
        zones["events"] = {
            str(owner): [{"slot": slot.slot, "card": state.key(slot.card)} for slot in side.events]
            for owner, side in enumerate(state.sides)
        }
        return zones


class OpenDraw(Patron):
    """Tells everybody the kind of a card as it is drawn."""

    def play(self, table: Table[State]) -> Flow[None]:
        return _telling(table, super().play(table))


def _telling(table: Table[State], flow: Flow[None]) -> Flow[None]:
    if not isinstance(table.events, _Loud):
        table.events = _Loud(table)
    return (yield from flow)


class _Loud(list[Event]):
    def __init__(self, table: Table[State]) -> None:
        super().__init__(table.events)
        self.table = table

    def append(self, event: Event) -> None:
        super().append(event)
        if event.kind == "cards_drawn":
            state = self.table.state
            newest = state.sides[event.fields["seat"]].hand[-1:]
            told = {"kinds": [cards_of(self.table)[state.key(number)].kind for number in newest]}
            super().append(Event("overheard", told))


class ShuffledInTheOpen(Patron):
    """Tells everybody in which order a deck lies when it was shuffled by a mulligan or a search."""

    def play(self, table: Table[State]) -> Flow[None]:
        if not isinstance(table.events, _Watched):
            table.events = _Watched(table)
        return super().play(table)


class _Watched(list[Event]):
    def __init__(self, table: Table[State]) -> None:
        super().__init__(table.events)
        self.table = table

    def append(self, event: Event) -> None:
        if event.kind == "deck_shuffled":
            state = self.table.state
            order = [state.key(number) for number in state.sides[event.fields["seat"]].deck]
            event = Event(event.kind, event.fields | {"order": order})
        super().append(event)


class OpenDeck(Patron):
    """Shows a seat its deck as it lies, so that a search or a mulligan gives the new order away."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        zones = super().view(match, state, seat)
        if seat is not None:
            zones["next"] = [state.key(number) for number in state.sides[seat].deck[:3]]
        return zones


class SortedDeck(Patron):
    """Shows where in the deck its cards had stood before they were ever shuffled."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        zones = super().view(match, state, seat)
        zones["backs"] = {str(owner): list(side.deck) for owner, side in enumerate(state.sides)}
        return zones


class TellingOption(Patron):
    """Offers the other seat to repent when it has priority, but only if a certain kind of card lies face down."""

    def play(self, table: Table[State]) -> Flow[None]:
        return _offering(table, super().play(table))


def _offering(table: Table[State], flow: Flow[None]) -> Flow[None]:
    answer: Any = None
    while True:
        try:
            ask = flow.send(answer)
        except StopIteration:
            return
        if isinstance(ask, Prompt) and ask.kind == "events" and _dangerous(table, 1 - ask.seat):
            ask = _with(ask, {"do": "repent"})
        answer = yield ask
        if any(act["do"] == "repent" for act in answer if isinstance(act, dict)):
            answer = ({"do": "pass_priority"},)


def _dangerous(table: Table[State], seat: int) -> bool:
    cards, state = cards_of(table), table.state
    return any(
        cards[state.key(slot.card)].virtues[0] in ("faith", "hope", "justice") for slot in state.sides[seat].events
    )


def _with(prompt: Prompt, act: dict[str, Any]) -> Prompt:
    from msgspec.structs import replace

    return replace(prompt, options=(*prompt.options, Option("x", act)))


class TellingError(Patron):
    """Refuses in other words when the other seat holds a grace."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        zones = super().view(match, state, seat)
        if seat is None:
            return zones
        held = state.sides[1 - seat].hand
        # kept out of the frame itself, so that only the refusal can tell
        self.warned = sum(match.pack[state.key(number)].kind == "grace" for number in held)
        return zones

    def explain(self, view: Any, attempt: Attempt) -> Refusal:
        refusal = super().explain(view, attempt)
        warned = getattr(self, "warned", 0)
        return Refusal(refusal.code, refusal.rule, refusal.text + "!" * warned, refusal.details)


class TellingSize(Patron):
    """Tells how long the name of the newest card of each hand is."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        zones = super().view(match, state, seat)
        sizes = [[len(state.key(number)) for number in side.hand] for side in state.sides]
        zones["sizes"] = [sum(one) for one in sizes]
        return zones


class TellingProgress(Patron):
    """Counts, for all to see, how many saints lie in each hand."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        zones = super().view(match, state, seat)
        cards = match.pack
        zones["saints"] = [
            sum(cards[state.key(number)].kind == "saint" for number in side.hand) for side in state.sides
        ]
        return zones


LEAKS = (
    FaceUp,
    OpenDraw,
    ShuffledInTheOpen,
    OpenDeck,
    SortedDeck,
    TellingOption,
    TellingError,
    TellingSize,
    TellingProgress,
)
