"""The page as files: headers, caching, games' drawings, the wheel; how it is left out; and the figures it draws."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import jwt
import pytest
from starlette.applications import Starlette

from engines.registry import games
from engines.sanctuary.maps import shipped_maps
from server.page import files
from tests.e2e.rig import SECRET, Node, guest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "server" / "page" / "static"


@pytest.fixture
def page() -> httpx.AsyncClient:
    """Ask the page's routes without a socket."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(Starlette(routes=files.routes())), base_url="http://page")


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A server whose page is left out."""
    found = Node(None, {"page": "off"}, tmp_path_factory.mktemp("server"))
    yield found
    assert found.stop() == 0


@pytest.mark.parametrize("path", ["/", "/page/page.js", "/page/page.css", "/page/icon.svg", "/games/patron/table.js"])
async def test_nothing_is_sent_without_a_strict_policy(page: httpx.AsyncClient, path: str) -> None:
    answer = await page.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_browser_keeps_a_file_until_it_changes(page: httpx.AsyncClient) -> None:
    first = await page.get("/page/link.js")
    assert first.headers["cache-control"] == "no-cache"
    again = await page.get("/page/link.js", headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert (await page.get("/page/link.js", headers={"if-none-match": '"other"'})).status_code == 200


@pytest.mark.parametrize(
    "path", ["/page/nothing.js", "/page/..%2f__init__.py", "/page/files.py", "/games/nim/table.js"]
)
async def test_what_is_not_of_the_page_is_not_there(page: httpx.AsyncClient, path: str) -> None:
    assert (await page.get(path)).status_code == 404


@pytest.mark.parametrize("game", sorted(games()))
async def test_every_game_is_drawn_by_its_own_module_or_the_plain_one(page: httpx.AsyncClient, game: str) -> None:
    sent = (await page.get(f"/games/{game}/table.js")).text
    own = Path(str(sys.modules[type(games()[game]).__module__].__file__)).with_name("table.js")
    assert sent.encode() == (own.read_bytes() if own.exists() else files.PLAIN)
    assert re.search(r"export (function table|const table|\{ line, table \})", sent)


def test_a_game_of_another_distribution_brings_its_table_in_the_folder_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "chequers"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "game.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert files.drawing_of("chequers.game") is None
    (folder / "table.js").write_text("export const table = 1;")
    assert files.drawing_of("chequers.game") == files.drawing_of("chequers") == b"export const table = 1;"
    assert files.drawing_of("chequers_that_are_not_there") is None


def test_nothing_in_the_page_is_read_as_markup_or_comes_from_elsewhere() -> None:
    for path in [*STATIC.iterdir(), *ROOT.glob("engines/*/table.js")]:
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:"):
            assert word not in text, f"{path}: {word}"
    index = (STATIC / "index.html").read_text()
    assert re.findall(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src=\"/page/)", index) == []


def test_the_maps_of_sanctuary_are_drawn_as_they_are_printed() -> None:
    text = (ROOT / "engines" / "sanctuary" / "table.js").read_text()
    for name, ground in shipped_maps().items():
        printed = ", ".join(f'"{space}"' for space in ground.printed)
        bonuses = ", ".join(f'{bonus.space}: "{type(bonus.effect).__struct_config__.tag}"' for bonus in ground.bonuses)
        assert f"{name}: {{ printed: [{printed}], bonuses: {{ {bonuses} }} }}" in text


def test_the_wheel_has_the_page_and_the_tables(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert {f"server/page/static/{path.name}" for path in STATIC.iterdir()} <= packed
    assert {str(path.relative_to(ROOT)) for path in ROOT.glob("engines/*/table.js")} <= packed


def test_the_page_can_be_left_out(node: Node) -> None:
    for path in ("/", "/page/page.js", "/games/patron/table.js"):
        assert node.http("GET", path).status_code == 404
    assert node.http("GET", "/v1/rooms").status_code == 200


@pytest.mark.parametrize(("scope", "status"), [("operator", 200), ("player operator", 200), ("player", 403)])
def test_figures_are_for_operators(node: Node, scope: str, status: int) -> None:
    token = jwt.encode({"sub": "op", "exp": int(time.time()) + 60, "scope": scope}, SECRET, "HS256")
    answer = node.http("GET", "/v1/operator/figures", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status
    assert ("sockets" in answer.json()) is (status == 200)


def test_figures_are_not_for_guests_nor_for_nobody(node: Node) -> None:
    asked = {"Authorization": f"Bearer {guest(node)}"}
    assert node.http("GET", "/v1/operator/figures", headers=asked).status_code == 403
    assert node.http("GET", "/v1/operator/figures").status_code == 401


def test_figures_and_metrics_count_rooms_alike(node: Node) -> None:
    asked = {"Authorization": f"Bearer {guest(node)}"}
    for number, plan in enumerate(({}, {"private": True}, {"private": True})):
        body = {"game": "relay", "seats": [{}, {}], "room": plan}
        made = node.http("POST", "/v1/rooms", json=body, headers={**asked, "Idempotency-Key": str(number)})
        assert made.status_code == 201
    token = jwt.encode({"sub": "op", "exp": int(time.time()) + 60, "scope": "operator"}, SECRET, "HS256")
    told = node.http("GET", "/v1/operator/figures", headers={"Authorization": f"Bearer {token}"}).json()
    assert told["rooms"] == {"open": 1, "in_play": 0, "unlisted": 2}
    assert told["commits"] == told["commit"]["counts"][-1] == 3
    assert len(told["commit"]["counts"]) == len(told["commit"]["upto_us"]) + 1
    text = node.http("GET", "/metrics").text
    assert 'sanctum_rooms{state="unlisted"} 2.0' in text
    assert "sanctum_delivery_seconds_bucket" in text
