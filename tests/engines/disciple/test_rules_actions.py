"""Actions, errors, events, prompts and defaults (DI-5)."""

from __future__ import annotations

import pytest

from engines.rules import Act, Attempt
from tests.engines.disciple.table import RULES, deed, lay, pack_with

HUSH = '{{ trigger = "static", static = [ {{ do = "forbid", who = "enemy", what = "{what}", column = "here" }} ] }}'


def test_main_offers_every_legal_play_and_the_draw() -> None:
    """DI-5.1: hand order, then column order; a deed without a column."""
    scene = lay(hand0="t_bd t_choice")
    bd, choice = scene.card("t_bd", 0), scene.card("t_choice", 0)
    assert scene.offered(0) == [
        {"do": "play_card", "card": bd, "column": "book"},
        {"do": "play_card", "card": bd, "column": "drop"},
        {"do": "play_card", "card": choice},
        {"do": "draw_card"},
    ]


def test_a_followup_moves_to_the_end_of_the_list() -> None:
    """DI-5.1."""
    scene = lay(side0={"book": "t_bd t_b1", "drop": "t_d1"})
    scene.act(0, "draw_card")
    scene.act(0, "move_card", card=scene.card("t_bd"), column="drop")
    assert (scene.side(0, "drop"), scene.side(0, "book")) == ("t_d1 t_bd", "t_b1")


def test_errors_come_in_the_order_of_the_rules() -> None:
    """DI-5.2."""
    scene = lay(side0={"book": "t_bd t_b1~"}, side1={"book": "t_bd"})
    scene.act(0, "draw_card")
    own, disciple = scene.card("t_bd"), scene.card("t_b1")
    other = scene.view(None)["book"]["1"][0]["id"]
    held = scene.card("t_d1", 0)

    def move(card: object, column: object) -> Act:
        return {"do": "move_card", "card": card, "column": column}

    scene.refused(1, "E_NOT_YOUR_DECISION", move(own, "drop"))
    scene.refused(0, "E_WRONG_PHASE", {"do": "draw_card"})
    scene.refused(0, "E_NO_PROMPT", {"do": "yes"})
    scene.refused(0, "E_BAD_PARAM", move(own, "hope"))
    scene.refused(0, "E_BAD_PARAM", move(7, "drop"))
    scene.refused(0, "E_BAD_PARAM", {"do": "move_card", "card": own})
    scene.refused(0, "E_BAD_PARAM", {"do": "flip_card", "card": own, "column": "book"})
    scene.refused(0, "E_BAD_PARAM", {"do": "sing"})
    scene.refused(0, "E_UNKNOWN_CARD", move(held, "drop"))
    scene.refused(0, "E_UNKNOWN_CARD", {"do": "flip_card", "card": "c999"})
    scene.refused(0, "E_NOT_YOURS", move(other, "book"))
    scene.refused(0, "E_NOT_YOURS", {"do": "flip_card", "card": other})
    scene.refused(0, "E_ALREADY_DISCIPLE", {"do": "flip_card", "card": disciple})
    scene.refused(0, "E_SAME_COLUMN", move(own, "book"))
    scene.refused(0, "E_COLUMN_UNSUITABLE", move(own, "fire"))


def test_a_card_on_the_board_cannot_be_played() -> None:
    """DI-5.2."""
    scene = lay(side0={"book": "t_b1"})
    scene.refused(0, "E_UNKNOWN_CARD", {"do": "play_card", "card": scene.card("t_b1"), "column": "book"})


def test_an_unsuitable_column_is_named_before_a_forbidden_one() -> None:
    """DI-5.2."""
    scene = lay(side1={"fire": "t_wall"}, hand0="t_b1 t_f1")
    scene.refused(0, "E_COLUMN_UNSUITABLE", scene.playing(0, "t_b1", "fire"))
    scene.refused(0, "E_FORBIDDEN", scene.playing(0, "t_f1", "fire"))


