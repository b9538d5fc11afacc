"""A choice is run from the checkpoint, is taken whole or not at all, and only if it answers an open prompt."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from probe.breaks import Broken
from probe.driver import Driver

from engines import flow
from engines.flow import Diverged, Illegal, LimitReached, RuleFault, load, submit
from engines.record import Choice, decode_record, encode
from engines.rules import Exhausted


def _refused(game: Driver, *choices: Choice) -> str:
    before = encode(game.record)
    with pytest.raises(Illegal) as caught:
        game.submit(*choices)
    assert encode(game.record) == before
    return caught.value.why


def test_a_match_begins_with_its_first_prompts() -> None:
    game = Driver("pick", "number")
    assert game.asked(0).prompt.kind == "pick"
    assert game.asked(0).id == 1
    assert game.position.of(1) is None
    assert game.told(None) == ["shuffled", "shuffled", *["drawn"] * 6]
    assert game.record.choices == ()


def test_an_answer_at_the_end_of_a_step_moves_the_checkpoint() -> None:
    game = Driver("number", "long")
    before = game.record
    game.take(0, 3)
    assert game.record.choices == ()
    assert game.record.base != before.base
    assert game.record.counter == before.counter + 1
    assert game.record.total == 1


def test_an_answer_in_the_middle_of_a_step_is_kept_beside_the_checkpoint() -> None:
    game = Driver("long")
    before = game.record
    first = game.choice(0, "again")
    game.submit(first)
    assert game.record.choices == (first,)
    assert game.record.base == before.base
    assert game.asked(0).id == 2


def test_a_warm_position_goes_on_to_the_same_bytes_and_is_used_up() -> None:
    game = Driver("long", "number")
    warm, choice = game.position, game.choice(0, "again")
    cold = submit(game.rules, game.match, game.record, [choice])
    gone_on = submit(game.rules, game.match, game.record, [choice], warm)
    assert encode(gone_on.record) == encode(cold.record)
    assert (gone_on.position.table, warm.run) == (warm.table, None)
    assert encode(submit(game.rules, game.match, game.record, [choice], warm).record) == encode(cold.record)


def test_a_warm_position_of_another_record_is_left_alone() -> None:
    game = Driver("long")
    warm, record, choice = game.position, game.record, game.choice(0, "again")
    game.submit(choice)
    step = submit(game.rules, game.match, game.record, [game.choice(0, "again")], warm)
    assert warm.run is not None
    assert warm.record == record
    assert len(step.record.choices) == 2


def test_only_what_the_latest_choice_led_to_is_told() -> None:
    game = Driver("offer", "long")
    assert game.take(0, "more").told(None) == ["beat"]
    assert game.take(0, "more").told(None) == ["beat"]
    assert game.take(0, "done").told(None) == []


def test_a_loaded_record_stands_where_the_step_left_it() -> None:
    game = Driver("long", "pick").take(0, "again")
    position = load(game.rules, game.match, decode_record(encode(game.record)))
    assert position.asked == game.position.asked
    assert encode(position.table.state) == encode(game.state)


def test_an_answer_under_an_old_or_unknown_id_is_stale() -> None:
    game = Driver("long")
    first = game.choice(0, "again")
    game.submit(first)
    assert _refused(game, first) == "stale"
    assert _refused(game, Choice(0, 9, ("1",))) == "stale"


def test_a_seat_that_is_not_asked_is_refused() -> None:
    game = Driver("pick")
    assert [_refused(game, Choice(seat, 1, ("1",))) for seat in (1, -1, 2)] == ["not_yours"] * 3


def test_an_answer_that_does_not_fit_its_prompt_is_refused_by_its_fault() -> None:
    game = Driver("pick", "number")
    asked = game.asked(0)
    for picks, why in (((), "count"), (("99",), "illegal"), (("1", "1"), "duplicate")):
        assert _refused(game, Choice(0, asked.id, picks)) == why


def test_nothing_is_taken_after_the_end() -> None:
    game = Driver("number").take(0, 2)
    assert game.position.outcome is not None
    assert game.position.asked == ()
    assert _refused(game, Choice(0, 1, (2,))) == "over"
    assert _refused(game, Choice(0, gone="resigned")) == "over"


def test_a_loaded_match_that_is_over_stays_over() -> None:
    game = Driver("number").take(0, 2)
    position = load(game.rules, game.match, game.record)
    assert position.outcome == game.position.outcome
    assert position.asked == ()


def test_the_illegal_choice_carries_the_prompt_that_is_open() -> None:
    game = Driver("pick")
    with pytest.raises(Illegal) as caught:
        game.submit(Choice(0, 7, ("1",)))
    assert caught.value.asked == game.asked(0)


def test_answers_of_several_seats_stay_private_until_all_are_in() -> None:
    game = Driver("both", "dice", "pick", seats=3)
    before = [encode(game.rules.view(game.match, game.state, seat)) for seat in (None, 0, 1, 2)]
    game.take(2, "lay")
    assert game.told(None) == []
    assert [waiting.seat for waiting in game.seen(None).waiting] == [0, 1]
    assert [encode(game.rules.view(game.match, game.state, seat)) for seat in (None, 0, 1, 2)] == before
    assert _refused(game, Choice(2, 1, ("1",))) == "not_yours"
    game.take(0, "pass").take(1, "lay")
    assert game.told(None)[:2] == ["discarded", "discarded"]


def test_arrival_order_of_simultaneous_answers_changes_nothing() -> None:
    one, other = Driver("both", "pick"), Driver("both", "pick")
    one.take(0, "lay").take(1, "lay")
    other.take(1, "lay").take(0, "lay")
    assert encode(one.record) == encode(other.record)
    assert one.step.events == other.step.events


def test_answers_given_in_one_go_end_as_if_given_one_by_one() -> None:
    one, other = Driver("both", "long"), Driver("both", "long")
    choices = [one.choice(0, "lay"), one.choice(1, "pass")]
    one.submit(*choices)
    other.submit(choices[0]).submit(choices[1])
    assert encode(one.record) == encode(other.record)


def test_the_first_of_an_any_of_goes_on_and_the_others_may_still_answer() -> None:
    game = Driver("offer", seats=3)
    snap = game.asked(2).id
    game.take(1, "snap")
    assert game.told(None) == ["scored"]
    assert game.position.of(1) is None
    assert game.asked(2).id == snap


def test_an_offer_that_stands_unchanged_keeps_its_id_beyond_the_checkpoint() -> None:
    game = Driver("offer", laps=2, seats=3)
    snap = game.asked(2).id
    game.take(0, "done")
    assert game.record.standing != ()
    assert game.asked(2).id == snap
    cold = load(game.rules, game.match, decode_record(encode(game.record)))
    assert cold.asked == game.position.asked


def test_an_offer_that_was_withdrawn_between_has_a_new_id() -> None:
    game = Driver("offer", "pick", "offer", seats=3)
    snap = game.asked(2).id
    game.take(0, "done").take(1, "pass")
    assert game.asked(0).id == snap + 1


def test_a_later_choice_whose_prompt_has_gone_is_left_out() -> None:
    game = Driver("offer", "pick", seats=3)
    done, snap = game.choice(0, "done"), game.choice(1, "snap")
    game.submit(done, snap)
    assert game.record.total == 1
    assert game.state.scores == [0, 0, 0]


def test_the_first_choice_of_several_has_to_fit() -> None:
    game = Driver("offer", "pick")
    assert _refused(game, Choice(0, 5, ("1",)), game.choice(0, "done")) == "stale"


def test_a_later_loss_of_a_seat_that_is_lost_is_left_out() -> None:
    game = Driver("offer", "pick", seats=3)
    game.submit(Choice(1, gone="timeout"), Choice(1, gone="timeout"), game.choice(0, "more"))
    assert game.record.total == 2


@pytest.mark.parametrize(
    ("step", "answers", "error"),
    [
        ("raise", ["raise"], Broken), ("loop", ["loop"], Exhausted),
    ],
)  # fmt: skip
def test_an_answer_at_which_a_rule_raises_changes_nothing(step: str, answers: list[str], error: Any) -> None:
    """PR-5.1, PR-5.4."""
    game = Driver(step, "pick")
    before = encode(game.record)
    with pytest.raises(error):
        game.take(0, *answers)
    assert encode(game.record) == before
    assert game.take(0, "fine").asked(1).prompt.kind == "pick"


def test_a_rule_that_raises_at_silence_leaves_the_other_answer_open() -> None:
    """PR-5.2."""
    game = Driver("deadline", "pick")
    with pytest.raises(Broken):
        game.submit(Choice(0, game.asked(0).id, game.asked(0).prompt.default))
    assert game.take(0, "fine").asked(1).prompt.kind == "pick"


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("flood", "at most 512"), ("nobody", "asked nobody"), ("twice", "one seat twice"),
        ("wrong", "illegal default: count"), ("stray", "an offer where everybody has to answer"),
    ],
)  # fmt: skip
def test_a_rule_that_asks_wrongly_is_a_fault(step: str, says: str) -> None:
    """PR-5.5."""
    game = Driver("number", step)
    with pytest.raises(RuleFault, match=says):
        game.take(0, 2)


def test_a_rule_that_asks_a_seat_that_is_gone_for_ever_runs_out_of_fuel() -> None:
    """PR-5.7: even a question without options costs something."""
    game = Driver("spin", seats=3).take(0, 1)
    with pytest.raises(Exhausted):
        game.leave(0)


def test_an_action_has_at_most_200_choices() -> None:
    game = Driver("long", tricks=300)
    for _ in range(flow.MAX_PENDING):
        game.take(0, "again")
    with pytest.raises(LimitReached, match="one action"):
        game.take(0, "again")


def test_a_match_has_at_most_20_000_choices() -> None:
    game = Driver("long")
    game.go_on_from(msgspec.structs.replace(game.record, total=flow.MAX_CHOICES))
    with pytest.raises(LimitReached, match="a match"):
        game.take(0, "again")


def test_choices_that_no_longer_fit_are_a_divergence() -> None:
    game = Driver("long", "pick").take(0, "again")
    record = msgspec.structs.replace(game.record, choices=(Choice(0, 1, ("7",)),))
    with pytest.raises(Diverged, match="does not fit: illegal"):
        load(game.rules, game.match, record)


def test_choices_beyond_the_next_checkpoint_are_a_divergence() -> None:
    game = Driver("long", "pick")
    record = msgspec.structs.replace(game.record, choices=(game.choice(0, "stop"),))
    with pytest.raises(Diverged, match="past the next checkpoint"):
        load(game.rules, game.match, record)


def test_decks_are_forgotten_once_the_match_has_begun() -> None:
    game = Driver("pick")
    assert game.position.table.match.decks == ()


def test_the_same_arguments_give_the_same_bytes() -> None:
    game = Driver("pick", "dice", "pick")
    choice = game.choice(0, "pass")
    steps = [submit(game.rules, game.match, game.record, [choice]) for _ in range(2)]
    assert encode(steps[0].record) == encode(steps[1].record)
    assert steps[0].events == steps[1].events
