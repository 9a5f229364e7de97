"""Games that were played, on the start page: found, read, taken home, printed, deleted."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from msgspec import Struct
from playwright.async_api import Browser, Locator, Page, expect

from engine.events import DealScored
from server.log import SqliteLog
from server.replay_messages import ArchivePage, Evening, GameSheet
from server.take_home import FORMATS
from tests.e2e.conftest import ROOT, Served
from tests.e2e.screens import Phone, phone, television
from tests.server.games import TOKENS, keep, stored, won

FILES = {
    "t1000": "Game record",
    "jsonl": "Every event",
    "csv": "Score sheet",
    "html": "Replay in one file",
}
GAMES = 2


def answer(served: Served, path: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{served.port}{path}")


def archive(served: Served) -> ArchivePage:
    return msgspec.json.decode(answer(served, "/api/archive").content, type=ArchivePage)


class Played(Struct, frozen=True):
    """A box, and the code of its room in which robots have won two games."""

    served: Served
    code: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    server = Served(tmp_path_factory.mktemp("played") / "data")
    server.start()
    command = [sys.executable, "-m", "server", "rehearse", f"http://127.0.0.1:{server.port}"]
    command += ["--rooms", "1", "--games", str(GAMES), "--profile", "ru-3"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120, stdout=subprocess.DEVNULL)
    yield Played(server, archive(server).games[0].code)
    server.stop()


async def kept(served: Served) -> None:
    """The box has a finished game of room KVRT, in which Anna holds the first of `TOKENS`."""
    served.stop()
    log = SqliteLog(served.data)
    await keep(log, stored(won()))
    log.close()
    served.start()


async def opens_archive(page: Page, served: Served) -> None:
    await page.goto(served.url)
    await page.get_by_role("button", name="Games played here").click()


async def test_games_are_found_by_the_whole_name_of_a_player(browser: Browser, played: Played):
    served, code = played.served, played.code
    async with phone(browser) as each:
        page = each.page
        await opens_archive(page, served)
        listed = page.get_by_role("link", name=re.compile("Robot 1.*Robot 2|Robot 2.*Robot 1"))
        await expect(listed).to_have_count(GAMES)
        for game in archive(served).games:
            (winner,) = game.winners
            row = page.locator(f'a[href="/#{code}-{game.number}"]')
            await expect(row).to_contain_text(f"{game.names[winner]} wins")
            await expect(row).to_contain_text(f"ru-3 v1 · {game.deals} deals")
            for total in game.totals:
                await expect(row).to_contain_text(str(abs(total)))

        await listed.last.click()
        await each.button("Games played here").click()
        await expect(listed.last).to_be_in_viewport()

        await page.get_by_role("textbox", name="Name of a player").fill("Robot")
        await each.button("Find").click()
        await expect(page.get_by_text("No finished game with Robot.")).to_be_visible()
        await expect(listed).to_have_count(0)

        await page.get_by_role("textbox", name="Name of a player").fill("robot 2")
        await each.button("Find").click()
        await expect(page.get_by_text("2 games with robot 2")).to_be_visible()
        await expect(listed).to_have_count(GAMES)
        assert not each.errors


async def test_a_game_shows_its_sheet_and_every_number_its_sum(browser: Browser, played: Played):
    served, code = played.served, played.code
    path = f"/api/rooms/{code}/games/1/sheet"
    told = msgspec.json.decode(answer(served, path).content, type=GameSheet)
    async with phone(browser) as each:
        page = each.page
        await page.goto(f"{served.url}/#{code}-1")
        await expect(page.get_by_role("heading", name=re.compile("wins$"))).to_be_visible()
        await expect(page.get_by_text(re.compile(r"20\d\d · ru-3 v1"))).to_be_visible()

        deal, sum_told = reckoned(told.sheet.deals)
        name = f"Sum of {told.game.names[deal.declarer or 0]} in deal {deal.number}:"
        await each.button(re.compile(re.escape(name))).click()
        await expect(page.get_by_text(sum_told)).to_be_visible()

        # The chart, for who cannot see it.
        chart = page.get_by_role("table", name="Totals after each deal")
        rows = chart.get_by_role("row")
        await expect(rows).to_have_count(1 + len(told.sheet.deals))
        last = [line.after.score for line in told.sheet.deals[-1].lines]
        cells = await rows.last.get_by_role("cell").all_inner_texts()
        assert [int(cell.replace("−", "-")) for cell in cells] == last == list(told.game.totals)

        replay = page.get_by_role("link", name="Watch it again")
        await expect(replay).to_have_attribute("href", f"/{code}/replay/1")
        await each.button("Games played here").click()
        await expect(page.locator(f'a[href="/#{code}-1"]')).to_be_visible()
        assert not each.errors


def reckoned(deals: tuple[DealScored, ...]) -> tuple[DealScored, str]:
    """A deal that was played with a contract, and how the declarer's sum ends."""
    for deal in deals:
        if deal.outcome == "played" and deal.declarer is not None and deal.contract is not None:
            line = deal.lines[deal.declarer]
            raw = line.cards + line.melds
            sign = "≥" if raw >= deal.contract else "<"
            return deal, f"{raw} {sign} {deal.contract}"
    raise AssertionError("robots play at least one contract")


