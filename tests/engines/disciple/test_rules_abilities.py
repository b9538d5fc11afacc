"""When and how abilities work: structures, conditions, Abundance, caps, statics and durations (DI-6)."""

from __future__ import annotations

import pytest

from tests.engines.disciple.table import deed, done, fixture, lay, pack_with


@pytest.mark.parametrize("branch", [0, 1])
def test_the_opponent_may_be_the_one_who_chooses(branch: int) -> None:
    """DI-6.9: "own" inside still means the controller; an option that does nothing may be chosen."""
    scene = done(
        '{ do = "choose_one", by = "enemy", options = [ [ { do = "draw", who = "own", n = 1 } ], '
        '[ { do = "flip_down", target = { pick = "all" } } ] ] }'
    )
    scene.prompted(1, "choose_option")
    scene.act(1, "option", index=branch)
    assert scene.hand(0) == ("t_b1 t_d1" if branch == 0 else "t_b1")


def test_up_to_so_many_times_is_asked_before_every_round() -> None:
    """DI-6.9, DI-9.21: the same card may be treated in both rounds."""
    scene = lay(side0={"book": "t_bd"}, hand0="t_twice t_h1", hand1="")
    scene.play(0, "t_twice", "heart")
    for column in ("drop", "book"):
        scene.prompted(0, "may")
        scene.act(0, "yes")
        assert scene.side(0, column) == "t_bd"
    assert scene.phase() == ("main", 0)


def test_a_no_ends_the_repetition_and_leaves_did_as_it_is() -> None:
    """DI-6.9, DI-6.10."""
    scene = done(
        '{ do = "draw", who = "own", n = 1 }',
        '{ do = "repeat", times = 2, effect = [ { do = "flip_up", target = { pick = "all" } } ] }',
        '{ do = "if", cond = { did = true }, then = [ { do = "mill", who = "own", n = 1 } ] }',
    )
    scene.act(0, "no")
    assert scene.discard(0) == "t_d1 deed"


CONDITIONS = {
    '{ column_count = { side = "own", column = "book", op = ">=", n = 3 } }': True,
    '{ column_count = { side = "enemy", column = "book", op = ">=", n = 3 } }': False,
    '{ column_count = { side = "own", column = "here", op = "<=", n = 99 } }': False,
    '{ hand_count = { who = "own", op = "=", n = 2 } }': True,
    '{ hand_count = { who = "enemy", op = "=", n = 2 } }': False,
    '{ deck_count = { who = "enemy", op = "<=", n = 4 } }': True,
    '{ discard_count = { who = "own", op = ">=", n = 1 } }': True,
    '{ discard_count = { who = "enemy", op = ">=", n = 1 } }': False,
    '{ in_play = { side = "own", face = "saint", op = "=", n = 1 } }': True,
    '{ in_play = { face = "disciple", symbol = "fire", op = ">=", n = 1 } }': False,
    '{ complete_columns = { who = "own", op = "=", n = 1 } }': True,
    '{ complete_columns = { who = "enemy", op = "=", n = 1 } }': False,
    '{ did = true }': False,
    '{ not = { did = true } }': True,
    '{ all = [ { hand_count = { who = "own", op = ">=", n = 2 } }, { did = true } ] }': False,
    '{ any = [ { hand_count = { who = "own", op = ">=", n = 2 } }, { did = true } ] }': True,
}  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_see_the_table_as_the_controller_does(condition: str) -> None:
    """DI-6.10."""
    scene = done(
        f'{{ do = "if", cond = {condition}, then = [ {{ do = "mill", who = "enemy", n = 1 }} ], '
        'else = [ { do = "mill", who = "enemy", n = 2 } ] }',
        side0={"book": "t_b3 t_f1~", "fire": "t_p1~ t_p2~ t_p3~ t_f1~ t_f2~ t_f3~ t_d1~"}, side1={"book": "t_f2~"},
        hand0="t_b1 t_b2", hand1="t_b1", deck1=4, discard0="t_d1",
    )  # fmt: skip
    assert len(scene.state.discard[1]) == (1 if CONDITIONS[condition] else 2)


def test_did_is_what_the_last_primitive_did() -> None:
    """DI-6.10: carried out or skipped."""
    drew = '{ do = "draw", who = "own", n = 1 }'
    then = '{ do = "if", cond = { did = true }, then = [ { do = "mill", who = "enemy", n = 1 } ] }'
    assert done(drew, then).discard(1) == "t_d1"
    assert done(drew, then, deck0="").discard(1) == ""
    assert done(drew, '{ do = "flip_up", target = { pick = "all" } }', then).discard(1) == ""


