"""A table that agrees on more than the game: it takes back, kicks, hands over, voids, ends."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from engine.cards import Seat
from engine.commands import (
    Act,
    Command,
    DealCards,
    EndGame,
    HandOver,
    Kick,
    SetReady,
    StartGame,
    TakeSeat,
    VoidDeal,
)
from engine.events import Standing, Undone
from engine.history import Entry, Past, past_of, standing
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import Between, InDeal, Over, Room
from engine.take_back import TakeBack, reopening, take_back
from tests.engine.record.rooms import Logged
from tests.support import LETTERS, offered, seat, shuffled, views

UNDOES, CHANGES_CHAIRS, VOIDS, ENDS = 0.15, 0.02, 0.004, 0.002
"""How often somebody asks for it, in parts of all that happens."""


class Agreeing(Logged):
    """An evening that keeps its past, and whose table may agree on anything."""

    def __init__(self, profile: Profile, **begin: Any) -> None:
        super().__init__(profile, **begin)
        self.past: Past = past_of(self.log)

    def obeys(self, order: Command) -> None:
        super().obeys(order)
        self.past = self.past.after(self.log[-1])

    def takes_back(self, letter: str) -> TakeBack:
        """`letter` takes the last decision back, and the others agree if they have to."""
        found = take_back(self.past, seat(letter))
        assert isinstance(found, TakeBack), f"{letter} may not: {found}"
        self.goes_back(found.back_to, by=letter)
        return found

    def may_not_take_back(self, letter: str) -> str:
        """The code with which `letter` is refused to take the last decision back."""
        found = take_back(self.past, seat(letter))
        assert isinstance(found, Rejected), f"{letter} may"
        return found.reason.value

    def reopens(self, letter: str) -> None:
        """The table goes on with the game that is over, as `letter` asks."""
        found = reopening(self.past)
        assert isinstance(found, TakeBack), f"it is {found}"
        self.goes_back(found.back_to, by=letter)

    def goes_back(self, back_to: int, *, by: str) -> None:
        """Nothing after entry `back_to` counts."""
        fact = Undone(back_to=back_to, by=seat(by), agreed=self.all_but(by))
        self.log.append(Entry(seq=len(self.log) + 1, facts=(fact,)))
        self.past = self.past.after(self.log[-1])
        assert self.past.room is not None
        self.room = self.past.room
        self.facts = [fact for entry in standing(self.log) for fact in entry.happened]

    def all_but(self, *letters: str) -> tuple[Seat, ...]:
        """Everybody who sits and is none of `letters`."""
        return tuple(
            Seat(index)
            for index, player in enumerate(self.room.players)
            if player is not None and LETTERS[index] not in letters
        )

    def kicks(self, letter: str) -> None:
        """The others take the chair from `letter`."""
        by, *agreed = self.all_but(letter)
        self.obeys(Kick(seat(letter), by, tuple(agreed)))

    def lets_in(self, letter: str, name: str, key: str) -> None:
        """Somebody new takes the free chair `letter`, for whom the others vouch."""
        self.obeys(TakeSeat(name, key, seat(letter), agreed=self.all_but(letter)))

    def hands_over(self, letter: str, key: str) -> None:
        """The device with `key` is `letter` from now on."""
        self.obeys(HandOver(seat(letter), key, agreed=self.all_but(letter)))

    def voids(self, letter: str) -> None:
        """The running deal does not count, as `letter` asks."""
        self.obeys(VoidDeal(seat(letter), agreed=self.all_but(letter)))

    def ends(self, letter: str) -> None:
        """The game is over, as `letter` asks."""
        self.obeys(EndGame(seat(letter), agreed=self.all_but(letter)))

    def starts(self) -> None:
        """The next game begins with whoever sits, ready."""
        for chair in self.all_but():
            self.obeys(Act(chair, SetReady(ready=True)))
        self.obeys(StartGame(lot=Seat(0)))


class Moment(Struct, frozen=True):
    """An entry of a log and the past it came to."""

    past: Past
    entry: Entry

    @property
    def room(self) -> Room:
        """The room before the entry."""
        assert self.past.room is not None
        return self.past.room


def eventful(profile: Profile, seed: int, *, deals: int) -> Agreeing:
    """A random evening under way, in which the table makes use of all it may agree on.

    It is over with the game, or after `deals` written deals.
    """
    chance = random.Random(seed)
    letters = LETTERS[: profile.table.players]
    nearly = profile.scoring.target * 84 // 100
    table = Agreeing(
        profile,
        dealer=chance.choice(letters),
        standings={letter: Standing(score=chance.randrange(nearly)) for letter in letters},
    )
    while not _done(table, deals):
        go_on(table, chance)
    return table


def moments(log: Iterable[Entry]) -> Iterator[Moment]:
    """Every entry of `log` but the first."""
    first, *others = log
    past = past_of([first])
    for entry in others:
        yield Moment(past, entry)
        past = past.after(entry)


def _done(table: Agreeing, deals: int) -> bool:
    return isinstance(table.phase, Over) or (
        isinstance(table.phase, Between) and len(table.game.sheet) >= deals
    )


def go_on(table: Agreeing, chance: random.Random) -> None:
    """Something happens, mostly in the game."""
    letter = LETTERS[chance.randrange(len(table.room.players))]
    if chance.random() < UNDOES:
        found = take_back(table.past, seat(letter))
        if isinstance(found, TakeBack):
            table.goes_back(found.back_to, by=letter)
    elif chance.random() < CHANGES_CHAIRS:
        _change_chairs(table, letter, chance)
    elif chance.random() < VOIDS and isinstance(table.phase, InDeal):
        table.voids(letter)
    elif chance.random() < ENDS:
        table.ends(letter)
    else:
        table.obeys(_next(table, chance))
    if isinstance(table.phase, Over) and chance.random() < 0.5:
        table.obeys(Act(seat(letter), SetReady(ready=True)))
        _change_chairs(table, letter, chance)
        table.reopens(letter)


def _change_chairs(table: Agreeing, letter: str, chance: random.Random) -> None:
    """Another device is `letter`, or the player is kicked and comes back, or somebody else does."""
    before = table.room.players[seat(letter)]
    assert before is not None
    if chance.random() < 0.5:
        table.hands_over(letter, f"device {len(table.log)}")
        return
    table.kicks(letter)
    name, key = chance.choice(((before.name, before.key), ("Nora", f"key {len(table.log)}")))
    table.lets_in(letter, name, key)


def _next(table: Agreeing, chance: random.Random) -> Command:
    if isinstance(table.phase, Between):
        game = table.game
        return DealCards(game.dealer, shuffled(game.profile, chance))
    return chance.choice(
        [Act(mover, act) for mover, view in views(table.room) for act in offered(view, chance)]
    )
