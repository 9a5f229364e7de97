"""The whole log in one file and back: also while a server writes, and never halfway."""

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from server.backup import CannotBackUp, CannotRestore, back_up, restore
from server.log import SqliteLog
from server.log.schema import CREATE
from tests.server.damage import (
    DB,
    FOREIGN,
    FOREIGN_ENTRIES,
    WAL,
    change,
    in_turn,
    spoil,
    store_format_1,
)
from tests.server.games import kept

# Restores, and is killed when it is about to rename or remove a file for the nth time.
KILLED = """
import os, signal, sys
from pathlib import Path
from server.backup import restore
left = int(sys.argv[3])

def count(event, arguments):
    global left
    if event in ("os.rename", "os.remove"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count)
restore(Path(sys.argv[1]), Path(sys.argv[2]), replace=True)
"""

ENTRIES = {"KVRT": [b"one", b"two", bytes(9000)], "HERE": [b"here"]}


async def read_all(folder: Path) -> dict[str, list[bytes]]:
    log = SqliteLog(folder)
    try:
        return {room: [one.data for one in await kept(log, room)] for room in await log.rooms()}
    finally:
        log.close()


def names_in(folder: Path) -> set[str]:
    """Of what matters: a look at a log leaves a WAL without content, and what goes with it."""
    return {path.name for path in folder.iterdir()} - {"prikup.lock", WAL, DB + "-shm"}


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """The folder of a log at rest."""
    log = SqliteLog(tmp_path / "data")
    for row in in_turn(random.Random(1), ENTRIES):
        await log.append(*row)
    log.close()
    return tmp_path / "data"


@pytest.fixture
def file(data: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    back_up(data, tmp_path / "backup.zip")
    return tmp_path / "backup.zip"


async def test_what_was_backed_up_is_restored(data: Path, file: Path, tmp_path: Path):
    manifest, kept = restore(file, tmp_path / "new" / "data")

    assert await read_all(tmp_path / "new" / "data") == await read_all(data)
    assert (manifest.format, manifest.rooms, manifest.entries) == (2, 2, 4)
    assert kept is None
    assert names_in(tmp_path / "new" / "data") == {DB}


def test_a_backup_says_what_it_holds(file: Path):
    with zipfile.ZipFile(file) as archive:
        told = json.loads(archive.read("manifest.json"))

        assert sorted(archive.namelist()) == ["manifest.json", "prikup.db"]
        assert (told["format"], told["rooms"], told["entries"]) == (2, 2, 4)
        assert archive.read(DB)[18:20] == b"\1\1"  # it is whole without a WAL
        assert told["bytes"] == archive.getinfo("prikup.db").file_size


def test_a_backup_is_for_its_owner_alone_and_leaves_nothing_beside_it(file: Path, tmp_path: Path):
    assert file.stat().st_mode & 0o777 == 0o600
    assert names_in(tmp_path) == {"data", "backup.zip"}


def test_the_same_log_makes_the_same_file(data: Path, file: Path, tmp_path: Path):
    back_up(data, tmp_path / "again.zip")

    assert (tmp_path / "again.zip").read_bytes() == file.read_bytes()


async def test_a_backup_while_a_server_writes_holds_all_that_was_acknowledged_before(
    tmp_path: Path,
):
    log = SqliteLog(tmp_path / "data")
    acknowledged = dict.fromkeys(("KVRT", "HERE", "THAT"), 0)
    progress: asyncio.Queue[None] = asyncio.Queue()

    async def play(room: str) -> None:
        while True:
            await log.append(room, acknowledged[room] + 1, b"%d" % (acknowledged[room] + 1) * 60)
            acknowledged[room] += 1
            progress.put_nowait(None)

    playing = [asyncio.ensure_future(play(room)) for room in acknowledged]
    for number in range(5):
        for _ in range(200):
            await progress.get()
        before = dict(acknowledged)
        file = tmp_path / f"{number}.zip"
        manifest = await asyncio.to_thread(back_up, tmp_path / "data", file)
        assert sum(before.values()) <= manifest.entries <= sum(acknowledged.values()) + 3

        restore(file, tmp_path / f"restored-{number}")

        found = await read_all(tmp_path / f"restored-{number}")
        for room, data in found.items():
            assert len(data) >= before[room]
            assert data == [b"%d" % seq * 60 for seq in range(1, len(data) + 1)]
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
    log.close()


async def test_what_a_killed_server_left_in_its_wal_is_in_the_backup(tmp_path: Path):
    log = SqliteLog(tmp_path / "live")
    await log.append("KVRT", 1, b"one")
    (tmp_path / "data").mkdir()
    for name in (DB, WAL):
        (tmp_path / "data" / name).write_bytes((tmp_path / "live" / name).read_bytes())
    log.close()

    assert back_up(tmp_path / "data", tmp_path / "backup.zip").entries == 1


def test_a_file_that_is_there_is_replaced_by_force_alone(data: Path, file: Path):
    file.write_bytes(b"a letter")

    with pytest.raises(CannotBackUp, match="is there already"):
        back_up(data, file)
    assert file.read_bytes() == b"a letter"

    back_up(data, file, force=True)
    assert zipfile.is_zipfile(file)
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("data", "is a folder"), ("nowhere/backup.zip", "cannot be written: No such file")],
)
def test_a_place_that_cannot_be_written_is_one_sentence(data: Path, name: str, complaint: str):
    with pytest.raises(CannotBackUp, match=complaint):
        back_up(data, data.parent / name, force=True)


