"""``sanctum selfplay``: bots play each other in this process; balance, bounds and speed of a game in figures.

Brings the clock and the progress bar. Knows no game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from engines.rules import Pack, Rules
from engines.selfplay import Figures, Plan, Played, UnknownBot, bot_of, figures, play_matches
from server.commands.ends import FAILED, UNCHECKED, USAGE, stderr, stdout, stop, write_json
from server.commands.sources import pack_of, rules_of


def selfplay(
    game: Annotated[str, typer.Argument(help="The game to play.")],
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 0,
    bots: Annotated[str | None, typer.Option(help="Bots by commas, one a seat, or one for all seats.")] = None,
    pack: Annotated[str | None, typer.Option(help="Id or file of the pack (default: the game's first).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")] = False,
) -> None:
    """Let bots play matches, and add up what happened."""
    rules = rules_of(game)
    chosen = pack_of(rules, pack)
    plan = Plan(rules, chosen, rules.Options(), _bots(rules, bots), matches, seed)
    _require_decks(rules, chosen)
    found = figures(plan, list(_with_progress(plan)))
    if as_json:
        write_json(_plain(found))
    else:
        stdout().print(_table(found))
        for broken in found.broken:
            stdout().print(f"broken: {broken}")
    if found.broken or found.unfinished:
        raise typer.Exit(FAILED)


def _bots(rules: Rules[Any], given: str | None) -> tuple[str, ...]:
    fewest, most = rules.seats
    names = [name for name in map(str.strip, (given or next(iter(rules.bots), "random")).split(",")) if name]
    if len(names) == 1:
        names *= fewest
    if not fewest <= len(names) <= most:
        stop(USAGE, f"{rules.name} has {fewest} to {most} seats; --bots names {len(names)}")
    try:
        for name in names:
            bot_of(rules, name)
    except UnknownBot as unknown:
        stop(USAGE, str(unknown))
    return tuple(names)


def _require_decks(rules: Rules[Any], pack: Pack) -> None:
    if rules.brings_decks and not rules.ready_decks(pack):
        stop(UNCHECKED, f"there are no ready-made decks for the pack {pack.id}; nobody could play")


def _with_progress(plan: Plan) -> Iterator[Played]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr(), transient=True) as progress:
        yield from progress.track(
            play_matches(plan, time.perf_counter_ns), total=plan.matches, description=f"{plan.rules.name}: matches"
        )


def _plain(found: Figures) -> dict[str, Any]:
    """Give the figures in the units of people: shares from 0 to 1, milliseconds, wins by bot."""
    plain: dict[str, Any] = msgspec.structs.asdict(found)
    share, p99_us = plain.pop("first_seat_share"), plain.pop("submit_p99_us")
    wins: dict[str, int] = {}
    for won in found.wins:
        wins[won.bot if won.bot not in wins else f"{won.bot} ({len(wins) + 1})"] = won.matches
    return plain | {
        "first_seat_share": None if share is None else share / 1000, "wins": wins, "submit_p99_ms": p99_us / 1000,
    }  # fmt: skip


def _table(found: Figures) -> Table:
    """Lay the figures out; what a game does not tell is left out."""
    rows: dict[str, str] = {
        "matches": f"{found.matches}, {found.choices} choices, {found.choices_per_s} choices/s",
        "unfinished": str(found.unfinished),
        "wins": ", ".join(f"{won.bot} {won.matches}" for won in found.wins),
        "ends": ", ".join(f"{reason} {count}" for reason, count in found.ends.items()),
    }
    if found.first_seat_share is not None:
        rows["first seat wins"] = f"{found.first_seat_share / 10:.1f} %"
    if (turns := found.turns) is not None:
        rows["turns"] = f"{turns.p05} to {turns.p95}, median {turns.median}"
    rows |= {
        "most at once": f"{found.max_options} options, {found.max_fuel} fuel",
        "largest": f"frame {found.max_frame} bytes, record {found.max_record} bytes",
        "submit, p99": f"{found.submit_p99_us} µs",
    }
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in rows.items():
        table.add_row(name, value)
    return table
