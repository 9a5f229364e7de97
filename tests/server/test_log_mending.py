"""What is left of a log after trouble: of every room a good beginning, and everything beside it."""

import errno
import io
import logging
import os
import random
import shutil
import tracemalloc
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from server.log import LogUnusable, SqliteLog, Stored
from server.log.mending import copy_readable
from server.log.schema import MARK
from tests.server.damage import (
    DB,
    FOREIGN,
    FOREIGN_ENTRIES,
    WAL,
    Entries,
    beginnings_sqlite_gives,
    change,
    damaged_files,
    entries_by_chance,
    in_turn,
    spoil,
    store,
    store_format_1,
    trouble,
    truncate,
)

# 5: a broken page behind the row that is read. 1012: nothing left that tells whose file it is.
# 3583: a broken row number, which hides rows that the index knows.
# All processes of a run have to name the same tests, so they choose by what names the run.
_chance = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID"))
SEEDS = [5, 1012, 3583, *(_chance.randrange(2**32) for _ in range(40))]


async def read_all(log: SqliteLog) -> Entries:
    return {room: [stored.data for stored in await log.read(room)] for room in await log.rooms()}


@pytest.mark.parametrize("seed", SEEDS)
async def test_after_any_trouble_every_room_has_at_least_the_beginning_that_sqlite_gives(
    tmp_path: Path, seed: int
):
    chance = random.Random(seed)
    entries = entries_by_chance(chance, longest=chance.choice((5, 60)))
    folder = tmp_path / "data"
    await store(folder, chance, entries)
    told = [trouble(chance, folder) for _ in range(chance.choice((1, 1, 2)))]
    given = beginnings_sqlite_gives(folder, entries)
    before = {name: (folder / name).read_bytes() for name in (DB, WAL)}

    print(seed, told)  # noqa: T201  # which trouble it was, should it fail
    try:
        log = SqliteLog(folder)
    except LogUnusable:
        assert not any(given.values())
        assert before[DB][68:72] != MARK.to_bytes(4, "big")
        return

    found = await read_all(log)
    assert set(found) <= set(entries)
    for room, data in found.items():
        assert data == entries[room][: len(data)]
        assert await log.mended(room) in (None, len(data))
    assert all(len(found.get(room, ())) >= number for room, number in given.items())
    for name in damaged_files(folder):
        assert (folder / name).read_bytes() == before[name.replace("damaged-1.db", "db")]
    for room in entries:
        await log.append(room, len(found.get(room, ())) + 1, b"goes on")
    log.close()
    await assert_whole(folder)


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def assert_whole(folder: Path) -> None:
    """Another start finds nothing to mend, and nothing of the mending is left."""
    before = damaged_files(folder)
    SqliteLog(folder).close()
    assert damaged_files(folder) == before
    assert names_in(folder) - before == {DB, "prikup.lock"}


async def test_of_a_torn_wal_the_entries_before_the_tear_are_kept_and_nothing_is_mended(
    tmp_path: Path,
):
    for seed in range(20):
        chance = random.Random(seed)
        entries = entries_by_chance(chance, rooms=3, longest=10)
        folder = tmp_path / str(seed)
        await store(folder, chance, entries)
        if (folder / WAL).stat().st_size:
            truncate(chance, folder / WAL)
        given = beginnings_sqlite_gives(folder, entries)

        log = SqliteLog(folder)

        found = await read_all(log)
        assert found == {room: entries[room][:seq] for room, seq in given.items() if seq}
        assert damaged_files(folder) == set()
        log.close()


