"""Some cells of the matrix in Chromium: a page on a game prepared in the log, the others robots."""

import asyncio
import re
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from engine.cards import Seat
from engine.commands import GiveCards
from engine.events import CardPlayed, CardsGiven
from engine.history import Entry, past_of
from engine.state import Room
from engine.views import GameView, game_view
from server.log import SqliteLog
from server.log.codec import encode, entries_of
from server.log.readonly import stored_in
from server.protocol import Done
from tests.e2e.conftest import Served
from tests.e2e.screens import PATIENCE, Phone, phone
from tests.matrix.device import Device
from tests.matrix.phases import PHASES, TOKENS, prepared
from tests.matrix.viewers import seat_as
from tests.support import RU_3

HANGS = 120
"""Seconds after which a cell hangs."""

CODE = "KVRT"

TAKE = re.compile("^Take the")

COMES_BACK = """
const now = Date.now
window.slept = 0
Date.now = () => now() + slept
if (!localStorage.getItem('prikup.seats')) {
  localStorage.setItem('prikup.seats', '%(code)s')
  localStorage.setItem('prikup.seat.%(code)s', '%(token)s')
}
"""
"""The page finds its token as on the evening before, and a clock that jumps while it sleeps."""

WAKES = "slept += 60_000, dispatchEvent(new Event('online'))"


