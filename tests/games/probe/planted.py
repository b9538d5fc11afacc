"""Games with one bug each, for proving that the contract suite finds it. For tests only."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.rules import Attempt, Fault, Flow, Match, Outcome, Pack, Prompt, Refusal, Table, pick
from probe.rules import Probe, ProbeDecks
from probe.state import State
from protocol.prompt import Pick


class Scribbler(Probe):
    """Writes into the pack that all matches share."""

    def play(self, table: Table[State]) -> Flow[None]:
        next(iter(table.match.pack.values())).copies += 1
        yield from super().play(table)


class Loser(Probe):
    """Loses a card of every pile."""

    def play(self, table: Table[State]) -> Flow[None]:
        yield from super().play(table)
        table.state.pile[:] = table.state.pile[1:]


class Hasher(Probe):
    """Lists the pile in the order of a set of strings."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        return super().view(match, state, seat) | {"faces": list(set(state.faces))}


class Rememberer(Probe):
    """Remembers between matches how often it was asked to play."""

    def play(self, table: Table[State]) -> Flow[None]:
        self.glimpsed += "."
        table.emit("played", times=len(self.glimpsed))
        yield from super().play(table)


class Alias(Probe):
    """Tells a list that goes on changing."""

    def play(self, table: Table[State]) -> Flow[None]:
        table.emit("standing", points=table.state.scores)
        yield from super().play(table)


class Sharer(Probe):
    """Keeps one list in two places of the state: what is read anew has two."""

    def play(self, table: Table[State]) -> Flow[None]:
        yield from super().play(table)
        table.state.hands[-1] = table.state.hands[0]


class Floater(Probe):
    """Shows a fraction."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        return super().view(match, state, seat) | {"mean": sum(state.scores) / 2}


class Giant(Probe):
    """Shows a number that JavaScript cannot read."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        return super().view(match, state, seat) | {"grains": 2**60}


class Glutton(Probe):
    """Shows more than fits into a frame."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        return super().view(match, state, seat) | {"lore": "la" * 40_000}


class Hoarder(Probe):
    """Keeps more than fits into a record."""

    def setup(self, table: Table[Any]) -> State:
        state = super().setup(table)
        state.stock["x" * 1_100_000] = 0
        return state


class Glancer(Probe):
    """Changes the state by looking at it."""

    def view(self, match: Match, state: State, seat: int | None) -> dict[str, Any]:
        state.scores[0] += 1
        return super().view(match, state, seat)


class Gossip(Probe):
    """Shows everybody what the last one sees, if several look at once."""

    def views(self, match: Match, state: State) -> dict[int | None, dict[str, Any]]:
        seats = (None, *range(match.seats))
        return dict.fromkeys(seats, self.view(match, state, seats[-1]))


class Twins(Probe):
    """Offers one act twice."""

    def play(self, table: Table[State]) -> Flow[None]:
        yield pick(table.state.leader, "twins", [{"do": "same"}, {"do": "same"}])
        yield from super().play(table)


class Nameless(Probe):
    """Cites a rule that is none."""

    def play(self, table: Table[State]) -> Flow[None]:
        yield pick(table.state.leader, "nameless", [{"do": "fine"}], rule="rule five")
        yield from super().play(table)


class Deaf(Probe):
    """Does not care who has gone."""

    def outcome(self, match: Match, state: State, gone: Mapping[int, str]) -> Outcome | None:
        return super().outcome(match, state, {})


class Mute(Probe):
    """Cannot explain what it does not know."""

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        for act in attempt.acts:
            act["do"]
        return super().explain(view, attempt)


class Lawless(Probe):
    """Explains without a rule."""

    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        return Refusal("no", "", "No.")


def _cheat(seat: int, zones: Mapping[str, Any], prompt: Prompt, chance: Random) -> tuple[Pick, ...]:
    return ("the best one",)


class Cheated(Probe):
    """Has a bot that does not know the rules."""

    bots = {"cheat": _cheat}  # noqa: RUF012 - as the contract has it


class Credulous(ProbeDecks):
    """Takes every deck."""

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        return []


class Careless(Probe):
    """Reads packs without looking."""

    def read_pack(self, source: bytes) -> Pack:
        source.decode()
        return super().read_pack(source)


class Clumsy(Probe):
    """Cannot play with the number of seats that it names."""

    def option_faults(self, options: Any, seats: int) -> list[Fault]:
        return [Fault("too_many_seats", "seats", "at most four")] if seats > 4 else []


class Blinker(Probe):
    """Honest: shows a card to one seat and takes it back at once, and lists no secret that it is just telling."""

    def play(self, table: Table[State]) -> Flow[None]:
        state, leader = table.state, table.state.leader
        for slot in state.decks[leader][:1]:
            known = state.known[slot]
            state.known[slot] = [*known, leader]
            table.emit("blinked", only=[leader], face=state.faces[slot])
            state.known[slot] = known
        yield from super().play(table)


class Winker(Probe):
    """Shows a card to one seat and pretends that it is still secret."""

    def play(self, table: Table[State]) -> Flow[None]:
        state, leader = table.state, table.state.leader
        for slot in state.decks[leader][:1]:
            table.emit("winked", only=[leader], face=state.faces[slot])
        yield from super().play(table)


class Speller(Probe):
    """Honest: names cards of a hand by their faces, so that the same act means nothing with other cards."""

    def play(self, table: Table[State]) -> Flow[None]:
        state, leader = table.state, table.state.leader
        faces = sorted({state.faces[slot] for slot in state.hands[leader]})
        yield pick(leader, "spell", [{"do": "say", "face": face} for face in ["", *faces]])
        yield from super().play(table)


class Sloppy(Probe):
    """Exchanges one face and forgets the other."""

    def exchange(self, match: Match, state: State, one: str, other: str) -> None:
        state.faces[int(one)] = state.faces[int(other)]