def test_moves_and_flips_may_be_forbidden_in_a_column() -> None:
    """DI-6.14, DI-5.1: the column gone to, and the column of the card."""
    bars = {f"t_{what}": HUSH.format(what=what) for what in ("move_action", "flip_action")}
    scene = lay(side0={"book": "t_b1", "drop": "t_d1~"}, side1={"book": "t_move_action"}, pack=pack_with(**bars))
    scene.act(0, "draw_card")
    scene.refused(0, "E_FORBIDDEN", {"do": "move_card", "card": scene.card("t_d1"), "column": "book"})
    scene.act(0, "flip_card", card=scene.card("t_b1"))
    scene = lay(side0={"book": "t_b1", "drop": "t_d1"}, side1={"book": "t_flip_action"}, pack=pack_with(**bars))
    scene.act(0, "draw_card")
    scene.refused(0, "E_FORBIDDEN", {"do": "flip_card", "card": scene.card("t_b1")})
    scene.act(0, "flip_card", card=scene.card("t_d1"))


def test_a_stale_prompt_is_refused() -> None:
    """DI-5.2."""
    scene = lay(hand0="t_choice")
    scene.play(0, "t_choice")
    scene.refused(0, "E_STALE_PROMPT", {"do": "option", "index": 0}, stale=True)
    scene.refused(0, "E_WRONG_PHASE", {"do": "draw_card"}, stale=True)


def test_a_second_early_answer_is_stale_and_the_first_is_final() -> None:
    """DI-4.12, DI-5.2."""
    scene = lay(hand0="t_b1", hand1="t_rback")
    scene.play(0, "t_b1", "book")
    prompt = scene.prompted(1, "react")
    refusal = RULES.explain(scene.view(1), Attempt(1, "held", prompt, ({"do": "decline"},)))
    assert refusal.code == "E_STALE_PROMPT"


def test_answers_to_choices_are_counted_then_compared() -> None:
    """DI-5.5, DI-5.2."""
    scene = lay(hand0="t_rescue", discard0="t_b1 t_b2 t_b3")
    scene.play(0, "t_rescue")
    b1, b2, b3 = (act["card"] for act in scene.offered(0))
    choose = [{"do": "choose", "card": card} for card in (b1, b2, b3)]
    scene.refused(0, "E_CHOICE_COUNT", *choose)
    scene.refused(0, "E_CHOICE_COUNT", {"do": "choose", "card": "c998"}, choose[0], choose[0])
    scene.refused(0, "E_CHOICE_DUPLICATE", choose[0], choose[0])
    scene.refused(0, "E_CHOICE_ILLEGAL", choose[0], {"do": "choose", "card": "c998"})
    scene.refused(0, "E_BAD_PARAM", {"do": "choose", "card": 5})
    scene.refused(0, "E_BAD_PARAM", {"do": "yes"})
    scene.choose(0, "t_b3", "t_b1")
    assert scene.hand(0) == "t_b3 t_b1"


def test_other_answers_must_be_listed() -> None:
    """DI-5.5."""
    scene = lay(hand0="t_choice")
    scene.play(0, "t_choice")
    scene.refused(0, "E_CHOICE_ILLEGAL", {"do": "option", "index": 2})
    scene.refused(0, "E_BAD_PARAM", {"do": "option", "index": True})
    scene = lay(hand0="t_b1", hand1="t_rhush")
    scene.play(0, "t_b1", "book")
    scene.refused(1, "E_CHOICE_ILLEGAL", {"do": "react", "card": scene.card("t_rhush", 1), "column": "fire"})
    scene.refused(1, "E_CHOICE_ILLEGAL", {"do": "react", "card": scene.card("t_b1")})


