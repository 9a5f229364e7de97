"""The text of a game's file, which anybody may have written: no longer than a game can be."""

import os
import re
from pathlib import Path

from engine.record import Unreadable
from server.files import handle_of

FILE_LIMIT = 8 << 20
"""Bytes of a file; a game of 30 deals has a thirtieth of that."""

LINES_LIMIT = 50_000
"""Lines of a file; a game of as many deals as a room may have has half of that."""

LINE_LIMIT = 1000
"""Characters of a line of a record."""

ENTRY_LIMIT = 100_000
"""Characters of a line of a log, which holds all that one decision led to."""

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # all control characters but blanks


def text_of(file: str) -> str:
    """What `file` says, which may begin with a byte order mark.

    Raises:
        OSError: it cannot be read, or is no file.
        Unreadable: it is not the text of a game, with the first line that says so.
    """
    with os.fdopen(handle_of(Path(file)), "rb") as opened:
        data = opened.read(FILE_LIMIT + 1)
    if len(data) > FILE_LIMIT:
        raise Unreadable(data.count(b"\n") + 1, "this is too long to be a game")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable(line, "this is not UTF-8") from error
    _check_lines(text)
    return text


def is_log(text: str) -> bool:
    """It is the log of a game, or meant to be, and no record."""
    return text.startswith("{")


def _check_lines(text: str) -> None:
    limit = ENTRY_LIMIT if is_log(text) else LINE_LIMIT
    lines = text.split("\n")
    for number, line in enumerate(lines[: LINES_LIMIT + 1], 1):
        if number > LINES_LIMIT and line:
            raise Unreadable(number, "this is too long to be a game")
        if len(line) > limit:
            raise Unreadable(number, f"this line is longer than {limit} characters")
        if _UNSEEN.search(line):
            raise Unreadable(number, "a control character stands in this line")
