"""One log takes the place of another, whenever the machine stops."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.log import SqliteLog
from server.log.folder import DB, JOURNAL, MENDED, RESTORED, SHM, WAL, Swap, claim, put_in_place

OLD, OLD_WAL, NEW = b"the old log", b"its WAL", b"the new log"


def lay(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def lying(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


@pytest.mark.parametrize(
    ("swap", "kept"), [(MENDED, "prikup.damaged-1.db"), (RESTORED, "prikup.replaced-1.db")]
)
def test_the_new_log_has_the_place_and_the_old_one_is_kept(tmp_path: Path, swap: Swap, kept: str):
    lay(tmp_path, {DB: OLD, DB + WAL: OLD_WAL, DB + "-shm": b"shared", "new": NEW})

    assert put_in_place(tmp_path, tmp_path / "new", swap) == tmp_path / kept
    assert lying(tmp_path) == {DB: NEW, kept: OLD, kept + WAL: OLD_WAL}


@pytest.mark.parametrize(
    "left",
    [
        {DB: OLD, DB + WAL: OLD_WAL, "prikup.restored.db": NEW},
        {DB: OLD, "prikup.replaced-1.db-wal": OLD_WAL, "prikup.restored.db": NEW},
        {
            "prikup.replaced-1.db": OLD,
            "prikup.replaced-1.db-wal": OLD_WAL,
            "prikup.restored.db": NEW,
        },
        {"prikup.replaced-1.db": OLD, "prikup.replaced-1.db-wal": OLD_WAL, DB: NEW},
    ],
    ids=["complete", "WAL moved", "old moved", "done"],
)
def test_a_swap_that_was_interrupted_is_finished_by_the_next_who_claims_the_folder(
    tmp_path: Path, left: dict[str, bytes]
):
    lay(tmp_path, left)

    claim(tmp_path).close()

    assert lying(tmp_path) == {
        DB: NEW,
        "prikup.replaced-1.db": OLD,
        "prikup.replaced-1.db-wal": OLD_WAL,
    }


def test_what_would_undo_the_old_log_is_not_left_to_undo_the_new_one(tmp_path: Path):
    lay(tmp_path, {DB: OLD, DB + JOURNAL: b"how to undo it", "new": NEW})

    put_in_place(tmp_path, tmp_path / "new", MENDED)

    kept = "prikup.damaged-1.db"
    assert lying(tmp_path) == {DB: NEW, kept: OLD, kept + JOURNAL: b"how to undo it"}


def test_nothing_that_was_kept_earlier_is_overwritten(tmp_path: Path):
    earlier = {
        "prikup.damaged-1.db": b"first",
        "prikup.damaged-2.db-wal": b"a WAL whose log somebody removed",
        "prikup.damaged-4.db": b"fourth",
    }
    lay(tmp_path, {**earlier, DB: OLD, DB + WAL: OLD_WAL, "new": NEW})

    put_in_place(tmp_path, tmp_path / "new", MENDED)

    assert lying(tmp_path) == {
        **earlier,
        DB: NEW,
        "prikup.damaged-3.db": OLD,
        "prikup.damaged-3.db-wal": OLD_WAL,
    }


async def test_a_wal_of_the_old_log_is_never_read_into_the_new_one(tmp_path: Path):
    for name, entries in (("old", 5), ("new", 1)):
        log = SqliteLog(tmp_path / name)
        for seq in range(1, entries + 1):
            await log.append("KVRT", seq, name.encode())
        if name == "old":
            wal = (tmp_path / "old" / (DB + WAL)).read_bytes()
        log.close()
    (tmp_path / "old" / (DB + WAL)).write_bytes(wal)

    put_in_place(tmp_path / "old", tmp_path / "new" / DB, RESTORED)

    with closing(sqlite3.connect(tmp_path / "old" / DB)) as reader:
        assert reader.execute("SELECT seq, data FROM entry").fetchall() == [(1, b"new")]


async def test_a_log_is_for_its_owners_eyes_alone(tmp_path: Path):
    log = SqliteLog(tmp_path)
    await log.append("KVRT", 1, b"cards")
    open_now = modes(tmp_path)
    log.close()

    assert open_now == {DB: 0o600, DB + WAL: 0o600, DB + SHM: 0o600}


async def test_a_log_that_lay_open_does_so_no_longer(tmp_path: Path):
    log = SqliteLog(tmp_path)
    await log.append("KVRT", 1, b"cards")
    for name in modes(tmp_path):
        (tmp_path / name).chmod(0o644)
    log.close()

    SqliteLog(tmp_path).close()

    assert modes(tmp_path) == {DB: 0o600}


def test_what_takes_its_place_is_for_its_owner_too(tmp_path: Path):
    lay(tmp_path, {DB: OLD, "new": NEW})

    put_in_place(tmp_path, tmp_path / "new", RESTORED)

    assert modes(tmp_path)[DB] == 0o600


def modes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.iterdir() if path.suffix != ".lock")
    return {path.name: path.stat().st_mode & 0o777 for path in files}
