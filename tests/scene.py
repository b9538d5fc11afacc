"""A match as a test tells it: a table is laid, seats act in the words of the specification, facts are read off.

Knows no game. Before every input the record goes through bytes and is loaded anew, and what the cold copy shows
must be what the hot one showed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines import flow
from engines.flow import Asked, Illegal, Position, Step
from engines.record import Choice, Record, decode_record, encode
from engines.rules import Act, Attempt, Event, Match, Outcome, Prompt, Refusal, Rules
from engines.sight import audiences, see
from protocol.prompt import Pick, picks_of

KEY = bytes(range(32))


class Scene:
    """One match in a test. ``events``: what the last input, or the laying of the table, led to."""

    def __init__(self, rules: Rules[Any], match: Match, state: Any, key: bytes = KEY) -> None:
        self.rules = rules
        self.match = match
        nobody = (0,) * match.seats
        record = Record(
            rules.name, rules.version, "", match.seats, encode(match.options), key, encode(state), 0, (0, *nobody),
            nobody, holds=match.holds,
        )  # fmt: skip
        position = flow.load(rules, match, record)
        self._stand(Step(position.record, list(position.table.events), position))

    @property
    def state(self) -> Any:
        """Give the state, to be read only."""
        return self.position.table.state

    @property
    def outcome(self) -> Outcome | None:
        return self.position.outcome

    def prompt(self, seat: int) -> Prompt | None:
        """Give the prompt that a seat has yet to answer."""
        asked = self.position.of(seat)
        return asked.prompt if asked else None

    def prompted(self, seat: int, kind: str) -> Prompt:
        """Assert that a seat is asked this, and give its prompt."""
        prompt = self._asked(seat).prompt
        assert prompt.kind == kind, f"seat {seat} is asked {prompt.kind!r}, not {kind!r}"
        return prompt

    def offered(self, seat: int) -> list[Act]:
        """Give what a seat may answer, in canonical order."""
        prompt = self.prompt(seat)
        assert prompt is not None, f"seat {seat} is not asked"
        return [option.act for option in prompt.options]

    def view(self, seat: int | None) -> dict[str, Any]:
        """Give the zones that an audience sees."""
        return see(self.rules, self.position, seat).zones

    def told(self, audience: int | None, *kinds: str) -> list[dict[str, Any]]:
        """Give the events of the last input as one audience was told them; ``kinds``: only these."""
        seen = see(self.rules, self.position, audience, self.events).events
        return [event for event in seen if not kinds or event["event"] in kinds]

    def act(self, seat: int, do: str, **parameters: Any) -> None:
        """Answer with one act."""
        self.answer(seat, {"do": do, **parameters})

    def answer(self, seat: int, *acts: Act) -> None:
        """Answer with any number of acts, in order. Fails if the answer is refused."""
        picks = self._picks(seat, acts)
        assert picks is not None, f"{acts} are not offered; offered: {self.offered(seat)}"
        self.submit(seat, picks)

    def stay_silent(self, seat: int) -> None:
        """Let the default of a seat's prompt be taken."""
        prompt = self.prompt(seat)
        assert prompt is not None, f"seat {seat} is not asked"
        self.submit(seat, prompt.default)

    def resign(self, seat: int, why: str = "resigned") -> None:
        """Let a seat be gone."""
        self._stand(flow.submit(self.rules, self.match, self._cold(), [Choice(seat, gone=why)]))

    def refused(self, seat: int, code: str, *acts: Act, stale: bool = False) -> Refusal:
        """Assert that acts are refused with a code, and that this changes nothing; ``stale``: for the prompt before."""
        before = encode(self.record)
        refusal = self.rules.explain(self.view(seat), self._attempt(seat, acts, stale))
        assert refusal.code == code, f"refused with {refusal.code}: {refusal.text}"
        assert encode(self.record) == before
        return refusal

    def submit(self, seat: int, picks: Sequence[Pick]) -> None:
        """Answer a seat's prompt with option ids."""
        asked = self._asked(seat)
        self._stand(flow.submit(self.rules, self.match, self._cold(), [Choice(seat, asked.id, tuple(picks))]))

    def _asked(self, seat: int) -> Asked:
        asked = self.position.of(seat)
        assert asked is not None, f"seat {seat} is not asked"
        return asked

    def _picks(self, seat: int, acts: tuple[Act, ...]) -> tuple[Pick, ...] | None:
        return picks_of(self._asked(seat).prompt, acts)

    def _attempt(self, seat: int, acts: tuple[Act, ...], stale: bool) -> Attempt:
        """Try a choice that must not be accepted, and give what ``explain`` is given."""
        asked = self.position.of(seat)
        prompt = asked.prompt if asked else None
        picks = picks_of(prompt, acts) if prompt else ()
        if picks is None and not stale:
            return Attempt(seat, "illegal", prompt, acts)
        number = (asked.id if asked else 0) - stale
        try:
            flow.submit(self.rules, self.match, self._cold(), [Choice(seat, number, picks or ())])
        except Illegal as illegal:
            return Attempt(seat, illegal.why, prompt, acts, picks or ())
        raise AssertionError(f"{acts} are accepted")

    def _cold(self) -> Record:
        """Bring the record through bytes; what it shows must be what was shown."""
        record = decode_record(encode(self.record))
        cold = flow.load(self.rules, self.match, record)
        assert _all_seen(self.rules, cold, self.match.seats) == _all_seen(self.rules, self.position, self.match.seats)
        return record

    def _stand(self, step: Step) -> None:
        self.record: Record = step.record
        self.position: Position = step.position
        self.events: list[Event] = step.events
        assert self.rules.check(self.match, self.state) == []


def _all_seen(rules: Rules[Any], position: Position, seats: int) -> list[bytes]:
    return [encode(see(rules, position, audience)) for audience in audiences(seats)]
