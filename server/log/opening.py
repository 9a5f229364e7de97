"""What must be so before the first append: a log that is whole, of our format, and durable."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from server.log.base import Damaged, LogUnusable
from server.log.examining import examine
from server.log.folder import DB, JOURNAL, PRIVATE, holds_log, size_of
from server.log.mending import mend
from server.log.schema import BROKEN, FORMAT, connect, create, migrate


def open_both(folder: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """A writer and a reader of the log in `folder`, which is claimed.

    A log that is whole and of our format was only read.

    Raises:
        LogUnusable: there is something that is not a log of ours, or the disk would not.
    """
    if size_of(folder / DB) and size_of(folder / (DB + JOURNAL)):
        _roll_back(folder / DB)
    if holds_log(folder):
        try:
            examine(folder / DB)
        except Damaged as damage:
            mend(folder, str(damage))
    try:
        os.close(os.open(folder / DB, os.O_RDWR | os.O_CREAT, PRIVATE))
        writer = connect(folder / DB)
        try:
            _prepare(writer)
            return writer, connect(folder / DB)
        except BaseException:
            writer.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise LogUnusable(f"The log in {folder} cannot be used: {error}.") from error


def _roll_back(file: Path) -> None:
    """What was begun and not ended while the log had no WAL, as when it was made, never happened.

    Whoever may only read cannot do that, and could not look at the log.
    """
    with suppress(*BROKEN), closing(connect(file)) as writer:
        writer.execute("PRAGMA user_version").fetchone()


def _prepare(writer: sqlite3.Connection) -> None:
    writer.execute("PRAGMA journal_mode = WAL")
    # FULL: an acknowledged append survives a power cut, which NORMAL does not promise.
    writer.execute("PRAGMA synchronous = FULL")
    (found,) = writer.execute("PRAGMA user_version").fetchone()
    if found == 0:
        create(writer)
    elif found < FORMAT:
        migrate(writer)
