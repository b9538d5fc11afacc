"""The contract between a game and everything else: what a game is given, asks, tells and answers.

Owns the types that rule code and the runner share. Knows no particular game, no clock and no server.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from engines.chance import Chance, Handles
from protocol.prompt import Act, Option, Pick, Prompt, Shape

__all__ = [
    "Act", "Answer", "AnyOf", "Ask", "Attempt", "Bot", "Event", "Exhausted", "Fault", "Flow", "Match", "Option",
    "Outcome", "Pace", "Pack", "PackError", "Pick", "Prompt", "Refusal", "Resigned", "Rules", "Table", "number",
    "order", "pick",
]  # fmt: skip

T = TypeVar("T")
S = TypeVar("S", bound=Struct)

Answer: TypeAlias = Any
"""What ``yield`` gives back: the acts picked, in the order picked (for ``number``: the integer)."""

MAX_FUEL = 20_000


class AnyOf(Struct, frozen=True):
    """Several seats asked at once, where the first answer counts: ``seat, answer = yield AnyOf(...)``.

    The prompts marked ``optional`` are offers ("at any time"); at least one is not, so that a clock runs.
    An offer that is made again unchanged keeps its id.
    """

    prompts: tuple[Prompt, ...]


Ask: TypeAlias = "Prompt | tuple[Prompt, ...] | AnyOf"
"""What a rule yields: one prompt; several at once (answers stay private until all are in); or any one."""

Flow: TypeAlias = Generator[Ask, Answer, T]


class Resigned(Exception):
    """Thrown into a rule at its ``yield`` when the asked seat resigns and the game sets ``cut_on_resign``."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} resigned")
        self.seat = seat


class Exhausted(Exception):
    """A rule spent more effects, draws and options in one go than any honest card needs."""


class Match(Struct, frozen=True):
    """What is fixed for a whole match. ``options``: the game's Options struct. ``decks``: one a seat, or empty.

    ``decks`` are there for ``setup`` only; later they are empty, so that no rule can come to depend on them.
    """

    seats: int
    options: Any
    pack: Any
    decks: tuple[Any, ...] = ()
    holds: bool = True


class Event(Struct, frozen=True):
    """Something that happened. ``fields`` is for whoever may see it, ``secret`` adds to it for single seats.

    ``only``: the seats that see it at all (None: everybody).
    """

    kind: str
    fields: dict[str, Any]
    secret: Mapping[int, dict[str, Any]] = {}
    only: frozenset[int] | None = None

    def seen_by(self, audience: int | None) -> dict[str, Any] | None:
        """Give the event as told to one audience (None: the public), or None if it is not told."""
        if self.only is not None and audience not in self.only:
            return None
        told = {"event": self.kind, **self.fields}
        return told if audience is None else told | self.secret.get(audience, {})


class Tank:
    """How much work is still paid for. It is apart from the table, so that chance can spend and nothing goes round in a
    circle: what is dropped is gone at once."""

    __slots__ = ("fuel",)

    def __init__(self) -> None:
        self.fuel = MAX_FUEL

    def spend(self, amount: int = 1) -> None:
        """See ``Table.spend``."""
        self.fuel -= amount
        if self.fuel < 0:
            raise Exhausted(f"more than {MAX_FUEL} effects, draws and options in one go")


class Table(Generic[S]):
    """All that rule code may touch: the state, fixed facts of the match, chance, and a place to tell events."""

    __slots__ = ("_tank", "chance", "events", "gone", "handles", "match", "state")

    def __init__(
        self, match: Match, state: S, chance: Chance, handles: Handles, gone: dict[int, str] | None = None
    ) -> None:
        self.match = match
        self.state = state
        self.chance = chance
        self.handles = handles
        self.gone = gone if gone is not None else {}
        self.events: list[Event] = []
        self._tank = Tank()
        chance.spend = self._tank.spend

    @property
    def fuel(self) -> int:
        """How much work is still paid for."""
        return self._tank.fuel

    @fuel.setter
    def fuel(self, amount: int) -> None:
        self._tank.fuel = amount

    def emit(
        self,
        kind: str,
        /,
        *,
        secret: Mapping[int, dict[str, Any]] | None = None,
        only: Iterable[int] | None = None,
        **fields: Any,
    ) -> None:
        """Tell an event. What is secret is written beside what is public, and nowhere else.

        Hand over values that nobody changes afterwards: a list of the state itself would be told as it is later.
        """
        self.spend()
        self.events.append(Event(kind, fields, secret or {}, None if only is None else frozenset(only)))

    def handle(self, audience: int | None) -> str:
        """Draw a new opaque id for something that ``audience`` (a seat, None: the public) may name."""
        self.spend()
        return self.handles.new(audience)

    def spend(self, amount: int = 1) -> None:
        """Pay for work. Effect interpreters call this once an effect. Raises Exhausted when a rule runs away."""
        self._tank.spend(amount)