def test_abundance_comes_again_when_it_was_down_in_between() -> None:
    """DI-6.11, DI-9.8: in the same turn too."""
    scene = done(
        '{ do = "flip_down", target = { pick = "choose", side = "own", face = "saint" } }',
        '{ do = "flip_up", target = { pick = "same" } }',
        side0={"book": "t_abdraw t_b3 t_b3"},
    )
    scene.choose(0, "t_abdraw")
    assert len(scene.told(None, "abundance_activated")) == 1
    assert (scene.symbols(0, "book"), scene.hand(0)) == (7, "t_b1 t_d1")


def test_only_symbols_of_the_own_side_make_abundance() -> None:
    """DI-6.11, DI-9.8."""
    scene = lay(side0={"book": "t_b3 t_b3"}, side1={"book": "t_abdraw"}, hand0="t_b1")
    scene.play(0, "t_b1", "book")
    assert scene.told(None, "abundance_activated") == []


def test_an_abundant_saint_that_comes_to_a_full_column_activates() -> None:
    """DI-6.11: a change of column or side counts as C = false before."""
    scene = done(
        '{ do = "switch_side", target = { pick = "choose", side = "enemy", face = "saint" } }',
        side0={"book": "t_b3 t_b3"}, side1={"book": "t_abdraw t_b3 t_b3"}, hand0="t_b1",
    )  # fmt: skip
    scene.choose(0, "t_abdraw")
    (event,) = scene.told(None, "abundance_activated")
    assert event["seat"] == 0
    assert scene.hand(0) == "t_b1 t_d1"


def test_a_hundred_activations_a_turn_are_the_most() -> None:
    """DI-6.12: then even a deed's own ability is not carried out."""
    scene = lay(hand0="t_haste t_b1", used={f"x.{n}": 3 for n in range(33)} | {"y.0": 1})
    scene.play(0, "t_haste")
    assert (scene.hand(0), scene.discard(0)) == ("t_b1", "t_haste")


def test_a_new_instance_begins_to_count_anew() -> None:
    """DI-6.12, DI-2.2: the cap never tells which copy came back."""
    pack = deed('{ do = "return_hand", target = { pick = "all" } }', '{ do = "extra_play", n = 1 }')
    scene = lay(side0={"drop": "t_last"}, hand0="deed t_b1", hand1="t_rback", used={"c1.0": 3}, pack=pack)
    assert scene.card("t_last") == "c1"
    scene.play(0, "deed")
    assert scene.hand(0) == "t_b1 t_last"
    scene.play(0, "t_last", "drop")
    scene.react(1, "t_rback", "fire")
    assert scene.hand(0) == "t_b1 t_last t_d1"


def test_the_changed_card_is_first_then_the_others_then_abundance() -> None:
    """DI-6.13."""
    scene = lay(
        side0={"book": "t_abdraw t_b3 t_b2", "heart": "t_host"}, hand0="t_draw t_d1", hand1="t_d1",
    )  # fmt: skip
    scene.play(0, "t_draw", "book")
    scene.act(1, "decline")
    waiting = [(one["source"]["card"], one["trigger"]) for one in scene.view(None)["pending"]]
    assert waiting == [("t_abdraw", "abundance"), ("t_draw", "enter"), ("t_host", "ally_enter")]
    assert len(scene.offered(0)) == 2


def test_a_leave_ability_is_its_last_controllers() -> None:
    """DI-6.13, DI-6.2: and a disciple or silenced saint has none."""
    scene = done('{ do = "discard_card", target = { pick = "all" } }', side0={"drop": "t_last@1"})
    assert (scene.hand(0), scene.discard(1)) == ("t_b1 t_d1", "t_last")
    scene = done('{ do = "discard_card", target = { pick = "all" } }', side0={"drop": "t_last~"})
    assert scene.hand(0) == "t_b1"
    scene = done(
        '{ do = "silence", target = { pick = "all" }, duration = "this_turn" }',
        '{ do = "discard_card", target = { pick = "all" } }',
        side0={"drop": "t_last"},
    )
    assert scene.hand(0) == "t_b1"


