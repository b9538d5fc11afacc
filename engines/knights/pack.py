"""Read a pack and say everything that is wrong with it, by card and field (KN-7.13, KN-10).

Owns reading and the packs that ship with the game; what a well-formed pack must also keep is in pack_rules.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engines import packs
from engines.knights import pack_rules
from engines.knights.cards import Card, Cards, Deck, Deity, Id, Rank
from engines.knights.conditions import Form
from engines.rules import Fault, Pack, PackError

GAME = "knights"
MAX_CARDS = 1000
TABLES: dict[str, Any] = {"rank": Rank, "deity": Deity, "card": Card, "deck": Deck}
NEEDED = ("rank", "deity", "card")


class Head(Form, frozen=True):
    """The table ``[pack]`` (KN-10.1). ``test``: fewer deities will do (KN-11.0). ``ruleset``: may be left out."""

    id: Id
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    version: Annotated[str, Meta(max_length=20)]
    language: Annotated[str, Meta(max_length=20)]
    test: bool = False
    ruleset: Literal["knights"] = "knights"


@cache
def shipped() -> dict[str, Pack]:
    """Give the packs that ship with the game, by id; the first is the default."""
    pack = read_pack((files("engines.knights") / "pack" / "first_constellations.toml").read_bytes())
    return {pack.id: pack}


def printed(key: str) -> Card | None:
    """Give a card of the shipped packs, for those who see zones only; None if the match has a pack of its own."""
    return next((pack.cards[key] for pack in shipped().values() if key in pack.cards), None)


def read_pack(source: bytes) -> Pack:
    """Read a pack. Raises PackError with every fault: table by table, card by card, field by field."""
    tree = packs.parse(source, "bad_pack")
    faults = list(_misfits(tree))
    if faults:
        raise PackError(faults[: packs.MAX_MISFITS])
    head = msgspec.convert(tree["pack"], Head)
    parts = {name: msgspec.convert(tree.get(name, []), list[kind]) for name, kind in TABLES.items()}  # type: ignore[valid-type]
    cards = Cards(head.id, head.name, parts["rank"], parts["deity"], parts["card"], parts["deck"])
    faults = list(pack_rules.faults(cards, test=head.test))
    if faults:
        raise PackError(faults[: packs.MAX_MISFITS])
    return packs.made(source, id=head.id, title=head.name, game=GAME, cards=cards)


def _misfits(tree: dict[str, Any]) -> Iterator[Fault]:
    """Find everything that has the wrong form: closed vocabulary, types, bounds (KN-6, KN-10.1)."""
    for name in tree:
        if name not in ("pack", *TABLES):
            yield Fault("bad_pack", name[:60], "a pack has the tables `pack`, `rank`, `deity`, `card` and `deck` only")
    for misfit in packs.misfits(Head, tree.get("pack", {})):
        yield Fault("bad_pack", packs.spell(("pack", *misfit.path)), misfit.text)
    for name, kind in TABLES.items():
        tables = tree.get(name, [])
        if not isinstance(tables, list) or len(tables) > MAX_CARDS or (name in NEEDED and not tables):
            yield Fault("bad_pack", name, f"a pack has 1 to {MAX_CARDS} tables `{name}`")
            continue
        yield from _misfits_in(name, kind, tables)


def _misfits_in(name: str, kind: Any, tables: list[Any]) -> Iterator[Fault]:
    for at, table in enumerate(tables):
        for misfit in packs.misfits(kind, table):
            code = "unknown_word" if misfit.problem == "unknown" else "bad_field"
            yield Fault(code, f"{_name(name, table, at)}: {packs.spell(misfit.path)}", misfit.text)
    field = "name" if name == "deck" else "id"
    given = [table[field] for table in tables if isinstance(table, dict) and isinstance(table.get(field), str)]
    for value, times in Counter(given).items():
        if times > 1:
            yield Fault("double_id", f"{name} {value[:60]}: {field}", f"{times} tables have this {field}")


def _name(name: str, table: Any, at: int) -> str:
    """Name a table as its author knows it: by id, or by place if it has none."""
    key = table.get("name" if name == "deck" else "id") if isinstance(table, dict) else None
    return f"{name} {key[:60]}" if isinstance(key, str) and key else f"{name}[{at}]"
