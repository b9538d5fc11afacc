"""Why a choice is refused, in the order of tests of KN-5. Sees the seat's view only, never the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engines.knights.terms import SLOTS
from engines.rules import Act, Attempt, Refusal

View = Mapping[str, Any]
Code = str | None


def _is_slot(value: Any) -> bool:
    return type(value) is int and value in SLOTS


def _is_card(value: Any) -> bool:
    return isinstance(value, str)


def _is_source(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if value.keys() == {"helper"}:
        return value["helper"] is True
    ability = value.get("ability")
    right = value.keys() == {"knight", "ability"} and type(ability) is int and 1 <= ability <= 3
    return right and _is_slot(value["knight"])


Test = Callable[[Any], bool]
PARAMETERS: dict[str, dict[str, Test]] = {
    "play_knight": {"card": _is_card, "slot": _is_slot},
    "play_technique": {
        "card": _is_card, "host": _is_slot, "face": lambda value: value in ("up", "down"), "slot?": _is_slot
    },
    "play_object": {"card": _is_card, "host": _is_slot, "slot?": _is_slot},
    "play_occasion": {"card": _is_card, "slot?": _is_slot},
    "play_scenario": {"card": _is_card},
    "play_helper": {"card": _is_card},
    "attack": {"knight": _is_slot, "target": lambda value: value == "direct" or _is_slot(value)},
    "use_technique": {"slot": _is_slot, "target?": _is_slot},
    "defend": {"knight": _is_slot},
    "evade": {"knight": _is_slot},
    "activate": {"source": _is_source},
    "discard_technique": {"slot": _is_slot},
    "end_turn": {},
}  # fmt: skip
"""What may be done in a turn, with which parameters; those with a question mark may be left out (KN-5)."""

ANSWERS = (
    "choose_deity", "keep", "redraw", "pass", "react", "target", "card", "option", "slot", "yes", "no", "discard"
)  # fmt: skip
"""What answers the other prompts (KN-5.15, KN-5.30 to KN-5.38)."""

TEXTS = {
    "match_over": ("KN-8.8", "The match is over."),
    "prompt_pending": ("KN-4.1", "A question has to be answered first."),
    "not_your_turn": ("KN-4.1", "It is the other seat's turn."),
    "bad_request": ("KN-5.1", "Something is missing, superfluous or of the wrong type."),
    "no_such_prompt": ("KN-5.15", "That question is not open."),
    "not_your_prompt": ("KN-5.15", "That question is the other seat's."),
    "bad_answer": ("KN-5.15", "That is not among what may be answered."),
    "not_in_hand": ("KN-5.1", "There is no such card in your hand."),
    "wrong_kind": ("KN-5.1", "That card is of another kind."),
    "restricted": ("KN-6.69", "An effect forbids cards of that kind."),
    "knight_already_played": ("KN-4.5", "One knight a turn."),
    "duplicate_knight": ("KN-4.30", "An equal knight is on the field."),
    "knights_full": ("KN-5.1", "There is no empty space for a knight."),
    "slot_taken": ("KN-5.1", "That space is taken."),
    "support_full": ("KN-5.4", "There is no empty support space."),
    "no_such_knight": ("KN-5.2", "You have no knight there."),
    "not_yours": ("KN-6.36", "That knight is only lent to you."),
    "not_a_user": ("KN-5.2", "That knight cannot use it."),
    "already_equipped": ("KN-5.3", "That knight bears an object already."),
    "first_turn": ("KN-4.4", "Not in the very first turn."),
    "condition_not_met": ("KN-5.4", "Its condition does not hold."),
    "no_target": ("KN-6.9", "There is nothing that it could be about."),
    "already_acted": ("KN-4.6", "That knight has taken its action."),
    "incapacitated": ("KN-4.7", "That knight cannot move."),
    "cannot_attack": ("KN-5.6", "That knight may not attack."),
    "cannot_defend": ("KN-5.9", "That knight may not defend."),
    "cannot_evade": ("KN-5.10", "That knight may not evade."),
    "no_such_target": ("KN-5.23", "No enemy knight stands there."),
    "out_of_reach": ("KN-5.7", "That space is out of reach."),
    "untargetable": ("KN-5.21", "That knight cannot be aimed at."),
    "guarded": ("KN-5.20", "A guard stands in the way."),
    "defenders_present": ("KN-4.12", "Knights defend the other seat."),
    "no_such_card": ("KN-5.7", "No card lies there."),
    "not_usable": ("KN-5.7", "That cannot be used now."),
    "bad_target": ("KN-5.7", "A target is missing or superfluous."),
    "use_limit": ("KN-5.11", "That has been used already."),
    "cannot_pay": ("KN-6.4", "You cannot pay for it."),
}


def explain(view: View, attempt: Attempt) -> Refusal:
    """Give the first error that fits."""
    code = _before_all(view, attempt) or _of_action(view, attempt) or "bad_request"
    rule, text = TEXTS[code]
    return Refusal(code, rule, text)


def _before_all(view: View, attempt: Attempt) -> Code:
    """Make the tests that come before every action's own (KN-5)."""
    if attempt.why == "over":
        return "match_over"
    words = [act.get("do") for act in attempt.acts]
    answers = any(isinstance(word, str) and word in ANSWERS for word in words)
    if attempt.prompt is None:
        if answers:
            return "not_your_prompt" if view["pending"] else "no_such_prompt"
        return "not_your_turn" if _in_main(view) else "prompt_pending"
    if attempt.prompt.kind != "main":
        if any(isinstance(word, str) and word in PARAMETERS for word in words):
            return "prompt_pending"
        return "no_such_prompt" if attempt.why in ("stale", "held") else "bad_answer"
    return "no_such_prompt" if answers or attempt.why in ("stale", "held") else None


