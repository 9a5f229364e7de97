"""Screens of a room, used as people use them: by taps on what is shown."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import msgspec
from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    ViewportSize,
    WebSocket,
    expect,
)

from engine.cards import Card
from engine.commands import (
    Concede,
    GiveCards,
    LayAway,
    Meld,
    Pass,
    PlaceBid,
    PlayCard,
    SetContract,
    ShowNines,
    TakeTalon,
)
from engine.views import GameView
from server.protocol import Deal, ServerMessage, Table, Update, Wish
from server.rehearse.choices import Sight, choose

_read = msgspec.json.Decoder(list[ServerMessage]).decode

PHONE: ViewportSize = {"width": 390, "height": 844}
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
PATIENCE = 15_000
"""Milliseconds that something may take to appear. Not a measurement: a limit for what hangs."""


class Screen:
    """A page on the room, and what its line has brought."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page
        self.frames: list[str] = []
        self.errors: list[str] = []
        self.seq = 0
        self.game: GameView | None = None
        self.table: Table | None = None
        page.on("websocket", self._follow)
        page.on("pageerror", self._failed)

    def _follow(self, line: WebSocket) -> None:
        line.on("framereceived", lambda payload: self._heard(str(payload)))

    def _failed(self, error: Error) -> None:
        self.errors.append(str(error))

    def _heard(self, frame: str) -> None:
        self.frames.append(frame)
        for message in _read(frame):
            if isinstance(message, Update):
                self.seq, self.game = message.seq, message.game
            elif isinstance(message, Table):
                self.table = message

    async def reaches(self, seq: int) -> None:
        """The line has brought entry `seq`."""
        for _ in range(PATIENCE // 10):
            if self.seq >= seq:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"the screen is at {self.seq} and not at {seq}")


class Phone(Screen):
    """A player's phone."""

    async def joins(self, url: str, name: str) -> None:
        await self.page.goto(url)
        await self.page.get_by_role("textbox").fill(name)
        await self.button("Sit down").click()
        await expect(self.button(re.compile("^(I’m ready|Not ready)"))).to_be_visible()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, disabled=False).first

    async def opens_menu(self) -> None:
        """The menu is open and lies still: a tap on what moves under the finger goes nowhere."""
        await self.button("Menu").click()
        menu = self.page.get_by_role("dialog")
        await menu.evaluate("menu => Promise.all(menu.getAnimations().map((one) => one.finished))")

    @property
    def wish(self) -> Wish | None:
        """What a sensible player does now on this phone; None: it is not this one's turn."""
        table, game = self.table, self.game
        if table is None or game is None or game.turn != table.table.me:
            return None
        return choose(msgspec.convert(msgspec.to_builtins(game), Sight), Random(self.seq))

    async def does(self, wish: Wish) -> None:
        """`wish`, by taps. A contract is kept."""
        match wish:
            case Deal():
                await self.button(re.compile("^(Next deal|Deal)")).click()
            case PlaceBid(points=points):
                await self.button(f"Call {points}").click()
            case Pass():
                await self._twice(re.compile("^Pass"))
            case TakeTalon(talon=talon):
                await self.button(re.compile(f"^Turn (?!number)|^Turn number {talon + 1}")).click()
            case GiveCards(gifts=gifts):
                await self.button(re.compile("^Take")).click()
                for gift in gifts:
                    await self.page.locator(f'[data-place="tray:{gift.to}"]').tap()
                    await self.card(gift.card).tap()
                await self.button(re.compile("^Give")).click()
            case LayAway(cards=cards):
                await self.button(re.compile("^Take")).click()
                for card in cards:
                    await self.card(card).tap()
                await self.button(re.compile("^Lay")).click()
            case SetContract():
                await self.button(re.compile("^Keep")).click()
            case Concede():
                await self._twice(re.compile("^Concede"))
            case ShowNines():
                await self.button("Four nines").click()
                await self.page.get_by_role("dialog").get_by_role("button").last.click()
            case PlayCard(card=card):
                await self.plays(card)
            case Meld(card=card):
                await self.plays(card, meld=True)
            case _:
                raise AssertionError(f"no screen for {wish}")

    async def plays(self, card: Card, *, meld: bool = False) -> None:
        """The card is lifted by a tap and played by another; the slip about a pair is answered."""
        await self.card(card).tap()
        await self.card(card).tap()
        game = self.game
        assert game is not None
        if any(card in choice.cards for choice in game.may.melds) or card in game.may.spoils:
            slip = self.page.get_by_role("dialog")
            await slip.get_by_role(
                "button", name=re.compile("^Meld" if meld else "^Lead plainly")
            ).click()

    def card(self, card: Card) -> Locator:
        return self.page.locator(f'[data-place="hand:{card.value}"]')

    async def _twice(self, name: re.Pattern[str]) -> None:
        await self.button(name).click()
        await self.button(name).click()


@asynccontextmanager
async def phone(browser: Browser) -> AsyncIterator[Phone]:
    context = await browser.new_context(
        viewport=PHONE,
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    yield Phone(context, await context.new_page())
    await context.close()


@asynccontextmanager
async def television(browser: Browser) -> AsyncIterator[Screen]:
    context = await browser.new_context(
        viewport=TELEVISION,
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE)
    yield Screen(context, await context.new_page())
    await context.close()
