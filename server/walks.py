"""Walks over whole rooms of the log: beside the event loop, one at a time, and slice by slice."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from engine.history import Entry
from server.log import EventLog, LogFailed, Stored
from server.log.base import SLICE
from server.log.codec import EntryDecoder

Made = TypeVar("Made")

PATIENCE = 0.5
"""Seconds after which a walk that waits for the log looks whether the server has ended."""


class Walks:
    """The one thread in which everything is made of the games of the past.

    Whoever wants something made waits for `turn` first, and holds nothing of a log while waiting.
    """

    def __init__(self, events: EventLog) -> None:
        self.turn = asyncio.Lock()
        self._events = events
        self._ended = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="walks")

    async def over(self, code: str, end: int, make: Callable[["RoomEntries"], Made]) -> Made:
        """What `make` makes of the entries of room `code` up to number `end`, in the thread.

        Raises:
            LogFailed: the log cannot be read now, or the server ends.
        """
        loop = asyncio.get_running_loop()
        if self._ended:
            raise LogFailed("the server ends")

        def read(after: int, most: int) -> list[Stored]:
            found = asyncio.run_coroutine_threadsafe(self._events.read(code, after, most), loop)
            while not self._ended and not loop.is_closed():
                try:
                    return found.result(PATIENCE)
                except TimeoutError:
                    continue
            raise LogFailed("the server ends")

        return await loop.run_in_executor(self._thread, make, RoomEntries(read, end))

    async def close(self) -> None:
        """The walk under way has been given up, and there is no other."""
        self._ended = True
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)


class RoomEntries:
    """The entries of a room up to number `end`.

    Whoever goes over them reads them, a slice at a time, each time anew.

    Raises:
        EntryUnreadable: one of them is none.
        LogFailed: the log cannot be read now.
    """

    def __init__(self, read: Callable[[int, int], list[Stored]], end: int) -> None:
        self.end = end
        self._read = read

    def __iter__(self) -> Iterator[Entry]:
        return self.after(0, EntryDecoder())

    def after(self, seq: int, decoder: EntryDecoder) -> Iterator[Entry]:
        """Those above number `seq`, by the decoder that has read all up to there."""
        while seq < self.end and (found := self._read(seq, min(SLICE, self.end - seq))):
            for stored in found:
                yield decoder.entry(stored)
            seq = found[-1].seq
