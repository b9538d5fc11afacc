"""What lies where, who sees what, and how a match begins (KN-2, KN-3)."""

from __future__ import annotations

import pytest

from engines.knights import Knights
from engines.knights.naming import name_of
from tests.engines.knights.table import DECK, RULES, fixture, knight, lay, occasion, opened, pack_with, permanent

AUDIENCES = (None, 0, 1)


def test_names_are_original_and_piles_have_mythic_names() -> None:
    """KN-0.1."""
    (pack,) = Knights().packs().values()
    assert len({card.name for card in pack.cards}) == len(list(pack.cards))
    assert all(" of " in card.name for card in pack.cards if card.kind == "knight")
    assert name_of("lysandra-of-lyra") == "Lysandra of Lyra"


def test_decks_show_their_size_and_hands_their_owner_the_cards() -> None:
    """KN-2.1, KN-2.2."""
    duel = lay(a_hand="o1 t1", b_hand="o2", b_deck="t1 t2")
    assert [duel.view(eyes)["deck"] for eyes in AUDIENCES] == [{"0": 6, "1": 2}] * 3
    assert [card["card"] for card in duel.view(0)["hand"]["0"]["cards"]] == ["o1", "t1"]
    assert [duel.view(eyes)["hand"]["0"] for eyes in (None, 1)] == [{"count": 2}] * 2


def test_the_field_is_public_and_what_lies_face_down_is_its_owners() -> None:
    """KN-2.3, KN-2.4, KN-2.5, KN-2.6."""
    duel = lay({1: "alpha"}, {2: "beta"}, a_support={2: "t1 down on 1"}, b_helper="h1", scenario="s1@1")
    assert duel.space(1, 2) == "beta"
    assert [duel.support(0, eyes)[1] for eyes in AUDIENCES] == ["~", "t1~", "~"]
    assert duel.view(None)["support"]["0"][1] == {"face": "down"}
    assert duel.view(0)["support"]["0"][1]["host"] == {"seat": 0, "slot": 1}
    assert [duel.view(eyes)["helper"]["1"]["card"] for eyes in AUDIENCES] == ["h1"] * 3
    assert (duel.view(None)["scenario"]["card"], duel.view(None)["scenario"]["owner"]) == ("s1", 1)


def test_links_of_face_down_techniques_are_shown_to_their_owner_alone() -> None:
    """KN-2.11, KN-2.34."""
    duel = lay({1: "alpha"}, a_support={1: "t1 down on 1", 2: "d1 on 1"})
    assert [duel.view(eyes)["knights"]["0"][0]["techniques"] for eyes in AUDIENCES] == [[2], [1, 2], [2]]


def test_discard_and_exile_piles_are_public() -> None:
    """KN-2.7, KN-2.8."""
    duel = lay({1: "alpha"}, a_hand="o19", b_discard="t1 o2")
    duel.play(0, "o19")
    duel.take(0, "o2")
    for eyes in AUDIENCES:
        assert [card["card"] for card in duel.view(eyes)["discard"]["1"]] == ["t1"]
        assert [card["card"] for card in duel.view(eyes)["exile"]["1"]] == ["o2"]


def test_deities_stay_secret_until_both_have_chosen() -> None:
    """KN-2.9, KN-2.33, KN-3.2, KN-5.30."""
    duel = opened()
    duel.act(1, "choose_deity", deity="hades")
    assert [duel.view(eyes)["deity"] for eyes in AUDIENCES] == [{"0": None, "1": None}] * 3
    assert duel.told(None) == []
    duel.stay_silent(0)
    assert duel.told(None, "deities_revealed") == [{"event": "deities_revealed", "deities": ["poseidon", "hades"]}]
    assert duel.view(None)["deity"] == {"0": "poseidon", "1": "hades"}


def test_divine_life_never_passes_what_is_printed() -> None:
    """KN-2.10, KN-6.65."""
    duel = lay({1: "alpha"}, a_hand="o20 o20", pvd=(3, 6))
    duel.play(0, "o20")
    assert duel.pvd == (5, 6)
    duel.play(0, "o20")
    assert duel.pvd == (6, 6)
    assert duel.told(None, "pvd_changed") == [{"event": "pvd_changed", "seat": 0, "amount": 1, "pvd": 6}]


