"""The policy that every page is sent with, in Chromium: our client keeps it, and others have to."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, ConsoleMessage, expect

from engine.views import BetweenView
from tests.e2e.conftest import Served
from tests.e2e.screens import Phone, Screen, phone, television
from tests.e2e.test_evening import open_room, seen
from tests.e2e.test_profiles import NAMES, explained, one_move

HANGS = 100
"""Seconds after which the deal hangs."""

TELL = """
addEventListener('securitypolicyviolation', (event) =>
  violated(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`))
"""

INTRUDE = {
    "script-src-elem": """
        const script = document.createElement('script')
        script.textContent = 'window.intruded = true'
        document.body.append(script)""",
    "script-src-attr": """
        const button = document.createElement('button')
        button.setAttribute('onclick', 'window.intruded = true')
        document.body.append(button)
        button.click()""",
    "script-src": "setTimeout('window.intruded = true')",
    "style-src-attr": "document.body.setAttribute('style', 'display: none')",
    "img-src": "new Image().src = 'http://192.168.7.51/spy.png'",
    "connect-src": "fetch('http://192.168.7.51/').catch(() => {})",
    "form-action": """
        const form = document.createElement('form')
        form.action = 'http://192.168.7.51/'
        document.body.append(form)
        form.submit()""",
    "base-uri": """
        const base = document.createElement('base')
        base.href = 'http://192.168.7.51/'
        document.head.append(base)""",
    "frame-src": """
        const frame = document.createElement('iframe')
        frame.src = 'http://192.168.7.51/'
        document.body.append(frame)""",
}
"""What somebody might bring into a page, by what forbids it."""


async def told(screen: Screen) -> list[str]:
    """A list that grows by all that the policy or the console complains of on `screen`."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def violated(what: str) -> None:
        complaints.append(what)

    screen.page.on("console", heard)
    await screen.page.expose_function("violated", violated)
    await screen.page.add_init_script(TELL)
    await screen.page.emulate_media(reduced_motion="no-preference")
    return complaints


async def test_a_deal_on_phones_and_table_keeps_the_policy(browser: Browser, served: Served):
    code = open_room(served, "ru-3")
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES[:3]]
        table = await stack.enter_async_context(television(browser))
        screens: list[Screen] = [*phones, table]
        complaints = [await told(screen) for screen in screens]

        await phones[0].page.goto(served.url)
        await expect(phones[0].page.get_by_role("button").first).to_be_visible()
        await table.page.goto(f"{served.url}/{code}/table")
        await expect(table.page.get_by_text(code).first).to_be_visible()
        for each, name in zip(phones, NAMES, strict=False):
            await each.joins(f"{served.url}/{code}", name)
        for each in phones:
            await each.button("I’m ready").click()
        await phones[0].button("Start").click()
        for screen in screens:
            await screen.reaches(8)
        await explained(phones[0], "ru-3")
        while not isinstance(seen(phones[0]).phase, BetweenView) or not written(phones[0]):
            await one_move(phones, screens)
        await expect(phones[0].page.get_by_text("is written", exact=False).first).to_be_visible()

    assert complaints == [[]] * 4


def written(each: Phone) -> bool:
    return any(seat.score for seat in seen(each).seats)


@pytest.mark.parametrize("directive", INTRUDE)
async def test_what_is_brought_into_a_page_does_not_run_and_loads_nothing(
    browser: Browser, served: Served, directive: str
):
    code = open_room(served, "ru-3")
    async with asyncio.timeout(30), phone(browser) as each:
        complaints = await told(each)
        await each.page.goto(f"{served.url}/{code}")
        await expect(each.page.get_by_role("textbox")).to_be_visible()
        await each.page.evaluate(f"() => {{ {INTRUDE[directive]} }}")

        while not any(one.startswith(f"{directive}:") for one in complaints):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert await each.page.evaluate("window.intruded") is None
