"""Somebody's phone is gone, in Chromium: the others see it, wait, and may end the game.

It takes the real half minute.
"""

import asyncio
import re
from contextlib import AsyncExitStack

from playwright.async_api import Browser, expect

from engine.views import OverView, PlayView
from server.presence import AWAY_AFTER, QUIET_AFTER
from tests.e2e.conftest import Served
from tests.e2e.screens import Screen, phone, television
from tests.e2e.test_evening import open_room, seen
from tests.e2e.test_profiles import one_move
from tests.e2e.test_take_back import NAMES, acts, sits_down, slip

HANGS = 150
"""Seconds after which the table hangs."""

SLACK = 10.0
"""Seconds after the moment within which everybody has been told."""


async def test_a_game_whose_player_is_gone_can_be_ended(served: Served, browser: Browser) -> None:
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        tv = await stack.enter_async_context(television(browser))
        code = open_room(served, "ru-3")
        await tv.page.goto(f"{served.url}/{code}/table")
        await sits_down(phones, tv, f"{served.url}/{code}")
        while not isinstance(seen(tv).phase, PlayView):
            await one_move(phones, [*phones, tv])

        gone = next(each for each in phones if each.wish is not None)
        first, second = (each for each in phones if each is not gone)
        name = NAMES[phones.index(gone)]
        await gone.page.close()

        quiet = (QUIET_AFTER + SLACK) * 1000
        await expect(first.page.get_by_text("quiet").first).to_be_visible(timeout=quiet)
        await expect(first.page.get_by_text(f"Waiting for {name}")).to_be_visible()
        await expect(tv.page.get_by_text("quiet").first).to_be_visible()
        away = (AWAY_AFTER - QUIET_AFTER + SLACK) * 1000
        await expect(first.page.get_by_text("away").first).to_be_visible(timeout=away)
        await expect(tv.page.get_by_text("Come back:")).to_be_visible()

        await first.button(re.compile("What now")).click()
        await expect(slip(first)).to_contain_text(f"Waiting for {name}")
        end = first.button(re.compile("^End the game now"))
        await end.click()
        await end.click()
        await expect(slip(second)).to_contain_text("would like to end the game now")
        screens: list[Screen] = [first, second, tv]
        await acts(first, screens, slip(second).get_by_role("button", name="Agree"))
        for screen in screens:
            await expect(screen.page.get_by_text("Ended with the standings")).to_be_visible()
            phase = seen(screen).phase
            assert isinstance(phase, OverView)
            assert phase.winners == ()
        assert [screen.errors for screen in screens] == [[], [], []]
