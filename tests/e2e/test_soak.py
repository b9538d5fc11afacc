"""The soak, for some seconds: nodes killed, a Cluster that fails, releases in turn; and that it would tell."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from tests.e2e.soak.__main__ import checkout
from tests.e2e.soak.parts import cluster, kills, releases
from tests.e2e.soak.tally import Tally
from tests.valkey import Server
from tests.valkey_cluster import ValkeyCluster, cluster_servers, valkey_cluster  # noqa: F401 - fixtures

SECONDS = 3.0


def _found(tally: Tally) -> Tally:
    """Leave out what a short run does not tell."""
    assert tally.commands > 50
    return msgspec.structs.replace(tally, commands=0, rss_growth_pct=0.0)


async def test_nodes_killed_in_turn_lose_and_double_nothing(own_valkey: Server) -> None:
    assert _found(await kills(own_valkey.url, SECONDS, random.Random(1))) == Tally()


async def test_slots_that_migrate_and_a_primary_that_is_killed_lose_and_double_nothing(
    valkey_cluster: ValkeyCluster,  # noqa: F811
) -> None:
    assert _found(await cluster(valkey_cluster, SECONDS, random.Random(2))) == Tally()


async def test_a_rolling_restart_of_mixed_releases_loses_and_doubles_nothing(
    own_valkey: Server, tmp_path: Path
) -> None:
    assert _found(await releases(own_valkey.url, checkout("", tmp_path), SECONDS, random.Random(3))) == Tally()
