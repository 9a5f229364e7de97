"""A look into the log on the disk, also while a server writes it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from server.log.base import Damaged, LogUnusable, Stored
from server.log.folder import DB
from server.log.schema import COUNT, READ, connect_readonly
from server.log.shape import format_of

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


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    file = folder / DB
    if not file.is_file():
        raise LogUnusable(f"No games are kept in {folder}.")
    try:
        with closing(connect_readonly(file)) as reader:
            format_of(reader, file)
            yield reader
    except Damaged as damage:
        raise LogUnusable(
            f"The log in {folder} is damaged: {damage}. A server that starts on it mends it."
        ) from damage
    except sqlite3.Error as error:
        raise LogUnusable(f"The log in {folder} cannot be read: {error}.") from error
