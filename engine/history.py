"""An entry of the log: one decision with everything it led to; and which entries still count."""

from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat
from engine.events import AnyEvent, CardsDealt, GameStarted, ReadySet, Undone
from engine.evolve import LogCorrupt, RosterEvent, TableEvent, fold
from engine.state import Room, game_of

SCHEMA = 3
"""Number of the shapes in which facts are stored today; `upcast` knows the ones before."""


class AskId(Struct, frozen=True):
    """Which ask an entry answers: the id a phone gave it, and the key of the player who asked."""

    key: str
    id: str


class Entry(Struct, frozen=True, kw_only=True):
    """The unit of storage, undo and replay. `seq` counts from 1 without holes."""

    seq: int
    facts: tuple[AnyEvent | Undone, ...]
    ask: AskId | None = None
    schema: int = SCHEMA

    @property
    def happened(self) -> tuple[AnyEvent, ...]:
        """The facts that are about the room."""
        return tuple(fact for fact in self.facts if not isinstance(fact, Undone))

    @property
    def undone(self) -> Undone | None:
        """What this entry undoes, if it does; it holds nothing else then."""
        return next((fact for fact in self.facts if isinstance(fact, Undone)), None)


class Standing:
    """Which entries of a room count, told as soon as nothing can undo them.

    No undo goes back behind the entry with which the deal or the game began (see `Past`), so only
    what came since is kept here. Who says again and again to be ready for the next game is kept
    once, with the last word: no undo brings any of them back.
    """

    def __init__(self) -> None:
        self.uncertain: list[Entry] = []
        """What counts as things are and may yet be undone, from the beginning of the deal on."""

    def certain(self, entry: Entry) -> list[Entry]:
        """The entries that are certain to count now that `entry` has come, oldest first.

        The undoing ones are not among them.

        Raises:
            LogCorrupt: `entry` undoes what is certain.
        """
        kept = self.uncertain
        if entry.undone is not None:
            if not kept or entry.undone.back_to < kept[0].seq:
                raise LogCorrupt(entry.undone, None)
            self.uncertain = spared(kept, entry.undone.back_to)
            return []
        if _holds(entry, GameStarted | CardsDealt):
            self.uncertain = [entry]
            return kept
        if not kept or (_holds(entry, TableEvent) and not _holds(entry, ReadySet)):
            self.uncertain = []
            return [*kept, entry]
        if (seat := _who_is_ready(entry)) is not None:
            self.uncertain = [one for one in kept if _who_is_ready(one) != seat]
        self.uncertain.append(entry)
        return []


def standing(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries that still count, oldest first, as `Standing` tells them.

    Raises:
        LogCorrupt: one undoes what came before the deal.
    """
    found = Standing()
    for entry in entries:
        yield from found.certain(entry)
    yield from found.uncertain


def spared(entries: Iterable[Entry], back_to: int) -> list[Entry]:
    """What an undo leaves: the entries up to `back_to`, and who sits where (BACK-6)."""
    return [entry for entry in entries if entry.seq <= back_to or _is_roster(entry)]


def _is_roster(entry: Entry) -> bool:
    return all(isinstance(fact, RosterEvent) for fact in entry.facts)


def _who_is_ready(entry: Entry) -> Seat | None:
    """Who says to be ready, or no longer; None: the entry is about something else."""
    match entry.facts:
        case (ReadySet(seat=seat),):
            return seat
        case _:
            return None


def _holds(entry: Entry, kind: type | UnionType) -> bool:
    return any(isinstance(fact, kind) for fact in entry.facts)


class TakenBack(Struct, frozen=True):
    """In deal number `deal` of the game `seat` took something back."""

    deal: int
    seat: Seat


class Past(Struct, frozen=True, kw_only=True):
    """Where a room stands, and as much of how it came there as an undo can need.

    That is what counts since the deal or the game began, so an undo costs the same however long
    the evening was.
    """

    seq: int = 0
    """The number of the last entry."""
    room: Room | None = None
    base: Room | None = None
    """The room before `entries`."""
    entries: tuple[Entry, ...] = ()
    """What still counts of the deal, its dealing included, and who came and went meanwhile.

    None before the first game, and none once the next one is being arranged (BACK-5).
    """
    taken_back: tuple[TakenBack, ...] = ()
    """The undos of the game."""

    @property
    def begun(self) -> int:
        """The number of the entry with which the deal, or else the game, began; 0: none has."""
        return self.entries[0].seq if self.entries else 0

    @property
    def place(self) -> int:
        """The number of the last decision that counts; who sits where is none."""
        return next((entry.seq for entry in reversed(self.entries) if not _is_roster(entry)), 0)

    def since(self, back_to: int) -> tuple[AnyEvent, ...]:
        """What happened after entry `back_to` and would be undone by going back there."""
        return tuple(
            fact
            for entry in self.entries
            if entry.seq > back_to and not _is_roster(entry)
            for fact in entry.happened
        )

    def after(self, entry: Entry) -> Self:
        """The past with one entry more.

        Raises:
            LogCorrupt: the entry does not fit.
        """
        if entry.undone is not None:
            return self._without(entry.seq, entry.undone)
        past = replace(self, seq=entry.seq, room=fold(entry.happened, self.room))
        if _holds(entry, GameStarted):
            return replace(past, base=self.room, entries=(entry,), taken_back=())
        if _holds(entry, CardsDealt):
            return replace(past, base=self.room, entries=(entry,))
        if _holds(entry, ReadySet):
            return past  # counts for the next game alone, and no undo brings it back
        if not self.entries or _holds(entry, TableEvent):
            return replace(past, base=past.room, entries=())
        return replace(past, entries=(*self.entries, entry))

    def before(self, back_to: int) -> Room | None:
        """The room as it is without the decisions after entry `back_to`.

        Raises:
            LogCorrupt: what is left does not fit together.
        """
        left = spared(self.entries, back_to)
        return fold((fact for entry in left for fact in entry.happened), self.base)

    def _without(self, seq: int, undone: Undone) -> Self:
        if not self.begun <= undone.back_to < self.place:
            raise LogCorrupt(undone, self.room.phase if self.room else None)
        room = self.before(undone.back_to)
        deal = len(game.sheet) + 1 if room and (game := game_of(room)) else 0
        return replace(
            self,
            seq=seq,
            room=room,
            entries=tuple(spared(self.entries, undone.back_to)),
            taken_back=(*self.taken_back, TakenBack(deal, undone.by)),
        )


def past_of(entries: Iterable[Entry]) -> Past:
    """Where a room stands after all its `entries`.

    Raises:
        LogCorrupt: they do not follow each other.
    """
    past = Past()
    for entry in entries:
        past = past.after(entry)
    return past
