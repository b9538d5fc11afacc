"""``sanctum serve``: the service itself, in the foreground."""

from __future__ import annotations

from typing import Annotated

import typer

from server.commands.config import settings_or_stop, warn_of_unknown
from server.commands.ends import UNAVAILABLE, USAGE, stderr, stop
from server.packs import BadPacks, read_packs
from server.store.errors import Unavailable, Unfit


def run_server(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="TCP port to listen on; 0 picks a free one.")] = None,
    workers: Annotated[int | None, typer.Option(help="Server processes on this host.")] = None,
    redis: Annotated[
        str | None, typer.Option(help="Redis or Valkey to keep rooms in (default: one of its own).")
    ] = None,
) -> None:
    """Serve matches until told to stop. Options win over SANCTUM_* variables; see: sanctum config."""
    warn_of_unknown()
    settings = settings_or_stop(host=host, port=port, workers=workers, redis_url=redis)
    from server.store.embedded import AlreadyRunning
    from server.supervisor import serve

    try:
        read_packs(settings.packs_dir)  # before anything is started; each worker reads them again
        serve(settings)
    except BadPacks as bad:
        for fault in bad.faults:
            stderr().print(fault, soft_wrap=True)
        count = "1 fault" if len(bad.faults) == 1 else f"{len(bad.faults)} faults"
        stop(USAGE, f"nothing was started: {count} in the packs of {settings.packs_dir}")
    except (Unavailable, Unfit, AlreadyRunning, OSError) as error:
        stop(UNAVAILABLE, str(error))
