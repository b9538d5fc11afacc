"""The primitives that deal with hands, discards and plays: draw, discard, mill, recover, peek, extra_play (DI-6.8)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.disciple.scopes import seat_of
from engines.disciple.skipping import skip
from engines.disciple.state import Game, cards_of
from engines.disciple.targets import choose_cards
from engines.disciple.truth import Frame
from engines.disciple.words import Discard, Draw, ExtraPlay, Mill, Peek, Recover
from engines.disciple.zones import discard_from_hand, into_deck, into_discard, into_hand, make_public, place, tell_move
from engines.disciple.zones import draw as draw_cards
from engines.rules import Flow

MOST_EXTRA_PLAYS = 9  # DI-2.6, DI-4.8


def draw(table: Game, frame: Frame, effect: Draw) -> bool:
    return bool(draw_cards(table, seat_of(effect.who, frame.seat), effect.n)) or skip(table, frame, effect)


def mill(table: Game, frame: Frame, effect: Mill) -> bool:
    """Put the top cards of a deck on the discard, as many as there are."""
    state, seat = table.state, seat_of(effect.who, frame.seat)
    milled, state.deck[seat] = state.deck[seat][: effect.n], state.deck[seat][effect.n :]
    if not milled:
        return skip(table, frame, effect)
    for number in milled:
        make_public(state, number)
        into_discard(table, number)
    cards = [state.cards[number] for number in milled]
    tell_move(table, "milled", cards, place("deck", seat), place("discard", seat), frame.seat)
    return True


def discard(table: Game, frame: Frame, effect: Discard) -> Flow[bool]:
    """Discard from a hand: its owner chooses, or chance does; a hand that is no larger goes whole (DI-5.6)."""
    seat = seat_of(effect.who, frame.seat)
    hand = table.state.hand[seat]
    if not hand:
        return skip(table, frame, effect)
    if len(hand) <= effect.n:
        chosen: Sequence[int] = by_number(table, hand)  # the order of arrival stays secret
    elif effect.choose == "owner":
        chosen = yield from choose_cards(table, frame, seat, hand, effect.n, effect.n)
    else:
        left = list(hand)
        chosen = [left.pop(table.chance.below(len(left), f"discard of seat {seat}")) for _ in range(effect.n)]
    discard_from_hand(table, seat, chosen, frame.seat)
    return True


def by_number(table: Game, numbers: Sequence[int]) -> list[int]:
    """Sort cards by what is printed on them, so that no order of a hidden zone shows."""
    cards, state = cards_of(table), table.state
    return sorted(numbers, key=lambda number: cards.place(state.cards[number].key))


def recover(table: Game, frame: Frame, effect: Recover) -> Flow[bool]:
    """Bring cards back from the own discard, in the chosen order."""
    state, seat = table.state, frame.seat
    fitting = [number for number in state.discard[seat] if cards_of(table)[state.cards[number].key].fits(effect.filter)]
    least, most = min(effect.min, len(fitting)), min(effect.max, len(fitting))
    chosen: Sequence[int] = fitting
    if least < len(fitting):  # DI-5.6: else there is no choice
        chosen = yield from choose_cards(table, frame, seat, fitting, least, most)
    if not chosen:
        return skip(table, frame, effect)
    known = [state.mention(number) for number in chosen]
    arrive, zone = (into_hand, "hand") if effect.to == "hand" else (into_deck, "deck")
    for number in chosen:
        state.discard[seat].remove(number)
        arrive(table, number)
    secret = {seat: {"ids": [state.cards[number].id for number in chosen]}} if zone == "hand" else None
    tell_move(table, "recovered", known, place("discard", seat), place(zone, seat), seat, secret)
    return True


def peek(table: Game, frame: Frame, effect: Peek) -> bool:
    """Show hidden cards of the opponent to the controller alone: keys without ids, a hand by number."""
    state, other = table.state, 1 - frame.seat
    seen = by_number(table, state.hand[other]) if effect.what == "hand" else state.deck[other][: effect.n]
    if not seen:
        return skip(table, frame, effect)
    for number in seen:
        state.cards[number].reveal(frame.seat)
    keys = [state.cards[number].key for number in seen]
    table.emit("peeked", secret={frame.seat: {"cards": keys}}, seat=frame.seat, what=effect.what, n=len(keys))
    return True


def extra_play(table: Game, frame: Frame, effect: ExtraPlay) -> bool:
    """Grant extra plays to the active seat; those above 9 and those gained in ``end`` vanish (DI-4.8)."""
    state = table.state
    if frame.seat != state.active or state.phase == "end" or state.extra_plays == MOST_EXTRA_PLAYS:
        return skip(table, frame, effect)
    state.extra_plays = min(MOST_EXTRA_PLAYS, state.extra_plays + effect.n)
    return True
