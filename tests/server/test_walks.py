"""Rooms of the log are walked over beside the event loop, slice by slice."""

import asyncio

import pytest

from engine.history import Entry
from server.log import LogFailed, MemoryLog, Stored
from server.log.base import SLICE
from server.log.codec import EntryDecoder, EntryUnreadable
from server.walks import RoomEntries, Walks
from tests.server.long_rooms import LONG, Watched, room_of


def seqs(entries: RoomEntries) -> list[int]:
    return [entry.seq for entry in entries]


async def test_the_entries_are_read_slice_by_slice_up_to_the_end():
    events = Watched()
    await room_of(events, LONG, 3 * SLICE)
    walks = Walks(events)

    assert await walks.over(LONG, 2 * SLICE + 5, seqs) == list(range(1, 2 * SLICE + 6))

    assert [given for _, given in events.given] == [SLICE, SLICE, 5]
    await walks.close()


async def test_what_is_not_taken_is_not_read():
    events = Watched()
    await room_of(events, LONG, 3 * SLICE)
    walks = Walks(events)

    def first(entries: RoomEntries) -> Entry:
        return next(iter(entries))

    assert (await walks.over(LONG, 3 * SLICE, first)).seq == 1

    assert [given for _, given in events.given] == [SLICE]
    await walks.close()


async def test_they_can_be_gone_over_again_and_read_on():
    events = MemoryLog()
    await room_of(events, LONG, SLICE + 3)
    walks = Walks(events)

    def twice(entries: RoomEntries) -> bool:
        return list(entries) == list(entries)

    def on(entries: RoomEntries) -> list[int]:
        return [entry.seq for entry in entries.after(SLICE, EntryDecoder())]

    assert await walks.over(LONG, SLICE + 3, twice)
    assert await walks.over(LONG, SLICE + 3, on) == [SLICE + 1, SLICE + 2, SLICE + 3]
    await walks.close()


async def test_one_walk_is_made_at_a_time():
    events, inside, most = MemoryLog(), 0, 0
    await room_of(events, LONG, 10)
    walks = Walks(events)

    def walk(entries: RoomEntries) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        assert len(seqs(entries)) == 10
        inside -= 1

    await asyncio.gather(*(walks.over(LONG, 10, walk) for _ in range(8)))

    assert most == 1
    await walks.close()


async def test_what_cannot_be_read_is_told_to_whoever_wanted_it():
    class Broken(MemoryLog):
        async def read(self, room: str, *asked: int) -> list[Stored]:
            raise LogFailed(f"{room} after {asked}")

    events = MemoryLog()
    await events.append(LONG, 1, b"{}")
    with pytest.raises(EntryUnreadable):
        await Walks(events).over(LONG, 1, seqs)
    with pytest.raises(LogFailed):
        await Walks(Broken()).over(LONG, 1, seqs)


async def test_a_walk_that_waits_for_the_log_is_given_up_when_the_server_ends():
    asked = asyncio.Event()

    class Stuck(MemoryLog):
        async def read(self, *_asked: object) -> list[Stored]:
            asked.set()
            await asyncio.Event().wait()
            return []

    walks = Walks(Stuck())
    walking = asyncio.create_task(walks.over(LONG, 5, seqs))
    await asked.wait()

    await walks.close()

    with pytest.raises(LogFailed, match="the server ends"):
        await walking
    with pytest.raises(LogFailed, match="the server ends"):
        await walks.over(LONG, 5, seqs)
