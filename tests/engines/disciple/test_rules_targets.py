"""Which cards are meant: picks, scopes, protection (DI-6.6, DI-6.7, DI-6.14, DI-6.16)."""

from __future__ import annotations

from tests.engines.disciple.table import done, lay, pack_with


def test_moves_to_a_named_column_or_here_need_no_column() -> None:
    """DI-6.8, DI-6.6: only cards that it suits and that are not there are candidates."""
    scene = done('{ do = "move", to = "drop", target = { pick = "all" } }', side0={"book": "t_bd t_b1 t_b1~"})
    assert (scene.side(0, "drop"), scene.side(0, "book")) == ("t_bd t_b1~", "t_b1")
    shepherd = (
        '{ trigger = "enter", effect = [ { do = "move", to = "here", target = { pick = "all", side = "own" } } ] }'
    )
    scene = lay(
        side0={"drop": "t_bd t_d1"}, side1={"drop": "t_bd"}, hand0="t_shepherd t_h1", hand1="",
        pack=pack_with(t_shepherd=shepherd),
    )  # fmt: skip
    scene.play(0, "t_shepherd", "book")
    assert (scene.side(0, "book"), scene.side(0, "drop"), scene.side(1, "drop")) == ("t_shepherd t_bd", "t_d1", "t_bd")


def test_here_has_no_candidates_once_the_source_has_left() -> None:
    """DI-6.6, DI-4.14: a deed is never on the board."""
    scene = done('{ do = "flip_down", target = { pick = "all", column = "here" } }', side0={"book": "t_b1"})
    assert scene.side(0, "book") == "t_b1"
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["flip_down"]


def test_targets_are_matched_by_every_key() -> None:
    """DI-6.6: side, face, column, symbol and tag; a disciple has neither symbol nor tag (DI-6.3)."""
    aims = {
        'side = "own"': "A1 A2",
        'side = "enemy"': "B1 B2",
        'face = "saint"': "A1 B1",
        'face = "disciple"': "A2 B2",
        'column = "fire"': "A2 B2",
        'symbol = "book"': "B1",
        'tag = "work"': "B1",
    }
    for keys, expected in aims.items():
        aim = f'{{ trigger = "play", effect = [ {{ do = "discard_card", target = {{ pick = "all", {keys} }} }} ] }}'
        pack = pack_with(deed=aim, t_tagged='{ trigger = "moved", effect = [ { do = "scry", n = 1 } ] }')
        scene = lay(
            side0={"drop": "t_d1", "fire": "t_b1~"}, side1={"book": "t_tagged", "fire": "t_tagged~"},
            hand0="deed t_d1", pack=pack,
        )  # fmt: skip
        names = {scene.card("t_d1"): "A1", scene.card("t_b1"): "A2"}
        names |= {scene.view(None)[column]["1"][0]["id"]: f"B{n}" for n, column in enumerate(("book", "fire"), 1)}
        scene.play(0, "deed")
        gone = [
            names[card["id"]]
            for event in scene.told(None, "discarded")
            for card in event["cards"][:1]
            if card["id"] in names
        ]
        assert " ".join(sorted(gone)) == expected, keys


def test_same_means_the_cards_treated_before() -> None:
    """DI-6.6: those still on the board; a card that was passed over is none of them."""
    scene = done(
        '{ do = "flip_down", target = { pick = "choose", side = "own", max = 1 } }',
        '{ do = "boost", target = { pick = "same" }, n = 3, duration = "until_own_next_turn" }',
        side0={"book": "t_b1 t_b2"},
    )
    scene.choose(0, "t_b2")
    assert (scene.side(0, "book"), scene.symbols(0, "book")) == ("t_b1 t_b2~", 1 + 4)
    scene = done(
        '{ do = "return_hand", target = { pick = "all", side = "own" } }',
        '{ do = "flip_down", target = { pick = "same" } }',
        side0={"book": "t_b1"},
    )
    assert [event["do"] for event in scene.told(None, "effect_skipped")] == ["flip_down"]


def test_a_put_card_is_the_same_for_the_next_effect() -> None:
    """DI-6.6, DI-6.8: from the discard, face up, into the only column that suits it."""
    scene = done(
        '{ do = "put", from = "discard", face = "up" }', '{ do = "flip_down", target = { pick = "same" } }',
        discard0="t_low t_f2",
    )  # fmt: skip
    assert len(scene.offered(0)) == 1
    name = scene.card("t_f2")
    scene.choose(0, "t_f2")
    assert (scene.side(0, "fire"), scene.card("t_f2")) == ("t_f2~", name)  # DI-2.2: both zones are public


def test_targets_are_treated_in_the_chosen_order_each_by_itself() -> None:
    """DI-6.7."""
    scene = done(
        '{ do = "return_bottom", target = { pick = "choose", side = "own", min = 2, max = 2 } }',
        side0={"book": "t_b1 t_b2 t_b3"}, deck0=1,
    )  # fmt: skip
    scene.choose(0, "t_b3", "t_b1")
    assert scene.deck(0) == "t_d1 t_b3 t_b1"
    assert len(scene.told(None, "returned")) == len(scene.told(None, "counts")) == 2


def test_a_target_that_became_protected_is_passed_over() -> None:
    """DI-6.7, DI-6.16: protection is looked at again when each target's turn comes."""
    guard = (
        '{ trigger = "static", static = [ { do = "protect", from = ["flip_up"], '
        'scope = { side = "own", other = true } } ] }'
    )
    pack = pack_with(
        t_ward=guard,
        deed='{ trigger = "play", effect = [ { do = "flip_up", target = { pick = "all", side = "enemy" } }, '
        '{ do = "boost", target = { pick = "same" }, n = 2, duration = "until_own_next_turn" } ] }',
    )
    scene = lay(side1={"book": "t_ward~ t_b1~"}, hand0="deed t_b1", pack=pack)
    scene.play(0, "deed")
    assert scene.side(1, "book") == "t_ward t_b1~"
    assert len(scene.told(None, "flipped")) == 1
    assert scene.symbols(1, "book") == (1 + 2) + 1  # and it is not one of the same for the next effect


def test_protection_binds_only_opponents_and_only_what_it_names() -> None:
    """DI-6.14, DI-6.16."""
    guarded = {"drop": "t_guard t_d2"}
    scene = done('{ do = "discard_card", target = { pick = "all", side = "own" } }', side0=guarded)
    assert scene.side(0, "drop") == ""
    scene = done('{ do = "discard_card", target = { pick = "all", side = "enemy" } }', side1=guarded)
    assert scene.side(1, "drop") == "t_d2"
    keep = '{ trigger = "static", static = [ { do = "protect", scope = { side = "own" }, from = ["flip_down"] } ] }'
    rest = '{ trigger = "play", effect = [ { do = "flip_down", target = { pick = "all" } }, '
    rest += '{ do = "switch_side", target = { pick = "all", side = "enemy" } } ] }'
    scene = lay(side1={"book": "t_keep"}, hand0="deed t_b1", pack=pack_with(t_keep=keep, deed=rest))
    scene.play(0, "deed")
    assert scene.side(0, "book") == "t_keep"
