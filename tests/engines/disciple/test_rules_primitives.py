"""What cards do: the primitives (DI-6.8)."""

from __future__ import annotations

import pytest

from engines.record import encode
from tests.engines.disciple.table import Disciples, deed, done, lay


def test_effects_run_in_order_and_each_does_what_it_can() -> None:
    """DI-6.1, DI-8.7: two cards are drawn where three were meant, and the next effect follows."""
    scene = done('{ do = "draw", who = "own", n = 3 }', '{ do = "mill", who = "enemy", n = 1 }', deck0="t_b2 t_b3")
    assert (scene.hand(0), scene.discard(1)) == ("t_b1 t_b2 t_b3", "t_d1")


def test_draw_and_mill_take_from_the_top() -> None:
    """DI-6.8."""
    scene = done(
        '{ do = "draw", who = "enemy", n = 2 }', '{ do = "mill", who = "own", n = 2 }',
        deck0="t_f1 t_f2 t_f3", deck1="t_b2 t_b3 t_b1",
    )  # fmt: skip
    assert (scene.hand(1), scene.deck(1)) == ("t_d1 t_b2 t_b3", "t_b1")
    assert (scene.discard(0), scene.deck(0)) == ("t_f1 t_f2 deed", "t_f3")


def test_the_owner_chooses_what_it_discards() -> None:
    """DI-6.8."""
    scene = done('{ do = "discard", who = "enemy", n = 1, choose = "owner" }', hand1="t_b1 t_b2 t_b3")
    scene.prompted(1, "choose_cards")
    scene.choose(1, "t_b2")
    assert (scene.discard(1), scene.hand(1)) == ("t_b2", "t_b1 t_b3")


def test_chance_discards_only_from_a_hand_that_is_larger() -> None:
    """DI-6.8, DI-5.6: else no draw is made."""
    effect = '{ do = "discard", who = "enemy", n = 2, choose = "random" }'
    scene = done(effect, hand1="t_b1 t_b2 t_b3")
    assert len(scene.state.hand[1]) == 1
    assert scene.position.table.chance.counter == 2
    scene = done(effect, hand1="t_b2 t_b1")
    assert (scene.discard(1), scene.position.table.chance.counter) == ("t_b1 t_b2", 0)


def test_recovered_cards_go_in_the_chosen_order() -> None:
    """DI-6.8: to the end of the hand, or under the deck with the first uppermost; others learn the public ids."""
    to_hand = '{ do = "recover", min = 0, max = 2, to = "hand", filter = { kind = "saint" } }'
    scene = done(to_hand, discard0="t_b1 t_low t_b2 t_b3")
    assert len(scene.offered(0)) == 3
    old = scene.card("t_b3")
    scene.choose(0, "t_b3", "t_b2")
    assert scene.hand(0) == "t_b1 t_b3 t_b2"
    assert scene.told(1, "recovered")[0]["cards"][0]["id"] == old
    assert "ids" not in scene.told(1, "recovered")[0]
    scene = done('{ do = "recover", min = 1, max = 2, to = "deck_bottom" }', discard0="t_b1 t_b2 t_b3", deck0=1)
    scene.choose(0, "t_b3", "t_b1")
    assert scene.deck(0) == "t_d1 t_b3 t_b1"


def test_what_must_be_recovered_is_not_asked_for() -> None:
    """DI-5.6, DI-6.8."""
    scene = done('{ do = "recover", min = 2, max = 2, to = "hand" }', discard0="t_b1 t_b2")
    assert scene.hand(0) == "t_b1 t_b1 t_b2"


