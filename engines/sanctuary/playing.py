"""How a tile of the hand gets onto the map: where, with which open areas, what follows (SA-4.12, SA-4.22, SA-4.27)."""

from __future__ import annotations

from engines.rules import Flow
from engines.sanctuary import offers
from engines.sanctuary.collecting import Played, collect_played
from engines.sanctuary.placing import bare_arrows
from engines.sanctuary.state import Game, Laid, held, tile_of, zoo_of
from engines.sanctuary.terms import Card


def play_tile(table: Game, tile: str, card: Card | None) -> Flow[int]:
    """Ask where and put the tile; give its effective level. Nothing has happened before the last answer."""
    state = table.state
    number = held(state, state.active, tile)
    printed = tile_of(table, number)
    zoo = zoo_of(table.match, state, state.active)
    level = 0 if printed.level is None else zoo.level(printed)
    (act,) = yield offers.place_prompt(table, printed)
    space = act["space"]
    areas = [] if printed.cover is not None else bare_arrows(zoo, printed, space)
    fillers: dict[str, int] = {}
    for area in areas:
        spare = [one for one in state.mine.hand if one != number and one not in fillers.values()]
        (act,) = yield offers.area_tile_prompt(table, spare, area)
        fillers[area] = next(one for one in spare if state.keys[one] == act["tile"])
    _put(table, number, space, card, level, fillers)
    return level


def _put(table: Game, number: int, space: str, card: Card | None, level: int, areas: dict[str, int]) -> None:
    """Move the tile and its open areas to their spaces and collect what that sets off (SA-4.12)."""
    state, seat = table.state, table.state.mine
    stack = seat.zoo.setdefault(space, [])
    covered = tile_of(table, stack[-1].tile) if stack else None
    seat.hand.remove(number)
    stack.append(Laid(number))
    table.emit(
        "tile_placed", seat=state.active, tile=state.keys[number], space=space, card=card, level=level,
        covered=covered.id if covered else None,
    )  # fmt: skip
    for area, filler in areas.items():
        seat.hand.remove(filler)
        seat.zoo[area] = [Laid(filler, False, "hand")]
        known = {state.active: {"tile": state.keys[filler]}}  # SA-2.6
        table.emit("open_area_placed", seat=state.active, space=area, source="hand", secret=known)
    collect_played(table, Played(number, space, tuple(areas), covered))