def test_turn_modifiers_restrictions_and_questions_are_public() -> None:
    """KN-2.12, KN-2.13, KN-2.14, KN-2.15, KN-2.42."""
    duel = lay({1: "alpha", 2: "beta"}, a_hand="o5 o18")
    duel.play(0, "o18")
    duel.play(0, "o5")
    for eyes in AUDIENCES:
        assert duel.view(eyes)["pending"] == [{"seat": 0, "kind": "choose_targets"}]
        assert duel.view(eyes)["restrictions"] == [
            {"seat": 1, "what": "occasion", "duration": "my_next_turn", "until": 0}
        ]
    assert duel.prompt(1) is None
    duel.choose(0, (0, 1))
    (modifier,) = duel.view(1)["modifiers"]
    assert (modifier["what"], modifier["n"], modifier["duration"], modifier["source"]) == ("ce", 1, "permanent", "o5")
    assert duel.view(None)["turn"]["turn"] == 5


def test_half_done_things_and_chance_are_shown_to_nobody() -> None:
    """KN-2.16, KN-2.17."""
    duel = lay({1: "alpha"}, {1: "beta"}, b_support={1: "t1 down on 1"})
    duel.attack(0, 1, 1)
    for eyes in AUDIENCES:
        assert not {"stack", "triggers", "rng", "queue", "key"} & duel.view(eyes).keys()


def test_a_maximum_that_grows_gives_and_one_that_falls_caps() -> None:
    """KN-2.20."""
    duel = lay({1: "beta pv=2"}, {1: "alpha"}, a_hand="b2")
    duel.play(0, "b2", host=1)
    assert (duel.pv(0, 1), duel.knight(0, 1)["max_pv"]) == (5, 11)
    other = lay({1: "beta"}, {1: "alpha"}, a_support={1: "b2 on 1"}, pack=pack_with(SMASH), a_hand="oo")
    other.play(0, "oo")
    assert (other.pv(0, 1), other.knight(0, 1)["max_pv"]) == (8, 8)


SMASH = occasion('{ op = "destroy", target = { pick = "choose", who = "ally", zone = "support" } }')


def test_gains_stop_at_the_maximum_and_tell_what_was_gained() -> None:
    """KN-2.20, KN-6.63."""
    duel = lay({1: "zeta", 2: "beta pv=7"}, {1: "alpha"})
    duel.act(0, "activate", source={"knight": 1, "ability": 1})
    duel.choose(0, (0, 2))
    (healed,) = duel.told(None, "pv_changed")
    assert (healed["amount"], healed["pv"]) == (1, 8)


def test_a_card_that_leaves_keeps_its_uses_of_the_match_and_nothing_else() -> None:
    """KN-2.21, KN-6.2."""
    pack = pack_with(
        knight(
            'kind = "activated", action = false, once = "game", '
            'effects = [{ op = "modify", stat = "ce", n = 3, duration = "permanent" }]'
        )
    )
    duel = lay({1: "kk pv=3 env"}, {1: "alpha"}, a_hand="o21 o21", pack=pack)
    act = {"do": "activate", "source": {"knight": 1, "ability": 1}}
    duel.answer(0, act)
    duel.play(0, "o21")
    duel.choose(0, (0, 1))
    duel.play(0, "kk", slot=1)
    again = duel.knight(0, 1)
    assert (again["pv"], again["ce"], again["states"]) == (8, 4, {})
    duel.refused(0, "use_limit", act)


def test_only_an_effect_turns_a_technique_down_again() -> None:
    """KN-2.22, KN-6.75, KN-6.23."""
    down = occasion('{ op = "set_face", face = "down", target = { pick = "all", who = "any", zone = "support" } }')
    duel = lay({1: "beta"}, {1: "alpha"}, a_support={1: "d4 on 1", 2: "b1 on 1"}, a_hand="oo", pack=pack_with(down))
    duel.use(0, 1)
    assert duel.knight(0, 1)["ar"] == 6
    duel.play(0, "oo")
    assert (duel.support(0), duel.support(0, 0)[0], duel.knight(0, 1)["ar"]) == (["~", "b1", "", ""], "d4~", 5)