async def test_a_log_that_is_whole_stays_the_file_it_was(tmp_path: Path):
    chance = random.Random(1)
    await store(tmp_path / "data", chance, entries_by_chance(chance))
    SqliteLog(tmp_path / "data").close()
    file = tmp_path / "data" / DB
    before = file.stat().st_ino, file.stat().st_mtime_ns, file.read_bytes()

    SqliteLog(tmp_path / "data").close()

    assert (file.stat().st_ino, file.stat().st_mtime_ns, file.read_bytes()) == before
    await assert_whole(tmp_path / "data")


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A log at rest of some pages: 200 entries of each of two rooms."""
    log = SqliteLog(tmp_path)
    for seq in range(1, 201):
        await log.append("KVRT", seq, b"%d" % seq * 50)
        await log.append("HERE", seq, b"%d" % seq * 50)
    log.close()
    return tmp_path


def overwrite(file: Path, at: int, content: bytes) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(content)


@pytest.mark.parametrize("at", [18, 19])
async def test_a_header_that_forbids_to_write_is_damage_like_any_other(folder: Path, at: int):
    overwrite(folder / DB, at, b"\x77")

    log = SqliteLog(folder)

    await log.append("KVRT", 201, b"goes on")
    assert len(await log.read("HERE")) == 200
    log.close()
    assert damaged_files(folder) == {"prikup.damaged-1.db"}


async def test_a_schema_whose_words_are_no_text_is_damage_like_any_other(folder: Path):
    name = (folder / DB).read_bytes().index(b"tableentryentry")
    overwrite(folder / DB, name + 5, b"\xff\xfe\xfd")

    log = SqliteLog(folder)

    assert [len(await log.read(room)) for room in ("KVRT", "HERE")] == [200, 200]
    log.close()


async def test_a_log_without_its_first_page_is_read_by_that_of_a_new_one(folder: Path):
    overwrite(folder / DB, 0, bytes(4096))

    log = SqliteLog(folder)

    assert [len(await log.read(room)) for room in ("KVRT", "HERE")] == [200, 200]
    assert await log.mended("KVRT") is None
    log.close()
    assert damaged_files(folder) == {"prikup.damaged-1.db"}


async def test_a_log_of_format_1_without_its_first_page_is_read_too(tmp_path: Path):
    chance = random.Random(4)
    entries = entries_by_chance(chance)
    store_format_1(tmp_path, in_turn(chance, entries))
    overwrite(tmp_path / DB, 0, bytes(4096))

    log = SqliteLog(tmp_path)

    assert await read_all(log) == entries
    log.close()


async def test_a_migrated_log_without_its_first_page_takes_no_entries_for_marks(tmp_path: Path):
    store_format_1(tmp_path, [(f"R{number:03}", 1, bytes(90)) for number in range(400)])
    SqliteLog(tmp_path).close()
    overwrite(tmp_path / DB, 0, bytes(4096))

    log = SqliteLog(tmp_path)

    rooms = await log.rooms()
    assert len(rooms) == 400
    assert [room for room in rooms if await log.mended(room) is not None] == []
    log.close()


async def test_all_that_lies_in_a_wal_is_found_when_its_file_is_gone(tmp_path: Path):
    log = SqliteLog(tmp_path / "live")
    await log.append("KVRT", 1, b"one")
    (tmp_path / "data").mkdir()
    shutil.copyfile(tmp_path / "live" / WAL, tmp_path / "data" / WAL)
    log.close()

    log = SqliteLog(tmp_path / "data")

    assert await log.read("KVRT") == [Stored(1, b"one")]
    log.close()
    assert damaged_files(tmp_path / "data") == {"prikup.damaged-1.db-wal"}


async def test_a_room_whose_last_page_is_lost_is_known_by_the_index(
    folder: Path, caplog: pytest.LogCaptureFixture
):
    change(folder, "VACUUM")  # the table first, then its index
    pages = (folder / DB).read_bytes()
    last = pages.rindex(b"200" * 50) // 4096 * 4096
    overwrite(folder / DB, last, bytes(4096))

    log = SqliteLog(folder)

    seq = len(await log.read("KVRT"))
    assert 150 < seq < 200
    assert await log.mended("KVRT") == seq
    assert f"room KVRT: cut after entry {seq}, of 200" in caplog.messages
    log.close()


async def test_each_damaged_log_is_kept_under_a_number_of_its_own(folder: Path):
    for number in (1, 2, 3):
        spoil(folder, "KVRT", 200 - 10 * number)
        SqliteLog(folder).close()

    assert damaged_files(folder) == {f"prikup.damaged-{number}.db" for number in (1, 2, 3)}


async def test_an_append_to_a_cut_room_makes_it_a_room_like_any_other(folder: Path):
    spoil(folder, "KVRT", 190)
    log = SqliteLog(folder)
    assert (await log.mended("KVRT"), await log.mended("HERE")) == (189, None)
    log.close()
    again = SqliteLog(folder)
    assert await again.mended("KVRT") == 189

    await again.append("KVRT", 190, b"goes on")

    assert await again.mended("KVRT") is None
    again.close()


async def test_where_a_room_was_cut_is_remembered_when_another_is_cut_later(folder: Path):
    for room, seq in (("KVRT", 190), ("HERE", 180), ("KVRT", 170)):
        spoil(folder, room, seq)
        SqliteLog(folder).close()

    log = SqliteLog(folder)
    assert (await log.mended("KVRT"), await log.mended("HERE")) == (169, 179)
    log.close()


async def test_of_a_log_of_ours_that_cannot_be_read_at_all_the_file_is_kept_beside_an_empty_one(
    folder: Path, caplog: pytest.LogCaptureFixture
):
    with (folder / DB).open("r+b") as file:
        file.truncate(1000)

    log = SqliteLog(folder)

    assert await log.rooms() == []
    assert damaged_files(folder) == {"prikup.damaged-1.db"}
    assert (folder / "prikup.damaged-1.db").stat().st_size == 1000
    assert "kept as prikup.damaged-1.db" in caplog.text
    log.close()


def test_a_database_of_somebody_else_is_left_alone(tmp_path: Path):
    change(tmp_path, "CREATE TABLE entry (name TEXT)", "INSERT INTO entry VALUES ('not ours')")
    before = (tmp_path / DB).read_bytes()

    with pytest.raises(LogUnusable, match="it has tables, but not ours"):
        SqliteLog(tmp_path)
    assert (tmp_path / DB).read_bytes() == before
    assert names_in(tmp_path) <= {DB, DB + "-shm", WAL, "prikup.lock"}


@pytest.mark.parametrize("foreign", FOREIGN)
async def test_a_log_into_which_somebody_put_more_is_put_aside_and_its_entries_taken(
    folder: Path, foreign: str
):
    change(folder, *FOREIGN[foreign])

    log = SqliteLog(folder)

    assert [len(await log.read(room)) for room in ("KVRT", "HERE")] == [200, 200]
    assert await log.mended("KVRT") is None
    await log.append("KVRT", 201, b"goes on")
    log.close()
    assert "prikup.damaged-1.db" in damaged_files(folder)
    await assert_whole(folder)


@pytest.mark.parametrize("foreign", FOREIGN_ENTRIES)
async def test_a_log_that_computes_its_entries_is_put_aside_and_computes_nothing(
    folder: Path, foreign: str
):
    change(folder, *FOREIGN_ENTRIES[foreign])

    log = SqliteLog(folder)

    seq = len(await log.read("KVRT"))
    await log.append("KVRT", seq + 1, b"goes on")
    log.close()
    assert "prikup.damaged-1.db" in damaged_files(folder)
    await assert_whole(folder)


async def test_whatever_an_entry_says_of_its_length_it_takes_no_memory(folder: Path):
    change(folder, "UPDATE entry SET data = zeroblob(50000000) WHERE room = 'KVRT' AND seq = 150")
    tracemalloc.start()

    log = SqliteLog(folder)

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 << 20
    assert [len(await log.read(room)) for room in ("KVRT", "HERE")] == [149, 200]
    log.close()


def page_of_pages(child: int, cells: int = 300) -> bytes:
    """A page of a table that says 300 times over that the rows lie on page `child`."""
    begin = 4096 - 5 * cells
    head = b"\x05\0\0" + cells.to_bytes(2, "big") + begin.to_bytes(2, "big") + b"\0"
    pointers = b"".join((begin + 5 * cell).to_bytes(2, "big") for cell in range(cells))
    page = (head + child.to_bytes(4, "big") + pointers).ljust(begin, b"\0")
    return page + (child.to_bytes(4, "big") + b"\1") * cells


async def test_pages_that_lead_to_the_same_rows_without_end_do_not_keep_the_server(folder: Path):
    root, leaf = 2, (folder / DB).read_bytes().index(b"1" * 50) // 4096 + 1
    way = [root, *(number for number in range(6, 13) if number != leaf), leaf]
    for number, child in pairwise(way):
        overwrite(folder / DB, 4096 * (number - 1), page_of_pages(child))

    log = SqliteLog(folder)

    assert await log.mended("ZZZZ") is None
    log.close()
    assert damaged_files(folder) == {"prikup.damaged-1.db"}


def cut_to(folder: Path, source: Path, length: int, ends: tuple[str, ...]) -> None:
    """`folder` holds of the log in `source` the first bytes, and its WAL if it ends so."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / DB).write_bytes((source / DB).read_bytes()[:length])
    for end in ends:
        shutil.copyfile(source / (DB + end), folder / (DB + end))


