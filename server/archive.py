"""The games kept on this box, in short. The log knows them all; this remembers what it read there.

In memory is a line a game, never its cards, and no more lines than `ALL_KEPT`. Of a long room it is
remembered too how to read on, so that a room costs what was added to it, however often it is looked
at.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.games import Step, Walk
from engine.lobby import game_runs
from engine.state import Room
from server.log import EventLog, LogFailed
from server.log.codec import EntryDecoder
from server.played import Played, after, summary_of
from server.replay_messages import ArchivePage, GameSummary
from server.walks import RoomEntries, Walks

log = logging.getLogger(__name__)

PAGE = 50
"""Games on one page."""

ROOM_KEPT = 1_000
"""Games of a room that are listed, the newest: an evening has ten."""

ALL_KEPT = 10_000
"""Games that are listed in all, the newest."""

LONG = 1_000
"""Entries from which on it is remembered how to read on; shorter rooms are soon read again."""

BOOKMARKS = 64
"""Rooms of which that is remembered, the longest."""

PATIENCE = 5.0
"""Seconds after which a page shows what was read so far."""

State = Literal["finished", "running"]


class Shelf(Struct, frozen=True, kw_only=True):
    """The games of one room, as its log was up to entry `seq`."""

    seq: int
    begun: int = 0
    """How many games have begun there."""
    games: tuple[GameSummary, ...] = ()
    """Those that are listed."""
    sits: tuple[str, ...] = ()
    """By seat the key of who sits there; empty where nobody does."""
    runs: bool = False
    """The last of its games is not over."""
    broken: bool = False
    """Its log does not fit together."""


class Archive:
    """What can be found of the games in the log."""

    def __init__(self, events: EventLog, walks: Walks) -> None:
        self._events = events
        self._walks = walks
        self._shelves: dict[str, Shelf] = {}
        self._bookmarks: dict[str, _Bookmark] = {}
        self._lines = 0
        """On all shelves."""
        self._looking = asyncio.Lock()
        self._looks: set[asyncio.Task[LogFailed | None]] = set()
        self._coming: asyncio.Task[LogFailed | None] | None = None
        """The look that has not begun."""

    async def page(
        self, keys: frozenset[str], *, state: State, player: str = "", number: int = 1
    ) -> ArchivePage:
        """Page `number` of the games in that state, the newest first; of `player` if named.

        A running game, and every game of a room in which one runs, is for those alone who sit
        there with one of `keys`: the code of such a room is an invitation.

        What takes longer than `PATIENCE` to read is not on it yet. Whether a game runs in a room
        that went on meanwhile is not known then, so it is treated like one in which one does.

        Raises:
            LogFailed: the log cannot be read now.
        """
        complete = await self._looked()
        ends = await self._events.ends()
        shelves = [(one, ends.get(code) == one.seq) for code, one in self._shelves.items()]
        found = await asyncio.to_thread(_found, shelves, keys, state, player.casefold())
        pages = max(1, -(-len(found) // PAGE))
        first = (number - 1) * PAGE
        return ArchivePage(
            games=tuple(found[first : first + PAGE]), page=number, pages=pages, complete=complete
        )

    async def shelf(self, code: str) -> Shelf | None:
        """What room `code` holds now; None: the log knows no such room.

        Raises:
            LogFailed: the log cannot be read now.
        """
        if not (end := await self._events.end(code)):
            return None
        if (known := self._shelves.get(code)) and known.seq == end:
            return known
        return await self._read(code, end)

    def forget(self, code: str) -> None:
        """Room `code` is gone, and another one may get its name."""
        self._lay(code, None)
        self._bookmarks.pop(code, None)

    async def close(self) -> None:
        """Nothing is read any more."""
        for look in self._looks:
            look.cancel()
        await asyncio.gather(*self._looks, return_exceptions=True)

    async def _looked(self) -> bool:
        """Whether all that was stored before now is on the shelves, after `PATIENCE` at most.

        Raises:
            LogFailed: the log cannot be read now.
        """
        if (look := self._coming) is None:
            look = self._coming = asyncio.create_task(self._look())
            self._looks.add(look)
            look.add_done_callback(self._looks.discard)
        done, _ = await asyncio.wait([look], timeout=PATIENCE)
        if done and (failure := look.result()):
            raise failure
        return bool(done)

    async def _look(self) -> LogFailed | None:
        """All that is in the log by now is on the shelves; or why it is not."""
        async with self._looking:
            self._coming = None  # whoever asks from now on wants to see what is stored from now on
            try:
                ends = await self._events.ends()
                for code in self._shelves.keys() - ends.keys():
                    self.forget(code)
                new = [code for code, seq in ends.items() if not self._is_known(code, seq)]
                for code in sorted(new, key=lambda code: code not in self._shelves):
                    await self._read(code, ends[code])
            except LogFailed as failure:
                return failure
            return None

    def _is_known(self, code: str, seq: int) -> bool:
        known = self._shelves.get(code)
        return known is not None and known.seq >= seq

    async def _read(self, code: str, end: int) -> Shelf:
        """Room `code` is on its shelf, at least up to entry `end`."""
        async with self._walks.turn:
            if not self._is_known(code, end):
                bookmark = self._bookmarks.pop(code, None) or _Bookmark(code)
                shelf = await self._walks.over(code, end, bookmark.read_on)
                if not shelf.broken and bookmark.seq >= LONG:
                    self._keep(bookmark)
                self._lay(code, shelf)
                if self._lines > ALL_KEPT * 11 // 10:  # not for every single one too many
                    newer = await asyncio.to_thread(_without_the_oldest, dict(self._shelves))
                    for code_of_newer, one in newer.items():
                        self._lay(code_of_newer, one)
            return self._shelves[code]

    def _lay(self, code: str, shelf: Shelf | None) -> None:
        """Room `code` has this shelf now, or none."""
        if (before := self._shelves.pop(code, None)) is not None:
            self._lines -= len(before.games)
        if shelf is not None:
            self._shelves[code] = shelf
            self._lines += len(shelf.games)

    def _keep(self, bookmark: "_Bookmark") -> None:
        self._bookmarks[bookmark.code] = bookmark
        if len(self._bookmarks) > BOOKMARKS:
            shortest = min(self._bookmarks.values(), key=lambda one: one.seq)
            del self._bookmarks[shortest.code]


class _Bookmark:
    """How far a room was read, and how it goes on from there."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.seq = 0
        self._decoder = EntryDecoder()
        self._walk = Walk()
        self._seen = _Seen(code)

    def read_on(self, entries: RoomEntries) -> Shelf:
        """The shelf after all `entries`, of which only new ones are read."""
        try:
            for entry in entries.after(self.seq, self._decoder):
                for step in self._walk.over(entry):
                    self._seen.take(step)
                self.seq = entry.seq
            seen = self._seen.copy()
            for step in self._walk.rest():
                seen.take(step)
        except LogFailed:
            raise
        except Exception as error:  # noqa: BLE001  # a room that makes no sense hides no other
            log.warning("room %s is not in the archive: %s", self.code, error)
            return Shelf(seq=entries.end, broken=True)
        return seen.shelf(self.seq)


