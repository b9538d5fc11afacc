"""How long effects last, and the six bad states (KN-6.20 to KN-6.24, KN-6.30 to KN-6.37)."""

from __future__ import annotations

import pytest

from tests.engines.knights.table import knight, lay, occasion, pack_with

ME = 'target = { pick = "choose", who = "ally" }'
EACH = 'target = { pick = "all", who = "any" }'
PLUS = '{ op = "modify", stat = "ce", n = 1 }'
DRAWS = '{ op = "draw", n = 1 }'


@pytest.mark.parametrize(
    ("duration", "ends"),
    [
        ('"turn"', 5),
        ("{ turns = 0 }", 5),
        ("{ turns = 1 }", 6),
        ("{ turns = 2 }", 7),
        ('"my_next_turn"', 6),
        ('"permanent"', 9),
    ],
)
def test_durations(duration: str, ends: int) -> None:
    """KN-6.21, KN-6.22, KN-6.24."""
    pack = pack_with(occasion(f'{{ op = "modify", stat = "ce", n = 1, duration = {duration}, {EACH} }}'))
    duel = lay({1: "alpha"}, a_hand="oo", pack=pack)
    duel.play(0, "oo")
    lasted = []
    for _ in range(4):
        if duel.knight(0, 1)["ce"] == 8:
            lasted.append(duel.state.turn)
        duel.turns_on()
    assert lasted == [turn for turn in (5, 6, 7, 8) if turn <= ends]


def test_an_attack_long_effect_outside_an_attack_is_over_at_once() -> None:
    """KN-6.20."""
    duel = lay(
        {1: "alpha"},
        a_hand="oo",
        pack=pack_with(occasion(f'{{ op = "modify", stat = "ce", n = 1, duration = "attack", {EACH} }}')),
    )
    duel.play(0, "oo")
    assert duel.knight(0, 1)["ce"] == 7


def test_what_its_source_keeps_up_is_never_twice_in_force_and_ends_with_it() -> None:
    """KN-6.23."""
    duel = lay({1: "alpha", 2: "gamma"}, {1: "beta"}, b_support={1: "d4 down on 1", 2: "t1 down on 1"})
    duel.attack(0, 1, 1)
    duel.act(1, "react", slot=1)
    assert duel.knight(1, 1)["ar"] == 4
    duel.attack(0, 2, 1)
    assert duel.offered(1) == [{"do": "pass"}]
    duel.act(1, "pass")
    duel.turns_on()
    duel.refused(1, "not_usable", {"do": "use_technique", "slot": 1})
    duel.act(1, "discard_technique", slot=1)
    assert duel.knight(1, 1)["ar"] == 3


def test_a_state_again_lasts_longer_and_never_doubles() -> None:
    """KN-6.30, KN-6.32."""
    longer = occasion('{ op = "inflict", state = "par", turns = 3, target = { pick = "choose", who = "enemy" } }')
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o13 oo o13 o10 o10", pack=pack_with(longer))
    for key, left in (("o13", 1), ("oo", 3), ("o13", 3)):
        duel.play(0, key)
        assert duel.knight(1, 1)["states"] == {"par": left}
    duel.play(0, "o10")
    duel.play(0, "o10")
    duel.turns_on()
    assert duel.pv(1, 1) == 7


def test_frost_replaces_paralysis_and_keeps_it_off() -> None:
    """KN-6.33, KN-6.31, I-27."""
    duel = lay({1: "alpha"}, {1: "beta"}, a_hand="o13 o11 o13")
    for key, states in (("o13", {"par": 1}), ("o11", {"cng": 3}), ("o13", {"cng": 3})):
        duel.play(0, key)
        assert duel.knight(1, 1)["states"] == states


def test_the_numbed_may_defend_use_abilities_and_react() -> None:
    """KN-6.35, I-30."""
    duel = lay({1: "beta"}, {1: "gamma nse"}, b_support={1: "d1 down on 1"})
    duel.attack(0, 1, 1)
    assert {"do": "react", "slot": 1} in duel.offered(1)
    own = lay({1: "eta nse"}, {1: "beta"})
    assert {"do": "activate", "source": {"knight": 1, "ability": 1}} in own.offered(0)


def test_possession_needs_room_no_equal_and_a_knight_that_the_foe_owns() -> None:
    """KN-6.36, KN-4.30."""
    full = lay({1: "beta", 2: "delta", 3: "eta", 4: "theta"}, {1: "alpha"}, a_hand="o4")
    full.play(0, "o4")
    assert full.told(None, "state_resisted")[0]["reason"] == "no_room"
    equal = lay({1: "alpha"}, {1: "alpha"}, a_hand="o4")
    equal.play(0, "o4")
    assert equal.told(None, "state_resisted")[0]["reason"] == "duplicate"


def test_a_possessed_knight_leaves_its_techniques_and_keeps_its_object() -> None:
    """KN-6.36, I-29."""
    duel = lay({}, {1: "alpha"}, a_hand="o22", b_support={1: "t1 on 1", 2: "b1 on 1"})
    duel.play(0, "o22")
    assert (duel.knight(0, 1)["ar"], duel.knight(0, 1)["states"]) == (7, {"pos": 2})
    duel.turns_on()
    duel.refused(1, "not_usable", {"do": "use_technique", "slot": 1, "target": 1})
    duel.turns_on()
    assert duel.space(0, 1) == "alpha"
    duel.turns_on()
    assert (duel.space(0, 1), duel.space(1, 1)) == ("", "alpha")


def test_cures_send_the_possessed_home_and_immunity_keeps_states_off() -> None:
    """KN-6.37, KN-6.67, KN-6.68, KN-6.90."""
    duel = lay({1: "beta"}, {1: "alpha"}, a_hand="o4 o9")
    duel.play(0, "o4")
    duel.play(0, "o9")
    duel.choose(0, (0, 2))
    assert (duel.space(1, 1), duel.space(0, 2)) == ("alpha", "")
    safe = 'kind = "passive", effects = [{ op = "grant", keyword = "immune", states = ["env"] }]'
    other = lay({1: "beta"}, {1: "kk"}, a_hand="o10 o13", pack=pack_with(knight(safe)))
    other.play(0, "o10")
    assert other.told(None, "state_resisted")[0]["reason"] == "immune"
    other.play(0, "o13")
    assert other.knight(1, 1)["states"] == {"par": 1}
