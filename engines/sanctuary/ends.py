"""How turns and matches end: refill, end check, next seat, final round, leaving, solo (SA-4.40, SA-8).

Owns everything after the hand limit. Asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from engines.rules import Match, Outcome
from engines.sanctuary.piles import discard, fill, refresh_now, slide
from engines.sanctuary.scoring import ranks, sheet_of
from engines.sanctuary.state import Game, Result, Sheet, State, Trigger, atlas_of, zoo_of

END_MARKER = 10
SOLO_EVERY = 4


def end_turn(table: Game) -> None:
    """Do what follows the hand limit, in its order (SA-4.40)."""
    state = table.state
    if table.match.seats == 1:
        _other_zoos_take(table)
    slide(table)
    fill(table)
    if table.match.seats == 1:
        _check_solo(table)
    else:
        _check(table)
    if state.result is None:
        next_seat(table)


def reasons_of(table: Game) -> tuple[str, ...]:
    """Say which of c1 and c2 the active seat fulfils (SA-8.1); looked at here and nowhere else (SA-8.8)."""
    state = table.state
    found = {
        "c1": None not in state.mine.achievements.values(),
        "c2": zoo_of(table.match, state, state.active).is_full(),
    }
    return tuple(name for name, fulfilled in found.items() if fulfilled)


def _check(table: Game) -> None:
    state, options = table.state, table.match.options
    reasons = reasons_of(table)
    at_once = "c1" in reasons and options.four_objectives_end == "immediate"  # SA-8.7
    if state.trigger is not None:
        if reasons:  # SA-8.5
            take_end_marker(table, options.late_end_marker)
        if at_once:
            finish(table, reasons)
    elif reasons:  # SA-8.4: also if the pile is empty
        _set_off(table, reasons, at_once)
    elif not state.pile:  # SA-8.3
        finish(table, ("c3",))


def _set_off(table: Game, reasons: tuple[str, ...], at_once: bool) -> None:
    """Begin the final round: 10 points, a last turn for every other seat (SA-8.2)."""
    state = table.state
    if at_once:
        take_end_marker(table, END_MARKER)
        finish(table, reasons)
        return
    state.trigger = Trigger(state.active, reasons)
    state.final_queue = [seat for seat in _round(table) if seat != state.active]
    told: dict[str, Any] = {"reasons": list(reasons), "marker": END_MARKER, "final_queue": list(state.final_queue)}
    table.emit("end_triggered", seat=state.active, **told)
    take_end_marker(table, END_MARKER)
    refresh_now(table)
    fill(table)


def take_end_marker(table: Game, points: int) -> None:
    """Take the one end marker that a seat may have (SA-8.6)."""
    seat = table.state.mine
    if points and not seat.end_marker:
        seat.end_marker = points
        table.emit("end_marker_taken", seat=table.state.active, points=points)


def _round(table: Game) -> list[int]:
    """Give the seats that still play, clockwise from the active one, which comes last."""
    state, count = table.state, table.match.seats
    order = [(state.active + step) % count for step in range(1, count + 1)]
    return [seat for seat in order if state.seats[seat].status == "active"]


def next_seat(table: Game) -> None:
    """Go to the next seat that plays; in the final round to the next of the queue (SA-4.44, SA-8.5)."""
    state = table.state
    if state.trigger is None:
        state.active = _round(table)[0]
    elif state.final_queue:
        state.active = state.final_queue.pop(0)
    else:
        finish(table, state.trigger.reasons)
        return
    state.phase = "start"


def finish(table: Game, reasons: tuple[str, ...], won: bool | None = None) -> None:
    """End the match and tell the score sheets (SA-8.12)."""
    state = table.state
    state.phase = "over"
    state.result = Result(reasons, won)
    for at, seat in enumerate(state.seats):
        zoo = zoo_of(table.match, state, at)
        seat.sheet = sheet_of(zoo, atlas_of(table.match).group_scores, seat, state.solo_left)
    outcome = result_of(table.match, state, table.gone)
    sheets = outcome.details["sheets"]
    told: dict[str, Any] = {"sheets": sheets, "ranks": list(outcome.ranks), "winners": list(outcome.winners)}
    table.emit("match_ended", **told, reason=outcome.reason)


def _other_zoos_take(table: Game) -> None:
    """Solo: the tile in the lowest filled position goes to the discard pile (SA-8.21)."""
    state = table.state
    at = next((at for at, number in enumerate(state.display) if number is not None), None)
    if at is not None and (number := state.display[at]) is not None:
        state.display[at] = None
        discard(table, state.active, [number], "solo")


def _check_solo(table: Game) -> None:
    """Turn a marker after every fourth turn (SA-8.20), then see whether the game is won or lost (SA-8.22)."""
    state = table.state
    if state.turn_no % SOLO_EVERY == 0:
        state.solo_left -= 1
        table.emit("solo_marker_turned", left=state.solo_left)
    if reasons := reasons_of(table):
        take_end_marker(table, END_MARKER)
        finish(table, reasons, won=True)
    elif not state.solo_left or not state.pile:
        finish(table, ("c3",) if state.solo_left else ("markers",), won=False)


def note_gone(table: Game) -> None:
    """Note seats that the service has let go, and take them out of the final round (SA-8.15, SA-8.18)."""
    state = table.state
    for at, why in table.gone.items():
        if state.seats[at].status == "active":
            conceded = why == "resigned"
            state.seats[at].status = "conceded" if conceded else "abandoned"
            state.final_queue = [seat for seat in state.final_queue if seat != at]
            table.emit("seat_conceded" if conceded else "seat_abandoned", seat=at)


def cut_off(table: Game) -> None:
    """Break off the turn of a seat that is gone: refill, look at the pile alone, go on (SA-8.15)."""
    state = table.state
    state.pending, state.deferred, state.reveal, state.used = [], [], None, None
    if state.revealed:
        numbers, state.revealed = state.revealed, []
        discard(table, state.active, numbers, "reveal")
    slide(table)
    fill(table)
    if state.trigger is None and not state.pile:
        finish(table, ("c3",))
    else:
        next_seat(table)


def outcome(match: Match, state: State, gone: Mapping[int, str]) -> Outcome | None:
    """Say how the match ended, or None, also if the service stops it (SA-8.19).

    A match of several that only one seat still plays is over (SA-8.17).
    """
    if state.result is not None:
        return result_of(match, state, gone)
    if not gone:
        return None
    left = [seat for seat in range(match.seats) if seat not in gone]
    if match.seats == 1:
        return _outcome(match, state, (), "conceded", gone)
    return _outcome(match, state, tuple(left), "last_seat", gone) if len(left) <= 1 else None


def result_of(match: Match, state: State, gone: Mapping[int, str]) -> Outcome:
    """Rank the seats by their sheets (SA-8.13): all on rank 1 have won, together if there are several."""
    result = state.result
    assert result is not None
    if result.won is not None:
        winners: tuple[int, ...] = (0,) if result.won else ()
        return _outcome(match, state, winners, "won" if result.won else "lost", gone)
    ranked = ranks(_sheets(state), list(gone))
    winners = tuple(seat for seat, rank in enumerate(ranked) if rank == 1 and seat not in gone)
    return _outcome(match, state, winners, "+".join(result.reasons), gone)


def _outcome(match: Match, state: State, winners: tuple[int, ...], reason: str, gone: Mapping[int, str]) -> Outcome:
    sheets = _sheets(state)
    details: dict[str, Any] = {
        "turns": max(seat.turns for seat in state.seats),
        "turns_in_all": state.turn_no,
        "first_seat": state.first_seat,
        "sheets": [asdict(sheet) for sheet in sheets],
        "reasons": [] if state.result is None else list(state.result.reasons),
    }
    return Outcome(winners, reason, ranks(sheets, list(gone)), details)


def _sheets(state: State) -> list[Sheet]:
    return [seat.sheet for seat in state.seats]
