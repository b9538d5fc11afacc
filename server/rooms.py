"""Rooms, served by any node: read a room, decide, render, commit, and try again where another was faster.

Owns the path of a command from its meaning to its outcome. Knows no sockets and no wire encoding of commands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec
import structlog
from msgspec import Struct

from engines.flow import Diverged
from engines.record import Record, encode
from protocol.errors import Refused
from protocol.messages import Ok
from server.channel import NEWS
from server.frames import Entry, encode_entry, rematched_message
from server.fresh import Fresh
from server.kept import Kept
from server.listing import is_listed, room_info
from server.live import Live
from server.metrics import Metrics
from server.queues import Queues
from server.room import Ruleset, deadline_of, position_or_none, takeover_of
from server.rulesets import NO_RULES, Rulesets, RulesMissing
from server.state import OVER, Close, Input, Next, Open, Play, RoomState, decode_state
from server.store.errors import Unavailable
from server.store.redis import Store
from server.store.rooms import ClockOff, Command, Commit, Conflict, Done, Known, Stored
from server.version import Version, late_of, next_version, sights_at

log = structlog.get_logger()

ENDED_S = 7 * 24 * 3600
MARGIN_RETRIES = 3
UNREAD_MS = 3_600_000
"""So long after its deadline a room waits for a node that has its rules."""


class Decision(Struct):
    """What a command comes to. Without ``input`` and ``record`` nothing is written.

    ``record``: written silently (an early answer that waits). ``owner``: a seat's new account.
    ``faults``: the room's new count of rules that raised at a deadline, written silently.
    ``following``: where an ended room is played again, written silently and told to all.
    ``not_before`` and ``not_after`` bound the service time at which it may be committed.
    """

    input: Input | None = None
    record: Record | None = None
    owner: tuple[int, str | None] | None = None
    faults: int | None = None
    following: Next | None = None
    not_before: int | None = None
    not_after: int | None = None
    seat: int | None = None
    held: bool = False


class Caller(Struct, frozen=True):
    """Who asks, and by which command: the identity under which an outcome is kept."""

    account: str
    id: str
    digest: bytes


Decide = Callable[[Live, int], Decision]
"""Judge a command against a room at a service time. Raises Refused, or what broken rules raise."""


class Draft(Struct):
    """A write before it is made. ``raw``: the state, encoded once. ``version``: None for a silent write."""

    state: RoomState
    raw: bytes
    version: Version | None


class Rooms:
    """All rooms. ``on_version(entry)`` and ``on_deadline(room, at)`` are called after each commit.

    ``on_end(room)``: that commit was the room's last. ``on_setback(room)``: a room was read older than it was known
    here, so what was told of it may have been lost.
    """

    def __init__(self, store: Store, rulesets: Rulesets, metrics: Metrics) -> None:
        self.store = store
        self.rulesets = rulesets
        self._metrics = metrics
        self.on_version: Callable[[Entry], None] = lambda _entry: None
        self.on_deadline: Callable[[str, int | None], None] = lambda _room, _at: None
        self.on_end: Callable[[str], None] = lambda _room: None
        self.on_setback: Callable[[str], None] = lambda _room: None
        self._kept = Kept()
        self._queues = Queues()
        self._fresh = Fresh()

    # ---- reading

    async def live(self, room: str) -> Live:
        """Give a room, from memory if this node has it. Raises Refused (not_found), RulesMissing, Unavailable.

        A node that tells nobody of a room hears nothing of it: what is answered by this alone may be long past.
        """
        found = self._kept.use(room)
        return found if found is not None else await self.fresh(room)

    async def fresh(self, room: str) -> Live:
        """Give a room as it stands in Redis now."""
        stored = await self.store.read(room)
        if stored is None:
            self.forget(room)
            raise Refused("not_found")
        return await self._take(stored)

    async def look(self, room: str) -> Live:
        """Give a room as it stands, for what needs no rules: where they are missing, without position and sights."""
        try:
            return await self.fresh(room)
        except RulesMissing:
            stored = await self.store.read(room)
            if stored is None:
                raise Refused("not_found") from None
            return Live(stored.rev, stored.record, decode_state(stored.record), NO_RULES, None, {})

    def forget(self, room: str) -> None:
        """Drop what this node remembers of a room, because another node has moved it on."""
        self._kept.drop(room)

    def rest(self) -> None:
        """Forget what nobody has used for a while. Called each second."""
        self._kept.rest()

    def overtaken(self, entry: Entry) -> None:
        """Learn of a version that some node committed."""
        known = self._kept.look(entry.room)
        if known is not None and (known.state.v, known.state.tip) != (entry.v, entry.tip):
            self.forget(entry.room)

    def cached(self) -> int:
        return len(self._kept)

    async def _take(self, stored: Stored) -> Live:
        known = self._kept.use(stored.room)
        if known is not None and known.rev == stored.rev:
            return known
        if known is not None and stored.v < known.state.v:
            self.on_setback(stored.room)
        state = decode_state(stored.record)
        try:
            ruleset = await self.rulesets.pinned(state.game, state.rules, state.pack)
        except RulesMissing:
            if state.status in OVER or self.rulesets.has(state.game, state.rules):
                raise
            return await self._take_over(stored, state)
        position, sights = sights_at(ruleset, state)
        if state.status == "playing" and position is None:
            log.error("room_cannot_go_on", room=stored.room, game=state.game)
        live = Live(stored.rev, stored.record, state, ruleset, position, sights)
        self._kept.put(stored.room, live)
        return live

    async def _take_over(self, stored: Stored, state: RoomState) -> Live:
        """Let newer rules go on with a room whose own are missing here. Raises RulesMissing if none can."""
        heirs = await self.rulesets.heirs(state.game, state.rules, state.pack)
        older = Live(stored.rev, stored.record, state, heirs, None, {})
        given = takeover_of(state, heirs.rules.version)
        try:
            done = await self._carry_out(stored.room, older, Decision(given), None)
        except (Refused, RulesMissing, Unavailable):
            raise
        except Exception as error:
            log.error("rules_cannot_take_over", room=stored.room, game=state.game, exc_info=error)
            raise RulesMissing(f"{state.game} rules {given.rules} cannot go on from rules {state.rules}") from error
        if done is not None:
            log.info("rules_took_over", room=stored.room, game=state.game, rules=given.rules)
        return await self.fresh(stored.room)

    async def end_unread(self, room: str) -> None:
        """End a room that has waited long enough for rules which no node has any more. Raises Unavailable."""
        stored = await self.store.read(room)
        if stored is None:
            return
        state = decode_state(stored.record)
        since = deadline_of(state)
        if since is None or self.store.now(room) < since + UNREAD_MS:
            return
        if await self.rulesets.somewhere(state.game, state.rules):
            return
        given = Close("aborted" if state.record is None else "void", "rules_missing")
        unread = Live(stored.rev, stored.record, state, NO_RULES, None, {})
        await self._carry_out(room, unread, Decision(given), None)
        self.forget(room)

    # ---- writing

    async def create(
        self,
        room: str,
        ruleset: Ruleset,
        given: Open,
        caller: Caller,
        code: str | None,
        accounts: Mapping[int, str] | None = None,
    ) -> Ok | None:
        """Make a room. Gives None if another's room has that id; the same caller's resend meets its own room.

        ``accounts``: by seat, who sits there from the start or for whom it is kept.
        """
        at = self.store.now(room)
        version = next_version(ruleset, None, {}, given, at, self._fresh.tip())
        version.state.code = code
        for at, account in (accounts or {}).items():
            seat = version.state.seats[at]
            seat.account, seat.kept_for = (account, None) if seat.taken else (None, account)
            await self.store.note(account, room, version.state.created_at)
        ok = Ok(caller.id, room, 1, code=code)
        draft = Draft(version.state, encode(version.state), version)
        done = await self._commit(room, None, draft, Decision(), caller, ok)
        match done:
            case Done():
                self._committed(room, ruleset, version, draft.raw, done)
                return ok
            case Known():
                return _kept_outcome(done, caller)
            case Conflict():
                return None
            case ClockOff():
                return await self.create(room, ruleset, given, caller, code, accounts)

    async def act(self, room: str, decide: Decide, caller: Caller | None) -> Ok:
        """Carry a command out exactly once. Raises Refused, RulesMissing, Unavailable; a rule's own error passes."""
        async with self._queues.of(room):
            retries, tries = MARGIN_RETRIES, 0
            confirmed = False
            while tries <= retries:
                live = await self.live(room)
                retries = MARGIN_RETRIES + len(live.state.seats)
                try:
                    decision = decide(live, self.store.now(room))
                except (Refused, Diverged):
                    if caller is not None and (kept := await self.outcome(room, caller)) is not None:
                        return kept
                    if confirmed or (await self.fresh(room)).rev == live.rev:
                        raise
                    confirmed = True
                    continue
                if (ok := await self._carry_out(room, live, decision, caller)) is not None:
                    return ok
                tries += 1
        raise Refused("busy", retry_after_ms=100)

    async def outcome(self, room: str, caller: Caller) -> Ok | None:
        """Give the first outcome of a command that had an effect. Raises Refused if its id came with another body."""
        known = await self.store.known(room, caller.account, caller.id)
        return None if known is None else _kept_outcome(Known(*known), caller)

    async def _carry_out(self, room: str, live: Live, decision: Decision, caller: Caller | None) -> Ok | None:
        """Commit a decision. Gives None where another write came first, so that it is judged again."""
        name = caller.id if caller is not None else ""
        if (decision.input, decision.record, decision.faults, decision.following) == (None,) * 4:
            if caller is not None and (kept := await self.outcome(room, caller)) is not None:
                return kept  # done before, or another command's id: with nothing to write no script looks
            if (await self.fresh(room)).rev != live.rev:
                return None  # it was judged by what is past
            await self.store.secure(room)
            return Ok(name, room, live.state.v, decision.seat)
        draft = self._draft(room, live, decision)
        if decision.owner is not None and (account := decision.owner[1]) is not None:
            await self.store.note(account, room, live.state.created_at)
        if draft.version is not None:
            ok = Ok(name, room, draft.state.v, decision.seat)
        else:
            ok = Ok(name, room, held=decision.held)
        done = await self._commit(room, live, draft, decision, caller, ok)
        match done:
            case Done():
                if draft.version is not None:
                    self._committed(room, live.ruleset, draft.version, draft.raw, done)
                else:
                    self._silently(room, live, draft, done)
                return ok
            case Known():
                return _kept_outcome(done, caller)
            case Conflict(stored=stored):
                if stored is None:
                    self.forget(room)
                    raise Refused("not_found")
                await self._take(stored)
            case ClockOff():
                pass
        return None

    def _draft(self, room: str, live: Live, decision: Decision) -> Draft:
        """Make what a decision comes to, from a private copy of the room."""
        state = decode_state(live.raw)
        version = None
        if decision.input is not None:
            at = max(self.store.now(room), state.at)  # nodes may differ by milliseconds, time never goes back
            warm, tip = live.take_position(), self._fresh.tip()
            version = next_version(live.ruleset, state, live.sights, decision.input, at, tip, decision.owner, warm)
            state = version.state
        else:
            state.record = decision.record or state.record
            state.faults = state.faults if decision.faults is None else decision.faults
            state.next = decision.following or state.next
        return Draft(state, encode(state), version)

    async def _commit(
        self, room: str, live: Live | None, draft: Draft, decision: Decision, caller: Caller | None, ok: Ok
    ) -> Done | Known | Conflict | ClockOff:
        state, version = draft.state, draft.version
        commit = Commit(
            room=room,
            expect=live.rev if live is not None else None,
            rev=self._fresh.rev(),
            v=state.v,
            tip=state.tip,
            record=draft.raw,
            status=state.status,
            at=state.at if version is not None else self.store.now(room),
            entry=encode_entry(version.entry) if version is not None else None,
            input=encode(version.logged) if version is not None else None,
            command=Command(caller.account, caller.id, caller.digest, encode(ok)) if caller is not None else None,
            deadline=deadline_of(state),
            not_before=decision.not_before,
            not_after=decision.not_after,
            listing=encode(room_info(state)) if is_listed(state) else None,
            expire_s=ENDED_S if state.status in OVER and version is not None else None,
            late=late_of(version) if version is not None and state.plan.delay_s else None,
            told=NEWS + rematched_message(room, decision.following) if decision.following is not None else None,
        )
        began = time.perf_counter()
        try:
            done = await self.store.commit(commit)
        finally:
            self._metrics.commit_seconds.observe(time.perf_counter() - began)
        (self._metrics.commits if isinstance(done, Done) else self._metrics.conflicts).inc()
        if isinstance(done, Done) and version is not None and isinstance(version.logged.input, Play):
            self._metrics.choices.labels(state.game).inc(len(version.logged.input.choices))
        return done

    def _committed(self, room: str, ruleset: Ruleset, version: Version, raw: bytes, done: Done) -> None:
        state = version.state
        self._kept.put(room, Live(done.rev, raw, state, ruleset, version.position, version.sights))
        log.debug("version_committed", room=room, v=state.v, status=state.status)
        self.on_version(version.entry)
        self.on_deadline(room, deadline_of(state))
        if state.status in OVER:
            self.on_end(room)

    def _silently(self, room: str, live: Live, draft: Draft, done: Done) -> None:
        position = position_or_none(live.ruleset, draft.state)
        self._kept.put(room, Live(done.rev, draft.raw, draft.state, live.ruleset, position, live.sights))


def _kept_outcome(known: Known, caller: Caller | None) -> Ok:
    """Give the first outcome again. Raises Refused if the same id came with another body."""
    if caller is None or known.digest != caller.digest:
        raise Refused("conflict")
    return msgspec.msgpack.decode(known.outcome, type=Ok)
