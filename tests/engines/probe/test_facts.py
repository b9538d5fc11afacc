"""Options, packs, decks, refusals and faults of probe (RULES.md, PR-2.4 to PR-8)."""

from __future__ import annotations

from typing import Any

import pytest
from probe import Probe, ProbeCut, ProbeDecks
from probe.driver import Driver
from probe.leaks import LEAKS

from engines.rules import Attempt, PackError
from engines.testing.wrong import FIXED_ACTS


@pytest.mark.parametrize(
    ("options", "seats", "codes"),
    [
        ({}, 5, []),
        ({"plan": ()}, 2, ["steps"]),
        ({"plan": ("pick",) * 5, "laps": 100}, 2, ["steps"]),
        ({"plan": ("dance", "pick", "sing")}, 2, ["unknown_step", "unknown_step"]),
        ({"laps": 0, "tricks": 301, "hold_ms": -1, "target": 0}, 2, ["steps", *["out_of_range"] * 4]),
        ({"leak": "roof"}, 2, ["unknown_leak"]),
        ({"plan": ("stray",)}, 1, ["too_few_seats"]),
    ],
)  # fmt: skip
def test_options_are_checked_alone_and_together(options: dict[str, Any], seats: int, codes: list[str]) -> None:
    """PR-2.5."""
    assert [fault.code for fault in Probe().option_faults(Probe.Options(**options), seats)] == codes


def test_the_variant_cuts_a_step_short() -> None:
    """PR-2.4."""
    game = Driver("long", "number", seats=3, rules=ProbeCut()).leave(0, "timeout")
    assert game.told(None) == ["cut"]
    assert Driver("long", "number", seats=3).leave(0, "timeout").told(None) == []


def test_decks_are_brought_and_shuffled() -> None:
    """PR-1.2."""
    rules = ProbeDecks()
    ready = rules.ready_decks(next(iter(rules.packs().values())))
    game = Driver("pick", rules=rules, decks=(ready["first"], ready["last"]))
    owned = [[game.state.faces[slot] for slot in (*game.state.hands[s], *game.state.decks[s])] for s in (0, 1)]
    assert [sorted(deck) for deck in owned] == [sorted(ready["first"]), sorted(ready["last"])]
    assert owned[0] != ready["first"]


@pytest.mark.parametrize(
    ("deck", "codes"),
    [
        (None, ["not_a_deck"]), ({"ash": 3}, ["not_a_deck"]), ([1, "ash"], ["not_a_deck"]),
        ([], ["deck_size"]), (["ash"] * 3 + ["coal"] * 3 + ["cinder"] * 3, ["deck_size"]),
        (["ash"] * 3 + ["coal"] * 3 + ["smoke", "fog"], ["unknown_card", "unknown_card"]),
        (["ash"] * 4 + ["coal"] * 4, ["too_many_copies", "too_many_copies"]),
        (["smoke"] * 9, ["deck_size", "unknown_card", "too_many_copies"]),
    ],
)  # fmt: skip
def test_every_fault_of_a_deck_is_named(deck: Any, codes: list[str]) -> None:
    """PR-7.1 to PR-7.4."""
    rules = ProbeDecks()
    pack = next(iter(rules.packs().values()))
    assert [fault.code for fault in rules.deck_faults(pack, deck)] == codes


def test_every_fault_of_a_pack_is_named() -> None:
    source = b"""
    id = "x"
    game = "chess"
    [[card]]
    name = "a"
    suit = "red"
    worth = 0
    copies = 3
    [[card]]
    name = "a"
    suit = "red"
    worth = 1
    copies = 3
    [[card]]
    name = 7
    """
    with pytest.raises(PackError) as caught:
        Probe().read_pack(source)
    assert [fault.code for fault in caught.value.faults] == [
        "missing", "wrong_game", "out_of_range", "twice", "bad_card", "too_few",
    ]  # fmt: skip
    assert "title: a text is wanted (missing)" in str(caught.value)


@pytest.mark.parametrize(
    ("why", "code", "rule"),
    [
        ("over", "match_over", "PR-8.1"), ("no_prompt", "not_asked", "PR-8.2"), ("not_yours", "not_asked", "PR-8.2"),
        ("stale", "question_gone", "PR-8.3"), ("held", "answered_already", "PR-8.4"),
        ("malformed", "not_an_answer", "PR-8.5"), ("shape", "wrong_shape", "PR-8.6"),
        ("count", "wrong_count", "PR-8.6"),
        ("duplicate", "picked_twice", "PR-8.6"), ("group", "same_suit", "PR-8.6"), ("illegal", "no_such_act", "PR-8.7"),
    ],
)  # fmt: skip
def test_every_refusal_has_its_code(why: Any, code: str, rule: str) -> None:
    game = Driver("pick")
    refusal = game.rules.explain(game.seen(0).zones, Attempt(0, why, game.asked(0).prompt))
    assert (refusal.code, refusal.rule) == (code, rule)


def test_an_illegal_answer_is_explained_by_what_it_names() -> None:
    """PR-8.7."""
    game = Driver("pick", "number")
    zones, prompt = game.seen(0).zones, game.asked(0).prompt
    own = zones["hands"][0]["cards"][0]["card"]
    told = [
        game.rules.explain(zones, Attempt(0, "illegal", prompt, (act,))).code
        for act in ({"do": "discard", "card": "zzz"}, {"do": "eat", "card": own}, {"do": "discard", "card": None})
    ]
    assert told == ["no_such_card", "no_such_act", "no_such_card"]
    game.take(0, "pass")
    attempt = Attempt(1, "illegal", game.asked(1).prompt, ({"number": 9},), (9,))
    assert game.rules.explain(game.seen(1).zones, attempt).code == "out_of_range"


def test_an_endless_step_is_taken_again() -> None:
    """PR-5.6."""
    game = Driver("endless", seats=1)
    for at in range(1, 6):
        assert game.asked(0).id == at
        game.take(0, "fine")


@pytest.mark.parametrize(
    ("step", "answer"),
    [("raise", "raise"), ("deadline", "raise"), ("crash", None), ("loop", "loop"), ("flood", None), ("nobody", None),
     ("twice", None), ("wrong", None), ("stray", None)],
)  # fmt: skip
def test_every_breaking_step_breaks_and_can_be_avoided_if_it_asks(step: str, answer: str | None) -> None:
    """PR-5.1 to PR-5.5."""
    game = Driver("number", step, "number")
    if answer is None:
        with pytest.raises(Exception, match=r".+"):
            game.take(0, 0)
        return
    game.take(0, 0)
    with pytest.raises(Exception, match=r".+"):
        game.take(1, answer)
    assert game.take(1, "fine").asked(0).prompt.kind == "number"


def test_a_spinning_step_asks_for_ever() -> None:
    """PR-5.7."""
    game = Driver("spin")
    for at in range(1, 30):
        assert game.asked(0).id == at
        game.take(0, at % 10)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_legal_to_ask_for(leak: str) -> None:
    """PR-6.1."""
    assert Probe().option_faults(Probe.Options(leak=leak), 2) == []


def test_a_leak_reaches_an_error_text() -> None:
    """PR-6.1."""
    game = Driver("pick", leak="error")
    attempt = Attempt(1, "not_yours", None, FIXED_ACTS[:1])
    text = game.rules.explain(game.seen(1).zones, attempt).text
    assert game.state.faces[game.state.decks[0][0]] in text
