"""What comes into a room waits in order, so much of it, and nobody waits for a closed room."""

import asyncio

import pytest

from engine.rejections import Reason
from server import waking
from server.audience import Attendee
from server.clocks import PUT_OFF
from server.inbox import INBOX, Arriving, Asking, Inbox, TimeIsUp
from server.outbox import Outbox
from server.protocol import Ask, Join, Start
from server.room_log import RoomStopped
from tests.server.clock import Clock
from tests.server.phones import CODE, new_id, new_token

ASK = Ask(id=new_id(), action=Start())


def attendee() -> Attendee:
    return Attendee(Outbox(), ("anna", "ben"), "ben")


def joins(inbox: Inbox) -> asyncio.Task[Reason | None]:
    return asyncio.create_task(inbox.admit(Join(name="Anna", token=new_token()), None))


async def taken(inbox: Inbox) -> Asking | Arriving | TimeIsUp:
    return await asyncio.wait_for(inbox.next(), 5)


async def test_what_waits_is_taken_out_in_the_order_in_which_it_came():
    inbox = Inbox(CODE, clock := Clock())
    await inbox.ask(attendee(), ASK)
    arriving = joins(inbox)
    await asyncio.sleep(0)
    inbox.ring(clock())

    kinds = [type(await taken(inbox)) for _ in range(3)]

    assert kinds == [Asking, Arriving, TimeIsUp]
    arriving.cancel()


async def test_an_ask_speaks_for_the_seat_that_was_faced_when_it_came():
    inbox, device = Inbox(CODE, Clock()), attendee()
    await inbox.ask(device, ASK)
    device.facing = "anna"

    asking = await taken(inbox)

    assert isinstance(asking, Asking)
    assert (asking.facing, asking.held[0]) == ("ben", "ben")


async def test_who_arrives_has_one_answer_the_first():
    inbox = Inbox(CODE, Clock())
    waits = joins(inbox)
    arriving = await taken(inbox)
    assert isinstance(arriving, Arriving)

    arriving.answer(Reason.TABLE_FULL)
    arriving.answer(None)
    arriving.turn_away(CODE)

    assert await waits is Reason.TABLE_FULL


async def test_time_rings_once_however_late_the_room_is_to_hear_it():
    inbox = Inbox(CODE, clock := Clock())
    for _ in range(2 * INBOX):
        inbox.ring(clock())

    assert await taken(inbox) == TimeIsUp(clock())
    inbox.ring(clock() + 1)
    assert await taken(inbox) == TimeIsUp(clock() + 1)


async def test_time_that_is_up_in_a_full_room_is_judged_a_little_later(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(waking, "TICK", 0.001)
    inbox = Inbox(CODE, clock := Clock())
    for _ in range(INBOX):
        await inbox.ask(attendee(), ASK)
    inbox.ring(clock())
    for _ in range(INBOX):
        assert isinstance(await taken(inbox), Asking)

    clock.wind(PUT_OFF)

    assert await taken(inbox) == TimeIsUp(clock())


@pytest.mark.parametrize("asks", [0, INBOX], ids=["in the room", "at the door of a full one"])
async def test_who_waits_learns_that_the_room_was_closed(asks: int):
    inbox = Inbox(CODE, Clock())
    for _ in range(asks):
        await inbox.ask(attendee(), ASK)
    arriving = joins(inbox)
    await asyncio.sleep(0)
    inbox.close()

    with pytest.raises(RoomStopped):
        await asyncio.wait_for(arriving, 5)


async def test_who_comes_later_learns_that_the_room_was_closed():
    inbox = Inbox(CODE, Clock())
    inbox.close()

    with pytest.raises(RoomStopped):
        await asyncio.wait_for(joins(inbox), 5)
