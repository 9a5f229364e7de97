"""What the chain notices when somebody has been at the file, and what it cannot notice."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.log import SqliteLog
from server.log.chain import NOTHING, extended, link
from server.log.schema import APPEND
from tests.server.damage import DB, change, damaged_files, spoil

STORED = [b"entry %d" % seq for seq in range(1, 11)]


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A log at rest: ten entries of room KVRT, and some of two others."""
    log = SqliteLog(tmp_path)
    for seq, data in enumerate(STORED, 1):
        await log.append("KVRT", seq, data)
        if seq <= 3:
            await log.append("HERE", seq, data)
            await log.append("THAT", seq, data)
    log.close()
    return tmp_path


async def kept_of(folder: Path) -> dict[str, tuple[int, int | None]]:
    """How many entries each room has, all of them as they were stored, and where it was cut."""
    log = SqliteLog(folder)
    try:
        kept = {}
        for room in await log.rooms():
            data = [stored.data for stored in await log.read(room)]
            assert data == STORED[: len(data)]
            kept[room] = len(data), await log.mended(room)
        return kept
    finally:
        log.close()


def test_a_link_never_changes_for_it_is_stored():
    first = extended(NOTHING, "KVRT", b"one")
    second = extended(first, "KVRT", b"two")

    assert first.link.hex() == "3809e4d7c29430b410cf15657e6d5296"
    assert (second.seq, second.link.hex()) == (2, "bcd717d9a9a7d0e40695a592e8a4f3eb")


def test_what_a_link_is_over_cannot_be_told_in_two_ways():
    before = NOTHING.link
    links = {
        link(before, "AB", 1, b"C"),
        link(before, "A", 1, b"BC"),
        link(before, "AB", 2, b"C"),
        link(before[:-1] + b"C", "AB", 1, b""),
        link(before, "ABC", 1, b""),
    }

    assert len(links) == 5


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE entry SET data = x'656e747279207f36' WHERE room = 'KVRT' AND seq = 6"],
        ["UPDATE entry SET link = zeroblob(16) WHERE room = 'KVRT' AND seq = 6"],
        ["UPDATE entry SET link = x'' WHERE room = 'KVRT' AND seq = 6"],
        ["DELETE FROM entry WHERE room = 'KVRT' AND seq = 6"],
        ["DELETE FROM entry WHERE room = 'KVRT' AND seq BETWEEN 6 AND 9"],
        [
            "DELETE FROM entry WHERE room = 'KVRT' AND seq = 6",
            "UPDATE entry SET seq = seq - 1 WHERE room = 'KVRT' AND seq > 6",
        ],
        [
            "UPDATE entry SET seq = 60 WHERE room = 'KVRT' AND seq = 6",
            "UPDATE entry SET seq = 6 WHERE room = 'KVRT' AND seq = 7",
            "UPDATE entry SET seq = 7 WHERE room = 'KVRT' AND seq = 60",
        ],
        [
            "CREATE TEMP TABLE old AS SELECT * FROM entry WHERE room = 'KVRT' AND seq IN (6, 7)",
            """UPDATE entry
            SET (data, link) = (SELECT data, link FROM old WHERE old.seq = 13 - entry.seq)
            WHERE room = 'KVRT' AND seq IN (6, 7)""",
        ],
    ],
    ids=["data", "link", "no link", "hole", "wide hole", "closed hole", "numbers", "contents"],
)
async def test_a_room_is_cut_to_the_last_entry_before_the_one_that_is_not_what_was_stored(
    folder: Path, statements: list[str], caplog: pytest.LogCaptureFixture
):
    change(folder, *statements)

    with caplog.at_level(logging.WARNING):
        kept = await kept_of(folder)

    assert kept == {"KVRT": (5, 5), "HERE": (3, None), "THAT": (3, None)}
    _, cut = caplog.messages
    assert cut in ("room KVRT: cut after entry 5, of 10", "room KVRT: cut after entry 5, of 9")


async def test_an_entry_of_another_room_is_noticed(folder: Path):
    change(folder, "UPDATE entry SET room = 'HERE', seq = 4 WHERE room = 'THAT' AND seq = 3")

    assert await kept_of(folder) == {"KVRT": (10, None), "HERE": (3, 3), "THAT": (2, None)}


async def test_a_room_without_a_good_entry_is_gone_and_the_operator_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture
):
    spoil(folder, "HERE", 1)

    kept = await kept_of(folder)

    assert kept == {"KVRT": (10, None), "THAT": (3, None)}
    assert caplog.messages[1:] == ["room HERE: gone, none of its 3 entries is good"]


async def test_a_removed_end_cannot_be_noticed(folder: Path):
    change(folder, "DELETE FROM entry WHERE room = 'KVRT' AND seq > 8")

    assert (await kept_of(folder))["KVRT"] == (8, None)
    assert damaged_files(folder) == set()


async def test_a_log_that_was_written_again_with_its_links_cannot_be_noticed(folder: Path):
    forged = extended(NOTHING, "HERE", b"forged")
    change(folder, "DELETE FROM entry WHERE room = 'HERE'")
    with closing(sqlite3.connect(folder / DB)) as writer, writer:
        writer.execute(APPEND, ("HERE", 1, b"forged", forged.link))

    log = SqliteLog(folder)

    assert [stored.data for stored in await log.read("HERE")] == [b"forged"]
    log.close()
    assert damaged_files(folder) == set()


async def test_appends_after_a_start_go_on_with_the_chain(folder: Path):
    for more in (b"entry 11", b"entry 12"):
        log = SqliteLog(folder)
        await log.append("KVRT", len(await log.read("KVRT")) + 1, more)
        log.close()

    log = SqliteLog(folder)
    assert len(await log.read("KVRT")) == 12
    log.close()
    assert damaged_files(folder) == set()
