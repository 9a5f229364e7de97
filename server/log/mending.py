"""A new log out of a damaged one: of every room the beginning that is good.

SQLite reads a copy, so the damaged files stay what they were and are kept beside the new log.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice, repeat
from pathlib import Path
from typing import Any, BinaryIO

from server.log import chain
from server.log.base import LogUnusable
from server.log.folder import DB, MENDED, WAL, header_of, put_in_place, size_of, workshop
from server.log.schema import APPEND, BROKEN, CUT, CUTS, MARK, PAGE, connect, create

log = logging.getLogger(__name__)

_PATIENCE = 250  # rows that are looked for one by one: more than a page holds
_MOST_ROWS = 2**32  # whatever a broken page says about the number of a row
_BEGIN = b"SQLite format 3\0" + PAGE.to_bytes(2, "big")  # of every file of ours
# Pages that point at each other can make a walk over a few of them endless. A walk over good ones
# takes about one instruction of SQLite for each byte, and the search behind a hole some millions.
_SPAN, _SPANS, _SPAN_BYTES = 100_000, 100, 10_000
_LEAST_ROW = 8  # bytes of a row, and fewer than any has
_MARK_AT = 68  # where the header of a database has its application id


def mend(folder: Path, why: str) -> None:
    """The log in `folder`, which is claimed, holds all that is good in the damaged one there.

    The damaged one is kept beside, and the operator is told of every room that was cut.

    Raises:
        LogUnusable: it is something else than a log of ours ever was, or the disk would not;
            everything is as it was.
    """
    try:
        with workshop(folder) as work:
            new, salvage = _salvaged((folder / DB).resolve(), work)
            if not salvage.ends and not _was_ours(folder / DB):
                raise LogUnusable(f"The log in {folder} cannot be used: {why}.")
            kept = put_in_place(folder, new, MENDED)
    except (OSError, sqlite3.Error) as error:
        raise LogUnusable(
            f"The log in {folder} is damaged ({why}) and could not be mended: {error}."
        ) from error
    log.warning("the log was damaged (%s); the damaged one is kept as %s", why, kept.name)
    salvage.report()


def _salvaged(damaged: Path, work: Path) -> tuple[Path, "_Salvage"]:
    """A new log in `work`, complete and closed, and what there is to say about it."""
    new, copy = work / "new.db", work / "copy.db"
    with closing(connect(new)) as writer:
        create(writer)
    copy.touch()
    for end in ("", WAL):
        source = damaged.with_name(damaged.name + end)
        if size := size_of(source):
            with source.open("rb", 0) as read, copy.with_name(copy.name + end).open("wb") as write:
                copy_readable(read, write, size)
    if not (has_schema := _shows_entries(copy)):
        _give_first_page(copy, new)
    with closing(connect(new)) as writer, closing(_tolerant(copy)) as reader:
        salvage = _Salvage(reader, writer)
        if _holds_rows(copy):
            writer.execute("BEGIN")
            salvage.entries(most=_size(copy) // _LEAST_ROW)
            salvage.losses()
            salvage.entries_by_number()
            salvage.marks(earlier=has_schema)
            writer.execute("COMMIT")
    return new, salvage


def _holds_rows(copy: Path) -> bool:
    """No row lies on the first page, and to look for those of a page that is missing takes long."""
    return copy.stat().st_size > PAGE or size_of(copy.with_name(copy.name + WAL)) > 0


def copy_readable(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """`target` is what of `source` the disk still gives, with zeros where it does not."""
    for start in range(0, size, PAGE):
        length = min(PAGE, size - start)
        block = bytes(length)
        with suppress(OSError):
            source.seek(start)
            block = source.read(length)
        target.write(block)


def _tolerant(copy: Path) -> sqlite3.Connection:
    """Gives what it can of a file that is shorter than it says or has a broken schema."""
    reader = connect(copy)
    reader.text_factory = bytes  # a broken text is no error
    spans = repeat(0, _SPANS + _size(copy) // _SPAN_BYTES)
    reader.set_progress_handler(lambda: next(spans, 1), _SPAN)
    reader.execute("PRAGMA writable_schema = ON")
    return reader


def _size(copy: Path) -> int:
    return copy.stat().st_size + size_of(copy.with_name(copy.name + WAL))


def _shows_entries(copy: Path) -> bool:
    if copy.stat().st_size < PAGE:
        return False
    try:
        with closing(_tolerant(copy)) as reader:
            if not _is_table(reader, "entry"):
                return False
            reader.execute("SELECT room, seq, data FROM entry WHERE rowid = 0").fetchone()
    except BROKEN:
        return False
    return True


def _is_table(reader: sqlite3.Connection, name: str) -> bool:
    """To read `name` runs nothing: it is no view, no virtual table, and none of it is computed."""
    is_table = "type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE %'"
    query = f"SELECT count(*) FROM sqlite_schema WHERE name = ? AND {is_table}"  # noqa: S608  # ours
    columns = reader.execute(f"PRAGMA table_xinfo({name})")
    hidden = [column[-1] for column in columns]
    return reader.execute(query, (name,)).fetchone() == (1,) and not any(hidden)


def _give_first_page(copy: Path, new: Path) -> None:
    """The first page of `copy` is that of a new log.

    It holds the header and the schema. The entries of all our files begin on the same pages.
    """
    size = max(PAGE, copy.stat().st_size)
    first = bytearray(new.read_bytes()[:PAGE])
    first[28:32] = (-(-size // PAGE)).to_bytes(4, "big")  # how many pages there are
    with copy.open("r+b") as file:
        file.write(first)


def _was_ours(damaged: Path) -> bool:
    """By its mark; or there is not enough of it to be anybody's, and nothing but ours."""
    header = header_of(damaged)
    if header[_MARK_AT : _MARK_AT + 4] == MARK.to_bytes(4, "big") or not any(header):
        return True
    return size_of(damaged) < PAGE and header[: len(_BEGIN)] == _BEGIN[: len(header)]


