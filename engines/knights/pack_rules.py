"""What a well-formed pack must also keep (KN-6.1 to KN-6.4, KN-7.13). Knows no state and reads no file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from engines.knights.cards import Card, Cards, Deity
from engines.knights.conditions import Condition, Filter, Selector
from engines.knights.decks import deck_faults
from engines.knights.options import Options
from engines.knights.words import Ability, AttackMod, Effect, Effects, Grant, Modify, Restrict, Targeted, effects_in
from engines.rules import Fault

DEITIES, MEAN = 7, (5, 7)
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "knight": (("reference", "rank", "pv", "ce", "pc"), ("ar", "subrank", "patron", "elite", "abilities")),
    "technique": (("level", "cost", "users"), ("attack", "on_use", "on_hit", "react", "own", "protects")),
    "occasion": (("effects",), ("when",)),
    "object": (("abilities",), ("host_filter",)),
    "helper": (("abilities",), ()),
    "scenario": (("abilities",), ()),
    "trophy": ((), ()),
}
ALL_KINDS = ("id", "kind", "name", "rarity", "text", "limit")


def faults(cards: Cards, *, test: bool) -> Iterator[Fault]:
    """List what is wrong with a well-formed pack, in the order of its tables."""
    for rank in cards.ranks.values():
        yield from _within(f"rank {rank.id}", _ability_faults(rank.ability, "ability", "knight"))
    for deity in cards.deities.values():
        yield from _within(f"deity {deity.id}", _deity_faults(deity))
    mean = sum(deity.pvd for deity in cards.deities.values())
    if not test and len(cards.deities) < DEITIES:
        yield Fault("few_deities", "deity", f"a pack has at least {DEITIES} deities")  # I-23
    if not test and not MEAN[0] * len(cards.deities) <= mean <= MEAN[1] * len(cards.deities):
        yield Fault("bad_pvd", "deity", f"the mean of printed PvD is from {MEAN[0]} to {MEAN[1]}")
    for card in cards:
        yield from _within(f"card {card.id}", _card_faults(cards, card))
    for table in (*cards.ranks.values(), *cards.deities.values(), *cards):
        yield from _within(table.id, _unresolved(cards, table))
    for deck in cards.decks:
        for fault in deck_faults(cards, msgspec.to_builtins(deck), Options(deck_min=30)):
            yield msgspec.structs.replace(fault, where=f"deck {deck.name}: {fault.where}")


def _within(name: str, found: Iterable[Fault]) -> Iterator[Fault]:
    for fault in found:
        yield msgspec.structs.replace(fault, where=f"{name}: {fault.where}")


def _deity_faults(deity: Deity) -> Iterator[Fault]:
    for at, ability in enumerate(deity.bonus):
        yield from _ability_faults(ability, f"bonus[{at}]", "deity")
    yield from _ability_faults(deity.devotion, "devotion", "knight")


def _card_faults(cards: Cards, card: Card) -> Iterator[Fault]:
    needed, allowed = FIELDS[card.kind]
    defaults = {field.name: field.default for field in msgspec.structs.fields(Card)}
    for name in card.__struct_fields__:
        given = getattr(card, name) != defaults[name]
        if given and name not in (*ALL_KINDS, *needed, *allowed):
            yield Fault("wrong_field", _spelled(name), f"a {card.kind} has no `{_spelled(name)}`")
        elif not given and name in needed:
            yield Fault("missing_field", _spelled(name), f"a {card.kind} has `{_spelled(name)}`")
    if card.kind == "knight":
        yield from _knight_faults(cards, card)
    if card.kind == "technique":
        yield from _technique_faults(card)
    if card.kind == "helper" and sum(ability.kind == "activated" for ability in card.abilities) > 1:
        yield Fault("many_abilities", "ability", "a helper has one activated ability at most")  # KN-6.1
    for at, ability in enumerate(card.abilities):
        yield from _ability_faults(ability, f"ability[{at}]", card.kind)
    for name in ("on_use", "on_hit", "react", "own", "effects"):
        yield from _effects_faults(getattr(card, name), name, card.kind)


def _spelled(name: str) -> str:
    return "ability" if name == "abilities" else name


def _knight_faults(cards: Cards, card: Card) -> Iterator[Fault]:
    if len(card.abilities) > 1:
        yield Fault("many_abilities", "ability", "a knight has one own ability at most")  # KN-6.1
    if card.rank == "gold" and not card.elite:
        yield Fault("not_elite", "elite", "every gold knight is elite")
    rank = cards.ranks.get(card.rank or "")
    if rank is None:
        yield Fault("unresolved", "rank", f"there is no rank {card.rank!r}")
    elif card.subrank is not None and card.subrank not in rank.subranks:
        yield Fault("unresolved", "subrank", f"rank {rank.id!r} has no sub-rank {card.subrank!r}")


def _technique_faults(card: Card) -> Iterator[Fault]:
    """A technique of level D reacts or is used, the others attack (KN-7.13)."""
    defends = bool(card.react or card.own)
    if card.level == "D" and (card.attack is not None or not defends or card.on_use or card.on_hit):
        yield Fault("bad_technique", "level", "a D technique has `react` or `own`, and no attack")
    if card.level != "D" and (card.attack is None or defends):
        yield Fault("bad_technique", "level", "a technique of level 1 to 3 has one `attack`, no `react` and no `own`")
    if card.users is not None and not card.users.cards and card.users.filter is None:
        yield Fault("bad_technique", "users", "a technique has users")


def _ability_faults(ability: Ability | None, where: str, kind: str) -> Iterator[Fault]:
    """Test an ability by where it is printed (KN-6.1 to KN-6.4)."""
    if ability is None:
        return
    if ability.kind == "activated":
        if kind not in ("knight", "helper"):
            yield Fault("bad_ability", f"{where}.kind", f"a {kind} has no activated ability")
        free = ability.action is False or kind == "helper"
        if free and ability.once == "none" and ability.cost is None:
            yield Fault("endless_ability", where, "a free ability has `once` or a `cost`")
        if kind == "helper" and ability.cost is not None and (ability.cost.pc or ability.cost.pv):
            yield Fault("bad_cost", f"{where}.cost", "a helper has neither Pc nor Pv")  # KN-6.4
    if ability.kind == "passive":
        yield from _passive_faults(ability, where)
    yield from _effects_faults(ability.effects, f"{where}.effects", kind)


def _passive_faults(ability: Ability, where: str) -> Iterator[Fault]:
    """A passive changes values without choice, chance or time, and none that it reads (KN-6.3)."""
    for at, op in enumerate(ability.effects):
        here = f"{where}.effects[{at}]"
        if not isinstance(op, Modify | Grant | Restrict):
            yield Fault("bad_passive", here, "a passive has only `modify`, `grant` and `restrict`")
            continue
        if op.duration is not None:
            yield Fault("bad_passive", f"{here}.duration", "a passive has no duration")
        target = getattr(op, "target", None)
        if isinstance(target, Selector) and target.pick in ("choose", "random"):
            yield Fault("bad_passive", f"{here}.target.pick", "a passive neither asks nor draws")
        changes_maximum = isinstance(op, Modify) and op.stat in ("max_pv", "max_pc")
        if changes_maximum and any(_reads_counter(part) for part in (*ability.when, op)):
            yield Fault("bad_passive", here, "what changes a maximum reads no counter")


def _reads_counter(value: Any) -> bool:
    """Say whether a current counter is read anywhere inside: Pv, Pc, PvD, ``damaged``."""
    for part in _parts(value):
        if isinstance(part, Condition) and part.pvd is not None:
            return True
        if isinstance(part, Filter) and part.damaged is not None:
            return True
        if getattr(part, "stat", None) in ("pv", "pc"):
            return True
    return False


def _effects_faults(effects: Effects, where: str, kind: str) -> Iterator[Fault]:
    at_home = kind in ("knight", "technique", "object")
    for op in effects_in(effects):
        if isinstance(op, Targeted) and op.target is None and not at_home and not isinstance(op, AttackMod):
            yield Fault("missing_target", where, f"`{_word(op)}` needs a target here")  # KN-6.7


def _word(op: Effect) -> str:
    return str(type(op).__struct_config__.tag)


def _unresolved(cards: Cards, table: Any) -> Iterator[Fault]:
    """Find names of cards, ranks and deities that the pack does not have (KN-7.13)."""
    subranks = {name for rank in cards.ranks.values() for name in rank.subranks}
    known: dict[str, Any] = {"card": cards, "rank": cards.ranks, "patron": cards.deities, "subrank": subranks}
    for part in _parts(table):
        if isinstance(part, Filter):
            for name, names in known.items():
                yield from _missing(name, getattr(part, name), names)
        elif isinstance(part, Condition):
            yield from _missing("deity", part.deity, cards.deities)
            if part.scenario not in ("any", "none"):
                yield from _missing("scenario", part.scenario, cards)
        elif isinstance(part, Card):
            yield from _missing("patron", part.patron, cards.deities)
            yield from _missing("users", part.users.cards if part.users else None, cards)


def _missing(field: str, value: Any, names: Any) -> Iterator[Fault]:
    for name in value if isinstance(value, tuple) else () if value is None else (value,):
        if name not in names:
            yield Fault("unresolved", field, f"there is no {field} {name!r}")


def _parts(value: Any) -> Iterator[Any]:
    """Give every struct inside a value, itself included."""
    if isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    elif isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _parts(getattr(value, name))