def test_moved_activates_for_a_saint_that_changed_its_column() -> None:
    """DI-6.2: and `here` is where it lies by now."""
    scene = lay(side0={"prayer": "t_pray"}, side1={"heart": "t_h2 t_h1~", "prayer": "t_p1"}, hand0="t_b1")
    scene.act(0, "draw_card")
    scene.act(0, "move_card", card=scene.card("t_pray"), column="heart")
    scene.prompted(0, "may")
    scene.act(0, "yes")
    assert (scene.side(1, "heart"), scene.side(1, "prayer")) == ("t_h2~ t_h1~", "t_p1")


def test_bonuses_add_up_and_may_help_their_own_source() -> None:
    """DI-6.15, DI-6.14: unless it says `other`; a mismatched saint is helped by none."""
    glow = '{ trigger = "static", static = [ { do = "symbol_bonus", scope = { side = "own" }, n = 1 } ] }'
    scene = lay(side0={"book": "t_glow t_glow t_f1", "drop": "t_d1~"}, pack=pack_with(t_glow=glow))
    assert (scene.symbols(0, "book"), scene.symbols(0, "drop")) == (2 * (1 + 2), 1 + 2)


def test_a_card_that_leaves_loses_what_lasted_on_it() -> None:
    """DI-6.18, DI-6.19: but flips, moves and switches do not end it."""
    scene = done(
        '{ do = "boost", target = { pick = "all", column = "book" }, n = 2, duration = "until_own_next_turn" }',
        '{ do = "flip_down", target = { pick = "same" } }',
        '{ do = "switch_side", target = { pick = "same" } }',
        '{ do = "if", cond = { in_play = { side = "enemy", op = ">=", n = 2 } }, '
        'then = [ { do = "return_hand", target = { pick = "all" } } ] }',
        side0={"book": "t_bd"},
    )
    assert (scene.symbols(1, "book"), len(scene.view(None)["lasting"])) == (3, 1)
    scene = done(
        '{ do = "boost", target = { pick = "all" }, n = 2, duration = "until_own_next_turn" }',
        '{ do = "return_hand", target = { pick = "all" } }',
        side0={"book": "t_bd"},
    )
    assert scene.view(None)["lasting"] == []
    assert len(scene.told(None, "lasting_ended")) == 1


def test_a_card_bears_the_lasting_mark_if_it_can_work_again() -> None:
    """DI-6.20, DI-10.3."""
    cards = fixture().cards
    marked = {card.key for card in cards if card.has_lasting_mark}
    assert {"t_swap", "t_teach", "t_dawn", "t_rise", "t_pray", "t_last", "t_pilgrim", "t_host"} <= marked
    assert not marked & {"t_b1", "t_draw", "t_rback", "t_low", "t_call"}


def test_extra_plays_are_for_the_active_seat_only() -> None:
    """DI-6.8: the other seat's Abundance, say, gives none."""
    pack = pack_with(t_gift='{ trigger = "enemy_enter", effect = [ { do = "extra_play", n = 1 } ] }')
    scene = lay(side1={"book": "t_gift"}, hand0="t_b1 t_b1", pack=pack)
    scene.play_through(0, "t_b1", "book")
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["extra_play"]
    assert scene.phase() == ("main", 1)


def test_nothing_is_decided_for_a_player_where_a_card_says_choose_or_may() -> None:
    """DI-6.21, DI-9.22: a single candidate of "up to one" is a choice all the same."""
    scene = done('{ do = "flip_down", target = { pick = "choose", min = 0 } }', side0={"book": "t_b1"})
    prompt = scene.prompted(0, "choose_cards")
    assert (prompt.least, prompt.most) == (0, 1)
    scene.answer(0)
    assert scene.side(0, "book") == "t_b1"


def test_a_disciple_watches_nobody_and_does_not_notice_that_it_moved() -> None:
    """DI-6.3, DI-6.2."""
    scene = lay(side0={"heart": "t_host~"}, hand0="t_b1 t_d1", hand1="")
    scene.play(0, "t_b1", "book")
    assert scene.hand(0) == "t_d1"
    scene = lay(side0={"prayer": "t_pray~"}, side1={"heart": "t_h2"}, hand0="t_b1")
    scene.act(0, "draw_card")
    scene.act(0, "move_card", card=scene.card("t_pray"), column="heart")
    assert scene.phase() == ("main", 1)


