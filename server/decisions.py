"""What each command comes to in a room as it stands: an input to commit, nothing to do, or a refusal that says why.

Pure; called again with the room as it is whenever another write came first.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

import msgspec

from engines import flow
from engines.bots import bots_of
from engines.chance import bot_seed
from engines.flow import Asked, Illegal, Position
from engines.record import Choice
from engines.rules import Act, Attempt, Fault, Pick, Rules
from protocol.errors import Refused
from protocol.messages import Choose, Deck, Join, Ready
from protocol.prompt import picks_of
from server import timing
from server.live import Live
from server.room import Ruleset, gone_choice
from server.rooms import Decide, Decision
from server.state import OVER, Away, Back, Close, Play, Prepare, RoomState, Sit, Stand

FAULTS_UNTIL_VOID = 3
OPERATOR = "operator"
_WIRE_CODES = {"stale": "stale_prompt"}


def sit(account: str, name: str, command: Join) -> Decide:
    """Take a seat, or find the account's own."""

    def decide(live: Live, now: int) -> Decision:
        state = live.state
        own = state.seat_of(account)
        require_door(live, command.code, own if own is not None else state.seat_kept_for(account))
        if own is not None and (command.deck is None or state.status != "lobby"):
            return Decision(seat=own)
        if state.status != "lobby" and state.plan.delay_s:
            raise Refused("seat_taken", free=[])  # no stranger may learn by this how the match stands
        if state.status != "lobby":
            raise Refused("wrong_status", status=state.status)
        seat = own if own is not None else _free_seat(state, account, command.seat)
        deck = deck_of(live.ruleset, command.deck) if command.deck is not None else None
        return Decision(Sit(seat, name, deck), owner=(seat, account), seat=seat)

    return decide


def require_door(live: Live, code: str | None, own: int | None) -> None:
    """Let nobody into a private room without its code. A wrong code looks like a missing room."""
    if live.state.plan.private and own is None and code != live.state.code:
        raise Refused("not_found")


def _free_seat(state: RoomState, account: str, wanted: int | None) -> int:
    free = [at for at, seat in enumerate(state.seats) if not seat.taken and seat.kept_for in (None, account)]
    if wanted is None and free:
        kept = state.seat_kept_for(account)
        return kept if kept is not None else free[0]
    if wanted is None or wanted not in free:
        raise Refused("seat_taken", free=free)
    return wanted


def stand(account: str) -> Decide:
    """Free the account's seat while in the lobby; later, and without a seat, there is nothing to do."""

    def decide(live: Live, now: int) -> Decision:
        seat = live.state.seat_of(account)
        if seat is None or live.state.status != "lobby":
            return Decision()
        return Decision(Stand(seat), owner=(seat, None))

    return decide


def prepare(account: str, command: Ready) -> Decide:
    """Be ready, or not. Without a deck of one's own a game that needs one gets its first ready-made deck."""

    def decide(live: Live, now: int) -> Decision:
        seat = _own_seat(live, account)
        if live.state.status != "lobby":
            raise Refused("wrong_status", status=live.state.status)
        deck = deck_of(live.ruleset, command.deck) if command.deck is not None else None
        if deck is None and live.ruleset.rules.brings_decks and live.state.seats[seat].deck is None and command.ready:
            deck = deck_of(live.ruleset, None)
        return Decision(Prepare(seat, command.ready, command.entropy or b"", deck), seat=seat)

    return decide


def deck_of(ruleset: Ruleset, deck: Deck | None) -> Any:
    """Give a deck list: a ready-made one by name (None: the first), or the seat's own. Raises Refused (bad_deck)."""
    rules = ruleset.rules
    if not rules.brings_decks:
        if deck is None:
            return None
        raise _bad_deck([Fault("not_wanted", "deck", f"{rules.name} has no decks")])
    ready = rules.ready_decks(ruleset.pack)
    if deck is None:
        if not ready:
            raise _bad_deck([Fault("no_ready_deck", "deck", f"{ruleset.pack.id} has no ready-made deck; bring one")])
        return next(iter(ready.values()))
    if isinstance(deck, str):
        if deck not in ready:
            names = ", ".join(ready)
            raise _bad_deck([Fault("unknown_deck", "deck", f"no ready-made deck {deck!r}; there are: {names}")])
        return ready[deck]
    if faults := rules.deck_faults(ruleset.pack, deck):
        raise _bad_deck(faults)
    return deck


def _bad_deck(faults: list[Fault]) -> Refused:
    return Refused("bad_deck", faults=[msgspec.to_builtins(fault) for fault in faults])


