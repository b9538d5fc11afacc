"""What a load test came to, for people: a page of HTML that needs nothing else, and a few lines of text."""

from __future__ import annotations

import json
import time
from html import escape

from loadtest.plots import Series, bars, lines
from loadtest.result import Result

FAULTS = ("gaps", "duplicates", "divergences", "unanswered", "leaks", "errors")
STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --dim: #667085; --line: #d9dee7; --page: #fff; --good: #16794c;
  --bad: #b42318; --bar: #3b6fd4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --dim: #98a2b3; --line: #333b49; --page: #14181f;
  --good: #4fc48a; --bad: #ff7a70; --bar: #7aa2f7; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 900px;
  margin: 32px auto; padding: 0 20px; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 32px 0 8px; }
.dim { color: var(--dim); } .good { color: var(--good); } .bad { color: var(--bad); }
.verdict { font-size: 17px; font-weight: 600; margin: 14px 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(128px, 1fr)); gap: 10px; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
.card b { display: block; font-size: 18px; } .card span { color: var(--dim); font-size: 13px; }
svg { width: 100%; height: auto; display: block; } svg text { font-size: 11px; fill: var(--dim); }
.grid { stroke: var(--line); } .line { fill: none; stroke-width: 2; stroke-linecap: round; }
.left { text-anchor: end; } .below { text-anchor: middle; } .bar rect { fill: var(--bar); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 4px 12px 4px 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow: auto; border: 1px solid var(--line); border-radius: 8px; padding: 12px; font-size: 13px; }
"""


def page(result: Result) -> str:
    """Write the whole report as one page."""
    parts = [
        f"<h1>{escape(result.scenario or 'Load test')}</h1>",
        f'<p class="dim">{escape(result.url)} · {_when(result)} · {escape(result.machine)}</p>',
        _verdict(result),
        _cards(result),
        _latency(result),
        _throughput(result),
        _cost(result),
        _findings(result),
        _counters(result),
        f"<h2>Scenario</h2><pre>{escape(json.dumps(result.settings, indent=2, ensure_ascii=False))}</pre>",
    ]
    title = escape(f"Load test: {result.scenario}")
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return head + "</head><body>" + "\n".join(parts) + "</body></html>\n"


def summary(result: Result) -> str:
    """Say in a few lines what came out."""
    lines_ = [
        f"{result.choices:,} choices in {result.seconds:g} s ({result.choices_per_s:,} a second), "
        f"{result.deliveries:,} frames delivered ({result.deliveries_per_s:,} a second), {result.clients:,} clients",
        f"latency of a choice: p50 {told(result.p50_ms)} ms, p99 {told(result.p99_ms)} ms"
        + (f" (without slow readers p99 {result.baseline_p99_ms} ms)" if result.baseline_p99_ms is not None else ""),
        f"server: {told(result.server_cpu_us_per_choice)} µs a choice, {told(result.server_cpu_us_per_delivery)} µs a "
        f"delivery; bare uvicorn: {told(result.echo_cpu_us)} µs an echo, {told(result.broadcast_cpu_us)} µs a delivery",
        f"checked: {result.frames_checked:,} frames of {result.rooms_checked} rooms against their replays"
        + (f", {result.rooms_unchecked} rooms unchecked" if result.rooms_unchecked else ""),
        ", ".join(f"{name} {getattr(result, name)}" for name in FAULTS),
    ]
    return "\n".join([*lines_, *(f"  {kind}: {text}" for kind, text in result.findings)])


def told(value: float | None) -> str:
    """Say a figure, or that there is none."""
    return "–" if value is None else f"{value:,}"


def _when(result: Result) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(result.began))


def _verdict(result: Result) -> str:
    if result.faultless:
        checked = f"{result.frames_checked:,} frames of {result.rooms_checked} rooms"
        text = f"No fault found: {checked} are as their replays say."
        return f'<p class="verdict good">{text}</p>'
    found = ", ".join(f"{getattr(result, name)} {name}" for name in FAULTS if getattr(result, name))
    return f'<p class="verdict bad">Faults: {found}.</p>'


def _cards(result: Result) -> str:
    shown = [
        ("choices a second", f"{result.choices_per_s:,}"),
        ("deliveries a second", f"{result.deliveries_per_s:,}"),
        ("p50 of a choice", f"{told(result.p50_ms)} ms"),
        ("p99 of a choice", f"{told(result.p99_ms)} ms"),
        ("p99 of a delivery", f"{told(result.delivery_p99_ms)} ms"),
        ("clients", f"{result.clients:,}"),
    ]
    cards = "".join(f'<div class="card"><b>{value}</b><span>{label}</span></div>' for label, value in shown)
    return f'<div class="cards">{cards}</div>'


def _latency(result: Result) -> str:
    over_time = lines(
        [
            Series("p50", "#3b6fd4", [each.p50_ms for each in result.samples]),
            Series("p99", "#d9822b", [each.p99_ms for each in result.samples]),
        ],
        "ms",
    )
    return (
        "<h2>Latency of choices over time</h2>"
        '<p class="dim">From the moment a choice was to be sent until its answer was here.</p>'
        f"{over_time}<h2>Latency of choices, how many</h2>{bars(result.distribution, 'ms')}"
    )


def _throughput(result: Result) -> str:
    choices = lines([Series("choices", "#3b6fd4", [each.choices for each in result.samples])], "")
    frames = lines([Series("deliveries", "#2a9d6f", [each.deliveries for each in result.samples])], "")
    return f"<h2>Choices a second</h2>{choices}<h2>Deliveries a second</h2>{frames}"


def _cost(result: Result) -> str:
    rows = [
        ("one choice", result.server_cpu_us_per_choice, "one echo", result.echo_cpu_us, result.ratio),
        ("one delivery", result.server_cpu_us_per_delivery, "one of a broadcast", result.broadcast_cpu_us,
         result.delivery_ratio),
    ]  # fmt: skip
    body = "".join(
        f'<tr><td>{ours}</td><td class="n">{told(us)} µs</td><td>{theirs}</td><td class="n">{told(bare)} µs</td>'
        f'<td class="n">{told(ratio)}</td></tr>'
        for ours, us, theirs, bare, ratio in rows
    )
    titles = (("service", ""), ("processor time", "n"), ("bare uvicorn", ""), ("processor time", "n"), ("ratio", "n"))
    head = "".join(f'<th class="{kind}">{title}</th>' for title, kind in titles)
    shares = f"server {told(result.server_cpu_share)}, generator {told(result.generator_cpu_share)} of one processor"
    return f'<h2>Cost</h2><table><tr>{head}</tr>{body}</table><p class="dim">Busy: {shares}.</p>'


def _findings(result: Result) -> str:
    counts = "".join(f'<tr><td>{name}</td><td class="n">{getattr(result, name):,}</td></tr>' for name in FAULTS)
    texts = "".join(f"<tr><td>{escape(kind)}</td><td>{escape(text)}</td></tr>" for kind, text in result.findings)
    listed = f"<table><tr><th>kind</th><th>what</th></tr>{texts}</table>" if texts else ""
    return f"<h2>Correctness</h2><table>{counts}</table>{listed}"


def _counters(result: Result) -> str:
    counted = {
        "rooms checked": result.rooms_checked, "rooms unchecked": result.rooms_unchecked,
        "frames checked": result.frames_checked, "mean bytes a frame": result.mean_frame_bytes or 0,
        **{name.replace("_", " "): many for name, many in result.counts.items()},
    }  # fmt: skip
    rows = "".join(f'<tr><td>{escape(name)}</td><td class="n">{many:,}</td></tr>' for name, many in counted.items())
    return f"<h2>Counters</h2><table>{rows}</table>"
