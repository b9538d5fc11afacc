"""The state check: maxima, stances, destruction, the end (KN-4.9)."""

from __future__ import annotations

from engines.knights.bout import Bout, Over
from engines.knights.ends import finish
from engines.knights.piles import leave
from engines.knights.state import Result, shown
from engines.knights.triggers import fall


def settle(bout: Bout) -> None:
    """Check the state once; raises Over if the match has ended (KN-4.9)."""
    _adopt_values(bout)
    state = bout.state
    order = (*state.knights[state.active], *state.knights[1 - state.active])
    fallen = [number for number in order if number is not None and state.knight(number).pv == 0]
    places = [(number, state.pieces[number].side, state.pieces[number].slot) for number in fallen]
    for number, side, slot in places:
        piece = state.pieces[number]
        bout.emit("knight_destroyed", card=shown(piece), owner=piece.owner, controller=side, slot=slot)
    for number in fallen:
        leave(bout, number, "discard", "destroyed")
    if fallen and bout.options.destroy_costs_pvd:  # KN-4.11, I-5, I-46
        for seat in (state.active, 1 - state.active):
            change_pvd(bout, seat, -sum(side == seat for _, side, _ in places))
    _find_end(bout)
    for number, side, slot in places:
        fall(bout, number, side, slot)
    if fallen:
        _adopt_values(bout)


def change_pvd(bout: Bout, seat: int, n: int) -> None:
    """Change a seat's divine life, within 0 and what its deity has printed (KN-2.10, KN-6.65)."""
    state = bout.state
    most = bout.cards.deities[state.deity[seat]].pvd
    new = min(most, max(0, state.pvd[seat] + n))
    if n:
        amount, state.pvd[seat] = new - state.pvd[seat], new
        bout.touch()
        bout.emit("pvd_changed", seat=seat, amount=amount, pvd=new)


def _find_end(bout: Bout) -> None:
    """End the match if divine life is gone: both at one check is a draw (KN-8.1, KN-8.2, I-33)."""
    lost = [seat for seat in (0, 1) if bout.state.pvd[seat] == 0]
    if not lost:
        return
    result = Result(None, "draw") if len(lost) == 2 else Result(1 - lost[0], "pvd")
    finish(bout.table, result)
    raise Over


def _adopt_values(bout: Bout) -> None:
    """Let counters follow their maxima (KN-2.20), and stances what forbids them (KN-4.9, KN-6.90)."""
    state, found = bout.state, bout.survey
    for number in list(state.in_play()):
        knight, value = state.knight(number), found.reading.values[number]
        if (knight.max_pv, knight.max_pc) != (value.max_pv, value.max_pc):
            _adopt_maxima(bout, number, value.max_pv, value.max_pc)
        barred = (knight.stance == "evade" and ("nse" in knight.states or "no_evade" in value.keywords)) or (
            knight.stance == "defend" and "no_defend" in value.keywords
        )
        if barred:
            take_stance(bout, number, "attack")


def _adopt_maxima(bout: Bout, number: int, max_pv: int, max_pc: int) -> None:
    knight = bout.state.knight(number)
    knight.pv = min(max_pv, knight.pv + max(0, max_pv - knight.max_pv))
    knight.pc = min(max_pc, knight.pc + max(0, max_pc - knight.max_pc))
    knight.max_pv, knight.max_pc = max_pv, max_pc
    bout.touch()


def take_stance(bout: Bout, number: int, stance: str) -> None:
    """Let a knight take a stance."""
    knight, piece = bout.state.knight(number), bout.state.pieces[number]
    if knight.stance != stance:
        knight.stance = stance  # type: ignore[assignment]
        bout.touch()
        bout.emit("stance_changed", knight={"seat": piece.side, "slot": piece.slot}, stance=stance)