def choose(account: str, command: Choose) -> Decide:
    """Answer a prompt, at once or, where it is held, for its time."""

    def decide(live: Live, now: int) -> Decision:
        seat = _own_seat(live, account)
        position = _playing(live)
        asked = position.of(seat)
        due = _due_at(live, seat)
        if due is not None and now > due and asked is not None and asked.id == command.prompt:
            raise Refused("stale_prompt", "the time for this prompt is over")
        acts = _acts(command)
        picks = _picks(asked, command, acts)
        choice = Choice(seat, command.prompt, picks or ())
        try:
            if picks is None and asked is not None and asked.id == command.prompt:
                raise Illegal("illegal", asked)
            flow.refuse(position, choice)
            if asked is not None and asked.prompt.hold_ms:
                return Decision(record=flow.hold(position, choice), seat=seat, held=True, not_after=due)
        except Illegal as illegal:
            raise _refusal(live, position, seat, illegal, acts, picks or ()) from None
        return Decision(Play((choice,), ("player",)), not_after=due, seat=seat)

    return decide


def _acts(command: Choose) -> tuple[Act, ...] | None:
    act = command.act
    if isinstance(act, msgspec.UnsetType):
        return None
    return act if isinstance(act, tuple) else (act,)


def _picks(asked: Asked | None, command: Choose, acts: tuple[Act, ...] | None) -> tuple[Pick, ...] | None:
    if acts is not None:
        return picks_of(asked.prompt, acts) if asked is not None else ()
    return command.picks if not isinstance(command.picks, msgspec.UnsetType) else ()


def _refusal(
    live: Live, position: Position, seat: int, illegal: Illegal, acts: tuple[Act, ...] | None, picks: tuple[Pick, ...]
) -> Refused:
    """Say why not in the game's own terms, with the open prompt once more."""
    rules = live.ruleset.rules
    prompt = illegal.asked.prompt if illegal.asked is not None else None
    if acts is None and prompt is not None and illegal.why not in ("stale", "shape"):
        acts = _known_acts(prompt.acts, picks)
    view = rules.view(position.table.match, position.table.state, seat)
    why = rules.explain(view, Attempt(seat, illegal.why, prompt, acts or (), picks))
    details: dict[str, Any] = {"code": why.code, "rule": why.rule, "text": why.text, **why.details}
    open_prompt = live.sights[seat].prompt
    if open_prompt is not None:
        details["prompt"] = msgspec.to_builtins(open_prompt)
    return Refused(_WIRE_CODES.get(illegal.why, "refused"), why.text, **details)


def _known_acts(meaning: Any, picks: tuple[Pick, ...]) -> tuple[Act, ...]:
    acts: list[Act] = []
    for pick in picks:
        try:
            acts.extend(meaning((pick,)))
        except KeyError:
            continue
    return tuple(acts)


def _due_at(live: Live, seat: int) -> int | None:
    return next((due.at for due in live.state.due if due.seat == seat), None)


def resign(account: str) -> Decide:
    """Give the match up."""

    def decide(live: Live, now: int) -> Decision:
        seat = _own_seat(live, account)
        position = _playing(live)
        if seat in position.table.gone:
            raise Refused("wrong_status", "this seat has resigned already", status=live.state.status)
        return Decision(Play((gone_choice(seat, "resigned"),), ("player",)), seat=seat)

    return decide


def withdraw(account: str) -> Decide:
    """Give up the account's seat, whatever the room is at; where it has none, or gave up before, nothing is to do."""

    def decide(live: Live, now: int) -> Decision:
        seat, status = live.state.seat_of(account), live.state.status
        if seat is None or status in OVER:
            return Decision()
        if status == "lobby":
            return Decision(Stand(seat), owner=(seat, None))
        if live.position is None or seat in live.position.table.gone:
            return Decision()
        return Decision(Play((gone_choice(seat, "resigned"),), ("operator",)))

    return decide


def call_off(text: str) -> Decide:
    """End a room by an operator's word; again, it is over already."""

    def decide(live: Live, now: int) -> Decision:
        result = live.state.result
        if result is None:
            return Decision(Close("void", OPERATOR, text))
        if result.reason != OPERATOR:
            raise Refused("wrong_status", "the room is over already", status=live.state.status)
        return Decision()

    return decide


def _own_seat(live: Live, account: str) -> int:
    seat = live.state.seat_of(account)
    if seat is None:
        if live.state.plan.private:
            raise Refused("not_found")
        raise Refused("not_seated")
    return seat


