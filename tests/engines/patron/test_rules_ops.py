"""The operations of cards, one by one (PA-6.2 to PA-6.6)."""

from __future__ import annotations

import pytest

from tests.engines.patron.table import (
    A,
    B,
    Patrons,
    Seat,
    act,
    event,
    grace,
    kinds,
    lay,
    pack_with,
    saint,
    seat,
    static,
)

HELD = "novena famine monica"


def using(*ops: str, a: Seat | None = None, b: Seat | None = None, more: str = "", **options: object) -> Patrons:
    """Use a one-use effect of these operations, of the saint ``t_user`` of seat A."""
    own = a or seat()
    own.terra = f"{own.terra} t_user"
    scene = lay(own, b or seat(), pack=pack_with(saint("t_user", act(*ops), *([more] if more else []))), **options)  # type: ignore[arg-type]
    scene.effect(A, "t_user")
    return scene


def ops_back_at_rest(scene: Patrons) -> bool:
    return scene.prompted(A, "effects").kind == "effects"


def test_draw_gives_what_there_is() -> None:
    """PA-6.5, PA-6.4, PA-4.6."""
    scene = using('{ op = "draw", who = "self", n = 3 }', a=seat(deck=2))
    assert (scene.size(A, "hand"), scene.size(A, "deck")) == (2, 0)
    assert ops_back_at_rest(scene)


@pytest.mark.parametrize(
    ("who", "drawn"), [("self", (1, 0)), ("opponent", (0, 1)), ("active", (1, 0)), ("each", (1, 1)), (None, (1, 0))]
)
def test_an_operation_is_for_whom_it_names(who: str | None, drawn: tuple[int, int]) -> None:
    """PA-6.2."""
    named = f'who = "{who}", ' if who else ""
    scene = using(f'{{ op = "draw", {named}n = 1 }}')
    assert (scene.size(A, "hand"), scene.size(B, "hand")) == drawn


def test_without_a_word_it_is_the_active_seat_even_for_the_others_card() -> None:
    """PA-6.2, PA-9.26."""
    pack = pack_with(event("t_gift", 'on_win = [{ op = "draw", n = 1 }]', '["hope"]'))
    scene = lay(a=seat(events="t_gift"), phase="events", active=B, pack=pack)
    scene.act(B, "pass_priority")
    scene.activate(A, "e1", 6, 6)
    assert (scene.size(A, "hand"), scene.size(B, "hand")) == (0, 1)


def test_each_is_the_active_seat_first() -> None:
    """PA-6.2, PA-8.4."""
    scene = using('{ op = "draw", who = "each", n = 1 }', a=seat(deck=0), b=seat(deck=0), deck_out="lose")
    assert scene.outcome is not None
    assert scene.outcome.winners == (B,)


def test_discard_is_chosen_unless_all_go() -> None:
    """PA-6.5, PA-5.5."""
    scene = using('{ op = "discard", who = "opponent", n = 2 }', b=seat(hand=HELD))
    prompt = scene.prompted(B, "discard")
    assert (prompt.least, prompt.most, prompt.default) == (2, 2, ("1", "2"))
    scene.answer(B, scene.doing(B, "discard", "monica"), scene.doing(B, "discard", "novena"))
    assert (scene.keys(B, "hand"), scene.keys(B, "discard")) == ("famine", "novena monica")
    few = using('{ op = "discard", who = "opponent", n = 3 }', b=seat(hand=HELD))
    assert few.keys(B, "discard") == HELD


@pytest.mark.parametrize("hand", ["novena novena", "monica novena", "monica george novena"])
def test_a_filtered_discard_is_asked_whatever_is_held(hand: str) -> None:
    """PA-2.6, PA-5.5, PA-6.13."""
    op = '{ op = "discard", who = "opponent", n = 1, filter = { kind = "saint" } }'
    scene = using(op, b=seat(hand=hand))
    prompt = scene.prompted(B, "discard")
    matching = sum(key in ("monica", "george") for key in hand.split())
    assert (len(prompt.options), prompt.least, prompt.about) == (matching, min(1, matching), prompt.about)
    assert list(prompt.about) == ["source"]
    scene.stay_silent(B)
    assert scene.size(B, "discard") == min(1, matching)
    assert using(op).size(B, "discard") == 0


