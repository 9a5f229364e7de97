"""A log made anew from the rows of another: the entries come over, and nothing else of the file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from server.log.base import LogUnusable
from server.log.examining import Contents, Row, look_at_header, rows_of, told
from server.log.schema import APPEND, CUT, CUTS, connect, connect_readonly, create
from server.log.shape import format_of


def copy_log(source: Path, target: Path) -> Contents:
    """`target`, which was not there, is a log of our format with the entries in `source`.

    It is one file, complete in itself, but not yet synced to the disk. A server may write `source`
    meanwhile: the copy is what was there at one moment. The answer tells of `source`.

    Raises:
        Damaged: `source` is no whole log of ours.
        LogUnusable: it is a newer Prikup's, it could not be read, or `target` not be written.
    """
    with told(source):
        look_at_header(source)
        reader = connect_readonly(source)
    with closing(reader):
        with told(source):
            reader.execute("BEGIN")
            version = format_of(reader, source)
        try:
            rooms, entries = _copy(reader, version, source, target)
        except sqlite3.Error as error:
            raise LogUnusable(f"The log {source} cannot be copied: {error}.") from error
    return Contents(version, rooms, entries)


def _copy(reader: sqlite3.Connection, version: int, source: Path, target: Path) -> tuple[int, int]:
    """How many rooms and entries were copied."""
    with closing(connect(target)) as writer:
        # Whatever interrupts it, nobody uses the half of a copy.
        writer.execute("PRAGMA journal_mode = OFF")
        writer.execute("PRAGMA synchronous = OFF")
        create(writer)
        writer.execute("BEGIN")
        ends: dict[str, int] = {}
        for row in _entries(reader, version, source):
            writer.execute(APPEND, row)
            ends[row.room] = row.seq
        for room, seq in _marks(reader, version, source):
            if ends.get(room) == seq:
                writer.execute(CUT, (room, seq))
        writer.execute("COMMIT")
    return len(ends), sum(ends.values())


def _entries(reader: sqlite3.Connection, version: int, source: Path) -> Iterator[Row]:
    if version > 0:
        with told(source):
            yield from rows_of(reader, linked=version > 1)


def _marks(reader: sqlite3.Connection, version: int, source: Path) -> list[tuple[str, int]]:
    """Which rooms were cut, and after which entry."""
    if version <= 1:
        return []
    with told(source):
        return reader.execute(CUTS).fetchall()
