"""How a run goes, live on a terminal; a line for each stage elsewhere. Decides nothing."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from loadtest.oracle import KINDS
from loadtest.result import Sample
from loadtest.run import Show, Stage

SHOWN = 12


class Progress(Show):
    """Shows the stage, and the last seconds as a table. ``console``: not the one for results."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=4, transient=True)
        self._stage: Stage | None = None
        self._samples: list[Sample] = []

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def stage(self, stage: Stage) -> None:
        if not self._console.is_terminal and (self._stage is None or self._stage.name != stage.name):
            self._console.print(stage.name)
        self._stage = stage
        self._draw()

    def second(self, sample: Sample) -> None:
        self._samples = [*self._samples[-SHOWN + 1 :], sample]
        self._draw()

    def _draw(self) -> None:
        if self._console.is_terminal:
            self._live.update(drawn(self._stage, self._samples))


def drawn(stage: Stage | None, samples: list[Sample]) -> Table:
    """Draw the stage and the last seconds."""
    grid = Table.grid(padding=(0, 1))
    if stage is not None:
        grid.add_row(f"{stage.name}", ProgressBar(total=stage.whole, completed=stage.done, width=40))
    table = Table("choices/s", "deliveries/s", "p50 ms", "p99 ms", "sockets", "faults", box=None)
    for sample in samples:
        table.add_row(
            f"{sample.choices:,}", f"{sample.deliveries:,}", _told(sample.p50_ms), _told(sample.p99_ms),
            f"{sample.open:,}", _faults(sample.found),
        )  # fmt: skip
    outer = Table.grid()
    outer.add_row(grid)
    outer.add_row(table)
    return outer


def _told(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _faults(found: dict[str, int]) -> str:
    some = [f"[red]{kind} {found[kind]}[/red]" for kind in KINDS if found.get(kind)]
    return ", ".join(some) or "[green]none[/green]"
