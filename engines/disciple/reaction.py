"""The reaction window after a saint was played (DI-4.12, DI-9.15).

Whether it opens, and for how long, follows from public facts only. No checkpoint lies inside it.
"""

from __future__ import annotations

from engines.disciple.activation import activate_watchers, awaken, claim, ready
from engines.disciple.changes import enter, lay_saint
from engines.disciple.effects import perform
from engines.disciple.options import Options
from engines.disciple.plays import into_limbo, ways_to_play
from engines.disciple.state import Game, Mention, cards_of, shown
from engines.disciple.statics import forbidden_columns
from engines.disciple.truth import Frame
from engines.disciple.zones import from_limbo
from engines.rules import Act, Flow, pick

HOLD_MS = 3000  # DI-4.12.8


def reaction_window(table: Game, played: Mention) -> Flow[None]:
    """Give the opponent the chance to react, then let the played saint enter (DI-4.12)."""
    seat = 1 - table.state.active
    if _opens(table, seat):
        table.emit("reaction_opened", seat=seat)
        acts = [{"do": "decline"}, *_reactions(table, seat, played)]
        (answer,) = yield pick(seat, "react", acts, rule="DI-4.12", hold_ms=HOLD_MS, about={"source": shown(played)})
        if answer["do"] == "decline":
            table.emit("reaction_declined", seat=seat)
        else:
            yield from _react(table, seat, answer, played)
    _close(table, played)


def _opens(table: Game, seat: int) -> bool:
    """Public facts alone decide: it opens whether or not a reaction card is held (DI-4.12.1, DI-9.17)."""
    options: Options = table.match.options
    return (
        options.reaction_window == "always"
        and bool(table.state.hand[seat])
        and not forbidden_columns(cards_of(table), table.state, seat, "react")
    )


def _reactions(table: Game, seat: int, played: Mention) -> list[Act]:
    """List the legal reactions; filter and condition are tested once, now (DI-4.12.3, DI-4.12.4)."""
    cards, state = cards_of(table), table.state
    ready_cards = [
        number
        for number in state.hand[seat]
        for source in [state.mention(number)]
        for place, ability in cards.abilities(source.key, "reaction")
        if ready(cards, state, ability, Frame(seat, source, place, played))
    ]
    return [{"do": "react", **way} for way in ways_to_play(table, seat, ready_cards)]


def _react(table: Game, seat: int, act: Act, played: Mention) -> Flow[None]:
    """Play the reaction and resolve its ability completely (DI-4.12.4)."""
    state = table.state
    number = next(number for number in state.hand[seat] if state.cards[number].id == act["card"])
    if "column" in act:
        source = lay_saint(table, number, act["column"], seat, "reaction")
        activate_watchers(table, source)  # DI-4.12.7
        awaken(table)
    else:
        source = into_limbo(table, number, seat, "reaction")
    ((place, _),) = cards_of(table).abilities(source.key, "reaction")
    if claim(state, source, place):  # DI-6.12
        yield from perform(table, Frame(seat, source, place, played))
    if state.limbo is not None:
        from_limbo(table, number)


def _close(table: Game, played: Mention) -> None:
    """Let the played saint enter, if it still lies there as a saint (DI-4.12.5, DI-9.16)."""
    if table.state.lies(played) and table.state.cards[played.card].up:
        enter(table, played)
