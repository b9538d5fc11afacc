"""Why a choice is refused, in the order of tests of PA-5.1 and PA-5.2. Sees the seat's view only, never the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.patron.terms import VIRTUES
from engines.rules import Act, Attempt, Refusal

View = Mapping[str, Any]

TURN_ACTS: dict[str, Mapping[str, type]] = {
    "play_saint": {"card": str}, "play_patron": {}, "end_intercession": {"store": bool}, "set_friend": {"card": str},
    "activate_effect": {"card": str, "effect": int}, "play_grace": {"card": str}, "set_event": {"card": str},
    "activate_event": {"slot": str}, "pass_priority": {}, "complete_milestone": {}, "cycle_saint": {"card": str},
    "end_phase": {}, "repeat_phases": {}, "end_turn": {},
}  # fmt: skip
ANSWERS: dict[str, Mapping[str, type]] = {
    "first": {"seat": int}, "exchange": {"card": str}, "discard": {"card": str}, "take": {"card": str},
    "target": {"card": str, "slot": str, "effect": int}, "option": {"index": int}, "pay": {}, "decline": {},
    "attempt": {}, "virtue": {"virtue": str}, "pay_card": {"card": str},
}  # fmt: skip
MAY_LACK = {"end_intercession": ("store",), "target": ("card", "slot", "effect")}
PHASES = {
    "play_saint": ("intercession",), "play_patron": ("intercession",), "end_intercession": ("intercession",),
    "set_friend": ("friendship",), "activate_effect": ("effects",), "play_grace": ("graces",),
    "set_event": ("events",), "activate_event": ("events",), "pass_priority": ("events",),
    "complete_milestone": ("milestones",), "repeat_phases": ("recursion",), "end_turn": ("milestones", "recursion"),
    "end_phase": ("friendship", "effects", "graces", "milestones"),
    "cycle_saint": ("intercession", "friendship", "effects", "graces", "events", "milestones", "recursion"),
}  # fmt: skip
"""In which phases each act may be done (PA-4.1, PA-5.2)."""

EITHER_SEAT = ("activate_event", "pass_priority")  # PA-5.1(4)
BARRED_WITH = {"play_patron": "play_saint"}  # PA-6.6 ``restrict``
PAYMENTS = ("pay_discard", "pay_graces")

TEXTS: dict[str, tuple[str, str]] = {
    "malformed": ("PA-5.1", "Something is missing, superfluous, of the wrong type, or no such act."),
    "game_over": ("PA-8.7", "The match is over."),
    "prompt_pending": ("PA-5.1", "A question is open that has to be answered first."),
    "not_your_prompt": ("PA-5.1", "The other seat is asked."),
    "no_prompt": ("PA-5.1", "Nothing has been asked."),
    "not_your_turn": ("PA-5.1", "It is the other seat's turn."),
    "wrong_phase": ("PA-4.1", "That cannot be done in this phase."),
    "no_priority": ("PA-4.27", "The other seat has priority."),
    "restricted": ("PA-6.6", "A card forbids that."),
    "bad_prompt": ("PA-5.2", "That question is no longer open."),
    "bad_pick": ("PA-5.5", "That is not an answer to what was asked."),
    "bad_payment": ("PA-5.4", "That does not pay exactly what the milestone demands."),
    "not_in_hand": ("PA-5.2", "That card is not in your hand."),
    "wrong_kind": ("PA-5.2", "That is another kind of card."),
    "already_in_play": ("PA-4.11", "You have this saint in play already."),
    "not_enough_points": ("PA-4.9", "There are not enough points for it."),
    "patron_in_play": ("PA-4.9", "Your patron is in play already."),
    "cannot_store": ("PA-4.12", "Points cannot be stored now."),
    "no_patron": ("PA-4.20", "Your patron is not in play."),
    "friend_used": ("PA-4.14", "You have chosen a friend in this turn."),
    "not_in_terra": ("PA-5.2", "You have no such saint in play."),
    "is_patron": ("PA-4.15", "That is your patron."),
    "already_friend": ("PA-4.14", "That is your patron's friend already."),
    "no_such_effect": ("PA-5.2", "The saint has no such effect."),
    "not_act": ("PA-4.19", "That effect works by itself."),
    "effect_used": ("PA-4.18", "There is a stone on that effect: it was used."),
    "milestones_too_few": ("PA-4.18", "The saint has too few milestones for that."),
    "wrong_place": ("PA-6.1", "The saint is not in the place that the effect needs."),
    "condition_unmet": ("PA-6.10", "The condition of that effect does not hold."),
    "unknown_slot": ("PA-5.2", "There is no such face-down event."),
    "not_your_event": ("PA-4.26", "That event is not yours."),
    "not_ready": ("PA-4.26", "That event was set in this turn."),
    "milestone_tried": ("PA-4.44", "You have failed a check for a milestone in this turn."),
    "milestone_unmet": ("PA-6.12", "The milestone demands more."),
    "cycle_limit": ("PA-4.46", "You have exchanged three saints in this turn."),
    "not_duplicate": ("PA-4.46", "You do not have that saint in play."),
    "deck_empty": ("PA-4.6", "There is no card to draw."),
}


def explain(view: View, attempt: Attempt) -> Refusal:
    """Give the first error that fits. ``milestone_unmet`` names what is missing."""
    code = _by_form(attempt) or _by_prompt(view, attempt) or _by_turn(view, attempt) or _by_rule(view, attempt)
    rule, text = TEXTS[code]
    details = {"unmet": view["patron"][str(attempt.seat)]["unmet"]} if code == "milestone_unmet" else {}
    return Refusal(code, rule, text, details)


def _by_form(attempt: Attempt) -> str | None:
    """PA-5.1 (1) and (2)."""
    formed = all(map(_well_formed, attempt.acts))
    if not formed or attempt.why == "malformed":
        return "malformed"
    return "game_over" if attempt.why == "over" else None


def _well_formed(act: Act) -> bool:
    do = act.get("do")
    if not isinstance(do, str) or do not in (TURN_ACTS | ANSWERS):
        return False
    expected = (TURN_ACTS | ANSWERS)[do]
    given = act.keys() - {"do"}
    least = expected.keys() - set(MAY_LACK.get(do, ()))
    typed = all(type(act[name]) is expected[name] for name in given if name in expected)
    return least <= given <= expected.keys() and typed and act.get("virtue", "faith") in VIRTUES


def _by_prompt(view: View, attempt: Attempt) -> str | None:
    """PA-5.1 (3): turn acts while a question is open; answers by the wrong seat, without a question, or to another."""
    answers = [act["do"] in ANSWERS for act in attempt.acts]
    if view["asking"] is None:
        return "no_prompt" if any(answers) else _stale(attempt)
    if not all(answers):
        return "prompt_pending"
    if view["asking"]["seat"] != attempt.seat:
        return "not_your_prompt"
    if stale := _stale(attempt):
        return stale
    return "bad_payment" if view["asking"]["kind"] in PAYMENTS else "bad_pick"


def _stale(attempt: Attempt) -> str | None:
    return "bad_prompt" if attempt.why in ("stale", "held") else None


def _by_turn(view: View, attempt: Attempt) -> str | None:
    """PA-5.1 (4) to (7): whose turn, which phase, whose priority, what is forbidden."""
    turn = view["turn"]
    done = [act["do"] for act in attempt.acts]
    if attempt.seat != turn["active"] and not (turn["phase"] == "events" and done and set(done) <= set(EITHER_SEAT)):
        return "not_your_turn"
    if any(turn["phase"] not in PHASES[do] for do in done):
        return "wrong_phase"
    if turn["phase"] == "events" and turn["priority"] != attempt.seat:
        return "no_priority"
    if any(BARRED_WITH.get(do, do) in view["restricted"][str(attempt.seat)] for do in done):
        return "restricted"
    return None


def _by_rule(view: View, attempt: Attempt) -> str:
    """PA-5.1 (8): the errors of the act itself, in the order of PA-5.2."""
    if len(attempt.acts) != 1:
        return "malformed"  # a turn takes one act
    (act,) = attempt.acts
    tests: dict[str, Callable[[View, str, Act], str]] = {
        "play_saint": _why_not_play, "play_patron": _why_not_patron, "end_intercession": lambda *_: "cannot_store",
        "set_friend": _why_not_friend, "activate_effect": _why_not_effect, "play_grace": _why_not_grace,
        "set_event": lambda view, me, act: _not_held(view, me, act, "event") or "malformed",
        "activate_event": _why_not_event, "complete_milestone": _why_not_milestone, "cycle_saint": _why_not_cycle,
    }  # fmt: skip
    test = tests.get(act["do"])
    return test(view, str(attempt.seat), act) if test else "malformed"


def _not_held(view: View, me: str, act: Act, kind: str) -> str | None:
    held = {card["id"]: card["card"] for card in view["hand"][me].get("cards", ())}
    if act["card"] not in held:
        return "not_in_hand"
    return None if view["cards"][held[act["card"]]]["kind"] == kind else "wrong_kind"


def _in_play(view: View, me: str, act: Act) -> bool:
    """Say whether a copy of a card of the hand is in play."""
    key = next(card["card"] for card in view["hand"][me]["cards"] if card["id"] == act["card"])
    return any(card["card"] == key for card in view["terra"][me])


def _why_not_play(view: View, me: str, act: Act) -> str:
    if wrong := _not_held(view, me, act, "saint"):
        return wrong
    return "already_in_play" if _in_play(view, me, act) else "not_enough_points"


def _why_not_patron(view: View, me: str, act: Act) -> str:
    return "patron_in_play" if view["patron"][me]["in_play"] else "not_enough_points"


def _why_not_friend(view: View, me: str, act: Act) -> str:
    if not view["patron"][me]["in_play"]:
        return "no_patron"
    if view["counters"][me]["friend_acted"]:
        return "friend_used"
    if all(card["id"] != act["card"] for card in view["terra"][me]):
        return "not_in_terra"
    return "is_patron" if act["card"] == view["patron"][me]["id"] else "already_friend"


def _why_not_effect(view: View, me: str, act: Act) -> str:
    key = next((card["card"] for card in view["terra"][me] if card["id"] == act["card"]), None)
    if key is None:
        return "not_in_terra"
    effects = view["cards"][key]["effects"]
    if not 0 <= act["effect"] < len(effects):
        return "no_such_effect"
    kind, least, where = effects[act["effect"]]
    if kind != "act":
        return "not_act"
    if {"card": key, "effect": act["effect"]} in view["used"][me]:
        return "effect_used"
    role = _role(view, me, act["card"])
    if least > (view["patron"][me]["milestones"] if role != "other" else 0):
        return "milestones_too_few"
    return "condition_unmet" if where == "any" or role in where.split("_or_") else "wrong_place"


def _role(view: View, me: str, card: str) -> str:
    if card == view["patron"][me]["id"]:
        return "patron"
    return "friend" if card == view["friend"][me] else "other"


def _why_not_grace(view: View, me: str, act: Act) -> str:
    if not view["patron"][me]["in_play"]:
        return "no_patron"
    return _not_held(view, me, act, "grace") or "malformed"


def _why_not_event(view: View, me: str, act: Act) -> str:
    owner = next((seat for seat in ("0", "1") for slot in view["events"][seat] if slot["slot"] == act["slot"]), None)
    if owner is None:
        return "unknown_slot"
    mine = owner == me or view["options"]["event_activation"] == "any"
    return "not_ready" if mine else "not_your_event"


def _why_not_milestone(view: View, me: str, act: Act) -> str:
    patron = view["patron"][me]
    if not patron["in_play"]:
        return "no_patron"
    checked = patron["milestones"] + 1 in view["cards"][patron["card"]]["checks"]
    return "milestone_tried" if checked and view["counters"][me]["milestone_tried"] else "milestone_unmet"


def _why_not_cycle(view: View, me: str, act: Act) -> str:
    if view["counters"][me]["cycled"] >= 3:  # PA-4.46
        return "cycle_limit"
    if wrong := _not_held(view, me, act, "saint"):
        return wrong
    return "deck_empty" if _in_play(view, me, act) else "not_duplicate"
