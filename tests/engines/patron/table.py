"""Lay a table of ``patron`` as a test tells it: ``lay(a=seat("benedict", hand="novena"), phase="graces")``.

A is seat 0, B is seat 1. Cards are named by their printed ids. Dice may be set: ``scene.roll(4, 3)`` are the next
two. Zones not named are empty, but for a deck of ten plain graces.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from engines.chance import Chance
from engines.patron import Patron
from engines.patron.options import Options
from engines.patron.state import Instance, Side, Slot, State
from engines.rules import Act, Flow, Match, Pack, Table
from tests.scene import Scene

A, B = 0, 1
RULES = Patron()
PLAIN = "t_grace"
OTHER_PHASES = {"start": "start", "end": "end"}


@cache
def fixture() -> Pack:
    """Read the fixture pack: the fixed entries of the specification and plain cards (PA-10.6)."""
    return RULES.read_pack((files("tests.engines.patron") / "fixture.toml").read_bytes())


@cache
def core() -> Pack:
    return next(iter(RULES.packs().values()))


def pack_with(*tables: str) -> Pack:
    """Read the fixture pack and further cards, each one TOML table."""
    return RULES.read_pack(fixture().source + "\n".join(tables).encode())


def saint(key: str, *effects: str, milestones: str = "", score: int = 3) -> str:
    """Write a saint with these effects; ``milestones``: the first ones, in TOML."""
    given = [one for one in milestones.split(" ; ") if one]
    first = ", ".join([*given, *["{ tokens = 1 }"] * (5 - len(given))])
    return (
        f'[[saint]]\nid = "{key}"\nname = "{key}"\nscore = {score}\ntraits = []\nvirtues = {{}}\n'
        f"milestones = [{first}]\neffects = [{', '.join(effects)}]\n"
    )


def grace(key: str, *effects: str, more: str = "") -> str:
    return f'[[grace]]\nid = "{key}"\nname = "{key}"\nvirtues = {{}}\n{more}\neffects = [{", ".join(effects)}]\n'


def event(key: str, lines: str = "", virtues: str = '["hope"]', number: int = 8) -> str:
    return f'[[event]]\nid = "{key}"\nname = "{key}"\nvirtues = {virtues}\nnumber = {number}\n{lines}\n'


def act(*ops: str, more: str = "") -> str:
    """Write a one-use effect of these operations."""
    return f'{{ kind = "act", {more} do = [{", ".join(ops)}] }}'


def trigger(on: str, *ops: str, more: str = "") -> str:
    return f'{{ kind = "trigger", on = "{on}", {more} do = [{", ".join(ops)}] }}'


def static(op: str, more: str) -> str:
    return f'{{ kind = "static", op = "{op}", {more} }}'


class LoadedChance(Chance):
    """Chance whose dice fall as the test has said; a re-run sees the same dice."""

    __slots__ = ("rules",)

    def __init__(self, chance: Chance, rules: LoadedPatron) -> None:
        super().__init__(chance.key, chance.counter)
        self.spend = chance.spend
        self.rules = rules

    def die(self, label: str, sides: int = 6) -> int:
        known = self.rules.fallen
        if self.counter not in known and self.rules.coming:
            known[self.counter] = self.rules.coming.pop(0)
        if self.counter not in known:
            return super().die(label, sides)
        self.counter += 1
        return known[self.counter - 1]


class LoadedPatron(Patron):
    """The rules with dice that a test sets. ``fallen``: by the counter at which they fell."""

    def __init__(self, *dice: int) -> None:
        self.coming = list(dice)
        self.fallen: dict[int, int] = {}

    def setup(self, table: Table[Any]) -> State:
        table.chance = LoadedChance(table.chance, self)
        return super().setup(table)

    def play(self, table: Table[State]) -> Flow[None]:
        table.chance = LoadedChance(table.chance, self)
        return super().play(table)


class Seat(Struct):
    """What a test says of one seat; lists of cards are words."""

    patron: str
    in_play: bool = True
    terra: str = ""
    friend: str = ""
    graces: str = ""
    hand: str = ""
    deck: str | int = 10
    discard: str = ""
    events: str = ""
    more: dict[str, Any] = {}


def seat(patron: str = "t_saint_3_faith_1", **given: Any) -> Seat:
    """Say how a seat lies. ``events``: "key" or "key@turn in which it was set". Other words: fields of ``Side``."""
    own = {name: given.pop(name) for name in list(given) if name in Seat.__struct_fields__}
    return Seat(patron, **own, more=given)


def lay(
    a: Seat | None = None, b: Seat | None = None, *, phase: str = "effects", active: int = A, turn: int = 5,
    dice: tuple[int, ...] = (), pack: Pack | None = None, shared: dict[str, Any] | None = None, **options: Any,
) -> Patrons:  # fmt: skip
    """Lay a table in a phase of the active seat's turn; ``start`` begins the turn of the other seat.

    ``shared``: fields of the state. Further words are options of the match.
    """
    used = pack or fixture()
    state = State(turn=turn, active=active, phase=phase, next=OTHER_PHASES.get(phase, "act"))  # type: ignore[arg-type]
    for number, spoken in enumerate((a or seat(), b or seat())):
        state.sides[number] = _side(state, spoken, number)
    if phase == "events":
        state.priority = active
    if phase == "intercession":
        state.pool = 0
    for name, value in (shared or {}).items():
        setattr(state, name, value)
    rules = LoadedPatron(*dice)
    return Patrons(rules, Match(2, Options(**options), used.cards), state)


def _side(state: State, spoken: Seat, owner: int) -> Side:
    side = Side(patron=_card(state, spoken.patron, owner), in_play=spoken.in_play)
    if spoken.in_play:
        side.terra.append(_entered(state, side.patron))
    side.terra += [_entered(state, _card(state, key, owner)) for key in spoken.terra.split()]
    if spoken.friend:
        side.friend = _entered(state, _card(state, spoken.friend, owner))
        side.terra.append(side.friend)
    side.graces = [_entered(state, _card(state, key, owner)) for key in spoken.graces.split()]
    side.hand = [_card(state, key, owner) for key in spoken.hand.split()]
    side.discard = [_card(state, key, owner) for key in spoken.discard.split()]
    keys = [PLAIN] * spoken.deck if isinstance(spoken.deck, int) else spoken.deck.split()
    side.deck = [_hidden(state, key, owner) for key in keys]
    for word in spoken.events.split():
        key, _, set_turn = word.partition("@")
        state.slots += 1
        side.events.append(Slot(f"e{state.slots}", _hidden(state, key, owner), int(set_turn or state.turn - 1)))
    for name, value in spoken.more.items():
        setattr(side, name, value)
    return side


def _card(state: State, key: str, owner: int) -> int:
    state.public_ids += 1
    state.cards.append(Instance(key, owner, f"c{state.public_ids}"))
    return len(state.cards) - 1


def _hidden(state: State, key: str, owner: int) -> int:
    state.cards.append(Instance(key, owner))
    return len(state.cards) - 1


def _entered(state: State, number: int) -> int:
    state.entries += 1
    state.cards[number].entered = state.entries
    return number


class Patrons(Scene):
    """A scene that names cards by key: fine as long as a key stands once in a zone."""

    rules: LoadedPatron

    def roll(self, *dice: int) -> None:
        """Say how the next dice fall. None may be left over from before."""
        assert not self.rules.coming, f"dice {self.rules.coming} were not rolled"
        self.rules.coming = list(dice)

    def side(self, of: int) -> Side:
        side: Side = self.state.sides[of]
        return side

    def keys(self, of: int, zone: str) -> str:
        """Give the cards of a zone as words."""
        side = self.side(of)
        numbers = [slot.card for slot in side.events] if zone == "events" else getattr(side, zone)
        return " ".join(self.state.key(number) for number in numbers)

    def id_of(self, of: int, key: str) -> str:
        """Give the id of a card that its seat can name: in play, in the hand, being looked at, discarded."""
        side, state = self.side(of), self.state
        for numbers in (side.terra, side.graces, side.hand, state.look, side.discard, [side.patron]):
            found = [state.cards[number].id for number in numbers if state.key(number) == key]
            if found:
                return str(found[0])
        raise AssertionError(f"seat {of} has no {key}")

    def held(self, of: int, key: str) -> str:
        """Give the id of a card of a hand, whatever lies elsewhere."""
        found = [self.state.cards[n].id for n in self.side(of).hand if self.state.key(n) == key]
        assert found, f"seat {of} holds no {key}"
        return str(found[0])

    def doing(self, of: int, do: str, key: str, **more: Any) -> Act:
        """Spell an act about a card."""
        from_hand = do in ("play_saint", "play_grace", "set_event", "cycle_saint", "discard", "exchange")
        return {"do": do, "card": self.held(of, key) if from_hand else self.id_of(of, key), **more}

    def does(self, of: int, do: str, key: str, **more: Any) -> None:
        """Do an act about a card."""
        self.answer(of, self.doing(of, do, key, **more))

    def effect(self, of: int, key: str, index: int = 0) -> None:
        """Activate an effect of a saint in play."""
        self.does(of, "activate_effect", key, effect=index)

    def activate(self, of: int, slot: str, *dice: int) -> None:
        """Activate an event with these dice."""
        self.roll(*dice)
        self.act(of, "activate_event", slot=slot)

    def complete(self, of: int, *dice: int) -> None:
        self.roll(*dice)
        self.act(of, "complete_milestone")

    def go_to(self, of: int, phase: str) -> None:
        """Let the seats do nothing until the phase has come."""
        for _ in range(12):
            if self.state.phase == phase and self.state.asking is None:
                return
            asked = next(asked for asked in self.position.asked if asked.answer is None)
            self.stay_silent(asked.prompt.seat)
        raise AssertionError(f"phase {phase} does not come; it is {self.state.phase}")

    def next_turn(self) -> None:
        """Let the seats do nothing until the next turn's first decision."""
        turn = self.state.turn
        while self.state.turn == turn:
            asked = next(asked for asked in self.position.asked if asked.answer is None)
            self.stay_silent(asked.prompt.seat)

    def modifier(self, of: int, virtue: str) -> int:
        modifiers: dict[str, int] = self.view(None)["modifiers"][str(of)]
        return modifiers[virtue]

    def counter(self, of: int, name: str) -> Any:
        return self.view(None)["counters"][str(of)][name]

    def checked(self) -> dict[str, Any]:
        """Give the check that the last input led to, as the public was told it."""
        (told,) = self.told(None, "check_rolled")
        return told

    def size(self, of: int, zone: str) -> int:
        return len(self.keys(of, zone).split())


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [one["event"] for one in events]
