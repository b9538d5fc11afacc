"""What the active seat may do now and, where it may not, the first error that fits (KN-5).

Owns the order of tests. The options of a turn, the seat's view and ``explain`` all read the same answers.
Everything here follows from what that seat sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.knights.bout import Board
from engines.knights.cards import Blow, Card
from engines.knights.changes import has_equal
from engines.knights.conditions import Selector
from engines.knights.reading import Frame
from engines.knights.state import Mention
from engines.knights.survey import in_force
from engines.knights.techniques import is_in_force, may_host
from engines.knights.terms import SLOTS
from engines.knights.triggers import may_use
from engines.knights.words import Ability, Cost, Effects, MoveCards

Code = str | None
Limits = dict[str, Any]


def limits(board: Board, seat: int) -> Limits:
    """Give, for everything that the active seat might try, None or the error code.

    ``hand``: by card id, before and after the test of a slot, and by host; ``targets``: of a plain attack.
    """
    state = board.state
    return {
        "hand": {state.pieces[number].id: _play(board, seat, number) for number in state.hand[seat]},
        "knights": {str(slot): _knight(board, seat, n) for slot, n in _taken(state.knights[seat])},
        "targets": {str(slot): code for slot, code in target_codes(board, seat, SLOTS).items()},
        "support": {str(slot): _support(board, seat, n) for slot, n in _taken(state.support[seat])},
        "helper": _helper(board, seat),
    }


def _taken(row: list[int | None]) -> Iterator[tuple[int, int]]:
    for slot, number in enumerate(row, 1):
        if number is not None:
            yield slot, number


def _first(*codes: tuple[bool, str]) -> Code:
    """Give the first error whose test says yes."""
    return next((code for found, code in codes if found), None)


def _play(board: Board, seat: int, number: int) -> dict[str, Any]:
    """Test playing a card of the hand (KN-5.1 to KN-5.5, KN-5.8)."""
    state = board.state
    card = board.cards[state.pieces[number].key]
    shut = (_is_restricted(board, seat, card.kind), "restricted")
    full = (not state.free(state.support, seat), "support_full")
    match card.kind:
        case "knight":
            return {"kind": card.kind, "before": _first(
                shut, (state.knight_played, "knight_already_played"),  # KN-4.5
                (has_equal(board, seat, card.id), "duplicate_knight"),  # KN-4.30
                (not state.free(state.knights, seat), "knights_full"),
            )}  # fmt: skip
        case "technique" | "object":
            return {"kind": card.kind, "before": _first(shut, full), "hosts": _hosts(board, seat, card)}
        case "occasion":
            before = _first((state.turn == 1, "first_turn"), shut, full)  # KN-4.4
            return {"kind": card.kind, "before": before, "after": _occasion(board, seat, number, card)}
        case "trophy":
            return {"kind": card.kind, "before": "wrong_kind"}
        case _:
            return {"kind": card.kind, "before": _first(shut)}


def _is_restricted(board: Board, seat: int, kind: str) -> bool:
    """Say whether an effect forbids a seat a kind of card (KN-6.69)."""
    return kind in board.survey.barred[seat] or any(r.seat == seat and r.what == kind for r in board.state.restrictions)


def may_draw(board: Board, seat: int) -> bool:
    """Say whether a seat gets the card of its turn (KN-4.2)."""
    return not _is_restricted(board, seat, "draw_step")


def _hosts(board: Board, seat: int, card: Card) -> dict[str, Code]:
    """Test every knight of a seat as the host of a technique or object (KN-5.2, KN-5.3)."""
    state = board.state
    codes: dict[str, Code] = {}
    for slot, number in _taken(state.knights[seat]):
        equipped = card.kind == "object" and any(
            board.cards[state.pieces[other].key].kind == "object" for other in state.linked(number)
        )
        codes[str(slot)] = _first(
            (state.pieces[number].owner != seat, "not_yours"),  # KN-6.36
            (not may_host(board, card, number), "not_a_user"),
            (equipped, "already_equipped"),
        )
    return codes


def _occasion(board: Board, seat: int, number: int, card: Card) -> Code:
    frame = Frame(seat, board.state.mention(number))
    return _first(
        (not board.reading.holds(frame, card.when), "condition_not_met"),
        (lacks_target(board, frame, card.effects, number), "no_target"),
    )


def lacks_target(board: Board, frame: Frame, effects: Effects, played: int | None = None) -> bool:
    """Say whether the first effect has to choose and cannot (KN-6.9)."""
    first = effects[0]
    if isinstance(first, MoveCards):
        known = first.source == "discard" or (first.source == "hand" and first.who == "me")
        if first.pick != "choose" or first.up_to or not known:
            return False
        seat = frame.seat if first.who == "me" else 1 - frame.seat
        pile: list[int] = getattr(board.state, first.source)[seat]
        return not any(n != played and board.reading.fits(n, first.wanted, frame.seat) for n in pile)
    selector = getattr(first, "target", None)
    if not isinstance(selector, Selector) or selector.pick != "choose" or selector.up_to:
        return False
    chooser = frame.seat if selector.by == "controller" else 1 - frame.seat
    return not board.reading.among(selector, frame, chooser, frame.seat if chooser == frame.seat else None)


def _knight(board: Board, seat: int, number: int) -> dict[str, Any]:
    """Test the base actions and abilities of a knight (KN-4.6, KN-5.6, KN-5.9 to KN-5.11)."""
    knight, found = board.state.knight(number), board.survey
    words = found.keywords(number)
    tired = ((knight.acted, "already_acted"), (is_incapacitated(board, number), "incapacitated"))
    nse = "nse" in knight.states
    abilities = board.cards.abilities(board.state.pieces[number].key)
    return {
        "attack": _first(
            (board.state.turn == 1, "first_turn"),
            *tired,
            (nse or "no_attack" in words, "cannot_attack"),  # KN-6.35
        ),
        "direct": _first((bool(defenders(board, 1 - seat)) and "direct" not in words, "defenders_present")),  # KN-4.12
        "defend": _first(*tired, ("no_defend" in words, "cannot_defend")),
        "evade": _first(*tired, (nse or "no_evade" in words, "cannot_evade")),
        "abilities": {str(at): _ability(board, seat, number, at, ability) for at, ability in abilities},
    }


def is_incapacitated(board: Board, number: int) -> bool:
    """Say whether a knight loses its turns (KN-4.7)."""
    states = board.state.knight(number).states
    return "par" in states or "cng" in states


def defenders(board: Board, seat: int) -> list[int]:
    """List the knights that keep attacks off a seat (KN-4.11, I-9, KN-5.22)."""
    knights = [number for number in board.state.knights[seat] if number is not None]
    if board.options.defender_rule == "any":
        return knights
    return [number for number in knights if not is_incapacitated(board, number)]


def target_codes(board: Board, seat: int, reach: tuple[int, ...]) -> dict[int, Code]:
    """Test every enemy slot as the single target of an attack of a seat (KN-5.20, KN-5.21, KN-5.23)."""
    row = board.state.knights[1 - seat]
    bare = [n for n in row if n is not None and not board.survey.has(n, "untargetable")]
    codes: dict[int, Code] = {}
    for slot in SLOTS:
        number = row[slot - 1]
        codes[slot] = _first(
            (number is None, "no_such_target"),
            (slot not in reach, "out_of_reach"),
            (number is not None and number not in bare and bool(bare), "untargetable"),
        )
    guards = [s for s in SLOTS if codes[s] is None and board.survey.has(row[s - 1] or 0, "guard")]
    for slot in SLOTS:
        if codes[slot] is None and guards and slot not in guards:
            codes[slot] = "guarded"
    return codes


def _ability(board: Board, seat: int, number: int, at: int, ability: Ability) -> Code:
    """Test activating an ability of a knight (KN-5.11)."""
    state = board.state
    mention = state.mention(number)
    if ability.kind != "activated" or not in_force(board.cards, state, number, at):
        return "not_usable"
    takes_action = ability.action is not False
    return _first(
        (state.turn == 1, "first_turn"),  # KN-4.4
        (takes_action and state.knight(number).acted, "already_acted"),
        (is_incapacitated(board, number), "incapacitated"),
    ) or _activation(board, seat, mention, at, ability)


def _helper(board: Board, seat: int) -> Code:
    """Test activating the helper (KN-5.11)."""
    number = board.state.helper[seat]
    if number is None:
        return "no_such_card"
    found = activated_of_helper(board, number)
    return "not_usable" if found is None else _activation(board, seat, board.state.mention(number), *found)


def activated_of_helper(board: Board, number: int) -> tuple[int, Ability] | None:
    """Give the one activated ability that a helper may have (KN-6.1)."""
    abilities = board.cards.abilities(board.state.pieces[number].key)
    return next(((at, ability) for at, ability in abilities if ability.kind == "activated"), None)


def _activation(board: Board, seat: int, source: Mention, at: int, ability: Ability) -> Code:
    frame = Frame(seat, source)
    return _first(
        (not may_use(board, seat, source, at, ability), "use_limit"),
        (not board.reading.holds(frame, ability.when), "condition_not_met"),
        (not _can_pay(board, seat, source.card, ability.cost), "cannot_pay"),
        (lacks_target(board, frame, ability.effects), "no_target"),
    )


def _can_pay(board: Board, seat: int, number: int, cost: Cost | None) -> bool:
    """Say whether a cost can be paid in full (KN-6.4)."""
    if cost is None:
        return True
    state, knight = board.state, board.state.pieces[number].knight
    if (cost.pc or cost.pv) and (knight is None or knight.pc < cost.pc or (cost.pv and knight.pv <= cost.pv)):
        return False
    return len(state.hand[seat]) >= cost.discard and (not cost.pvd or state.pvd[seat] > cost.pvd)


def _support(board: Board, seat: int, number: int) -> dict[str, Any]:
    """Test using a technique in the own turn (KN-5.7)."""
    state, piece = board.state, board.state.pieces[number]
    card, host = board.cards[piece.key], piece.host
    if card.kind != "technique" or host is None:
        return {"kind": card.kind, "use": "wrong_kind"}
    knight, words = state.knight(host), board.survey.keywords(host)
    lent = state.pieces[host].side != seat
    useless = card.level == "D" and (not card.own or is_in_force(board, number, card.own))
    barred = "nse" in knight.states or "no_attack" in words or "no_technique" in words
    code = _first(
        (state.turn == 1, "first_turn"), (lent or useless, "not_usable"), (knight.acted, "already_acted"),
        (is_incapacitated(board, host), "incapacitated"), (barred, "cannot_attack"),
    )  # fmt: skip
    told: dict[str, Any] = {"kind": card.kind, "use": code, "fizzles": knight.pc < (card.cost or 0), "aim": "none"}
    return told if card.attack is None or lent else told | _aim(board, seat, card.attack, state.pieces[host].slot)


def _aim(board: Board, seat: int, blow: Blow, slot: int) -> dict[str, Any]:
    reach = blow.reaches(slot)
    if blow.select == "one":
        codes = target_codes(board, seat, reach)
        return {"aim": "one", "targets": {str(slot): code for slot, code in codes.items()}}
    row = board.state.knights[1 - seat]
    return {"aim": "all", "all": _first((not any(row[s - 1] is not None for s in reach), "no_target"))}