class Sample:
    """A table in some phase: robots' phones on all chairs but `seat`, which a page has."""

    def __init__(self, data: Path, phase: str) -> None:
        self._data = data
        self.played = prepared(RU_3, next(one for one in PHASES if one.name == phase), Random(3))
        actor = seat_as("actor", self._room(self.played))
        assert actor is not None
        self.seat = actor
        self.robots: dict[Seat, Device] = {}
        self._way = ""

    async def stored(self) -> None:
        """The log holds the game so far."""
        log = SqliteLog(self._data)
        for entry in self.played:
            await log.append(CODE, entry.seq, encode(entry))
        log.close()

    async def sits_down(self, served: Served, page: Phone, stack: AsyncExitStack) -> None:
        """Robots and page come back with their tokens, and the page shows its hand."""
        self._way = f"127.0.0.1:{served.port}"
        for index, token in enumerate(TOKENS[:3]):
            if index != self.seat:
                robot = Device(CODE, self._way, token)
                self.robots[Seat(index)] = robot
                stack.push_async_callback(robot.goes)
                await robot.comes()
        kept = {"code": CODE, "token": TOKENS[self.seat]}
        await page.context.add_init_script(COMES_BACK % kept)
        await page.page.goto(f"{served.url}/{CODE}")
        await self.is_shown(page)

    async def is_shown(self, page: Phone) -> None:
        """The page holds the hand that is in the log; the talon was taken up."""
        cards, shown = {f"hand:{card.value}" for card in self.game.hand}, set[str]()
        places, take = page.page.locator('[data-place^="hand:"]'), page.button(TAKE)
        for _ in range(PATIENCE // 20):
            shown = set(await places.evaluate_all("all => all.map((one) => one.dataset.place)"))
            if shown == cards:
                return
            if await take.is_visible():
                await take.click()
            await asyncio.sleep(0.02)
        raise AssertionError(f"{shown} are shown instead of {cards}")

    def since(self) -> list[Entry]:
        """What was stored since the page came."""
        entries = entries_of(stored_in(self._data, CODE))
        return entries[len(self.played) :]

    @property
    def game(self) -> GameView:
        """What the page is to show."""
        game = game_view(self._room(self.played + self.since()), self.seat)
        assert game is not None
        return game

    async def has_stored(self, count: int) -> None:
        """So many entries have come since the page did."""
        for _ in range(PATIENCE // 10):
            if len(self.since()) == count:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"{len(self.since())} entries instead of {count}")

    async def robot_acts(self) -> None:
        """A robot who is on turn does something sensible; whose line is lost comes back first."""
        turn = self.game.turn
        assert turn is not None
        robot = self.robots[turn]
        if robot.closed is not None:
            await robot.comes()
        await robot.until(lambda: robot.update.seq == len(self.played) + len(self.since()))
        wish = robot.wish(Random(1))
        assert wish is not None
        assert isinstance(await robot.asks(wish), Done)

    async def plays_on(self, tricks: int) -> None:
        """So many tricks are played, the page's cards from another tab of its phone."""
        tab = Device(CODE, self._way, TOKENS[self.seat])
        self.robots[self.seat] = tab
        await tab.comes()
        before = self._tricks()
        while self._tricks() < before + tricks or self.game.turn != self.seat:
            await self.robot_acts()
        await tab.goes()
        del self.robots[self.seat]

    def _tricks(self) -> int:
        return sum(seat.tricks for seat in self.game.seats)

    @staticmethod
    def _room(entries: list[Entry]) -> Room:
        room = past_of(entries).room
        assert room is not None
        return room


class Gate:
    """The page's way to the server. Shut, it carries nothing, and says nothing about it."""

    def __init__(self) -> None:
        self.open = True
        self._lines: list[WebSocketRoute] = []

    def shut(self) -> None:
        """Lines that are there carry nothing any more, and new ones lead nowhere."""
        self.open = False
        self._lines.clear()

    def carry(self, line: WebSocketRoute) -> None:
        """A new line of the page."""
        if not self.open:
            line.on_message(lambda _: None)
            return
        self._lines.append(line)
        server = line.connect_to_server()
        line.on_message(lambda frame: server.send(frame) if line in self._lines else None)
        server.on_message(lambda frame: line.send(frame) if line in self._lines else None)
        line.on_close(lambda _code, _reason: None)
        server.on_close(lambda _code, _reason: None)


@asynccontextmanager
async def sample(
    browser: Browser, served: Served, phase: str, gate: Gate | None = None
) -> AsyncIterator[tuple[Sample, Phone]]:
    """The table in `phase`, and the page of whoever is to act."""
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        table = Sample(served.data, phase)
        await table.stored()
        served.start()
        page = await stack.enter_async_context(phone(browser))
        if gate is not None:
            await page.page.route_web_socket("**/socket", gate.carry)
        await table.sits_down(served, page, stack)
        yield table, page
        assert page.errors == []


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    """A server that has not been started yet."""
    server = Served(tmp_path / "data")
    yield server
    server.stop()


async def took(what: str, shown: Callable[[], Awaitable[None]]) -> float:
    """The seconds until it is shown; they are told and not judged."""
    began = time.perf_counter()
    await shown()
    seconds = time.perf_counter() - began
    print(f"{what}: {seconds:.2f} s")  # noqa: T201
    return seconds


async def test_gifts_on_their_trays_are_no_loss_when_the_page_is_loaded_again(
    browser: Browser, house: Served
) -> None:
    async with sample(browser, house, "giving") as (table, page):
        wish = page.wish
        assert isinstance(wish, GiveCards)
        staged = wish.gifts[0]
        await page.page.locator(f'[data-place="tray:{staged.to}"]').tap()
        await page.card(staged.card).tap()
        await expect(page.page.locator(f'[data-place="tray:{staged.to}"]')).to_be_visible()

        await page.page.reload()
        await took("reload with a gift on its tray", lambda: table.is_shown(page))
        assert table.since() == []
        for gift in wish.gifts:
            await page.page.locator(f'[data-place="tray:{gift.to}"]').tap()
            await page.card(gift.card).tap()
        await page.button(re.compile("^Give")).click()

        await expect(page.button("Keep")).to_be_visible()
        (given,) = table.since()
        assert given.facts == (CardsGiven(seat=table.seat, gifts=wish.gifts),)


async def test_a_card_played_into_a_power_cut_is_played_once(
    browser: Browser, house: Served
) -> None:
    async with sample(browser, house, "second") as (table, page):
        house.kill()
        card = table.game.may.play[0]
        await page.plays(card)
        house.start()
        await took("power cut", lambda: table.has_stored(1))

        await table.is_shown(page)
        assert [type(entry.facts[0]) for entry in table.since()] == [CardPlayed]
        assert table.game.turn != table.seat
        while table.game.turn != table.seat:
            await table.robot_acts()
        stored = len(table.since())
        await page.reaches(len(table.played) + stored)
        await page.plays(table.game.may.play[0])
        await table.has_stored(stored + 1)


async def test_a_second_tab_takes_the_seat_and_the_first_one_takes_it_back(
    browser: Browser, house: Served
) -> None:
    async with sample(browser, house, "leading") as (table, page):
        second = Phone(page.context, await page.context.new_page())
        await second.page.goto(page.page.url)
        await table.is_shown(second)
        here = page.button("Play on here")
        await expect(here).to_be_visible()

        await here.click()

        await took("back in the first tab", lambda: table.is_shown(page))
        await expect(second.button("Play on here")).to_be_visible()
        await page.plays(table.game.may.play[0])
        await table.has_stored(1)


async def test_a_phone_that_slept_through_three_tricks_shows_its_hand_and_may_play(
    browser: Browser, house: Served
) -> None:
    gate, seconds = Gate(), []
    async with sample(browser, house, "leading", gate) as (table, page):
        for tricks in (3, 1, 1):
            gate.shut()
            await table.plays_on(tricks)
            gate.open = True
            await page.page.evaluate(WAKES)
            seconds.append(await took("awake", lambda: table.is_shown(page)))
        print(f"awake, of three: {statistics.median(seconds):.2f} s")  # noqa: T201

        page.game, stored = table.game, len(table.since())
        await page.plays(table.game.may.play[0])
        await table.has_stored(stored + 1)


async def test_a_card_played_on_a_dead_line_arrives_once_it_lives(
    browser: Browser, house: Served
) -> None:
    gate = Gate()
    async with sample(browser, house, "second", gate) as (table, page):
        gate.shut()
        page.game = table.game
        await page.plays(table.game.may.play[0])
        assert table.since() == []
        gate.open = True

        await took("a line again", lambda: table.has_stored(1))

        await table.is_shown(page)
        assert [type(entry.facts[0]) for entry in table.since()] == [CardPlayed]