def test_the_own_ability_of_a_flipped_card_is_numbered_before_its_abundance() -> None:
    """DI-6.13, DI-4.13."""
    draws = 'effect = [ { do = "draw", who = "own", n = 1 } ]'
    pack = pack_with(
        t_both=f'{{ trigger = "abundance", {draws} }}, {{ trigger = "flip_up", optional = true, {draws} }}',
        deed='{ trigger = "play", effect = [ { do = "flip_up", target = { pick = "all" } } ] }',
    )
    scene = lay(side0={"book": "t_both~ t_b3 t_b3"}, hand0="deed t_b1", pack=pack)
    scene.play(0, "deed")
    scene.prompted(0, "may")
    assert [(one["pending"], one["trigger"]) for one in scene.view(None)["pending"]] == [(2, "abundance")]


def test_a_reacting_saint_may_bring_abundance() -> None:
    """DI-6.11, DI-4.12: its column is full as it is laid, and it is carried out after the window."""
    pack = pack_with(t_answer='{ trigger = "reaction", effect = [ { do = "draw", who = "own", n = 1 } ] }')
    scene = lay(side1={"book": "t_abdraw t_b3 t_b2"}, hand0="t_b1 t_b1", hand1="t_answer", pack=pack)
    scene.play(0, "t_b1", "book")
    scene.react(1, "t_answer", "book")
    told = [event["event"] for event in scene.told(None)]
    assert told[:4] == ["card_played", "counts", "abundance_activated", "ability_started"]
    assert scene.hand(1) == "t_d1 t_d1"


def test_caps_begin_anew_each_turn() -> None:
    """DI-6.12, DI-4.3."""
    scene = lay(side0={"prayer": "t_dawn"}, used={"c1.0": 3}, step="start", active=1)
    scene.prompted(0, "may")


def test_extra_plays_of_a_followup_are_used_after_it() -> None:
    """DI-4.1, DI-4.8."""
    pack = pack_with(t_spur='{ trigger = "flip_down", effect = [ { do = "extra_play", n = 1 } ] }')
    scene = lay(side0={"book": "t_spur"}, hand0="t_b1", pack=pack)
    scene.act(0, "draw_card")
    scene.act(0, "flip_card", card=scene.card("t_spur"))
    assert scene.phase() == ("extra", 0)
    scene.prompted(0, "extra")


def test_extra_plays_gained_at_the_end_of_the_turn_vanish() -> None:
    """DI-4.8: nothing was added, and everybody is told so."""
    pack = pack_with(t_late='{ trigger = "turn_end", effect = [ { do = "extra_play", n = 1 } ] }')
    scene = lay(side0={"book": "t_late"}, hand0="t_b1 t_b1", hand1="", pack=pack)
    scene.play(0, "t_b1", "book")
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["extra_play"]


@pytest.mark.parametrize(
    ("wanted", "entered", "column", "drawn"),
    [
        ('symbol = "book"', "t_bd", "drop", True),
        ('symbol = "fire"', "t_bd", "drop", False),
        ('column = "drop"', "t_bd", "drop", True),
        ('column = "book"', "t_bd", "drop", False),
        ('tag = "work"', "t_clerk", "book", True),
        ('tag = "travel"', "t_clerk", "book", False),
        ('column = "book", symbol = "drop"', "t_bd", "book", True),
        ('column = "book", symbol = "drop"', "t_bd", "drop", False),
    ],
)
def test_a_filter_holds_if_all_its_keys_do(wanted: str, entered: str, column: str, drawn: bool) -> None:
    """DI-6.4."""
    effect = 'effect = [ { do = "draw", who = "own", n = 1 } ]'
    pack = pack_with(
        t_clerk='{ trigger = "flip_up", effect = [ { do = "scry", n = 1 } ] }',
        t_porter=f'{{ trigger = "ally_enter", filter = {{ {wanted} }}, {effect} }}',
    )
    scene = lay(side0={"book": "t_porter"}, hand0=f"{entered} t_d1", hand1="", pack=pack)
    scene.play(0, entered, column)
    assert scene.hand(0) == ("t_d1 t_d1" if drawn else "t_d1")


def test_a_reaction_beyond_the_cap_is_laid_and_does_nothing() -> None:
    """DI-6.12."""
    scene = lay(hand0="t_b1 t_d1", hand1="t_rback t_d1", used={f"x.{n}": 3 for n in range(33)} | {"y.0": 1})
    scene.play(0, "t_b1", "book")
    scene.react(1, "t_rback", "fire")
    assert (scene.side(0, "book"), scene.side(1, "fire")) == ("t_b1", "t_rback")
