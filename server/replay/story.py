"""A game of a room as it went, entry by entry."""

from array import array
from collections.abc import Iterable, Iterator

from msgspec import Struct

from engine.events import CardPlayed, CardsDealt, GameStarted, ReadySet, Undone
from engine.evolve import RosterEvent
from engine.games import NoSuchGame
from engine.history import Entry, Past
from engine.state import Over, Phase, Playing, Room

MOST = 10_000
"""Entries of a game that is shown in one piece; thirty deals of three players are 840."""


class TooLong(Exception):  # noqa: N818  # reads as what is the case
    """The game has more entries than can be shown in one piece."""


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
    past: Past
    """Where the room stands at the end."""
    entries: Iterable[Entry]
    """All of the room's, from the first; they can be gone over more than once."""
    before: Past
    """Where the room stood before the game."""
    told: bytes
    """What becomes of each entry of the game: one of `LEFT_OUT`, `STANDS` and `UNDONE`."""

    @property
    def finished(self) -> bool:
        """Somebody has won, or the table ended the game."""
        return isinstance(_phase(self.past), Over)

    @property
    def room(self) -> Room:
        """The room at the end."""
        return _room(self.past)

    def moments(self) -> Iterator[Moment]:
        """The game again from its beginning, moment by moment; none is kept in memory.

        Raises:
            TooLong: they are too many to be shown in one piece.
            LogCorrupt: the entries are no longer those that were outlined.
        """
        if len(self.told) - self.told.count(LEFT_OUT) > MOST:
            raise TooLong
        past, first = self.before, self.before.seq + 1
        for entry in self.entries:
            if entry.seq < first:
                continue
            if entry.seq - first == len(self.told):
                return
            trick, past = _trick(entry, _phase(past)), past.after(entry)
            if (fate := self.told[entry.seq - first]) != LEFT_OUT:
                yield Moment(entry=entry, past=past, trick=trick, undone=fate == UNDONE)


def story_of(entries: Iterable[Entry], number: int, *, undone: bool = False) -> Story:
    """Game `number`, as far as `entries`, all of the room's from the first, tell it.

    What was taken back is left out, and so is who came and went while it stood; with `undone`
    everything is there as it happened, and the taking back too.

    Raises:
        NoSuchGame: it had not begun.
        LogCorrupt: the entries do not follow each other.
    """
    past, outline = Past(), None
    for entry in entries:
        before, past = past, past.after(entry)
        if outline is None:
            begins = (fact for fact in entry.facts if isinstance(fact, GameStarted))
            if not any(fact.number == number for fact in begins):
                continue
            outline = _Outline(before)
        outline.hear(entry, past)
        if outline.is_complete:
            break
    if outline is None:
        raise NoSuchGame(f"there is no game {number}")
    return Story(
        number=number,
        past=outline.past,
        entries=entries,
        before=outline.before,
        told=outline.told(undone=undone),
    )


LEFT_OUT, STANDS, UNDONE, UNDOES = range(4)
"""What becomes of an entry. What undoes is told like what stands, or not at all."""


NoDecision = RosterEvent | ReadySet | Undone
"""What can be undone only together with a decision before it."""


class _Outline:
    """Which entries a game has, and which of them are taken back."""

    def __init__(self, before: Past) -> None:
        self.before = before
        self.past = before
        """At the end of the game; while it runs, where the room stands."""
        self.is_complete = False
        """Nothing that comes can belong to the game."""
        self._fates = bytearray()
        self._ended: int | None = None
        """How many entries it had when it was over."""
        # What stands since the deal began: its index, and the last decision there was by then.
        self._indexes = array("q")
        self._places = array("q")

    def hear(self, entry: Entry, past: Past) -> None:
        """`entry` is the next one, and the room stands at `past` after it."""
        if self._fates and _room(past).games != _room(self.past).games:
            self.is_complete = True
            return
        self._fates.append(UNDOES if entry.undone else STANDS if entry.facts else LEFT_OUT)
        if entry.undone:
            while self._places and self._places[-1] > entry.undone.back_to:
                self._places.pop()
                self._fates[self._indexes.pop()] = UNDONE
        if any(isinstance(fact, CardsDealt) for fact in entry.facts):
            del self._indexes[:], self._places[:]  # nothing is undone that lies before
        decides = not self._places or not all(isinstance(fact, NoDecision) for fact in entry.facts)
        self._indexes.append(len(self._fates) - 1)
        self._places.append(entry.seq if decides else self._places[-1])
        self._end(past)

    def _end(self, past: Past) -> None:
        if not isinstance(_phase(past), Over):
            self.past, self._ended = past, None
        elif self._ended is None:
            self.past, self._ended = past, len(self._fates)
        elif not past.entries:  # the next game is being arranged, and this one is over for good
            self.is_complete = True

    def told(self, *, undone: bool) -> bytes:
        """The fate of every entry of the game."""
        fates = bytes(self._fates[: self._ended])
        return fates if undone else fates.translate(_WITHOUT_UNDONE)


_WITHOUT_UNDONE = bytes.maketrans(bytes((UNDONE, UNDOES)), bytes((LEFT_OUT, LEFT_OUT)))


def _trick(entry: Entry, before: Phase | None) -> int | None:
    plays = any(isinstance(fact, CardPlayed) for fact in entry.facts)
    return sum(before.tricks) + 1 if plays and isinstance(before, Playing) else None


def _phase(past: Past) -> Phase | None:
    return past.room.phase if past.room else None


def room_at(moment: Moment) -> Room:
    """The room after `moment`."""
    return _room(moment.past)


def _room(past: Past) -> Room:
    if past.room is None:
        raise TypeError("a game is played in a room")
    return past.room
