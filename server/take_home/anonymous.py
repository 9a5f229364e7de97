"""A game of nobody: names become letters, by the chairs on which the game began."""

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase

from msgspec.structs import replace

from engine.events import AnyEvent, GameStarted, PlayerSeated, Undone
from engine.evolve import fold
from engine.history import Entry, standing
from engine.state import Room


def anonymous(entries: Sequence[Entry], number: int) -> list[Entry]:
    """`entries` with other names: A, B, C and D began game `number`, others come after them.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    facts = (fact for entry in entries for fact in entry.facts)
    seated = (fact.name for fact in facts if isinstance(fact, PlayerSeated))
    names = list(dict.fromkeys((*_players(entries, number), *seated)))
    letters = {name: _letter(index) for index, name in enumerate(names)}
    return [
        replace(entry, facts=tuple(_renamed(fact, letters) for fact in entry.facts))
        for entry in entries
    ]


def _players(entries: Iterable[Entry], number: int) -> list[str]:
    """Who sat there when game `number` began."""
    room: Room | None = None
    for entry in standing(entries):
        room = fold(entry.happened, room)
        begins = (fact.number for fact in entry.facts if isinstance(fact, GameStarted))
        if room is not None and number in begins:
            return [player.name for player in room.players if player is not None]
    return []


def _renamed(fact: AnyEvent | Undone, letters: Mapping[str, str]) -> AnyEvent | Undone:
    return replace(fact, name=letters[fact.name]) if isinstance(fact, PlayerSeated) else fact


def _letter(index: int) -> str:
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"Player {index + 1}"
