"""Games are found by name: those of this distribution and those that others install."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points

import pytest
from probe import Probe
from probe.newer import ProbeNewer

from engines import registry
from engines.registry import UnknownGame, edition, editions, game, games, successor


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


@pytest.fixture
def three_versions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Probe in the versions 1, 2 (which reads 1) and 3 (which reads 2)."""
    monkeypatch.setattr(registry, "BUILT_IN", (ProbeNewer, Newest))
    monkeypatch.setattr(registry, "_load", lambda kind: kind)
    for cached in (editions, games):
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in (editions, games):
        cached.cache_clear()


class Newest(ProbeNewer):
    version = 3
    reads = frozenset({2})


def test_versions_of_a_game_stand_side_by_side_and_new_rooms_get_the_newest(three_versions: None) -> None:
    assert sorted(editions()["probe"]) == [1, 2, 3]
    assert game("probe").version == games()["probe"].version == 3
    assert [type(edition("probe", version)) for version in (1, 2, 3, 4)] == [Probe, ProbeNewer, Newest, type(None)]
    assert edition("chess", 1) is None


def test_the_heir_of_a_version_is_one_that_declares_to_read_it(three_versions: None) -> None:
    heirs = [successor("probe", version) for version in (1, 2, 3)]
    assert [heir and heir.version for heir in heirs] == [2, 3, None]
    assert successor("chess", 1) is None


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BUILT_IN", ("probe:Probe",))
    with pytest.raises(ValueError, match="two games are called 'probe'"):
        editions.__wrapped__()
