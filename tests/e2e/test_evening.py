"""A whole evening in Chromium: three phones and a table on an insecure origin."""

import asyncio
import io
import re
from contextlib import AsyncExitStack

import httpx
import msgspec
import zxingcpp
from PIL import Image
from playwright.async_api import Browser, expect

from engine.cards import Card
from engine.commands import Concede, Pass, PlaceBid, PlayCard
from engine.history import Entry
from engine.profile import Setting
from engine.views import AuctionView, ExchangeView, GameView, OverView, PlayView, Viewer
from server.log import SqliteLog
from server.log.codec import entries_of
from server.protocol import ServerMessage, Update, Wish
from tests.e2e.conftest import Served
from tests.e2e.screens import Phone, Screen, phone, television
from tests.server.games import kept
from tests.server.knowledge import learned

HANGS = 500
"""Seconds after which the evening hangs, and the traceback says where."""

NAMES = ("Anna", "Ben", "Carla")


def open_room(served: Served, profile: str, **house_rules: Setting) -> str:
    wish = {"profile": profile, "house_rules": house_rules}
    answer = httpx.post(f"http://127.0.0.1:{served.port}/api/rooms", json=wish)
    return str(answer.json()["code"])


RELOADED_AT, KILLED_AT = 3, 6
"""Tricks of the evening."""

GENEROUS = 2
"""Carla buys the talon and gives up, in a hurry, until somebody sits on the barrel."""


def wish_of(phones: list[Phone], each: Phone, *, hurry: bool) -> Wish | None:
    """What a sensible player does; in a hurry, one who makes presents so that the evening ends."""
    wish, game = each.wish, each.game
    if wish is None or game is None or not hurry:
        return wish
    seat, near = (
        phones.index(each),
        [s for s, one in enumerate(game.seats) if one.barrel is not None],
    )
    match game.phase:
        case AuctionView(highest=top):
            bidders = near or [GENEROUS]
            wanted = seat in bidders and (top is None or top.seat not in bidders)
            if game.may.bid and (wanted or not game.may.may_pass):
                return PlaceBid(game.may.bid.least)
            return Pass()
        case ExchangeView() if not near and game.may.concede:
            return Concede()
        case PlayView(declarer=declarer) if seat != declarer:
            return PlayCard(min(game.may.play, key=lambda card: card.strength))
        case _:
            return wish


async def one_move(phones: list[Phone], screens: list[Screen], *, hurry: bool = False) -> None:
    """Whoever is on turn acts, and every screen has heard of it."""
    wishes = {
        each: wish for each in phones if (wish := wish_of(phones, each, hurry=hurry)) is not None
    }
    ((mover, wish),) = wishes.items()
    before = mover.seq
    await mover.does(wish)
    for screen in screens:
        await screen.reaches(before + 1)


async def stored(served: Served, code: str) -> list[Entry]:
    log = SqliteLog(served.data)
    try:
        return entries_of(await kept(log, code))
    finally:
        log.close()


def cards_in(value: object) -> set[Card]:
    """Every card code anywhere in a message."""
    match value:
        case str():
            return {Card(value)} if value in Card.__members__ else set()
        case list() | tuple():
            return {card for part in value for card in cards_in(part)}
        case dict():
            return {card for part in value.values() for card in cards_in(part)}
        case _:
            return set()


def forbidden(screen: Screen, viewer: Viewer, entries: list[Entry]) -> list[tuple[int, set[Card]]]:
    """Cards in what `screen` received that it could not know at that entry."""
    known: dict[int, set[Card]] = {0: set()}
    for entry in entries:
        known[entry.seq] = known[entry.seq - 1]
        for fact in entry.happened:
            known[entry.seq] = learned(known[entry.seq], viewer, fact)
    found, shown = [], 0
    for frame in screen.frames:
        for message in msgspec.json.decode(frame, type=list[ServerMessage]):
            if isinstance(message, Update):
                since = set().union(*(known[n] for n in range(shown, message.seq + 1)))
                now = cards_in(msgspec.to_builtins(message.game)) - known[message.seq]
                moved = cards_in(msgspec.to_builtins(message.glimpses)) - since
                if now or moved:
                    found.append((message.seq, now | moved))
                shown = message.seq
    return found


async def test_three_phones_and_a_table_play_until_somebody_wins(browser: Browser, served: Served):
    code = open_room(served, "ru-3", barrel=900)
    async with asyncio.timeout(HANGS), AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(phone(browser)) for _ in NAMES]
        table = await stack.enter_async_context(television(browser))
        screens: list[Screen] = [*phones, table]
        await table.page.goto(f"{served.url}/{code}/table")
        assert not await table.page.evaluate("isSecureContext")

        # The way in, as a phone's camera reads it from the television.
        await expect(table.page.get_by_text(code).first).to_be_visible()
        qr = table.page.get_by_alt_text("QR", exact=False).first
        await expect(qr).to_have_js_property("complete", value=True)
        picture = Image.open(io.BytesIO(await table.page.screenshot()))
        (way_in,) = zxingcpp.read_barcodes(picture)
        assert way_in.text == f"{served.url}/{code}"
        for each, name in zip(phones, NAMES, strict=True):
            await each.joins(way_in.text, name)
        for each in phones:
            await each.button("I’m ready").click()
        await phones[0].button("Start").click()
        for screen in screens:
            await screen.reaches(8)

        # Somebody reloads with cards on the table, and a few cards later the power fails.
        tricks = 0
        while not isinstance((game := seen(phones[0])).phase, OverView):
            await one_move(phones, screens, hurry=tricks > KILLED_AT)
            if isinstance(game.phase, PlayView) and len(game.phase.trick) == 1:
                tricks += 1
                if tricks == RELOADED_AT:
                    await phones[1].page.reload()
                    await phones[1].page.locator('[data-place^="hand:"]').first.wait_for()
                if tricks == KILLED_AT:
                    served.kill()
                    served.start()

        await ends_the_same_everywhere(phones, table)
        served.stop()
        entries = await stored(served, code)
        for each in phones:
            assert forbidden(each, seat_of(each), entries) == []
            assert each.errors == []
        assert forbidden(table, None, entries) == []


def seen(screen: Screen) -> GameView:
    assert screen.game is not None
    return screen.game


def seat_of(screen: Screen) -> Viewer:
    assert screen.table is not None
    return screen.table.table.me


async def ends_the_same_everywhere(phones: list[Phone], table: Screen) -> None:
    """All four screens show the same winner and the same totals."""
    shown = seen(table)
    totals = [seat.score for seat in shown.seats]
    assert isinstance(shown.phase, OverView)
    (winner,) = shown.phase.winners
    assert totals[winner] >= 1000
    for screen in (*phones, table):
        assert seen(screen).seats == shown.seats
        await expect(screen.page.get_by_text(f"{NAMES[winner]} wins").first).to_be_visible()
        for total in totals:
            written = screen.page.get_by_label(re.compile(f"{total}".replace("-", "[-−]")))
            assert await written.count() > 0, (total, screen)
