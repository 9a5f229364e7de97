import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.forget import CannotForget, forget
from server.log import SqliteLog
from server.log.erasing import SLICE
from server.log.folder import DB
from server.log.readonly import stored_in

SECRET = b"the nine of clubs, and no entry of ours"


def yes(_entries: int) -> bool:
    return True


async def filled(folder: Path, entries: int = 2) -> None:
    """A log with room KVRT, which nobody could read, between the entries of ZZZZ."""
    log = SqliteLog(folder)
    await log.append("ZZZZ", 1, b"first")
    await asyncio.gather(*(log.append("KVRT", seq, SECRET) for seq in range(1, entries + 1)))
    await log.append("ZZZZ", 2, b"second")
    log.close()


async def ends_in(folder: Path) -> dict[str, int]:
    """The rooms of a log that a server opens and finds whole."""
    log = SqliteLog(folder)
    ends = await log.ends()
    log.close()
    assert not [name for name in os.listdir(folder) if "damaged" in name]  # noqa: PTH208
    return ends


async def test_a_room_is_gone_and_the_others_are_as_they_were(tmp_path: Path):
    await filled(tmp_path)

    assert forget(tmp_path, "kvrt", yes)

    assert await ends_in(tmp_path) == {"ZZZZ": 2}
    assert [one.data for one in stored_in(tmp_path, "ZZZZ")] == [b"first", b"second"]


async def test_what_was_removed_is_in_no_file_any_more(tmp_path: Path):
    await filled(tmp_path, 50)
    assert SECRET in (tmp_path / DB).read_bytes()

    forget(tmp_path, "KVRT", yes)

    left = [tmp_path / name for name in os.listdir(tmp_path)]  # noqa: PTH208
    assert not any(SECRET in file.read_bytes() for file in left)


async def test_a_room_of_many_entries_goes_too_and_its_number_is_told_first(tmp_path: Path):
    await filled(tmp_path, 3 * SLICE + 1)
    told: list[int] = []

    def sure(entries: int) -> bool:
        told.append(entries)
        return True

    assert forget(tmp_path, "KVRT", sure)

    assert told == [3 * SLICE + 1]

    assert await ends_in(tmp_path) == {"ZZZZ": 2}


async def test_nothing_is_removed_unless_somebody_is_sure(tmp_path: Path):
    await filled(tmp_path)

    assert not forget(tmp_path, "KVRT", lambda _: False)

    assert await ends_in(tmp_path) == {"KVRT": 2, "ZZZZ": 2}


async def test_what_interrupts_it_leaves_a_beginning_of_the_room_and_it_can_be_begun_again(
    tmp_path: Path,
):
    await filled(tmp_path, 3 * SLICE)
    refuse = f"WHEN old.seq = {SLICE + 5} BEGIN SELECT raise(ABORT, 'the disk would not'); END"

    def wear_out(_entries: int) -> bool:
        with closing(sqlite3.connect(tmp_path / DB)) as other:
            other.execute(f"CREATE TRIGGER worn BEFORE DELETE ON entry {refuse}")
        return True

    with pytest.raises(CannotForget, match="the disk would not"):
        forget(tmp_path, "KVRT", wear_out)

    with closing(sqlite3.connect(tmp_path / DB)) as other:
        other.execute("DROP TRIGGER worn")
    assert await ends_in(tmp_path) == {"KVRT": 2 * SLICE, "ZZZZ": 2}
    assert forget(tmp_path, "KVRT", yes)
    assert await ends_in(tmp_path) == {"ZZZZ": 2}


async def test_a_folder_that_a_server_uses_is_left_alone(tmp_path: Path):
    await filled(tmp_path)
    log = SqliteLog(tmp_path)

    with pytest.raises(CannotForget, match=r"in use by another Prikup.*stop the server"):
        forget(tmp_path, "KVRT", yes)

    assert await log.ends() == {"KVRT": 2, "ZZZZ": 2}
    log.close()


async def test_a_log_that_is_damaged_is_said_to_be_and_not_touched(tmp_path: Path):
    await filled(tmp_path)
    (tmp_path / DB).write_bytes(b"no database at all" * 1000)

    with pytest.raises(CannotForget, match="cannot be read"):
        forget(tmp_path, "KVRT", yes)

    assert (tmp_path / DB).read_bytes() == b"no database at all" * 1000


@pytest.mark.parametrize("code", ["QQQQ", "", "KVRTX", "../x", "%"])
async def test_a_room_that_is_not_there_cannot_be_forgotten(tmp_path: Path, code: str):
    await filled(tmp_path)

    with pytest.raises(CannotForget, match="There is no room"):
        forget(tmp_path, code, yes)

    assert await ends_in(tmp_path) == {"KVRT": 2, "ZZZZ": 2}


def test_where_no_games_are_kept_none_are_forgotten_and_no_folder_is_made(tmp_path: Path):
    with pytest.raises(CannotForget, match="No games are kept"):
        forget(tmp_path / "none", "KVRT", yes)

    assert not (tmp_path / "none").exists()
