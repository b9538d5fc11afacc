"""What can happen to knights in play: wounds, healing, cosmos, states, possession (KN-6.3, KN-6.61 to KN-6.68).

Owns changes and how they are told. Asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.knights.bout import Board, Bout
from engines.knights.piles import place_of
from engines.knights.reading import Frame
from engines.knights.settling import settle, take_stance
from engines.knights.state import Mention, Modifier
from engines.knights.terms import BETA, TURNS, Duration, StateId, Turns
from engines.knights.triggers import happen


def wound(bout: Bout, losses: Mapping[int, int]) -> list[Mention]:
    """Take Pv off several knights at once; give those that lost any. No state check (KN-6.62, KN-6.86)."""
    hurt = []
    for number, loss in losses.items():
        knight = bout.state.knight(number)
        lost = min(loss, knight.pv)
        knight.pv -= lost
        bout.touch()
        bout.emit("pv_changed", knight=place_of(bout, number), amount=-lost, pv=knight.pv)
        if lost:
            hurt.append(bout.state.mention(number))
    return hurt


def tell_damaged(bout: Bout, hurt: Iterable[Mention]) -> None:
    """Queue ``damaged`` for knights that are still in play, after the state check (KN-6.50)."""
    for mention in hurt:
        if bout.state.lies(mention):
            happen(bout, "damaged", mention.card)


def damage(bout: Bout, losses: Mapping[int, int]) -> None:
    """Do damage by an effect: armour and stance do not help against it (KN-6.62, KN-4.13)."""
    hurt = wound(bout, losses)
    settle(bout)
    tell_damaged(bout, hurt)


def heal(bout: Bout, number: int, n: int) -> None:
    """Give Pv back, up to the maximum; what is told is what was gained (KN-2.20, KN-6.63)."""
    knight = bout.state.knight(number)
    gained = min(n, knight.max_pv - knight.pv)
    knight.pv += gained
    bout.touch()
    bout.emit("pv_changed", knight=place_of(bout, number), amount=gained, pv=knight.pv)


def change_pc(bout: Bout, number: int, n: int) -> None:
    """Give or take cosmos, within 0 and the maximum (KN-6.64)."""
    knight = bout.state.knight(number)
    new = min(knight.max_pc, max(0, knight.pc + n))
    amount, knight.pc = new - knight.pc, new
    bout.touch()
    bout.emit("pc_changed", knight=place_of(bout, number), amount=amount, pc=new)


def set_acted(bout: Bout, number: int, acted: bool) -> None:
    bout.state.knight(number).acted = acted
    bout.touch()


def inflict(bout: Bout, frame: Frame, number: int, state_id: StateId, turns: int | None) -> None:
    """Put a knight into a bad state, unless something saves it (KN-6.30 to KN-6.37)."""
    knight = bout.state.knight(number)
    if state_id in bout.survey.reading.values[number].immune:
        _tell_resisted(bout, number, state_id, "immune")
        return
    if bout.options.state_set == "beta" and state_id not in BETA:  # KN-6.30, I-31
        _tell_resisted(bout, number, state_id, "state_set")
        return
    if state_id == "pos" and not _possess(bout, frame.seat, number):
        return
    if state_id == "par" and "cng" in knight.states:  # KN-6.33
        return
    if state_id == "cng":  # KN-6.33, I-27
        _lose_state(bout, number, "par", "cng")
    if state_id == "nse" and knight.stance == "evade":  # KN-6.35
        take_stance(bout, number, "attack")
    _gain_state(bout, number, state_id, turns or TURNS.get(state_id, 0))


def _gain_state(bout: Bout, number: int, state_id: StateId, turns: int) -> None:
    """Note a state with its count; a second one of a kind only lengthens it (KN-6.30)."""
    knight = bout.state.knight(number)
    known = knight.states.get(state_id)
    longest = max(turns, known[0]) if known else turns
    knight.states[state_id] = [longest, bout.state.turn]
    bout.touch()
    bout.emit("state_gained", knight=place_of(bout, number), state=state_id, turns=longest)
    if known is None:
        happen(bout, "state_gained", number)


def _tell_resisted(bout: Bout, number: int, state_id: str, reason: str) -> None:
    bout.emit("state_resisted", knight=place_of(bout, number), state=state_id, reason=reason)


def _possess(bout: Bout, seat: int, number: int) -> bool:
    """Take a knight that the foe controls and owns to the own side (KN-6.36, I-29); say whether it went."""
    state = bout.state
    piece = state.pieces[number]
    if not piece.side == piece.owner == 1 - seat:
        return False
    slots = state.free(state.knights, seat)
    if not slots or has_equal(bout, seat, piece.key):
        _tell_resisted(bout, number, "pos", "no_room" if not slots else "duplicate")
        return False
    home = piece.slot
    state.reserved[piece.owner][home - 1] = number
    _walk(bout, number, seat, slots[0])
    take_stance(bout, number, "attack")
    place = place_of(bout, number)
    bout.emit("control_changed", knight=place, **{"from": {"seat": 1 - seat, "slot": home}, "to": place, "home": home})
    return True


def go_home(bout: Bout, number: int) -> None:
    """Return a possessed knight to its own slot (KN-6.36)."""
    state = bout.state
    piece = state.pieces[number]
    origin = place_of(bout, number)
    home = state.reserved[piece.owner].index(number) + 1
    state.reserved[piece.owner][home - 1] = None
    _walk(bout, number, piece.owner, home)
    take_stance(bout, number, "attack")
    place = place_of(bout, number)
    bout.emit("control_changed", knight=place, **{"from": origin, "to": place, "home": home})


def _walk(bout: Bout, number: int, seat: int, slot: int) -> None:
    state = bout.state
    piece = state.pieces[number]
    state.knights[piece.side][piece.slot - 1] = None
    piece.side, piece.slot = seat, slot
    state.knights[seat][slot - 1] = number
    bout.touch()


def move_to(bout: Bout, number: int, slot: int) -> None:
    """Move a knight to an empty slot of its side (KN-4.32, KN-6.74)."""
    origin = place_of(bout, number)
    _walk(bout, number, bout.state.pieces[number].side, slot)
    bout.emit("knight_moved", **{"from": origin, "to": place_of(bout, number)})


def swap(bout: Bout, one: int, other: int) -> None:
    """Let two knights of one side change places (KN-6.74)."""
    state = bout.state
    left, right = state.pieces[one], state.pieces[other]
    left.slot, right.slot = right.slot, left.slot
    for number, piece in ((one, left), (other, right)):
        state.knights[piece.side][piece.slot - 1] = number
    bout.touch()
    bout.emit("knight_moved", **{"from": place_of(bout, other), "to": place_of(bout, one)})


def has_equal(board: Board, seat: int, key: str) -> bool:
    """Say whether a seat controls an equal knight, or owns one anywhere on the field (KN-4.30, I-19)."""
    state = board.state
    both = board.options.duplicate_scope == "both"
    pieces = (state.pieces[number] for number in state.in_play())
    return any(piece.key == key and (both or seat in (piece.side, piece.owner)) for piece in pieces)


def cure(bout: Bout, number: int, states: Iterable[StateId]) -> None:
    """Take states away; a possessed knight goes home (KN-6.37, KN-6.67)."""
    for state_id in states:
        _lose_state(bout, number, state_id, "cured")


def _lose_state(bout: Bout, number: int, state_id: StateId, reason: str) -> None:
    knight = bout.state.knight(number)
    if state_id not in knight.states:
        return
    del knight.states[state_id]
    bout.touch()
    bout.emit("state_lost", knight=place_of(bout, number), state=state_id, reason=reason)
    if state_id == "pos":
        go_home(bout, number)


def count_down(bout: Bout, number: int, state_id: StateId, *, also_new: bool) -> None:
    """Count a state down by one turn; one received in this very turn waits unless ``also_new`` (KN-6.30, KN-6.36)."""
    knight = bout.state.knight(number)
    counted = knight.states.get(state_id)
    if counted is None or not (also_new or counted[1] < bout.state.turn):
        return
    counted[0] -= 1
    bout.touch()
    if counted[0] == 0:
        _lose_state(bout, number, state_id, "over")


def until(bout: Bout, frame: Frame, duration: Duration | None) -> tuple[str, int] | None:
    """Spell a duration as it is kept; None if it is over at once (KN-6.20 to KN-6.24)."""
    match duration:
        case None | "turn":
            return "turns", bout.state.turn  # KN-6.22: shorthand
        case Turns(turns=turns):
            return "turns", bout.state.turn + turns
        case "attack":
            return ("attack", 0) if bout.state.attack is not None else None
        case "my_next_turn":
            return "my_next_turn", frame.seat
        case _:
            return duration, 0


def add_modifier(bout: Bout, modifier: Modifier) -> None:
    """Put a modifier on a knight; an op that lasts with its source is never twice in force (KN-6.23)."""
    if modifier.duration == "while_source" and is_kept_up(bout, modifier):
        return
    bout.state.modifiers.append(modifier)
    bout.touch()
    fields: dict[str, Any] = {"knight": place_of(bout, modifier.target.card), "duration": modifier.duration}
    if modifier.kind == "stat":
        value = getattr(bout.reading.values[modifier.target.card], modifier.what)
        bout.emit("stat_changed", stat=modifier.what, amount=modifier.n, value=value, **fields)
    else:
        bout.emit("keyword_changed", keyword=modifier.what, states=list(modifier.states), **fields)


def is_kept_up(bout: Bout, modifier: Modifier) -> bool:
    """Say whether the same op of the same source is in force on the same target."""
    wanted = (modifier.source, modifier.target, modifier.op)
    return any((m.source, m.target, m.op) == wanted for m in bout.state.modifiers if m.duration == "while_source")


def expire(bout: Bout, duration: str, at: int) -> None:
    """End what lasts until now (KN-4.2, KN-4.8, KN-4.25)."""
    state = bout.state
    ended = [m for m in state.modifiers if (m.duration, m.until) == (duration, at)]
    if ended:
        state.modifiers = [m for m in state.modifiers if m not in ended]
        bout.touch()
    lifted = [r for r in state.restrictions if (r.duration, r.until) == (duration, at)]
    if lifted:
        state.restrictions = [r for r in state.restrictions if r not in lifted]
        for restriction in lifted:
            bout.emit("restriction_changed", seat=restriction.seat, what=restriction.what, duration="")
