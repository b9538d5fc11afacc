"""Newer rules take rooms over that are pinned to older ones: silently at rest, else back to the checkpoint."""

from __future__ import annotations

from typing import Any

import msgpack
import msgspec
import pytest
from probe import ProbeDecks
from probe.newer import ProbeNewer

from engines.chance import REWIND_STRIDE
from engines.flow import hold
from engines.record import Choice, encode
from engines.rules import Fault, Outcome, Pack
from protocol.http import Replay
from protocol.messages import RoomPlan
from server import replay
from server.frames import snapshot
from server.room import Ruleset, takeover_of
from server.state import Open, Prepare, Rewind, Sit, Takeover, decode_logged
from tests.server.takeover_scene import NEWER, OLDER, Install, finished, install, taken_over
from tests.server.test_replay import lines
from tests.server.test_room import PACK, Story

__all__ = ["install"]


def at_rest(**options: Any) -> Story:
    return Story(laps=3, **options).start()


def in_mid_action() -> Story:
    story = Story(plan=["long"], tricks=9).start()
    story.answer(0, "2")
    return story


def prompt_of(story: Story) -> int:
    return story.version.position.asked[0].id  # type: ignore[union-attr]


def counter_of(story: Story) -> int:
    assert story.room.record is not None
    return story.room.record.counter


def test_at_rest_nothing_is_told_and_no_chance_is_drawn_anew() -> None:
    story = at_rest()
    before = counter_of(story)
    taken_over(story)
    assert (story.room.rules, counter_of(story)) == (2, before)
    assert "events" not in story.frame()
    assert "why" not in story.frame()


def test_at_rest_the_same_is_asked_anew_so_that_no_old_answer_means_something_else() -> None:
    story = at_rest()
    before = prompt_of(story)
    taken_over(story)
    assert prompt_of(story) > before
    assert story.frame(0)["prompt"]["id"] == prompt_of(story)


def test_every_zone_is_told_as_newer_rules_show_it() -> None:
    for story in (at_rest(), in_mid_action()):
        taken_over(story)
        whole = msgpack.unpackb(snapshot(story.room, story.sights[None], "joined"))
        assert story.frame()["zones"] == whole["zones"]
        assert story.frame()["zones"]["course"]["edition"] == 2
        assert story.frame()["zones"]["room"]["rules"] == 2


def test_in_mid_action_the_match_is_rewound_with_fresh_chance_and_all_are_told() -> None:
    story = in_mid_action()
    before = prompt_of(story)
    taken_over(story)
    assert story.frame()["why"] == "rewound"
    told = [event["event"] for event in story.frame()["events"]]
    assert told == ["rewound", "step"]
    assert counter_of(story) % REWIND_STRIDE == 0 < counter_of(story)
    assert prompt_of(story) > before
    assert story.answer(0, "1").state.v == story.room.v


def test_what_is_done_again_after_a_rewind_is_told_again() -> None:
    story = Story(plan=["both"], laps=3).start()
    story.answer(0, "1")
    taken_over(story)
    assert [event["event"] for event in story.frame()["events"]] == ["rewound", "step"]
    assert [waiting["seat"] for waiting in story.frame()["waiting_for"]] == [0, 1]


def test_an_early_answer_that_waits_is_no_choice_so_its_moment_stays_secret() -> None:
    story = Story(plan=["hold"], hold_ms=400).start()
    position = story.version.position
    assert position is not None
    asked = position.asked[0]
    story.room.record = hold(position, Choice(asked.prompt.seat, asked.id, asked.prompt.default))
    assert takeover_of(story.room, 2) == Takeover(2)
    taken_over(story)
    assert story.room.record is not None
    assert story.room.record.held == ()


def test_everybody_has_a_whole_turn_afterwards() -> None:
    for story in (at_rest(), in_mid_action()):
        story.at += 15_000
        taken_over(story)
        assert [due.at for due in story.room.due] == [story.at + 20_000]


def test_a_match_goes_on_to_its_end() -> None:
    for story in (at_rest(), in_mid_action()):
        finished(taken_over(story))
        assert story.room.status == "finished"


@pytest.mark.parametrize(
    ("story", "given"),
    [(at_rest, Rewind(2)), (in_mid_action, Takeover(2)), (at_rest, Takeover(1)), (at_rest, Takeover(3))],
)
def test_nothing_else_rewinds_or_takes_over(story: Any, given: Takeover | Rewind) -> None:
    told = story()
    taken_over_by = story()
    taken_over(taken_over_by)
    told.ruleset = taken_over_by.ruleset
    with pytest.raises(ValueError, match="do not go on from"):
        told.apply(given)
    with pytest.raises(ValueError, match="do not go on from"):
        taken_over_by.apply(takeover_of(taken_over_by.room, 2))


