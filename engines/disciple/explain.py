"""Why a choice is refused, in the order of tests of DI-5.2. Sees the seat's view only, never the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.disciple.terms import VIRTUES
from engines.rules import Act, Attempt, Prompt, Refusal
from protocol.prompt import bounds

View = Mapping[str, Any]

TURNS = {
    "main": ("play_card", "draw_card", "pass_turn"),
    "followup": ("move_card", "flip_card", "end_turn"),
    "extra": ("play_card", "end_turn"),
}
"""What may be done in each phase in which the active seat decides (DI-4.1)."""

ANSWERS = {
    "react": ("decline", "react"),
    "may": ("yes", "no"),
    "choose_cards": ("choose",),
    "choose_moves": ("move",),
    "choose_column": ("column",),
    "choose_option": ("option",),
    "choose_trigger": ("trigger",),
    "scry": ("place", "divider"),
}
"""What answers each kind of prompt (DI-5.5)."""

NEEDS: dict[str, tuple[str, ...]] = {
    "play_card": ("card",), "move_card": ("card", "column"), "flip_card": ("card",), "react": ("card",),
    "choose": ("card",), "move": ("card", "column"), "column": ("column",), "option": ("index",),
    "trigger": ("pending",), "place": ("card",),
}  # fmt: skip
MAY_HAVE = {"play_card": ("column",), "react": ("column",)}

TEXTS = {
    "E_GAME_OVER": ("DI-8.1", "The match is over."),
    "E_NO_PROMPT": ("DI-5.2", "Nothing has been asked."),
    "E_NOT_YOUR_DECISION": ("DI-5.2", "The other seat has to decide."),
    "E_WRONG_PHASE": ("DI-4.1", "That cannot be done now."),
    "E_STALE_PROMPT": ("DI-5.2", "That question is no longer open."),
    "E_BAD_PARAM": ("DI-5.1", "Something is missing, superfluous or of the wrong type."),
    "E_UNKNOWN_CARD": ("DI-5.2", "There is no such card here."),
    "E_NOT_YOURS": ("DI-2.4", "That card is on the other side."),
    "E_ALREADY_DISCIPLE": ("DI-5.1", "That card is a disciple already."),
    "E_SAME_COLUMN": ("DI-4.6", "The card lies in that column already."),
    "E_COLUMN_UNSUITABLE": ("DI-2.10", "That column does not suit the card."),
    "E_DECK_EMPTY": ("DI-8.7", "There is no card to draw."),
    "E_FORBIDDEN": ("DI-6.14", "A saint on the board forbids that."),
    "E_MUST_ACT": ("DI-4.9", "Passing is possible only if nothing else is."),
    "E_CHOICE_COUNT": ("DI-5.5", "Too few or too many are chosen."),
    "E_CHOICE_DUPLICATE": ("DI-5.5", "Something is chosen twice."),
    "E_CHOICE_ILLEGAL": ("DI-5.5", "That is not among what was offered."),
}


def explain(view: View, attempt: Attempt) -> Refusal:
    """Give the first error that fits."""
    code = _by_table(attempt) or _by_params(attempt) or _by_rule(view, attempt) or _by_choice(attempt)
    rule, text = TEXTS[code]
    return Refusal(code, rule, text)


def _by_table(attempt: Attempt) -> str | None:
    """Test who decides, what and under which prompt."""
    prompt = attempt.prompt
    if attempt.why == "over":
        return "E_GAME_OVER"
    if prompt is None:
        return "E_NOT_YOUR_DECISION" if attempt.why == "not_yours" else "E_NO_PROMPT"
    done = [act.get("do") for act in attempt.acts]
    on_turn = prompt.kind in TURNS
    if on_turn and any(do in names for do in done for names in ANSWERS.values()):
        return "E_NO_PROMPT"
    if any(do in names and do not in TURNS.get(prompt.kind, ()) for do in done for names in TURNS.values()):
        return "E_WRONG_PHASE"
    return "E_STALE_PROMPT" if attempt.why in ("stale", "held") else None


def _by_params(attempt: Attempt) -> str | None:
    """Test the form of every act: missing, ill-typed, or no such virtue."""
    prompt = attempt.prompt
    expected = () if prompt is None else TURNS.get(prompt.kind) or ANSWERS.get(prompt.kind, ())
    formed = all(act.get("do") in expected and _well_formed(act) for act in attempt.acts)
    return None if formed and attempt.why not in ("malformed", "shape") else "E_BAD_PARAM"


def _well_formed(act: Act) -> bool:
    needs, more = NEEDS.get(act["do"], ()), MAY_HAVE.get(act["do"], ())
    given = act.keys() - {"do"}
    return set(needs) <= given <= {*needs, *more} and all(_well_typed(name, act[name]) for name in given)


def _well_typed(name: str, value: Any) -> bool:
    if name == "column":
        return isinstance(value, str) and value in VIRTUES
    return type(value) is (str if name == "card" else int)


def _by_rule(view: View, attempt: Attempt) -> str | None:
    """Test a turn action against the table. An answer is tested against its prompt alone."""
    if attempt.prompt is None or attempt.prompt.kind not in TURNS or len(attempt.acts) != 1:
        return None
    (act,) = attempt.acts
    tests: dict[str, Callable[[View, int, Act], str]] = {
        "play_card": _why_not_play,
        "move_card": _why_not_move,
        "flip_card": _why_not_flip,
        "draw_card": lambda *_: "E_DECK_EMPTY",
        "pass_turn": lambda *_: "E_MUST_ACT",
    }
    test = tests.get(act["do"])
    return test(view, attempt.seat, act) if test else None


def _why_not_play(view: View, seat: int, act: Act) -> str:
    held = {card["id"]: card["card"] for card in view["hand"][str(seat)].get("cards", ())}
    if act["card"] not in held:
        return "E_UNKNOWN_CARD"
    face = view["cards"][held[act["card"]]]
    if ("column" in act) != (face["kind"] == "saint"):
        return "E_BAD_PARAM"
    return "E_FORBIDDEN" if act.get("column") in face["symbols"] else "E_COLUMN_UNSUITABLE"


def _why_not_move(view: View, seat: int, act: Act) -> str:
    found = _on_board(view, act["card"])
    if found is None:
        return "E_UNKNOWN_CARD"
    column, side, card = found
    if side != seat:
        return "E_NOT_YOURS"
    if column == act["column"]:
        return "E_SAME_COLUMN"
    suits = card["face"] == "down" or act["column"] in view["cards"][card["card"]]["symbols"]
    return "E_FORBIDDEN" if suits else "E_COLUMN_UNSUITABLE"


def _why_not_flip(view: View, seat: int, act: Act) -> str:
    found = _on_board(view, act["card"])
    if found is None:
        return "E_UNKNOWN_CARD"
    _, side, card = found
    if side != seat:
        return "E_NOT_YOURS"
    return "E_ALREADY_DISCIPLE" if card["face"] == "down" else "E_FORBIDDEN"


def _on_board(view: View, name: str) -> tuple[str, int, Mapping[str, Any]] | None:
    """Find a card of the board: its column, its side, and how it lies."""
    for column in VIRTUES:
        for side in (0, 1):
            for card in view[column][str(side)]:
                if card["id"] == name:
                    return column, side, card
    return None


def _by_choice(attempt: Attempt) -> str:
    """Test what was chosen: how many, whether twice, whether offered."""
    prompt = attempt.prompt
    chosen = list(attempt.acts or attempt.picks)
    if prompt is not None and not _right_number(prompt, len(chosen)):
        return "E_CHOICE_COUNT"
    subjects = [act.get("card", act) if isinstance(act, dict) else act for act in chosen]
    twice = attempt.why in ("duplicate", "group") or any(subjects.count(subject) > 1 for subject in subjects)
    return "E_CHOICE_DUPLICATE" if twice else "E_CHOICE_ILLEGAL"


def _right_number(prompt: Prompt, chosen: int) -> bool:
    least, most = bounds(prompt)
    return least <= chosen <= most
