"""How the log lies in its SQLite file, and how it came to lie so."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from server.log import chain

FORMAT = 2
"""Counts the shapes of the file; 1 had no links and no table `mended`."""

MARK = 0x5072696B  # "Prik": the application id of our files

PAGE = 4096
"""Bytes of a page: SQLite's own choice for every file of ours."""

LONGEST = 1 << 20
"""Bytes of an entry and what goes with it, many times what any of ours has. SQLite refuses to read
or write more, whatever a file says: a few bytes of it could claim a gigabyte."""

_LINK = "link BLOB NOT NULL DEFAULT x''"  # with a default, so that format 1 can be given the column

_MENDED = f"""
CREATE TABLE mended (
    room TEXT PRIMARY KEY NOT NULL,
    seq INTEGER NOT NULL
) STRICT;
PRAGMA application_id = {MARK};
PRAGMA user_version = {FORMAT};
"""

# The entries are made first, in every format, so they and their index begin on the second and third
# page: what mends a file whose first page is lost relies on it.
CREATE = f"""
CREATE TABLE entry (
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,
    {_LINK},
    UNIQUE (room, seq)
) STRICT;
{_MENDED}
"""

CREATE_1 = """
CREATE TABLE entry (
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (room, seq)
) STRICT;
PRAGMA user_version = 1;
"""
"""How the first format was made."""

APPEND = "INSERT INTO entry (room, seq, data, link) VALUES (?, ?, ?, ?)"

LAST = "SELECT seq, link FROM entry WHERE room = ? ORDER BY seq DESC LIMIT 1"

READ = "SELECT seq, data FROM entry WHERE room = ? AND seq > ? ORDER BY seq LIMIT ?"

END = "SELECT max(seq) FROM entry WHERE room = ?"

COUNT = "SELECT count(*) FROM entry WHERE room = ?"

SAME = f"PRAGMA user_version = {FORMAT}"
"""Writes a page and changes nothing in it."""

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

# One step along the index for each room, to its end.
ENDS = f"""
WITH known (room) AS ({ROOMS})
SELECT room, (SELECT max(seq) FROM entry WHERE entry.room = known.room) FROM known
"""  # noqa: S608  # of our own words alone

FORGET = ("DELETE FROM entry WHERE room = ?", "DELETE FROM mended WHERE room = ?")

CUT = "INSERT INTO mended (room, seq) VALUES (?, ?)"

CUTS = "SELECT room, seq FROM mended"

# An entry appended since makes the last number another one.
MENDED = """
SELECT seq FROM mended
WHERE room = ? AND seq = (SELECT max(entry.seq) FROM entry WHERE entry.room = mended.room)
"""

BROKEN = (sqlite3.Error, UnicodeError)
"""What reading a damaged file may raise: SQLite quotes broken names in what it says."""

_CHUNK = 1000  # entries that a migration holds in memory


def connect(file: Path) -> sqlite3.Connection:
    # Each connection is used by one thread at a time, though not by the one that makes it.
    return _wary(sqlite3.connect(file, isolation_level=None, check_same_thread=False))


def connect_readonly(file: Path) -> sqlite3.Connection:
    """A connection that leaves the file and its WAL as they are, also when it is closed."""
    where = f"{file.absolute().as_uri()}?mode=ro"
    return _wary(sqlite3.connect(where, uri=True, isolation_level=None))


def _wary(connection: sqlite3.Connection) -> sqlite3.Connection:
    """`connection`, which believes neither the sizes nor the functions that a file names."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def create(writer: sqlite3.Connection) -> None:
    """The file, empty before, is an empty log."""
    writer.executescript(f"BEGIN; {CREATE} COMMIT;")


def migrate(writer: sqlite3.Connection) -> None:
    """A good log of format 1 is one of format 2, with all its links.

    Should it fail, closing the connection leaves the log as it was.
    """
    writer.execute("BEGIN IMMEDIATE")
    writer.execute(f"ALTER TABLE entry ADD COLUMN {_LINK}")
    for links in _links(writer):
        writer.executemany("UPDATE entry SET link = ? WHERE rowid = ?", links)
    for statement in _MENDED.split(";"):
        writer.execute(statement)
    writer.execute("COMMIT")


def _links(writer: sqlite3.Connection) -> Iterator[list[tuple[bytes, int]]]:
    """The link of every entry with its row, chunk by chunk."""
    ends: dict[str, chain.Last] = {}
    after = 0
    while rows := writer.execute(
        "SELECT rowid, room, data FROM entry WHERE rowid > ? ORDER BY rowid LIMIT ?",
        (after, _CHUNK),
    ).fetchall():
        links = []
        for after, room, data in rows:  # the last row is where the next chunk begins
            ends[room] = chain.extended(ends.get(room, chain.NOTHING), room, data)
            links.append((ends[room].link, after))
        yield links