@pytest.mark.parametrize("ends", [(), ("-wal",)], ids=["alone", "with its WAL"])
@pytest.mark.parametrize("version", [1, 2])
async def test_a_log_cut_to_whatever_length_is_put_aside_and_the_server_starts(
    tmp_path: Path, version: int, ends: tuple[str, ...]
):
    chance = random.Random(3)
    entries = entries_by_chance(chance, rooms=3, longest=9)
    if version == 1:
        store_format_1(tmp_path / "whole", in_turn(chance, entries))
        (tmp_path / "whole" / WAL).write_bytes(b"")
    else:
        await store(tmp_path / "whole", chance, entries)
    folder = tmp_path / "cut"
    for length in (*range(1, 20), 63, 68, 70, 72, 99, 100, 101, 511, 512, 1000, 4095):
        cut_to(folder, tmp_path / "whole", length, ends)
        before = (folder / DB).read_bytes()

        log = SqliteLog(folder)

        for room in entries:
            found = [stored.data for stored in await log.read(room)]
            assert found == entries[room][: len(found)]
            await log.append(room, len(found) + 1, b"goes on")
        log.close()
        assert (folder / "prikup.damaged-1.db").read_bytes() == before
        await assert_whole(folder)


async def test_an_empty_file_is_a_log_yet_to_be_made(tmp_path: Path):
    (tmp_path / DB).touch()

    SqliteLog(tmp_path).close()

    assert damaged_files(tmp_path) == set()


