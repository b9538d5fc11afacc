"""When abilities activate, and how many may (DI-6.2, DI-6.11, DI-6.12, DI-6.13).

Owns the list of pending abilities as it grows. Carries nothing out.
"""

from __future__ import annotations

from typing import Any

from engines.disciple.cards import Cards
from engines.disciple.state import Game, Mention, Pending, State, cards_of, shown
from engines.disciple.statics import GOAL, count_symbols
from engines.disciple.terms import Trigger
from engines.disciple.truth import Frame, fits_event, holds
from engines.disciple.words import Ability

PER_ABILITY, PER_TURN = 3, 100  # DI-6.12, DI-8.10


def activate(
    table: Game, trigger: Trigger, source: Mention, seat: int | None = None, event: Mention | None = None
) -> None:
    """Activate the abilities of one trigger on a card; a silenced one has none (DI-6.8).

    ``seat``: the controller (None: on whose side the card lies now).
    """
    state, cards = table.state, cards_of(table)
    if state.silenced(source.card):
        return
    controller = state.cards[source.card].side if seat is None else seat
    for place, ability in cards.abilities(source.key, trigger):
        frame = Frame(controller, source, place, event)
        if ready(cards, state, ability, frame) and claim(state, source, place):
            state.activated += 1
            pending = Pending(state.activated, controller, trigger, place, source, event)
            state.pending.append(pending)
            if trigger == "abundance":
                table.emit("abundance_activated", **told(pending))


def told(ability: Pending | Frame) -> dict[str, Any]:
    """Give what everybody may know of an activated ability (DI-2.6)."""
    return {"seat": ability.seat, "source": shown(ability.source), "ability": ability.ability}


def ready(cards: Cards, state: State, ability: Ability, frame: Frame) -> bool:
    """Test filter and condition, which is done at activation only (DI-4.14, DI-6.4)."""
    return fits_event(cards, state, ability.filter, frame.event) and (
        ability.when is None or holds(cards, state, frame, ability.when)
    )


def claim(state: State, source: Mention, place: int) -> bool:
    """Count an activation against the caps of this turn; False if it is one too many (DI-6.12).

    An instance is its id: a card that went through a hand or deck is a new one and begins at 0.
    """
    name = f"{source.id}.{place}"
    if state.used.get(name, 0) >= PER_ABILITY or sum(state.used.values()) >= PER_TURN:
        return False
    state.used[name] = state.used.get(name, 0) + 1
    return True


def activate_watchers(table: Game, entered: Mention) -> None:
    """A saint entered: activate what the other saints on the board have for it (DI-6.2, DI-4.12.5)."""
    state = table.state
    side = state.cards[entered.card].side
    for number in state.on_board():
        card = state.cards[number]
        if number != entered.card and card.up:
            trigger: Trigger = "ally_enter" if card.side == side else "enemy_enter"
            activate(table, trigger, state.mention(number), event=entered)


def recount(table: Game) -> None:
    """Bring the counts up to date after a mutation, and tell them if one changed (DI-5.4)."""
    state = table.state
    symbols = count_symbols(cards_of(table), state)
    if symbols != state.symbols:
        state.symbols = symbols
        table.emit("counts", symbols={str(seat): dict(symbols[seat]) for seat in (0, 1)})


def abounds(cards: Cards, state: State, number: int) -> bool:
    """Say whether C of DI-6.11 is true for a card on the board."""
    card = state.cards[number]
    return bool(
        card.up
        and card.column is not None
        and cards.abilities(card.key, "abundance")
        and state.symbols[card.side][card.column] >= GOAL
    )


def awaken(table: Game) -> None:
    """Activate the Abundance of every card for which C has become true; an unused edge is gone (DI-6.11, DI-9.8)."""
    state, cards = table.state, cards_of(table)
    for number in state.on_board():
        card = state.cards[number]
        reached = abounds(cards, state, number)
        risen = reached and not card.abundant
        card.abundant = reached
        if risen:
            activate(table, "abundance", state.mention(number))