def test_draws_show_the_card_to_the_drawer_and_emptiness_to_all() -> None:
    """KN-2.30, KN-2.31, KN-6.70."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o2", a_deck="t2")
    duel.play(0, "o2")
    (public,) = duel.told(None, "card_drawn")
    assert public == {"event": "card_drawn", "seat": 0, "deck": 0, "hand": 1}
    assert duel.told(0, "card_drawn")[0]["card"]["card"] == "t2"
    assert [duel.told(eyes, "deck_empty") for eyes in AUDIENCES] == [[{"event": "deck_empty", "seat": 0}]] * 3


def test_a_mulligan_tells_only_whether_a_seat_redrew() -> None:
    """KN-2.32, KN-3.8, KN-5.31."""
    duel = opened(deity_choice="deck", mulligan="once")
    before = duel.pile("hand", 0)
    duel.act(0, "redraw")
    assert duel.told(None) == []
    duel.stay_silent(1)
    done = duel.told(None, "mulligan_done")
    assert [(event["seat"], event["redrew"], set(event)) for event in done] == [
        (0, True, {"event", "seat", "redrew"}), (1, False, {"event", "seat", "redrew"}),
    ]  # fmt: skip
    assert len(duel.told(0, "mulligan_done")[0]["cards"]) == 5
    assert duel.pile("hand", 0) != before


def test_a_technique_set_face_down_tells_others_only_the_space() -> None:
    """KN-2.34, KN-5.2."""
    duel = lay({1: "alpha"}, a_hand="t1")
    duel.play(0, "t1", host=1, face="down")
    assert duel.told(1, "technique_set") == [{"event": "technique_set", "seat": 0, "slot": 1, "face": "down"}]
    assert duel.told(0, "technique_set")[0]["card"]["card"] == "t1"


def test_a_technique_that_turns_up_or_is_discarded_is_public() -> None:
    """KN-2.35, KN-2.36, KN-5.12."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_support={1: "t1 down on 1", 2: "d1 down on 1"})
    duel.act(0, "discard_technique", slot=2)
    assert duel.told(None, "card_left")[0]["card"]["card"] == "d1"
    duel.use(0, 1, 1)
    (flipped,) = duel.told(None, "technique_flipped")
    assert (flipped["card"]["card"], flipped["host"]) == ("t1", {"seat": 0, "slot": 1})


LOOK = '{ op = "peek", who = "foe", zone = "hand" }'


def test_a_look_is_the_lookers_and_its_size_everybodys() -> None:
    """KN-2.38, KN-6.76."""
    duel = lay({1: "alpha"}, a_hand="oo", b_hand="t2 o1", pack=pack_with(occasion(LOOK)))
    duel.play(0, "oo")
    assert duel.told(0, "peeked")[0]["cards"] == ["o1", "t2"]
    for eyes in (None, 1):
        told = {"event": "peeked", "seat": 0, "whose": 1, "zone": "hand", "count": 2}
        assert duel.told(eyes, "peeked") == [told]


def test_discards_and_milled_cards_are_public() -> None:
    """KN-2.39, KN-6.71."""
    mill = '{ op = "move_cards", who = "foe", from = "deck", to = "discard", pick = "top", n = 2 }'
    duel = lay({1: "alpha"}, a_hand="oo o16", b_hand="t2", b_deck="o1 o2 o3", pack=pack_with(occasion(mill)))
    duel.play(0, "oo")
    assert [card["card"] for card in duel.told(None, "cards_moved")[0]["cards"]] == ["o1", "o2"]
    duel.play(0, "o16")
    assert [card["card"] for card in duel.told(None, "cards_moved")[0]["cards"]] == ["t2"]


def test_a_public_card_that_returns_to_a_hand_is_told_and_then_hidden() -> None:
    """KN-2.40, KN-6.73."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o21")
    duel.play(0, "o21")
    duel.choose(0, (1, 1))
    assert duel.told(0, "card_left")[0]["card"]["card"] == "beta"
    assert duel.view(0)["hand"]["1"] == {"count": 1}
    assert duel.view(1)["hand"]["1"]["cards"][0]["card"] == "beta"


def test_from_hidden_to_hidden_only_owner_and_chooser_learn_the_card() -> None:
    """KN-2.41, KN-6.71e."""
    take = '{ op = "move_cards", who = "foe", by = "me", from = "hand", to = "deck_bottom", pick = "choose", n = 1 }'
    duel = lay({1: "alpha"}, a_hand="oo", b_hand="t2 o1", b_deck="o3", pack=pack_with(occasion(take)))
    duel.play(0, "oo")
    assert (duel.offered_cards(0), duel.view(1)["look"], duel.view(None)["look"]) == (["o1", "t2"], [], [])
    duel.take(0, "t2")
    assert [duel.told(eyes, "cards_moved")[0].get("cards") for eyes in AUDIENCES] == [
        None,
        [{"card": "t2"}],
        [{"card": "t2"}],
    ]
    assert (duel.pile("deck", 1), duel.view(0)["look"]) == ("o3 t2", [])


def test_a_face_down_technique_returned_to_hand_stays_hidden() -> None:
    """KN-2.41, KN-6.73."""
    back = occasion('{ op = "remove", to = "hand", target = { pick = "choose", who = "enemy", zone = "support" } }')
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="oo", b_support={1: "t1 down on 1"}, pack=pack_with(back))
    duel.play(0, "oo")
    left = [event for event in duel.told(0, "card_left") if event["reason"] == "effect"]
    assert [set(event) for event in left] == [{"event", "owner", "from", "to", "reason"}]
    assert next(e for e in duel.told(1, "card_left") if e["reason"] == "effect")["card"] == {"card": "t1"}


def test_the_window_is_public_and_the_coin_too() -> None:
    """KN-2.43, KN-2.44, KN-6.87."""
    duel = lay({1: "alpha"}, {1: "gamma evade"}, b_support={1: "t2 down on 1"})
    duel.attack(0, 1, 1)
    assert duel.told(0, "reaction_window") == [{"event": "reaction_window", "seat": 1}]
    duel.act(1, "pass")
    coins = [duel.told(eyes, "coin_tossed") for eyes in AUDIENCES]
    assert coins[0] == coins[1] == coins[2]
    assert coins[0][0]["result"] in ("heads", "tails")


def test_a_card_gets_a_new_name_in_every_hidden_pile() -> None:
    """KN-2.45."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o21", b_hand="o1")
    public = duel.knight(1, 1)["id"]
    duel.play(0, "o21")
    duel.choose(0, (1, 1))
    names = [card["id"] for card in duel.view(1)["hand"]["1"]["cards"]]
    assert public not in names
    assert all(not piece.id for piece in duel.state.pieces if piece.zone == "deck")