@pytest.mark.parametrize("zeros", [1, 100, 4096])
async def test_zeros_in_the_place_of_a_log_are_put_aside(tmp_path: Path, zeros: int):
    (tmp_path / DB).write_bytes(bytes(zeros))

    SqliteLog(tmp_path).close()

    assert damaged_files(tmp_path) == {"prikup.damaged-1.db"}


async def test_a_damaged_log_behind_a_link_stays_where_it_is_and_nothing_in_its_wal_is_lost(
    tmp_path: Path,
):
    log = SqliteLog(tmp_path / "live")
    await log.append("KVRT", 1, b"one")
    (tmp_path / "far").mkdir()
    for name in (DB, WAL):
        shutil.copyfile(tmp_path / "live" / name, tmp_path / "far" / name)
    log.close()
    overwrite(tmp_path / "far" / DB, 18, b"\x77")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / DB).symlink_to(tmp_path / "far" / DB)

    log = SqliteLog(tmp_path / "data")

    assert await log.read("KVRT") == [Stored(1, b"one")]
    log.close()
    assert (tmp_path / "data" / "prikup.damaged-1.db").readlink() == tmp_path / "far" / DB
    assert (tmp_path / "far" / DB).read_bytes()[18] == 0x77


async def test_a_warning_tells_numbers_and_never_what_an_entry_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    log = SqliteLog(tmp_path)
    for seq in range(1, 100):
        await log.append("KVRT", seq, b"ace of hearts" * 20)
    log.close()
    change(tmp_path, "UPDATE entry SET data = CAST(data || 'x' AS BLOB) WHERE seq = 50")
    overwrite(tmp_path / DB, 5 * 4096, b"ace of hearts" * 200)

    with caplog.at_level(logging.DEBUG):
        SqliteLog(tmp_path).close()

    assert caplog.messages
    assert "ace" not in caplog.text


def test_blocks_that_a_disk_does_not_give_are_zeros():
    source, target = _WornDisk(b"abcd" * 4096), io.BytesIO()

    with closing(source):
        copy_readable(source, target, 4 * 4096 - 10)

    read = target.getvalue()
    assert len(read) == 4 * 4096 - 10
    assert read[4096:8192] == bytes(4096)
    assert read[:4096] + read[8192:] == (b"abcd" * 3072)[:-10]


class _WornDisk(io.BytesIO):
    """Its second block cannot be read."""

    def read(self, size: int | None = -1) -> bytes:
        if 4096 <= self.tell() < 8192:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(size)