def test_a_folder_without_games_has_no_backup(tmp_path: Path):
    with pytest.raises(CannotBackUp, match=f"No games are kept in {tmp_path}"):
        back_up(tmp_path, tmp_path / "backup.zip")
    assert names_in(tmp_path) == set()


def test_of_a_damaged_log_no_backup_is_made(data: Path, tmp_path: Path):
    spoil(data, "KVRT", 2)

    with pytest.raises(CannotBackUp, match=r"is damaged \(room KVRT: entry 2 is not what"):
        back_up(data, tmp_path / "backup.zip")
    assert names_in(tmp_path) == {"data"}


async def test_a_backup_of_an_older_format_is_restored_as_one_of_ours(file: Path, tmp_path: Path):
    store_format_1(tmp_path / "old", in_turn(random.Random(1), ENTRIES))
    _claims(file, tmp_path / "old", format=1)

    manifest, _ = restore(file, tmp_path / "new")

    assert manifest.format == 1
    assert await read_all(tmp_path / "new") == ENTRIES


async def test_of_a_log_of_an_older_format_the_backup_is_one_of_ours(tmp_path: Path):
    store_format_1(tmp_path / "old", in_turn(random.Random(1), ENTRIES))

    manifest = back_up(tmp_path / "old", tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "new")

    assert manifest.format == 2
    assert await read_all(tmp_path / "new") == ENTRIES


async def test_which_rooms_were_cut_is_known_after_a_restore(data: Path, tmp_path: Path):
    spoil(data, "KVRT", 3)
    SqliteLog(data).close()

    back_up(data, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "new")

    log = SqliteLog(tmp_path / "new")
    assert (await log.mended("KVRT"), await log.mended("HERE")) == (2, None)
    log.close()


async def test_a_log_that_is_there_is_replaced_only_when_told_and_kept(
    data: Path, file: Path, tmp_path: Path
):
    log = SqliteLog(data)
    await log.append("HERE", 2, b"played since")
    log.close()

    with pytest.raises(CannotRestore, match=r"games in .* already. With --replace they are put"):
        restore(file, data)
    assert (await read_all(data))["HERE"] == [b"here", b"played since"]

    _, kept = restore(file, data, replace=True)
    assert kept == data / "prikup.replaced-1.db"
    assert await read_all(data) == ENTRIES
    (tmp_path / "kept").mkdir()
    kept.rename(tmp_path / "kept" / DB)
    assert (await read_all(tmp_path / "kept"))["HERE"] == [b"here", b"played since"]


def restore_killed(file: Path, folder: Path, nth: int) -> int:
    ended = subprocess.run([sys.executable, "-c", KILLED, file, folder, str(nth)], check=False)
    return ended.returncode


@pytest.mark.parametrize("nth", range(1, 6))
async def test_a_restore_that_is_killed_leaves_the_old_log_or_the_new_one_and_loses_neither(
    data: Path, file: Path, nth: int
):
    log = SqliteLog(data)
    await log.append("HERE", 2, b"played since")
    log.close()
    since = {**ENTRIES, "HERE": [b"here", b"played since"]}

    assert await asyncio.to_thread(restore_killed, file, data, nth) == -signal.SIGKILL
    found = await read_all(data)
    assert found in (since, ENTRIES)
    assert names_in(data) == {DB} | ({"prikup.replaced-1.db"} if found == ENTRIES else set())


