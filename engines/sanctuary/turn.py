"""The course of a turn (SA-4.1): what happens at each quiet point, one function a phase.

A step ends with no action half done; effects that wait are settled before the phase goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.rules import Flow, Resigned
from engines.sanctuary import offers
from engines.sanctuary.cards import move_to_front
from engines.sanctuary.collecting import collect_support, gain, undefer
from engines.sanctuary.effects import pick_revealed, settle
from engines.sanctuary.ends import cut_off, end_turn, note_gone
from engines.sanctuary.piles import discard_from_hand, draw, take
from engines.sanctuary.playing import play_tile
from engines.sanctuary.scoring import sheet_of
from engines.sanctuary.state import Game, Used, atlas_of, zoo_of
from engines.sanctuary.terms import ANIMAL_CARDS, HAND_LIMIT, Card, Phase


def play(table: Game) -> Flow[None]:
    """Carry the match from one checkpoint to the next: one decision, or one automatic step."""
    note_gone(table)
    seat = table.state.active
    try:
        yield from _step(table)
    except Resigned:  # SA-8.15
        note_gone(table)
        cut_off(table)
    _count_points(table, seat)


def _step(table: Game) -> Flow[None]:
    state = table.state
    if state.mine.status != "active":
        cut_off(table)
    elif state.revealed:
        yield from pick_revealed(table)
    elif state.pending:
        yield from settle(table)
    else:
        yield from PHASES[state.phase](table)


def _count_points(table: Game, seat: int) -> None:
    """Keep the score sheet as the table lies; nobody changes another's zoo or markers (SA-2.13)."""
    state, lying = table.state, table.state.seats[seat]
    zoo = zoo_of(table.match, state, seat)
    lying.sheet = sheet_of(zoo, atlas_of(table.match).group_scores, lying, state.solo_left)


def _start(table: Game) -> Flow[None]:
    """Begin a turn (SA-4.2, SA-4.3); in the final round the seat leaves the queue (SA-8.2)."""
    state = table.state
    state.turn_no += 1
    state.mine.turns += 1
    state.stage, state.taken, state.upgrades = 0, False, 0
    reach = state.mine.strength("projects")
    final = state.trigger is not None
    table.emit("turn_started", seat=state.active, turn_no=state.turn_no, range=reach, final_round=final)
    filled = any(number is not None for number in state.display)
    state.phase = "take" if filled else "action"
    yield from ()


def _take(table: Game) -> Flow[None]:
    """Step 1: take one tile within the range of the projects card (SA-4.2), so that every match ends (SA-8.9)."""
    state = table.state
    (act,) = yield offers.take_prompt_of_turn(table, state.mine.strength("projects"))
    take(table, state.active, act["position"], "turn")
    state.phase = "action"


def _action(table: Game) -> Flow[None]:
    """Step 2: use exactly one card in one of its modes (SA-4.7); go on when its effects are settled."""
    state = table.state
    if state.used is None:
        (act,) = yield offers.action_prompt(table)
        yield from ACTIONS[act["do"]](table, act)
    elif _second_is_open(table):
        state.phase = "second"
    else:
        _finish_action(table)


def _play_animal(table: Game, act: dict[str, Card]) -> Flow[None]:
    """SA-4.13: what strength is left over is the budget of a second animal."""
    state = table.state
    card = act["card"]
    level = yield from play_tile(table, act["tile"], card)
    state.used = Used(card, "play", state.mine.strength(card) - level, 1)


def _play_project(table: Game, act: dict[str, str]) -> Flow[None]:
    yield from play_tile(table, act["tile"], "projects")
    table.state.used = Used("projects", "play")


def _draw_tiles(table: Game, act: dict[str, Card]) -> Flow[None]:
    draw(table, table.state.active, 2)
    table.state.used = Used(act["card"], "gather")
    yield from ()


def _take_from_display(table: Game, act: dict[str, list[int]]) -> Flow[None]:
    for position in act["positions"]:
        take(table, table.state.active, position, "action")
    table.state.used = Used("projects", "gather")
    yield from ()


