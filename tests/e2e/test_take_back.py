"""Second thoughts in Chromium: a card asked back, refused and given, one undone, a void deal."""

import asyncio
import re
from contextlib import AsyncExitStack

from playwright.async_api import Browser, Locator, expect

from engine.cards import Card, Rank, Suit
from engine.views import BetweenView, PlayView
from tests.e2e.conftest import Served
from tests.e2e.screens import Phone, Screen, phone, television
from tests.e2e.test_evening import open_room, seen
from tests.e2e.test_profiles import one_move

HANGS = 100
"""Seconds after which the table hangs."""

NAMES = ("Anna", "Ben", "Carla")

RANKS = {
    Rank.ACE: "ace",
    Rank.TEN: "ten",
    Rank.KING: "king",
    Rank.QUEEN: "queen",
    Rank.JACK: "jack",
    Rank.NINE: "nine",
}
SUITS = {
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
    Suit.DIAMONDS: "diamonds",
    Suit.CLUBS: "clubs",
}


def called(card: Card) -> str:
    """What an English phone calls `card`."""
    return f"{RANKS[card.rank]} of {SUITS[card.suit]}"


def slip(each: Phone) -> Locator:
    return each.page.get_by_role("dialog")


def trick(screen: Screen) -> list[Card]:
    """The cards of the running trick, as the line of `screen` brought them."""
    phase = seen(screen).phase
    assert isinstance(phase, PlayView)
    return [played.card for played in phase.trick]


async def sits_down(phones: list[Phone], tv: Screen, url: str) -> None:
    for each, name in zip(phones, NAMES, strict=True):
        await each.joins(url, name)
    for each in phones:
        await each.button(re.compile("^I’m ready")).click()
    await phones[0].button("Start").click()
    for screen in (*phones, tv):
        await screen.reaches(1 + 2 * len(phones) + 1)


async def acts(mover: Phone, screens: list[Screen], tap: Locator) -> None:
    """`tap` stores an entry that every screen hears of."""
    before = mover.seq
    await tap.click()
    for screen in screens:
        await screen.reaches(before + 1)


async def asks(mover: Phone, *cards: Card) -> None:
    """The slip says what would return, and the others are asked."""
    await mover.button("Take back").click()
    await expect(slip(mover)).to_contain_text(f"Take back the {called(cards[0])}?")
    for card in cards:
        await expect(slip(mover).get_by_role("listitem").get_by_text(called(card))).to_be_visible()
    await slip(mover).get_by_role("button", name="Ask them").click()
    await expect(mover.button("Withdraw")).to_be_visible()


async def a_wrong_card(phones: list[Phone], tv: Screen) -> None:
    """Played, asked back, refused; asked again and given: the cards are where they were."""
    mover = next(each for each in phones if each.wish is not None)
    name = NAMES[phones.index(mover)]
    screens: list[Screen] = [*phones, tv]
    await one_move(phones, screens)
    await one_move(phones, screens)
    wrong, answer = trick(tv)
    others = [each for each in phones if each is not mover]

    await asks(mover, wrong, answer)
    wish = f"{name} would like to take back the {called(wrong)}"
    for each in others:
        await expect(slip(each)).to_contain_text(wish)
    await expect(tv.page.get_by_text(wish)).to_be_visible()
    await others[1].page.reload()
    await expect(slip(others[1])).to_contain_text(wish)
    await slip(others[1]).get_by_role("button", name="Refuse").click()
    refusal = f"{NAMES[phones.index(others[1])]} would rather not"
    for screen in (mover, others[0], tv):
        await expect(screen.page.get_by_text(refusal).first).to_be_visible()
    assert trick(mover) == [wrong, answer]

    await asks(mover, wrong, answer)
    await slip(others[0]).get_by_role("button", name="Agree").click()
    await acts(mover, screens, slip(others[1]).get_by_role("button", name="Agree"))
    assert trick(tv) == []
    await expect(mover.card(wrong)).to_be_visible()
    for screen in (others[0], tv):
        await expect(screen.page.get_by_text(f"{name} has taken it back").first).to_be_visible()


async def a_misclick(phones: list[Phone], tv: Screen) -> None:
    """Nobody acted since: one tap, or one key, takes it back at once."""
    mover = next(each for each in phones if each.wish is not None)
    screens: list[Screen] = [*phones, tv]
    for undone in (mover.button("Take back").click(), mover.page.keyboard.press("u")):
        await one_move(phones, screens)
        (card,) = trick(tv)
        before = tv.seq
        await undone
        for screen in screens:
            await screen.reaches(before + 1)
        assert trick(tv) == []
        await expect(mover.card(card)).to_be_visible()


async def a_void_deal(phones: list[Phone], tv: Screen) -> None:
    """All agree: nothing is written, and the same dealer deals again."""
    mover, *others = phones
    dealer = seen(tv).dealer
    await mover.opens_menu()
    await mover.button(re.compile("^At the table")).click()
    void = mover.button(re.compile("^Void this deal"))
    await expect(void).to_contain_text("Ben and Carla have to agree")
    await void.click()
    await void.click()
    await expect(slip(mover)).to_have_count(0)
    await slip(others[0]).get_by_role("button", name="Agree").click()
    await acts(mover, [*phones, tv], slip(others[1]).get_by_role("button", name="Agree"))
    for each in phones:
        await expect(each.page.get_by_text("Anna asked for it, and all agreed.")).to_be_visible()
    phase = seen(tv).phase
    assert isinstance(phase, BetweenView)
    assert phase.voided is not None
    assert (phase.voided.reason, seen(tv).dealer) == ("agreed", dealer)


async def test_the_table_takes_back_what_it_agrees_to(served: Served, browser: Browser) -> None:
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        tv = await stack.enter_async_context(television(browser))
        code = open_room(served, "ru-3")
        await tv.page.goto(f"{served.url}/{code}/table")
        await sits_down(phones, tv, f"{served.url}/{code}")
        screens: list[Screen] = [*phones, tv]
        while not isinstance(seen(tv).phase, PlayView):
            await one_move(phones, screens)

        await a_wrong_card(phones, tv)
        await a_misclick(phones, tv)
        await one_move(phones, screens)
        await a_void_deal(phones, tv)
        await one_move(phones, screens)

        assert [screen.errors for screen in screens] == [[], [], [], []]
