"""Figures: what is measured counts, what came before does not, and nothing is guessed."""

from __future__ import annotations

import pytest

from loadtest.figures import Figures, Total, at, report
from loadtest.judge import Verdict
from loadtest.oracle import Findings
from loadtest.plots import Series, bars, lines, nice
from loadtest.report import page, summary
from loadtest.result import Result, Sample, result
from loadtest.scenario import Match, Scenario
from loadtest.service import parse


def _measured(*latencies_s: float) -> Total:
    figures = Figures()
    figures.choice.add(9.0)
    figures.counts["choices"] = 5
    figures.mark()
    for each in latencies_s:
        figures.choice.add(each)
        figures.counts["choices"] += 1
        figures.counts["deliveries"] += 3
    figures.stop()
    total = Total()
    total.add(report(figures, 0.5))
    return total


def _result(
    total: Total, cpu_s: float | None, findings: Findings | None = None, echo_us: float | None = 50.0
) -> Result:
    samples = [Sample(2, 6, 0, 4, 1.0, 2.0, {}), Sample(0, 0, 0, 4, None, None, {}), Sample(1, 3, 0, 4, 3.0, 4.0, {})]
    return result(
        Scenario(Match("disciple"), "<one & all>"), total, findings or Findings(), Verdict(1, 0, 9), samples,
        lasted_s=2.0, cpu_s=cpu_s, echo_us=echo_us, broadcast_us=None, baseline_p99_ms=None, began=0.0, machine="here",
        url="http://127.0.0.1:1",
    )  # fmt: skip


def test_only_measured_time_counts() -> None:
    total = _measured(0.001, 0.002, 0.1)
    assert total.measured["choices"] == 3
    assert at(total.histograms["choice"], 100) == pytest.approx(100, rel=0.01)
    assert at(total.histograms["choice"], 50) == pytest.approx(2, rel=0.01)


def test_processes_add_up() -> None:
    total = _measured(0.001)
    total.add(report(Figures(), 0.25))
    assert total.generator_cpu_s == 0.75
    assert total.histograms["choice"].get_total_count() == 1


def test_cost_is_time_by_number() -> None:
    made = _result(_measured(0.001, 0.002), cpu_s=0.001)
    assert made.server_cpu_us_per_choice == 500
    assert made.server_cpu_us_per_delivery == pytest.approx(166.67)
    assert made.ratio == 10


@pytest.mark.parametrize(("cpu_s", "echo_us"), [(None, 50.0), (0.001, None)])
def test_cost_that_is_not_known_is_not_guessed(cpu_s: float | None, echo_us: float | None) -> None:
    made = _result(_measured(0.001), cpu_s, echo_us=echo_us)
    assert made.ratio is None
    assert (made.server_cpu_us_per_choice is None) == (cpu_s is None)


def test_nothing_measured_gives_no_latency() -> None:
    made = _result(_measured(), cpu_s=0.1)
    assert (made.p50_ms, made.p99_ms, made.server_cpu_us_per_choice, made.distribution) == (None, None, None, [])
    assert "–" in summary(made)
    assert page(made).endswith("</html>\n")


def test_faults_are_counted_by_kind_and_shown() -> None:
    findings = Findings()
    findings.add("leak", "room <r>: a secret")
    made = _result(_measured(0.001), 0.1, findings)
    assert (made.leaks, made.gaps, made.faultless) == (1, 0, False)
    assert "room &lt;r&gt;: a secret" in page(made)
    assert "leak: room <r>: a secret" in summary(made)


def test_report_needs_nothing_from_elsewhere() -> None:
    text = page(_result(_measured(0.001, 0.02), 0.1))
    for outside in ("<script", "src=", "href=", "url(", "@import"):
        assert outside not in text
    assert text.count("<svg") == 4
    assert "&lt;one &amp; all&gt;" in text


def test_lines_break_where_there_is_no_value() -> None:
    drawn = lines([Series("a", "#000", [1.0, 2.0, None, 3.0, 4.0])], "ms")
    assert drawn.count("M") == 2


def test_bars_leave_empty_ends_out() -> None:
    drawn = bars([(1.0, 0), (2.0, 5), (3.0, 0), (4.0, 1), (5.0, 0)], "ms")
    assert drawn.count("<rect") == 2
    assert "up to 2 ms: 5" in drawn


@pytest.mark.parametrize(("most", "top"), [(0.03, 0.03), (0.9, 1), (1, 1), (203, 250), (0, 1), (999, 1_000)])
def test_scale_ends_at_a_good_figure(most: float, top: float) -> None:
    assert nice(most) == pytest.approx(top)


def test_figures_of_a_service_are_summed_over_labels() -> None:
    text = '# TYPE x counter\nsanctum_choices_total{game="a"} 2.0\nsanctum_choices_total{game="b"} 3.0\n'
    assert parse(text + "sanctum_cpu_seconds_total 1.5\n") == {
        "sanctum_choices_total": 5.0, "sanctum_cpu_seconds_total": 1.5,
    }  # fmt: skip


def test_figures_without_processor_time_are_none() -> None:
    assert parse("sanctum_choices_total 2.0\n") is None
