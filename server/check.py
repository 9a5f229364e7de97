"""Text records put to the test: can each be read, and does it hold?"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

from engine.profile import Profile
from engine.record import Unreadable, play_record, read_record

HOLDS, FALSE, UNREADABLE = 0, 1, 2
"""Exit codes; of several files the highest counts."""


def check(files: Iterable[str], profiles: Mapping[str, Profile], out: TextIO) -> int:
    """Every file is read and played, and `out` has one line about each; the answer is an exit code.

    That line tells of the first thing in the file that does not hold, or how many deals it has.
    """
    worst = HOLDS
    for file in files:
        code, verdict = _judge(file, profiles)
        out.write(f"{file}:{verdict}\n")
        worst = max(worst, code)
    return worst


def _judge(file: str, profiles: Mapping[str, Profile]) -> tuple[int, str]:
    """The exit code for one file, and what to say of it."""
    try:
        text = _text(Path(file).read_bytes())
        played = play_record(read_record(text, profiles))
    except OSError as error:
        return UNREADABLE, f" this file cannot be read: {error.strerror}"
    except Unreadable as wrong:
        return UNREADABLE, f"{wrong.line}: {wrong.text}"
    if failure := played.failure:
        return FALSE, f"{failure.line}: {failure.text}"
    return HOLDS, f" ok, {played.deals} {'deal' if played.deals == 1 else 'deals'}"


def _text(data: bytes) -> str:
    """The text of a file, which may begin with a byte order mark.

    Raises:
        Unreadable: it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable(line, "this is not UTF-8") from error
