"""The bot ``greedy``: plays the card that adds most useful symbols, else draws; takes what looks best at once.

Sees its own zones and its prompt, as any player does. Knows no state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from engines.bots import without_rivals
from engines.disciple.outlook import CARD, Change, Outlook
from engines.disciple.pack import printed
from engines.disciple.words import ChooseOne, Effect, Move, Repeat, Targeted, effects_in
from engines.rules import Act, Pick, Prompt

DRAW = 6
"""What drawing is worth beside playing: less than one useful symbol."""

Judge = Callable[[Outlook, Prompt, Act], int]


def greedy(seat: int, zones: Mapping[str, Any], prompt: Prompt, rnd: Random) -> tuple[Pick, ...]:
    """Answer with the options that look best: as few as must be, more as long as they are worth it (DI-10.7)."""
    outlook = Outlook(seat, zones)
    judge = JUDGES[prompt.kind]
    if prompt.shape == "order":
        return _placed(outlook, prompt)
    values = {option.id: judge(outlook, prompt, option.act) for option in prompt.options}
    ranked = sorted(prompt.options, key=lambda option: -values[option.id])
    apart = without_rivals(ranked)
    wanted = [option for at, option in enumerate(apart) if at < prompt.least or values[option.id] > 0]
    return tuple(option.id for option in wanted[: prompt.most])


def _placed(outlook: Outlook, prompt: Prompt) -> tuple[Pick, ...]:
    """Look at the own deck: what is of use now stays on top, best first; the rest goes below the divider."""
    keys = {card["id"]: card["card"] for card in outlook.zones["look"]}
    cards = [option for option in prompt.options if "card" in option.act]
    divider = next(option for option in prompt.options if "card" not in option.act)
    uses = {option.id: outlook.use(keys[option.act["card"]]) for option in cards}
    useful = sorted((option for option in cards if uses[option.id] > 0), key=lambda option: -uses[option.id])
    useless = [option for option in cards if uses[option.id] <= 0]
    return tuple(option.id for option in [*useful, divider, *useless])


def _turn(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    match act["do"]:
        case "play_card":
            key = _held(outlook)[act["card"]]
            laid = outlook.laid(key, act["column"]) if "column" in act else 0
            return laid + outlook.abilities(key, "enter", "play") // 2
        case "draw_card":
            return DRAW
        case "move_card":
            return outlook.moved(outlook.board[act["card"]], act["column"])
        case "flip_card":
            card = outlook.board[act["card"]]
            flipped = outlook.gain([Change(card.side, card.column, 1 - outlook.symbols(card.key, card.column))])
            return flipped + outlook.abilities(card.key, "flip_down")
        case _:
            return 0


def _reaction(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Value a reaction: what it adds on the own side, and what becomes of the saint it answers."""
    if act["do"] == "decline":
        return 0
    key = _held(outlook)[act["card"]]
    laid = outlook.laid(key, act["column"]) if "column" in act else -CARD
    event = outlook.board[prompt.about["source"]["id"]]
    hits = [effect for effect in _targeted(key, "reaction") if effect.target.pick == "event"]
    return laid + sum(outlook.treated(effect, event) for effect in hits)


def _agreement(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Agree to what is worth doing. What the bot does not know it takes for good."""
    if act["do"] != "yes":
        return 0
    source = prompt.about["source"]
    card = printed(source["card"])
    lying = outlook.board.get(source["id"])
    asked = [ability.effect for ability in card.abilities if ability.optional] if card else []
    asked += [effect.effect for effect in _effects(source["card"]) if isinstance(effect, Repeat)]
    return sum(outlook.worth(effects, lying) for effects in asked) if asked else 1


def _card(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Value a card that may be chosen: on the board by what is done to it, elsewhere by its use."""
    if (card := outlook.board.get(act["card"])) is not None:
        values = [outlook.treated(effect, card) for effect in _targeted(prompt.about["source"]["card"])]
        return max(values, default=1 if card.side != outlook.seat else -1)
    held = _held(outlook)
    if act["card"] in held:  # at least one: it is lost; none need be: it comes into play
        return outlook.use(held[act["card"]]) * (-1 if prompt.least else 1)
    return max(1, outlook.use(_elsewhere(outlook)[act["card"]]))


def _move(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return outlook.moved(outlook.board[act["card"]], act["column"])


def _column(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    symbols = outlook.symbols(prompt.about["card"], act["column"])
    return outlook.gain([Change(outlook.seat, act["column"], max(1, symbols))])


def _option(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    """Value a branch for its controller; whoever chooses for the opponent wants the least."""
    key = prompt.about["source"]["card"]
    choice = next((effect for effect in _effects(key) if isinstance(effect, ChooseOne)), None)
    if choice is None:
        return 0
    branch = choice.options[act["index"]]
    if choice.by == "own":
        return outlook.worth(branch, None)
    return -Outlook(1 - outlook.seat, outlook.zones).worth(branch, None)


def _oldest(outlook: Outlook, prompt: Prompt, act: Act) -> int:
    return 0


def _effects(key: str, *triggers: str) -> list[Effect]:
    card = printed(key)
    abilities = card.abilities if card else ()
    return [
        e for ability in abilities if not triggers or ability.trigger in triggers for e in effects_in(ability.effect)
    ]


def _targeted(key: str, *triggers: str) -> list[Targeted]:
    """Give what a card does to cards on the board; a move depends on where it goes and is judged elsewhere."""
    return [e for e in _effects(key, *triggers) if isinstance(e, Targeted) and not isinstance(e, Move)]


def _held(outlook: Outlook) -> dict[str, str]:
    return {card["id"]: card["card"] for card in outlook.zones["hand"][str(outlook.seat)]["cards"]}


def _elsewhere(outlook: Outlook) -> dict[str, str]:
    shown: Sequence[Mapping[str, str]] = [*outlook.zones["discard"][str(outlook.seat)], *outlook.zones["look"]]
    return {card["id"]: card["card"] for card in shown}


JUDGES: dict[str, Judge] = {
    "main": _turn,
    "followup": _turn,
    "extra": _turn,
    "react": _reaction,
    "may": _agreement,
    "choose_cards": _card,
    "choose_moves": _move,
    "choose_column": _column,
    "choose_option": _option,
    "choose_trigger": _oldest,
    "scry": _oldest,
}
