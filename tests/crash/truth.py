"""What a log on the disk says, held against what was promised to the phones."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from engine.decide import _settle
from engine.evolve import LogCorrupt
from engine.history import AskId, Past
from engine.views import game_view
from server.log import Stored, chain
from server.log.codec import EntryDecoder, EntryUnreadable
from server.log.folder import DB
from server.rehearse.report import Answer
from tests.crash.witness import View

_ROWS = "SELECT seq, data, link FROM entry WHERE room = ? AND seq >= ? ORDER BY seq"

Row = tuple[int, bytes, bytes]


class Untrue(Exception):  # noqa: N818  # reads as what is the case
    """The log breaks a promise; the text says which."""


def rows_in(folder: Path, room: str, first: int = 1) -> list[Row]:
    """The entries of `room` from number `first` on, with their links, as plain SQLite reads them.

    Nobody else uses the log in `folder`.
    """
    with closing(sqlite3.connect(folder / DB)) as reader:
        return reader.execute(_ROWS, (room, first)).fetchall()


class Truth:
    """One room as its log tells it, read on from where it was read to before.

    That nothing earlier was changed since is known by the link of the last entry.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.last = chain.NOTHING
        self._asks: dict[AskId, int] = {}
        self._pasts = {0: Past()}
        self._decoder = EntryDecoder()

    def read_on(self, rows: Iterable[Row]) -> None:
        """What `rows` hold is known; they begin with the entry that was the last.

        Raises:
            Untrue: an entry is missing, changed, half, or does not fit.
        """
        rows = iter(rows)
        if self.last.seq:
            seq, _, link = next(rows, (0, b"", b""))
            if (seq, link) != self.last:
                raise Untrue(f"room {self.code}: entry {self.last.seq} is not what it was")
        for seq, data, link in rows:
            self.last = chain.extended(self.last, self.code, data)
            if (seq, link) != self.last:
                raise Untrue(f"room {self.code}: the chain breaks at entry {self.last.seq}")
            self._follow(Stored(seq, data))

    def _follow(self, stored: Stored) -> None:
        try:
            entry = self._decoder.entry(stored)
            past = self._pasts[stored.seq - 1].after(entry)
        except (EntryUnreadable, LogCorrupt) as error:
            raise Untrue(f"room {self.code}: entry {stored.seq} does not fit: {error}") from error
        if is_half(past):
            raise Untrue(f"room {self.code}: entry {stored.seq} is half a decision")
        self._pasts[stored.seq] = past
        if entry.ask is not None:
            self._asks[entry.ask] = entry.seq

    def hold_answers(self, answers: Iterable[Answer]) -> None:
        """Every one of `answers` is the ask of the entry that it names.

        Raises:
            Untrue: one is not.
        """
        for answer in answers:
            if self._asks.get(AskId(answer.key, answer.id)) != answer.seq:
                raise Untrue(f"room {self.code}: the ask of entry {answer.seq} is lost")

    def hold_refused(self, refused: Iterable[AskId]) -> None:
        """None of `refused` is the ask of an entry.

        Raises:
            Untrue: one is.
        """
        for ask in refused:
            if ask in self._asks:
                seq = self._asks[ask]
                raise Untrue(f"room {self.code}: the ask of entry {seq} was refused as not stored")

    def hold_views(self, views: Iterable[View]) -> None:
        """Each of `views` is what its seat may see after its entry; older ones are not held again.

        Raises:
            Untrue: it is not, or there is no such entry.
        """
        needed = self.last.seq
        for view in views:
            needed = min(needed, view.seq)
            self.hold_view(view)
        self._pasts = {seq: past for seq, past in self._pasts.items() if seq >= needed}

    def hold_view(self, view: View) -> None:
        """`view` is what its seat may see after its entry, byte for byte.

        Raises:
            Untrue: it is not, or there is no such entry.
        """
        if view.seq > self.last.seq:
            raise Untrue(
                f"room {self.code}: entry {view.seq} was shown, {self.last.seq} is the last"
            )
        room = self._pasts[view.seq].room
        assert room is not None
        if msgspec.json.encode(game_view(room, view.me)) != bytes(view.game):
            raise Untrue(
                f"room {self.code}: seat {view.me} was shown something else at entry {view.seq}"
            )


def is_half(past: Past) -> bool:
    """Whether the rules force something that the last entry did not say."""
    return past.room is not None and any(True for _ in _settle(past.room))
