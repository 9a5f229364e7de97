"""A room taken out of a log by hand, unread and however large it is."""

import sqlite3
from contextlib import closing
from pathlib import Path

from server.log.base import LogUnusable
from server.log.folder import DB
from server.log.schema import FORGET, connect

SLICE = 1000
"""Entries in one transaction: what is overwritten takes its place in the WAL first."""

_LAST = "SELECT ifnull(max(seq), 0) FROM entry WHERE room = ?"
_CUT = "DELETE FROM entry WHERE room = ? AND seq > ?"


def erase(folder: Path, room: str) -> None:
    """The log in `folder`, which is claimed and whole, has no entry of `room`.

    What was there is overwritten, and its place used again by the entries that come. It goes from
    the end on: whatever interrupts it leaves a beginning of the room.

    Raises:
        LogUnusable: it could not be done, or not to the end.
    """
    try:
        with closing(connect(folder / DB)) as writer:
            writer.execute("PRAGMA secure_delete = ON")
            (left,) = writer.execute(_LAST, (room,)).fetchone()
            while left > 0:
                left -= SLICE
                writer.execute(_CUT, (room, left))
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            for erasing in FORGET:
                writer.execute(erasing, (room,))
    except sqlite3.Error as error:
        raise LogUnusable(f"The log in {folder} cannot be changed: {error}.") from error
