"""Read a pack of cards and say everything that is wrong with it, by card and field (PA-10.1, PA-10.2, PA-6.14).

Owns the form of the file and the packs that ship with the game. Knows no state.
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
from engines.patron.cards import AnyCard, Cards, Event, Grace, ReadyDeck, Saint
from engines.patron.decks import deck_faults
from engines.patron.pack_sense import senseless
from engines.patron.terms import Id
from engines.rules import Fault, Pack, PackError

GAME = "patron"
CODE = "PackError"  # PA-6.14
MAX_CARDS = 1000
KINDS: dict[str, type[AnyCard]] = {"saint": Saint, "grace": Grace, "event": Event}
BESIDE_HOLD = ("kind", "min_milestones", "where", "cond")


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[pack]`` (PA-10.1)."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]*$", max_length=40)]
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    version: int
    ruleset: Literal["patron"]
    traits: tuple[Id, ...]


@cache
def shipped() -> dict[str, Pack]:
    """Give the packs that ship with the game, by id; the first is the default (PA-10.3, PA-10.5)."""
    pack = read_pack((files("engines.patron") / "pack" / "core.toml").read_bytes())
    return {pack.id: pack}


def printed(key: str) -> AnyCard | None:
    """Give a card of the shipped packs, for those who see zones only; None if the match has a pack of its own."""
    return next((pack.cards[key] for pack in shipped().values() if key in pack.cards), None)


def read_pack(source: bytes) -> Pack:
    """Read a pack, shipped or not (PA-10.6). Raises PackError with every fault: card by card, then field by field."""
    tree = packs.parse(source, CODE)
    lifted = {kind: _lifted(tree.get(kind, [])) for kind in KINDS}
    faults = list(_faults(tree, lifted)) or list(_faults_together(tree, lifted))
    if faults:
        raise PackError(faults[: packs.MAX_MISFITS])
    head, cards = _made(tree, lifted)
    return packs.made(source, id=head.id, title=head.name, game=GAME, cards=cards)


def _made(tree: dict[str, Any], lifted: dict[str, Any]) -> tuple[Head, Cards]:
    head = msgspec.convert(tree["pack"], Head)
    found = [msgspec.convert(table, kind) for name, kind in KINDS.items() for table in lifted[name]]
    decks = msgspec.convert(tree.get("deck", []), list[ReadyDeck])
    return head, Cards(head.id, head.name, head.traits, found, decks)


def _lifted(tables: Any) -> Any:
    """Move a static's operation into a table of its own, so that both have one tag each."""
    if not isinstance(tables, list):
        return tables
    return [_with_holds(table) if isinstance(table, dict) else table for table in tables]


def _with_holds(table: dict[str, Any]) -> dict[str, Any]:
    effects = table.get("effects")
    if not isinstance(effects, list):
        return table
    return table | {"effects": [_with_hold(effect) for effect in effects]}


def _with_hold(effect: Any) -> Any:
    if not isinstance(effect, dict) or effect.get("kind") != "static":
        return effect
    beside = {name: effect[name] for name in BESIDE_HOLD if name in effect}
    return beside | {"hold": {name: value for name, value in effect.items() if name not in BESIDE_HOLD}}


def _faults(tree: dict[str, Any], lifted: dict[str, Any]) -> Iterator[Fault]:
    for name in tree:
        if name not in ("pack", "deck", *KINDS):
            yield Fault(CODE, name[:60], "a pack has the tables `pack`, `saint`, `grace`, `event` and `deck` only")
    for misfit in packs.misfits(Head, tree.get("pack", {})):
        yield Fault(CODE, packs.spell(("pack", *misfit.path)), misfit.text)
    yield from _doubles(tree)
    for name, kind in KINDS.items():
        yield from _table_faults(name, kind, lifted[name])
    yield from _table_faults("deck", ReadyDeck, tree.get("deck", []))


def _table_faults(name: str, kind: Any, tables: Any) -> Iterator[Fault]:
    if not isinstance(tables, list) or len(tables) > MAX_CARDS:
        yield Fault(CODE, name, f"`{name}` is a list of at most {MAX_CARDS} tables")
        return
    for at, table in enumerate(tables):
        where = _name(name, table, at)
        for misfit in packs.misfits(kind, table):
            path = tuple(step for step in misfit.path if step != "hold")
            yield Fault(CODE, f"{where}: {packs.spell(path)}", misfit.text)


def _name(kind: str, table: Any, at: int) -> str:
    """Name a card as its author knows it: by id, or by place if it has none."""
    key = table.get("id") if isinstance(table, dict) else None
    return key[:60] if isinstance(key, str) and key else f"{kind}[{at}]"


def _tables(tree: dict[str, Any], name: str) -> list[Any]:
    tables = tree.get(name)
    return tables if isinstance(tables, list) else []


def _doubles(tree: dict[str, Any]) -> Iterator[Fault]:
    """Find ids that are not unique over all kinds of cards, or among the decks (PA-10.1)."""
    for names in (tuple(KINDS), ("deck",)):
        tables = [table for name in names for table in _tables(tree, name)]
        ids = [table["id"] for table in tables if isinstance(table, dict) and isinstance(table.get("id"), str)]
        for key, times in Counter(ids).items():
            if times > 1:
                yield Fault(CODE, f"{key[:60]}: id", f"{times} entries have this `id`")


def _faults_together(tree: dict[str, Any], lifted: dict[str, Any]) -> Iterator[Fault]:
    """Test what shows only when every field fits: words out of place, unknown traits, illegal ready decks."""
    head, cards = _made(tree, lifted)
    if not len(cards):
        yield Fault(CODE, "pack", "a pack has cards")
    for card in cards:
        for path, text in senseless(card, head.traits):
            yield Fault(CODE, f"{card.id}: {path}", text)
    for deck in cards.decks:
        document = {"pack": head.id, "patron": deck.patron, "cards": deck.cards}
        for fault in deck_faults(cards, document):
            yield Fault(CODE, f"{deck.id}: {fault.where}", f"{fault.text} ({fault.code})")
