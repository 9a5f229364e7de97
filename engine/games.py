"""The games that a room's log tells of: the one walk over it that all who look back share."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from engine.events import GameEnded, GameStarted, GameWon
from engine.evolve import fold
from engine.history import Entry, Standing
from engine.state import Room


class NoSuchGame(LookupError):  # noqa: N818  # the word of the glossary
    """The entries do not tell of a game of that number."""


class Step(Struct, frozen=True, kw_only=True):
    """An entry that counts, and where the room stood before and after it."""

    entry: Entry
    before: Room | None
    room: Room
    game: int
    """The number of the game to which the entry belongs, first and last included; 0: to none."""

    @property
    def begins(self) -> GameStarted | None:
        """The beginning of a game, if this is one."""
        return next((fact for fact in self.entry.facts if isinstance(fact, GameStarted)), None)

    @property
    def ends(self) -> bool:
        """Whether it is the end of its game."""
        return any(isinstance(fact, GameWon | GameEnded) for fact in self.entry.facts)


class Walk:
    """Goes over the log of a room, which may grow meanwhile, from its first entry on.

    In memory is where the room stands and, while a game runs, what can still be undone of it.
    """

    def __init__(self) -> None:
        self._standing = Standing()
        self._last: Step | None = None

    def over(self, entry: Entry) -> Iterator[Step]:
        """The steps that are certain now that `entry` has come, all of which have to be taken.

        Raises:
            LogCorrupt: an entry does not fit.
        """
        for certain in self._standing.certain(entry):
            if step := _step(self._last, certain):
                self._last = step
                yield step

    def rest(self) -> Iterator[Step]:
        """The steps that count as things are, and may yet be undone."""
        last = self._last
        for entry in self._standing.uncertain:
            if step := _step(last, entry):
                last = step
                yield step


def steps(entries: Iterable[Entry]) -> Iterator[Step]:
    """Everything that counts of a room whose `entries` from the first these are.

    Raises:
        LogCorrupt: they do not follow each other.
    """
    walk = Walk()
    for entry in entries:
        yield from walk.over(entry)
    yield from walk.rest()


def _step(last: Step | None, entry: Entry) -> Step | None:
    """The step after `last`; None: nothing was decided."""
    before = last.room if last else None
    room = fold(entry.happened, before)
    if room is None or not entry.facts:
        return None
    runs = last.game if last and not last.ends else 0
    step = Step(entry=entry, before=before, room=room, game=runs)
    begins = step.begins
    return Step(entry=entry, before=before, room=room, game=begins.number) if begins else step
