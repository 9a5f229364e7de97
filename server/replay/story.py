"""A game of a room as it went, entry by entry."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from engine.cards import Seat
from engine.events import CardPlayed, GameEnded, GameStarted, GameWon
from engine.history import Entry, Past, standing
from engine.record import NoSuchGame
from engine.state import Over, Phase, Playing, Room


class Moment(Struct, frozen=True, kw_only=True):
    """An entry of a game, and where the room stood after it."""

    entry: Entry
    past: Past
    trick: int | None
    """Of a card: the number of its trick, from 1."""
    undone: bool
    """It was taken back later, or happened while something stood that was."""


class Story(Struct, frozen=True, kw_only=True):
    """A game from its first entry to its last."""

    number: int
    moments: tuple[Moment, ...]

    @property
    def finished(self) -> bool:
        """Somebody has won, or the table ended the game."""
        return isinstance(_phase(self.moments[-1].past), Over)

    def seats_of(self, keys: Collection[str]) -> tuple[Seat, ...]:
        """Where those with one of `keys` sit at the end of the story."""
        players = enumerate(room_at(self.moments[-1]).players)
        return tuple(Seat(index) for index, one in players if one and one.key in keys)


def story_of(entries: Sequence[Entry], number: int, *, undone: bool = False) -> Story:
    """Game `number`, as far as `entries`, all of the room's from the first, tell it.

    What was taken back is left out, and so is who came and went while it stood; with `undone`
    everything is there as it happened, and the taking back too.

    Raises:
        NoSuchGame: it had not begun.
        LogCorrupt: the entries do not follow each other.
    """
    counts = standing(entries)
    first, last = _bounds(counts, entries[-1].seq if entries else 0, number)
    standing_numbers = {entry.seq for entry in counts}
    past = Past()
    moments = []
    for entry in entries:
        before, past = past, past.after(entry)
        if entry.seq > last:
            break
        if entry.seq >= first:
            moment = _moment(entry, before, past, standing_numbers)
            if undone or not (moment.undone or entry.undone):
                moments.append(moment)
    return Story(number=number, moments=tuple(moments))


def _bounds(counts: Sequence[Entry], end: int, number: int) -> tuple[int, int]:
    """The first and the last entry of game `number`; a game that runs lasts to the `end`."""
    first = None
    for entry in counts:
        for fact in entry.happened:
            if isinstance(fact, GameStarted) and fact.number == number:
                first = entry.seq
            elif first is not None and isinstance(fact, GameWon | GameEnded):
                return first, entry.seq
    if first is None:
        raise NoSuchGame(f"there is no game {number}")
    return first, end


def _moment(entry: Entry, before: Past, past: Past, counts: set[int]) -> Moment:
    stood = (entry, *past.entries) if entry.undone is None else past.entries
    return Moment(
        entry=entry,
        past=past,
        trick=_trick(entry, _phase(before)),
        undone=any(one.seq not in counts for one in stood),
    )


def _trick(entry: Entry, before: Phase | None) -> int | None:
    plays = any(isinstance(fact, CardPlayed) for fact in entry.facts)
    return sum(before.tricks) + 1 if plays and isinstance(before, Playing) else None


def _phase(past: Past) -> Phase | None:
    return past.room.phase if past.room else None


def room_at(moment: Moment) -> Room:
    """The room after `moment`."""
    if moment.past.room is None:
        raise TypeError("a game is played in a room")
    return moment.past.room
