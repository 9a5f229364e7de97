import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.log import LogUnusable, SqliteLog, Stored
from server.log.readonly import stored_in
from tests.server.damage import FOREIGN, FOREIGN_ENTRIES, change

ENTRIES = [Stored(1, b"one"), Stored(2, b"two")]

# Appends one entry and is gone before anything can be tidied up.
KILLED_WRITER = """
import asyncio, os, signal, sys
from pathlib import Path
from server.log import SqliteLog

async def main():
    log = SqliteLog(Path(sys.argv[1]))
    await log.append("KVRT", 1, b"one")
    await log.append("KVRT", 2, b"two")
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def filled(folder: Path) -> SqliteLog:
    log = SqliteLog(folder)
    for seq, data in ENTRIES:
        await log.append("KVRT", seq, data)
    await log.append("ZZZZ", 1, b"another room")
    return log


async def test_what_a_running_server_has_acknowledged_is_seen(tmp_path: Path):
    log = await filled(tmp_path)

    assert list(stored_in(tmp_path, "KVRT")) == ENTRIES
    await log.append("KVRT", 3, b"three")
    assert list(stored_in(tmp_path, "KVRT")) == [*ENTRIES, Stored(3, b"three")]
    log.close()


async def test_the_server_goes_on_while_somebody_looks(tmp_path: Path):
    log = await filled(tmp_path)

    looks = [asyncio.to_thread(lambda: list(stored_in(tmp_path, "KVRT"))) for _ in range(20)]
    appends = [log.append("KVRT", seq, b"more") for seq in range(3, 203)]
    seen, _ = await asyncio.gather(asyncio.gather(*looks), asyncio.gather(*appends))

    assert all(look[:2] == ENTRIES for look in seen)
    assert len(list(stored_in(tmp_path, "KVRT"))) == 202
    log.close()


async def test_a_log_at_rest_is_seen_and_free_for_the_next_server(tmp_path: Path):
    (await filled(tmp_path)).close()

    assert list(stored_in(tmp_path, "KVRT")) == ENTRIES

    again = SqliteLog(tmp_path)
    await again.append("KVRT", 3, b"three")
    again.close()
    assert len(list(stored_in(tmp_path, "KVRT"))) == 3


def test_what_a_killed_server_had_acknowledged_is_seen(tmp_path: Path):
    ended = subprocess.run([sys.executable, "-c", KILLED_WRITER, tmp_path], check=False)

    assert ended.returncode == -signal.SIGKILL
    assert list(stored_in(tmp_path, "KVRT")) == ENTRIES
    SqliteLog(tmp_path).close()
    assert list(stored_in(tmp_path, "KVRT")) == ENTRIES


def test_nothing_is_written_not_even_what_a_killed_server_left_to_be_tidied_up(tmp_path: Path):
    subprocess.run([sys.executable, "-c", KILLED_WRITER, tmp_path], check=False)
    before = (tmp_path / "prikup.db").read_bytes()

    list(stored_in(tmp_path, "KVRT"))

    assert (tmp_path / "prikup.db").read_bytes() == before


async def test_an_unknown_room_has_no_entries(tmp_path: Path):
    (await filled(tmp_path)).close()

    assert list(stored_in(tmp_path, "XXXX")) == []


async def test_a_folder_with_any_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "an evening? #1 100%"
    (await filled(folder)).close()
    monkeypatch.chdir(tmp_path)

    assert list(stored_in(Path(folder.name), "KVRT")) == ENTRIES


@pytest.mark.parametrize("folder", ["", "nowhere"])
def test_a_folder_without_a_log_is_named_and_stays_without(tmp_path: Path, folder: str):
    with pytest.raises(LogUnusable, match=f"No games are kept in {tmp_path / folder}"):
        list(stored_in(tmp_path / folder, "KVRT"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_log_is_told(tmp_path: Path):
    (tmp_path / "prikup.db").write_bytes(b"no database at all, but a letter" * 99)

    with pytest.raises(LogUnusable, match="cannot be read"):
        list(stored_in(tmp_path, "KVRT"))


async def test_a_log_of_a_newer_version_is_told(tmp_path: Path):
    log = await filled(tmp_path)
    log._writer.execute("PRAGMA user_version = 3")  # noqa: SLF001  # what a later version will do
    log.close()

    with pytest.raises(LogUnusable, match="newer Prikup"):
        list(stored_in(tmp_path, "KVRT"))


@pytest.mark.parametrize("foreign", FOREIGN | FOREIGN_ENTRIES)
async def test_a_log_into_which_somebody_put_more_is_not_looked_at(tmp_path: Path, foreign: str):
    (await filled(tmp_path)).close()
    change(tmp_path, *(FOREIGN | FOREIGN_ENTRIES)[foreign])

    with pytest.raises(LogUnusable, match=r"is damaged: .* A server that starts on it mends it"):
        list(stored_in(tmp_path, "KVRT"))
