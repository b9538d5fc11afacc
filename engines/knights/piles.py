"""How cards come into hands, decks and discard piles, and leave the field (KN-2, KN-4.10, KN-6.71a).

Owns ids, marks and links. Knows no effect and no rule of fighting.
"""

from __future__ import annotations

from typing import Any, Literal

from engines.knights.bout import Bout
from engines.knights.state import FIELD, Knight, Piece, shown
from engines.knights.triggers import happen

Goal = Literal["hand", "discard", "deck_top", "deck_bottom", "exile"]
Reason = Literal["destroyed", "discarded", "replaced", "host_gone", "resolved", "effect"]
PUBLIC = ("discard", "exile")


def draw(bout: Bout, seat: int, count: int) -> None:
    """Draw cards one by one; an empty deck is told and costs nothing (KN-2.30, KN-2.31, KN-6.70, KN-8.3)."""
    state = bout.state
    for _ in range(count):
        if not state.deck[seat]:
            bout.emit("deck_empty", seat=seat)
            return
        number = state.deck[seat].pop(0)
        into_pile(bout, number, "hand")
        secret = {seat: {"card": shown(state.pieces[number])}}
        bout.emit("card_drawn", secret=secret, seat=seat, deck=len(state.deck[seat]), hand=len(state.hand[seat]))


def into_pile(bout: Bout, number: int, goal: Goal) -> None:
    """Put a card that lies nowhere into a pile of its owner (KN-6.71a). In a hidden one it gets a new name."""
    state = bout.state
    piece = state.pieces[number]
    if goal in PUBLIC and not is_public(piece):
        bout.name_public(number)
    elif goal == "hand":
        piece.id = bout.table.handle(piece.owner)
    elif goal not in PUBLIC:
        piece.id = ""
    piece.zone = "deck" if goal.startswith("deck") else goal  # type: ignore[assignment]
    piece.up, piece.slot, piece.side = True, 0, piece.owner
    pile: list[int] = getattr(state, piece.zone)[piece.owner]
    pile.insert(0 if goal == "deck_top" else len(pile), number)


def is_public(piece: Piece) -> bool:
    """Say whether everybody sees what this card is."""
    return piece.up and piece.zone not in ("deck", "hand")


def leave(bout: Bout, number: int, goal: Goal, reason: Reason) -> None:
    """Take a card off the field, with all that is linked to it (KN-2.21, KN-4.10)."""
    state = bout.state
    piece = state.pieces[number]
    place = {"zone": piece.zone, "seat": piece.side, "slot": piece.slot}
    linked = list(state.linked(number)) if piece.zone == "knight" else []
    hidden, before = not piece.up, shown(piece)
    lift(bout, number)
    piece.up = not hidden
    into_pile(bout, number, goal)
    _tell_left(bout, piece, before, hidden and goal not in PUBLIC, place, goal, reason)
    for other in linked:
        leave(bout, other, "discard", "host_gone")


def _tell_left(
    bout: Bout, piece: Piece, before: dict[str, Any], hidden: bool, place: dict[str, Any], goal: Goal, reason: Reason
) -> None:
    """Tell that a card left; from a hidden place to a hidden one only its owner is told which (KN-2.35, KN-2.41)."""
    fields = {"owner": piece.owner, "from": place, "to": goal, "reason": reason}
    if hidden:
        known = {"card": {"card": before["card"]}} if goal == "hand" else {}
        bout.emit("card_left", secret={piece.owner: known}, **fields)
        return
    card = shown(piece) if goal in PUBLIC else before
    bout.emit("card_left", card=card, **fields)


def lift(bout: Bout, number: int) -> None:
    """Take a card out of its place on the field: it keeps nothing but its uses of the match (KN-2.21)."""
    state = bout.state
    piece = state.pieces[number]
    mention = state.mention(number)
    vacate(bout, number)
    state.modifiers = [
        m for m in state.modifiers if m.target != mention and not (m.duration == "while_source" and m.source == mention)
    ]
    state.restrictions = [r for r in state.restrictions if r.duration != "while_source" or r.source != mention]
    piece.mark += 1
    piece.host = piece.knight = None
    bout.touch()


def vacate(bout: Bout, number: int) -> None:
    """Empty the place in which a card lies; a possessed knight frees its reserved slot too (KN-6.36)."""
    state = bout.state
    piece = state.pieces[number]
    if piece.zone == "scenario":
        state.scenario = None
    elif piece.zone == "helper":
        state.helper[piece.owner] = None
    elif piece.zone in FIELD:
        rows = state.knights if piece.zone == "knight" else state.support
        rows[piece.side][piece.slot - 1] = None
        if piece.zone == "knight" and number in state.reserved[piece.owner]:
            state.reserved[piece.owner][state.reserved[piece.owner].index(number)] = None


def enter(bout: Bout, number: int, seat: int, slot: int) -> None:
    """Put a knight that lies nowhere into play, fresh (KN-5.1)."""
    state = bout.state
    piece, card = state.pieces[number], bout.cards[state.pieces[number].key]
    if not is_public(piece):
        bout.name_public(number)
    piece.zone, piece.side, piece.slot, piece.up = "knight", seat, slot, True
    piece.knight = Knight(card.pv, card.pc, card.pv, card.pc)
    state.knights[seat][slot - 1] = number
    bout.touch()
    bout.emit("knight_entered", seat=seat, slot=slot, card=shown(piece))


def take_out(bout: Bout, number: int) -> None:
    """Take a card out of the pile in which it lies; its zone still tells which that was."""
    piece = bout.state.pieces[number]
    getattr(bout.state, piece.zone)[piece.owner].remove(number)


def turn_up(bout: Bout, number: int) -> None:
    """Turn a technique face up: it and its host are public from now on (KN-2.36)."""
    piece = bout.state.pieces[number]
    if piece.up:
        return
    piece.up = True
    bout.name_public(number)
    bout.touch()
    tell_face(bout, number)


def turn_down(bout: Bout, number: int) -> None:
    """Turn a technique face down: its owner alone has a name for it, and what it kept up ends (KN-6.23, KN-6.75)."""
    state = bout.state
    piece, mention = state.pieces[number], state.mention(number)
    if not piece.up:
        return
    bout.emit("technique_flipped", seat=piece.owner, slot=piece.slot, face="down", card=shown(piece))
    piece.up = False
    piece.id = bout.table.handle(piece.owner)
    state.modifiers = [m for m in state.modifiers if m.duration != "while_source" or m.source != mention]
    state.restrictions = [r for r in state.restrictions if r.duration != "while_source" or r.source != mention]
    bout.touch()


def tell_face(bout: Bout, number: int) -> None:
    piece = bout.state.pieces[number]
    host = host_slot(bout, number)
    bout.emit("technique_flipped", seat=piece.owner, slot=piece.slot, face="up", card=shown(piece), host=host)


def host_slot(bout: Bout, number: int) -> dict[str, int] | None:
    """Say where the knight stands to which a support card is linked."""
    host = bout.state.pieces[number].host
    return None if host is None else place_of(bout, host)


def place_of(bout: Bout, number: int) -> dict[str, int]:
    """Name a knight by where it stands."""
    piece = bout.state.pieces[number]
    return {"seat": piece.side, "slot": piece.slot}


def entered(bout: Bout, number: int) -> None:
    """Queue what a knight's coming into play triggers (KN-6.50)."""
    happen(bout, "knight_entered", number)