def test_a_random_discard_asks_nobody() -> None:
    """PA-6.5, PA-2.3, PA-6.4."""
    scene = using('{ op = "discard", who = "opponent", n = 2, random = true }', b=seat(hand=HELD))
    assert (scene.size(B, "hand"), scene.size(B, "discard")) == (1, 2)
    order = HELD.split()
    assert sorted(scene.keys(B, "discard").split(), key=order.index) == scene.keys(B, "discard").split()


@pytest.mark.parametrize(("n", "tokens"), [(2, 3), (-1, 0), (-5, 0)])
def test_tokens_are_never_below_zero(n: int, tokens: int) -> None:
    """PA-6.5, PA-4.36."""
    scene = using(f'{{ op = "tokens", who = "self", n = {n} }}', a=seat(tokens=1))
    assert (scene.counter(A, "tokens"), scene.counter(A, "events_won_turn")) == (tokens, 0)


@pytest.mark.parametrize(("n", "stored"), [(3, 6), (-9, 0), (1, 5)])
def test_stored_points_stay_between_zero_and_six(n: int, stored: int) -> None:
    """PA-6.5, PA-2.5."""
    assert using(f'{{ op = "store", who = "self", n = {n} }}', a=seat(stored=4)).counter(A, "stored") == stored


def test_a_search_is_asked_as_long_as_there_is_a_deck() -> None:
    """PA-6.5, PA-5.5, PA-2.7."""
    op = '{ op = "search", who = "self", filter = { kind = "event" }, n = 2 }'
    nothing = using(op, a=seat(deck="novena monica"))
    prompt = nothing.prompted(A, "cards")
    assert (prompt.options, prompt.most) == ((), 0)
    nothing.answer(A)
    assert kinds(nothing.told(B)) == ["deck_shuffled"]
    assert kinds(using(op, a=seat(deck=0)).told(B))[-1] == "deck_shuffled"
    found = using(op, a=seat(deck="novena famine storm_at_sea"))
    found.answer(A, found.doing(A, "take", "storm_at_sea"), found.doing(A, "take", "famine"))
    assert (found.keys(A, "hand"), found.keys(A, "deck")) == ("famine storm_at_sea", "novena")


def test_a_search_may_put_on_top_unseen() -> None:
    """PA-6.5, PA-6.4, PA-2.7."""
    op = '{ op = "search", who = "self", filter = { legendary = true }, n = 2, to = "top", reveal = false }'
    scene = using(op, a=seat(deck="novena persecution famine ardent_charity monica"))
    scene.answer(A, scene.doing(A, "take", "persecution"), scene.doing(A, "take", "ardent_charity"))
    assert scene.keys(A, "deck").split()[:2] == ["ardent_charity", "persecution"]
    assert [("card" in told) for told in scene.told(B, "card_moved")] == [False, False]
    assert [told["card"]["card"] for told in scene.told(A, "card_moved")] == ["ardent_charity", "persecution"]


@pytest.mark.parametrize(
    ("rest", "deck"), [("top", "novena monica george t_grace"), ("bottom", "george t_grace novena monica")]
)
def test_a_look_takes_some_and_puts_the_rest_back(rest: str, deck: str) -> None:
    """PA-6.5, PA-2.7."""
    op = f'{{ op = "look", who = "self", n = 3, pick = 1, rest = "{rest}" }}'
    scene = using(op, a=seat(deck="novena famine monica george t_grace"))
    assert scene.told(B, "cards_looked") == [{"event": "cards_looked", "seat": A, "count": 3}]
    assert [card["card"] for card in scene.view(A)["look"]] == ["novena", "famine", "monica"]
    scene.does(A, "take", "famine")
    assert (scene.keys(A, "hand"), scene.keys(A, "deck")) == ("famine", deck)
    assert "card" not in scene.told(B, "card_moved")[0]