def test_a_scry_is_answered_with_every_shown_card_once() -> None:
    """DI-5.5."""
    scene = lay(hand0="t_sift t_h1", hand1="", deck0="t_b1 t_b2 t_b3 t_d1 t_d2")
    scene.play(0, "t_sift", "book")
    place = [act for act in scene.offered(0) if act["do"] == "place"]
    divider = {"do": "divider"}
    scene.refused(0, "E_CHOICE_COUNT", *place)
    scene.refused(0, "E_CHOICE_DUPLICATE", place[0], place[0], place[1], divider)
    scene.refused(0, "E_CHOICE_ILLEGAL", *place[:2], {"do": "place", "card": "zzz"}, divider)
    scene.answer(0, place[2], divider, place[1], place[0])
    assert scene.deck(0) == "t_b3 t_d1 t_d2 t_b2 t_b1"


def test_a_mutation_tells_its_own_event_then_counts_then_abundance() -> None:
    """DI-5.4."""
    scene = lay(side0={"book": "t_abdraw t_b3 t_b2"}, hand0="t_b1 t_b1")
    scene.play(0, "t_b1", "book")
    told = [event["event"] for event in scene.told(None)]
    assert told == ["card_played", "counts", "abundance_activated", "reaction_opened"]
    (counts,) = scene.told(None, "counts")
    assert counts["symbols"]["0"]["book"] == 7


def test_one_event_tells_of_cards_that_go_together() -> None:
    """DI-5.4: milled and discarded cards in one event, moved ones in one each."""
    pack = deed(
        '{ do = "mill", who = "enemy", n = 3 }',
        '{ do = "discard", who = "enemy", n = 2, choose = "owner" }',
        '{ do = "flip_down", target = { pick = "all" } }',
    )
    scene = lay(side0={"book": "t_b1 t_b2"}, hand0="deed t_b1", hand1="t_d2 t_d1", pack=pack)
    scene.play(0, "deed")
    assert [len(event["cards"]) for event in scene.told(None, "milled")] == [3]
    (discarded,) = [event for event in scene.told(None, "discarded") if event["from"]["zone"] == "hand"]
    assert [card["card"] for card in discarded["cards"]] == ["t_d1", "t_d2"]  # a whole hand by number, not by arrival
    assert len(scene.told(None, "flipped")) == 2


def test_a_primitive_without_effect_is_skipped_in_public() -> None:
    """DI-5.4, DI-5.6: and no event counts nothing."""
    scene = lay(hand0="t_choice t_b1", deck0="")
    scene.play(0, "t_choice")
    scene.act(0, "option", index=0)
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["draw"]
    assert scene.told(None, "drawn") == []


def test_a_put_from_the_hand_never_tells_whether_a_card_fitted() -> None:
    """DI-5.4, DI-5.6: it is asked, and a refusal leaves no trace, whatever is held."""
    told = []
    for hand in ("t_call t_h1", "t_call t_low"):
        scene = lay(hand0=hand, hand1="")
        scene.play(0, "t_call", "heart")
        scene.prompted(0, "choose_cards")
        scene.answer(0)
        told.append(scene.told(None)[:2])
    assert told[0] == told[1]
    assert told[0][0]["event"] == "ability_ended"


def test_a_single_way_is_taken_without_a_question() -> None:
    """DI-5.6: as many cards as must be chosen, each with one column to go to."""
    moved = deed('{ do = "move", to = "choose", target = { pick = "choose", side = "own" } }')
    scene = lay(side0={"book": "t_bd"}, hand0="deed t_b1", pack=moved)
    scene.play(0, "deed")
    assert scene.side(0, "drop") == "t_bd"
    scene = lay(side0={"book": "t_b1~"}, hand0="deed t_b1", pack=moved)
    scene.play(0, "deed")
    prompt = scene.prompted(0, "choose_moves")
    assert (prompt.least, prompt.most, len(prompt.options)) == (1, 1, 4)


