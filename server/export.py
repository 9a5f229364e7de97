"""A game out of the log, as a file."""

from collections.abc import Iterator
from pathlib import Path

from engine.evolve import LogCorrupt
from engine.history import Entry, past_of
from engine.lobby import game_runs
from engine.record import NoSuchGame
from engine.state import Room
from server.config import STATIC
from server.identity import read_code
from server.log import LogUnusable
from server.log.codec import EntryDecoder, EntryUnreadable
from server.log.readonly import stored_in
from server.replay import TooLong
from server.take_home import PageUnusable, taken_home


class CannotExport(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who asked."""


def export(  # noqa: PLR0913  # which game, and how
    folder: Path,
    code: str,
    *,
    game: int | None = None,
    until: int | None = None,
    kind: str = "t1000",
    anonymously: bool = False,
    static: Path = STATIC,
) -> str:
    """A game of room `code`, whose log is in `folder`, as the text of a file of that `kind`.

    It is the latest finished one; `game` names another by its number. A game that still runs is
    told only as a record, and only as far as the entry `until`: whoever runs the server may be
    playing in it. With `until` and no `game` it is the latest that had begun then.

    Raises:
        CannotExport: there is no such game, it still runs, or the log cannot be read.
    """
    if until is not None and kind != "t1000":
        raise CannotExport("Only a record (t1000) can end before the game does.")
    try:
        entries = _Entries(folder, code, until)
        past = past_of(entries)
        if not past.seq and not any(_Entries(folder, code)):
            raise CannotExport(f"There is no room {code} in {folder}.")
        if until is not None and not 1 <= until == past.seq:
            last = past_of(_Entries(folder, code)).seq
            raise CannotExport(f"Room {code} has the entries 1 to {last}.")
        number = _chosen(past.room, code, game, told=until is not None)
        return taken_home(code, entries, number, kind, static=static, anonymously=anonymously)
    except NoSuchGame as missing:
        raise CannotExport(f"Room {code} has no game {game}.") from missing
    except TooLong as long:
        raise CannotExport("This game is too long for such a file; a record can be had.") from long
    except (LogUnusable, EntryUnreadable, LogCorrupt, PageUnusable) as broken:
        raise CannotExport(str(broken)) from broken


def write(text: str, file: Path) -> None:
    """`text` is in `file`, whatever was there before.

    Raises:
        CannotExport: it cannot be written.
    """
    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise CannotExport(f"{file} cannot be written: {error.strerror}.") from error


class _Entries:
    """The entries of a room on the disk, up to number `until`.

    Whoever goes over them reads them, one by one, each time anew.
    """

    def __init__(self, folder: Path, code: str, until: int | None = None) -> None:
        self._folder = folder
        self._code = read_code(code)
        self._until = until

    def __iter__(self) -> Iterator[Entry]:
        decoder = EntryDecoder()
        for stored in stored_in(self._folder, self._code) if self._code else ():
            if self._until is not None and stored.seq > self._until:
                return
            yield decoder.entry(stored)


def _chosen(room: Room | None, code: str, game: int | None, *, told: bool) -> int:
    """The number of the game to write; `told`: the asker said how far, so it may still run."""
    if room is None or not room.games:
        raise CannotExport(f"Room {code} has not begun a game.")
    open_to_all = room.games if told or not game_runs(room) else room.games - 1
    wanted = max(open_to_all, 1) if game is None else game
    if open_to_all < wanted <= room.games:
        raise CannotExport(
            f"Game {wanted} of room {code} still runs, and a record shows every card. "
            "Say with --until SEQ up to which entry you want it."
        )
    return wanted