def test_a_scry_shows_the_top_to_the_looker_only() -> None:
    """DI-6.8, DI-2.7: others see how many were put to the bottom."""
    scene = done('{ do = "scry", n = 2 }', deck0="t_b2 t_b3 t_d1")
    assert [card["card"] for card in scene.view(0)["look"]] == ["t_b2", "t_b3"]
    assert scene.view(1)["look"] == scene.view(None)["look"] == []
    first, second, divider = scene.offered(0)
    scene.answer(0, second, divider, first)
    assert scene.deck(0) == "t_b3 t_d1 t_b2"
    assert scene.told(None, "scried") == [{"event": "scried", "seat": 0, "n": 2, "bottom": 1}]
    assert scene.told(0, "scried")[0]["cards"] == ["t_b2", "t_b3"]
    assert scene.view(0)["look"] == []


def searching(deck: str) -> Disciples:
    scene = lay(hand0="t_seek t_h1", hand1="", deck0=deck)
    scene.play(0, "t_seek", "prayer")
    return scene


def test_a_search_shows_the_deck_by_number_takes_one_and_shuffles() -> None:
    """DI-6.8, DI-2.7, DI-3.4: what is found is shown to all by its key."""
    scene = searching("t_f1 t_b2 t_d1 t_b1 t_b2")
    assert [card["card"] for card in scene.view(0)["look"]] == ["t_b1", "t_b2", "t_b2", "t_d1", "t_f1"]
    assert scene.view(1)["look"] == []
    scene.act(0, "choose", card="t_b2")
    assert scene.hand(0).split()[:2] == ["t_h1", "t_b2"]
    assert scene.told(None, "searched", "shuffled") == [
        {"event": "searched", "seat": 0, "found": ["t_b2"]},
        {"event": "shuffled", "seat": 0},
    ]
    assert scene.position.table.chance.counter == 3


def test_the_order_in_which_a_deck_is_searched_shows_nothing_of_its_order() -> None:
    """DI-6.8, DI-2.2: names follow from what is shown, not from where it lay."""
    left, right = searching("t_b1 t_f1 t_b2"), searching("t_b2 t_b1 t_f1")
    assert encode(left.view(0)) == encode(right.view(0))
    assert left.offered(0) == right.offered(0)


def test_a_search_may_find_nothing_and_asks_all_the_same() -> None:
    """DI-6.8, DI-5.6, DI-5.4."""
    scene = searching("t_f1 t_f2 t_f3")
    assert scene.offered(0) == []
    scene.answer(0)
    assert [event["event"] for event in scene.told(None)][:3] == ["searched", "shuffled", "ability_ended"]
    assert scene.told(None, "searched")[0]["found"] == []


def test_a_peek_shows_keys_to_the_looker_only() -> None:
    """DI-6.8, DI-2.7: a hand by number, a deck top first; everybody learns how many."""
    scene = done(
        '{ do = "peek", what = "hand" }', '{ do = "peek", what = "deck_top", n = 2 }',
        hand1="t_f1 t_b1 t_d1", deck1="t_f2 t_b2 t_b3",
    )  # fmt: skip
    assert [event["cards"] for event in scene.told(0, "peeked")] == [["t_b1", "t_d1", "t_f1"], ["t_f2", "t_b2"]]
    for audience in (1, None):
        told = scene.told(audience, "peeked")
        assert [(event["n"], "cards" in event) for event in told] == [(3, False), (2, False)]


def test_a_flip_up_stays_where_it_is_and_activates() -> None:
    """DI-6.8, DI-6.2, DI-6.3: mismatched saints keep their abilities."""
    scene = lay(side0={"heart": "t_rise~"}, hand0="t_wake")
    scene.play(0, "t_wake")
    assert (scene.side(0, "heart"), scene.symbols(0, "heart"), scene.hand(0)) == ("t_rise", 0, "t_d1")


def test_cards_return_and_are_discarded_to_their_owners() -> None:
    """DI-6.8, DI-2.11, DI-9.27, DI-6.18."""
    stolen = {"book": "t_b1@1", "drop": "t_d2@1", "fire": "t_f1@1"}
    for word, zone in (("return_hand", "hand"), ("return_bottom", "deck"), ("discard_card", "discard")):
        scene = done(f'{{ do = "{word}", target = {{ pick = "all" }} }}', side0=stolen, deck1="t_h1", hand1="t_h1")
        lies = {"hand": scene.hand(1), "deck": scene.deck(1), "discard": scene.discard(1)}[zone]
        assert lies.split()[-3:] == ["t_b1", "t_d2", "t_f1"], word
        assert not list(scene.state.on_board())