def test_a_folder_in_use_is_left_alone(data: Path, file: Path):
    log = SqliteLog(data)

    with pytest.raises(CannotRestore, match="in use by another Prikup"):
        restore(file, data, replace=True)
    log.close()


def test_what_root_restores_belongs_to_whom_the_folder_belongs(data: Path, file: Path):
    if os.geteuid() == 0:
        os.chown(data, 1234, 1234)

    restore(file, data, replace=True)

    owner = data.stat()
    restored = (data / DB).stat()
    assert (restored.st_uid, restored.st_gid) == (owner.st_uid, owner.st_gid)


def repacked(file: Path, packing: int = zipfile.ZIP_DEFLATED, /, **members: bytes | None) -> None:
    """`file` is an archive with other members: `manifest` and `db`, others by their names."""
    names = {"manifest": "manifest.json", "db": DB}
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    for key, content in members.items():
        name = names.get(key, key)
        if content is None:
            del contents[name]
        else:
            contents[name] = content
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


def told_otherwise(file: Path, **values: object) -> None:
    with zipfile.ZipFile(file) as archive:
        told = json.loads(archive.read("manifest.json"))
    repacked(file, manifest=msgspec.json.encode(told | values))


def a_false_log(file: Path) -> None:
    """Its manifest fits, and yet an entry is not what was stored."""
    folder = file.parent / "false"
    restore(file, folder)
    spoil(folder, "KVRT", 2)
    _claims(file, folder)


def somebody_elses(file: Path) -> None:
    folder = file.parent / "false"
    folder.mkdir()
    change(folder, "CREATE TABLE entry (name TEXT)")
    _claims(file, folder)


def _claims(file: Path, folder: Path, **values: object) -> None:
    """`file` says of the database in `folder` that it is its own."""
    change(folder, "PRAGMA journal_mode = DELETE")
    content = (folder / DB).read_bytes()
    repacked(file, db=content)
    digest = blake2b(content, digest_size=32).hexdigest()
    told_otherwise(file, bytes=len(content), blake2b=digest, **values)


def a_bomb(file: Path, size: int) -> None:
    """A few bytes that unpack to very many, and say so."""
    content = bytes(size)
    repacked(file, db=content)
    told_otherwise(file, bytes=size, blake2b=blake2b(content, digest_size=32).hexdigest())


def in_directory(file: Path, name: str, at: int, value: int) -> None:
    """What the list of the archive says of `name`, `at` so many bytes from its beginning."""
    content = bytearray(file.read_bytes())
    entry = content.rindex(b"PK\1\2", 0, content.rindex(name.encode()))
    content[entry + at : entry + at + 4] = value.to_bytes(4, "little")
    file.write_bytes(content)


SIZE_AT, PACKED_SIZE_AT, OFFSET_AT = 24, 20, 42


def a_manifest_that_lies(file: Path) -> None:
    repacked(file, manifest=b" " * (60 << 20))
    in_directory(file, "manifest.json", SIZE_AT, 300)


def a_member_that_lies(file: Path) -> None:
    a_bomb(file, 60 << 20)
    told_otherwise(file, bytes=500)
    in_directory(file, DB, SIZE_AT, 500)


def over_each_other(file: Path) -> None:
    in_directory(file, "manifest.json", OFFSET_AT, 0)
    in_directory(file, DB, OFFSET_AT, 0)


def many_members(file: Path) -> None:
    with zipfile.ZipFile(file, "a") as archive:
        for number in range(20_000):
            archive.writestr(f"{number:040}", b"")


def in_utf_16(file: Path) -> None:
    folder = file.parent / "false"
    folder.mkdir()
    change(folder, "PRAGMA encoding = 'UTF-16'", *filter(str.strip, CREATE.split(";")))
    _claims(file, folder)


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize("foreign", FOREIGN | FOREIGN_ENTRIES)
async def test_a_backup_whose_log_holds_more_than_ours_is_refused_and_runs_nothing(
    data: Path, file: Path, tmp_path: Path, foreign: str
):
    (tmp_path / "theirs").mkdir()
    shutil.copyfile(data / DB, tmp_path / "theirs" / DB)
    change(
        tmp_path / "theirs", "PRAGMA journal_mode = DELETE", *(FOREIGN | FOREIGN_ENTRIES)[foreign]
    )
    _claims(file, tmp_path / "theirs")

    with pytest.raises(CannotRestore, match=r"The log in .* is damaged: "):
        restore(file, tmp_path / "new" / "data")
    assert not (tmp_path / "new").exists()

    with pytest.raises(CannotRestore, match=r"The log in .* is damaged: "):
        restore(file, data, replace=True)
    assert names_in(data) == {DB}
    assert await read_all(data) == ENTRIES


