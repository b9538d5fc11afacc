"""Rooms without Redis: what each input makes of a room, and which frames it gives."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from probe import Probe, ProbeDecks

from engines.chance import commitment
from engines.record import Choice, encode
from engines.sight import Audience
from protocol.errors import Refused
from protocol.messages import RoomPlan
from server.frames import snapshot
from server.room import LOBBY_MS, Ruleset, deadline_of, gone_choice
from server.state import Close, Input, Open, Play, Prepare, RoomState, Sit, Stand, decode_state
from server.version import Version, next_version, sights_at

RULES = Probe()
PACK = next(iter(RULES.packs().values()))
SEED = bytes(32)


class Story:
    """A room that inputs are applied to, one a version, a second apart."""

    def __init__(
        self, seats: int = 2, room_plan: RoomPlan | None = None, bots: dict[int, str] | None = None, **options: Any
    ) -> None:
        given = {"plan": ["number"], "laps": 2, **options}
        self.ruleset = Ruleset(RULES, PACK)
        self.at, self.state, self.sights = 1_000_000, None, {}
        names = tuple((bots or {}).get(seat) for seat in range(seats))
        self.version = self.apply(
            Open("room", "probe", 1, PACK.id, PACK.hash, given, room_plan or RoomPlan(), names, (None,) * seats, SEED)
        )

    state: RoomState | None
    sights: dict[Audience, Any]

    def apply(self, given: Input) -> Version:
        before = decode_state(encode(self.state)) if self.state is not None else None
        self.at += 1_000
        self.version = next_version(self.ruleset, before, self.sights, given, self.at, f"tip{self.at}")
        self.state, self.sights = self.version.state, self.version.sights
        return self.version

    def start(self) -> Story:
        assert self.state is not None
        for seat, place in enumerate(self.state.seats):
            if place.bot is None:
                self.apply(Sit(seat, f"P{seat}"))
                self.apply(Prepare(seat, True))
        return self

    def frame(self, audience: Audience = None) -> dict[str, Any]:
        frames = self.version.entry.frames
        told: dict[str, Any] = msgpack.unpackb(frames[0 if audience is None else audience + 1])
        return told

    def answer(self, seat: int, *picks: str | int, by: str = "player") -> Version:
        assert self.version.position is not None
        asked = self.version.position.of(seat)
        assert asked is not None
        return self.apply(Play((Choice(seat, asked.id, picks),), (by,)))

    @property
    def room(self) -> RoomState:
        assert self.state is not None
        return self.state


def test_a_new_room_shows_its_commitment_and_nothing_of_the_seed() -> None:
    story = Story()
    frame = story.frame()
    assert frame["zones"]["room"]["commitment"] == commitment("room", SEED).hex()
    assert SEED.hex() not in repr(frame)
    assert (frame["v"], frame["zones"]["room"]["status"]) == (1, "lobby")


def test_seats_are_taken_freed_and_taken_again() -> None:
    story = Story()
    story.apply(Sit(1, "Ann"))
    assert [seat["taken"] for seat in story.frame()["zones"]["room"]["seats"]] == [False, True]
    assert story.frame()["events"] == [{"event": "seat_taken", "seat": 1, "name": "Ann"}]
    story.apply(Stand(1))
    assert [seat["taken"] for seat in story.frame()["zones"]["room"]["seats"]] == [False, False]


def test_the_last_seat_to_be_ready_starts_the_match_in_that_version() -> None:
    story = Story().start()
    assert story.room.status == "playing"
    assert [event["event"] for event in story.frame()["events"]][:2] == ["seat_ready", "match_started"]


def test_nobody_starts_while_a_seat_is_free_or_not_ready() -> None:
    story = Story()
    story.apply(Sit(0, "Ann"))
    story.apply(Prepare(0, True))
    assert story.room.status == "lobby"
    story.apply(Sit(1, "Bob"))
    story.apply(Prepare(0, False))
    story.apply(Prepare(1, True))
    assert story.room.status == "lobby"


def test_entropy_is_told_to_all_as_it_comes_and_changes_the_chance() -> None:
    keys = []
    for entropy in (b"", b"e" * 16, b"f" * 16):
        story = Story(seats=1)
        story.apply(Sit(0, "Ann"))
        story.apply(Prepare(0, True, entropy))
        told = story.frame()["events"][0]
        assert told.get("entropy") == (entropy.hex() or None)
        assert story.room.record is not None
        keys.append(story.room.record.key)
    assert len(set(keys)) == 3


def test_decks_are_not_kept_in_a_room_that_plays() -> None:
    story = Story()
    rules = ProbeDecks()
    pack = next(iter(rules.packs().values()))
    story.ruleset = Ruleset(rules, pack)
    deck = next(iter(rules.ready_decks(pack).values()))
    for seat in (0, 1):
        story.apply(Sit(seat, "P", deck))
        story.apply(Prepare(seat, True))
    assert story.room.status == "playing"
    assert [seat.deck for seat in story.room.seats] == [None, None]


def test_an_idle_lobby_has_a_deadline_that_every_change_moves() -> None:
    story = Story()
    assert deadline_of(story.room) == story.at + LOBBY_MS
    story.apply(Sit(0, "Ann"))
    assert deadline_of(story.room) == story.at + LOBBY_MS


def test_a_prompt_has_the_games_time_or_the_rooms() -> None:
    assert deadline_of(Story().start().room) == 1_000_000 + 5_000 + 20_000
    assert deadline_of(Story(room_plan=RoomPlan(decision_s=7)).start().room) == 1_000_000 + 5_000 + 7_000


def test_a_held_prompt_has_its_hold_and_a_bot_its_pause() -> None:
    held = Story(plan=["hold"], hold_ms=400).start()
    assert deadline_of(held.room) == held.at + 400
    bot = Story(bots={0: "eager"}, room_plan=RoomPlan(bot_ms=123)).start()
    assert deadline_of(bot.room) == bot.at + 123


def test_a_room_of_bots_alone_begins_at_once() -> None:
    story = Story(bots={0: "eager", 1: "eager"}, room_plan=RoomPlan(bot_ms=50))
    assert (story.room.status, story.room.v) == ("playing", 1)
    assert deadline_of(story.room) == story.at + 50
    assert [event["event"] for event in story.frame()["events"]][:2] == ["room_opened", "match_started"]


def test_a_seat_that_has_not_answered_keeps_its_deadline_when_another_answers() -> None:
    story = Story(plan=["both"]).start()
    before = {due.seat: due.at for due in story.room.due}
    story.answer(0, "1")
    assert {due.seat: due.at for due in story.room.due} == {1: before[1]}


def test_a_part_answer_only_shortens_who_is_waited_for() -> None:
    story = Story(plan=["both"]).start()
    story.answer(0, "2")
    frame = story.frame(1)
    assert frame["zones"] == {}
    assert "events" not in frame
    assert [waiting["seat"] for waiting in frame["waiting_for"]] == [1]


def test_strikes_count_expiries_in_a_row() -> None:
    story = Story(laps=10, seats=1).start()
    story.answer(0, 5, by="clock")
    story.answer(0, 5, by="clock")
    assert story.room.seats[0].strikes == 2
    story.answer(0, 5)
    assert story.room.seats[0].strikes == 0


def test_resigning_ends_a_match_of_two() -> None:
    story = Story().start()
    story.apply(Play((gone_choice(0, "resigned"),), ("player",)))
    result = story.frame()["zones"]["room"]["result"]
    assert (result["status"], result["winners"]) == ("resigned", [1])
    assert deadline_of(story.room) is None


def test_the_last_version_is_followed_by_the_end_with_the_seed() -> None:
    story = Story().start()
    assert story.version.entry.ended == ()
    story.apply(Close("void", "tests"))
    public, seats = map(msgpack.unpackb, story.version.entry.ended)
    assert public == seats
    assert (public["t"], public["status"], public["seed"]) == ("ended", "void", SEED)


def test_a_replay_for_seats_only_gives_the_public_no_seed() -> None:
    story = Story(room_plan=RoomPlan(replays="seats")).start()
    story.apply(Close("void", "tests"))
    public, seats = map(msgpack.unpackb, story.version.entry.ended)
    assert "seed" not in public
    assert seats["seed"] == SEED


@pytest.mark.parametrize("given", [Sit(0, "X"), Stand(0), Prepare(0, True)])
def test_the_lobby_is_closed_once_the_match_plays(given: Input) -> None:
    story = Story().start()
    with pytest.raises(Refused, match="as it is"):
        story.apply(given)


@pytest.mark.parametrize("given", [Sit(0, "X"), Play((), ()), Close("void", "again")])
def test_a_room_that_is_over_takes_nothing(given: Input) -> None:
    story = Story()
    story.apply(Close("aborted", "tests"))
    with pytest.raises(Refused):
        story.apply(given)


def test_a_room_whose_rules_raise_can_still_be_ended_and_shown() -> None:
    story = Story(plan=["number", "crash"]).start()
    with pytest.raises(Exception, match="cannot be reached"):
        story.answer(0, 5)
    story.ruleset = Ruleset(_Raising(), PACK)
    position, sights = sights_at(story.ruleset, story.room)
    assert position is None
    assert sights[None].zones.keys() == {"room"}
    story.apply(Close("void", "rule_fault"))
    assert story.frame()["zones"]["room"]["result"]["reason"] == "rule_fault"


class _Raising(Probe):
    """Probe whose views raise."""

    def view(self, match: Any, state: Any, seat: int | None) -> dict[str, Any]:
        raise RuntimeError("on purpose")


def test_frames_hold_only_zones_that_changed_and_snapshots_all() -> None:
    story = Story(laps=3).start()
    story.answer(0, 5)
    assert set(story.frame()["zones"]) < set(story.sights[None].zones)
    whole = msgpack.unpackb(snapshot(story.room, story.sights[None], "joined"))
    assert whole["why"] == "joined"
    assert set(whole["zones"]) == set(story.sights[None].zones)


def test_every_audience_gets_every_version() -> None:
    story = Story().start()
    assert len(story.version.entry.frames) == 3
    assert {msgpack.unpackb(frame)["v"] for frame in story.version.entry.frames} == {story.room.v}


def test_a_reserved_seat_is_shown_as_such_while_it_is_free_and_stays_reserved() -> None:
    story = Story()
    opening = Open(
        "room", "probe", 1, PACK.id, PACK.hash, story.room.options, RoomPlan(), (None, None), (None, None), SEED, (1,)
    )
    story.state = None
    shown = []
    for given in (opening, Sit(1, "Bob"), Stand(1)):
        story.apply(given)
        shown.append([seat.get("reserved", False) for seat in story.frame()["zones"]["room"]["seats"]])
    assert shown == [[False, True], [False, False], [False, True]]


def test_an_end_by_an_operator_tells_its_text_to_all() -> None:
    story = Story().start()
    story.apply(Close("void", "operator", "a power cut"))
    for audience in (None, 0, 1):
        result = story.frame(audience)["zones"]["room"]["result"]
        assert (result["status"], result["reason"], result["details"]) == ("void", "operator", {"text": "a power cut"})
