"""The page in a real browser: lists, tables of every game, resume, hostile texts, figures, keyboard, small screens."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator

import jwt
import pytest
import pytest_asyncio
from playwright.async_api import Page, async_playwright, expect

from protocol.client.backoff import comes_back
from protocol.errors import CLOSES
from tests.e2e.rig import SECRET, Raw
from tests.page.conftest import chromium
from tests.page.town import NAMES, Tabs, Town
from tests.protocol.node_scripts import modules

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOSTILE = "<img src=x onerror=alert(1)>"
DRAWN = {
    "disciple": ".column h3", "knights": ".spaces", "patron": ".meter", "sanctuary": "svg.map polygon",
    "relay": ".zone",
}  # fmt: skip
"""What the table of each game cannot do without; the last brings no ``table.js``."""
SEATS = {"sanctuary": NAMES}


def operator(**claims: object) -> str:
    """Make a token as an identity provider would."""
    return jwt.encode({"sub": "op", "exp": int(time.time()) + 600, "scope": "operator", **claims}, SECRET, "HS256")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town() -> AsyncIterator[Town]:
    found = Town()
    yield found
    await found.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def matches(town: Town) -> dict[str, str]:
    """One match of each game, in its middle."""
    rooms = {game: town.match(game, SEATS.get(game, NAMES[:2]))["room"] for game in DRAWN}
    await asyncio.gather(*map(town.until_middle, rooms.values()))
    return rooms


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tabs(town: Town) -> AsyncIterator[Tabs]:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        found = Tabs(browser, town)
        yield found
        await browser.close()


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def closed_tabs(tabs: Tabs) -> AsyncIterator[None]:
    yield
    await tabs.close()


async def test_the_list_shows_rooms_in_play_and_leads_to_them(tabs: Tabs, matches: dict[str, str]) -> None:
    page = await tabs.open()
    row = page.locator(f'#playing tr[data-room="{matches["disciple"]}"]')
    await expect(row).to_contain_text("The Way of the Disciple")
    await expect(row).to_contain_text("Ada")
    await expect(page.locator("#count-playing")).to_have_text(str(len(matches)))
    await row.get_by_role("link").click()
    await expect(page.locator("#watch-title")).to_contain_text("The Way of the Disciple")
    await expect(page.locator("#watch-title")).to_be_focused()
    await page.go_back()
    await expect(page.locator("#rooms-title")).to_be_visible()
    assert tabs.complaints == []


@pytest.mark.parametrize("game", DRAWN)
async def test_a_live_match_is_drawn_as_its_table_and_told(tabs: Tabs, matches: dict[str, str], game: str) -> None:
    page = await tabs.watch(matches[game])
    assert await page.locator(f"#table {DRAWN[game]}").count() > 0
    await expect(page.locator("#seats .seat")).to_have_count(len(SEATS.get(game, NAMES[:2])))
    await expect(page.locator("#watch-state")).to_have_text("Live")
    await expect(page.locator("#log .line").nth(1)).to_be_attached()
    assert "undefined" not in (text := await page.locator("main").inner_text())
    assert "[object" not in text
    assert tabs.complaints == []


async def test_a_game_of_another_distribution_is_drawn_by_itself_and_may_fail(tabs: Tabs, town: Town) -> None:
    made = town.match("probe")
    page = await tabs.watch(made["room"])
    await expect(page.locator("#table .heading")).to_contain_text("Step")
    await expect(page.locator("#log .line", has_text="probe: ").first).to_be_visible()
    await expect(page.locator("#log .line", has_text="Scored: seat").first).to_be_visible()  # told by its fields
    assert [text for text in tabs.complaints if "probe cannot tell this" not in text] == []


async def test_a_pause_holds_the_table_and_going_on_catches_up(tabs: Tabs, matches: dict[str, str]) -> None:
    page = await tabs.watch(matches["relay"])
    await page.locator("#log .line").first.wait_for()
    await page.get_by_role("button", name="Pause").click()
    lines = await page.locator("#log .line").count()
    other = await tabs.watch(matches["relay"])
    await other.locator("#log .line").nth(1).wait_for()
    assert await page.locator("#log .line").count() == lines
    await page.get_by_role("button", name="Go on").click()
    await expect(page.locator("#log .line").nth(lines + 1)).to_be_attached()


async def test_what_was_opened_in_a_table_stays_open_while_it_is_drawn_anew(
    tabs: Tabs, matches: dict[str, str]
) -> None:
    page = await tabs.watch(matches["sanctuary"])
    summary = page.locator("#table details summary").first
    await summary.focus()
    await page.keyboard.press("Enter")
    lines = await page.locator("#log .line").count()
    await expect(page.locator("#log .line").nth(lines + 1)).to_be_attached()
    await expect(summary).to_be_focused()
    await expect(page.locator("#table .listing").first).to_be_visible()


async def test_names_and_talk_stay_text(tabs: Tabs, town: Town) -> None:
    made = town.match("relay", (HOSTILE, "Ada"))
    page = await tabs.watch(made["room"])
    await expect(page.locator("#seats")).to_contain_text(HOSTILE)
    player = await Raw.open(town.node, made["tokens"][0])
    await player.ask({"t": "join", "room": made["room"], "seat": 0})
    await player.ask({"t": "say", "room": made["room"], "text": "</p><script>alert(2)</script>"})
    await expect(page.locator("#log .talk")).to_contain_text(f"{HOSTILE}: </p><script>alert(2)</script>")
    await player.close()
    assert await page.locator("main img, main script").count() == 0
    assert tabs.complaints == []


async def test_a_private_room_is_watched_by_its_code_which_is_not_in_the_address(tabs: Tabs, town: Town) -> None:
    made = town.match("relay", private=True)
    page = await tabs.open()
    await page.get_by_role("textbox", name="Room", exact=True).fill(made["room"])
    await page.get_by_label("Code").fill(made["code"])
    await page.get_by_role("button", name="Watch").click()
    await page.locator("#table .board").wait_for()
    assert made["code"] not in page.url
    stranger = await tabs.open(f"#room={made['room']}")
    await expect(stranger.locator("#table")).to_contain_text("There is no such room")
    assert tabs.complaints == []


async def test_a_room_with_a_delay_says_so_and_comes_when_it_is_due(tabs: Tabs, town: Town) -> None:
    made = town.match("relay", delay_s=3)
    page = await tabs.open(f"#room={made['room']}")
    await expect(page.locator("#table")).to_contain_text("nothing is due yet")
    await page.locator("#table .board").wait_for()
    await expect(page.locator("#watch-facts")).to_contain_text("shown 3 s late")
    assert tabs.complaints == []


async def test_whoever_watches_to_the_end_is_led_to_the_rematch(tabs: Tabs, town: Town) -> None:
    made = town.match("relay")
    page = await tabs.watch(made["room"])
    player = await Raw.open(town.node, made["tokens"][0])
    await player.ask({"t": "join", "room": made["room"], "seat": 0})
    await player.ask({"t": "resign", "room": made["room"]})
    await expect(page.locator("#result")).to_contain_text("has won")
    following = (await player.ask({"t": "rematch", "room": made["room"]}))["room"]
    await page.locator("#next").click()
    await expect(page.locator("#watch-title")).to_contain_text(following)
    await player.close()
    assert tabs.complaints == []


async def test_an_operator_sees_figures_move_and_others_do_not(tabs: Tabs, town: Town, matches: dict[str, str]) -> None:
    page = await tabs.open("#operator")
    await page.get_by_label("Operator’s token").fill(operator(scope="player"))
    await page.get_by_role("button", name="Show figures").click()
    await expect(page.locator("#operator-state")).to_contain_text("scope")
    await expect(page.locator("#charts figure")).to_have_count(0)
    tabs.complaints.clear()  # the browser notes the 403 itself
    await page.get_by_label("Operator’s token").fill(operator())
    await page.keyboard.press("Enter")
    await expect(page.locator("#charts figure")).to_have_count(9)
    choices = page.locator("figure", has_text="Choices")
    await choices.locator("summary").click()
    await expect(choices.locator("tbody tr").first).to_be_visible()
    assert float(await choices.locator("tbody td").first.inner_text()) > 0
    drawn = page.get_by_role("img", name=re.compile(r"Delivery: now p50 [\d.k]+, p99 [\d.k]+ ms"))
    await expect(drawn).to_have_count(1)
    assert await page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
    await page.reload()
    await expect(page.locator("#charts figure")).to_have_count(9)
    await page.get_by_role("button", name="Forget").click()
    assert await page.evaluate("sessionStorage.length") == 0
    assert tabs.complaints == []


async def test_whoever_has_only_a_keyboard_gets_everywhere_and_sees_where(tabs: Tabs, matches: dict[str, str]) -> None:
    page = await tabs.open()
    await page.locator(f'#playing tr[data-room="{matches["relay"]}"]').wait_for()
    seen: list[str] = []
    for _ in range(40):
        await page.keyboard.press("Tab")
        at = await page.evaluate(FOCUSED)
        if at is None:
            break  # past the last one: no trap
        assert at["outline"] != "none", at
        seen.append(at["name"])
    assert seen[:4] == ["Skip to the content", "Sanctum", "Rooms", "Operator"]
    assert f"Watch room {matches['relay']}" in seen
    assert seen[-1] == "Watch"
    await page.keyboard.press("Tab")
    await page.locator(".skip").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()


FOCUSED = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  return {name: at.getAttribute("aria-label") ?? at.textContent.trim(), outline: getComputedStyle(at).outlineStyle};
}"""


