"""A look into the log on the disk, also while a server writes it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from server.log.base import LogUnusable, Stored
from server.log.folder import DB
from server.log.schema import COUNT, FORMAT, READ, connect, connect_readonly

_ALL = -1


def stored_in(folder: Path, room: str) -> Iterator[Stored]:
    """The entries of `room` in the log in `folder`, in order; none for an unknown room.

    They are read one by one, as they are taken.

    Nothing is written and no claim is laid on the folder: a server that uses it goes on as before,
    and what it has acknowledged is seen.

    Raises:
        LogUnusable: there is no log of ours in the folder, or it cannot be read.
    """
    with _opened(folder) as reader:
        for row in reader.execute(READ, (room, 0, _ALL)):
            yield Stored(*row)


def length_in(folder: Path, room: str) -> int:
    """How many entries `room` has in the log in `folder`, none of which is read.

    Raises:
        LogUnusable: there is no log of ours in the folder, or it cannot be read.
    """
    with _opened(folder) as reader:
        (entries,) = reader.execute(COUNT, (room,)).fetchone()
        return int(entries)


def copy_into(file: Path, folder: Path) -> None:
    """`file`, new and complete in itself, is the log in `folder` as it is at one moment.

    A server that writes meanwhile is not held up; what it had acknowledged before is in the copy.

    Raises:
        LogUnusable: there is no log of ours in the folder, or it cannot be copied.
    """
    with _opened(folder) as reader, closing(connect(file)) as writer:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode = DELETE")  # one file, and no WAL beside it


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    file = folder / DB
    if not file.is_file():
        raise LogUnusable(f"No games are kept in {folder}.")
    try:
        with closing(connect_readonly(file)) as reader:
            (found,) = reader.execute("PRAGMA user_version").fetchone()
            if found > FORMAT:
                raise LogUnusable(f"The log in {folder} was written by a newer Prikup.")
            yield reader
    except sqlite3.Error as error:
        raise LogUnusable(f"The log in {folder} cannot be read: {error}.") from error
