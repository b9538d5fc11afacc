"""Why a choice is refused, in the order of tests of SA-5.1 to SA-5.3. Sees the seat's view only, never the state.

The sender alone is told (SA-2.11), and nothing has happened (SA-5.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engines.rules import Act, Attempt, Prompt, Refusal
from engines.sanctuary.explain_acts import why_not
from engines.sanctuary.explain_texts import TEXTS
from engines.sanctuary.spelling import ANSWERS, KNOWN, is_well_formed
from protocol.prompt import bounds

View = Mapping[str, Any]

COUNTS: dict[str, tuple[str, str]] = {
    "take_tiles": ("too_few", "too_many"),
    "pouch_tiles": ("too_few", "too_many"),
    "pick_revealed": ("too_few", "too_many"),
    "discard_to_limit": ("hand_count", "hand_count"),
}
"""What too few and too many picks are called, by kind of prompt (SA-5, SA-6.12, SA-6.14)."""

HELD = {"pouch": "not_in_hand", "discard": "not_in_hand", "keep": "filter_mismatch"}
"""What a tile is called that is not on offer, or named more often than it is."""


def explain(view: View, attempt: Attempt) -> Refusal:
    """Give the first error that fits."""
    code = _by_table(view, attempt) or _by_form(view, attempt)
    details: dict[str, Any] = {}
    if code is None:
        code, details = _by_rule(view, attempt)
    rule, text = TEXTS[code]
    return Refusal(code, rule, text, details)


def _by_table(view: View, attempt: Attempt) -> str | None:
    """Test whether the seat may act at all, and under this prompt."""
    if attempt.why == "over":
        return "match_over"
    lying = view.get(f"seat_{attempt.seat}")
    if lying is None:
        return "unknown_seat"
    if lying["status"] != "active":
        return "seat_inactive"
    prompt = attempt.prompt
    if prompt is None:
        return "not_your_turn"
    done = [act.get("do") for act in attempt.acts]
    if any(isinstance(do, str) and do in KNOWN and do not in ANSWERS[prompt.kind] for do in done):
        return "wrong_phase"
    return "stale_version" if attempt.why in ("stale", "held") else None


def _by_form(view: View, attempt: Attempt) -> str | None:
    """Test how every act is spelled; the marker of an upgrade depends on the match."""
    assert attempt.prompt is not None
    expected = ANSWERS[attempt.prompt.kind]
    for act in attempt.acts:
        do = act.get("do")
        if not isinstance(do, str) or do not in expected or not is_well_formed(act):
            return "bad_params"
        per_marker = view["options"]["upgrade_mode"] == "per_marker"
        if do == "upgrade" and ("marker" in act) != per_marker:
            return "bad_params"
    return "bad_params" if attempt.why in ("malformed", "shape") else None


def _by_rule(view: View, attempt: Attempt) -> tuple[str, dict[str, Any]]:
    prompt = attempt.prompt
    assert prompt is not None
    if prompt.kind in COUNTS:
        return _why_not_these(view, attempt.seat, prompt, attempt), {}
    if len(attempt.acts) != 1:
        return "bad_params", {}
    return why_not(view, attempt.seat, prompt, attempt.acts[0])


def _why_not_these(view: View, seat: int, prompt: Prompt, attempt: Attempt) -> str:
    """Test an answer of several picks: how many, then each of them."""
    few, many = COUNTS[prompt.kind]
    least, most = bounds(prompt)
    chosen = len(attempt.acts or attempt.picks)
    if chosen < least:
        return few
    if chosen > most:
        return many
    if prompt.kind == "take_tiles":
        return _why_not_positions(view, seat, prompt, attempt.acts)
    return _why_not_tiles(prompt, attempt.acts)


def _why_not_positions(view: View, seat: int, prompt: Prompt, acts: tuple[Act, ...]) -> str:
    positions = [act["position"] for act in acts]
    if len(set(positions)) < len(positions):
        return "bad_params"
    for act in acts:
        if view["display"][act["position"] - 1] is None:
            return "position_empty"
    offered = {option.act["position"] for option in prompt.options}
    return "filter_mismatch" if not set(positions) <= offered else "bad_params"


def _why_not_tiles(prompt: Prompt, acts: tuple[Act, ...]) -> str:
    """A tile that is named more often than it is held counts as not held (SA-5.1)."""
    offered = Counter(option.act["tile"] for option in prompt.options)
    named = Counter(act["tile"] for act in acts)
    if acts and any(times > offered[tile] for tile, times in named.items()):
        return HELD[acts[0]["do"]]
    return "bad_params"
