"""Is a log whole? Its file, the numbers of every room, and the chain of its links.

`integrity_check` and not `quick_check`: only the former compares the index, along which rooms are
read, with the table. After it the entries can be walked in the order in which they lie on the disk,
which saves more than the difference between the two.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from server.log import chain
from server.log.base import Damaged, LogUnusable
from server.log.folder import header_of
from server.log.schema import BROKEN, connect_readonly
from server.log.shape import format_of

# What SQLite answers about a file that was damaged; anything else is about the world around it.
_DAMAGE = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_TOOBIG,
}

_VERSIONS = (b"\x01\x01", b"\x02\x02")  # in the header of a database, without and with a WAL


class Contents(NamedTuple):
    """What lies in a log that is whole."""

    format: int
    """0: the file is an empty database, in which a log can be made."""
    rooms: int
    entries: int


class Row(NamedTuple):
    """An entry that continues its room, with the link that it has or, in format 1, would have."""

    room: str
    seq: int
    data: bytes
    link: bytes


def examine(file: Path) -> Contents:
    """The log in `file`, which is not empty or has a WAL, is whole; nothing was written.

    Raises:
        Damaged: it is not, or the file is something else.
        LogUnusable: it is a newer Prikup's, or it could not be looked at.
    """
    with told(file):
        look_at_header(file)
        with closing(connect_readonly(file)) as reader:
            if (version := format_of(reader, file)) == 0:
                return Contents(0, 0, 0)
            (verdict,) = reader.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                raise Damaged(" ".join(verdict.split()))
            ends = {row.room: row.seq for row in rows_of(reader, linked=version > 1)}
            return Contents(version, len(ends), sum(ends.values()))


@contextmanager
def told(file: Path) -> Iterator[None]:
    """What goes wrong while the log in `file` is read is told as damage, or as what it is.

    Raises:
        Damaged: the file is broken.
        LogUnusable: the world around it is.
    """
    try:
        yield
    except BROKEN as error:
        # An error that the module itself raises has no code: a text that is none.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code & 0xFF in _DAMAGE:
            raise Damaged(str(error)) from error
        raise LogUnusable(f"The log {file} cannot be used: {error}.") from error
    except OSError as error:
        raise LogUnusable(f"The log {file} cannot be read: {error.strerror}.") from error


def look_at_header(file: Path) -> None:
    """SQLite may be let at the file.

    It deletes the WAL of a file that is empty, and writes no file with a version it does not know.
    """
    if not (header := header_of(file)):
        raise Damaged("all but its WAL is missing")
    if header[18:20] not in _VERSIONS:
        raise Damaged("its header is broken")


def rows_of(reader: sqlite3.Connection, *, linked: bool) -> Iterator[Row]:
    """Every entry as it was appended, each of which continues its room.

    Raises:
        Damaged: one does not.
    """
    ends: dict[str, chain.Last] = {}
    columns = f"room, seq, data, {'link' if linked else 'NULL'}"
    for room, seq, data, link in reader.execute(f"SELECT {columns} FROM entry ORDER BY rowid"):  # noqa: S608
        if not (isinstance(room, str) and isinstance(data, bytes)):
            raise Damaged("an entry has no room, or no bytes")
        last = chain.extended(ends.get(room, chain.NOTHING), room, data)
        if seq != last.seq:
            raise Damaged(f"room {room}: {seq} stands where entry {last.seq} should")
        if linked and link != last.link:
            raise Damaged(f"room {room}: entry {seq} is not what was stored")
        ends[room] = last
        yield Row(room, seq, data, last.link)