def test_a_manifest_that_is_longer_than_it_says_takes_no_memory(file: Path, tmp_path: Path):
    a_manifest_that_lies(file)
    tracemalloc.start()

    with pytest.raises(CannotRestore):
        restore(file, tmp_path / "new")

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 << 20


@pytest.mark.parametrize(
    ("spoilt", "complaint"),
    [
        (lambda file: file.unlink(), "cannot be read: No such file"),
        (lambda file: file.write_bytes(b"a letter"), "not a backup of Prikup, or is damaged"),
        (lambda file: file.write_bytes(file.read_bytes()[:-40]), "or is damaged"),
        (lambda file: repacked(file, manifest=None), "it should hold manifest.json and prikup.db"),
        (lambda file: repacked(file, db=None), "it should hold manifest.json and prikup.db"),
        (lambda file: repacked(file, **{"../prikup.db": b"x"}), "it should hold"),
        (lambda file: repacked(file, manifest=b"{}"), "manifest.json cannot be read: .*`format`"),
        (lambda file: repacked(file, manifest=b"{" * 20_000), "manifest.json is too long"),
        (lambda file: repacked(file, db=b"x" * 9), "has not the size"),
        (lambda file: repacked(file, zipfile.ZIP_BZIP2), "it is packed in another way"),
        (lambda file: repacked(file, zipfile.ZIP_LZMA), "it is packed in another way"),
        (lambda file: told_otherwise(file, blake2b="00"), "is not what manifest.json says"),
        (lambda file: told_otherwise(file, format=3), "made by a newer Prikup"),
        (lambda file: told_otherwise(file, bytes=7), "has not the size"),
        (lambda file: told_otherwise(file, entries=5), "damaged: it has 4 entries of 2 rooms"),
        (a_false_log, "damaged: room KVRT: entry 2 is not what was stored"),
        (somebody_elses, "damaged: it has tables, but not ours"),
        (lambda file: a_bomb(file, 60 << 20), "no log of 62914560 bytes can be packed so small"),
        (a_manifest_that_lies, "not a backup of Prikup, or is damaged|is too long"),
        (a_member_that_lies, "has not the size|damaged"),
        (many_members, "listed at too great a length"),
        (over_each_other, "not a backup of Prikup"),
        (lambda file: told_otherwise(file, prikup="\x1b[2J"), "manifest.json cannot be read"),
        (lambda file: told_otherwise(file, bytes=2**70), "has not the size"),
        (in_utf_16, "its pages are not laid out as ours"),
        (lambda file: repacked(file, manifest=b"[" * 9000), "manifest.json cannot be read"),
        (a_pipe, "cannot be read: It is a pipe"),
    ],
)
def test_a_file_that_is_no_whole_backup_is_refused_and_changes_nothing(
    data: Path, file: Path, spoilt: Callable[[Path], object], complaint: str
):
    spoilt(file)
    before = (data / DB).read_bytes()

    with pytest.raises(CannotRestore, match=complaint):
        restore(file, data, replace=True)
    assert (data / DB).read_bytes() == before
    assert names_in(data) == {DB}


def test_an_archive_with_a_name_twice_is_refused(data: Path, file: Path):
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as archive:
        archive.writestr(DB, b"another")

    with pytest.raises(CannotRestore, match="it should hold"):
        restore(file, data, replace=True)


def test_an_archive_that_would_fill_the_disk_is_refused_before_it_is_unpacked(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    full = SimpleNamespace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda place: full if place == tmp_path else None)

    with pytest.raises(
        CannotRestore, match=r"new has no space for the \d+ bytes that prikup.db takes"
    ):
        restore(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_whatever_byte_of_an_archive_is_another_it_is_restored_whole_or_refused(
    file: Path, tmp_path: Path
):
    content = file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        whole = archive.read(DB)
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    for number in range(150):
        at = chance.randrange(len(content))
        flipped = bytes([content[at] ^ chance.randint(1, 255)])
        file.write_bytes(content[:at] + flipped + content[at + 1 :])
        folder = tmp_path / str(number)
        try:
            restore(file, folder)
        except CannotRestore:
            assert not folder.exists()
        else:
            assert (folder / DB).read_bytes() == whole, (seed, at)
