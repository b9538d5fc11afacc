"""The reaction window (KN-4.26). Whether it opens, and for how long, follows from public facts only."""

from __future__ import annotations

from engines.knights import changes
from engines.knights.bout import Bout, ask
from engines.knights.effects import perform
from engines.knights.piles import place_of, turn_up
from engines.knights.reading import Frame
from engines.knights.resolving import drain
from engines.knights.state import Attack, shown
from engines.knights.techniques import is_in_force
from engines.knights.triggers import happen
from engines.rules import Act, Flow, pick

HOLD_MS = 1500  # KN-4.26, KN-9.2


def reaction_window(bout: Bout, attack: Attack) -> Flow[None]:
    """Give the defending seat the chance to use one D technique (KN-4.17, KN-5.32)."""
    seat = 1 - attack.seat
    if not _opens(bout, attack, seat):
        return
    bout.emit("reaction_window", seat=seat)
    acts: list[Act] = [{"do": "pass"}]
    slots = [bout.state.pieces[number].slot for number in eligible(bout, attack, seat)]
    acts += [{"do": "react", "slot": slot} for slot in slots]
    prompt = pick(seat, "reaction", acts, rule="KN-4.26", hold_ms=HOLD_MS, about=_about(bout, attack))
    (answer,) = yield from ask(bout, prompt)
    if answer["do"] == "pass":
        bout.emit("reaction_passed", seat=seat)
        return
    number = bout.state.support[seat][answer["slot"] - 1]
    assert number is not None  # it was offered
    yield from _react(bout, seat, number)


def _about(bout: Bout, attack: Attack) -> Act:
    technique = None if attack.technique is None else bout.state.pieces[attack.technique].key
    targets = [place_of(bout, mention.card) for mention in attack.targets if bout.state.lies(mention)]
    return {"attacker": place_of(bout, attack.attacker.card), "technique": technique, "targets": targets}


def _opens(bout: Bout, attack: Attack, seat: int) -> bool:
    """Ask public facts alone: any face-down card, whatever it is, or an eligible one that lies open (KN-4.26)."""
    state = bout.state
    present = state.lies(attack.attacker) and state.pieces[attack.attacker.card].side == attack.seat
    aimed = any(state.lies(m) and state.pieces[m.card].side == seat for m in attack.targets)
    if attack.negated or not present or not aimed:
        return False
    hidden = any(number is not None and not state.pieces[number].up for number in state.support[seat])
    return hidden or any(state.pieces[number].up for number in eligible(bout, attack, seat))


def eligible(bout: Bout, attack: Attack, seat: int) -> list[int]:
    """List the D techniques with which a seat may react, by slot (KN-4.26)."""
    row = bout.state.support[seat]
    return [number for number in row if number is not None and _is_eligible(bout, attack, seat, number)]


def _is_eligible(bout: Bout, attack: Attack, seat: int, number: int) -> bool:
    state, piece = bout.state, bout.state.pieces[number]
    card, host = bout.cards[piece.key], piece.host
    if card.level != "D" or not card.react or host is None or state.pieces[host].side != seat:
        return False
    knight = state.knight(host)
    if "par" in knight.states or "cng" in knight.states or bout.survey.has(host, "no_react"):  # KN-4.7
        return False
    aimed = [m.card for m in attack.targets if state.lies(m) and state.pieces[m.card].side == seat]
    covered = bool(aimed) if card.protects == "ally" else host in aimed
    return covered and knight.pc >= (card.cost or 0) and not is_in_force(bout, number, card.react)


def _react(bout: Bout, seat: int, number: int) -> Flow[None]:
    """Pay, turn up, run ``react`` completely (KN-4.26, I-16)."""
    piece = bout.state.pieces[number]
    host = piece.host
    assert host is not None  # it is eligible
    card = bout.cards[piece.key]
    changes.change_pc(bout, host, -(card.cost or 0))
    turn_up(bout, number)
    bout.emit("reacted", seat=seat, slot=piece.slot, card=shown(piece), host=place_of(bout, host))
    yield from perform(bout, Frame(seat, bout.state.mention(number)), card.react)
    if bout.state.pieces[host].knight is not None:
        happen(bout, "technique_used", host)
    yield from drain(bout)
