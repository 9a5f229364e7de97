"""Logs of known content, and what trouble does to their files."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from server.log import SqliteLog
from server.log.chain import NOTHING, extended

DB, WAL = "prikup.db", "prikup.db-wal"

Entries = dict[str, list[bytes]]

# As the file was before entries had links.
FORMAT_1 = """
CREATE TABLE entry (
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (room, seq)
) STRICT;
PRAGMA user_version = 1;
"""


_ENDLESS = (
    "CREATE VIEW entry AS WITH RECURSIVE n (room, seq, data, link) AS "
    "(SELECT 'KVRT', 1, x'', x'' UNION ALL SELECT room, seq + 1, data, link FROM n) SELECT * FROM n"
)
_WITHOUT_ROWS = (
    "CREATE TABLE other (room TEXT NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, "
    "link BLOB NOT NULL, PRIMARY KEY (room, seq)) STRICT, WITHOUT ROWID"
)

FOREIGN = {
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END",),
    "a view": ("CREATE VIEW more AS SELECT * FROM entry",),
    "a table": ("CREATE TABLE more (x)",),
    "an index": ("CREATE INDEX more ON entry (data)",),
    "a virtual table": ("CREATE VIRTUAL TABLE more USING fts5(x)",),
    "a column": ("ALTER TABLE entry ADD COLUMN more TEXT",),
    "a table less": ("DROP TABLE mended",),
    "an endless view for the marks": ("DROP TABLE mended", _ENDLESS.replace("entry", "mended")),
    "statistics": ("ANALYZE",),
    "other pages": ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"),
    "another mark": ("PRAGMA application_id = 7",),
    "no version": ("PRAGMA user_version = 0",),
    "another rule": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'BLOB NOT NULL,', 'BLOB CHECK (data),')",
    ),
}
"""What somebody may have put into a database, in which our entries still lie as they are."""

FOREIGN_ENTRIES = {
    "an endless view for the entries": ("DROP TABLE entry", _ENDLESS),
    "a generated column": ("ALTER TABLE entry ADD COLUMN more INTEGER AS (length(data)) VIRTUAL",),
    "no row numbers": (
        *(_WITHOUT_ROWS, "INSERT INTO other SELECT * FROM entry", "DROP TABLE entry"),
        "ALTER TABLE other RENAME TO entry",
    ),
}
"""The same, where the entries are not what they were."""


def entries_by_chance(chance: random.Random, rooms: int = 6, longest: int = 60) -> Entries:
    """Short and long ones, some of them longer than a page."""
    return {
        f"R{number:03}": [
            chance.randbytes(chance.choice((0, 1, 60, 300, 300, 900, 9000)))
            for _ in range(chance.randint(1, longest))
        ]
        for number in range(rooms)
    }


def in_turn(chance: random.Random, entries: Entries) -> list[tuple[str, int, bytes]]:
    """All of them as they may have been appended: rooms mixed, each in order."""
    turns = [room for room, all_data in entries.items() for _ in all_data]
    chance.shuffle(turns)
    told = dict.fromkeys(entries, 0)
    rows = []
    for room in turns:
        told[room] += 1
        rows.append((room, told[room], entries[room][told[room] - 1]))
    return rows


async def store(folder: Path, chance: random.Random, entries: Entries) -> None:
    """A log in `folder` as a killed server leaves it: some in the file, the rest in its WAL."""
    live = folder.with_name(folder.name + "-live")
    log = SqliteLog(live)
    rows = in_turn(chance, entries)
    early = chance.randint(0, len(rows))
    for room, seq, data in rows[:early]:
        await log.append(room, seq, data)
    log._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # noqa: SLF001  # as time would
    while early < len(rows):
        together = chance.randint(1, 5)
        await asyncio.gather(*(log.append(*row) for row in rows[early : early + together]))
        early += together
    folder.mkdir()  # noqa: ASYNC240  # nobody waits
    for name in (DB, WAL):
        shutil.copyfile(live / name, folder / name)
    log.close()


def store_format_1(folder: Path, rows: list[tuple[str, int, bytes]]) -> None:
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / DB, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.executescript(f"BEGIN; {FORMAT_1} COMMIT;")
        writer.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)


def change(folder: Path, *statements: str) -> None:
    """What `statements` say is done to the log at rest in `folder`, behind its back."""
    with closing(sqlite3.connect(folder / DB, isolation_level=None)) as writer:
        for statement in statements:
            writer.execute(statement)


def spoil(folder: Path, room: str, seq: int) -> None:
    """Entry `seq` of `room` in the log at rest in `folder` is not what was stored."""
    with closing(sqlite3.connect(folder / DB, isolation_level=None)) as writer:
        where = (b"spoilt", room, seq)
        writer.execute("UPDATE entry SET data = ? WHERE room = ? AND seq = ?", where)


def damaged_files(folder: Path) -> set[str]:
    """What was kept in `folder` of logs that were mended."""
    return {path.name for path in folder.glob("prikup.damaged-*")}


def truncate(chance: random.Random, file: Path) -> str:
    size = chance.randrange(file.stat().st_size)
    with file.open("r+b") as opened:
        opened.truncate(size)
    return f"{file.name} ends at {size}"


def tear(chance: random.Random, file: Path) -> str:
    """A run of sectors was not written, or with something else."""
    at = chance.randrange(0, file.stat().st_size, 512)
    length = 512 * chance.choice((1, 1, 2, 8, 16))
    content = chance.choice((bytes(length), chance.randbytes(length)))
    _overwrite(file, at, content)
    return f"{file.name} is torn at {at} for {length}"


def flip(chance: random.Random, file: Path) -> str:
    at = chance.randrange(file.stat().st_size)
    byte = file.read_bytes()[at]
    _overwrite(file, at, bytes([byte ^ chance.randint(1, 255)]))
    return f"{file.name} is flipped at {at}"


def _overwrite(file: Path, at: int, content: bytes) -> None:
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(content[: size - at])


def trouble(chance: random.Random, folder: Path) -> str:
    """One of them happens to one of the files of the log in `folder`."""
    file = chance.choice(
        [folder / name for name in (DB, DB, WAL) if (folder / name).stat().st_size]
    )
    return chance.choice((truncate, tear, flip))(chance, file)


def beginnings_sqlite_gives(folder: Path, entries: Entries) -> dict[str, int]:
    """How many of each room's first entries plain SQLite reads, one by one, as they were stored."""
    copy = folder.with_name(folder.name + "-plain")
    shutil.copytree(folder, copy)
    try:
        with closing(sqlite3.connect(copy / DB)) as reader:
            return {room: _beginning(reader, room, all_data) for room, all_data in entries.items()}
    finally:
        shutil.rmtree(copy)


def _beginning(reader: sqlite3.Connection, room: str, all_data: list[bytes]) -> int:
    last = NOTHING
    for seq, data in enumerate(all_data, 1):
        last = extended(last, room, data)
        try:
            found = reader.execute(
                "SELECT data, link FROM entry WHERE room = ? AND seq = ?", (room, seq)
            ).fetchone()
        except (sqlite3.Error, UnicodeError):
            return seq - 1
        if found != (data, last.link):
            return seq - 1
    return len(all_data)
