"""Playing cards from the hand, one function a kind (KN-5.1 to KN-5.5, KN-5.8)."""

from __future__ import annotations

from engines.knights.bout import Bout
from engines.knights.effects import perform
from engines.knights.piles import enter, entered, host_slot, leave
from engines.knights.reading import Frame
from engines.knights.settling import settle
from engines.knights.state import shown
from engines.knights.triggers import happen
from engines.rules import Act, Flow


def _from_hand(bout: Bout, seat: int, act: Act) -> int:
    state = bout.state
    number = next(number for number in state.hand[seat] if state.pieces[number].id == act["card"])
    state.hand[seat].remove(number)
    return number


def _into_support(bout: Bout, seat: int, number: int, act: Act) -> int:
    """Lay a card into a support slot, by default the lowest empty one (KN-5)."""
    state, piece = bout.state, bout.state.pieces[number]
    slot = int(act.get("slot") or state.free(state.support, seat)[0])
    piece.zone, piece.side, piece.slot = "support", seat, slot
    piece.up = act.get("face") != "down"
    state.support[seat][slot - 1] = number
    if piece.up:
        bout.name_public(number)
    if "host" in act:
        piece.host = state.knights[seat][act["host"] - 1]
    bout.touch()
    return slot


def play_knight(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Bring a knight into play (KN-5.1)."""
    number = _from_hand(bout, seat, act)
    bout.state.knight_played = True  # KN-4.5
    enter(bout, number, seat, act["slot"])
    settle(bout)
    if bout.state.pieces[number].zone == "knight":
        happen(bout, "played", number)
        entered(bout, number)
    yield from ()


def play_technique(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Lay a technique, linked to its knight for good; face down its owner alone is told which (KN-5.2, KN-2.34)."""
    number = _from_hand(bout, seat, act)
    slot = _into_support(bout, seat, number, act)
    known = {"card": shown(bout.state.pieces[number]), "host": host_slot(bout, number)}
    if act["face"] == "up":
        bout.emit("technique_set", seat=seat, slot=slot, face="up", **known)
    else:
        bout.emit("technique_set", secret={seat: known}, seat=seat, slot=slot, face="down")
    yield from ()


def play_object(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Equip a knight (KN-5.3)."""
    number = _from_hand(bout, seat, act)
    slot = _into_support(bout, seat, number, act)
    card, host = shown(bout.state.pieces[number]), host_slot(bout, number)
    bout.emit("object_equipped", seat=seat, slot=slot, card=card, host=host)
    settle(bout)
    happen(bout, "played", number)
    yield from ()


def play_occasion(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Let an occasion happen; it lies in a support slot until it is done (KN-5.4, I-39)."""
    state = bout.state
    number = _from_hand(bout, seat, act)
    slot = _into_support(bout, seat, number, act)
    state.resolving = number
    bout.emit("occasion_played", seat=seat, slot=slot, card=shown(state.pieces[number]))
    yield from perform(bout, Frame(seat, state.mention(number)), bout.cards[state.pieces[number].key].effects)
    leave(bout, number, "discard", "resolved")
    state.resolving = None
    happen(bout, "occasion_played", side=seat)


def play_scenario(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Change the scenario; an older one, of either seat, is discarded first (KN-5.5, I-40)."""
    state = bout.state
    number = _from_hand(bout, seat, act)
    if state.scenario is not None:
        leave(bout, state.scenario, "discard", "replaced")
    state.pieces[number].zone, state.pieces[number].side, state.pieces[number].slot = "scenario", seat, 1
    state.scenario = number
    _tell_played(bout, seat, number, "scenario_played")
    yield from ()


def play_helper(bout: Bout, seat: int, act: Act) -> Flow[None]:
    """Take a helper; an older one of the own is discarded first (KN-5.8, I-40)."""
    state = bout.state
    number = _from_hand(bout, seat, act)
    older = state.helper[seat]
    if older is not None:
        leave(bout, older, "discard", "replaced")
    state.pieces[number].zone, state.pieces[number].side, state.pieces[number].slot = "helper", seat, 1
    state.helper[seat] = number
    _tell_played(bout, seat, number, "helper_played")
    yield from ()


def _tell_played(bout: Bout, seat: int, number: int, event: str) -> None:
    bout.name_public(number)
    bout.touch()
    bout.emit(event, seat=seat, card=shown(bout.state.pieces[number]))
    settle(bout)
    happen(bout, "played", number)
