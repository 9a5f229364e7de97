"""The log in one SQLite file: the default, and durable on a single machine.

One thread owns the writing connection and takes everything that waits into one transaction,
so a single fsync answers all of them: the busier the server, the less each append costs.
"""

import asyncio
import fcntl
import sqlite3
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, NamedTuple

from server.log.base import Bells, Conflict, LogFailed, LogUnusable, Stored

BATCH_LIMIT = 1000  # appends in one transaction; beyond it the fsync is no longer what costs
FORMAT = 1

CREATE = f"""
CREATE TABLE entry (
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (room, seq)
) STRICT;
PRAGMA user_version = {FORMAT};
"""

APPEND = "INSERT INTO entry (room, seq, data) VALUES (?, ?, ?)"

LAST = "SELECT coalesce(max(seq), 0) FROM entry WHERE room = ?"

READ = "SELECT seq, data FROM entry WHERE room = ? AND seq > ? ORDER BY seq"

# Hops from room to room along the index instead of walking over every entry.
ROOMS = """
WITH RECURSIVE found (room) AS (
    SELECT min(room) FROM entry
    UNION ALL
    SELECT (SELECT min(room) FROM entry WHERE room > found.room)
    FROM found WHERE found.room IS NOT NULL
)
SELECT room FROM found WHERE room IS NOT NULL
"""


class _Append(NamedTuple):
    row: tuple[str, int, bytes]
    done: asyncio.Future[None]


class SqliteLog:
    """An `EventLog` in `folder`, which it has for itself until `close`.

    Raises:
        LogUnusable: the folder cannot be written, is in use by another server,
            or holds something that is not a log of ours.
    """

    def __init__(self, folder: Path) -> None:
        self._claim = _claim(folder)
        try:
            self._writer = _connect(folder / "prikup.db")
            _prepare(self._writer, folder)
            self._reader = _connect(folder / "prikup.db")
        except BaseException:
            self._claim.close()
            raise
        self._bells = Bells()
        self._closed = False
        self._last: dict[str, int] = {}
        self._waiting: SimpleQueue[_Append | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="log writer", daemon=True)
        self._thread.start()
        self._reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="log reader")

    async def append(self, room: str, seq: int, data: bytes) -> None:
        if self._closed:
            raise LogFailed("the log is closed")
        done = asyncio.get_running_loop().create_future()
        self._waiting.put(_Append((room, seq, data), done))
        await done

    async def read(self, room: str, after: int = 0) -> list[Stored]:
        return [Stored(*row) for row in await self._ask(READ, (room, after))]

    def follow(self, room: str, after: int = 0) -> AsyncIterator[Stored]:
        return self._bells.follow(room, after, self.read)

    async def rooms(self) -> list[str]:
        return [room for (room,) in await self._ask(ROOMS, ())]

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

    def _store(self, batch: list[_Append]) -> dict[int, Exception]:
        """The batch is durable, except for the positions returned with what became of them."""
        refused: dict[int, Exception] = {}
        accepted: list[tuple[str, int, bytes]] = []
        numbers: dict[str, int] = {}
        try:
            for position, (row, _) in enumerate(batch):
                room, seq, _ = row
                if seq != 1 + (numbers.get(room) or self._last_of(room)):
                    refused[position] = Conflict(room, seq)
                else:
                    numbers[room] = seq
                    accepted.append(row)
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany(APPEND, accepted)
            self._writer.execute("COMMIT")
        except Exception as error:  # noqa: BLE001  # the thread must live, and those who wait be told
            # A full disk may have ended the transaction already.
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            self._last.clear()
            return dict.fromkeys(range(len(batch)), LogFailed(f"the log failed: {error}"))
        self._last.update(numbers)
        return refused

    def _last_of(self, room: str) -> int:
        """The last number in the file, which nobody else writes while we hold the claim."""
        if room not in self._last:
            (self._last[room],) = self._writer.execute(LAST, (room,)).fetchone()
        return self._last[room]

    def _report(self, batch: list[_Append], failures: dict[int, Exception]) -> None:
        for position, (row, done) in enumerate(batch):
            if failure := failures.get(position):
                if not done.done():
                    done.set_exception(failure)
                continue
            if not done.done():
                done.set_result(None)
            self._bells.ring(row[0])


def _claim(folder: Path) -> IO[str]:
    """The folder exists and belongs to whoever holds the returned file open.

    The system lets go of the claim when the process ends, however it ends.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        claim = (folder / "prikup.lock").open("w")
    except OSError as error:
        raise LogUnusable(
            f"The data folder {folder} cannot be written: {error.strerror}."
        ) from error
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        claim.close()
        raise LogUnusable(f"The data folder {folder} is in use by another Prikup.") from error
    return claim


def _connect(file: Path) -> sqlite3.Connection:
    # Each connection is used by one thread at a time, though not by the one that makes it.
    try:
        return sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise LogUnusable(f"The log {file} cannot be opened: {error}.") from error


def _prepare(writer: sqlite3.Connection, folder: Path) -> None:
    try:
        writer.execute("PRAGMA journal_mode = WAL")
        # FULL: an acknowledged append survives a power cut, which NORMAL does not promise.
        writer.execute("PRAGMA synchronous = FULL")
        (found,) = writer.execute("PRAGMA user_version").fetchone()
        if found == 0:
            writer.executescript(f"BEGIN; {CREATE} COMMIT;")
    except sqlite3.Error as error:
        writer.close()
        raise LogUnusable(f"The log in {folder} cannot be used: {error}.") from error
    if found > FORMAT:
        writer.close()
        raise LogUnusable(f"The log in {folder} was written by a newer Prikup.")
