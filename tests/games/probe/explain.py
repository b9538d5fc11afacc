"""Why an answer is refused in probe (PR-8). Sees what the seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.rules import Attempt, Refusal, Why

REFUSALS: dict[Why, Refusal] = {
    "over": Refusal("match_over", "PR-8.1", "The match has ended."),
    "no_prompt": Refusal("not_asked", "PR-8.2", "Nobody is asked anything."),
    "not_yours": Refusal("not_asked", "PR-8.2", "You are not asked anything."),
    "stale": Refusal("question_gone", "PR-8.3", "That was an answer to an earlier question."),
    "held": Refusal("answered_already", "PR-8.4", "You have answered already."),
    "malformed": Refusal("not_an_answer", "PR-8.5", "That is not an answer."),
    "shape": Refusal("wrong_shape", "PR-8.6", "That is not the kind of answer that is asked for."),
    "count": Refusal("wrong_count", "PR-8.6", "That is too many or too few."),
    "duplicate": Refusal("picked_twice", "PR-8.6", "Something is picked twice."),
    "group": Refusal("same_suit", "PR-8.6", "Cards of one suit may not be picked together."),
    "illegal": Refusal("no_such_act", "PR-8.7", "Nothing of the kind is on offer."),
}
NO_CARD = Refusal("no_such_card", "PR-8.7", "You have no such card.")
OUT_OF_RANGE = Refusal("out_of_range", "PR-8.7", "The number is too small or too great.")


def explain(zones: Mapping[str, Any], attempt: Attempt) -> Refusal:
    """Say why not, by what the runner found; for an illegal one, by what was named."""
    if attempt.why != "illegal":
        return REFUSALS[attempt.why]
    if attempt.prompt is not None and attempt.prompt.shape == "number":
        return OUT_OF_RANGE
    cards = [act.get("card") for act in attempt.acts if isinstance(act, dict) and "card" in act]
    return NO_CARD if any(card not in _own(zones, attempt.seat) for card in cards) else REFUSALS["illegal"]


def _own(zones: Mapping[str, Any], seat: int) -> list[Any]:
    hand = zones["hands"][seat].get("cards", [])
    return [card["card"] for card in (*hand, *zones["decks"][seat])]