async def test_the_log_can_be_scrolled_by_keyboard_and_is_read_out(tabs: Tabs, matches: dict[str, str]) -> None:
    page = await tabs.watch(matches["patron"])
    log = page.get_by_role("log", name="Events")
    assert await log.get_attribute("aria-live") == "polite"
    await log.focus()
    await expect(log).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(log).not_to_be_focused()


async def everywhere(page: Page, matches: dict[str, str]) -> AsyncIterator[str]:
    """Lead a tab to each view of the page in turn."""
    yield ""
    await page.evaluate("location.hash = 'operator'")
    await page.get_by_label("Operator’s token").fill(operator())
    yield "token"
    await page.keyboard.press("Enter")
    await page.locator("#charts figure").first.wait_for()
    yield "figures"
    for game, room in matches.items():
        await page.evaluate("room => location.hash = `room=${room}`", room)
        await expect(page.locator("#watch-title")).to_contain_text(room)
        await page.locator(f"#table {DRAWN[game]}").first.wait_for()
        yield game


async def test_nothing_is_wider_than_a_small_phone(tabs: Tabs, matches: dict[str, str]) -> None:
    page = await tabs.open(width=320)
    await page.locator("#playing tbody tr").first.wait_for()
    async for at in everywhere(page, matches):
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320, at


