"""All games of a room added up, player by player. Facts alone: no rating, no money."""

from collections.abc import Iterable

from msgspec import Struct

from engine.cards import Seat
from engine.events import (
    AcesMelded,
    AnyEvent,
    DealConceded,
    DealScored,
    GameWon,
    Line,
    MarriageMelded,
)
from engine.games import steps
from engine.history import Entry
from engine.state import Player, Room
from server.played import Played, after, summary_of
from server.replay_messages import Evening, EveningPlayer, GameSummary


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


def evening_of(code: str, entries: Iterable[Entry]) -> Evening:
    """What everybody did in the games of room `code`, by what still counts.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    people = _People()
    games: list[GameSummary] = []
    played: Played | None = None
    for step in steps(entries):
        played = after(played, step)
        if played is None:
            continue
        people.sit(step.room, step.game)
        for fact in step.entry.happened:
            people.tell(fact)
        if played.state != "running":
            games.append(summary_of(code, played))
    if played is not None and played.state == "running":
        games.append(summary_of(code, played))
    return Evening(games=tuple(games), players=tuple(map(_row, people.all)))


class _People:
    """Everybody who has played so far, and who is where now."""

    def __init__(self) -> None:
        self.all: list[Person] = []
        self._on: dict[int, Person] = {}
        self._by_key: dict[str, Person] = {}
        self._by_name: dict[str, Person] = {}

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
        found = self._by_key.get(player.key) if player.key else None
        if found is None:
            found = self._by_name.get(player.name)
        if found is None or (player.key not in found.keys and found.name != player.name):
            found = Person(player.name, set(), set())
            self.all.append(found)
        found.name = player.name
        found.keys.add(player.key)
        self._by_key[player.key] = self._by_name[player.name] = found
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
