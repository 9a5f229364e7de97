"""One writer of a room, beside others who write it from elsewhere."""

import asyncio
from pathlib import Path

from engine.cards import Seat
from engine.rejections import Reason
from server.log import MemoryLog, SqliteLog, Stored
from server.protocol import Deal, Done, Join, Refused
from tests.server.phones import (
    Phone,
    dealer_of,
    new_token,
    running,
    seated,
    started,
    store_room,
)


async def test_whoever_loses_the_race_reads_the_room_again_and_judges_again(tmp_path: Path):
    events = SqliteLog(tmp_path)
    await store_room(events)
    async with running(events) as here, running(events) as there:
        phones = await started(here)
        dealer, _ = dealer_of(phones)
        # The other node still believes in the empty room.
        token = new_token()
        assert there.seq < here.seq
        assert await there.admit(Join(name="Dora", token=token)) is Reason.TABLE_FULL
        assert there.seq == here.seq

        far = Phone(there, dealer.token)
        done = await far.asks(Deal())
        assert isinstance(done, Done)
        # Here nobody knows yet: the next ask collides, is judged on what is true, and shows it.
        late = await dealer.asks(Deal(), "deal-late")

        assert late == Refused(id="deal-late", reason=Reason.WRONG_PHASE)
        assert here.seq == there.seq
        assert here.state == there.state
    events.close()


async def test_an_ask_that_another_node_did_is_done_and_not_done_twice():
    events = MemoryLog()
    await store_room(events)
    async with running(events) as here, running(events) as there:
        phones = await started(here)
        dealer, _ = dealer_of(phones)
        assert await there.load()
        done = await Phone(there, dealer.token).asks(Deal(), "deal-0000")

        again = await dealer.asks(Deal(), "deal-0000")

        assert isinstance(done, Done)
        assert done == again
        assert here.seq == there.seq == done.seq


async def test_while_the_room_is_read_again_it_stands_where_it_did():
    class Slow(MemoryLog):
        """A log of two servers, in which reading takes its time."""

        gate: asyncio.Event | None = None

        async def read(self, room: str, *asked: int) -> list[Stored]:
            if self.gate is not None:
                await self.gate.wait()
            return await super().read(room, *asked)

    events = Slow()
    await store_room(events)
    async with running(events) as here, running(events) as there:
        (anna,) = await seated(here, "Anna")
        events.gate = asyncio.Event()
        joining = asyncio.create_task(there.admit(Join(name="Ben", token=(ben := new_token()))))
        for _ in range(3):
            await asyncio.sleep(0)

        watcher = Phone(there)
        there.look_around()
        there.face(watcher.attendee, Seat(0))
        assert there.seat_of(anna.token or "") is None
        events.gate.set()
        assert await joining is None

        assert there.seat_of(anna.token or "") == 0
        assert there.seat_of(ben) == 1
