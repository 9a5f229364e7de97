"""Games out of files, put into a log of their own to be looked at."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

import msgspec
from msgspec import Struct

from engine.cards import Seat
from engine.events import GameEnded
from engine.history import Entry, past_of
from engine.lobby import game_runs
from engine.profile import Profile
from engine.record import Unreadable
from server import lan
from server.config import Config
from server.game_files import is_log, text_of
from server.identity import new_code
from server.log import MemoryLog
from server.log.codec import encode
from server.played import games_in
from server.profiles import ProfileInvalid, load_profiles
from server.replay import replay_of, story_of
from server.serve import CannotStart, serve_log
from server.take_home import read_entries, read_lines

UNREADABLE = 2
"""Exit code where a file is no game that holds."""


class CannotView(Exception):  # noqa: N818  # reads as what is the case
    """A file is no game that can be looked at; the text says where and why."""


class Shown(Struct, frozen=True):
    """A game that can be looked at: game `number` of room `code`, out of `file`."""

    file: str
    code: str
    number: int


def view(files: Sequence[str], config: Config) -> None:
    """Serve the games in `files` until interrupted; nothing is kept and no file is changed.

    Raises:
        CannotView: one of the files holds no game.
        CannotStart: a profile, the client or the port cannot be used.
    """
    try:
        profiles = load_profiles()
    except ProfileInvalid as unusable:
        raise CannotStart(str(unusable)) from unusable
    events = MemoryLog()
    games = asyncio.run(shelved(files, profiles, events))

    def announce(where: Config, out: TextIO) -> None:
        found = lan.interfaces(where.host)
        lines = [
            f"  {lan.join_url(None, None, found, where.port, game.code)}/replay/{game.number}"
            f"   {game.file}\n"
            for game in games
        ]
        out.write("".join(["\n  To look at\n", *lines, "\n  To stop               Ctrl+C\n\n"]))
        out.flush()

    serve_log(events, config, announce)


async def shelved(
    files: Iterable[str], profiles: Mapping[str, Profile], events: MemoryLog
) -> list[Shown]:
    """Every game in `files` is in `events` then, each file in a room of its own.

    Raises:
        CannotView: one of the files holds no game. Some of the others may be in the log.
    """
    shown: list[Shown] = []
    for file in files:
        entries = game_in(file, profiles)
        code = new_code()
        while code in (one.code for one in shown):
            code = new_code()
        for entry in entries:
            await events.append(code, entry.seq, encode(entry))
        shown += [Shown(file, code, played.game.number) for played in games_in(entries)]
    return shown


def game_in(file: str, profiles: Mapping[str, Profile]) -> list[Entry]:
    """The entries that `file` holds: a record, or the log of a game. The game is over.

    A file may end before the game does; all that it tells lies open, so nothing is kept back.

    Raises:
        CannotView: it is neither, or does not hold.
    """
    try:
        text = text_of(file)
        entries = read_lines(text) if is_log(text) else read_entries(text, profiles)
    except OSError as error:
        raise CannotView(f"{file}: this file cannot be read: {error.strerror}") from error
    except Unreadable as wrong:
        raise CannotView(f"{file}:{wrong.line}: {wrong.text}") from wrong
    try:
        entries = [*entries, *_end(entries)]
        for played in games_in(entries):
            msgspec.json.encode(replay_of("", story_of(entries, played.game.number, undone=True)))
    except Exception as wrong:  # whatever the rules do with facts that follow and make no sense
        raise CannotView(f"{file}: this is no game that can have been played") from wrong
    return entries


def _end(entries: Sequence[Entry]) -> list[Entry]:
    """The entry that is missing to a game that is over."""
    past = past_of(entries)
    if past.room is None or not game_runs(past.room):
        return []
    return [Entry(seq=past.seq + 1, facts=(GameEnded(by=Seat(0), agreed=()),))]