def test_a_look_without_taking_asks_nothing() -> None:
    """PA-6.5."""
    scene = using('{ op = "look", who = "self", n = 3 }', a=seat(deck="novena famine"))
    assert (scene.keys(A, "deck"), scene.told(B, "cards_looked")[0]["count"]) == ("novena famine", 2)
    assert ops_back_at_rest(scene)


@pytest.mark.parametrize(
    ("to", "hand", "deck"),
    [
        ("hand", "novena monica", "t_grace"),
        ("top", "", "novena monica t_grace"),
        ("bottom", "", "t_grace novena monica"),
    ],
)
def test_recover_takes_back_in_candidate_order(to: str, hand: str, deck: str) -> None:
    """PA-6.5, PA-6.4, PA-5.5."""
    op = f'{{ op = "recover", who = "self", n = 2, to = "{to}" }}'
    scene = using(op, a=seat(discard="novena famine monica", deck="t_grace"))
    prompt = scene.prompted(A, "cards")
    assert (prompt.least, prompt.most, len(prompt.about["candidates"])) == (0, 2, 3)
    scene.answer(A, scene.doing(A, "take", "monica"), scene.doing(A, "take", "novena"))
    assert (scene.keys(A, "hand"), scene.keys(A, "deck"), scene.keys(A, "discard")) == (hand, deck, "famine")
    assert ops_back_at_rest(using(op))


def test_mill_takes_from_the_top_and_shows_it() -> None:
    """PA-6.5."""
    scene = using('{ op = "mill", who = "each", n = 2 }', a=seat(deck="novena famine monica"), b=seat(deck="george"))
    assert (scene.keys(A, "discard"), scene.keys(B, "discard")) == ("novena famine", "george")
    assert [told["card"]["card"] for told in scene.told(None, "card_moved")] == ["novena", "famine", "george"]


def test_a_lone_slot_is_peeked_at_without_asking() -> None:
    """PA-6.5, PA-5.5."""
    scene = using('{ op = "peek", who = "opponent", what = "event" }', b=seat(events="famine"))
    assert scene.told(A, "peeked")[0]["cards"] == ["famine"]
    assert scene.side(A).peeked == ["e1"]
    assert ops_back_at_rest(using('{ op = "peek", who = "opponent", what = "event" }'))


def test_remove_never_touches_the_patron() -> None:
    """PA-6.5, PA-9.38, PA-6.13."""
    scene = using('{ op = "remove", who = "opponent", zone = "saint", n = 5 }', b=seat("george", friend="monica"))
    assert (scene.keys(B, "terra"), scene.keys(B, "discard"), scene.side(B).friend) == ("george", "monica", None)


def test_the_chooser_chooses_what_is_removed() -> None:
    """PA-6.5, PA-6.2."""
    op = '{ op = "remove", who = "opponent", zone = "grace", n = 1, to = "hand", chooser = "opponent" }'
    scene = using(op, b=seat(graces="novena t_grace"))
    assert [one["card"] for one in scene.prompted(B, "target").about["candidates"]] == [
        scene.id_of(B, "novena"),
        scene.id_of(B, "t_grace"),
    ]
    scene.does(B, "target", "t_grace")
    assert (scene.keys(B, "graces"), scene.keys(B, "hand")) == ("novena", "t_grace")


