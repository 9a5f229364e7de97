"""Both stores under the one contract, and what only a file on a disk can be asked."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.log import Conflict, EventLog, LogFailed, LogUnusable, MemoryLog, SqliteLog, Stored
from server.log.readonly import stored_in
from server.log.schema import END, LAST, LONGEST, READ, connect
from tests.server.damage import DB, damaged_files
from tests.server.log_contract import LogContract

# Appends to ten rooms at once and prints each entry once it is acknowledged, until killed.
ENDLESS_WRITER = """
import asyncio, sys
from pathlib import Path
from server.log import SqliteLog

async def play(log, room):
    seq = 0
    while True:
        seq += 1
        await log.append(room, seq, b"x" * 200)
        print(room, seq, flush=True)

async def main():
    log = SqliteLog(Path(sys.argv[1]))
    await asyncio.gather(*(play(log, f"R{n}") for n in range(10)))

asyncio.run(main())
"""

# Fills the log up to a limit on the size of files, lifts the limit, goes on.
FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from server.log import LogFailed, SqliteLog

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

async def main():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    log = SqliteLog(Path(sys.argv[1]))
    limit(600_000)
    stored = 0
    try:
        while True:
            await log.append("FULL", stored + 1, b"x" * 300)
            stored += 1
    except LogFailed as failed:
        print("refused:", failed)
    assert stored > 20
    assert await log.end("FULL") == stored
    answers = await asyncio.gather(
        *(log.append(room, 1, b"y" * 300) for room in ("A", "B", "C")), return_exceptions=True
    )
    assert all(isinstance(answer, LogFailed) for answer in answers), answers
    assert await log.rooms() == ["FULL"]

    limit(resource.RLIM_INFINITY)
    await log.append("FULL", stored + 1, b"space again")
    await log.append("A", 1, b"space again")
    log.close()
    print("stored:", stored + 1)

asyncio.run(main())
"""


class TestMemoryLog(LogContract):
    @pytest.fixture
    def log(self):
        return MemoryLog()


class TestSqliteLog(LogContract):
    @pytest.fixture
    def log(self, tmp_path: Path):
        log = SqliteLog(tmp_path)
        yield log
        log.close()


def test_both_stores_are_event_logs(tmp_path: Path):
    on_disk = SqliteLog(tmp_path)
    logs: list[EventLog] = [MemoryLog(), on_disk]  # the type checker's question

    assert len(logs) == 2
    on_disk.close()


async def test_a_closed_log_is_complete_when_opened_again(tmp_path: Path):
    first = SqliteLog(tmp_path)
    await asyncio.gather(*(first.append(f"R{room}", 1, b"one") for room in range(50)))
    await first.append("R7", 2, b"two")
    first.close()
    first.close()

    second = SqliteLog(tmp_path)
    assert len(await second.rooms()) == 50
    assert await second.read("R7") == [Stored(1, b"one"), Stored(2, b"two")]
    with pytest.raises(Conflict):
        await second.append("R7", 2, b"two again")
    await second.append("R7", 3, b"three")
    second.close()


async def test_closing_stores_what_still_waits(tmp_path: Path):
    log = SqliteLog(tmp_path)
    waiting = [asyncio.ensure_future(log.append("KVRT", seq, b"x")) for seq in range(1, 2501)]
    await asyncio.sleep(0)
    log.close()

    assert await asyncio.gather(*waiting) == [None] * 2500
    again = SqliteLog(tmp_path)
    assert await again.end("KVRT") == 2500
    again.close()


async def test_a_closed_log_says_so(tmp_path: Path):
    log = SqliteLog(tmp_path)
    log.close()

    with pytest.raises(LogFailed, match="closed"):
        await log.append("KVRT", 1, b"one")
    with pytest.raises(LogFailed, match="closed"):
        await log.read("KVRT")