class _Seen:
    """What a walk has seen of the games of a room."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._room: Room | None = None
        self._over: deque[GameSummary] = deque(maxlen=ROOM_KEPT)
        self._played: Played | None = None

    def take(self, step: Step) -> None:
        """`step` is the next one."""
        self._room = step.room
        self._played = after(self._played, step)
        if self._played and self._played.state != "running":
            self._over.append(summary_of(self._code, self._played))

    def copy(self) -> "_Seen":
        """Another one that has seen the same."""
        other = _Seen(self._code)
        other._room, other._played = self._room, self._played
        other._over = self._over.copy()
        return other

    def shelf(self, seq: int) -> Shelf:
        """What the room holds, seen up to entry `seq`."""
        if self._room is None:
            return Shelf(seq=seq)
        runs = self._played if game_runs(self._room) else None
        return Shelf(
            seq=seq,
            begun=self._room.games,
            games=(*self._over, *([summary_of(self._code, runs)] if runs else ())),
            sits=tuple(player.key if player else "" for player in self._room.players),
            runs=game_runs(self._room),
        )


def _found(
    shelves: Sequence[tuple[Shelf, bool]], keys: frozenset[str], state: State, player: str
) -> list[GameSummary]:
    """The games in that state, the newest first; with each shelf goes whether it is up to date."""
    found: list[GameSummary] = []
    for shelf, fresh in shelves:
        if (shelf.runs or not fresh) and keys.isdisjoint(shelf.sits):
            continue
        for game in shelf.games:
            named = not player or player in (name.casefold() for name in game.names)
            if named and (game.state == "running") == (state == "running"):
                found.append(game)
    return sorted(found, key=_newest_first)


def _without_the_oldest(shelves: Mapping[str, Shelf]) -> dict[str, Shelf]:
    """The shelves from which games are left out, so that `ALL_KEPT` are left in all."""
    games = (game for shelf in shelves.values() for game in shelf.games)
    oldest = sorted(games, key=_newest_first)[ALL_KEPT:]
    gone: dict[str, set[int]] = {}
    for game in oldest:
        gone.setdefault(game.code, set()).add(game.number)
    return {
        code: replace(
            shelves[code],
            games=tuple(one for one in shelves[code].games if one.number not in numbers),
        )
        for code, numbers in gone.items()
    }


def _newest_first(game: GameSummary) -> tuple[bool, int, str, int]:
    """Games of an unknown date come last."""
    return (game.at is None, -(game.at or 0), game.code, -game.number)
