"""The prompts of the game (SA-5.4) and every legal answer to each, for the seat alone that is asked (SA-2.11, SA-5.7).

What all may know of a prompt is its seat, kind and ``about``. An act that needs a place or tiles is answered in
steps: what, then where, then with which tiles. Two copies of a tile are told apart by ``copy`` alone (SA-2.5a).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from engines.rules import Act, Option, Prompt, pick
from engines.sanctuary.levels import fits_card
from engines.sanctuary.placing import moves, places_for
from engines.sanctuary.state import Game, State, Waiting, as_told, atlas_of, keys_of, tile_of, zoo_of
from engines.sanctuary.terms import ACHIEVEMENTS, ANIMAL_CARDS, CARDS, HAND_LIMIT
from engines.sanctuary.tiles import Tile
from engines.sanctuary.words import Take
from engines.sanctuary.zoo import Zoo


class Look:
    """What the active seat can do with its hand, worked out once a prompt."""

    def __init__(self, table: Game) -> None:
        state, seat = table.state, table.state.mine
        self.zoo: Zoo = zoo_of(table.match, state, state.active)
        self.sites = self.zoo.building_sites()
        tiles = atlas_of(table.match)
        self.hand: list[Tile] = [tiles[key] for key in dict.fromkeys(keys_of(state, seat.hand))]
        self.others = len(seat.hand) - 1
        self.objectives = len(seat.supported)

    def places(self, tile: Tile) -> list[str]:
        """Give where a tile of the hand may be put, with the other tiles of the hand as open areas."""
        return places_for(tile, self.zoo, self.sites, self.others, self.objectives)

    def playable(self, kind: str) -> list[Tile]:
        """Give the tiles of a kind, each id once, for which there is a place."""
        return [tile for tile in self.hand if tile.kind == kind and self.places(tile)]


def take_prompt_of_turn(table: Game, reach: int) -> Prompt:
    """SA-4.2."""
    filled = _filled(table)
    acts = [{"do": "take_tile", "position": position} for position in filled if position <= reach]
    about = {"range": reach, "positions": filled}
    return pick(table.state.active, "take_tile", acts, rule="SA-4.2", about=about)


def action_prompt(table: Game) -> Prompt:
    """Offer every use of every card (SA-4.7); silence draws with the lowest animal card (SA-8.18)."""
    look, seat = Look(table), table.state.mine
    acts = [*_animal_acts(table, look), *_project_acts(table, look)]
    lowest = next(card for card in seat.slots if card in ANIMAL_CARDS)
    draws = [{"do": "draw_tiles", "card": card} for card in ANIMAL_CARDS]
    silence = len(acts) + ANIMAL_CARDS.index(lowest)
    acts += [*draws, *_gathering_acts(table)]
    about = {"cards": {card: seat.strength(card) for card in CARDS}}
    return pick(table.state.active, "choose_action", acts, default=(silence,), rule="SA-4.7", about=about)


def _animal_acts(table: Game, look: Look) -> list[Act]:
    seat = table.state.mine
    levels = [(tile, look.zoo.level(tile)) for tile in look.playable("animal")]
    return [
        {"do": "play_animal", "card": card, "tile": tile.id}
        for card in ANIMAL_CARDS
        for tile, level in levels
        if fits_card(tile, card) and level <= seat.strength(card)  # SA-4.10, SA-4.11
    ]


def _project_acts(table: Game, look: Look) -> list[Act]:
    strength = table.state.mine.strength("projects")
    fitting = [tile for tile in look.playable("project") if look.zoo.level(tile) <= strength]
    return [{"do": "play_project", "tile": tile.id} for tile in fitting]


def _gathering_acts(table: Game) -> list[Act]:
    """One tile of the display, on side 2 one or two in any order; none from an empty one (SA-4.7, SA-4.8)."""
    filled = _filled(table)
    most = min(table.state.mine.sides["projects"], len(filled))
    counts = range(min(1, len(filled)), most + 1)
    lists = [list(positions) for count in counts for positions in permutations(filled, count)]
    return [{"do": "take_from_display", "positions": positions} for positions in lists]


def second_prompt(table: Game) -> Prompt:
    """SA-4.13."""
    used, look = table.state.used, Look(table)
    assert used is not None
    acts: list[Act] = [
        {"do": "play_second_animal", "tile": tile.id}
        for tile in look.playable("animal")
        if fits_card(tile, used.card) and look.zoo.level(tile) <= used.budget
    ]
    acts.append({"do": "end_action"})
    about = {"card": used.card, "budget": used.budget}
    seat, silence = table.state.active, (len(acts) - 1,)
    return pick(seat, "second_animal", acts, default=silence, rule="SA-4.13", about=about)


def optional_prompt(table: Game) -> Prompt:
    """Offer the steps that are still open (SA-4.36 to SA-4.39); silence ends the turn."""
    state = table.state
    acts: list[Act] = []
    if state.stage == 0:
        acts += [{"do": "play_building", "tile": tile.id} for tile in Look(table).playable("building")]
    if state.stage <= 1:
        acts += _support_acts(table)
    acts += [*_upgrade_acts(table), {"do": "finish_turn"}]
    about = {"stage": state.stage, "open": open_steps(table)}
    return pick(state.active, "optional_step", acts, default=(len(acts) - 1,), rule="SA-4.36", about=about)


def open_steps(table: Game) -> list[str]:
    """Name the steps that the stage leaves open, whatever the hand holds (SA-2.11)."""
    state, one_a_turn = table.state, table.match.options.upgrade_mode == "all_four"
    upgrade = not (one_a_turn and state.upgrades)
    named = {"play_building": state.stage == 0, "support": state.stage <= 1, "upgrade": upgrade}
    return [step for step, is_open in named.items() if is_open]


def _support_acts(table: Game) -> list[Act]:
    """SA-4.38."""
    state, seat = table.state, table.state.mine
    zoo, atlas = zoo_of(table.match, state, state.active), atlas_of(table.match)
    spare = [needed for needed in ACHIEVEMENTS if seat.achievements[str(needed)] is None]
    acts: list[Act] = []
    for objective in state.shown():
        real = zoo.icons(atlas.objectives[objective].icon)
        if real and objective not in seat.supported:
            reach = [needed for needed in spare if real + seat.conservation >= needed]
            acts += [{"do": "support", "objective": objective, "achievement": needed} for needed in reach]
    return acts


def _upgrade_acts(table: Game) -> list[Act]:
    """SA-4.39."""
    state, seat = table.state, table.state.mine
    unmet = zoo_of(table.match, state, state.active).unmet(len(seat.supported))
    cards = [card for card in CARDS if seat.sides[card] == 1]
    if table.match.options.upgrade_mode == "per_marker":
        markers = [marker for marker in seat.spare_markers if marker not in unmet]
        return [{"do": "upgrade", "card": card, "marker": marker} for card in cards for marker in markers]
    if unmet or state.upgrades or not seat.spare_markers:
        return []
    return [{"do": "upgrade", "card": card} for card in cards]


def place_prompt(table: Game, tile: Tile) -> Prompt:
    """Ask where a tile of the hand goes; asked even if there is one place only (SA-2.11)."""
    acts = [{"do": "place", "tile": tile.id, "space": space} for space in Look(table).places(tile)]
    return pick(table.state.active, "place", acts, rule="SA-4.21")


def area_tile_prompt(table: Game, spare: Sequence[int], space: str) -> Prompt:
    """Ask which tile of the hand goes face down on one space; others learn neither (SA-4.22)."""
    tiles = dict.fromkeys(keys_of(table.state, list(spare)))
    acts = [{"do": "put_open_area", "space": space, "tile": tile} for tile in tiles]
    return pick(table.state.active, "open_area", acts, rule="SA-4.22")


def effects_prompt(table: Game, able: Sequence[Waiting]) -> Prompt:
    """Offer what can be carried out now, and to decline anything (SA-4.32)."""
    state = table.state
    waiting = sorted(state.pending, key=lambda one: one.number)
    acts = [{"do": "resolve_effect", "effect": one.number} for one in waiting if one in able]
    silence = (len(acts),)
    acts += [{"do": "decline_effect", "effect": one.number} for one in waiting]
    about = {"effects": [as_told(state, one) for one in waiting]}
    return pick(state.active, "effects", acts, default=silence, rule="SA-4.32", about=about)


def take_prompt(table: Game, effect: int, word: Take) -> Prompt:
    """SA-6.12."""
    display = table.state.display
    matching = [p for p in _filled(table) if tile_of(table, display[p - 1] or 0).matches(word.filter)]
    acts = [{"do": "take", "position": position} for position in matching]
    most = min(word.n, len(acts))
    about = {"effect": effect}
    return pick(table.state.active, "take_tiles", acts, most=most, rule="SA-6.12", about=about)


def pouch_prompt(table: Game, effect: int, most: int) -> Prompt:
    """SA-6.14."""
    hand = table.state.mine.hand
    acts = tile_acts(table.state, hand, "pouch")
    newest = (len(hand) - 1,)
    about = {"effect": effect}
    seat, most = table.state.active, min(most, len(hand))
    return pick(seat, "pouch_tiles", acts, most=most, default=newest, rule="SA-6.14", about=about)


def area_prompt(table: Game, effect: int) -> Prompt:
    """SA-6.15."""
    sites = zoo_of(table.match, table.state, table.state.active).building_sites()
    acts = [{"do": "place_area", "space": space} for space in sites]
    return pick(table.state.active, "place_area", acts, rule="SA-6.15", about={"effect": effect})


def shift_prompt(table: Game, effect: int) -> Prompt:
    """SA-6.16."""
    acts = [{"do": "shift", "card": card} for card in table.state.mine.slots[1:]]
    return pick(table.state.active, "shift_card", acts, rule="SA-6.16", about={"effect": effect})


def relocate_prompt(table: Game, effect: int) -> Prompt:
    """SA-6.18."""
    state, seat = table.state, table.state.mine
    zoo = zoo_of(table.match, state, state.active)
    routes = moves(zoo, len(seat.hand), len(seat.supported))
    acts = [{"do": "relocate", "from": start, "to": to} for start, to in routes]
    return pick(state.active, "relocate", acts, rule="SA-6.18", about={"effect": effect})


def reveal_prompt(table: Game, matching: Sequence[int], keep: int) -> Prompt:
    """SA-6.17: everybody sees what may be kept."""
    state = table.state
    acts = tile_acts(state, matching, "keep")
    about = {"tiles": keys_of(state, state.revealed), "keep": keep}
    return pick(
        state.active, "pick_revealed", acts, least=keep, most=keep, default=range(keep), rule="SA-6.17", about=about
    )


def limit_prompt(table: Game) -> Prompt:
    """Ask for exactly what is above the limit; silence discards what came last (SA-4.41, SA-8.18)."""
    hand = table.state.mine.hand
    count = len(hand) - HAND_LIMIT
    acts = tile_acts(table.state, hand, "discard")
    newest = range(len(hand) - count, len(hand))
    return pick(
        table.state.active, "discard_to_limit", acts, least=count, most=count, default=newest, rule="SA-4.41",
        about={"count": count},
    )  # fmt: skip


def _filled(table: Game) -> list[int]:
    return [at for at, number in enumerate(table.state.display, 1) if number is not None]


def tile_acts(state: State, numbers: Iterable[int], do: str) -> list[Act | Option]:
    """Spell one act for every tile; the second copy of an id says so (SA-2.5a)."""
    seen: Counter[str] = Counter()
    acts: list[Act | Option] = []
    for number in numbers:
        tile = state.keys[number]
        seen[tile] += 1
        acts.append({"do": do, "tile": tile} | ({"copy": seen[tile]} if seen[tile] > 1 else {}))
    return acts


def picked_from(state: State, numbers: Sequence[int], acts: Iterable[Act]) -> list[int]:
    """Find the tiles that acts made by ``tile_acts`` mean, in the order picked."""
    return [numbers[tile_acts(state, numbers, act["do"]).index(act)] for act in acts]


def picked(table: Game, acts: Iterable[Act]) -> list[int]:
    """Find picked tiles in the hand."""
    return picked_from(table.state, table.state.mine.hand, acts)
