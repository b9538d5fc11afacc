"""What is true of every reachable state (KN-2), and which facts are hidden from whom (KN-2.1, KN-2.2, KN-2.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engines.knights.bout import Board
from engines.knights.state import State
from engines.knights.survey import on_field
from engines.knights.techniques import may_host
from engines.knights.terms import MOST_PV, MOST_STAT

PILES = ("deck", "hand", "discard", "exile")


def broken(board: Board) -> list[str]:
    """List broken invariants; empty in every reachable state."""
    state = board.state
    return [*_misplaced(state), *_misnamed(state), *_misbuilt(board), *_miscounted(board)]


def _misplaced(state: State) -> Iterator[str]:
    """Every card lies in exactly one place and believes so; piles hold their owner's cards alone (KN-6.71a)."""
    times = Counter(on_field(state))
    for zone in PILES:
        for seat in (0, 1):
            numbers = getattr(state, zone)[seat]
            times.update(numbers)
            if any((state.pieces[n].owner, state.pieces[n].zone) != (seat, zone) for n in numbers):
                yield f"{zone} of seat {seat} holds a card that does not belong there"
    if sorted(times.elements()) != list(range(len(state.pieces))):
        yield f"cards do not lie in one place each: {sorted(times.elements())}"
    for zone, rows in (("knight", state.knights), ("support", state.support)):
        for seat in (0, 1):
            for slot, number in enumerate(rows[seat], 1):
                piece = None if number is None else state.pieces[number]
                if piece is not None and (piece.zone, piece.side, piece.slot) != (zone, seat, slot):
                    yield f"the card in {zone} {slot} of seat {seat} believes that it lies elsewhere"


def _misnamed(state: State) -> Iterator[str]:
    """Ids are unique, cards of a deck have none (KN-2.45)."""
    ids = [piece.id for piece in state.pieces if piece.zone != "deck"] + [looked.id for looked in state.look]
    if "" in ids or len(set(ids)) != len(ids):
        yield f"ids are missing or double: {sorted(ids)}"
    if any(piece.id for piece in state.pieces if piece.zone == "deck"):
        yield "a card of a deck has an id"


def _misbuilt(board: Board) -> Iterator[str]:
    """Links, reserved slots, equal knights, faces (KN-2.22, KN-4.10, KN-4.30, KN-6.36)."""
    state = board.state
    for number, piece in enumerate(state.pieces):
        kind = board.cards[piece.key].kind
        if (piece.knight is not None) != (piece.zone == "knight"):
            yield f"card {number} has the counters of a knight in play: {piece.knight is not None}"
        linked = piece.zone == "support" and kind in ("technique", "object")
        if linked != (piece.host is not None) or (piece.host is not None and state.pieces[piece.host].knight is None):
            yield f"card {number} is linked to {piece.host}"
        if not piece.up and (kind != "technique" or piece.zone != "support"):
            yield f"card {number} lies face down"
    for seat in (0, 1):
        away = [n for n in state.in_play() if state.pieces[n].owner == seat != state.pieces[n].side]
        if sorted(n for n in state.reserved[seat] if n is not None) != sorted(away):
            yield f"seat {seat} has slots reserved for {state.reserved[seat]}"
        if any(n is not None and r is not None for n, r in zip(state.knights[seat], state.reserved[seat], strict=True)):
            yield f"a reserved slot of seat {seat} is taken"
        keys = [state.pieces[n].key for n in state.knights[seat] if n is not None]
        if len(set(keys)) != len(keys):
            yield f"seat {seat} controls equal knights: {keys}"


def _miscounted(board: Board) -> Iterator[str]:
    """Counters keep their bounds (section 2.2, KN-2.10)."""
    state = board.state
    for number in state.in_play():
        knight = state.knight(number)
        if not (1 <= knight.pv <= knight.max_pv <= MOST_PV and 0 <= knight.pc <= knight.max_pc <= MOST_STAT):
            yield f"knight {number} counts {knight}"
    for seat in (0, 1):
        god = board.cards.deities.get(state.deity[seat])
        if not 0 <= state.pvd[seat] <= (god.pvd if god else 0):
            yield f"seat {seat} has {state.pvd[seat]} PvD"
    if any(not state.lies(modifier.target) for modifier in state.modifiers):
        yield "a modifier is on a card that is not in play"


def secrets(board: Board, seat: int | None) -> Mapping[str, Sequence[str]]:
    """Name what a seat may not know: decks, another's hand, what lies face down and to whom it is linked."""
    state = board.state
    known = {looked.card for looked in state.look} if seat == state.looker else set()
    groups: dict[str, list[str]] = {}
    for owner in (0, 1):
        zones = [state.deck[owner]] if owner == seat else [state.hand[owner], state.deck[owner]]
        hidden = [number for zone in zones for number in sorted(zone) if number not in known]
        groups[f"seat{owner}"] = [str(number) for number in hidden]
        down = [n for n in state.support[owner] if n is not None and not state.pieces[n].up and owner != seat]
        groups[f"down{owner}"] = [str(number) for number in down]
        for number in down:
            groups[f"under{number}"] = [str(number), *(str(n) for n in hidden if _could_lie(board, n, number))]
    if seat is None and state.next == "deities":
        groups["preferred"] = ["deity0", "deity1"]
    return groups


def _could_lie(board: Board, number: int, down: int) -> bool:
    """Say whether a hidden card could be the one that lies face down: a technique that its host may use."""
    card, host = board.cards[board.state.pieces[number].key], board.state.pieces[down].host
    return card.kind == "technique" and host is not None and may_host(board, card, host)


def exchange(state: State, one: str, other: str) -> None:
    """Exchange which cards two hidden ones are; two that lie face down exchange their knights as well."""
    if one.startswith("deity"):
        state.preferred.reverse()
        return
    left, right = state.pieces[int(one)], state.pieces[int(other)]
    left.key, right.key = right.key, left.key
    if not left.up and not right.up:
        left.host, right.host = right.host, left.host
