"""Is a file laid out as our logs are? Looked at without running anything that it says.

A schema can hold a program: a trigger, a view, a generated column, a module for a virtual table.
So what somebody else may have written is read only once its schema is word for word one of ours.
"""

import sqlite3
from contextlib import closing
from functools import cache

from server.log.base import Damaged, LogUnusable
from server.log.schema import CREATE, CREATE_1, FORMAT, MARK, PAGE, migrate

Schema = tuple[tuple[str, str, str, str], ...]

_MOST = 9  # parts of a schema that are looked at: more than one of ours has


def format_of(reader: sqlite3.Connection, name: object) -> int:
    """The format of the log called `name`, which holds our tables, their indexes and nothing else.

    0: it is an empty database, in which a log can be made.

    Raises:
        Damaged: it is laid out otherwise.
        LogUnusable: a newer Prikup wrote it.
        sqlite3.Error, UnicodeError: it cannot be read.
    """
    (found,) = reader.execute("PRAGMA user_version").fetchone()
    if found > FORMAT:
        raise LogUnusable(f"The log {name} was written by a newer Prikup.")
    (page,) = reader.execute("PRAGMA page_size").fetchone()
    (encoding,) = reader.execute("PRAGMA encoding").fetchone()
    if (page, encoding) != (PAGE, "UTF-8"):
        raise Damaged("its pages are not laid out as ours are")
    schema = _schema(reader)
    if found <= 0:
        if schema:
            raise Damaged("it has tables, but not ours")
        return 0
    if schema not in _ours(found):
        raise Damaged("it holds something else than our tables, or more")
    (mark,) = reader.execute("PRAGMA application_id").fetchone()
    if mark != (MARK if found > 1 else 0):
        raise Damaged("it is marked as somebody else's")
    return int(found)


def _schema(reader: sqlite3.Connection) -> Schema:
    """In its words, but for the blanks between them; of one that is too long only a part."""
    rows = reader.execute(
        "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema LIMIT ?", (_MOST,)
    )
    return tuple(sorted((kind, name, of, " ".join(sql.split())) for kind, name, of, sql in rows))


@cache
def _ours(version: int) -> frozenset[Schema]:
    """Of our logs of that format: as they are made, and as a migration leaves them."""
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as made,
        closing(sqlite3.connect(":memory:", isolation_level=None)) as migrated,
    ):
        made.executescript(CREATE if version > 1 else CREATE_1)
        migrated.executescript(CREATE_1)
        if version > 1:
            migrate(migrated)
        return frozenset((_schema(made), _schema(migrated)))