class Outcome(Struct, frozen=True):
    """How a match ended. ``winners``: seats, empty for a draw. ``ranks``: 1 is best, one a seat.

    ``reason`` is the specification's own word; ``details`` is public (scores, tie-breaks). Self-play reads two of
    them where a game gives them: ``turns`` (how many were taken) and ``first_seat``.
    """

    winners: tuple[int, ...]
    reason: str
    ranks: tuple[int, ...] = ()
    details: dict[str, Any] = {}


class Pace(Struct, frozen=True):
    """What the service does about silence, unless a room says otherwise.

    ``decision_s``: time for a prompt. ``strikes``: so many expiries in a row lose the seat (0: never);
    held prompts do not count. ``absent_s``: a seat away for so long is lost (0: never).
    """

    decision_s: int = 60
    strikes: int = 0
    absent_s: int = 0


Why = Literal[
    "over", "no_prompt", "not_yours", "stale", "held", "malformed", "shape", "count", "illegal", "duplicate", "group"
]


class Attempt(Struct, frozen=True):
    """A choice that was not accepted, for ``explain``. ``acts`` is what the client spelled or picked.

    ``prompt`` is the seat's open prompt, None if it has none; ``why`` is what the runner found.
    """

    seat: int
    why: Why
    prompt: Prompt | None
    acts: tuple[Act, ...] = ()
    picks: tuple[Pick, ...] = ()


class Refusal(Struct, frozen=True):
    """Why not, in the specification's own terms. ``details`` holds only what the seat knows already."""

    code: str
    rule: str
    text: str
    details: dict[str, Any] = {}


class Fault(Struct, frozen=True):
    """One thing wrong with a deck or a pack. ``where`` names the card and field."""

    code: str
    where: str
    text: str
    details: dict[str, Any] = {}


class PackError(ValueError):
    """A pack that cannot be used, with everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(f"{fault.where}: {fault.text} ({fault.code})" for fault in faults))
        self.faults = tuple(faults)


class Pack(Struct, frozen=True):
    """A data file of cards or tiles. ``hash``: SHA-256 of ``source``, hex. ``cards``: the game's own type."""

    id: str
    title: str
    game: str
    hash: str
    source: bytes
    cards: Any


Bot = Callable[[int, Mapping[str, Any], Prompt, Random], tuple[Pick, ...]]
"""A bot: (seat, that seat's zones, its prompt, a source of chance of its own) → picks.

An empty answer to an optional prompt leaves the offer.
"""


