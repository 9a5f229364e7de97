"""One log takes the place of another, whenever the machine stops."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.log import LogUnusable, SqliteLog
from server.log.folder import (
    DB,
    JOURNAL,
    MENDED,
    RESTORED,
    SHM,
    WAL,
    Swap,
    claim,
    claimed,
    put_in_place,
)

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


@pytest.mark.parametrize("end", ["", WAL, SHM, JOURNAL])
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_named_in_one_sentence(
    tmp_path: Path, make: Callable[[Path], None], end: str
):
    make(tmp_path / (DB + end))

    with pytest.raises(LogUnusable, match=f"{DB}{end} is not a file, so no games can be kept"):
        SqliteLog(tmp_path)


def test_a_link_in_the_place_of_the_lock_leads_to_no_file_that_is_emptied(tmp_path: Path):
    (tmp_path / "letter").write_text("dear")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "prikup.lock").symlink_to(tmp_path / "letter")

    with pytest.raises(LogUnusable, match="cannot be written"):
        claim(tmp_path / "data")
    assert (tmp_path / "letter").read_text() == "dear"


def claim_in_vain(folder: Path, files: dict[str, bytes]) -> None:
    with claimed(folder):
        lay(folder, files)
        raise ZeroDivisionError


def test_what_was_made_for_a_claim_is_gone_when_nothing_came_of_it(tmp_path: Path):
    with pytest.raises(ZeroDivisionError):
        claim_in_vain(tmp_path / "new" / "data", {})

    assert lying(tmp_path) == {}


def test_a_folder_in_which_something_came_to_be_is_kept(tmp_path: Path):
    with pytest.raises(ZeroDivisionError):
        claim_in_vain(tmp_path / "data", {DB: OLD})

    assert lying(tmp_path / "data") == {DB: OLD}
