"""A room is read from a log of any length, and nobody else waits for it."""

import asyncio

import pytest

from engine.cards import Seat
from engine.events import Undone
from engine.evolve import LogCorrupt
from engine.history import Entry
from server.asked import ENTRIES_KEPT
from server.log import LogFailed, MemoryLog, Stored
from server.log.base import SLICE
from server.log.codec import encode
from server.room_log import RoomLog, RoomStopped
from server.turns import PIECE, Turns
from tests.server.clock import Clock
from tests.server.games import keep
from tests.server.long_rooms import LONG, SHORT, Watched, readies, room_of
from tests.server.phones import CODE, store_room


class Slow(Clock):
    """By this clock everything takes as long as a piece of work may."""

    def __call__(self) -> float:
        self.wind(PIECE)
        return super().__call__()


async def test_no_more_of_a_long_log_is_in_memory_than_a_slice():
    events = Watched()
    await room_of(events, LONG, 3 * SLICE + 5)
    log = RoomLog(LONG, events, Turns())

    assert await log.read()

    assert log.past.seq == 3 * SLICE + 5
    assert [given for _, given in events.given] == [SLICE, SLICE, SLICE, 5]


async def test_while_a_room_is_read_everything_else_goes_on_after_every_piece():
    events, ticks = MemoryLog(), 0
    await room_of(events, LONG, 2 * SLICE)

    async def ticking():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(ticking())
    await RoomLog(LONG, events, Turns(Slow())).read()
    beside.cancel()

    assert ticks >= 2 * SLICE


async def test_a_room_of_an_evening_is_not_behind_a_long_one():
    events, turns = Watched(), Turns(Slow())
    await room_of(events, LONG, 20 * SLICE)
    await room_of(events, SHORT, SLICE + 1)
    long = asyncio.create_task(RoomLog(LONG, events, turns).read())
    for _ in range(100):
        await asyncio.sleep(0)

    before = len(events.given)
    assert before

    await RoomLog(SHORT, events, turns).read()

    assert sum(code == LONG for code, _ in events.given[before:]) <= 3
    assert await long


async def test_what_is_stored_while_a_room_is_read_is_read_too():
    class Growing(Watched):
        async def read(self, room: str, *asked: int) -> list[Stored]:
            found = await super().read(room, *asked)
            if len(self.given) == 1:
                await keep(self, readies(SLICE + 3, SLICE + 1), LONG)
            return found

    events = Growing()
    await room_of(events, LONG, SLICE)
    log = RoomLog(LONG, events, Turns())

    assert await log.read()
    assert log.past.seq == 2 * SLICE + 3


async def test_the_latest_asks_of_a_long_log_are_known():
    events = MemoryLog()
    await room_of(events, LONG, 2 * SLICE)
    log = RoomLog(LONG, events, Turns())

    await log.read()

    oldest = 2 * SLICE - ENTRIES_KEPT + 1
    known = [log.asked.answer_to(f"ask {seq}", ["a key"]) for seq in (oldest, 2 * SLICE)]
    assert known == [oldest, 2 * SLICE]
    assert log.asked.answer_to(f"ask {oldest - 1}", ["a key"]) is None


async def test_a_room_that_cannot_be_read_to_its_end_stands_where_it_did():
    class Failing(MemoryLog):
        fails = False

        async def read(self, room: str, after: int = 0, most: int = SLICE) -> list[Stored]:
            if self.fails and after:
                raise LogFailed("the disk is gone")
            return await super().read(room, after, most)

    events = Failing()
    await room_of(events, LONG, SLICE)
    log = RoomLog(LONG, events, Turns())
    await log.read()
    before = log.past
    await keep(events, readies(5, SLICE + 1), LONG)
    events.fails = True

    with pytest.raises(LogFailed):
        await log.read()
    assert log.past is before

    events.fails = False
    await events.append(LONG, SLICE + 6, encode(Entry(seq=1, facts=())))
    with pytest.raises(RoomStopped, match=f"entry {SLICE + 6} says it is number 1"):
        await log.read()
    assert log.past is before


async def test_a_room_that_cannot_be_read_holds_up_no_other():
    events, turns = MemoryLog(), Turns()
    await events.append(SHORT, 1, b"{}")
    await room_of(events, LONG, 10)
    with pytest.raises(RoomStopped):
        await RoomLog(SHORT, events, turns).read()

    assert await RoomLog(LONG, events, turns).read()


async def test_what_does_not_fit_is_never_stored():
    events = MemoryLog()
    await store_room(events)
    log = RoomLog(CODE, events, Turns())
    assert await log.read()

    with pytest.raises(LogCorrupt):
        await log.write((Undone(back_to=7, by=Seat(0), agreed=()),), None)

    assert await events.end(CODE) == log.past.seq == 1
