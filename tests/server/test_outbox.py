import asyncio

import msgspec

from engine.cards import Card, Seat
from engine.events import CardPlayed
from server.outbox import ANSWERS_WAITING, GLIMPSES_WAITING, Outbox
from server.protocol import (
    Close,
    Done,
    Options,
    Pong,
    Presence,
    ServerMessage,
    Sheet,
    Update,
    Welcome,
)

PLAYED = CardPlayed(seat=Seat(0), card=Card.SA, next=None)


def update(seq: int, glimpses: int = 1) -> Update:
    return Update(seq=seq, game=None, glimpses=(PLAYED,) * glimpses, options=Options())


async def taken(outbox: Outbox) -> list[ServerMessage]:
    frame = await asyncio.wait_for(outbox.frame(), 5)
    assert frame is not None
    return msgspec.json.decode(frame, type=list[ServerMessage])


async def test_views_that_wait_give_way_to_the_newest_and_keep_what_led_to_it():
    outbox = Outbox()
    for seq in (1, 2, 3):
        outbox.post(update(seq))

    assert await taken(outbox) == [update(3, glimpses=3)]


async def test_a_screen_too_far_behind_is_shown_the_view_at_once():
    outbox = Outbox()
    for seq in range(GLIMPSES_WAITING + 1):
        outbox.post(update(seq))

    assert await taken(outbox) == [update(GLIMPSES_WAITING, glimpses=0)]


async def test_after_a_view_without_glimpses_later_ones_have_none_to_start_from():
    outbox = Outbox()
    outbox.post(update(1, glimpses=0))
    outbox.post(update(2))

    assert await taken(outbox) == [update(2, glimpses=0)]


async def test_a_frame_begins_with_the_welcome_and_ends_with_the_answers():
    outbox = Outbox()
    done, presence = Done(id="12345678", seq=4), Presence(players=("here",), watchers=0)
    welcome = Welcome(protocol=1, build="b", epoch="e", code="KVRT", url="http://k")
    for message in (done, update(4), presence, Sheet(sheet=None), welcome):
        outbox.post(message)

    assert await taken(outbox) == [welcome, Sheet(sheet=None), presence, update(4), done]


async def test_answers_are_never_dropped_but_whoever_lets_them_pile_up_is_hung_up_on():
    outbox = Outbox()
    for n in range(ANSWERS_WAITING):
        outbox.post(Pong(n=n))
    before = outbox.closing

    outbox.post(Pong(n=ANSWERS_WAITING))

    assert (before, outbox.closing) == (None, Close.TOO_SLOW)
    assert len(await taken(outbox)) == ANSWERS_WAITING + 1


async def test_what_waits_is_sent_before_the_line_is_closed():
    outbox = Outbox()
    outbox.post(Pong(n=1))
    outbox.close(Close.ELSEWHERE)
    outbox.close(Close.RESTARTING)

    assert await taken(outbox) == [Pong(n=1)]
    assert await outbox.frame() is None
    assert outbox.closing is Close.ELSEWHERE


async def test_a_frame_is_waited_for():
    outbox = Outbox()
    waiting = asyncio.create_task(taken(outbox))
    await asyncio.sleep(0)

    outbox.post(Pong(n=7))

    assert await waiting == [Pong(n=7)]
