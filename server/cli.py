"""The command line: which commands there are, and how each ends.

Owns the list of commands and the one-line form of errors. What a command does is in server/commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from server.commands.checks import check_deck, check_pack
from server.commands.config import show_config
from server.commands.demo import demo
from server.commands.doctor import doctor
from server.commands.drawing import plain
from server.commands.ends import DONE, INTERRUPTED, MEANINGS, USAGE, Stop
from server.commands.load import load_test
from server.commands.new_game import new_game
from server.commands.play import play
from server.commands.replays import show_replay, verify_replay
from server.commands.rules import list_rules
from server.commands.schema import print_schema
from server.commands.selfplay import selfplay
from server.commands.serve import run_server
from server.commands.token import make_token
from server.commands.watch import watch

_EXITS = "\n\n".join(f"[bold]{code}[/bold]  {text}" for code, text in MEANINGS.items())

app = typer.Typer(
    name="sanctum",
    help="A real-time match service for turn-based card and board games.",
    epilog=f"Exit codes:\n\n{_EXITS}\n\nSettings are environment variables; [bold]sanctum config[/bold] explains them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
pack_app = typer.Typer(help="Packs of cards or tiles.", no_args_is_help=True)
deck_app = typer.Typer(help="Decks.", no_args_is_help=True)
replay_app = typer.Typer(help="Replays of finished matches.", no_args_is_help=True)

pack_app.command("check")(check_pack)
deck_app.command("check")(check_deck)

replay_app.command("show")(show_replay)
replay_app.command("verify")(verify_replay)

app.command("serve")(run_server)
app.command("demo")(demo)
app.command("play")(play)
app.command("watch")(watch)
app.command("selfplay")(selfplay)
app.command("load")(load_test)
app.command("rules")(list_rules)
app.command("new-game")(new_game)
app.add_typer(pack_app, name="pack")
app.add_typer(deck_app, name="deck")
app.add_typer(replay_app, name="replay")
app.command("schema")(print_schema)
app.command("token")(make_token)
app.command("config")(show_config)
app.command("doctor")(doctor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code. An error is one line on stderr."""
    try:
        code = int(app(args=arguments, prog_name="sanctum", standalone_mode=False) or DONE)
        sys.stdout.flush()
    except Stop as stopped:
        return _complain(stopped.text, stopped.code)
    except typer.TyperException as error:
        return _complain_of_usage(error)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _unread()
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        return _unread()
    return code


def _unread() -> int:
    """End well although nobody reads on: ``sanctum schema | head`` is no mistake."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _complain_of_usage(error: typer.TyperException) -> int:
    context = getattr(error, "ctx", None)
    text = error.format_message().strip()
    if not text:
        return USAGE  # the help has been shown instead
    path = context.command_path if context is not None else "sanctum"
    return _complain(f"{text.rstrip('.')}. See: {path} --help", USAGE)


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"sanctum: {plain(' '.join(text.split()))}\n")
    return code
