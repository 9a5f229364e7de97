"""The formats in which a game can be taken home."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from engine.history import Entry
from engine.record import write_record
from server.played import game_in
from server.replay import replay_of, story_of
from server.take_home.anonymous import Anonymous
from server.take_home.html_file import html_of
from server.take_home.log_lines import write_lines
from server.take_home.sheet_csv import write_sheet

FORMATS = {
    "t1000": "text/plain; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
"""The endings of the files, and what they are."""


def taken_home(  # noqa: PLR0913  # which game, and how
    code: str,
    entries: Iterable[Entry],
    number: int,
    kind: str,
    *,
    static: Path,
    anonymously: bool = False,
) -> str:
    """Game `number` of room `code`, which is finished, as the text of a file of that kind.

    `entries` are all of the room's, from the first; they are gone over more than once.
    `anonymously`: with letters for names, and without the code.

    Raises:
        NoSuchGame: it had not begun.
        TooLong: it has too many entries for a log or a page.
        LogCorrupt: the entries do not follow each other.
        NotFinished: it still runs.
        PageUnusable: the client that was built has no page for such a file.
    """
    if anonymously:
        code, entries = "", Anonymous(entries, number)
    match kind:
        case "t1000":
            return write_record(entries, number)
        case "jsonl":
            return write_lines(entries, number)
        case "csv":
            return write_sheet(code, game_in(entries, number))
        case "html":
            story = story_of(entries, number, undone=True)
            return html_of(msgspec.json.encode(replay_of(code, story)), static)
        case _:
            raise ValueError(f"no game is written as {kind}")
