"""A deal of each kind of game in Chromium, from the chairs to the written sheet."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, Page, expect

from engine.commands import Concede, SetContract
from engine.views import BetweenView, ExchangeView, GameView, PlayView
from server.profiles import load_profiles
from tests.e2e.conftest import Served
from tests.e2e.screens import PHONE, Phone, Screen, phone, television
from tests.e2e.test_evening import open_room, seen

HANGS = 100
"""Seconds after which a deal hangs."""

NAMES = ("Anna", "Ben", "Carla", "Dora")


async def one_move(phones: list[Phone], screens: list[Screen]) -> None:
    """Whoever is on turn acts, and every screen has heard of it. Nobody gives a deal up."""
    wishes = {each: wish for each in phones if (wish := each.wish) is not None}
    ((mover, wish),) = wishes.items()
    before, keeps = mover.seq, seen(mover).may.contract
    if isinstance(wish, Concede) and keeps:
        wish = SetContract(keeps.least)
    await mover.does(wish)
    for screen in screens:
        await screen.reaches(before + 1)


async def fits(page: Page) -> None:
    """Nothing sticks out at the sides."""
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


async def explained(each: Phone, profile: str) -> None:
    """The rules are two taps away, and they are those of this table."""
    await each.opens_menu()
    await each.button("The rules").click()
    rules = each.page.get_by_role("dialog", name="The rules")
    version = load_profiles()[profile].version
    await expect(rules.get_by_text(f"This is {profile}, version {version}.")).to_be_visible()
    await rules.get_by_role("button", name="Close").click()
    await expect(rules).to_have_count(0)


async def says_why(each: Phone) -> None:
    """The reason why cards are barred leads to the paragraph about tricks."""
    await each.page.locator(".prompt p button").click()
    rules = each.page.get_by_role("dialog", name="The rules")
    await expect(rules.get_by_role("heading", name="Tricks")).to_be_in_viewport()
    await rules.get_by_role("button", name="Close").click()


async def two_talons(phones: list[Phone], game: GameView) -> None:
    assert isinstance(game.phase, ExchangeView)
    assert len(game.phase.talon) == 2
    assert len(phones) == 2


async def sits_out(phones: list[Phone], game: GameView) -> None:
    """The sitter sees that, has no cards, and is asked for nothing."""
    assert game.sitter is not None
    page = phones[game.sitter].page
    await expect(page.get_by_text("You sit this deal out").first).to_be_visible()
    await expect(page.locator('[data-place^="hand:"]')).to_have_count(0)
    assert seen(phones[game.sitter]).hand == ()


async def skat_for_one(phones: list[Phone], game: GameView) -> None:
    assert isinstance(game.phase, ExchangeView)
    for seat, each in enumerate(phones):
        phase = seen(each).phase
        assert isinstance(phase, ExchangeView)
        assert (len(phase.talon) > 0) == (seat == game.turn)


LOOKS = {"ru-2": two_talons, "pl-4": sits_out, "no-4": sits_out, "1001-bid-4": skat_for_one}
"""What is looked at once the talon is taken."""


@pytest.mark.parametrize("profile", ["ru-2", "pl-4", "no-4", "1001-3", "1001-bid-4"])
async def test_a_deal_is_played_to_the_written_sheet(
    browser: Browser, served: Served, profile: str
):
    code = open_room(served, profile)
    names = NAMES[: load_profiles()[profile].table.players]
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in names]
        table = await stack.enter_async_context(television(browser))
        await table.page.goto(f"{served.url}/{code}/table")
        screens: list[Screen] = [*phones, table]
        for each, name in zip(phones, names, strict=True):
            await each.joins(f"{served.url}/{code}", name)
        for each in phones:
            await each.button("I’m ready").click()
        await phones[0].button("Start").click()
        for screen in screens:
            await screen.reaches(2 * len(names) + 2)

        looked = asked = told = False
        while not written(game := seen(phones[0])):
            if isinstance(game.phase, ExchangeView) and not looked and profile in LOOKS:
                looked = True
                await LOOKS[profile](phones, game)
            if isinstance(game.phase, PlayView) and not asked:
                asked = True
                await explained(phones[0], profile)
                for each in phones:
                    await fits(each.page)
            for each in phones:
                if not told and seen(each).may.barred:
                    told = True
                    await says_why(each)
            await one_move(phones, screens)
        assert asked

        for each in phones:
            await expect(each.page.get_by_text("is written", exact=False).first).to_be_visible()
            sheet = each.page.get_by_text(profile, exact=False)
            assert await sheet.count() > 0, "the sheet does not say by which rules it is kept"
            assert each.errors == []
            await fits(each.page)
        assert table.errors == []


def written(game: GameView) -> bool:
    """A deal was played and stands on the sheet; one that was thrown in does not count."""
    return isinstance(game.phase, BetweenView) and any(seat.score for seat in game.seats)