async def test_axe_finds_nothing_to_mend_in_light_or_dark(tabs: Tabs, matches: dict[str, str]) -> None:
    axe = (modules() / "axe-core" / "axe.min.js").read_text()
    page = await tabs.open(reduced_motion="reduce")
    await page.evaluate(axe)
    await page.locator("#playing tbody tr").first.wait_for()
    async for at in everywhere(page, matches):
        for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = await page.evaluate(AXE, rules)
            assert found == [], f"{at}, {scheme}"


AXE = """async (rules) => {
  const found = await axe.run({resultTypes: ["violations"], ...(rules ? {runOnly: rules} : {})});
  return found.violations.map(({id, nodes}) => [id, nodes[0].html, nodes[0].failureSummary]);
}"""


async def test_nothing_moves_for_whoever_wants_no_motion(tabs: Tabs, matches: dict[str, str]) -> None:
    page = await tabs.watch(matches["relay"])
    line = page.locator("#log .line").first
    for wish, name in (("reduce", "none"), ("no-preference", "come")):
        await page.emulate_media(reduced_motion=wish)
        assert await line.evaluate("line => getComputedStyle(line).animationName") == name


async def test_the_page_comes_back_by_the_same_close_codes_as_every_client(tabs: Tabs) -> None:
    page: Page = await tabs.open()
    said = await page.evaluate(
        "codes => import('/page/link.js').then(({comesBack}) => codes.map(comesBack))", [*CLOSES, 1005, 1006, 1013]
    )
    assert said == [comes_back(code) for code in [*CLOSES, 1005, 1006, 1013]]
    waits = await page.evaluate(
        "() => import('/page/link.js').then(({pause}) => [1, 2, 9].flatMap(n => [pause(n, 0), pause(n, 1)]))"
    )
    assert waits == [250, 500, 500, 1_000, 15_000, 30_000]


async def test_a_watched_match_goes_on_without_a_gap_after_the_server_was_killed(tabs: Tabs, town: Town) -> None:
    made = town.match("relay", pause_s=0.15)
    page = await tabs.watch(made["room"])
    town.restart()
    await expect(page.locator("#watch-state")).not_to_have_text("Live")
    await expect(page.locator("#watch-state")).to_have_text("Live")
    lines = await page.locator("#log .line").count()
    await expect(page.locator("#log .line").nth(lines + 3)).to_be_attached()
    told = [int(v) for v in await page.locator("#log .line:has-text('Placed') .v").all_inner_texts()]
    assert told == list(range(told[0], told[0] + len(told)))
    assert await page.locator("#log .note").count() == 0
    asked = {"Authorization": f"Bearer {operator()}"}
    assert town.node.http("GET", "/v1/operator/figures", headers=asked).json()["resumes"] > 0
