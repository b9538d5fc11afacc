"""Packs of operators in play: offered by the node that has the file, served by every node, and left alone by edits."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from engines.registry import games
from server.commands.own_server import own_server
from tests.e2e.insisting import finish, step
from tests.e2e.matches import Account, Connect, begin, come_back
from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Node


def _source(game: str, old: str, new: str) -> str:
    return next(iter(games()[game].packs().values())).source.decode().replace(old, new, 1)


def _packs(node: Node, game: str) -> dict[str, str]:
    return {pack["id"]: pack["hash"] for pack in node.http("GET", f"/v1/games/{game}").json()["packs"]}


async def test_a_pack_edited_in_mid_match_leaves_it_alone(
    start: Callable[..., Node], connect: Connect, account: Account, tmp_path: Path
) -> None:
    chance, file = random.Random(2), tmp_path / "packs" / "coals.toml"
    (file.parent / "knights").mkdir(parents=True)
    ours = _source("knights", 'id = "first-constellations"', 'id = "ours"')
    (file.parent / "knights" / "ours.toml").write_text(ours)
    file.write_text(_source("probe", 'id = "embers"', 'id = "coals"'))
    owner, other = start(packs_dir=file.parent), start()
    assert list(_packs(owner, "probe")) == ["embers", "frost", "coals"]
    assert "coals" not in _packs(other, "probe")
    await _is_played_by_bots(owner, connect, account, "ours")
    pinned = _packs(owner, "probe")["coals"]
    room, tokens, players = await begin((owner, other), connect, account, ["pick", "both", "dice"], pack="coals")
    watcher = await connect(other)
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for _ in range(3):
        await step(room, players, chance)

    file.write_text(_source("probe", 'id = "embers"', 'id = "coals"').replace("worth = 3", "worth = 9"))
    old = players[0]
    await old.close()
    assert owner.stop() == 0
    owner = start(packs_dir=file.parent)
    players[0] = await come_back(owner, connect, tokens[0], room, old)
    assert _packs(owner, "probe")["coals"] != pinned
    await finish(room, players, chance)
    await watcher.view(room, lambda view: "result" in view["zones"]["room"])
    assert {client.views[room]["zones"]["room"]["pack_hash"] for client in players} == {pinned}
    lines = [line for who, client in [*enumerate(players), ("public", watcher)] for line in recorded(client, room, who)]
    verify(other, room, tmp_path, {"all": lines})


async def _is_played_by_bots(node: Node, connect: Connect, account: Account, pack: str) -> None:
    """Check that a pack for knights brings its decks, to people and to bots."""
    catalogue = node.http("GET", "/v1/games/knights").json()
    decks = next(one["decks"] for one in catalogue["packs"] if one["id"] == pack)
    judged = {"game": "knights", "pack": pack, "deck": decks[0]}
    assert node.http("POST", "/v1/decks/validate", json=judged).json() == {"faults": []}
    assert node.http("POST", "/v1/decks/validate", json=judged | {"deck": {}}).json()["faults"] != []
    ann = await connect(node, account(node, "Ann"))
    seats = [{}, {"bot": catalogue["bots"][0]}]
    room = (await ann.ask({"t": "create", "game": "knights", "pack": pack, "seats": seats}))["room"]
    await ann.ask({"t": "join", "room": room})
    await ann.ask({"t": "ready", "room": room})
    view = await ann.view(room, lambda view: view["zones"]["room"]["status"] == "playing")
    assert view["zones"]["room"]["pack"] == pack


def test_a_command_that_starts_a_server_of_its_own_has_the_packs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coals.toml").write_text(_source("probe", 'id = "embers"', 'id = "coals"'))
    monkeypatch.setenv("SANCTUM_PACKS_DIR", str(tmp_path))
    with own_server() as url:
        packs = httpx.get(f"{url}/v1/games/probe", timeout=10).json()["packs"]
    assert "coals" in [pack["id"] for pack in packs]
