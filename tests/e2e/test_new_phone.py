"""Anna's phone dies in a deal: she plays on from a new one, as soon as Ben has agreed."""

import asyncio
from contextlib import AsyncExitStack

from playwright.async_api import Browser, expect

from server.protocol import Deal
from tests.e2e.conftest import Served
from tests.e2e.screens import Phone, phone
from tests.e2e.test_evening import open_room

HANGS = 180
"""Seconds after which the hand-over hangs, and the traceback says where."""

SILENCE = 30_000
"""Milliseconds that a dead phone may take to be taken for one. A limit for what hangs."""

NAMES = ("Anna", "Ben", "Carla")


async def deal(phones: list[Phone], url: str) -> None:
    """All three sit, each with a phone, and hold cards."""
    for each, name in zip(phones, NAMES, strict=True):
        await each.joins(url, name)
    for each in phones:
        await each.button("I’m ready").click()
    await phones[0].button("Start").click()
    dealer = await dealing(phones)
    await dealer.does(Deal())
    for each in phones:
        await expect(each.page.get_by_role("group", name="Your hand")).to_be_visible()


async def dealing(phones: list[Phone]) -> Phone:
    for _ in range(500):
        for each in phones:
            if each.game is not None and each.game.may.deal:
                return each
        await asyncio.sleep(0.02)
    raise AssertionError("nobody deals")


async def claims(new: Phone, url: str, name: str) -> str:
    """The new phone asks for the chair of `name`; the sign that it shows."""
    await new.page.goto(url)
    await new.page.get_by_role("button", name=name).click()
    await new.button(f"I am {name}").click()
    sign = new.page.locator(".sign")
    await expect(sign).to_be_visible()
    return (await sign.inner_text()).strip()


def hand(screen: Phone) -> tuple[object, ...]:
    return screen.game.hand if screen.game is not None else ()


async def test_a_new_phone_is_anna_with_the_same_hand_once_ben_agrees(
    browser: Browser, served: Served
) -> None:
    url = f"{served.url}/{open_room(served, 'ru-3')}"
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        new = await stack.enter_async_context(phone(browser))
        await deal(phones, url)
        old, ben, _carla = phones
        held = hand(old)

        await old.page.close()

        sign = await claims(new, url, "Anna")
        assert hand(new) == ()
        slip = ben.page.get_by_role("dialog")
        await expect(slip).to_contain_text(sign)
        await expect(new.page.get_by_text("Ask Ben or Carla")).to_be_visible(timeout=SILENCE)
        await slip.get_by_role("button", name="Agree").click()

        await expect(new.page.get_by_role("group", name="Your hand")).to_be_visible(timeout=SILENCE)
        assert held
        assert hand(new) == held

        # The new phone keeps the seat; the old one is told, and can only ask for it.
        await new.page.reload()
        await expect(new.page.get_by_role("group", name="Your hand")).to_be_visible()
        assert hand(new) == held
        awake = await old.context.new_page()
        await awake.goto(url)
        await expect(awake.get_by_text("no longer has a chair")).to_be_visible()
        assert all(screen.errors == [] for screen in (*phones, new))


async def test_anna_lets_go_of_her_seat_on_the_old_phone_which_is_told(
    browser: Browser, served: Served
) -> None:
    url = f"{served.url}/{open_room(served, 'ru-3')}"
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        new = await stack.enter_async_context(phone(browser))
        await deal(phones, url)
        old = phones[0]
        held = hand(old)

        await claims(new, url, "Anna")
        await expect(new.page.get_by_text("Agree on Anna’s old phone")).to_be_visible()
        await old.page.get_by_role("dialog").get_by_role("button", name="Agree").click()

        await expect(new.page.get_by_role("group", name="Your hand")).to_be_visible()
        assert hand(new) == held
        await expect(old.page.get_by_text("You play on another phone now")).to_be_visible()


async def test_a_refusal_is_told_kindly_and_one_may_ask_again_or_watch(
    browser: Browser, served: Served
) -> None:
    url = f"{served.url}/{open_room(served, 'ru-3')}"
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        new = await stack.enter_async_context(phone(browser))
        await deal(phones, url)
        old, ben, _carla = phones

        await claims(new, url, "Anna")
        await new.page.reload()
        await expect(new.page.locator(".sign")).to_be_visible()
        await ben.page.get_by_role("dialog").get_by_role("button", name="Refuse").click()

        await expect(new.page.get_by_text("Ben would rather not")).to_be_visible()
        await new.button("Ask again").click()
        await expect(new.page.locator(".sign")).to_be_visible()
        await new.button("Never mind").click()
        await expect(new.button("Watch the table")).to_be_visible()
        await expect(old.page.get_by_role("group", name="Your hand")).to_be_visible()
