"""All games of a room added up, player by player. Facts alone: no rating, no money."""

from collections.abc import Sequence

from msgspec import Struct

from engine.cards import Seat
from engine.events import (
    AcesMelded,
    AnyEvent,
    DealConceded,
    DealScored,
    GameEnded,
    GameStarted,
    GameWon,
    Line,
    MarriageMelded,
)
from engine.evolve import evolve
from engine.history import Entry, standing
from engine.state import Player, Room
from server.played import games_in, summary_of
from server.replay_messages import Evening, EveningPlayer


class Person(Struct):
    """Somebody who played, on whichever chair and device."""

    name: str
    keys: set[str]
    numbers: set[int]
    """The games this person played in."""
    won: int = 0
    points: int = 0
    made: int = 0
    failed: int = 0
    conceded: int = 0
    melds: int = 0
    bolts: int = 0


def evening_of(code: str, entries: Sequence[Entry]) -> Evening:
    """What everybody did in the games of room `code`, by what still counts.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    people = _People()
    room: Room | None = None
    number = 0
    for entry in standing(entries):
        for fact in entry.happened:
            room = evolve(room, fact)
            if isinstance(fact, GameStarted):
                number = fact.number
            if number:
                people.sit(room, number)
                people.tell(fact)
            if isinstance(fact, GameWon | GameEnded):
                number = 0
    return Evening(
        games=tuple(summary_of(code, played) for played in games_in(entries)),
        players=tuple(map(_row, people.all)),
    )


class _People:
    """Everybody who has played so far, and who is where now."""

    def __init__(self) -> None:
        self.all: list[Person] = []
        self._on: dict[int, Person] = {}

    def sit(self, room: Room, number: int) -> None:
        """The chairs are as in `room`; on a free one is whoever left it."""
        for index, player in enumerate(room.players):
            if player is not None:
                sits = self._on.get(index)
                if sits is None or player.key not in sits.keys or sits.name != player.name:
                    sits = self._on[index] = self._find(player)
                sits.numbers.add(number)

    def tell(self, fact: AnyEvent) -> None:
        """`fact` is credited to whom it is about."""
        match fact:
            case GameWon(winners=winners):
                for seat in winners:
                    self._on[seat].won += 1
            case MarriageMelded(seat=seat) | AcesMelded(seat=seat):
                self._on[seat].melds += 1
            case DealConceded(seat=seat):
                self._on[seat].conceded += 1
            case DealScored(lines=lines, declarer=declarer, made=made):
                for line in lines:
                    self._on[line.seat].points += line.after.score - line.before.score
                    self._on[line.seat].bolts += _bolted(line)
                self._contract(declarer, made=made)
            case _:
                pass

    def _contract(self, declarer: Seat | None, *, made: bool | None) -> None:
        if declarer is not None and made is not None:
            self._on[declarer].made += made
            self._on[declarer].failed += not made

    def _find(self, player: Player) -> Person:
        """Known by the key, else by the name: with a new device somebody has a new key."""
        by_key = (one for one in self.all if player.key and player.key in one.keys)
        by_name = (one for one in self.all if one.name == player.name)
        found = next(by_key, None) or next(by_name, None)
        if found is None:
            found = Person(player.name, set(), set())
            self.all.append(found)
        found.name = player.name
        found.keys.add(player.key)
        return found


def _bolted(line: Line) -> bool:
    """Whether the deal wrote a bolt: one more, or the one that was one too many."""
    return line.after.bolts > line.before.bolts or any(
        change.cause == "bolts" for change in line.changes
    )


def _row(person: Person) -> EveningPlayer:
    return EveningPlayer(
        name=person.name,
        games=len(person.numbers),
        won=person.won,
        points=person.points,
        made=person.made,
        failed=person.failed,
        conceded=person.conceded,
        melds=person.melds,
        bolts=person.bolts,
    )
