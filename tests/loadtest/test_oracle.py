"""The oracle: what is right passes, and each class of fault is named."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from loadtest.oracle import Answers, Findings, Ledger, Seen, Tracker


@pytest.fixture
def findings() -> Findings:
    return Findings()


def _frame(v: int, tip: str = "t", **more: Any) -> tuple[bytes, dict[str, Any]]:
    frame = {"t": "frame", "room": "r", "v": v, "tip": tip, "at": 0, "zones": {"table": v}, **more}
    return msgpack.packb(frame), frame


def _seen(v: int, why: str | None = None) -> Seen:
    return Seen(v, "t", why)


def _tracker(findings: Findings, *versions: int) -> Tracker:
    tracker = Tracker("r", 0, findings)
    tracker.take(_seen(versions[0], "joined"))
    for v in versions[1:]:
        tracker.take(_seen(v))
    return tracker


def test_contiguous_versions_are_right(findings: Findings) -> None:
    _tracker(findings, 3, 4, 5)
    assert findings.texts == []


def test_snapshot_may_come_at_any_version(findings: Findings) -> None:
    tracker = _tracker(findings, 3)
    assert tracker.take(_seen(9, "slow"))
    assert tracker.take(_seen(2, "lost"))
    assert tracker.take(_seen(3))
    assert findings.texts == []


def test_hole_is_a_gap_and_told_once(findings: Findings) -> None:
    tracker = _tracker(findings, 3)
    assert not tracker.take(_seen(5))
    assert tracker.take(_seen(6))
    assert findings.texts == [("gap", "room r, seat 0: after version 3 came 5")]


def test_resumed_versions_heal_a_gap(findings: Findings) -> None:
    tracker = _tracker(findings, 3)
    tracker.take(_seen(5))
    for v in (4, 5, 6):
        assert tracker.take(_seen(v))
    assert tracker.v == 6
    assert findings.counts == {"gap": 1}


def test_version_that_comes_again_is_a_duplicate(findings: Findings) -> None:
    tracker = _tracker(findings, 3, 4)
    tracker.take(_seen(4))
    assert findings.texts == [("duplicate", "room r, seat 0: version 4 came again after 4")]


def test_versions_that_were_asked_for_again_are_no_duplicates(findings: Findings) -> None:
    tracker = _tracker(findings, 3, 4)
    tracker.restarts = [2]
    for v in (3, 4, 5):
        tracker.take(_seen(v))
    assert findings.texts == []


def test_tip_beyond_the_last_frame_is_a_gap(findings: Findings) -> None:
    tracker = _tracker(findings, 3)
    assert tracker.stands_at(3)
    assert not tracker.stands_at(4)
    assert findings.texts == [("gap", "room r, seat 0: the room stands at version 4, the last frame was 3")]


def test_end_beyond_the_last_frame_is_a_gap(findings: Findings) -> None:
    _tracker(findings, 3).ended(4)
    assert findings.counts == {"gap": 1}


def test_equal_audiences_with_equal_frames_are_right(findings: Findings) -> None:
    ledger = Ledger("r", "public", findings)
    raw, frame = _frame(1)
    assert ledger.add(raw, frame) is ledger.add(raw, frame) is ledger.seen(raw)
    assert len(ledger.kept) == 1
    assert findings.texts == []


def test_equal_audiences_with_different_frames_diverge(findings: Findings) -> None:
    ledger = Ledger("r", "public", findings)
    ledger.add(*_frame(1))
    ledger.add(*_frame(1, zones={"table": 7}))
    assert findings.counts == {"divergence": 1}


def test_frames_of_another_history_do_not_diverge(findings: Findings) -> None:
    ledger = Ledger("r", "public", findings)
    ledger.add(*_frame(1, "one"))
    ledger.add(*_frame(1, "other"))
    assert findings.texts == []


def test_snapshot_that_is_not_what_the_frames_come_to_diverges(findings: Findings) -> None:
    ledger = Ledger("r", 0, findings)
    ledger.add(*_frame(1, why="joined", zones={"hand": [1], "table": 1}))
    ledger.add(*_frame(2, zones={"table": 2}))
    ledger.add(*_frame(2, why="slow", zones={"hand": [1], "table": 2}))
    assert findings.texts == []
    ledger.add(*_frame(2, why="joined", zones={"hand": [9], "table": 2}))
    assert findings.counts == {"divergence": 1}


def test_prompt_for_a_spectator_is_a_leak(findings: Findings) -> None:
    Ledger("r", "public", findings).add(*_frame(1, prompt={"id": 1}))
    assert findings.counts == {"leak": 1}


def _asked(findings: Findings, times: int = 1) -> Answers:
    answers = Answers("Ann", findings)
    for _ in range(times):
        answers.sent({"t": "choose", "id": "a"}, 10.0)
    return answers


def test_each_sending_gets_the_same_answer(findings: Findings) -> None:
    answers = _asked(findings, 2)
    for _ in range(2):
        answers.came({"t": "ok", "id": "a", "v": 3})
    answers.overdue(100.0)
    assert findings.texts == []


def test_answer_too_many_is_a_duplicate(findings: Findings) -> None:
    answers = _asked(findings)
    for _ in range(2):
        answers.came({"t": "ok", "id": "a", "v": 3})
    assert findings.counts == {"duplicate": 1}


def test_two_outcomes_of_one_command_diverge(findings: Findings) -> None:
    answers = _asked(findings, 2)
    answers.came({"t": "ok", "id": "a", "v": 3})
    answers.came({"t": "ok", "id": "a", "v": 4})
    assert findings.counts == {"divergence": 1}


def test_refusal_that_may_be_retried_is_no_outcome(findings: Findings) -> None:
    answers = _asked(findings)
    answers.came({"t": "error", "id": "a", "code": "busy", "retryable": True})
    answers.sent({"t": "choose", "id": "a"}, 11.0)
    answers.came({"t": "ok", "id": "a", "v": 3})
    assert findings.texts == []
    assert not answers.waiting


def test_overdue_command_is_unanswered_and_told_once(findings: Findings) -> None:
    answers = _asked(findings)
    answers.overdue(10.0)
    assert findings.texts == []
    answers.overdue(10.1)
    answers.overdue(10.2)
    assert findings.texts == [("unanswered", "Ann: no answer to choose a")]


def test_answers_of_a_cut_line_need_not_come(findings: Findings) -> None:
    answers = _asked(findings)
    answers.cut()
    answers.overdue(50.0)
    answers.sent({"t": "choose", "id": "a"}, 50.0)
    answers.came({"t": "ok", "id": "a", "v": 3})
    answers.overdue(100.0)
    assert findings.texts == []


def test_faults_beyond_the_first_are_counted(findings: Findings) -> None:
    for at in range(50):
        findings.add("error", str(at))
    assert findings.counts == {"error": 50}
    assert len(findings.texts) < 50
