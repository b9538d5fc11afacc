"""The operations on what lies on the table: peek, remove, put_saint, friend, refresh (PA-6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.patron.asking import ask_some, choose, naming
from engines.patron.cards import effects_of
from engines.patron.checking import about
from engines.patron.entering import befriend, duplicates, enter, leave
from engines.patron.lasting import score_of
from engines.patron.state import Game, State, cards_of, suits
from engines.patron.statics import Frame, seats_of
from engines.patron.words import Act as OneUse
from engines.patron.words import Peek, PutSaint, Refresh, Remove, SetFriend, ops_in
from engines.patron.zones import make_public
from engines.rules import Act, Flow


def peek(table: Game, frame: Frame, seat: int, op: Peek) -> Flow[None]:
    """Show the controller a hand, or one face-down event (PA-6.5 ``peek``). Everybody learns whose."""
    viewer, state = frame.controller, table.state
    if op.what == "hand":
        _show_hand(table, viewer, seat)
        return
    slots = [slot.slot for slot in state.sides[seat].events]
    acts: list[Act] = [{"do": "target", "slot": slot} for slot in slots]
    for place in (yield from choose(table, viewer, "target", acts, 1, 1, "PA-6.5", about(frame))):
        found = state.sides[seat].events[place]
        if viewer != seat and found.slot not in state.sides[viewer].peeked:
            state.sides[viewer].peeked.append(found.slot)
        shown = {"cards": [state.key(found.card)]}
        table.emit("peeked", secret={viewer: shown}, seat=viewer, whose=seat, what="event", slot=found.slot)


def _show_hand(table: Game, viewer: int, seat: int) -> None:
    """Show a hand by names of cards alone, sorted: not which of them is which (PA-2.7)."""
    state = table.state
    hand = state.sides[seat].hand
    state.look, state.looker = list(hand), viewer  # no secret from the viewer while it is told
    keys = sorted(state.key(number) for number in hand)
    table.emit("peeked", secret={viewer: {"cards": keys}}, seat=viewer, whose=seat, what="hand")
    state.look = []


def remove(table: Game, frame: Frame, seat: int, op: Remove) -> Flow[None]:
    """Let the chooser take saints, graces or face-down events from the table, never the patron (PA-6.5, PA-9.38)."""
    choosers = seats_of(table.state, frame, op.chooser)
    if not choosers:
        return
    there = list(_removable(table, seat, op))
    acts = _naming_on_table(table.state, seat, there, op)
    places = yield from choose(table, choosers[0], "target", acts, op.n, op.n, "PA-6.5", about(frame))
    for number in [there[place] for place in places]:  # PA-6.4: in candidate order, also under the deck
        yield from leave(table, number, op.zone, op.to)


def _removable(table: Game, seat: int, op: Remove) -> Iterator[int]:
    side = table.state.sides[seat]
    if op.zone == "event":
        yield from (slot.card for slot in side.events)
        return
    zone = side.graces if op.zone == "grace" else [number for number in side.terra if number != side.patron]
    yield from (number for number in zone if suits(cards_of(table), table.state, number, op.filter))


def _naming_on_table(state: State, seat: int, numbers: Sequence[int], op: Remove) -> list[Act]:
    """Name cards on the table as everybody can: a face-down event by its slot alone (PA-2.4)."""
    if op.zone != "event":
        return naming([state.cards[number].id for number in numbers], "target")
    return [{"do": "target", "slot": slot.slot} for slot in state.sides[seat].events]


def put_saint(table: Game, frame: Frame, seat: int, op: PutSaint) -> Flow[None]:
    """Let a seat put a saint of its hand into play without paying (PA-6.5 ``put_saint``).

    It is asked as long as it holds any card (PA-5.5).
    """
    state, cards = table.state, cards_of(table)
    hand = state.sides[seat].hand
    if not hand:
        return
    fitting = [
        number
        for number in hand
        if cards[state.key(number)].kind == "saint"
        and suits(cards, state, number, op.filter)
        and score_of(cards, state, number) <= op.max_score
        and not duplicates(state, seat, state.key(number))
    ]
    acts = naming([state.cards[number].id for number in fitting], "take")
    most = min(1, len(acts))
    places = yield from ask_some(table, seat, "cards", acts, 0, most, "PA-6.5", about(frame), public=False)
    for place in places:
        put_from_hand(table, fitting[place])


def put_from_hand(table: Game, number: int) -> None:
    """Put a saint of the hand into play at no cost: it counts as played (PA-6.5)."""
    table.state.sides[table.state.cards[number].owner].hand.remove(number)
    make_public(table.state, number)
    enter(table, number, "saint_played", cost=0, pool=table.state.pool)


def set_friend(table: Game, frame: Frame, seat: int, op: SetFriend) -> Flow[None]:
    """Let a seat choose a friend outside the limit of one a turn (PA-6.5 ``friend``)."""
    state, side = table.state, table.state.sides[seat]
    if not side.in_play:
        return
    others = [number for number in side.terra if number not in (side.patron, side.friend)]
    acts = naming([state.cards[number].id for number in others], "target")
    for place in (yield from choose(table, seat, "target", acts, 0, 1, "PA-6.5", about(frame))):
        befriend(table, others[place])


def refresh(table: Game, frame: Frame, seat: int, op: Refresh) -> Flow[None]:
    """Take the stone from one used effect of a saint in play (PA-6.5 ``refresh``)."""
    state, side = table.state, table.state.sides[seat]
    used = list(_renewable(table, frame, seat, op))
    acts: list[Act] = [{"do": "target", "card": state.cards[number].id, "effect": index} for number, index in used]
    for place in (yield from choose(table, seat, "target", acts, 1, 1, "PA-6.5", about(frame))):
        number, index = used[place]
        side.used.remove(stone(state, number, index))
        card = state.cards[number]
        table.emit("stone_removed", seat=seat, card={"id": card.id, "card": card.key}, effect=index)


def _renewable(table: Game, frame: Frame, seat: int, op: Refresh) -> Iterator[tuple[int, int]]:
    """Give used effects, but none that renews: no two may renew each other for ever (PA-6.5)."""
    state, side = table.state, table.state.sides[seat]
    for number in side.terra:
        if op.own_only and number != frame.card:
            continue
        for index, effect in enumerate(effects_of(cards_of(table)[state.key(number)])):
            if not isinstance(effect, OneUse) or stone(state, number, index) not in side.used:
                continue
            if not any(isinstance(inner, Refresh) for inner in ops_in(effect.do)):
                yield number, index


def stone(state: State, number: int, index: int) -> str:
    """Name a stone: it lies on the effect of every copy of the card, for the whole match (PA-4.18, PA-9.20)."""
    return f"{state.key(number)}#{index}"