def _second_is_open(table: Game) -> bool:
    """Ask for a second animal by public facts alone (SA-2.11, SA-4.16)."""
    state, used = table.state, table.state.used
    assert used is not None
    if used.card not in ANIMAL_CARDS or used.mode != "play" or state.mine.sides[used.card] == 1:
        return False
    return bool(state.mine.hand) and bool(zoo_of(table.match, state, state.active).building_sites())


def _second(table: Game) -> Flow[None]:
    """A second animal by the same card, or the end of the action (SA-4.13)."""
    used = table.state.used
    assert used is not None
    if used.animals == 2:
        _finish_action(table)
        return
    (act,) = yield offers.second_prompt(table)
    if act["do"] == "end_action":
        _finish_action(table)
        return
    used.budget -= yield from play_tile(table, act["tile"], used.card)
    used.animals = 2


def _finish_action(table: Game) -> None:
    """Move the used card, then let deferred shifts wait (SA-4.15)."""
    state = table.state
    assert state.used is not None
    move_to_front(table, state.used.card)
    state.used = None
    state.phase = "optional"
    undefer(table)


def _optional(table: Game) -> Flow[None]:
    """Steps 3 to 5: building, support, upgrade, each if wanted (SA-4.36); or only one of them (SA-4.37)."""
    state = table.state
    if state.taken and table.match.options.after_action == "one":
        _finish_optional(table)
        return
    (act,) = yield offers.optional_prompt(table)
    match act["do"]:
        case "play_building":
            yield from play_tile(table, act["tile"], None)
            state.stage = 1
        case "support":
            _support(table, act["objective"], act["achievement"])
        case "upgrade":
            _upgrade(table, act["card"], act.get("marker"))
        case _:
            _finish_optional(table)
            return
    state.taken = True


def _finish_optional(table: Game) -> None:
    table.emit("optional_finished", seat=table.state.active)
    table.state.phase = "limit"


def _support(table: Game, objective: str, needed: int) -> None:
    """Put an achievement under an objective and pay for missing icons, neither more nor less (SA-4.38)."""
    state, seat = table.state, table.state.mine
    state.stage = 2
    real = zoo_of(table.match, state, state.active).icons(atlas_of(table.match).objectives[objective].icon)
    spent = max(0, needed - real)
    seat.achievements[str(needed)] = objective
    told: dict[str, Any] = {"objective": objective, "achievement": needed, "icons": real, "spent": spent}
    table.emit("objective_supported", seat=state.active, **told)
    gain(table, "conservation", -spent, "support")
    collect_support(table)


def _upgrade(table: Game, card: Card, marker: str | None) -> None:
    """Turn a card to side 2; it keeps its slot, and nothing undoes it (SA-4.39)."""
    state, seat = table.state, table.state.mine
    state.stage = 2
    state.upgrades += 1
    spent = next(one for one in seat.spare_markers if marker in (None, one))
    seat.upgrade_used.append(spent)
    seat.sides[card] = 2
    table.emit("card_upgraded", seat=state.active, card=card, marker=spent)


def _limit(table: Game) -> Flow[None]:
    """Discard down to the limit, which is looked at only now (SA-4.41)."""
    state = table.state
    if len(state.mine.hand) > HAND_LIMIT:
        acts = yield offers.limit_prompt(table)
        discard_from_hand(table, state.active, offers.picked(table, acts), "limit")
    state.phase = "end"


def _end(table: Game) -> Flow[None]:
    end_turn(table)
    yield from ()


ACTIONS: dict[str, Callable[..., Flow[None]]] = {
    "play_animal": _play_animal,
    "play_project": _play_project,
    "draw_tiles": _draw_tiles,
    "take_from_display": _take_from_display,
}
PHASES: dict[Phase, Callable[[Game], Flow[None]]] = {
    "start": _start,
    "take": _take,
    "action": _action,
    "second": _second,
    "optional": _optional,
    "limit": _limit,
    "end": _end,
}
