"""``sanctum token``: a token signed with the service's own secret, for operators and for accounts of their own."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from protocol.errors import Refused
from server.auth import Tokens, readable_name, signing_secret
from server.commands.config import settings_or_stop
from server.commands.ends import USAGE, stop
from server.settings import Settings, variable

YEAR_S = 366 * 24 * 3600


def make_token(
    sub: Annotated[str, typer.Option(help="The account that it speaks for.")],
    scope: Annotated[list[str] | None, typer.Option(help="What it allows beyond playing: operator.")] = None,
    name: Annotated[str | None, typer.Option(help="The name that others see (default: the account).")] = None,
    ttl: Annotated[int, typer.Option(min=1, max=YEAR_S, help="Seconds for which it is good.")] = 3_600,
) -> None:
    """Print a token, signed with SANCTUM_SECRET or the secret in SANCTUM_DATA_DIR."""
    settings = settings_or_stop()
    tokens = Tokens(settings, _secret(settings))
    try:
        sys.stdout.write(tokens.issue(sub, readable_name(name or sub), scope or (), ttl) + "\n")
    except (ValueError, Refused) as error:
        stop(USAGE, f"--sub or --name: {error}")


def _secret(settings: Settings) -> bytes:
    """Give the secret of the service; one made now would be nobody's."""
    kept = settings.data_dir / "secret"
    if settings.secret is None and not kept.exists():
        stop(
            USAGE,
            f"no secret in {kept}; set {variable('secret')} or {variable('data_dir')} as the service has it",
        )
    try:
        return signing_secret(settings)
    except OSError as error:
        stop(USAGE, str(error))
