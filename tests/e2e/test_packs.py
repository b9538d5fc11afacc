"""Packs of operators in play: offered by the node that has the file, served by every node, and left alone by edits."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines.registry import games
from server.commands.own_server import own_server
from tests.e2e.insisting import finish, insist, step
from tests.e2e.recording import recorded, verify
from tests.e2e.rig import Node, Raw

Connect = Callable[..., Any]
Account = Callable[[Node, str], str]


def _source(game: str, old: str, new: str) -> str:
    return next(iter(games()[game].packs().values())).source.decode().replace(old, new, 1)


def _packs(node: Node, game: str) -> dict[str, str]:
    return {pack["id"]: pack["hash"] for pack in node.http("GET", f"/v1/games/{game}").json()["packs"]}


async def _begin(nodes: tuple[Node, Node], connect: Connect, account: Account) -> tuple[str, list[str], list[Raw]]:
    """Start a match by the pack `coals`, a player on each node."""
    tokens = [account(nodes[0], name) for name in ("Ann", "Bob")]
    players = [await connect(node, token) for node, token in zip(nodes, tokens, strict=True)]
    options = {"plan": ["pick", "both", "dice"], "laps": 4, "target": 1_000}
    create = {"t": "create", "game": "probe", "pack": "coals", "options": options, "seats": [{}, {}]}
    room = (await players[0].ask(create))["room"]
    for client in players:
        assert (await client.ask({"t": "join", "room": room}))["t"] == "ok"
    for client in players:
        await client.ask({"t": "ready", "room": room})
    for client in players:
        await client.view(room, lambda view: view["zones"]["room"]["status"] == "playing")
    return room, tokens, players


async def test_a_pack_edited_in_mid_match_leaves_it_alone(
    start: Callable[..., Node], connect: Connect, account: Account, tmp_path: Path
) -> None:
    chance, file = random.Random(2), tmp_path / "packs" / "coals.toml"
    file.parent.mkdir()
    file.write_text(_source("probe", 'id = "embers"', 'id = "coals"'))
    owner, other = start(packs_dir=file.parent), start()
    assert list(_packs(owner, "probe")) == ["embers", "frost", "coals"]
    assert "coals" not in _packs(other, "probe")
    pinned = _packs(owner, "probe")["coals"]
    room, tokens, players = await _begin((owner, other), connect, account)
    watcher = await connect(other)
    await watcher.ask({"t": "join", "room": room, "role": "spectator"})
    for _ in range(3):
        await step(room, players, chance)

    file.write_text(_source("probe", 'id = "embers"', 'id = "coals"').replace("worth = 3", "worth = 9"))
    old = players[0]
    await old.close()
    assert owner.stop() == 0
    owner = start(packs_dir=file.parent)
    view = old.views[room]
    players[0] = await connect(owner, tokens[0])
    players[0].views[room], players[0].frames[room] = view, old.frames[room]
    await insist(players[0], {"t": "join", "room": room, "since": {"v": view["v"], "tip": view["tip"]}})
    assert _packs(owner, "probe")["coals"] != pinned
    await finish(room, players, chance)
    await watcher.view(room, lambda view: "result" in view["zones"]["room"])
    assert {client.views[room]["zones"]["room"]["pack_hash"] for client in players} == {pinned}
    seen: dict[int | str, list[str]] = {at: recorded(client, room, at) for at, client in enumerate(players)}
    verify(other, room, tmp_path, seen | {"public": recorded(watcher, room, "public")})


async def test_a_pack_of_ones_own_brings_its_decks_and_is_played_by_bots(
    start: Callable[..., Node], connect: Connect, account: Account, tmp_path: Path
) -> None:
    (tmp_path / "knights").mkdir()
    (tmp_path / "knights" / "ours.toml").write_text(_source("knights", 'id = "first-constellations"', 'id = "ours"'))
    node = start(packs_dir=tmp_path)
    catalogue = node.http("GET", "/v1/games/knights").json()
    ours = next(pack for pack in catalogue["packs"] if pack["id"] == "ours")
    judged = {"game": "knights", "pack": "ours", "deck": ours["decks"][0]}
    assert node.http("POST", "/v1/decks/validate", json=judged).json() == {"faults": []}
    assert node.http("POST", "/v1/decks/validate", json=judged | {"deck": {}}).json()["faults"] != []
    ann = await connect(node, account(node, "Ann"))
    seats = [{}, {"bot": catalogue["bots"][0]}]
    room = (await ann.ask({"t": "create", "game": "knights", "pack": "ours", "seats": seats}))["room"]
    await ann.ask({"t": "join", "room": room})
    await ann.ask({"t": "ready", "room": room})
    view = await ann.view(room, lambda view: view["zones"]["room"]["status"] == "playing")
    assert view["zones"]["room"]["pack"] == "ours"


def test_a_command_that_starts_a_server_of_its_own_has_the_packs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coals.toml").write_text(_source("probe", 'id = "embers"', 'id = "coals"'))
    monkeypatch.setenv("SANCTUM_PACKS_DIR", str(tmp_path))
    with own_server() as url:
        packs = httpx.get(f"{url}/v1/games/probe", timeout=10).json()["packs"]
    assert "coals" in [pack["id"] for pack in packs]
