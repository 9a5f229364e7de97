"""The files in the data folder: whose they are, and how one log takes the place of another."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from server.log.base import LogUnusable

DB = "prikup.db"
WAL = "-wal"  # behind the name of a database: what was committed and is not yet in it
SHM = "-shm"  # what its connections share, made anew when it is missing
JOURNAL = "-journal"  # what undoes a write that was begun while there was no WAL yet

LOCK = "prikup.lock"
_WORKSHOP = "prikup.work"
PRIVATE = 0o600
"""The mode of a log: it shows the cards of running games."""


class Swap(NamedTuple):
    """Why a log takes the place of another, as the names of files say it."""

    pending: str
    """The new log from the moment it is complete until it has its place."""
    kept: str
    """What becomes of the old one."""


MENDED = Swap("prikup.mended.db", "prikup.damaged-{}.db")
RESTORED = Swap("prikup.restored.db", "prikup.replaced-{}.db")


def claim(folder: Path) -> IO[str]:
    """The folder exists and belongs to whoever holds the returned file open.

    The system lets go of the claim when the process ends, however it ends.
    What lies there under the names of a log are files.
    A swap that a crash has interrupted is finished, and what it left of a workshop is gone.
    A log in it is for its owner's eyes alone.

    Raises:
        LogUnusable: the folder cannot be written, somebody else holds it, or a name is taken.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = open(folder / LOCK, "w", opener=_never_by_a_link)  # noqa: SIM115  # is kept
        _give_to_owner(folder, folder / LOCK)
    except OSError as error:
        raise LogUnusable(
            f"The data folder {folder} cannot be written: {error.strerror}."
        ) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat((folder / LOCK).stat(), os.fstat(held.fileno())):
            raise FileNotFoundError  # it was removed after we opened it, and keeps nobody out
    except OSError as error:
        held.close()
        raise LogUnusable(f"The data folder {folder} is in use by another Prikup.") from error
    try:
        _expect_files(folder)
        for swap in (MENDED, RESTORED):
            if (folder / swap.pending).exists():
                _finish(folder, swap)
        shutil.rmtree(folder / _WORKSHOP, ignore_errors=True)
        _hide_log(folder)
    except OSError as error:
        held.close()
        raise LogUnusable(
            f"The data folder {folder} cannot be written: {error.strerror}."
        ) from error
    except LogUnusable:
        held.close()
        raise
    return held


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """`folder` is claimed. Where it or its lock was not there before, it is not after a failure.

    Raises:
        LogUnusable: as `claim` does.
    """
    places = (folder / LOCK, *(place for place in (folder, *folder.parents)))
    made = [place for place in places if not place.exists()]
    with closing(claim(folder)):
        try:
            yield
        except BaseException:
            # While it is claimed: nobody else has begun to use it.
            with suppress(OSError):
                for place in made:
                    place.rmdir() if place.is_dir() else place.unlink()
            raise


def holds_log(folder: Path) -> bool:
    """An empty file is none."""
    return any(size_of(folder / name) for name in (DB, DB + WAL))


def size_of(file: Path) -> int:
    """In bytes; 0 for a file that is not there."""
    return file.stat().st_size if file.exists() else 0


def header_of(file: Path) -> bytes:
    """What a database says of itself in its first 100 bytes; nothing if it is empty or missing."""
    if not file.exists():
        return b""
    with file.open("rb") as opened:
        return opened.read(100)


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """A place in `folder`, which is claimed, to build a log in; it is gone afterwards."""
    place = folder / _WORKSHOP
    place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def put_in_place(folder: Path, new: Path, swap: Swap) -> Path:
    """The database `new`, closed and on the same disk, is the log in `folder`, which is claimed.

    The old log lies beside under the name that is returned.
    A crash at any moment leaves the old log or the new one, once the folder is claimed again.

    Raises:
        OSError: the disk would not; old and new are where they were.
    """
    _give_to_owner(folder, new)
    new.chmod(PRIVATE)
    sync(new)
    new.rename(folder / swap.pending)
    sync(folder)
    return _finish(folder, swap)


def _finish(folder: Path, swap: Swap) -> Path:
    """Can be begun again wherever it was interrupted."""
    db = folder / DB
    kept = _free_name(folder, swap, with_wal=size_of(folder / (DB + WAL)) > 0)
    # What lies beside goes first: left there it would be read into the new log.
    for end in (WAL, JOURNAL):
        beside = folder / (DB + end)
        if size_of(beside):
            beside.rename(kept.with_name(kept.name + end))
        beside.unlink(missing_ok=True)
    (folder / (DB + SHM)).unlink(missing_ok=True)
    if db.exists():
        db.rename(kept)
    sync(folder)
    (folder / swap.pending).rename(db)
    sync(folder)
    return kept


def _free_name(folder: Path, swap: Swap, *, with_wal: bool) -> Path:
    """A name that no earlier log has.

    A WAL without its database does not count, unless another is to be kept: it is what the same
    swap moved before it was interrupted.
    """
    number = 1
    while True:
        kept = folder / swap.kept.format(number)
        taken = kept.exists() or (with_wal and kept.with_name(kept.name + WAL).exists())
        if not taken:
            return kept
        number += 1


def _never_by_a_link(path: str, flags: int) -> int:
    """Root may claim the folder of somebody who would like another file to be emptied."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _expect_files(folder: Path) -> None:
    """SQLite would wait for the other end of a pipe, and say little of a folder."""
    for end in ("", WAL, SHM, JOURNAL):
        path = folder / (DB + end)
        if path.exists() and not path.is_file():
            raise LogUnusable(f"{path} is not a file, so no games can be kept there.")


def _hide_log(folder: Path) -> None:
    """SQLite gives what it makes beside a database the mode of the database."""
    for end in ("", WAL, SHM, JOURNAL):
        file = folder / (DB + end)
        with suppress(FileNotFoundError, PermissionError):  # somebody else's is theirs to hide
            if not file.is_symlink():
                file.chmod(PRIVATE)


def _give_to_owner(folder: Path, file: Path) -> None:
    """Root may have made it, for a server that runs as somebody else."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)


def sync(path: Path) -> None:
    """What `path`, a file or a folder, holds has reached the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