def test_picked_cards_are_all_moved_but_their_columns_are_chosen() -> None:
    """DI-5.6, DI-6.17."""
    moved = deed('{ do = "move", to = "choose", target = { pick = "all" } }')
    scene = lay(side0={"book": "t_bd"}, side1={"book": "t_b1~"}, hand0="deed t_b1", pack=moved)
    scene.play(0, "deed")
    prompt = scene.prompted(0, "choose_moves")
    assert (prompt.least, prompt.most) == (2, 2)
    scene.stay_silent(0)
    assert (scene.side(0, "drop"), scene.side(1, "drop")) == ("t_bd", "t_b1~")


@pytest.mark.parametrize(
    ("hand", "deck", "silence"),
    [("t_bd", "t_b1", {"do": "draw_card"}), ("t_bd", "", {"do": "play_card", "column": "book"})],
)
def test_silence_in_main_draws_or_plays(hand: str, deck: str, silence: Act) -> None:
    """DI-5.7."""
    scene = lay(hand0=hand, deck0=deck)
    prompt = scene.prompted(0, "main")
    (act,) = prompt.acts(prompt.default)
    assert act.items() >= silence.items()


def test_silence_passes_when_nothing_else_is_left() -> None:
    """DI-5.7."""
    scene = lay(side1={"fire": "t_wall"}, hand0="t_f1", deck0="")
    prompt = scene.prompted(0, "main")
    assert prompt.acts(prompt.default) == ({"do": "pass_turn"},)


def test_silence_declines_refuses_and_takes_the_first() -> None:
    """DI-5.7."""
    scene = lay(side0={"book": "t_bd"}, hand0="t_haste t_pilgrim t_b1")
    scene.play(0, "t_haste")
    scene.play(0, "t_pilgrim", "heart")
    scene.stay_silent(1)
    assert scene.told(None, "reaction_declined") == [{"event": "reaction_declined", "seat": 1}]
    scene.stay_silent(0)
    assert scene.side(0, "heart") == "t_pilgrim"
    scene = lay(hand0="t_choice")
    scene.play(0, "t_choice")
    scene.stay_silent(0)
    assert scene.hand(0) == "t_d1 t_d1"
    scene = lay(side0={"book": "t_bd"})
    scene.act(0, "draw_card")
    scene.stay_silent(0)
    assert (scene.side(0, "book"), scene.phase()) == ("t_bd", ("main", 1))


def test_silence_leaves_the_looked_at_cards_and_takes_the_oldest_ability() -> None:
    """DI-5.7."""
    scene = lay(hand0="t_sift t_b1", hand1="", deck0="t_b1 t_b2 t_b3 t_d1")
    scene.play(0, "t_sift", "book")
    scene.stay_silent(0)
    assert scene.deck(0) == "t_b1 t_b2 t_b3 t_d1"
    scene = lay(side0={"book": "t_abdraw t_abdisc t_b3 t_b1"}, hand0="t_b1", hand1="t_d1 t_d2")
    scene.play_through(0, "t_b1", "book")
    scene.stay_silent(0)
    assert scene.hand(0) == "t_d1"
    scene.stay_silent(1)
    assert scene.discard(1) == "t_d1"


def test_a_view_while_being_asked_to_react_shows_the_own_hand_and_the_prompt() -> None:
    """DI-5.8."""
    scene = lay(hand0="t_h2 t_b1", hand1="t_rback t_d1", turn=7)
    scene.play(0, "t_h2", "heart")
    zones, prompt = scene.view(1), scene.prompted(1, "react")
    assert [card["card"] for card in zones["hand"]["1"]["cards"]] == ["t_rback", "t_d1"]
    (laid,) = zones["heart"]["0"]
    assert prompt.about == {"source": {"id": laid["id"], "card": "t_h2"}}
    react = {"do": "react", "card": zones["hand"]["1"]["cards"][0]["id"], "column": "fire"}
    assert scene.offered(1) == [{"do": "decline"}, react]
