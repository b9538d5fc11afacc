"""The seven deities of the shipped pack: what each gives its seat and its knights (KN-10.3, KN-6.1)."""

from __future__ import annotations

from typing import Any

from tests.engines.knights.table import RULES, Duel, lay

PACK = next(iter(RULES.packs().values()))
DECK = "two-scrolls two-scrolls two-scrolls two-scrolls"


def under(a: str, b: str, mine: dict[int, str], theirs: dict[int, str], **table: Any) -> Duel:
    return lay(mine, theirs, deities=(a, b), pack=PACK, a_deck=DECK, b_deck=DECK, **table)


def drew(duel: Duel) -> list[int]:
    return [event["seat"] for event in duel.told(None, "card_drawn")]


def test_athena_consoles_with_a_card_once_a_turn_and_armours_her_own() -> None:
    """KN-10.3."""
    duel = under(
        "apollo",
        "athena",
        {1: "leandros-of-leo", 2: "nikandros-of-orion"},
        {1: "mnemon-of-delphi pv=1", 2: "timon-of-lepus pv=1"},
    )
    duel.attack(0, 1, 1)
    assert drew(duel) == [1]
    duel.attack(0, 2, 2)
    assert drew(duel) == []
    assert under("athena", "hades", {1: "damon-of-perseus"}, {}).knight(0, 1)["ar"] == 5


def test_poseidon_fills_his_marines_and_strengthens_his_own_under_a_scenario() -> None:
    """KN-10.3."""
    field = {1: "kymon-of-the-kraken pc=2", 2: "damon-of-perseus pc=2"}
    duel = under(
        "hades", "poseidon", {1: "leukos-of-the-argo"}, field, b_hand="two-scrolls " * 4, scenario="asphodel-meadow"
    )
    assert duel.knight(1, 1)["ce"] == 7
    duel.turns_on()
    assert (duel.pc(1, 1), duel.pc(1, 2)) == (3, 2)


def test_hades_draws_from_the_fallen_and_feeds_those_who_hit() -> None:
    """KN-10.3."""
    duel = under("hades", "odin", {1: "argos-of-canis-major pv=5"}, {1: "mnemon-of-delphi pv=1"})
    duel.attack(0, 1, 1)
    assert (drew(duel), duel.pv(0, 1), duel.pvd) == ([0], 6, (5, 5))
    other = under("hades", "odin", {1: "argos-of-canis-major pv=5"}, {1: "leukos-of-the-argo"})
    other.attack(0, 1, 1)
    assert other.pv(0, 1) == 6


def test_artemis_restores_those_who_evade_and_lets_her_own_evade_once_more() -> None:
    """KN-10.3."""
    duel = under("artemis", "odin", {1: "melas-of-lupus pc=1", 2: "timon-of-lepus pc=1"}, {1: "leukos-of-the-argo"})
    duel.attack(0, 1, 1)
    act = {"do": "activate", "source": {"knight": 1, "ability": 3}}
    duel.answer(0, act)
    assert duel.knight(0, 1)["stance"] == "evade"
    duel.refused(0, "use_limit", act)
    duel.turns_on()
    assert (duel.pc(0, 1), duel.pc(0, 2)) == (2, 1)


def test_apollo_lets_his_own_heal() -> None:
    """KN-10.3."""
    duel = under("apollo", "odin", {1: "melia-of-corona", 2: "kallias-of-corvus pv=3"}, {1: "leukos-of-the-argo"})
    duel.act(0, "activate", source={"knight": 1, "ability": 3})
    duel.choose(0, (0, 2))
    assert (duel.pc(0, 1), duel.pv(0, 2), duel.knight(0, 1)["acted"]) == (8, 5, True)


def test_helios_adds_to_the_techniques_of_his_own_and_keeps_hands_small() -> None:
    """KN-10.3, KN-4.8."""
    duel = under(
        "helios",
        "odin",
        {1: "phaidra-of-pavo"},
        {1: "leukos-of-the-argo"},
        a_support={1: "falling-plume on 1"},
        a_hand="two-scrolls " * 8,
    )
    duel.use(0, 1, 1)
    assert duel.strike() == (9, 3, 6)
    duel.act(0, "end_turn")
    assert duel.prompted(0, "discard").least == 1


def test_odin_keeps_frost_and_poison_off_his_own() -> None:
    """KN-10.3, KN-6.37."""
    duel = under(
        "hades",
        "odin",
        {1: "moros-of-lamia"},
        {1: "leukos-of-the-argo"},
        a_hand="breath-of-boreas viper-in-the-grass touch-of-stone",
    )
    for key in ("breath-of-boreas", "viper-in-the-grass", "touch-of-stone"):
        duel.play(0, key)
    assert duel.knight(1, 1)["states"] == {"par": 1}
    other = under("hades", "apollo", {1: "moros-of-lamia"}, {1: "leukos-of-the-argo"}, a_hand="breath-of-boreas")
    other.play(0, "breath-of-boreas")
    assert other.knight(1, 1)["states"] == {"cng": 3}
