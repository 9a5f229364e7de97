"""A log that an earlier Prikup wrote."""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from server.log import SqliteLog
from server.log.readonly import stored_in
from server.log.schema import FORMAT, MARK
from tests.server.damage import (
    DB,
    change,
    damaged_files,
    entries_by_chance,
    in_turn,
    store_format_1,
)

# Opens a log of format 1 with no more room on the disk than it takes.
MIGRATES_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from server.log import LogUnusable, SqliteLog

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    SqliteLog(Path(sys.argv[1]))
except LogUnusable as unusable:
    print(unusable)
"""


def rows_in(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / DB)) as reader:
        return reader.execute("SELECT * FROM entry ORDER BY rowid").fetchall()


def settings_in(folder: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(folder / DB)) as reader:
        (version,) = reader.execute("PRAGMA user_version").fetchone()
        (mark,) = reader.execute("PRAGMA application_id").fetchone()
    return version, mark


async def test_a_log_of_format_1_gets_the_links_that_appending_would_have_given(tmp_path: Path):
    chance = random.Random(7)
    rows = in_turn(chance, entries_by_chance(chance, rooms=9, longest=300))
    assert len(rows) > 1000
    store_format_1(tmp_path / "old", rows)
    new = SqliteLog(tmp_path / "new")
    for row in rows:
        await new.append(*row)
    new.close()

    SqliteLog(tmp_path / "old").close()

    assert rows_in(tmp_path / "old") == rows_in(tmp_path / "new")
    assert settings_in(tmp_path / "old") == settings_in(tmp_path / "new") == (FORMAT, MARK)
    assert damaged_files(tmp_path / "old") == set()


async def test_a_migrated_log_goes_on(tmp_path: Path):
    store_format_1(tmp_path, [("KVRT", 1, b"one"), ("HERE", 1, b"here"), ("KVRT", 2, b"two")])
    for seq in (3, 4):
        log = SqliteLog(tmp_path)
        await log.append("KVRT", seq, b"more")
        assert await log.mended("KVRT") is None
        log.close()

    assert [stored.seq for stored in stored_in(tmp_path, "KVRT")] == [1, 2, 3, 4]
    assert damaged_files(tmp_path) == set()


def test_a_log_of_format_1_is_read_before_it_is_migrated(tmp_path: Path):
    store_format_1(tmp_path, [("KVRT", 1, b"one")])

    assert [stored.data for stored in stored_in(tmp_path, "KVRT")] == [b"one"]
    assert settings_in(tmp_path) == (1, 0)


async def test_a_hole_in_a_log_of_format_1_is_cut_off_and_the_rest_gets_its_links(tmp_path: Path):
    rows = [("KVRT", seq, b"%d" % seq) for seq in range(1, 10)]
    store_format_1(tmp_path, [*rows, ("HERE", 1, b"here")])
    change(tmp_path, "DELETE FROM entry WHERE seq = 5")

    log = SqliteLog(tmp_path)

    assert [stored.seq for stored in await log.read("KVRT")] == [1, 2, 3, 4]
    assert await log.mended("KVRT") == 4
    assert len(await log.read("HERE")) == 1
    log.close()
    assert damaged_files(tmp_path) == {"prikup.damaged-1.db"}
    SqliteLog(tmp_path).close()
    assert damaged_files(tmp_path) == {"prikup.damaged-1.db"}


def test_a_migration_that_finds_no_space_leaves_the_log_as_it_was(tmp_path: Path):
    rows = [("KVRT", seq, bytes(900)) for seq in range(1, 400)]
    store_format_1(tmp_path, rows)

    ended = subprocess.run(
        [sys.executable, "-c", MIGRATES_ON_A_FULL_DISK, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "cannot be used" in ended.stdout
    assert settings_in(tmp_path) == (1, 0)
    assert rows_in(tmp_path) == rows
    SqliteLog(tmp_path).close()
    assert settings_in(tmp_path) == (FORMAT, MARK)
