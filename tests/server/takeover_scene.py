"""Stories of rooms that newer rules take over, and which rules are installed meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from probe.newer import ProbeNewer

from engines import registry
from server.room import Ruleset, takeover_of
from server.state import Logged
from tests.server.test_room import PACK, Story

OLDER, NEWER = "probe:Probe", "probe.newer:ProbeNewer"
NEWER_RULES = Ruleset(ProbeNewer(), PACK)
Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Let exactly these rules be installed: ``install(OLDER, NEWER)``."""

    def only(*paths: str) -> None:
        monkeypatch.setattr(registry, "BUILT_IN", paths)
        monkeypatch.setattr(registry, "entry_points", lambda group: ())
        _forget()

    yield only
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    registry.editions.cache_clear()
    registry.games.cache_clear()


def taken_over(story: Story) -> Story:
    """Let the newer rules take a story over, as a room is."""
    story.ruleset = NEWER_RULES
    story.apply(takeover_of(story.room, 2))
    return story


def finished(story: Story) -> list[Logged]:
    """Play on to the end, the least number or first option always; gives what was logged since."""
    logged = []
    while story.room.status == "playing":
        asked = story.version.position.asked[0]  # type: ignore[union-attr]
        story.answer(asked.prompt.seat, *asked.prompt.default)
        logged.append(story.version.logged)
    return logged