def _playing(live: Live) -> Position:
    if live.state.status != "playing" or live.position is None:
        raise Refused("wrong_status", status=live.state.status)
    return live.position


# ---- deadlines -------------------------------------------------------------------------------------------------


def fall_due(live: Live, now: int) -> Decision:
    """Do what silence means by now: close an idle lobby, or answer every prompt whose time is over, all at once.

    Seats that have been away for too long are lost in the same input.
    """
    state = live.state
    if state.status == "lobby" and state.idle <= now:
        return Decision(Close("aborted", "idle"), not_before=state.idle)
    due, lost = [due for due in state.due if due.at <= now], timing.lost(state, now)
    if state.status != "playing" or live.position is None or not (due or lost):
        return Decision()
    taken: list[tuple[Choice, str]] = []
    for prompt in due:
        if prompt.seat not in lost:
            taken += _silence(live, live.position, prompt.seat)
    taken += [(gone_choice(seat, "abandoned"), "absence") for seat in lost]
    moments = [due.at for due in due] + [state.seats[seat].lost_at or 0 for seat in lost]
    return Decision(_play_together(taken), not_before=max(moments))


def _play_together(taken: list[tuple[Choice, str]]) -> Play:
    """Put answers first, and let all seats that are lost go at the same moment."""
    answers = [each for each in taken if not each[0].gone]
    gone = [each for each in taken if each[0].gone]
    choices = [choice for choice, _ in answers] + flow.together([choice for choice, _ in gone])
    return Play(tuple(choices), tuple(by for _, by in answers + gone))


def _silence(live: Live, position: Position, seat: int) -> list[tuple[Choice, str]]:
    """Give the answer for a seat whose time is over: kept early, a bot's, or the default; perhaps the seat is lost."""
    asked = position.of(seat)
    if asked is None:
        return []
    kept = next((choice for choice in position.record.held if choice.seat == seat), None)
    if kept is not None and kept.prompt == asked.id:
        return [(kept, "held")]
    plays = live.state.seats[seat]
    if plays.bot is not None:
        return [(Choice(seat, asked.id, ask_bot(live, position, seat, asked)), "bot")]
    default = Choice(seat, asked.id, asked.prompt.default)
    if asked.prompt.hold_ms:
        return [(default, "hold")]
    if live.state.plan.on_expiry == "forfeit":
        return [(gone_choice(seat, "timeout"), "forfeit")]
    strikes = live.ruleset.rules.pace.strikes
    if strikes and plays.strikes + 1 >= strikes and (plays.clock is None or not plays.clock.spent):
        return [(default, "clock"), (gone_choice(seat, "timeout"), "strikes")]
    return [(default, "clock")]


def attend(here: Collection[int], missed: Collection[int]) -> Decide:
    """Note who has come back and who is away, as far as a clock heeds it. ``here``: seats that have a socket now.

    ``missed``: those who had none some seconds ago; only they are noted as away.
    """

    def decide(live: Live, now: int) -> Decision:
        state = live.state
        if state.status != "playing" or live.position is None:
            return Decision()
        back = tuple(at for at, seat in enumerate(state.seats) if seat.away is not None and at in here)
        if back:
            return Decision(Back(back))
        terms = timing.terms_of(live.ruleset.rules.pace, state.plan)
        gone = live.position.table.gone
        away = tuple(
            at
            for at, seat in enumerate(state.seats)
            if at in missed and at not in here and at not in gone and seat.bot is None and seat.away is None
        )
        return Decision(Away(away)) if away and terms.heeds_absence else Decision()

    return decide


def ask_bot(live: Live, position: Position, seat: int, asked: Asked) -> tuple[Pick, ...]:
    """Let a bot choose: it sees its seat's zones and prompt, and draws from a stream of its own."""
    rules: Rules[Any] = live.ruleset.rules
    bot = bots_of(rules)[live.state.seats[seat].bot or ""]
    zones = rules.view(position.table.match, position.table.state, seat)
    return bot(seat, zones, asked.prompt, Random(bot_seed(position.record.key, seat, asked.id)))


def count_fault(live: Live, now: int) -> Decision:
    """Remember that rules raised at a deadline; the third time ends the room, so that it cannot hang for ever."""
    if live.state.status in OVER:
        return Decision()
    faults = live.state.faults + 1
    if faults >= FAULTS_UNTIL_VOID:
        return Decision(Close("void", "rule_fault"))
    return Decision(faults=faults)


def give_up(live: Live, now: int) -> Decision:
    """End a room whose deadline was taken again and again in vain."""
    return Decision() if live.state.status in OVER else Decision(Close("void", "stuck"))