@pytest.mark.parametrize(("to", "seen"), [("discard", True), ("hand", False), ("bottom", False)])
def test_a_face_down_event_is_removed_by_its_slot(to: str, seen: bool) -> None:
    """PA-6.5, PA-2.7, PA-2.4."""
    op = f'{{ op = "remove", who = "opponent", zone = "event", n = 1, to = "{to}" }}'
    scene = using(op, b=seat(events="famine storm_at_sea", deck="novena"))
    assert scene.offered(A) == [{"do": "target", "slot": "e1"}, {"do": "target", "slot": "e2"}]
    scene.act(A, "target", slot="e2")
    zone = {"bottom": "deck"}.get(to, to)
    assert scene.keys(B, zone).split()[-1] == "storm_at_sea"
    (told,) = scene.told(A, "card_moved")
    assert (told["slot"], "card" in told) == ("e2", seen)
    assert scene.told(B, "card_moved")[0]["card"]["card"] == "storm_at_sea"


def test_a_slot_that_has_gone_is_not_known_any_more() -> None:
    """PA-2.5, PA-6.5."""
    ops = [
        '{ op = "peek", who = "opponent", what = "event" }',
        '{ op = "remove", who = "opponent", zone = "event", to = "hand" }',
    ]
    scene = using(*ops, b=seat(events="famine"))
    assert (scene.side(A).peeked, scene.keys(B, "hand")) == ([], "famine")


@pytest.mark.parametrize("hand", ["t_saint_4_hope_1 george novena", "t_saint_9_hope_1", "novena"])
def test_put_saint_is_asked_as_long_as_a_card_is_held(hand: str) -> None:
    """PA-6.5, PA-5.5, PA-4.11."""
    op = '{ op = "put_saint", who = "self", max_score = 4 }'
    scene = using(op, a=seat("george", hand=hand))
    offered = [named["card"] for named in scene.offered(A)]
    assert offered == ([scene.held(A, "t_saint_4_hope_1")] if "t_saint_4" in hand else [])
    scene.answer(A, *scene.offered(A))
    assert scene.counter(A, "saints_played_turn") == len(offered)
    assert ops_back_at_rest(using(op, a=seat("george")))


def test_an_effect_may_set_another_friend_outside_the_limit() -> None:
    """PA-6.5, PA-4.14."""
    op = '{ op = "friend", who = "self" }'
    scene = using(op, a=seat("george", terra="monica", friend_acted=True))
    assert scene.prompted(A, "target").least == 0
    scene.does(A, "target", "monica")
    assert (scene.counter(A, "stored"), scene.view(None)["friend"]["0"]) == (2, scene.id_of(A, "monica"))
    absent = using(op, a=seat("george", terra="monica", in_play=False))
    assert ops_back_at_rest(absent)


def test_refresh_takes_a_stone_but_never_that_of_a_refresh() -> None:
    """PA-6.5, PA-4.18."""
    op = '{ op = "refresh", who = "self" }'
    scene = using(op, a=seat(terra="monica benedict", used=["monica#0", "benedict#0", "teresa_of_avila#0"]))
    scene.does(A, "target", "benedict", effect=0)
    assert scene.side(A).used == ["monica#0", "teresa_of_avila#0", "t_user#0"]
    alone = using(op)
    assert (alone.side(A).used, ops_back_at_rest(alone)) == (["t_user#0"], True)
    own = using('{ op = "refresh", who = "self", own_only = true }', a=seat(terra="monica", used=["monica#0"]))
    assert own.side(A).used == ["monica#0", "t_user#0"]


def test_a_check_of_an_effect_leads_on() -> None:
    """PA-6.5, PA-4.22."""
    op = (
        '{ op = "check", who = "self", virtues = ["hope"], number = 7, success = [{ op = "tokens", n = 1 }], '
        'failure = [{ op = "store", n = 1 }] }'
    )
    for dice, found in (((3, 4), (1, 0)), ((3, 3), (0, 1))):
        scene = using(op, dice=dice)
        assert (scene.counter(A, "tokens"), scene.counter(A, "stored")) == found
        assert scene.checked()["reason"] == "effect"


