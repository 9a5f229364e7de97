"""A game that was played, played again: by keys, by touch, and as a file without any network."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import Struct
from playwright.async_api import Browser, Page, Route, expect

from engine.cards import Card
from engine.views import GameView
from server.replay.deltas import applied
from server.replay_messages import ArchivePage, GameSummary, Replay
from tests.e2e.conftest import ROOT, Served
from tests.e2e.screens import PHONE, TELEVISION, Phone, phone, television
from tests.e2e.test_evening import open_room

NAMES = ("Anna", "Ben", "Carla")
PAGE, DEAL = 150_000, 3_300
"""Bytes of a file at most: without a game, and for each deal; 30 of them stay below 250 000."""


class Played(Struct, frozen=True):
    """A box, a game that robots have won there, and its replay."""

    served: Served
    game: GameSummary
    replay: Replay

    @property
    def address(self) -> str:
        return f"{self.served.url}/{self.game.code}/replay/{self.game.number}"

    def view(self, viewer: int, step: int) -> GameView:
        """What the viewer of that number saw at `step`, by the patches of its chapter."""
        first = max(one.first for one in self.replay.chapters if one.first <= step)
        shown: Any = None
        for patches in self.replay.games[first : step + 1]:
            shown = applied(shown, msgspec.json.decode(patches[viewer]))
        return msgspec.convert(shown, GameView)

    @property
    def winner(self) -> str:
        return self.game.names[self.game.winners[0]]


def answer(served: Served, path: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{served.port}{path}")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    server = Served(tmp_path_factory.mktemp("replayed") / "data")
    server.start()
    command = [sys.executable, "-m", "server", "rehearse", f"http://127.0.0.1:{server.port}"]
    command += ["--rooms", "1", "--games", "1", "--profile", "ru-3"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120, stdout=subprocess.DEVNULL)
    server.stop()  # after a restart no game may go on that is over
    server.start()
    page = msgspec.json.decode(answer(server, "/api/archive").content, type=ArchivePage)
    game = page.games[0]
    path = f"/api/rooms/{game.code}/games/{game.number}/replay?undone=1"
    yield Played(server, game, msgspec.json.decode(answer(server, path).content, type=Replay))
    server.stop()


async def presses(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def cards_on(page: Page) -> set[str]:
    """The cards that lie open in hands."""
    places = await page.locator('[data-place^="hand:"]').evaluate_all(
        "all => all.map(one => one.dataset.place)"
    )
    return {place.removeprefix("hand:") for place in places}


def values(cards: tuple[Card, ...]) -> set[str]:
    return {card.value for card in cards}


async def opened(page: Page, played: Played) -> list[str]:
    """The replay is on the screen; what goes wrong in it is told in the list."""
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    await page.goto(played.address)
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    return failed


async def test_with_a_seats_eyes_there_is_only_that_seats_hand(browser: Browser, played: Played):
    first = played.replay.chapters[1].first
    async with phone(browser) as each:
        failed = await opened(each.page, played)
        await presses(each.page, "Control+ArrowRight")
        for step in range(first, first + 16):
            assert await cards_on(each.page) == set()  # the table's
            hands = set()
            for seat in range(3):
                await presses(each.page, "v")
                hand = values(played.view(seat + 1, step).hand)
                await expect(each.page.locator('[data-place^="hand:"]')).to_have_count(len(hand))
                assert await cards_on(each.page) == hand
                hands |= hand
            await presses(each.page, "v")  # all hands
            assert await cards_on(each.page) == hands
            await presses(each.page, "v", "ArrowRight")
        assert failed == []


async def test_cards_that_were_barred_are_dimmed_for_the_one_on_turn(
    browser: Browser, played: Played
):
    step, seat, view = next(
        (step, seat, view)
        for step in range(len(played.replay.steps))
        for seat in range(3)
        if (view := played.view(seat + 1, step)).may.barred
    )
    async with phone(browser) as each:
        await opened(each.page, played)
        await presses(each.page, *["ArrowRight"] * step)
        for name in (f"Robot {seat + 1}", "All hands"):
            await each.page.get_by_role("radio", name=name).check(force=True)
            dimmed = each.page.locator('.card.off[data-place^="hand:"]')
            await expect(dimmed).to_have_count(len(view.may.barred))
            places = await dimmed.evaluate_all("all => all.map(one => one.dataset.place.slice(5))")
            assert set(places) == {one.card.value for one in view.may.barred}


async def test_how_it_ended_is_hidden_until_it_is_reached(browser: Browser, played: Played):
    page_title = f"Replay · {played.game.code} · Prikup"
    async with phone(browser) as each:
        page = each.page
        await opened(page, played)
        await presses(page, "Control+ArrowRight", "Control+ArrowRight")
        await page.get_by_role("button", name="Deals and tricks").tap()
        deals = page.get_by_role("dialog").get_by_role("listitem")
        await expect(deals).to_have_count(len(played.replay.chapters))
        told = await deals.all_inner_texts()
        assert told[1].splitlines()[1:] != []
        assert all(re.fullmatch(r"Deal \d+", each.split("\n")[0]) for each in told[1:])
        assert [text for text in told[3:] if "\n" in text.strip()] == []
        assert await page.title() == page_title

        await page.get_by_role("switch", name="Show how the deals ended").tap()
        told = await deals.all_inner_texts()
        assert [text for text in told[1:] if "\n" not in text.strip()] == []
        await presses(page, "Escape", "End")
        await expect(page.get_by_role("heading", name=played.winner)).to_be_visible()
        assert await page.title() == page_title


async def test_it_is_played_by_touch(browser: Browser, played: Played):
    async with phone(browser) as each:
        page = each.page
        failed = await opened(page, played)
        await page.get_by_role("button", name="To the next trick").tap()
        await expect(page.get_by_text(f"deal 1 of {played.game.deals}")).to_be_visible()
        place = page.get_by_role("slider")
        at = int(await place.input_value())
        await page.get_by_role("button", name="One step on").tap()
        await expect(place).to_have_value(str(at + 1))
        await page.get_by_role("button", name="One step back").tap()
        await expect(place).to_have_value(str(at))
        for speed in ("1×", "2×", "3×"):
            await page.get_by_role("button", name=f"Speed {speed}").tap()
        await page.get_by_role("button", name="Play", exact=True).tap()
        await expect(place).not_to_have_value(str(at))
        await page.get_by_role("button", name="Pause").tap()
        assert int(await place.input_value()) > at

        await page.get_by_role("button", name="Deals and tricks").tap()
        deals = page.get_by_role("dialog").get_by_role("button", name="Deal 3", exact=True)
        await deals.first.tap()  # a void deal has its number too
        await expect(page.get_by_text(f"deal 3 of {played.game.deals}")).to_be_visible()
        assert failed == []


async def test_every_step_is_told_in_words(browser: Browser, played: Played):
    async with phone(browser) as each:
        await opened(each.page, played)
        await presses(each.page, "Control+ArrowRight", "ArrowRight")
        heard = each.page.locator(".told [aria-live]")
        await expect(heard).to_have_text(re.compile(r"^Robot \d (calls 100|passes)\."))
        await presses(each.page, "/")
        await expect(each.page.get_by_role("dialog", name="Keys")).to_be_visible()


async def test_the_large_screen_draws_its_own_table(browser: Browser, played: Played):
    step = 1 + next(at for at, one in enumerate(played.replay.steps) if one.trick == 2)
    before = [one.first for one in played.replay.chapters[1:] if one.first <= step]
    async with television(browser) as screen:
        failed = await opened(screen.page, played)
        await presses(screen.page, *["Control+ArrowRight"] * len(before))
        await presses(screen.page, *["ArrowRight"] * (step - before[-1]))
        await expect(screen.page.locator(".round .felt .card")).to_have_count(2)
        await presses(screen.page, "v")
        hand = values(played.view(1, step).hand)
        await expect(screen.page.locator('[data-place^="hand:"]')).to_have_count(len(hand))
        assert await cards_on(screen.page) == hand
        await presses(screen.page, "End")
        await expect(screen.page.get_by_role("heading", name=played.winner)).to_be_visible()
        assert failed == screen.errors == []


async def test_a_file_plays_the_whole_game_from_disk_without_a_network(
    browser: Browser, played: Played, tmp_path: Path
):
    path = f"/api/rooms/{played.game.code}/games/{played.game.number}.html"
    file = tmp_path / "game.html"
    file.write_bytes(answer(played.served, path).content)
    size = file.stat().st_size
    print(f"{size} bytes, {played.game.deals} deals")  # noqa: T201  # how heavy a game is
    context = await browser.new_context(viewport=PHONE, locale="de-DE", reduced_motion="reduce")
    await context.set_offline(True)
    wanted: list[str] = []
    wrong: list[str] = []

    async def nothing(route: Route) -> None:
        wanted.append(route.request.url)
        await route.abort()

    await context.route(re.compile("^(?!file:)"), nothing)
    page = await context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    await page.goto(file.as_uri())
    await expect(page.get_by_text("Regeln: ru-3, Version")).to_be_visible()
    for name in played.game.names:
        await expect(page.get_by_role("heading").get_by_text(name)).to_be_visible()
    last = played.replay.chapters[-1]
    await presses(page, *["Control+ArrowRight"] * (len(played.replay.chapters) - 1))
    for _ in range(last.first, len(played.replay.steps)):
        await expect(page.get_by_role("heading", name="gewinnt")).to_have_count(0)
        await presses(page, "ArrowRight")
    await expect(page.get_by_role("heading", name=f"{played.winner} gewinnt")).to_be_visible()
    await page.set_viewport_size(TELEVISION)
    await expect(page.get_by_role("heading", name=f"{played.winner} gewinnt")).to_be_visible()
    assert (wanted, wrong) == ([], [])
    assert size < PAGE + DEAL * played.game.deals
    await context.close()


async def test_a_running_game_is_seen_by_its_players_alone_each_from_the_own_chair(
    browser: Browser, served: Served
):
    code = open_room(served, "ru-3")
    async with AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        await dealt(phones, f"{served.url}/{code}")
        for seat, each in enumerate(phones):
            game = each.game
            assert game is not None
            await each.page.goto(f"{served.url}/{code}/replay/1")
            await each.page.get_by_role("button", name="One step on").tap()
            await expect(each.page.locator('[data-place^="hand:"]')).to_have_count(7)
            assert await cards_on(each.page) == values(game.hand), seat
            await expect(each.page.get_by_role("radio")).to_have_count(0)
        stranger = await stack.enter_async_context(phone(browser))
        await stranger.page.goto(f"{served.url}/{code}/replay/1")
        await expect(
            stranger.page.get_by_role("heading", name="There is no such game")
        ).to_be_visible()


async def dealt(phones: list[Phone], url: str) -> None:
    """Three sit down, begin, and have their cards."""
    for each, name in zip(phones, NAMES, strict=True):
        await each.joins(url, name)
    for each in phones:
        await each.button(re.compile("^I’m ready")).click()
    await phones[0].button("Start").click()
    for each in phones:
        await each.reaches(1 + 2 * len(phones) + 1)
    dealer = next(each for each in phones if each.wish is not None)
    before = dealer.seq
    await dealer.button(re.compile("^(Next deal|Deal)")).click()
    for each in phones:
        await each.reaches(before + 1)
