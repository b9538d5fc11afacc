"""Packs and decks of probe: reading and validating them, with every fault named."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from engines.rules import Fault, Pack, PackError
from probe.state import DECK, Card

SHIPPED = ("embers", "frost")
MOST_COPIES = 3


@cache
def shipped() -> dict[str, bytes]:
    folder = resources.files("probe") / "pack"
    return {name: (folder / f"{name}.toml").read_bytes() for name in SHIPPED}


def read_pack(source: bytes, game: str) -> Pack:
    """Read a pack for one of the variants; ``cards``: Card by name. Raises PackError with every fault."""
    try:
        raw = tomllib.loads(source.decode())
    except ValueError as error:
        raise PackError([Fault("not_toml", "pack", str(error))]) from error
    faults = [Fault("missing", key, "a text is wanted") for key in ("id", "title") if not isinstance(raw.get(key), str)]
    if raw.get("game") != "probe":
        faults.append(Fault("wrong_game", "game", "the pack is not for probe"))
    cards = _cards(raw.get("card"), faults)
    if faults:
        raise PackError(faults)
    return Pack(raw["id"], raw["title"], game, hashlib.sha256(source).hexdigest(), source, cards)


def _cards(raw: Any, faults: list[Fault]) -> dict[str, Card]:
    cards: dict[str, Card] = {}
    for at, one in enumerate(raw if isinstance(raw, list) else []):
        try:
            card = msgspec.convert(one, Card)
        except msgspec.ValidationError as error:
            faults.append(Fault("bad_card", f"card {at}", str(error)))
            continue
        if cards.setdefault(card.name, card) is not card:
            faults.append(Fault("twice", card.name, "two cards have this name"))
        if not 1 <= card.worth <= 9 or not 1 <= card.copies <= 99:
            faults.append(Fault("out_of_range", card.name, "worth is 1 to 9, copies 1 to 99"))
    if sum(card.copies for card in cards.values()) < 5 * DECK:
        faults.append(Fault("too_few", "card", f"five seats need {5 * DECK} cards"))
    return cards


def ready_decks(pack: Pack) -> dict[str, list[str]]:
    """Give two decks of 8 that differ in every face they can."""
    names = sorted(pack.cards)
    return {"first": [names[at % len(names)] for at in range(DECK)], "last": _up_to_copies(names[::-1])}


def _up_to_copies(names: list[str]) -> list[str]:
    return [name for name in names for _ in range(MOST_COPIES)][:DECK]


def deck_faults(pack: Pack, deck: Any) -> list[Fault]:
    if not isinstance(deck, (list, tuple)) or not all(isinstance(name, str) for name in deck):
        return [Fault("not_a_deck", "deck", "a deck is a list of names of cards")]  # PR-7.1
    faults = []
    if len(deck) != DECK:  # PR-7.2
        faults.append(Fault("deck_size", "deck", f"a deck has {DECK} cards", {"size": len(deck)}))
    for name, count in sorted(Counter(deck).items()):
        if name not in pack.cards:  # PR-7.3
            faults.append(Fault("unknown_card", name, "the pack has no such card"))
        if count > MOST_COPIES:  # PR-7.4
            faults.append(Fault("too_many_copies", name, f"at most {MOST_COPIES} of one card", {"copies": count}))
    return faults