def test_every_acknowledged_append_survives_a_killed_writer(tmp_path: Path):
    for _ in range(3):
        for file in tmp_path.iterdir():
            file.unlink()
        with subprocess.Popen(
            [sys.executable, "-c", ENDLESS_WRITER, tmp_path], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            acknowledged = [writer.stdout.readline() for _ in range(400)]
            writer.send_signal(signal.SIGKILL)
            acknowledged += writer.stdout.readlines()

        assert writer.returncode == -signal.SIGKILL
        told: dict[str, int] = {}
        for line in acknowledged:
            room, seq = line.split()
            told[room] = int(seq)
        assert len(told) == 10
        asyncio.run(_assert_holds(tmp_path, told))


async def _assert_holds(folder: Path, told: dict[str, int]):
    log = SqliteLog(folder)
    for room, last in told.items():
        seqs: list[int] = []
        while some := await log.read(room, len(seqs)):
            seqs += [stored.seq for stored in some]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= last
    log.close()


def test_a_full_disk_refuses_appends_loses_nothing_and_is_forgotten_when_space_is_back(
    tmp_path: Path,
):
    ended = subprocess.run(
        [sys.executable, "-c", FULL_DISK, tmp_path], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    refused, stored = ended.stdout.splitlines()
    assert refused.startswith("refused: the log failed: ")
    asyncio.run(_assert_holds(tmp_path, {"FULL": int(stored.split()[1]), "A": 1}))


# What SQLite is told here is what a disk does to it: the errors and their codes are its own.
@pytest.mark.parametrize(
    ("trouble", "relief"),
    [("max_page_count = 1", "max_page_count = 1000000"), ("query_only = 1", "query_only = 0")],
    ids=["full", "read-only"],
)
async def test_a_disk_that_takes_nothing_fails_all_who_wait_together_and_shows_nothing_of_theirs(
    tmp_path: Path, trouble: str, relief: str
):
    log = SqliteLog(tmp_path)
    await log.append("KVRT", 1, b"one")
    follower = log.follow("KVRT", 1)
    coming = asyncio.ensure_future(anext(follower))
    log._writer.execute(f"PRAGMA {trouble}")  # noqa: SLF001

    for _ in range(2):
        answers = await asyncio.gather(
            log.append("KVRT", 2, bytes(9000)),
            log.append("KVRT", 3, bytes(9000)),
            log.append("HERE", 1, bytes(9000)),
            log.append("HERE", 7, bytes(9000)),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers] == [LogFailed] * 4
        assert await log.rooms() == ["KVRT"]
        assert list(stored_in(tmp_path, "KVRT")) == await log.read("KVRT") == [Stored(1, b"one")]

    assert not coming.done()
    log._writer.execute(f"PRAGMA {relief}")  # noqa: SLF001
    with pytest.raises(Conflict):
        await log.append("KVRT", 3, b"three")
    await log.append("KVRT", 2, b"two")
    await log.append("HERE", 1, b"here")
    assert await coming == Stored(2, b"two")
    await follower.aclose()  # type: ignore[attr-defined]
    log.close()
    SqliteLog(tmp_path).close()
    assert damaged_files(tmp_path) == set()


async def test_an_entry_that_could_not_be_read_again_is_refused_alone(tmp_path: Path):
    log = SqliteLog(tmp_path)
    longest = LONGEST - 1000

    too_long, _ = await asyncio.gather(
        log.append("KVRT", 1, bytes(longest + 1)),
        log.append("HERE", 1, bytes(longest)),
        return_exceptions=True,
    )

    assert isinstance(too_long, LogFailed)
    log.close()
    log = SqliteLog(tmp_path)
    assert await log.ends() == {"HERE": 1}
    log.close()
    assert damaged_files(tmp_path) == set()


def test_two_servers_cannot_use_one_folder(tmp_path: Path):
    log = SqliteLog(tmp_path)

    with pytest.raises(LogUnusable, match="in use by another Prikup"):
        SqliteLog(tmp_path)
    log.close()
    SqliteLog(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").touch()

    with pytest.raises(LogUnusable, match=r"folder .*/file/data cannot be written"):
        SqliteLog(tmp_path / "file" / "data")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"no database at all, but a letter" * 99, "cannot be used"), (os.urandom(9000), "be used")],
)
def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path, content: bytes, complaint: str):
    (tmp_path / "prikup.db").write_bytes(content)

    with pytest.raises(LogUnusable, match=complaint):
        SqliteLog(tmp_path)
    assert (tmp_path / "prikup.db").read_bytes() == content


def test_a_log_of_a_newer_version_is_left_alone(tmp_path: Path):
    log = SqliteLog(tmp_path)
    log._writer.execute("PRAGMA user_version = 3")  # noqa: SLF001  # what a later version will do
    log.close()

    with pytest.raises(LogUnusable, match="newer Prikup"):
        SqliteLog(tmp_path)


async def test_a_power_cut_is_survived_because_commits_are_synchronous(tmp_path: Path):
    log = SqliteLog(tmp_path)

    assert log._writer.execute("PRAGMA synchronous").fetchone() == (2,)  # noqa: SLF001
    assert log._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)  # noqa: SLF001
    log.close()


async def test_no_question_about_a_room_goes_over_more_than_its_answer(tmp_path: Path):
    SqliteLog(tmp_path).close()
    with closing(connect(tmp_path / DB)) as reader:
        for query, values in ((READ, ("KVRT", 7, 3)), (END, ("KVRT",)), (LAST, ("KVRT",))):
            plan = [row[-1] for row in reader.execute(f"EXPLAIN QUERY PLAN {query}", values)]

            assert len(plan) == 1, "it is sorted afterwards"
            assert plan[0].startswith("SEARCH entry USING"), plan
            assert "INDEX sqlite_autoindex_entry_1 (room=?" in plan[0]
