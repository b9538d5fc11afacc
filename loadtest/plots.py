"""Two kinds of picture as plain SVG: lines over time, and bars. Knows nothing of what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10

from msgspec import Struct

WIDTH, HEIGHT = 860, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 14, 34
TICKS = 5


class Series(Struct, frozen=True):
    """One line: a value for each second, None where there is none."""

    label: str
    colour: str
    values: Sequence[float | None]


def lines(series: Sequence[Series], unit: str) -> str:
    """Draw lines over seconds, on one scale from zero."""
    top = nice(max((value for each in series for value in each.values if value is not None), default=1.0))
    seconds = max((len(each.values) for each in series), default=0)
    paths = "".join(_path(each, top, seconds) for each in series)
    legend = "".join(
        f'<tspan fill="{each.colour}" dx="10">■</tspan><tspan dx="4">{escape(each.label)}</tspan>' for each in series
    )
    marks = [(x(at, max(1, seconds - 1)), f"{at} s") for at in _spread(seconds)]
    key = f'<text x="{LEFT}" y="{TOP + 2}" class="key">{legend}</text>'
    return _chart(_grid(top, unit) + _marks(marks) + paths + key)


def bars(steps: Sequence[tuple[float, int]], unit: str) -> str:
    """Draw how many lie in each step, given by its upper bound. The height is logarithmic, so that a tail shows."""
    filled = [at for at, (_, many) in enumerate(steps) if many]
    shown = steps[filled[0] : filled[-1] + 1] if filled else []
    most = max((many for _, many in shown), default=1)
    top = log10(most + 1)
    width = (WIDTH - LEFT - RIGHT) / max(1, len(shown))
    tops = [y(log10(many + 1), top) for _, many in shown]
    rects = "".join(
        f'<rect x="{LEFT + at * width + 0.5:.1f}" y="{tops[at]:.1f}" width="{max(1.0, width - 1):.1f}" '
        f'height="{HEIGHT - BOTTOM - tops[at]:.1f}"><title>up to {bound:g} {unit}: {many:,}</title></rect>'
        for at, (bound, many) in enumerate(shown)
        if many
    )
    marks = [(LEFT + (at + 1) * width, f"{shown[at][0]:.3g} {unit}") for at in _spread(len(shown))]
    powers = [10**power for power in range(int(log10(most)) + 1)] if shown else []
    scale = "".join(_level(y(log10(power + 1), top), f"{power:,}") for power in powers)
    return _chart(scale + _marks(marks) + f'<g class="bar">{rects}</g>')


def nice(most: float) -> float:
    """Round up to a figure that divides well into ticks."""
    if most <= 0:
        return 1.0
    power = 10.0 ** int(log10(most) - (most < 1))
    return next(step * power for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15) if step * power >= most)


def x(at: float, last: float) -> float:
    """Place a second."""
    return LEFT + (WIDTH - LEFT - RIGHT) * at / last


def y(value: float, top: float) -> float:
    """Place a value."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)


def _path(series: Series, top: float, seconds: int) -> str:
    """Draw a line, interrupted where there is no value; a lone value is a dot."""
    parts: list[list[str]] = [[]]
    for at, value in enumerate(series.values):
        if value is None:
            parts.append([])
        else:
            parts[-1].append(f"{x(at, max(1, seconds - 1)):.1f},{y(value, top):.1f}")
    drawn = [part if len(part) > 1 else part * 2 for part in parts if part]
    path = " ".join(f"M{' L'.join(part)}" for part in drawn)
    return f'<path d="{path}" stroke="{series.colour}" class="line"/>' if path else ""


def _grid(top: float, unit: str) -> str:
    return "".join(
        _level(y(top * at / TICKS, top), f"{top * at / TICKS:,.4g} {unit}".strip()) for at in range(TICKS + 1)
    )


def _level(height: float, text: str) -> str:
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height:.1f}" y2="{height:.1f}" class="grid"/>'
        f'<text x="{LEFT - 6}" y="{height + 4:.1f}" class="left">{text}</text>'
    )


def _marks(marks: Sequence[tuple[float, str]]) -> str:
    return "".join(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" class="below">{text}</text>' for at, text in marks)


def _spread(many: int) -> list[int]:
    """Choose about eight of so many places to be marked."""
    return list(range(0, many, max(1, -(-many // 8))))


def _chart(inside: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{inside}</svg>'
