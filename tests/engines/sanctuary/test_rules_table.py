"""What is counted, what lies where and who sees it, and how a match begins (SA-0 to SA-3)."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from engines.chance import Chance
from engines.flow import begin
from engines.record import decode_record, encode
from engines.rules import Match, PackError
from engines.sanctuary import Sanctuary
from engines.sanctuary.counts import open_areas
from engines.sanctuary.grid import AROUND, HEXES, RIVER, SPACES, TOWARDS
from engines.sanctuary.maps import shipped_maps
from engines.sanctuary.options import Options
from engines.sanctuary.state import zoo_of
from engines.sanctuary.terms import ANIMAL_CARDS, ICONS
from engines.sight import see
from tests.engines.sanctuary.table import RULES, Zoos, fixture, lay, tile

KEY = bytes(range(32))


def _zoo(t: Zoos, seat: int = 0):  # type: ignore[no-untyped-def]
    return zoo_of(t.match, t.state, seat)


def test_icons_are_listed_ones_kind_and_size() -> None:
    """SA-1.2, SA-1.5: nineteen icons, an undefined habitat is none of them."""
    assert len(ICONS) == len(set(ICONS)) == 19
    emu = fixture().cards["an_emu"]
    assert emu.all_icons == ("bird", "australia", "animal", "small")
    assert emu.habitat is None
    assert fixture().cards["an_snow_leopard_m"].size == "large"
    assert fixture().cards["x01"].all_icons == ("building",)


def test_icons_are_counted_with_multiplicity_and_tiles_once() -> None:
    """SA-1.3."""
    t = lay(zoo0="D3:t2_bird_twice C3:t1_bird")
    assert _zoo(t).icons("bird") == 3
    twice = tile(id="t_seat", conditions=[{"count": "adjacent_tile", "icon": "bird", "min": 3}])
    t = lay(phase="optional", hand0="t_seat", zoo0="D3:t2_bird_twice C3:t1_bird", extra=[twice])
    assert t.offers(0, "play_building") == []


def test_only_what_lies_face_up_on_top_is_in_the_zoo() -> None:
    """SA-1.1: neither a tile face down, nor one that is covered, nor the hand."""
    t = lay(zoo0="D3:an_ring_tailed_lemur+pr_release_savanna C3:t1_bird~ E3:t1_reptile!", hand0="t1_primate")
    zoo = _zoo(t)
    assert [zoo.icons(icon) for icon in ("primate", "bird", "reptile", "animal")] == [0, 0, 0, 0]
    assert zoo.icons("project") == 1


def test_groups_are_linked_through_neighbours_that_show_the_icon() -> None:
    """SA-1.4: open areas, covered tiles and the entrance do not link."""
    zoo = "C3:t1_forest_a E3:t1_forest_b B3:t1_forest_c~ A3:t1_forest_d"
    groups = _zoo(lay(zoo0=zoo)).groups("forest")
    assert sorted(map(sorted, groups)) == [["A3"], ["C3"], ["E3"]]
    linked = _zoo(lay(zoo0="C3:t1_forest_a D3:t1_forest_b E3:t1_forest_c A1:t1_forest_d"))
    assert sorted(map(len, linked.groups("forest"))) == [1, 3]


def test_the_grid_is_that_of_the_rules() -> None:
    """SA-2.1, SA-2.3, SA-2.4: 23 spaces and the entrance; some rows of the printed table of neighbours."""
    assert len(HEXES) == 24
    assert len(SPACES) == 23
    assert sorted(RIVER) == ["A1", "A2", "A3", "G1", "G2", "G3"]
    rows = {
        "A1": [None, "B1", "B2", "A2", None, None],
        "B2": ["B1", "C1", "C2", "B3", "A2", "A1"],
        "C3": ["C2", "D3", "D4", None, "B4", "B3"],
        "D4": ["D3", "E3", None, None, None, "C3"],
        "F4": ["F3", "G3", None, None, None, "E3"],
        "G3": ["G2", None, None, None, "F4", "F3"],
    }
    for space, neighbours in rows.items():
        assert list(TOWARDS[space].values()) == neighbours
    assert all(space in AROUND[other] for space in HEXES for other in AROUND[space])


@pytest.mark.parametrize(("ground", "left"), [("riverside", 21), ("terraces", 22)])
def test_maps_leave_so_many_spaces_to_cover(ground: str, left: int) -> None:
    """SA-2.5."""
    found = shipped_maps()[ground]
    assert len([space for space in SPACES if space not in found.printed]) == left
    assert len(found.bonuses) == 7


def test_a_tile_face_down_is_known_to_the_owner_of_the_hand_alone() -> None:
    """SA-2.2, SA-2.6: one from the pile to nobody."""
    t = lay(zoo0="D3:x01~ C3:x02!")
    assert t.view(0)["zoo_0"]["D3"] == [{"face": "down", "source": "hand", "tile": "x01"}]
    for audience in (1, None):
        assert t.view(audience)["zoo_0"]["D3"] == [{"face": "down", "source": "hand"}]
    for audience in (0, 1, None):
        assert t.view(audience)["zoo_0"]["C3"] == [{"face": "down", "source": "pile"}]


def test_tiles_face_down_stay_hidden_at_the_end() -> None:
    """SA-2.6."""
    t = lay(phase="optional", zoo0="D3:x01~ C3:x02!", display="- x36", pile="")
    t.finish(0)
    assert t.outcome is not None
    assert "x01" not in str(t.view(1)["zoo_0"])
    assert "x02" not in str(t.view(0)["zoo_0"])
    assert "x01" not in str(t.outcome.details)


def test_spectators_see_what_an_opponent_of_all_sees() -> None:
    """SA-2.10, SA-2.13."""
    t = lay(hand0="x01", hand1="x02")
    public = t.view(None)
    assert public["hand_0"] == public["hand_1"] == {"count": 1}
    assert {name: zone for name, zone in t.view(0).items() if name != "hand_0"} == {
        name: zone for name, zone in public.items() if name != "hand_0"
    }
    assert public["seat_0"]["sheet"]["total"] == 2


def test_two_copies_are_told_apart_by_nothing() -> None:
    """SA-2.5a: the second act of an id says ``copy``, and either of them means one such tile."""
    t = lay(phase="optional", hand0="x01 x02 x01 x03 x04 x05 x06 x07", options={"pile_copies": 2}, display="", pile="")
    t.finish(0)
    acts = t.offers(0, "discard")
    assert [act for act in acts if act["tile"] == "x01"] == [
        {"do": "discard", "tile": "x01"}, {"do": "discard", "tile": "x01", "copy": 2},
    ]  # fmt: skip
    t.refused(0, "not_in_hand", {"do": "discard", "tile": "x02"}, {"do": "discard", "tile": "x02", "copy": 2})
    t.answer(0, {"do": "discard", "tile": "x01", "copy": 2}, {"do": "discard", "tile": "x07"})
    assert t.hand(0) == "x01 x02 x03 x04 x05 x06"


def test_discards_are_public() -> None:
    """SA-2.9."""
    t = lay(phase="optional", hand0="x01 x02 x03 x04 x05 x06 x07")
    t.finish(0)
    t.act(0, "discard", tile="x03")
    assert t.told(None, "tiles_discarded") == [
        {"event": "tiles_discarded", "seat": 0, "tiles": ["x03"], "reason": "limit"}
    ]
    assert t.view(None)["discard"] == ["x03"]


def test_a_match_is_restored_in_the_middle_of_an_act() -> None:
    """SA-2.12: every input of a scene goes through bytes; here between tile, place and open areas."""
    t = lay(hand0="an_snow_leopard_f x01", cards0="P F W R")
    t.act(0, "play_animal", card="rock", tile="an_snow_leopard_f")
    assert len(decode_record(encode(t.record)).choices) == 1
    t.act(0, "place", tile="an_snow_leopard_f", space="E3")
    assert len(t.record.choices) == 2
    t.act(0, "put_open_area", space="F3", tile="x01")
    assert t.zoo(0, "F3") == "x01~"


def _begun(seats: int = 3, **options: object):  # type: ignore[no-untyped-def]
    pack = next(iter(RULES.packs().values()))
    match = Match(seats, Options(**options), pack.cards)  # type: ignore[arg-type]
    return begin(RULES, match, pack=pack.hash, key=KEY)


def test_a_match_is_set_up_as_the_rules_say() -> None:
    """SA-3.2, SA-3.3, SA-3.4, SA-3.7, SA-3.11."""
    step = _begun()
    state = step.position.table.state
    assert len(state.pile) == 135 - 6
    assert all(number is not None for number in state.display)
    assert state.discard == []
    for seat in state.seats:
        assert (seat.hand, seat.zoo, set(seat.sides.values())) == ([], {}, {1})
        assert set(seat.achievements.values()) == {None}
        assert (seat.upgrade_used, seat.conservation, seat.pouch, seat.end_marker) == ([], 0, 0, 0)
    asked = step.position.asked
    assert [(one.prompt.seat, one.prompt.kind) for one in asked] == [(state.first_seat, "take_tile")]
    told = [event.kind for event in step.events]
    assert told == ["match_started", "turn_started"]


def test_chance_is_used_in_the_order_of_the_rules() -> None:
    """SA-3.2, SA-3.5, SA-3.6, SA-3.8, SA-3.10."""
    pack, chance = next(iter(RULES.packs().values())), Chance(KEY)
    state = _begun(5).position.table.state
    pile, objectives = list(range(135)), list(range(135, 149))
    chance.shuffle(pile, "pile")
    chance.shuffle(objectives, "objectives")
    first = chance.below(5, "first seat")
    assert state.pile == pile[:-6]
    assert state.display == pile[:-7:-1]
    assert state.objectives == objectives[:5]
    assert state.first_seat == first
    for position in range(5):
        cards: list[str] = list(ANIMAL_CARDS)
        chance.shuffle(cards, "cards")
        cards.insert(min(position, 3), "projects")
        assert state.seats[(first + position) % 5].slots == cards
    assert state.keys[:135] == [one.id for one in pack.cards]


def test_named_objectives_and_first_seat_use_no_chance() -> None:
    """SA-3.5, SA-3.6: shuffles of pile and cards remain."""
    named = ("ob_bird", "ob_asia", "ob_europe", "ob_large", "ob_africa")
    step = _begun(2, objectives=named, first_seat=1)
    state = step.position.table.state
    assert tuple(state.shown()) == named
    assert state.active == 1
    assert step.position.table.chance.counter == 134 + 2 * 2


def test_starting_hands_are_dealt_in_turn_order() -> None:
    """SA-3.9."""
    dealt = _begun(3, starting_hand=2, first_seat=1).position.table.state
    plain = _begun(3, first_seat=1).position.table.state
    top = plain.pile[::-1]
    assert [dealt.seats[seat].hand for seat in (1, 2, 0)] == [top[:2], top[2:4], top[4:6]]


def test_solo_begins_with_so_many_markers_face_down() -> None:
    """SA-3.12, SA-8.20: with several seats there are none."""
    assert [_begun(1, solo_markers=count).position.table.state.solo_left for count in (3, 8)] == [3, 8]
    assert _begun(2, solo_markers=8).position.table.state.solo_left == 0


def test_the_pile_may_hold_everything_twice() -> None:
    """SA-3.2."""
    state = _begun(2, pile_copies=2).position.table.state
    assert len(state.pile) == 270 - 6
    assert set(Counter(state.keys[:270]).values()) == {2}


def test_a_match_does_not_begin_with_objectives_that_the_pack_lacks() -> None:
    """SA-3.1."""
    with pytest.raises(PackError, match="option_objectives"):
        _begun(2, objectives=("ob_bird", "ob_asia", "ob_europe", "ob_large", "ob_nothing"))


def test_options_and_their_defaults() -> None:
    """SA-3.12: all are public."""
    shown = _begun().position
    zone = see(Sanctuary(), shown, None).zones["options"]
    assert zone == {
        "map": "riverside", "pile_copies": 1, "first_seat": "random", "starting_hand": 0, "objectives": "random",
        "after_action": "each", "upgrade_mode": "all_four", "four_objectives_end": "extra_turn",
        "late_end_marker": 5, "solo_markers": 5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "seats", "codes"),
    [
        ({}, 1, []),
        ({}, 0, ["option_seats"]),
        ({}, 6, ["option_seats"]),
        ({"first_seat": 2}, 2, ["option_value"]),
        ({"first_seat": 4}, 5, []),
        ({"objectives": ("ob_bird",)}, 2, ["option_objectives"]),
        ({"objectives": ("ob_bird",) * 5}, 2, ["option_objectives"]),
        ({"objectives": ("ob_bird", "ob_asia", "ob_europe", "ob_large", "ob_zebra")}, 2, ["option_objectives"]),
        ({"objectives": ("ob_bird", "ob_asia", "ob_europe", "ob_large", "ob_africa")}, 2, []),
        ({"first_seat": 3, "objectives": ()}, 6, ["option_objectives", "option_seats"]),
    ],
)  # fmt: skip
def test_options_are_checked_together(options: dict[str, object], seats: int, codes: list[str]) -> None:
    """SA-7.42, SA-7.43, SA-7.44."""
    assert [fault.code for fault in RULES.option_faults(Options(**options), seats)] == codes  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "raw",
    [
        {"laps": 3}, {"map": "island"}, {"pile_copies": 3}, {"first_seat": 5}, {"starting_hand": 4},
        {"objectives": "all"}, {"after_action": "two"}, {"upgrade_mode": "none"}, {"late_end_marker": 10},
        {"solo_markers": 9}, {"four_objectives_end": "now"}, {"first_seat": True},
    ],
)  # fmt: skip
def test_an_option_that_is_none_or_has_no_such_value_is_refused(raw: dict[str, object]) -> None:
    """SA-7.41, SA-7.42."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, Options)


def test_public_figures_and_own_ones() -> None:
    """SA-0.1, SA-0.2, SA-0.3: an open area is a point, a marker two, five icons fourteen."""
    t = lay(zoo0="D3:x01~", pouch0=1, cons0=1, ach0="5:ob_bird")
    sheet = t.view(0)["seat_0"]["sheet"]
    assert [sheet[part] for part in ("open_areas", "pouch", "conservation", "achievements")] == [3, 2, 2, 14]
    assert open_areas(_zoo(t)) == 3
