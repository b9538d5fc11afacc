"""The bot ``greedy``: builds up, then takes divine life, destroys knights, does as much damage as it can.

Sees its own zones and its prompt, as any player does. Knows no state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from engines.knights.cards import Card
from engines.knights.pack import printed
from engines.knights.words import Ability, ChooseOne, effects_in
from engines.knights.worth import KILL, LIFE, Eyes, Shown
from engines.rules import Act, Option, Pick, Prompt

BUILD = 1000
"""What is laid down before anybody fights is worth more than any blow."""

WORTH_A_CARD = 12
Judge = Callable[[Eyes, Prompt, Act], int]


def greedy(seat: int, zones: Mapping[str, Any], prompt: Prompt, rnd: Random) -> tuple[Pick, ...]:
    """Answer with the options that look best: as few as must be, and more as long as they are worth it."""
    eyes = Eyes(seat, zones)
    judge = JUDGES.get(prompt.kind)
    if judge is None:
        return prompt.default
    values = {option.id: judge(eyes, prompt, option.act) for option in prompt.options}
    ranked: Sequence[Option] = sorted(prompt.options, key=lambda option: -values[option.id])
    if prompt.shape == "order":
        return tuple(option.id for option in ranked)
    wanted = [option for at, option in enumerate(ranked) if at < prompt.least or values[option.id] > 0]
    return tuple(option.id for option in wanted[: prompt.most])


def _main(eyes: Eyes, prompt: Prompt, act: Act) -> int:
    judge = TURN.get(act["do"])
    return 0 if judge is None else judge(eyes, act)


def _held(eyes: Eyes, name: str) -> Card | None:
    cards = eyes.zones["hand"][str(eyes.seat)]["cards"]
    return next((printed(card["card"]) for card in cards if card["id"] == name), None)


def _play_knight(eyes: Eyes, act: Act) -> int:
    card = _held(eyes, act["card"])
    return BUILD + 100 + (card.ce * 3 + card.pv if card else 0)


def _play_technique(eyes: Eyes, act: Act) -> int:
    """Lay techniques face down, in the lowest slot, as long as a support space is left for occasions."""
    free = sum(space is None for space in eyes.zones["support"][str(eyes.seat)])
    if "slot" in act or act["face"] == "up" or free < 2:
        return -1
    return BUILD + 40


def _play_object(eyes: Eyes, act: Act) -> int:
    free = sum(space is None for space in eyes.zones["support"][str(eyes.seat)])
    bearer = eyes.knight(eyes.seat, act["host"])
    if "slot" in act or free < 2 or bearer is None:
        return -1
    return BUILD + 20 + int(bearer["pv"])


def _play_helper(eyes: Eyes, act: Act) -> int:
    return BUILD + 60 if eyes.zones["helper"][str(eyes.seat)] is None else -1


def _play_scenario(eyes: Eyes, act: Act) -> int:
    lying = eyes.zones["scenario"]
    return BUILD + 50 if lying is None or lying["owner"] != eyes.seat else -1


def _play_occasion(eyes: Eyes, act: Act) -> int:
    card = _held(eyes, act["card"])
    worth = eyes.effects(card.effects) if card else 0
    return BUILD - 200 + worth if worth >= WORTH_A_CARD and "slot" not in act else -1


def _attack(eyes: Eyes, act: Act) -> int:
    attacker = eyes.knight(eyes.seat, act["knight"])
    if attacker is None or _would_burn(attacker):
        return -1
    if act["target"] == "direct":
        return LIFE
    target = eyes.knight(1 - eyes.seat, act["target"])
    return 0 if target is None else eyes.hit(eyes.blow(attacker, target), target)


def _would_burn(attacker: Shown) -> bool:
    return "qmd" in attacker["states"] and attacker["pv"] <= 2


def _use_technique(eyes: Eyes, act: Act) -> int:
    shown = eyes.zones["support"][str(eyes.seat)][act["slot"] - 1]
    card = printed(shown["card"])
    user = eyes.knight(shown["host"]["seat"], shown["host"]["slot"])
    if card is None or user is None or user["pc"] < (card.cost or 0) or _would_burn(user):
        return -1
    if card.attack is None:
        return 3 if user["pv"] * 2 <= user["max_pv"] else -1
    slots = (act["target"],) if "target" in act else card.attack.reaches(shown["host"]["slot"])
    targets = [target for slot in slots if (target := eyes.knight(1 - eyes.seat, slot)) is not None]
    hits = [eyes.hit(eyes.blow(user, target, card.attack), target) for target in targets]
    return sum(hits) + eyes.effects(card.on_hit) // 2 - 3 * (card.cost or 0)


def _stance(eyes: Eyes, act: Act) -> int:
    """Go into a stance only if there is nothing to strike: the lowest of all that is done."""
    knight = eyes.knight(eyes.seat, act["knight"])
    evading = knight is not None and knight["pv"] > 4
    return 2 if (act["do"] == "evade") == evading else 1


def _activate(eyes: Eyes, act: Act) -> int:
    source = act["source"]
    if "helper" in source:
        card = printed(eyes.zones["helper"][str(eyes.seat)]["card"])
        ability = next((a for a in card.abilities if a.kind == "activated"), None) if card else None
        return BUILD - 300 if ability is not None and eyes.effects(ability.effects) > 0 else -1
    knight = eyes.knight(eyes.seat, source["knight"])
    card = printed(knight["card"]) if knight is not None else None
    if card is None or source["ability"] != 1 or not card.abilities:
        return -1
    return _ability(eyes, card.abilities[0])


def _ability(eyes: Eyes, ability: Ability) -> int:
    cost = ability.cost
    price = 0 if cost is None else 3 * cost.pc + 8 * cost.pv + 14 * cost.discard + LIFE * cost.pvd
    worth = eyes.effects(ability.effects) - price
    if worth <= 0:
        return -1
    return worth if ability.action is not False else BUILD - 300 + worth


TURN: dict[str, Callable[[Eyes, Act], int]] = {
    "play_knight": _play_knight,
    "play_technique": _play_technique,
    "play_object": _play_object,
    "play_helper": _play_helper,
    "play_scenario": _play_scenario,
    "play_occasion": _play_occasion,
    "attack": _attack,
    "use_technique": _use_technique,
    "defend": _stance,
    "evade": _stance,
    "activate": _activate,
    "discard_technique": lambda eyes, act: -1,
}


def _mulligan(eyes: Eyes, prompt: Prompt, act: Act) -> int:
    """Keep a hand that holds a knight."""
    cards = [printed(card["card"]) for card in eyes.zones["hand"][str(eyes.seat)]["cards"]]
    good = any(card is not None and card.kind == "knight" for card in cards)
    return 1 if (act["do"] == "keep") == good else 0


def _reaction(eyes: Eyes, prompt: Prompt, act: Act) -> int:
    """React if the blow would hurt; a technique that keeps its host is as good as another."""
    if act["do"] == "pass":
        return 1
    place, about = prompt.about["attacker"], prompt.about
    attacker = eyes.knight(place["seat"], place["slot"])
    technique = printed(about["technique"]) if about["technique"] else None
    blow = technique.attack if technique is not None else None
    targets = [eyes.knight(one["seat"], one["slot"]) for one in about["targets"]]
    losses = [eyes.blow(attacker, target, blow) for target in targets if target is not None and attacker is not None]
    return 2 if sum(losses) >= 2 else 0


def _target(eyes: Eyes, prompt: Prompt, act: Act) -> int:
    """Aim at what is hurt most on the other side, at what needs it most on the own."""
    if act["zone"] != "knight":
        return 10 if act["seat"] != eyes.seat else -1
    knight = eyes.knight(act["seat"], act["slot"])
    if knight is None:
        return 0
    if act["seat"] != eyes.seat:
        return KILL - 4 * int(knight["pv"]) + 3 * int(knight["ce"])
    return 1 + 3 * int(knight["max_pv"] - knight["pv"]) + int(knight["ce"])


def _card(eyes: Eyes, prompt: Prompt, act: Act) -> int:
    """Take the best of what is shown; of the own hand give the least."""
    held = _held(eyes, act["card"])
    if held is not None:
        return -eyes.card(held.id)
    shown = [*eyes.zones["look"], *(card for seat in ("0", "1") for card in eyes.zones["discard"][seat])]
    return next((1 + eyes.card(card["card"]) for card in shown if card["id"] == act["card"]), 0)


def _option(eyes: Eyes, prompt: Prompt, act: Act) -> int:
    source = prompt.about.get("source")
    card = printed(source["card"]) if source else None
    lists = [card.effects, *(ability.effects for ability in card.abilities)] if card else []
    found = [op for effects in lists for op in effects_in(effects) if isinstance(op, ChooseOne)]
    return eyes.effects(found[0].options[act["index"]].effects) if found else 0


JUDGES: dict[str, Judge] = {
    "main": _main,
    "mulligan": _mulligan,
    "reaction": _reaction,
    "choose_targets": _target,
    "choose_cards": _card,
    "discard": _card,
    "choose_option": _option,
    "confirm": lambda eyes, prompt, act: 1 if act["do"] == "yes" else 0,
}
