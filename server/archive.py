"""The games kept on this box, in short. The log knows them all; this remembers what it read there.

Only rooms with new entries are read again, and reading is done beside the event loop. In memory is
a line a game, never its cards.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from engine.evolve import LogCorrupt
from engine.lobby import game_runs
from server.log import EventLog, Stored
from server.log.codec import EntryUnreadable, entries_of
from server.played import summary_of, told_by
from server.replay_messages import ArchivePage, GameSummary

log = logging.getLogger(__name__)

PAGE = 50
"""Games on one page."""

State = Literal["finished", "running"]


class _Shelf(Struct, frozen=True, kw_only=True):
    """The games of one room, as its log was up to entry `seq`."""

    seq: int
    games: tuple[GameSummary, ...] = ()
    sits: frozenset[str] = frozenset()
    """The keys of who sits there."""
    runs: bool = False


class Archive:
    """What can be found of the games in the log."""

    def __init__(self, events: EventLog) -> None:
        self._events = events
        self._shelves: dict[str, _Shelf] = {}
        self._reading = asyncio.Lock()

    async def page(
        self, keys: frozenset[str], *, state: State, player: str = "", number: int = 1
    ) -> ArchivePage:
        """Page `number` of the games in that state, the newest first; of `player` if named.

        A running game, and every game of a room in which one runs, is for those alone who sit
        there with one of `keys`: the code of such a room is an invitation.

        Raises:
            LogFailed: the log cannot be read now.
        """
        await self._refresh()
        found = sorted(self._found(keys, state, player.casefold()), key=_newest_first)
        pages = max(1, -(-len(found) // PAGE))
        first = (number - 1) * PAGE
        return ArchivePage(games=tuple(found[first : first + PAGE]), page=number, pages=pages)

    def _found(self, keys: frozenset[str], state: State, player: str) -> Iterator[GameSummary]:
        for shelf in self._shelves.values():
            if shelf.runs and not keys & shelf.sits:
                continue
            for game in shelf.games:
                named = not player or player in (name.casefold() for name in game.names)
                if named and (game.state == "running") == (state == "running"):
                    yield game

    async def _refresh(self) -> None:
        async with self._reading:
            ends = await self._events.ends()
            for code in self._shelves.keys() - ends.keys():
                del self._shelves[code]
            for code, seq in ends.items():
                known = self._shelves.get(code)
                if known is None or known.seq != seq:
                    stored = await self._events.read(code, 0, seq)
                    self._shelves[code] = await asyncio.to_thread(_read, code, stored)


def _read(code: str, stored: Sequence[Stored]) -> _Shelf:
    seq = stored[-1].seq if stored else 0
    try:
        games, room = told_by(entries_of(stored))
    except (EntryUnreadable, LogCorrupt) as error:
        log.warning("room %s is not in the archive: %s", code, error)
        return _Shelf(seq=seq)
    if room is None:
        return _Shelf(seq=seq)
    return _Shelf(
        seq=seq,
        games=tuple(summary_of(code, played) for played in games),
        sits=frozenset(player.key for player in room.players if player),
        runs=game_runs(room),
    )


def _newest_first(game: GameSummary) -> tuple[bool, int, str, int]:
    """Games of an unknown date come last."""
    return (game.at is None, -(game.at or 0), game.code, -game.number)
