"""A room forgotten by whoever runs the server, also one that is too large to be loaded."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from server.identity import read_code
from server.log import LogUnusable
from server.log.erasing import erase
from server.log.folder import DB, claim
from server.log.readonly import length_in


class CannotForget(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who asked."""


def forget(folder: Path, code: str, sure: Callable[[int], bool]) -> bool:
    """Room `code` is gone from `folder` for good, if `sure` says so of its number of entries.

    None of them is read. No server may use the folder: it would go on with what it knows.

    Raises:
        CannotForget: there is no such room, a server uses the folder, or the log cannot be changed.
    """
    if not (folder / DB).is_file():
        raise CannotForget(f"No games are kept in {folder}.")
    try:
        held = claim(folder)
    except LogUnusable as unusable:
        raise CannotForget(f"{unusable} Nothing was removed; stop the server first.") from unusable
    with closing(held):
        try:
            room = read_code(code)
            entries = length_in(folder, room) if room else 0
            if not room or not entries:
                raise CannotForget(f"There is no room {code} in {folder}.")
            if not sure(entries):
                return False
            erase(folder, room)
        except LogUnusable as unusable:
            raise CannotForget(str(unusable)) from unusable
    return True
