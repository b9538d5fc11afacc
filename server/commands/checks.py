"""``sanctum pack check`` and ``sanctum deck check``: everything that is wrong, named by card and field.

Knows no game: packs and decks are judged by the rules that they are for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from engines.packs import game_named_in
from engines.rules import Fault, Pack, PackError
from server.commands.ends import FAILED, USAGE, stdout, stop, write_json
from server.commands.sources import pack_of, read_bytes, read_tree, rules_of

JsonOption = Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")]


def check_pack(
    file: Annotated[Path, typer.Argument(help="A pack: TOML that names its ruleset under [pack].")],
    game: Annotated[str | None, typer.Option(help="Judge it by this game, whatever it says.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a pack of cards or tiles."""
    source = read_bytes(file)
    rules = rules_of(game or _game_named_in(source, file))
    faults: Sequence[Fault] = ()
    pack: Pack | None = None
    try:
        pack = rules.read_pack(source)
    except PackError as error:
        faults = error.faults
    if as_json:
        found = {} if pack is None else {"id": pack.id, "title": pack.title, "hash": pack.hash}
        write_json({"file": str(file), "game": rules.name, "ok": pack is not None, **found, "faults": faults})
    elif pack is not None:
        stdout().print(f"{file}: in order. {pack.title} ({pack.id}) for {rules.title}, hash {pack.hash}")
    else:
        _tell(file, faults)
    _end(faults)


def check_deck(
    game: Annotated[str, typer.Argument(help="The game that the deck is for.")],
    file: Annotated[Path, typer.Argument(help="A deck list in the game's own form, JSON or TOML.")],
    pack: Annotated[str | None, typer.Option(help="Id or file of the pack (default: the game's first).")] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a deck: all violations at once."""
    rules = rules_of(game)
    if not rules.brings_decks:
        stop(USAGE, f"nobody brings a deck to {rules.title}")
    chosen = pack_of(rules, pack)
    faults = rules.deck_faults(chosen, _deck_in(read_tree(file)))
    if as_json:
        write_json({"file": str(file), "game": rules.name, "pack": chosen.id, "ok": not faults, "faults": list(faults)})
    elif faults:
        _tell(file, faults)
    else:
        stdout().print(f"{file}: a legal deck for {rules.title} ({chosen.id})")
    _end(faults)


def _game_named_in(source: bytes, file: Path) -> str:
    try:
        name = game_named_in(tomllib.loads(source.decode()))
    except (ValueError, RecursionError) as error:
        stop(FAILED, f"{file} is no pack: {error}")
    if name is None:
        stop(USAGE, f'{file} does not say which game it is for; add ruleset = "..." under [pack], or give --game')
    return name


def _deck_in(tree: Any) -> Any:
    """TOML has no list at its top: there the list lies under ``deck``."""
    return tree["deck"] if isinstance(tree, dict) and list(tree) == ["deck"] else tree


def _tell(file: Path, faults: Sequence[Fault]) -> None:
    out = stdout()
    for fault in faults:
        out.print(f"{file}: {fault.where}: {fault.text} ({fault.code})")
    out.print(f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}")


def _end(faults: Sequence[Fault]) -> None:
    if faults:
        raise typer.Exit(FAILED)
