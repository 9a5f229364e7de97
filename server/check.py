"""Text records put to the test: can each be read, and does it hold?"""

from collections.abc import Iterable, Mapping
from typing import TextIO

from engine.profile import Profile
from engine.record import Unreadable, play_record, read_record
from server.game_files import text_of

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
        played = play_record(read_record(text_of(file), profiles))
    except OSError as error:
        return UNREADABLE, f" this file cannot be read: {error.strerror}"
    except Unreadable as wrong:
        return UNREADABLE, f"{wrong.line}: {wrong.text}"
    if failure := played.failure:
        return FALSE, f"{failure.line}: {failure.text}"
    return HOLDS, f" ok, {played.deals} {'deal' if played.deals == 1 else 'deals'}"