def test_a_choice_is_the_named_seats_and_the_controller_stays() -> None:
    """PA-6.5, PA-6.2."""
    op = (
        '{ op = "choose", who = "opponent", options = [[{ op = "draw", who = "self", n = 1 }], '
        '[{ op = "draw", who = "opponent", n = 1 }], []] }'
    )
    scene = using(op)
    assert scene.prompted(B, "option").default == ("1",)
    scene.act(B, "option", index=1)
    assert (scene.size(A, "hand"), scene.size(B, "hand")) == (0, 1)


PAY = (
    '{ op = "pay", who = "self", cost = { tokens = 1, discard = 1, graces = 1 }, then = [{ op = "store", n = 1 }], '
    'else = [{ op = "store", n = 2 }] }'
)


def test_a_cost_is_paid_in_order() -> None:
    """PA-6.5."""
    scene = using(PAY, a=seat(tokens=1, hand="novena famine", graces="t_grace t_grace_hope"))
    assert scene.prompted(A, "pay").default == ("2",)
    scene.act(A, "pay")
    assert scene.counter(A, "tokens") == 0
    scene.does(A, "discard", "famine")
    scene.does(A, "target", "t_grace")
    assert (scene.keys(A, "discard"), scene.counter(A, "stored")) == ("famine t_grace", 1)


def test_who_cannot_or_will_not_pay_goes_another_way() -> None:
    """PA-6.5."""
    poor = using(PAY, a=seat(tokens=1, hand="novena"))
    assert (poor.counter(A, "stored"), poor.counter(A, "tokens")) == (2, 1)
    unwilling = using(PAY, a=seat(tokens=1, hand="novena", graces="t_grace"))
    unwilling.act(A, "decline")
    assert (unwilling.counter(A, "stored"), unwilling.counter(A, "tokens")) == (2, 1)


@pytest.mark.parametrize(
    ("action", "phase", "laid", "spelled"),
    [
        ("play_saint", "intercession", seat(hand="monica"), "monica"),
        ("play_grace", "graces", seat(hand="novena"), "novena"),
        ("set_event", "events", seat(hand="famine"), "famine"),
        ("set_friend", "friendship", seat(terra="monica"), "monica"),
        ("cycle_saint", "graces", seat(terra="monica", hand="monica"), "monica"),
    ],
)
def test_a_restriction_forbids_an_act(action: str, phase: str, laid: Seat, spelled: str) -> None:
    """PA-6.6, PA-5.1."""
    gag = grace("t_gag", static("restrict", f'who = "opponent", action = "{action}"'))
    scene = lay(
        laid,
        seat(graces="t_gag"),
        phase=phase,
        pack=pack_with(gag),
        shared={"pool": 9} if phase == "intercession" else None,
    )
    scene.refused(A, "restricted", scene.doing(A, action, spelled))


def test_a_restriction_on_saints_holds_for_the_patron_and_not_for_effects() -> None:
    """PA-6.6, PA-5.1."""
    gag = grace("t_gag", static("restrict", 'who = "each", action = "play_saint"'))
    pack = pack_with(gag, saint("t_user", act('{ op = "put_saint", who = "self", max_score = 9 }')))
    scene = lay(seat(in_play=False, graces="", terra="t_user", hand="monica"), seat(graces="t_gag"), pack=pack)
    scene.effect(A, "t_user")
    scene.does(A, "take", "monica")
    assert "monica" in scene.keys(A, "terra")
    other = lay(seat(in_play=False), seat(graces="t_gag"), phase="intercession", pack=pack, shared={"pool": 9})
    other.refused(A, "restricted", {"do": "play_patron"})


def test_effects_and_activation_may_be_restricted_for_a_time() -> None:
    """PA-6.6, PA-6.8."""
    scene = using(
        '{ op = "restrict", who = "self", action = "activate_effect", duration = "turn" }', a=seat(terra="monica")
    )
    scene.refused(A, "restricted", scene.doing(A, "activate_effect", "monica", effect=0))
    scene.next_turn()
    scene.next_turn()
    scene.go_to(A, "effects")
    scene.effect(A, "monica")