def test_switching_sides_is_neither_entering_nor_moving() -> None:
    """DI-6.8: it comes to the end of the list, and its face is kept."""
    scene = done(
        '{ do = "switch_side", target = { pick = "all", side = "enemy" } }',
        side0={"heart": "t_host", "prayer": "t_p1"}, side1={"prayer": "t_pray t_p2~", "book": "t_b1"},
    )  # fmt: skip
    assert (scene.side(0, "prayer"), scene.side(0, "book")) == ("t_p1 t_pray t_p2~", "t_b1")
    assert [event["source"]["card"] for event in scene.told(None, "ability_started")] == ["deed"]
    assert len(scene.told(None, "side_switched")) == 3


def test_a_saint_put_from_the_hand_enters_without_a_window() -> None:
    """DI-6.8, DI-6.2: the card first, shown to all, then the column."""
    scene = lay(side0={"heart": "t_host"}, hand0="t_call t_fhp t_low", hand1="t_rback")
    scene.play_through(0, "t_call", "heart")
    scene.act(0, "trigger", pending=1)
    assert len(scene.offered(0)) == 1
    scene.choose(0, "t_fhp")
    prompt = scene.prompted(0, "choose_column")
    assert prompt.about["card"] == "t_fhp"
    assert [act["column"] for act in scene.offered(0)] == ["fire", "heart", "prayer"]
    scene.act(0, "column", column="prayer")
    assert scene.side(0, "prayer") == "t_fhp"
    assert scene.told(None, "reaction_opened") == []
    scene.prompted(0, "choose_trigger")  # for the saint that called, and for the one that was called
    assert [one["event"]["card"] for one in scene.view(None)["pending"]] == ["t_call", "t_fhp"]


def test_a_card_put_from_the_deck_face_down_is_shown_and_does_not_enter() -> None:
    """DI-6.8, DI-2.5: every column suits it."""
    scene = lay(side0={"heart": "t_host"}, hand0="t_sow t_h1", hand1="", deck0="t_draw t_b1")
    scene.play(0, "t_sow", "drop")
    scene.act(0, "trigger", pending=1)
    prompt = scene.prompted(0, "choose_column")
    assert (prompt.about["card"], len(prompt.options)) == ("t_draw", 5)
    scene.act(0, "column", column="heart")
    assert scene.side(0, "heart") == "t_host t_draw~"
    assert len(scene.told(None, "ability_started")) == 1


def test_a_deed_on_top_of_the_deck_is_discarded_instead() -> None:
    """DI-6.8: and so is a saint that does not fit."""
    scene = lay(hand0="t_sow t_h1", hand1="", deck0="t_low t_b1")
    scene.play(0, "t_sow", "drop")
    assert (scene.discard(0), scene.deck(0)) == ("t_low", "t_b1")
    scene = done('{ do = "put", from = "deck_top", face = "up", filter = { symbol = "fire" } }', deck0="t_b1 t_b2")
    assert scene.discard(0) == "t_b1 deed"


def test_a_silenced_saint_loses_statics_and_gets_them_back() -> None:
    """DI-6.8, DI-6.2: its symbols stay."""
    scene = done(
        '{ do = "silence", target = { pick = "choose", side = "own", face = "saint" }, duration = "this_turn" }',
        '{ do = "draw", who = "own", n = 1 }',
        side0={"prayer": "t_teach t_p1~"}, hand1="t_b1",
    )  # fmt: skip
    assert [event["symbols"]["0"]["prayer"] for event in scene.told(None, "counts")] == [2, 3]
    assert scene.symbols(0, "prayer") == 3


