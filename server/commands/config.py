"""``sanctum config``: every setting with its value, where that comes from, and what it means. Secrets stay hidden."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from pydantic import SecretStr
from rich.table import Table

from server.commands.ends import USAGE, stderr, stdout, stop, write_json
from server.settings import BadSettings, Settings, read_settings, unknown_variables, variable


def show_config(
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable, alone on stdout.")] = False,
) -> None:
    """Print and explain the settings, as the environment has them now."""
    warn_of_unknown()
    settings = settings_or_stop()
    rows = [_row(settings, name) for name in Settings.model_fields]
    if as_json:
        write_json(rows)
    else:
        stdout().print(_table(rows))


def settings_or_stop(**given: Any) -> Settings:
    """Read the settings, or end the command with every mistake in one line."""
    try:
        return read_settings(**given)
    except BadSettings as error:
        stop(USAGE, "; ".join(error.faults))


def warn_of_unknown() -> None:
    """Say on stderr which SANCTUM_* variables mean nothing."""
    for name, near in unknown_variables(os.environ):
        hint = f"; did you mean {near}?" if near else "; see: sanctum config"
        stderr().print(f"sanctum: warning: {name} is not a setting{hint}", soft_wrap=True)


def _row(settings: Settings, name: str) -> dict[str, Any]:
    field = Settings.model_fields[name]
    value = getattr(settings, name)
    return {
        "name": variable(name),
        "value": _shown(value),
        "set": name in settings.model_fields_set,
        "meaning": field.description,
    }


def _shown(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return "(hidden)"
    if isinstance(value, tuple):
        return [str(part) for part in value]
    return value if isinstance(value, (bool, int, type(None))) else str(value)


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("variable", "value", "", "meaning"):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(row["name"], _spelled(row["value"]), "set" if row["set"] else "", row["meaning"])
    return table


def _spelled(value: Any) -> str:
    """Write a value as the environment would."""
    if isinstance(value, bool):
        return str(value).lower()
    text = ",".join(value) if isinstance(value, list) else "" if value is None else str(value)
    return text or "-"
