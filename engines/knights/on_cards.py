"""The ops on hands, decks and piles: draw, move_cards, peek (KN-6.70, KN-6.71, KN-6.76).

What is shown to a seat lies in ``State.look`` for exactly as long as that seat may know it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.knights.bout import Bout, ask
from engines.knights.changes import has_equal
from engines.knights.choosing import at_random, choose_cards, choose_slot, look_at, sort_look
from engines.knights.piles import PUBLIC, draw, enter, entered, into_pile, take_out
from engines.knights.reading import Frame
from engines.knights.state import shown
from engines.knights.words import Draw, MoveCards, Peek
from engines.rules import Flow, order


def _seat(frame: Frame, who: str) -> int:
    return frame.seat if who == "me" else 1 - frame.seat


def _draw(bout: Bout, frame: Frame, op: Draw) -> Flow[None]:
    """Draw cards, one by one (KN-6.70)."""
    n = bout.reading.amount(frame, op.n)
    draw(bout, _seat(frame, op.who), n or 0)
    yield from ()


def _peek(bout: Bout, frame: Frame, op: Peek) -> Flow[None]:
    """Look at a hand or at the top of a deck, and perhaps put it into another order (KN-2.38, KN-6.76)."""
    state, whose = bout.state, _seat(frame, op.who)
    numbers = list(state.hand[whose] if op.zone == "hand" else state.deck[whose][: op.n])
    look_at(bout, frame.seat, numbers)
    if op.zone == "hand" and whose != frame.seat:
        sort_look(bout)
    cards = [state.pieces[looked.card].key for looked in state.look]
    secret = {frame.seat: {"cards": cards}}
    bout.emit("peeked", secret=secret, seat=frame.seat, whose=whose, zone=op.zone, count=len(numbers))
    if op.reorder and numbers:
        acts = [{"do": "card", "card": looked.id} for looked in state.look]
        by_name = {looked.id: looked.card for looked in state.look}
        answers = yield from ask(bout, order(frame.seat, "choose_cards", acts, rule="KN-5.34", about=bout.about(frame)))
        state.deck[whose][: len(numbers)] = [by_name[act["card"]] for act in answers]
    state.look = []


def _move_cards(bout: Bout, frame: Frame, op: MoveCards) -> Flow[None]:
    """Search, recover, discard, mill, exile or summon (KN-6.71)."""
    state, whose = bout.state, _seat(frame, op.who)
    n = bout.reading.amount(frame, op.n)
    if n is None or (op.to == "field" and not state.free(state.knights, whose)):  # KN-6.71d
        return
    searching = op.source == "deck" and op.pick == "choose"
    if searching:
        bout.emit("search_started", seat=_seat(frame, op.by), whose=whose)
    picked = yield from _picked(bout, frame, op, whose, n)
    if op.to == "field":
        yield from _summon(bout, frame, whose, picked)
    elif searching and op.to.startswith("deck"):  # KN-6.71b: the shuffle comes first
        _shuffle_without(bout, whose, picked)
        _move(bout, frame, op, whose, picked)
        state.look = []
        return
    else:
        _move(bout, frame, op, whose, picked)
    state.look = []
    if searching:
        bout.table.chance.shuffle(state.deck[whose], f"shuffle of deck {whose}")
        bout.emit("deck_shuffled", seat=whose)


def _shuffle_without(bout: Bout, whose: int, picked: Sequence[int]) -> None:
    """Shuffle a deck around cards that are put on its top or bottom afterwards."""
    deck = bout.state.deck[whose]
    rest = [number for number in deck if number not in picked]
    bout.table.chance.shuffle(rest, f"shuffle of deck {whose}")
    deck[:] = [*picked, *rest]
    bout.emit("deck_shuffled", seat=whose)


def _picked(bout: Bout, frame: Frame, op: MoveCards, whose: int, n: int) -> Flow[list[int]]:
    """Give the cards that move, in the order in which they do (KN-6.71b)."""
    pile = list(getattr(bout.state, op.source)[whose])
    if op.pick == "top":
        return pile[:n]
    found = [number for number in pile if _matches(bout, op, whose, number)]
    if op.pick == "all":
        return found
    if op.pick == "random":
        return at_random(bout, found, n)
    return (yield from _choose(bout, frame, op, whose, found, min(n, len(found))))


def _matches(bout: Bout, op: MoveCards, whose: int, number: int) -> bool:
    piece = bout.state.pieces[number]
    if op.to == "field" and (bout.cards[piece.key].kind != "knight" or has_equal(bout, whose, piece.key)):
        return False  # KN-6.71d, KN-4.30
    return bout.reading.fits(number, op.wanted, whose)


def _choose(bout: Bout, frame: Frame, op: MoveCards, whose: int, found: list[int], most: int) -> Flow[list[int]]:
    """Let a seat choose. From a hidden pile it is always asked, so that nothing tells what is there (KN-5.40)."""
    state, seat = bout.state, _seat(frame, op.by)
    least = 0 if op.up_to or op.source == "deck" else most  # KN-6.11
    if op.source == "discard":
        if least == most == len(found):
            return found
        names = [state.pieces[number].id for number in found]
        return (yield from choose_cards(bout, seat, names, found, least, most, bout.about(frame)))
    if op.source == "hand":
        if not state.hand[whose]:
            return []
        if whose == seat:
            names = [state.pieces[number].id for number in found]
            return (yield from choose_cards(bout, seat, names, found, least, most, bout.about(frame)))
    look_at(bout, seat, state.hand[whose] if op.source == "hand" else found)  # KN-6.71e
    sort_look(bout)
    offered = [looked for looked in state.look if looked.card in found]
    names, numbers = [looked.id for looked in offered], [looked.card for looked in offered]
    return (yield from choose_cards(bout, seat, names, numbers, least, most, bout.about(frame)))


def _move(bout: Bout, frame: Frame, op: MoveCards, whose: int, picked: Sequence[int]) -> None:
    """Move cards one by one and tell each audience what it may know (KN-2.39 to KN-2.41, KN-6.71a)."""
    goal = op.to
    assert goal != "field"  # that is _summon
    public = goal in PUBLIC or op.source == "discard" or op.reveals
    first = goal not in PUBLIC and not (op.source == "deck" and op.pick != "choose")
    if first:  # from a place where somebody knows them: told while they still lie there
        _tell_moved(bout, frame, op, whose, picked, public)
    for number in picked:
        take_out(bout, number)
        into_pile(bout, number, goal)
    if not first:
        _tell_moved(bout, frame, op, whose, picked, public)


def _tell_moved(bout: Bout, frame: Frame, op: MoveCards, whose: int, picked: Sequence[int], public: bool) -> None:
    pieces = bout.state.pieces
    fields: dict[str, Any] = {"seat": whose, "from": op.source, "to": op.to, "n": len(picked)}
    if public:
        cards = [shown(pieces[n]) if op.to in PUBLIC else {"card": pieces[n].key} for n in picked]
        bout.emit("cards_moved", cards=cards, **fields)
        return
    known = {"cards": [{"card": pieces[number].key} for number in picked]}
    knowing = {_seat(frame, op.by)} if op.pick == "choose" else set()
    if op.source == "hand" or (op.source == "deck" and op.to == "hand"):
        knowing.add(whose)
    bout.emit("cards_moved", secret=dict.fromkeys(sorted(knowing), known), **fields)


def _summon(bout: Bout, frame: Frame, whose: int, picked: Sequence[int]) -> Flow[None]:
    """Put knights into play; each needs an empty slot and no equal when its turn comes (KN-6.71d)."""
    state = bout.state
    for number in picked:
        slots = state.free(state.knights, whose)
        if not slots or has_equal(bout, whose, state.pieces[number].key):
            continue
        slot = yield from choose_slot(bout, frame.seat, slots, bout.about(frame))
        take_out(bout, number)
        state.look = [looked for looked in state.look if looked.card != number]
        enter(bout, number, whose, slot)
        entered(bout, number)


DONE: dict[type[Any], Callable[[Bout, Frame, Any], Flow[None]]] = {Draw: _draw, Peek: _peek, MoveCards: _move_cards}
