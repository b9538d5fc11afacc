"""Games are found by name: those of this distribution and those that others install."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from engines import registry
from engines.registry import UnknownGame, game, games


def test_games_of_other_distributions_are_found_by_entry_point() -> None:
    installed = {entry.name for entry in entry_points(group=registry.GROUP)}
    assert {"probe", "probe_cut", "probe_decks"} <= installed
    assert installed <= set(games())


def test_a_game_is_known_by_its_own_name() -> None:
    assert all(name == rules.name for name, rules in games().items())
    assert game("probe") is game("probe")


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownGame, match=r"no game 'chess'; there are: .*probe"):
        game("chess")


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BUILT_IN", ("probe:Probe",))
    with pytest.raises(ValueError, match="two games are called 'probe'"):
        games.__wrapped__()
