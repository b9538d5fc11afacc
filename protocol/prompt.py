"""The one question that a game ever asks, and the one answer that a player ever gives.

Owns the shape of prompts; knows no game, no wire and no server.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Act = dict[str, Any]
"""What an option means, as data: ``do`` and its parameters. Keys are strings, values JSON without floats."""

Pick = str | int
"""An option's id, or the number itself where a prompt asks for a number."""

Shape = Literal["pick", "number", "order"]

MAX_OPTIONS = 512


class Option(Struct, frozen=True, omit_defaults=True):
    """One legal answer. Of the options that share a non-empty ``group`` at most one may be picked."""

    id: str
    act: Act
    group: str = ""


class Prompt(Struct, frozen=True, omit_defaults=True):
    """One open question to one seat, with every legal answer.

    ``pick``: ``least``..``most`` different options. ``number``: one integer from ``least`` to ``most``.
    ``order``: all options, in any order (a divider may be one of them).
    ``options`` stand in canonical order, without duplicates, at most 512.
    ``default`` is a legal answer: what silence means.
    ``about`` is public: with ``seat`` and ``kind`` all that others learn of the prompt.
    ``hold_ms``: the answer takes effect only this long after opening (0: at once).
    ``optional`` prompts may stay unanswered beside another seat's (see ``engines.rules.AnyOf``).
    """

    seat: int
    kind: str
    options: tuple[Option, ...] = ()
    shape: Shape = "pick"
    least: int = 1
    most: int = 1
    default: tuple[Pick, ...] = ()
    rule: str = ""
    hold_ms: int = 0
    optional: bool = False
    about: Act = {}

    def acts(self, picks: tuple[Pick, ...]) -> tuple[Act, ...]:
        """Give the meaning of picks, in the order of the picks. Raises KeyError for a foreign id."""
        meaning = {option.id: option.act for option in self.options}
        return tuple(meaning[str(pick)] for pick in picks)


Fault = Literal["shape", "count", "illegal", "duplicate", "group"]
"""Why an answer does not answer its prompt."""


def fault_in(prompt: Prompt, picks: tuple[Pick, ...]) -> Fault | None:
    """Say why ``picks`` do not answer ``prompt``, or None if they do."""
    if prompt.shape == "number":
        return _fault_in_number(prompt, picks)
    least, most = bounds(prompt)
    if not least <= len(picks) <= most:
        return "count"
    groups = {option.id: option.group for option in prompt.options}
    if any(pick not in groups for pick in picks):
        return "illegal"
    if len(set(picks)) != len(picks):
        return "duplicate"
    taken = [group for pick in picks if (group := groups[str(pick)])]
    return "group" if len(set(taken)) != len(taken) else None


def bounds(prompt: Prompt) -> tuple[int, int]:
    """Give how many picks an answer has: all options where they are put in order."""
    if prompt.shape == "order":
        return len(prompt.options), len(prompt.options)
    return (1, 1) if prompt.shape == "number" else (prompt.least, prompt.most)


def _fault_in_number(prompt: Prompt, picks: tuple[Pick, ...]) -> Fault | None:
    if len(picks) != 1:
        return "count"
    number = picks[0]
    if not isinstance(number, int) or isinstance(number, bool):
        return "shape"
    return None if prompt.least <= number <= prompt.most else "illegal"


def picks_of(prompt: Prompt, acts: tuple[Act, ...]) -> tuple[Pick, ...] | None:
    """Find the options that acts spell, or None if one of them spells no option.

    For a prompt of shape ``number`` the one act is ``{"number": n}``.
    """
    if prompt.shape == "number":
        return (acts[0]["number"],) if len(acts) == 1 and list(acts[0]) == ["number"] else None
    picks: list[Pick] = []
    for act in acts:
        found = next((option.id for option in prompt.options if same_act(option.act, act)), None)
        if found is None:
            return None
        picks.append(found)
    return tuple(picks)


def same_act(left: Any, right: Any) -> bool:
    """Compare two acts by value and type, so that ``True`` is not ``1`` (Python's ``==`` says it is)."""
    if type(left) is not type(right):
        return isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)) and _same_items(left, right)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same_act(left[key], right[key]) for key in left)
    return _same_items(left, right) if isinstance(left, (list, tuple)) else bool(left == right)


def _same_items(left: list[Any] | tuple[Any, ...], right: list[Any] | tuple[Any, ...]) -> bool:
    return len(left) == len(right) and all(map(same_act, left, right))