def _in_main(view: View) -> bool:
    """Say whether the other seat has its turn and nothing else is asked (KN-2.15)."""
    return all(one["kind"] == "main" for one in view["pending"])


def _of_action(view: View, attempt: Attempt) -> Code:
    if len(attempt.acts) != 1:
        return "bad_request"
    (act,) = attempt.acts
    if not _is_well_formed(act):
        return "bad_request"
    return next((code for code in TESTS[act["do"]](view, attempt.seat, act) if code is not None), None)


def _is_well_formed(act: Act) -> bool:
    word = act.get("do")
    if not isinstance(word, str) or word not in PARAMETERS:
        return False
    tests = {name.rstrip("?"): test for name, test in PARAMETERS[word].items()}
    needed = {name for name in PARAMETERS[word] if not name.endswith("?")}
    given = act.keys() - {"do"}
    return needed <= given <= tests.keys() and all(tests[name](act[name]) for name in given)


def _play(view: View, seat: int, act: Act) -> Iterator[Code]:
    """Test a card of the hand (KN-5.1 to KN-5.5, KN-5.8)."""
    codes = view["limits"]["hand"].get(act["card"])
    if codes is None:
        yield "not_in_hand"
        return
    kind = act["do"].removeprefix("play_")
    yield "wrong_kind" if codes["kind"] != kind else codes["before"]
    if "slot" in act:
        row = view["knights" if kind == "knight" else "support"][str(seat)]
        yield "slot_taken" if row[act["slot"] - 1] is not None else None
    if "host" in act:
        yield codes["hosts"].get(str(act["host"]), "no_such_knight")
    yield codes.get("after")


def _attack(view: View, seat: int, act: Act) -> Iterator[Code]:
    codes = view["limits"]["knights"].get(str(act["knight"]))
    if codes is None:
        yield "no_such_knight"
        return
    yield codes["attack"]
    yield codes["direct"] if act["target"] == "direct" else view["limits"]["targets"][str(act["target"])]


def _use(view: View, seat: int, act: Act) -> Iterator[Code]:
    """Test the use of a technique (KN-5.7)."""
    codes = view["limits"]["support"].get(str(act["slot"]))
    if codes is None:
        yield "no_such_card"
        return
    yield codes["use"]
    yield "bad_target" if ("target" in act) != (codes["aim"] == "one") else None
    yield codes["targets"][str(act["target"])] if "target" in act else codes.get("all")


def _stance(word: str) -> Callable[[View, int, Act], Iterator[Code]]:
    def test(view: View, seat: int, act: Act) -> Iterator[Code]:
        codes = view["limits"]["knights"].get(str(act["knight"]))
        yield "no_such_knight" if codes is None else codes[word]

    return test


def _activate(view: View, seat: int, act: Act) -> Iterator[Code]:
    """Test an activation (KN-5.11)."""
    source = act["source"]
    if "helper" in source:
        yield view["limits"]["helper"]
        return
    codes = view["limits"]["knights"].get(str(source["knight"]))
    yield "no_such_knight" if codes is None else codes["abilities"].get(str(source["ability"]), "not_usable")


def _discard(view: View, seat: int, act: Act) -> Iterator[Code]:
    codes = view["limits"]["support"].get(str(act["slot"]))
    yield "no_such_card" if codes is None else "wrong_kind"


def _end(view: View, seat: int, act: Act) -> Iterator[Code]:
    yield None


TESTS: dict[str, Callable[[View, int, Act], Iterator[Code]]] = {
    **dict.fromkeys([word for word in PARAMETERS if word.startswith("play_")], _play),
    "attack": _attack,
    "use_technique": _use,
    "defend": _stance("defend"),
    "evade": _stance("evade"),
    "activate": _activate,
    "discard_technique": _discard,
    "end_turn": _end,
}
