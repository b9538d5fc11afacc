"""What lies on the table and who sees it (DI-2), and how a match is set up (DI-3)."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from engines import flow
from engines.chance import Chance
from engines.record import decode_record, encode
from engines.rules import Match
from engines.sight import waiting
from tests.engines.disciple.table import RULES, fixture, lay, pack_with

DECK = [{"card": f"t_{letter}{n}", "count": 3} for letter in "bdfhp" for n in (1, 2)]
KEY = bytes(range(32))


def begun(deck: list[dict[str, Any]] = DECK, key: bytes = KEY, **options: Any) -> flow.Step:
    match = Match(2, RULES.Options(**options), fixture().cards, (deck, deck))
    return flow.begin(RULES, match, pack="", key=key)


def test_columns_stand_in_the_fixed_order_of_virtues() -> None:
    """DI-2.1, DI-2.10: a disciple may go everywhere, and the columns are offered in that order."""
    scene = lay(side0={"drop": "t_d1~"})
    scene.act(0, "draw_card")
    moves = [act["column"] for act in scene.offered(0) if act["do"] == "move_card"]
    assert moves == ["book", "fire", "heart", "prayer"]
    zones = [zone for zone in scene.view(None) if zone in ("book", "drop", "fire", "heart", "prayer")]
    assert zones == ["book", "drop", "fire", "heart", "prayer"]


def test_a_saint_may_go_where_it_has_a_symbol() -> None:
    """DI-2.10."""
    scene = lay(hand0="t_fhp")
    assert [act.get("column") for act in scene.offered(0)] == ["fire", "heart", "prayer", None]


def test_a_card_that_comes_to_a_hand_or_leaves_it_is_a_new_instance() -> None:
    """DI-2.2: others learn its old public id, its owner the new one; between columns it keeps its id."""
    scene = lay(side0={"book": "t_bd"}, side1={"prayer": "t_p1"}, hand0="t_home")
    old = scene.card("t_bd")
    scene.play(0, "t_home")
    scene.choose(0, "t_bd")
    (public,) = scene.told(None, "returned")
    assert public["cards"] == [{"id": old, "card": "t_bd"}]
    assert "ids" not in public
    (private,) = scene.told(0, "returned")
    new = scene.card("t_bd", 0)
    assert private["ids"] == [new]
    assert new != old


def test_public_ids_count_up_as_cards_become_public() -> None:
    """DI-2.2: neither deck nor time of drawing shows in them."""
    scene = lay(hand0="t_b1 t_b2 t_b3", hand1="")
    before = scene.state.public_ids
    scene.play(0, "t_b3", "book")
    assert scene.card("t_b3") == f"c{before + 1}"


def test_a_moved_card_keeps_its_id() -> None:
    """DI-2.2."""
    scene = lay(side0={"book": "t_bd"})
    name = scene.card("t_bd")
    scene.act(0, "draw_card")
    scene.act(0, "move_card", card=name, column="drop")
    assert scene.card("t_bd") == name


def test_cards_of_a_deck_have_no_id_at_all() -> None:
    """DI-2.2, DI-2.7."""
    state = begun().position.table.state
    assert {state.cards[number].id for seat in (0, 1) for number in state.deck[seat]} == {""}


def test_hands_and_decks_are_counts_for_everybody_else() -> None:
    """DI-2.3, DI-2.13, DI-2.7."""
    scene = lay(hand0="t_b1 t_b2", discard1="t_f1")
    for audience in (1, None):
        zones = scene.view(audience)
        assert zones["hand"]["0"] == {"count": 2}
        assert zones["deck"] == {"0": 10, "1": 10}
        assert [card["card"] for card in zones["discard"]["1"]] == ["t_f1"]
    assert [card["card"] for card in scene.view(0)["hand"]["0"]["cards"]] == ["t_b1", "t_b2"]
    assert scene.view(None)["hand"] == {"0": {"count": 2}, "1": {"count": 1}}


def test_each_side_of_a_column_counts_for_its_own_seat() -> None:
    """DI-2.4, DI-9.1, DI-9.2."""
    scene = lay(side0={"book": "t_b2"}, side1={"book": "t_b3 t_d1~@0"})
    assert (scene.symbols(0, "book"), scene.symbols(1, "book")) == (2, 4)


def test_everybody_sees_which_card_a_disciple_is() -> None:
    """DI-2.5, DI-9.6."""
    scene = lay(side0={"heart": "t_f2~"})
    for audience in (0, 1, None):
        (card,) = scene.view(audience)["heart"]["0"]
        assert (card["card"], card["face"], card["owner"]) == ("t_f2", "down", 0)


def test_public_facts_are_in_every_view() -> None:
    """DI-2.6, DI-5.8."""
    scene = lay(side0={"heart": "t_h2"}, turn=7, hand0="t_b1 t_b1", turn_limit=50)
    zones = scene.view(None)
    assert zones["turn"] == {"turn": 7, "active": 0, "first_seat": 0, "phase": "main", "extra_plays": 0}
    assert zones["symbols"]["0"] == {"book": 0, "drop": 0, "fire": 0, "heart": 2, "prayer": 0}
    assert (zones["pending"], zones["lasting"], zones["limbo"], zones["result"]) == ([], [], [], None)
    assert zones["options"]["turn_limit"] == 50
    assert msgspec.json.decode(msgspec.json.encode(zones)) == zones


def test_a_source_keeps_its_public_id_though_it_is_in_a_hand_by_now() -> None:
    """DI-2.6: the ability of a saint that left is told by the id it had on the board."""
    scene = lay(side1={"drop": "t_last"}, hand0="t_home")
    name = scene.card("t_last")
    scene.play(0, "t_home")
    (started,) = [event for event in scene.told(None, "ability_started") if event["source"]["card"] == "t_last"]
    assert started["source"] == {"id": name, "card": "t_last"}
    assert scene.view(1)["hand"]["1"]["count"] == 3


def test_others_learn_only_kind_and_source_of_a_prompt() -> None:
    """DI-2.7: nothing of a reaction prompt shows what is held."""
    with_reaction, without = lay(hand0="t_b1", hand1="t_rback"), lay(hand0="t_b1", hand1="t_d1")
    for scene in (with_reaction, without):
        scene.play(0, "t_b1", "book")
    assert len(with_reaction.offered(1)) == 2
    assert len(without.offered(1)) == 1
    assert encode(waiting(with_reaction.position)) == encode(waiting(without.position))
    (public,) = waiting(with_reaction.position)
    assert (public.seat, public.kind, public.about["source"]["card"]) == (1, "react", "t_b1")


def test_a_match_goes_on_from_the_middle_of_an_ability() -> None:
    """DI-2.12: what was chosen so far is kept, and the same game follows."""
    ends = []
    for interrupted in (False, True):
        scene = lay(side0={"heart": "t_f2~", "book": "t_b1~"}, hand0="t_twice", hand1="")
        scene.play(0, "t_twice", "heart")
        scene.act(0, "yes")
        scene.prompted(0, "choose_moves")
        if interrupted:
            record = decode_record(encode(scene.record))
            scene.position = flow.load(RULES, scene.match, record)
        card = scene.card("t_f2")
        scene.act(0, "move", card=card, column="fire")
        scene.prompted(0, "may")
        scene.act(0, "no")
        ends.append(encode(scene.record))
    assert ends[0] == ends[1]


def test_options_are_bounded_and_have_defaults() -> None:
    """DI-3.1, DI-9.28."""
    assert msgspec.to_builtins(RULES.Options()) == {
        "first_seat": "random",
        "reaction_window": "always",
        "empty_hand_rule": True,
        "simultaneous_win": "active",
        "turn_limit": 200,
    }
    for wrong in ({"turn_limit": 1001}, {"turn_limit": -1}, {"first_seat": 2}, {"modes": "classic"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, RULES.Options)


def test_the_order_in_which_a_deck_is_typed_never_matters() -> None:
    """DI-3.3."""
    mixed = list(DECK)
    Random(5).shuffle(mixed)
    assert encode(begun(mixed).record) == encode(begun(DECK).record)


def test_lots_and_shuffles_draw_in_the_order_of_the_rules() -> None:
    """DI-3.4, DI-9.24: first seat, deck 0, deck 1, each shuffle from the last place down."""
    step = begun()
    state = step.position.table.state
    chance = Chance(KEY)
    assert state.first_seat == chance.below(2, "first seat")
    for seat in (0, 1):
        numbers = list(range(30 * seat, 30 * seat + 30))
        chance.shuffle(numbers, f"shuffle of deck {seat}")
        assert numbers == [*state.hand[seat], *state.deck[seat]]
    assert step.position.table.chance.counter == chance.counter


def test_the_first_seat_is_cast_by_lot_unless_the_room_says_otherwise() -> None:
    """DI-3.4, DI-9.24."""
    cast = {begun(key=bytes([n]) * 32).position.table.state.first_seat for n in range(20)}
    assert cast == {0, 1}
    assert {begun(key=bytes([n]) * 32, first_seat=1).position.table.state.active for n in range(5)} == {1}


def test_opening_hands_are_told_to_their_owners_only() -> None:
    """DI-3.5, DI-3.6."""
    step = begun(first_seat=0)
    drawn = [event for event in step.events if event.kind == "drawn"]
    assert [(event.fields["seat"], event.fields["n"]) for event in drawn] == [(0, 3), (1, 4)]
    for event in drawn:
        seat = event.fields["seat"]
        assert "cards" not in (event.seen_by(None) or {})
        assert "cards" not in (event.seen_by(1 - seat) or {})
        assert len((event.seen_by(seat) or {})["cards"]) == event.fields["n"]


def test_a_board_holds_any_number_of_cards() -> None:
    """DI-2.3, DI-2.8: neither a column nor its count has an upper limit."""
    assert lay(side0={"book": " ".join(["t_b3"] * 9)}).symbols(0, "book") == 27


def test_no_value_falls_below_nothing() -> None:
    """DI-2.8, DI-6.15: bonuses add up, and never below 0."""
    curse = '{ trigger = "static", static = [ { do = "symbol_bonus", scope = { side = "enemy" }, n = -3 } ] }'
    scene = lay(side0={"book": "t_b3 t_b1"}, side1={"book": "t_curse t_curse"}, pack=pack_with(t_curse=curse))
    assert scene.symbols(0, "book") == 0
