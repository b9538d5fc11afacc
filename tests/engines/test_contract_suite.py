"""The contract suite finds what it is for: every kind of leak and of broken promise, planted one at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from probe import Probe, ProbeCut, ProbeDecks, planted
from probe.leaks import LEAKS

from engines.registry import games
from engines.rules import Rules
from engines.testing import Effort, examine, transcript

ROOT = Path(__file__).parents[2]
PAIRED = Effort(shown=0, heavy=0, whole=0, pairs=8)
THOROUGH = Effort(heavy=0.2, pairs=2, limit=300)
BROKEN = Effort(heavy=0.02, pairs=0, limit=210)
DENSE = Effort(heavy=0.8, pairs=0)


def _promises(faults: list[str]) -> set[str]:
    return {fault.partition(":")[0] for fault in faults}


@pytest.mark.parametrize("rules", [Probe(), ProbeCut(), ProbeDecks()], ids=lambda rules: rules.name)
def test_an_honest_game_is_found_without_fault(rules: Rules) -> None:
    report = examine(rules, seed=3, matches=6)
    assert report.faults == []
    assert report.exchanges.conclusive > 20
    assert report.reshuffles.conclusive > 5


@pytest.mark.parametrize("leak", LEAKS)
def test_every_kind_of_leak_is_found(leak: str) -> None:
    """PR-6.1."""
    report = examine(Probe(), seed=3, matches=6, options=[Probe.Options(leak=leak)], effort=PAIRED)
    assert _promises(report.faults) in ({"exchanges"}, {"reshuffles"}, {"exchanges", "reshuffles"})


def test_nothing_leaks_without_a_leak() -> None:
    report = examine(Probe(), seed=3, matches=8, effort=PAIRED)
    assert report.faults == []


@pytest.mark.parametrize(
    ("rules", "promise"),
    [
        (planted.Scribbler, "submitting_changes_no_argument"),
        (planted.Loser, "no_invariant_is_broken"),
        (planted.Rememberer, "a_replay_gives_the_same_bytes"),
        (planted.Rememberer, "cold_is_hot"),
        (planted.Alias, "one_run_gives_the_same_bytes"),
        (planted.Sharer, "going_on_gives_the_same_bytes"),
        (planted.Floater, "frames_can_travel"),
        (planted.Giant, "frames_can_travel"),
        (planted.Glutton, "frames_can_travel"),
        (planted.Hoarder, "the_record_is_small"),
        (planted.Gossip, "all_at_once_see_what_each_sees"),
        (planted.Glancer, "looking_changes_nothing"),
        (planted.Twins, "prompts_are_well_formed"),
        (planted.Nameless, "prompts_are_well_formed"),
        (planted.Deaf, "seats_may_go_at_any_moment"),
        (planted.Mute, "every_refusal_is_explained"),
        (planted.Lawless, "foreign_answers_are_refused"),
        (planted.Cheated, "bots_answer_legally"),
        (planted.Credulous, "broken_decks_are_refused"),
        (planted.Careless, "broken_packs_are_refused"),
        (planted.Clumsy, "default_options_are_legal"),
        (planted.Sloppy, "exchanges"),
    ],
)
def test_every_planted_bug_is_found(rules: type[Rules], promise: str) -> None:
    report = examine(rules(), seed=3, matches=3, effort=THOROUGH)
    assert promise in _promises(report.faults), report.faults


@pytest.mark.parametrize(
    ("step", "promise", "says"),
    [
        ("raise", "every_offered_answer_is_accepted", "Broken"),
        ("deadline", "silence_ends_the_match", "Broken"),
        ("crash", "_plays", "Broken"),
        ("loop", "every_offered_answer_is_accepted", "Exhausted"),
        ("flood", "_plays", "at most 512"),
        ("nobody", "_plays", "asked nobody"),
        ("twice", "_plays", "one seat twice"),
        ("wrong", "_plays", "illegal default"),
        ("stray", "_plays", "an offer where"),
        ("endless", "_plays", "no end"),
        ("spin", "_plays", "LimitReached"),
    ],
)
def test_every_step_that_breaks_the_contract_is_found(step: str, promise: str, says: str) -> None:
    """PR-5.1 to PR-5.7."""
    options = [Probe.Options(plan=("pick", step), laps=3)]
    effort = BROKEN if step in ("endless", "spin") else DENSE
    report = examine(Probe(), seed=3, matches=4, options=options, effort=effort)
    assert [fault for fault in report.faults if fault.startswith(promise) and says in fault], report.faults


def test_a_card_that_is_shown_and_hidden_within_a_step_is_no_leak() -> None:
    assert examine(planted.Blinker(), seed=3, matches=6, effort=PAIRED).faults == []
    assert _promises(examine(planted.Winker(), seed=3, matches=6, effort=PAIRED).faults) >= {"exchanges"}


def test_a_run_in_which_an_act_means_nothing_says_nothing() -> None:
    report = examine(planted.Speller(), seed=3, matches=6, effort=PAIRED)
    assert report.faults == []
    assert report.exchanges.inconclusive > 10
    assert report.exchanges.conclusive > 10


def test_faults_name_the_match_in_which_they_were_found() -> None:
    first = examine(planted.Loser(), seed=5, matches=3, effort=PAIRED).faults
    assert first == examine(planted.Loser(), seed=5, matches=3, effort=PAIRED).faults
    assert all("[probe, seed 5, match " in fault for fault in first if fault.startswith("no_invariant"))


def test_a_game_that_depends_on_the_hash_seed_has_other_transcripts() -> None:
    command = "from probe import planted; from engines.testing import transcript; print(transcript(planted.Hasher()))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", command], env=os.environ | {"PYTHONHASHSEED": seed}, cwd=ROOT,
            capture_output=True, text=True, check=True, timeout=120,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }  # fmt: skip
    assert len(runs) > 1


def test_transcripts_differ_between_seeds() -> None:
    assert transcript(Probe(), seed=1, matches=1) != transcript(Probe(), seed=2, matches=1)


def test_the_test_games_are_registered_by_entry_points() -> None:
    assert {"probe", "probe_cut", "probe_decks"} <= set(games())