def test_an_edge_of_abundance_that_comes_while_silenced_is_used_up() -> None:
    """DI-6.11, DI-6.12."""
    pack = deed(
        '{ do = "silence", target = { pick = "all", column = "book" }, duration = "this_turn" }',
        '{ do = "boost", target = { pick = "same" }, n = 1, duration = "until_own_next_turn" }',
    )
    scene = lay(side0={"book": "t_abdraw t_b3 t_b2"}, hand0="deed t_b1 t_b1", pack=pack)
    scene.play(0, "deed")
    assert scene.symbols(0, "book") == 9
    assert scene.told(None, "abundance_activated") == []
    assert scene.view(None)["book"]["0"][0]["abundant"] is True
    scene.act(1, "draw_card")
    assert scene.told(None, "abundance_activated") == []


EMPTY_HANDED = {
    "draw": '{ do = "draw", who = "own", n = 1 }',
    "mill": '{ do = "mill", who = "own", n = 1 }',
    "scry": '{ do = "scry", n = 2 }',
    "search": '{ do = "search" }',
    "recover": '{ do = "recover", min = 0, max = 2, to = "hand" }',
    "discard": '{ do = "discard", who = "enemy", n = 1, choose = "owner" }',
    "peek": '{ do = "peek", what = "hand" }',
    "put": '{ do = "put", from = "discard", face = "up" }',
    "flip_up": '{ do = "flip_up", target = { pick = "choose" } }',
}


@pytest.mark.parametrize("primitive", EMPTY_HANDED)
def test_a_primitive_that_finds_nothing_is_skipped_and_did_nothing(primitive: str) -> None:
    """DI-5.4, DI-5.6, DI-6.10: for a reason that everybody can see; the next effect follows."""
    scene = done(
        EMPTY_HANDED[primitive],
        '{ do = "if", cond = { did = true }, then = [ { do = "mill", who = "enemy", n = 3 } ] }',
        '{ do = "mill", who = "enemy", n = 1 }',
        hand0="t_b1",
        hand1="",
        deck0="",
    )
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == [primitive]
    assert len(scene.state.discard[1]) == 1


@pytest.mark.parametrize("source", ["hand", "deck_top"])
def test_a_put_from_an_empty_zone_is_skipped(source: str) -> None:
    """DI-6.8, DI-5.4: an empty hand is public, unlike what does not fit in one."""
    scene = done(f'{{ do = "put", from = "{source}", face = "down" }}', hand0="", deck0="", discard0="t_b1", hand1="")
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["put"]


def test_a_put_from_the_discard_that_is_refused_is_skipped_in_public() -> None:
    """DI-5.4: everybody could see what there was to choose from."""
    scene = done('{ do = "put", from = "discard", face = "up" }', discard0="t_b1")
    scene.answer(0)
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["put"]


def test_a_put_that_was_refused_leaves_no_same_card() -> None:
    """DI-6.6: the cards treated before it are forgotten too."""
    scene = done(
        '{ do = "flip_down", target = { pick = "all", side = "own" } }',
        '{ do = "put", from = "hand", face = "up" }',
        '{ do = "boost", target = { pick = "same" }, n = 3, duration = "until_own_next_turn" }',
        side0={"book": "t_b1"},
    )
    scene.answer(0)
    assert scene.symbols(0, "book") == 1
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["boost"]


def test_copies_of_a_searched_card_are_one_choice() -> None:
    """DI-6.8, DI-2.2: nothing tells which of several equal cards it is."""
    scene = searching(" ".join(["t_b2", "t_b1"] * 4))
    assert scene.view(0)["look"] == [{"id": "t_b1", "card": "t_b1"}] * 4 + [{"id": "t_b2", "card": "t_b2"}] * 4
    assert [act["card"] for act in scene.offered(0)] == ["t_b1", "t_b2"]
    scene.refused(0, "E_CHOICE_ILLEGAL", {"do": "choose", "card": "t_f1"})
    scene.refused(0, "E_CHOICE_COUNT", *scene.offered(0))
