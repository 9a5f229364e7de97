"""A deal of three who share one phone: no hand is there before its owner has taken the phone."""

import asyncio

import msgspec
from playwright.async_api import Browser, expect

from engine.cards import Seat
from engine.views import AuctionView, BetweenView, GameView
from server.protocol import ServerMessage, Table, Update
from tests.e2e.conftest import Served
from tests.e2e.screens import PATIENCE, Phone, phone
from tests.e2e.test_evening import open_room

HANGS = 240
"""Seconds after which the deal hangs, and the traceback says where."""

NAMES = ("Anna", "Ben", "Carla")

_read = msgspec.json.Decoder(list[ServerMessage]).decode


def hands_in(frames: list[str]) -> list[Seat | None]:
    """For every frame that holds a hand: whose eyes the phone had then."""
    eyes: Seat | None = None
    found = []
    for frame in frames:
        for message in _read(frame):
            if isinstance(message, Table):
                eyes = message.table.me
            elif isinstance(message, Update) and message.game and message.game.hand:
                found.append(eyes)
    return found


async def sit_down(shared: Phone, url: str) -> None:
    """All three, on one phone; each says for themselves that they are ready."""
    page = shared.page
    await shared.joins(url, NAMES[0])
    for name in NAMES[1:]:
        await shared.button("Add a player to this phone").click()
        await page.get_by_role("textbox").fill(name)
        await page.get_by_role("button", name="Add", exact=True).click()
        await expect(page.get_by_role("switch", name=name)).to_be_visible()
    for name in NAMES:
        await page.get_by_role("switch", name=f"{name}: not ready").click()
        await expect(page.get_by_role("switch", name=f"{name}: ready")).to_be_visible()
    await shared.button("Start").click()


async def settled(shared: Phone) -> GameView:
    """The deal waits: for the player who has the phone, or for another one behind the curtain."""
    for _ in range(PATIENCE // 10):
        table, game = shared.table, shared.game
        assert table is not None
        if game is not None:
            me, over = table.table.me, isinstance(game.phase, BetweenView)
            if over or me is None or me == game.turn:
                return game
        await asyncio.sleep(0.01)
    raise AssertionError("the phone belongs to nobody")


async def hand_over(shared: Phone, turn: Seat) -> None:
    """Whoever is on turn takes the phone with one tap; before, neither page nor line has a hand."""
    page = shared.page
    take = shared.button(f"I am {NAMES[turn]}")
    await expect(take).to_be_visible()
    assert await page.locator('[data-place^="hand:"]').count() == 0
    assert await page.get_by_role("group", name="Your hand").count() == 0
    before = len(shared.frames)
    await page.wait_for_timeout(50)
    assert hands_in(shared.frames[before:]) == []
    await take.click()
    await expect(page.get_by_role("group", name="Your hand")).to_be_visible()
    taken = set(hands_in(shared.frames[before:]))
    assert taken == {turn}, "the line brought another hand"


async def one_move(shared: Phone) -> None:
    wish = shared.wish
    assert wish is not None
    before = shared.seq
    await shared.does(wish)
    await shared.reaches(before + 1)


async def test_three_play_a_deal_on_one_phone_and_none_sees_anothers_hand(
    browser: Browser, served: Served
) -> None:
    url = f"{served.url}/{open_room(served, 'ru-3')}"
    async with asyncio.timeout(HANGS), phone(browser) as shared:
        await sit_down(shared, url)
        game = await settled(shared)
        dealer = game.dealer
        assert hands_in(shared.frames) == []
        await shared.button(f"{NAMES[dealer]} deals").click()
        await expect(shared.page.locator(".curtain")).to_be_visible()
        assert set(hands_in(shared.frames)) <= {dealer}, "only who dealt has tapped"

        owners: list[Seat] = []
        phases = set()
        while not isinstance((game := await settled(shared)).phase, BetweenView):
            turn = game.turn
            assert turn is not None
            assert shared.table is not None
            if shared.table.table.me != turn:
                await hand_over(shared, turn)
                owners.append(turn)
                game = await settled(shared)
            phases.add(type(game.phase))
            await one_move(shared)

        assert set(owners) == {0, 1, 2}
        assert AuctionView in phases
        assert len(phases) > 2
        assert shared.errors == []


async def test_a_phone_that_is_loaded_again_has_all_its_seats_and_shows_no_hand(
    browser: Browser, served: Served
) -> None:
    url = f"{served.url}/{open_room(served, 'ru-3')}"
    async with asyncio.timeout(HANGS), phone(browser) as shared:
        await sit_down(shared, url)
        game = await settled(shared)
        await shared.button(f"{NAMES[game.dealer]} deals").click()
        await expect(shared.page.locator(".curtain")).to_be_visible()
        game = await settled(shared)
        assert game.turn is not None
        await hand_over(shared, game.turn)

        kept = await shared.page.evaluate("JSON.stringify({...localStorage})")
        tokens = [one.get("value", "") for one in await shared.context.cookies(f"{url}")]
        assert all(token not in kept for token in tokens)
        before = len(shared.frames)
        await shared.page.reload()
        await expect(shared.button(f"I am {NAMES[game.turn]}")).to_be_visible()

        assert hands_in(shared.frames[before:]) == []
        assert shared.table is not None
        assert shared.table.mine == (0, 1, 2)
        await hand_over(shared, game.turn)