class Rules(ABC, Generic[S]):
    """One game. Everything here is pure and synchronous: no I/O, no clock, no global chance.

    ``version`` names the rules: it moves whenever the same inputs might give other bytes.
    ``reads``: older versions whose records these rules continue. ``seats``: fewest and most.
    ``brings_decks``: every seat submits a deck. ``cut_on_resign``: see ``Resigned``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    prefix: ClassVar[str]
    version: ClassVar[int]
    reads: ClassVar[frozenset[int]] = frozenset()
    seats: ClassVar[tuple[int, int]]
    State: ClassVar[type[Struct]]
    Options: ClassVar[type[Struct]]
    pace: ClassVar[Pace] = Pace()
    brings_decks: ClassVar[bool] = False
    cut_on_resign: ClassVar[bool] = False
    bots: ClassVar[Mapping[str, Bot]] = {}

    @abstractmethod
    def packs(self) -> Mapping[str, Pack]:
        """Give the packs that ship with the game, by id; the first is the default."""

    @abstractmethod
    def read_pack(self, source: bytes) -> Pack:
        """Read a pack. Raises PackError with every fault, named by card and field."""

    def ready_decks(self, pack: Pack) -> Mapping[str, Any]:
        """Give the ready-made decks for a pack, by name (plain JSON data)."""
        return {}

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        """List ALL violations of a submitted deck (plain JSON data of any shape)."""
        return []

    def option_faults(self, options: Any, seats: int) -> list[Fault]:
        """List what is wrong with well-typed options together, or with them and the number of seats."""
        return []

    @abstractmethod
    def setup(self, table: Table[Any]) -> S:
        """Make the state before the first prompt. ``table.state`` is not set; chance and ``emit`` are."""

    @abstractmethod
    def play(self, table: Table[S]) -> Flow[None]:
        """Carry the match from one checkpoint to the next. Returns with no action half done."""

    @abstractmethod
    def view(self, match: Match, state: S, seat: int | None) -> dict[str, Any]:
        """Give all zones that a seat (None: the public) sees. JSON data without floats, fixed order."""

    def views(self, match: Match, state: S) -> dict[int | None, dict[str, Any]]:
        """Give the zones of all audiences: what ``view`` gives for each. A game may make what they share only once."""
        return {seat: self.view(match, state, seat) for seat in (None, *range(match.seats))}

    @abstractmethod
    def outcome(self, match: Match, state: S, gone: Mapping[int, str]) -> Outcome | None:
        """Say how the match ended, or None. ``gone``: seat → ``resigned``, ``timeout`` or ``abandoned``."""

    @abstractmethod
    def explain(self, view: Mapping[str, Any], attempt: Attempt) -> Refusal:
        """Say why a choice is refused, by the order of tests of the specification. Sees the seat's view only."""

    @abstractmethod
    def check(self, match: Match, state: S) -> list[str]:
        """List broken invariants; empty in every reachable state."""

    @abstractmethod
    def secrets(self, match: Match, state: S, seat: int | None) -> Mapping[str, Sequence[str]]:
        """Name what a seat (None: the public) may not know: group → slots whose contents may be exchanged.

        A slot is a stable name of one hidden thing for as long as it stays hidden (an instance's internal
        number, say), never a position. What a rule shows and hides again in one step is no secret while it is told.
        Where a list is shuffled, slots are the ``str()`` of its items. Only the contract suite asks.
        """

    @abstractmethod
    def exchange(self, match: Match, state: S, one: str, other: str) -> None:
        """Exchange the contents of two slots of one group, in place. Only the contract suite asks."""


def options_of(acts: Collection[Act | Option]) -> tuple[Option, ...]:
    """Number acts as options "1", "2", … in the order given, which must be canonical."""
    return tuple(
        Option(str(at), act.act, act.group) if isinstance(act, Option) else Option(str(at), act)
        for at, act in enumerate(acts, 1)
    )


def pick(
    seat: int, kind: str, acts: Sequence[Act | Option], *,
    least: int = 1, most: int = 1, default: Sequence[int] = (0,), rule: str = "",
    hold_ms: int = 0, optional: bool = False, about: Act | None = None,
) -> Prompt:  # fmt: skip
    """Ask for ``least``..``most`` of ``acts``. ``default``: their indexes, in the order they are taken."""
    options = options_of(acts)
    return Prompt(
        seat,
        kind,
        options,
        "pick",
        least,
        most,
        tuple(options[i].id for i in default),
        rule,
        hold_ms,
        optional,
        about or {},
    )


def order(
    seat: int, kind: str, acts: Sequence[Act], *,
    default: Sequence[int] | None = None, rule: str = "", hold_ms: int = 0, about: Act | None = None,
) -> Prompt:  # fmt: skip
    """Ask to put ``acts`` in order. ``default``: the order of silence (None: as given)."""
    options = options_of(acts)
    ids = tuple(option.id for option in options) if default is None else tuple(options[i].id for i in default)
    shape: Shape = "order"
    return Prompt(seat, kind, options, shape, len(options), len(options), ids, rule, hold_ms, False, about or {})


def number(
    seat: int, kind: str, low: int, high: int, *,
    default: int | None = None, rule: str = "", hold_ms: int = 0, about: Act | None = None,
) -> Prompt:  # fmt: skip
    """Ask for an integer from ``low`` to ``high``. Silence means ``default`` (None: ``low``)."""
    silence = low if default is None else default
    return Prompt(seat, kind, (), "number", low, high, (silence,), rule, hold_ms, False, about or {})
