import asyncio
from typing import get_args

import msgspec
import pytest

from engine.cards import Card, Seat
from engine.events import CardPlayed
from engine.rejections import Reason
from engine.views import table_view
from server.outbox import ANSWERS_WAITING, GLIMPSES_WAITING, NEWS_WAITING, Outbox
from server.protocol import (
    Close,
    Done,
    NotSeated,
    Options,
    Pong,
    Presence,
    Proposals,
    Refused,
    ServerMessage,
    Settled,
    Sheet,
    Table,
    Update,
    Welcome,
)
from tests.support import RU_3, Evening

PLAYED = CardPlayed(seat=Seat(0), card=Card.SA, next=None)


def update(seq: int, glimpses: int = 1) -> Update:
    return Update(seq=seq, game=None, glimpses=(PLAYED,) * glimpses, options=Options())


def settled(seat: int) -> Settled:
    return Settled(kind="kick", by=None, seat=Seat(seat), name="", outcome="lapsed")


WELCOME = Welcome(protocol=1, build="b", epoch="e", code="KVRT", url="http://k")
ROOM = Evening(RU_3).room
KINDS = (
    WELCOME,
    Table(table=table_view(ROOM, None), mine=()),
    Sheet(sheet=None),
    Presence(players=("here",), watchers=0),
    Proposals(proposals=(), kicked=()),
    update(4),
    settled(0),
    Done(id="12345678", seq=4),
    Refused(id="12345678", reason=Reason.FAILED),
    NotSeated(reason=Reason.FAILED),
    Pong(n=1),
)
"""A message of every kind."""

ANSWERS = (Done, Refused, NotSeated, Pong)
"""What nobody is sent who has not asked for it."""


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
    for message in (done, settled(1), update(4), presence, Sheet(sheet=None), WELCOME):
        outbox.post(message)

    assert await taken(outbox) == [
        WELCOME,
        Sheet(sheet=None),
        presence,
        update(4),
        settled(1),
        done,
    ]


async def test_answers_are_never_dropped_but_whoever_lets_them_pile_up_is_hung_up_on():
    outbox = Outbox()
    for n in range(ANSWERS_WAITING):
        outbox.post(Pong(n=n))
    before = outbox.closing

    outbox.post(Pong(n=ANSWERS_WAITING))

    assert (before, outbox.closing) == (None, Close.TOO_SLOW)
    assert len(await taken(outbox)) == ANSWERS_WAITING + 1


def test_there_is_a_message_of_every_kind():
    assert {type(message) for message in KINDS} == set(get_args(ServerMessage))


@pytest.mark.parametrize("message", KINDS, ids=lambda message: type(message).__name__)
async def test_nobody_is_hung_up_on_for_what_was_not_asked_for_and_nothing_waits_without_end(
    message: ServerMessage,
):
    outbox = Outbox()
    for _ in range(10 * ANSWERS_WAITING):
        if outbox.closing is None:
            outbox.post(message)

    assert (outbox.closing is Close.TOO_SLOW) == isinstance(message, ANSWERS)
    assert len(await taken(outbox)) <= ANSWERS_WAITING + 1


async def test_of_news_that_waits_the_last_few_are_kept():
    outbox = Outbox()
    for seat in range(3 * NEWS_WAITING):
        outbox.post(settled(seat))

    assert outbox.closing is None
    assert await taken(outbox) == [
        settled(seat) for seat in range(2 * NEWS_WAITING, 3 * NEWS_WAITING)
    ]


async def test_what_cannot_be_shown_whole_is_not_shown_and_answers_are_given_all_the_same():
    outbox = Outbox()
    for message in KINDS:
        outbox.post(message)

    outbox.give_up()

    assert not any(isinstance(message, Update | Table) for message in await taken(outbox))
    assert await outbox.frame() is None
    assert outbox.closing is Close.FAILED


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