class _Over(ProbeNewer):
    """Newer rules by which every match is over."""

    def outcome(self, match: Any, state: Any, gone: Any) -> Outcome:
        return Outcome((0,), "points", (1, 2))


def test_a_match_that_is_over_by_newer_rules_ends_with_the_takeover() -> None:
    story = at_rest()
    story.ruleset = Ruleset(_Over(), PACK)
    story.apply(takeover_of(story.room, 2))
    assert (story.room.status, story.room.due) == ("finished", [])
    assert story.version.entry.ended != ()


# ---- the lobby -------------------------------------------------------------------------------------------------


def test_a_lobby_goes_on_as_it_is() -> None:
    story = Story()
    story.apply(Sit(0, "Ann"))
    story.apply(Prepare(0, True))
    taken_over(story)
    assert [seat["ready"] for seat in story.frame()["zones"]["room"]["seats"]] == [True, False]
    story.apply(Sit(1, "Bob"))
    story.apply(Prepare(1, True))
    assert (story.room.status, story.frame()["zones"]["course"]["edition"]) == ("playing", 2)


class _Stricter(ProbeDecks):
    """Probe with decks, where the deck `last` is not legal any more."""

    version = 2
    reads = frozenset({1})

    def deck_faults(self, pack: Pack, deck: Any) -> list[Fault]:
        banned = deck == self.ready_decks(pack)["last"]
        return [Fault("banned", "deck", "not any more")] if banned else super().deck_faults(pack, deck)


def test_whose_deck_newer_rules_do_not_allow_is_not_ready() -> None:
    older, story = ProbeDecks(), Story()
    pack = next(iter(older.packs().values()))
    decks = older.ready_decks(pack)
    story.ruleset = Ruleset(older, pack)
    bots = (None, None, "eager")
    story.state, story.sights = None, {}
    given = (None, None, decks["last"])
    story.apply(Open("room", "probe_decks", 1, pack.id, pack.hash, {}, RoomPlan(), bots, given, bytes(32)))
    for seat, name in enumerate(("first", "last")):
        story.apply(Sit(seat, "P", decks[name]))
    story.apply(Prepare(1, True))
    story.ruleset = Ruleset(_Stricter(), pack)
    story.apply(Takeover(2))
    assert [seat.deck for seat in story.room.seats] == [decks["first"], None, decks["first"]]
    assert story.frame()["events"] == [{"event": "seat_ready", "seat": 1, "ready": False}]
    story.apply(Prepare(0, True))
    story.apply(Prepare(1, True, deck=decks["first"]))
    assert story.room.status == "playing"


# ---- replays ---------------------------------------------------------------------------------------------------


def told(story: Story) -> tuple[Replay, list[bytes]]:
    """Give the replay of a match that newer rules took over, and the frames of seat 0."""
    apply, logged, frames = story.apply, [story.version.logged], [story.version.entry.frames[1]]

    def keep(given: Any) -> Any:
        version = apply(given)
        logged.append(version.logged)
        frames.append(version.entry.frames[1])
        return version

    story.apply = keep  # type: ignore[method-assign]
    story.start()
    story.answer(0, "2" if story.room.options["plan"] == ["long"] else 5)
    finished(taken_over(story))
    return replay.replay_of(story.room, PACK.source, [decode_logged(encode(entry)) for entry in logged]), frames


@pytest.mark.parametrize(("plan", "counted"), [(["number"], (1, 0)), (["long"], (0, 1))])
def test_a_replay_over_a_takeover_verifies_where_both_rules_are(
    install: Install,
    plan: list[str],
    counted: tuple[int, int],
) -> None:
    install(OLDER, NEWER)
    found, frames = told(Story(plan=plan, laps=3))
    assert replay.verify(found, lines(frames)) == replay.Verdict(len(found.inputs), len(frames), None, *counted)
    assert replay.verify(replay.read(msgspec.json.encode(found))).difference is None


@pytest.mark.parametrize(("installed", "missing"), [((NEWER,), 1), ((OLDER,), 2)])
def test_where_rules_are_missing_it_cannot_be_checked_and_they_are_named(
    install: Install,
    installed: tuple[str, ...],
    missing: int,
) -> None:
    install(*installed)
    found, _ = told(Story(laps=3))
    with pytest.raises(replay.CannotCheck, match=rf"by probe rules 1 and 2; rules {missing} are missing here"):
        replay.verify(found)