@pytest.mark.parametrize("kind", FILES)
async def test_a_game_is_taken_home_with_and_without_names(
    browser: Browser, played: Played, kind: str, tmp_path: Path
):
    served, code = played.served, played.code
    async with phone(browser) as each:
        page = each.page
        await page.goto(f"{served.url}/#{code}-2")
        file = await downloaded(page, served, kind, tmp_path)
        assert file.name == f"prikup-{code}-2.{kind}"
        assert "Robot 3" in await said(each, file)

        await page.get_by_role("switch", name="Without names").click()
        file = await downloaded(page, served, kind, tmp_path)
        assert file.name == f"prikup-2.{kind}"
        text = await said(each, file)
        assert "Robot" not in text
        assert code not in text
        assert not each.errors


async def downloaded(page: Page, served: Served, kind: str, to: Path) -> Path:
    """The file in the folder `to`, once its type is as it should be."""
    link = page.get_by_role("link", name=FILES[kind])
    async with page.expect_download() as info:
        await link.click()
    download = await info.value
    address = await link.get_attribute("href") or ""
    assert answer(served, address).headers["content-type"] == FORMATS[kind]
    await download.save_as(to / download.suggested_filename)
    return to / download.suggested_filename


async def said(each: Phone, file: Path) -> str:
    """The text of a file; of a page what it shows, and says, at the beginning of the game."""
    if file.suffix != ".html":
        return await asyncio.to_thread(file.read_text)
    page = await each.context.new_page()
    await page.goto(file.as_uri())
    await expect(page.get_by_role("main")).to_be_visible()
    text = await page.locator("body").aria_snapshot()
    await page.close()
    return text


async def test_paper_has_the_sheet_and_nothing_to_tap(browser: Browser, played: Played):
    served, code = played.served, played.code
    async with phone(browser) as each:
        page = each.page
        await page.emulate_media(color_scheme="dark")
        await page.goto(f"{served.url}/#{code}-1")
        await expect(each.button("Print the sheet")).to_be_visible()

        await page.emulate_media(media="print", color_scheme="dark")

        await expect(page.get_by_role("columnheader", name="Robot 1").first).to_be_visible()
        await expect(page.get_by_text("880 barrel")).to_be_visible()
        await expect(page.get_by_text(re.compile(r"20\d\d · ru-3 v1"))).to_be_visible()
        for thing in ("Print the sheet", "What the marks mean"):
            await expect(page.get_by_role("button", name=thing)).to_be_hidden()
        await expect(page.get_by_role("link")).to_have_count(0)
        colour = "getComputedStyle(document.documentElement).backgroundColor"
        assert await page.evaluate(colour) == "rgb(255, 255, 255)"


async def test_the_evening_is_added_up_on_the_large_screen(browser: Browser, played: Played):
    served, code = played.served, played.code
    told = answer(served, f"/api/rooms/{code}/evening").content
    evening = msgspec.json.decode(told, type=Evening)
    async with television(browser) as table:
        await table.page.goto(f"{served.url}/{code}/table")

        sums = table.page.get_by_role("table", name=re.compile("This evening · 2 games"))
        wins = sums.get_by_role("row", name=re.compile("Games won")).get_by_role("cell")
        await expect(wins).to_have_text([str(player.won) for player in evening.players])
        assert not table.errors


async def test_a_table_is_deleted_by_the_second_tap_of_a_device_that_played(
    browser: Browser, served: Served
):
    await kept(served)
    async with phone(browser) as stranger:
        await stranger.page.goto(f"{served.url}/#KVRT-1")
        await expect(stranger.button("Print the sheet")).to_be_visible()
        await expect(delete(stranger)).to_have_count(0)

        # It believes that it sits there; the server knows better.
        await stranger.page.evaluate("localStorage.setItem('prikup.seats', 'KVRT')")
        await stranger.page.reload()
        await delete(stranger).click()
        await delete(stranger).click()
        await expect(stranger.page.get_by_text("Only a device whose player")).to_be_visible()

    async with phone(browser) as anna:
        page = anna.page
        await page.goto(served.url)
        await page.evaluate(KEEP_SEAT, TOKENS[0])
        await page.goto(f"{served.url}/KVRT")
        await page.get_by_role("link", name="Sheet, and files to take home").click()

        await delete(anna).click()
        await expect(delete(anna)).to_contain_text("tap again")
        assert len(archive(served).games) == 1
        await delete(anna).click()

        await expect(page.get_by_text("Table KVRT and its games are deleted.")).to_be_visible()
        await expect(page.get_by_text("No game has been finished here yet.")).to_be_visible()
        await expect(page.get_by_text("Your table")).to_have_count(0)
        assert archive(served).games == ()
        assert answer(served, "/api/rooms/KVRT").status_code == httpx.codes.NOT_FOUND
        await page.goto(f"{served.url}/#KVRT-1")
        await expect(page.get_by_text("This game is not here")).to_be_visible()


KEEP_SEAT = """token => fetch('/api/rooms/KVRT/seats', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
})"""


def delete(each: Phone) -> Locator:
    return each.page.get_by_role("button", name=re.compile("^Delete table KVRT"))


async def test_without_a_server_the_archive_says_so_and_tries_again(
    browser: Browser, served: Served
):
    await kept(served)
    async with phone(browser) as each:
        page = each.page
        await opens_archive(page, served)
        await expect(page.locator('a[href="/#KVRT-1"]')).to_be_visible()
        served.stop()

        await page.get_by_role("textbox", name="Name of a player").fill("Ben")
        await each.button("Find").click()
        await expect(page.get_by_text("The server does not answer.")).to_be_visible()

        served.start()
        await each.button("Try again").click()
        await expect(page.get_by_text("1 game with Ben")).to_be_visible()
