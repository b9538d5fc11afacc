"""The greedy bot: it takes what is to be had (PA-10.4). It sees its seat's zones and prompt, and printed cards.

Owns judgement of options, one function a kind of prompt. Knows no state and draws nothing by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engines.patron.cards import lists_of
from engines.patron.odds import CARD, TOKEN, gain, worth
from engines.patron.outlook import Outlook
from engines.patron.pack import printed
from engines.patron.words import Choose, Pay
from engines.rules import Act, Pick, Prompt

Judge = Callable[[Outlook, Prompt, Act], int]

GOOD, FAIR, LAST = 1000, 100, 1
"""What is done first, what is done next, and what is done when nothing else is left."""


def greedy(seat: int, zones: Mapping[str, Any], prompt: Prompt, rnd: Random) -> tuple[Pick, ...]:
    """Answer with the options that look best: as few as must be, and more as long as they are worth it."""
    if prompt.kind in ("virtue", "choose_first"):
        return prompt.default  # the strongest virtue; to begin
    outlook = Outlook(seat, zones)
    judge = JUDGES[prompt.kind]
    values = {option.id: judge(outlook, prompt, option.act) for option in prompt.options}
    ranked = sorted(prompt.options, key=lambda option: -values[option.id])
    wanted = [option for at, option in enumerate(ranked) if at < prompt.least or values[option.id] > 0]
    return tuple(option.id for option in wanted[: prompt.most])


def _turn(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Do everything that is worth doing, then go on."""
    judge = TURN.get(act["do"])
    return judge(outlook, act) if judge else 0


def _play_saint(outlook: Outlook, act: Act) -> int:
    """Play the dearest first; while the patron waits, save for it instead."""
    return FAIR + outlook.cost(act["card"]) if outlook.patron["in_play"] and outlook.spare(act["card"]) else 0


def _end_intercession(outlook: Outlook, act: Act) -> int:
    return LAST + ("store" not in act)


def _set_friend(outlook: Outlook, act: Act) -> int:
    """Take the friend that adds most, if it adds more than the one there is."""
    return FAIR * (outlook.help_of(act["card"]) > outlook.help_of(outlook.friend))


def _from_hand(outlook: Outlook, act: Act) -> int:
    return FAIR if outlook.spare(act["card"]) else 0


def _activate(outlook: Outlook, act: Act) -> int:
    return GOOD if outlook.worth_contesting(act["slot"]) else 0


def _go_round(outlook: Outlook, act: Act) -> int:
    """Go through the late phases once more if there is anything left to do in them."""
    return LAST + 2 * outlook.has_more_to_do()


TURN: dict[str, Callable[[Outlook, Act], int]] = {
    "play_patron": lambda outlook, act: GOOD,
    "play_saint": _play_saint,
    "end_intercession": _end_intercession,
    "set_friend": _set_friend,
    "activate_effect": lambda outlook, act: GOOD,
    "play_grace": _from_hand,
    "set_event": _from_hand,
    "activate_event": _activate,
    "complete_milestone": lambda outlook, act: GOOD,
    "cycle_saint": _from_hand,
    "pass_priority": lambda outlook, act: LAST,
    "end_phase": _go_round,
    "repeat_phases": _go_round,
    "end_turn": lambda outlook, act: LAST + 1,
}


def _give_up(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Give up what is worth least; what the next milestone does not need goes first."""
    return -worth(outlook.held(act["card"])) - (FAIR * (not outlook.spare(act["card"])))


def _exchange(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Exchange second copies, and saints that cannot be paid for soon."""
    key = outlook.held(act["card"])
    copies = sum(card["card"] == key for card in outlook.hand)
    return int(copies > 1 and outlook.is_saint(key)) or int(outlook.cost(act["card"]) > 7)


def _take(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return worth(outlook.found(act["card"]))


def _target(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Aim at the other seat's best, at the own least; a friend is chosen for its help."""
    if "card" not in act:
        return 1
    if outlook.is_others(act["card"]) or "effect" in act:
        return worth(outlook.found(act["card"]))
    if prompt.least == 0:
        return outlook.help_of(act["card"]) - outlook.help_of(outlook.friend)
    return -worth(outlook.found(act["card"]))


def _option(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    card = printed(prompt.about["source"]["card"])
    choice = next((op for op in lists_of(card) if isinstance(op, Choose)), None) if card else None
    return gain(choice.options[act["index"]]) if choice and act["index"] < len(choice.options) else 0


def _pay(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Pay what brings in more than it costs. What the bot does not know it leaves."""
    card = printed(prompt.about["source"]["card"])
    offer = next((op for op in lists_of(card) if isinstance(op, Pay)), None) if card else None
    if act["do"] == "decline" or offer is None:
        return 0
    cost = offer.cost
    price = TOKEN * (cost.tokens or 0) + CARD * (cost.discard or 0) + 2 * CARD * (cost.graces or 0)
    return gain(offer.then) - price + 1


def _attempt(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return int(act["do"] == "attempt")


JUDGES: dict[str, Judge] = {
    "mulligan": _exchange,
    "intercession": _turn,
    "friendship": _turn,
    "effects": _turn,
    "graces": _turn,
    "events": _turn,
    "milestones": _turn,
    "recursion": _turn,
    "overflow": _give_up,
    "discard": _give_up,
    "pay_discard": _give_up,
    "pay_graces": _target,
    "cards": _take,
    "target": _target,
    "option": _option,
    "pay": _pay,
    "contest": _attempt,
}