def test_a_spectator_sees_no_hand_and_only_the_acting_seat_its_options() -> None:
    """KN-2.46, KN-2.47."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o1", b_hand="o2")
    assert [bool(duel.view(eyes)["limits"]) for eyes in AUDIENCES] == [False, True, False]
    assert [set(duel.view(None)["hand"][side]) for side in ("0", "1")] == [{"count"}] * 2


def test_a_match_needs_two_legal_decks() -> None:
    """KN-3.1."""
    assert RULES.brings_decks
    assert RULES.seats == (2, 2)
    assert RULES.deck_faults(fixture(), DECK) == []
    assert [fault.code for fault in RULES.deck_faults(fixture(), {"deity": "athena", "cards": {}})] == [
        "deck_too_small", "no_knights",
    ]  # fmt: skip


def test_a_match_begins_with_lots_shuffles_and_five_cards_each() -> None:
    """KN-3.3, KN-3.5, KN-3.6, KN-3.7, KN-3.9, KN-4.2, KN-4.3."""
    duel = opened(deity_choice="deck", starter="seat1")
    assert (duel.state.turn, duel.state.active, duel.pvd) == (1, 1, (6, 6))
    assert [len(duel.state.hand[seat]) for seat in (0, 1)] == [5, 6]
    kinds = [event["event"] for event in duel.told(None)]
    assert kinds == ["deities_revealed", "match_started", *["card_drawn"] * 10, "turn_started", "card_drawn"]
    assert [event["seat"] for event in duel.told(None, "card_drawn")] == [1] * 5 + [0] * 5 + [1]
    assert (list(duel.state.in_play()), duel.state.scenario) == ([], None)
    assert opened(deity_choice="deck", key=bytes(32)).pile("deck", 0) != duel.pile("deck", 0)


GENEROUS = '[[deity]]\nid = "hebe"\nname = "Hebe"\npvd = 6\nrules = { opening_hand = 7, hand_limit = 6 }\n'


def test_a_deity_may_change_opening_hand_and_hand_limit() -> None:
    """KN-3.7, KN-10.3, KN-4.8."""
    pack = pack_with(GENEROUS)
    duel = opened({**DECK, "deity": "hebe"}, DECK, deity_choice="deck", starter="seat0", pack=pack)
    assert [len(duel.state.hand[seat]) for seat in (0, 1)] == [8, 5]
    duel.act(0, "end_turn")
    assert duel.prompted(0, "discard").least == 2


@pytest.mark.parametrize("kind", ["helper", "scenario"])
def test_helpers_and_scenarios_lie_face_up(kind: str) -> None:
    """KN-2.5, KN-2.6."""
    pack = pack_with(
        permanent(
            kind, 'kind = "passive", effects = [{ op = "modify", stat = "ce", n = 1, target = { pick = "all" } }]'
        )
    )
    duel = lay({1: "alpha"}, a_hand="pp", pack=pack)
    duel.play(0, "pp")
    assert duel.knight(0, 1)["ce"] == 8
    assert duel.view(1)["helper" if kind == "helper" else "scenario"] is not None