class _Salvage:
    """What goes over from a damaged log into a new one."""

    def __init__(self, reader: sqlite3.Connection, writer: sqlite3.Connection) -> None:
        self.ends: dict[str, chain.Last] = {}
        self._seen: dict[str, int] = {}
        """The highest number that was seen of each room that may have lost some."""
        self._linked: bool | None = None
        self._reader = reader
        self._writer = writer

    def entries(self, *, most: int) -> None:
        """Every entry that continues the good beginning of its room is in the new log.

        There are `most` of them at the most: whatever comes then has been there before.
        """
        for row in islice(_rows(self._reader), most):
            if _is_entry(*row):
                name, seq, data, link = row
                self._take(name.decode(), seq, data, link)

    def _take(self, room: str, seq: int, data: bytes, link: bytes) -> None:
        if self._linked is None:
            self._linked = link != b""  # format 1 had none
        last = chain.extended(self.ends.get(room, chain.NOTHING), room, data)
        if (seq, link) == (last.seq, last.link if self._linked else b""):
            self._writer.execute(APPEND, (room, seq, data, last.link))
            self.ends[room] = last
        else:
            self._seen[room] = max(seq, self._seen.get(room, 0))

    def losses(self) -> None:
        """The index, where it can be read, has told of entries whose table page is gone."""
        with suppress(*BROKEN):
            for name, seq in self._reader.execute("SELECT room, max(seq) FROM entry GROUP BY room"):
                if _is_text(name) and isinstance(seq, int):
                    room = name.decode()
                    self._seen[room] = max(seq, self._seen.get(room, 0))

    def entries_by_number(self) -> None:
        """What a broken row number hid from the walk along the table is found along the index."""
        for room in self._seen:
            while self._is_cut(room) and self._took_next(room):
                pass

    def _took_next(self, room: str) -> bool:
        seq = self.ends.get(room, chain.NOTHING).seq + 1
        query = f"{_columns(self._reader)} WHERE room = ? AND seq = ?"
        with suppress(*BROKEN):
            for _, *row in self._reader.execute(query, (room, seq)):
                if _is_entry(*row):
                    _, _, data, link = row
                    self._take(room, seq, data, link)
        return room in self.ends and self.ends[room].seq == seq

    def marks(self, *, earlier: bool) -> None:
        """The new log remembers which rooms were cut now, and if `earlier` also which were before.

        A log that was migrated has the table of them on a page that only its own schema knows.
        """
        marks = {room: last.seq for room, last in self.ends.items() if self._is_cut(room)}
        if earlier:
            marks.update(self._earlier_marks())
        self._writer.executemany(CUT, marks.items())

    def _earlier_marks(self) -> Iterator[tuple[str, int]]:
        with suppress(*BROKEN):
            if not _is_table(self._reader, "mended"):
                return
            for name, seq in self._reader.execute(CUTS):
                room = name.decode() if _is_text(name) else ""
                if room in self.ends and self.ends[room].seq == seq:
                    yield room, seq

    def report(self) -> None:
        for room in filter(self._is_cut, sorted(self._seen)):
            if room in self.ends:
                log.warning(
                    "room %s: cut after entry %d, of %d",
                    room,
                    self.ends[room].seq,
                    self._seen[room],
                )
            else:
                log.warning("room %s: gone, none of its %d entries is good", room, self._seen[room])

    def _is_cut(self, room: str) -> bool:
        return self._seen.get(room, 0) > self.ends.get(room, chain.NOTHING).seq


def _rows(reader: sqlite3.Connection) -> Iterator[Any]:
    """The rows as they were appended; after a broken page those behind it.

    A hole is left by steps that grow when it is longer than a page, so some of the first rows
    behind it may be passed over.
    """
    columns, at, misses = _columns(reader), 0, 0
    while at < _MOST_ROWS:
        try:
            for rowid, *row in reader.execute(f"{columns} WHERE rowid > ? ORDER BY rowid", (at,)):
                yield row
                misses = 0
                if at < rowid < _MOST_ROWS:
                    at = rowid
        except BROKEN as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                return  # it walks in circles
            misses += 1
            at += max(1, misses - _PATIENCE)
            # A cursor looks one row ahead, so the last row before the broken page is still to come.
            with suppress(*BROKEN):
                for _, *row in reader.execute(f"{columns} WHERE rowid = ?", (at,)):
                    yield row
        else:
            return


def _columns(reader: sqlite3.Connection) -> str:
    names = {name for _, name, *_ in reader.execute("PRAGMA table_info(entry)")}
    link = "link" if b"link" in names else "x''"
    return f"SELECT rowid, room, seq, data, {link} FROM entry"  # noqa: S608


def _is_entry(room: object, seq: object, data: object, link: object) -> bool:
    return (
        _is_text(room)
        and isinstance(seq, int)
        and seq > 0
        and isinstance(data, bytes)
        and isinstance(link, bytes)
    )


def _is_text(room: object) -> bool:
    try:
        return isinstance(room, bytes) and bool(room.decode())
    except UnicodeDecodeError:
        return False
