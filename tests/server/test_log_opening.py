"""A log is opened after a server was killed while it made it, or before it gave it a WAL."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from server.log import SqliteLog, Stored
from server.log.folder import JOURNAL
from tests.server.damage import DB, change, damaged_files


def interrupt(live: Path, folder: Path, *statements: str) -> None:
    """`folder` holds what a kill in the middle of a transaction of `statements` leaves.

    The log in `live` has no WAL.
    """
    folder.mkdir()
    with closing(sqlite3.connect(live / DB, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")  # pages are written before the transaction ends
        writer.execute("BEGIN")
        for statement in statements:
            writer.execute(statement)
        for name in (DB, DB + JOURNAL):
            shutil.copyfile(live / name, folder / name)


async def test_a_server_killed_while_it_makes_its_log_makes_it_the_next_time(tmp_path: Path):
    live, folder = tmp_path / "live", tmp_path / "data"
    live.mkdir()
    tables = [f"CREATE TABLE t{number} (filling TEXT)" for number in range(50)]
    interrupt(live, folder, *tables)
    assert (folder / DB).stat().st_size > 0

    log = SqliteLog(folder)

    await log.append("KVRT", 1, b"one")
    assert await log.read("KVRT") == [Stored(1, b"one")]
    log.close()
    assert damaged_files(folder) == set()


async def test_what_was_begun_in_a_log_without_a_wal_never_happened(tmp_path: Path):
    live, folder = tmp_path / "live", tmp_path / "data"
    log = SqliteLog(live)
    for seq in range(1, 101):
        await log.append("KVRT", seq, b"%d" % seq * 50)
    log.close()
    change(live, "PRAGMA journal_mode = DELETE")
    interrupt(live, folder, "UPDATE entry SET data = CAST('lost' AS BLOB)")

    log = SqliteLog(folder)

    assert await log.read("KVRT") == [Stored(seq, b"%d" % seq * 50) for seq in range(1, 101)]
    log.close()
    assert damaged_files(folder) == set()
