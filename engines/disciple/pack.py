"""Read a pack of cards and say everything that is wrong with it, by card and field (DI-10).

Owns the loader's errors and the packs that ship with the game. Knows no state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from engines import packs
from engines.disciple.cards import Card, Cards
from engines.disciple.terms import Kind, Target
from engines.disciple.words import Ability, effects_in
from engines.rules import Fault, Pack, PackError

GAME = "disciple"
WITH_EVENT = ("reaction", "ally_enter", "enemy_enter")  # DI-6.4
MAX_CARDS = 1000
CODES = {"kind": "E_PACK_KIND", "rarity": "E_PACK_RARITY", "symbols": "E_PACK_SYMBOLS"}


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[pack]`` (DI-10.1)."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
    title: Annotated[str, Meta(min_length=1, max_length=80)]
    edition: Annotated[str, Meta(max_length=40)]
    game: Literal["disciple"]
    schema: Literal[1]


@cache
def shipped() -> dict[str, Pack]:
    """Give the packs that ship with the game, by id; the first is the default (DI-10.4, DI-10.5, DI-10.6)."""
    source = (files("engines.disciple") / "pack" / "first_light.toml").read_bytes()
    pack = read_pack(source)
    return {pack.id: pack}


def printed(key: str) -> Card | None:
    """Give a card of the shipped packs, for those who see zones only; None if the match has a pack of its own."""
    return next((pack.cards[key] for pack in shipped().values() if key in pack.cards), None)


def read_pack(source: bytes) -> Pack:
    """Read a pack: the shipped one, that of the tests (DI-10.8) or anybody's.

    Raises PackError with every fault (DI-10.2): card by card, then field by field.
    """
    tree = packs.parse(source, "E_PACK_KEY")
    tables = tree.get("card")
    faults = list(_faults(tree, tables))
    if faults:
        raise PackError(faults[: packs.MAX_MISFITS])
    head = msgspec.convert(tree["pack"], Head)
    cards = Cards(head.id, head.title, head.edition, msgspec.convert(tables, list[Card]))
    return packs.made(source, id=head.id, title=head.title, game=GAME, cards=cards)


def _faults(tree: dict[str, Any], tables: Any) -> Iterator[Fault]:
    for name in tree:
        if name not in ("pack", "card"):
            yield Fault("E_PACK_KEY", name[:60], "a pack has the tables `pack` and `card` only")
    for misfit in packs.misfits(Head, tree.get("pack", {})):
        yield Fault("E_PACK_KEY", packs.spell(("pack", *misfit.path)), misfit.text)
    if not isinstance(tables, list) or not 1 <= len(tables) <= MAX_CARDS:
        yield Fault("E_PACK_KEY", "card", f"a pack has 1 to {MAX_CARDS} tables `card`")
        return
    yield from _doubles(tables)
    for at, table in enumerate(tables):
        for fault in _card_faults(table):
            yield msgspec.structs.replace(fault, where=f"{_name(table, at)}: {fault.where}")


def _name(table: Any, at: int) -> str:
    """Name a card as its author knows it: by key, or by place if it has none."""
    key = table.get("key") if isinstance(table, dict) else None
    return key[:60] if isinstance(key, str) and key else f"card[{at}]"


def _doubles(tables: list[Any]) -> Iterator[Fault]:
    """Find keys and numbers that are not unique (DI-10.1)."""
    for field in ("key", "number"):
        given = [
            table[field] for table in tables if isinstance(table, dict) and isinstance(table.get(field), str | int)
        ]
        for value, times in Counter(given).items():
            if times > 1:
                yield Fault("E_PACK_KEY", f"{str(value)[:60]}: {field}", f"{times} cards have this `{field}`")


def _card_faults(table: Any) -> Iterator[Fault]:
    for misfit in packs.misfits(Card, table):
        yield Fault(_code(misfit.path), packs.spell(misfit.path), misfit.text)
    if not isinstance(table, dict):
        return
    kind, symbols = table.get("kind"), table.get("symbols")
    if kind == "saint" and symbols in (None, []):
        yield Fault("E_PACK_SYMBOLS", "symbols", "a saint has 1 to 3 symbols")
    if kind == "deed" and symbols is not None:
        yield Fault("E_PACK_SYMBOLS", "symbols", "a deed has no symbols")  # DI-9.14
    abilities = dict(_readable(table.get("ability")))
    if kind in ("saint", "deed"):
        yield from _trigger_faults(kind, abilities)
    for at, ability in abilities.items():
        for fault in _ability_faults(ability):
            yield msgspec.structs.replace(fault, where=f"ability[{at}].{fault.where}")


def _readable(tables: Any) -> Iterator[tuple[int, Ability]]:
    """Give the abilities that can be read, so that one bad field does not hide other faults of the card."""
    for at, table in enumerate(tables if isinstance(tables, list) else ()):
        if not packs.misfits(Ability, table):
            yield at, msgspec.convert(table, Ability)


def _code(path: packs.Path) -> str:
    if not path or path[0] != "ability":
        return CODES.get(str(path[0]) if path else "", "E_PACK_KEY")
    if path[-1] == "trigger":
        return "E_PACK_TRIGGER"
    aimed = {"target", "scope", "in_play"} & set(path)
    return "E_PACK_TARGET" if aimed else "E_PACK_EFFECT"


def _trigger_faults(kind: Kind, abilities: dict[int, Ability]) -> Iterator[Fault]:
    """Test which triggers a card may have, alone and together (DI-10.2)."""
    seen = Counter(ability.trigger for ability in abilities.values())
    for at, ability in abilities.items():
        if (ability.trigger == "play") if kind == "saint" else (ability.trigger not in ("play", "reaction")):
            yield Fault("E_PACK_TRIGGER", f"ability[{at}].trigger", f"a {kind} has no `{ability.trigger}` ability")
    if seen["reaction"] and seen["enter"]:
        yield Fault("E_PACK_TRIGGER", "ability", "`reaction` and `enter` do not go together")
    for trigger in ("play", "reaction"):
        if seen[trigger] > 1:
            yield Fault("E_PACK_TRIGGER", "ability", f"a card has one `{trigger}` ability at most")


def _ability_faults(ability: Ability) -> Iterator[Fault]:
    if ability.trigger == "static":  # DI-6.1
        if not ability.static or ability.effect or ability.optional or ability.when or ability.filter:
            yield Fault("E_PACK_EFFECT", "static", "a static ability has `static`, and nothing else")
        return
    if not ability.effect or ability.static:
        yield Fault("E_PACK_EFFECT", "effect", "an ability that is not static has `effect`, and no `static`")
    if ability.filter is not None and ability.trigger not in WITH_EVENT:
        yield Fault("E_PACK_EFFECT", "filter", f"there is no saint to filter for `{ability.trigger}`")
    for effect in effects_in(ability.effect):
        target: Target | None = getattr(effect, "target", None)
        if target and target.pick == "event" and ability.trigger not in WITH_EVENT:
            yield Fault("E_PACK_TARGET", "effect", f"`{ability.trigger}` has no event saint")
