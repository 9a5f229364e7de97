"""The log in one SQLite file: the default, and durable on a single machine.

One thread owns the writing connection and takes everything that waits into one transaction,
so a single fsync answers all of them: the busier the server, the less each append costs.
"""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from server.log import chain
from server.log.base import SLICE, Bells, Conflict, LogFailed, Stored
from server.log.folder import claim
from server.log.opening import open_both
from server.log.schema import APPEND, END, ENDS, FORGET, LAST, LONGEST, MENDED, READ, ROOMS, SAME

_BESIDE = 1000  # bytes that lie beside an entry in its row, and many more
BATCH_LIMIT = 1000  # appends in one transaction; beyond it the fsync is no longer what costs


class _Append(NamedTuple):
    row: tuple[str, int, bytes]
    done: asyncio.Future[None]


class _Forget(NamedTuple):
    room: str
    done: asyncio.Future[None]


class SqliteLog:
    """An `EventLog` in `folder`, which it has for itself until `close`.

    A log that was damaged is mended first, as `server.log.mending` says.

    Raises:
        LogUnusable: the folder cannot be written, is in use by another server,
            or holds something that is not a log of ours.
    """

    def __init__(self, folder: Path) -> None:
        self._claim = claim(folder)
        try:
            self._writer, self._reader = open_both(folder)
        except BaseException:
            self._claim.close()
            raise
        # What is forgotten is overwritten, so that no repair finds it in the file's free pages.
        self._writer.execute("PRAGMA secure_delete = ON")
        self._bells = Bells()
        self._closed = False
        self._last: dict[str, chain.Last] = {}
        self._waiting: SimpleQueue[_Append | _Forget | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="log writer", daemon=True)
        self._thread.start()
        self._reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="log reader")

    async def append(self, room: str, seq: int, data: bytes) -> None:
        if self._closed:
            raise LogFailed("the log is closed")
        if len(data) > LONGEST - _BESIDE:  # else SQLite refuses all that is stored with it
            raise LogFailed(f"an entry of {len(data)} bytes is too long")
        done = asyncio.get_running_loop().create_future()
        self._waiting.put(_Append((room, seq, data), done))
        await done

    async def read(self, room: str, after: int = 0, most: int = SLICE) -> list[Stored]:
        return [Stored(*row) for row in await self._ask(READ, (room, after, most))]

    async def end(self, room: str) -> int:
        ((seq,),) = await self._ask(END, (room,))
        return seq or 0

    def follow(self, room: str, after: int = 0) -> AsyncIterator[Stored]:
        return self._bells.follow(room, after, self.read)

    async def rooms(self) -> list[str]:
        return [room for (room,) in await self._ask(ROOMS, ())]

    async def ends(self) -> dict[str, int]:
        return dict(await self._ask(ENDS, ()))

    async def forget(self, room: str) -> None:
        if self._closed:
            raise LogFailed("the log is closed")
        done = asyncio.get_running_loop().create_future()
        self._waiting.put(_Forget(room, done))
        await done

    async def mended(self, room: str) -> int | None:
        return next((seq for (seq,) in await self._ask(MENDED, (room,))), None)

    def close(self) -> None:
        """Everything appended is stored, the file is closed and free for the next server.

        May be called twice.
        """
        if self._closed:
            return
        self._closed = True
        self._waiting.put(None)
        self._thread.join()
        self._reading.shutdown()
        self._reader.close()
        self._writer.close()
        self._claim.close()

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[Any]:
        if self._closed:
            raise LogFailed("the log is closed")

        def fetch() -> list[Any]:
            try:
                return self._reader.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise LogFailed(f"the log could not be read: {error}") from error

        return await asyncio.get_running_loop().run_in_executor(self._reading, fetch)

    def _write(self) -> None:
        """The writer thread: takes all that waits, stores it, reports back once."""
        while (first := self._waiting.get()) is not None:
            batch, last = [first], False
            with suppress(Empty):
                while len(batch) < BATCH_LIMIT and not last:
                    if (more := self._waiting.get_nowait()) is None:
                        last = True
                    else:
                        batch.append(more)
            failures = self._store(batch)
            # A loop that is closed has nobody left who waits for the answer.
            with suppress(RuntimeError):
                loop = first.done.get_loop()
                loop.call_soon_threadsafe(self._report, batch, failures)
            if last:
                return

    def _store(self, batch: list[_Append | _Forget]) -> dict[int, Exception]:
        """The batch is durable, except for the positions returned with what became of them."""
        refused: dict[int, Exception] = {}
        accepted: list[tuple[str, int, bytes, bytes]] = []
        ends: dict[str, chain.Last] = {}
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for position, wish in enumerate(batch):
                if isinstance(wish, _Forget):
                    self._writer.executemany(APPEND, accepted)
                    accepted.clear()
                    self._erase(wish.room)
                    ends[wish.room] = chain.NOTHING
                    continue
                room, seq, data = wish.row
                last = ends.get(room) or self._last_of(room)
                if seq != last.seq + 1:
                    refused[position] = Conflict(room, seq)
                else:
                    ends[room] = chain.extended(last, room, data)
                    accepted.append((room, seq, data, ends[room].link))
            self._writer.executemany(APPEND, accepted)
            self._writer.execute("COMMIT")
        except Exception as error:  # noqa: BLE001  # the thread must live, and those who wait be told
            # A full disk may have ended the transaction already.
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            self._write_over()
            self._last.clear()
            return dict.fromkeys(range(len(batch)), LogFailed(f"the log failed: {error}"))
        self._last.update(ends)
        return refused

    def _write_over(self) -> None:
        """What a failed commit has left in the WAL is no commit any more.

        Where the disk took the bytes and would not vouch for them, a killed server's successor
        would find them and believe them. A commit that changes nothing takes their place; that the
        disk does not vouch for it either is no harm.
        """
        with suppress(sqlite3.Error):
            self._writer.execute(SAME)
        if self._writer.in_transaction:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")

    def _erase(self, room: str) -> None:
        for erasing in FORGET:
            self._writer.execute(erasing, (room,))

    def _last_of(self, room: str) -> chain.Last:
        """The end of `room` in the file, which nobody else writes while we hold the claim."""
        if room not in self._last:
            found = self._writer.execute(LAST, (room,)).fetchone()
            self._last[room] = chain.Last(*found) if found else chain.NOTHING
        return self._last[room]

    def _report(self, batch: list[_Append | _Forget], failures: dict[int, Exception]) -> None:
        for position, wish in enumerate(batch):
            if failure := failures.get(position):
                if not wish.done.done():
                    wish.done.set_exception(failure)
                continue
            if not wish.done.done():
                wish.done.set_result(None)
            if isinstance(wish, _Append):
                self._bells.ring(wish.row[0])
